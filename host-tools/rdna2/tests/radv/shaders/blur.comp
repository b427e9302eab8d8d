#version 460
// A storage image read around each pixel and written.
//
// image load: (a loop); 0.5
// image store: (a loop); 0.5

layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 5, rgba8) uniform image2D picture;
layout(push_constant) uniform Push { int radius; float weight; };

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(picture);
    vec4 sum = vec4(0);
    for (int k = -radius; k <= radius; k++) {
        sum += imageLoad(picture, clamp(at + ivec2(k, 0), ivec2(0), size - 1));
    }
    barrier();
    imageStore(picture, at, sum * weight);
}
