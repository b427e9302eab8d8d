#version 460
// A product of matrices, tile by tile in shared memory.
//
// buffer load: (pointer: a loop); (written) (x2)
// buffer store: (pointer: a loop); (written)
// scalar buffer load: (pointer: a loop); (written)

layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) uniform Uniforms { uint size; };
layout(set = 1, binding = 1) buffer Matrix { float number[]; } matrices[4];
shared float left[16][16];
shared float right[16][17];

void main() {
    uvec2 at = gl_LocalInvocationID.xy, place = gl_GlobalInvocationID.xy;
    float sum = 0.0;
    for (uint tile = 0; tile < size; tile += 16) {
        left[at.y][at.x] = matrices[0].number[place.y * size + tile + at.x];
        right[at.y][at.x] = matrices[1].number[(tile + at.y) * size + place.x];
        barrier();
        for (uint k = 0; k < 16; k++) {
            sum = fma(left[at.y][k], right[k][at.x], sum);
        }
        barrier();
    }
    matrices[2].number[place.y * size + place.x] = sum;
}
