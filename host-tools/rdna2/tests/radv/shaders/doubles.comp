#version 460
#extension GL_ARB_gpu_shader_int64 : require
// Sixty-four bits: doubles and long integers.
//
// buffer load: 0.1
// buffer load: 1.1[0]
// buffer store: 0.1
// buffer store: 1.1[2]

layout(local_size_x = 64) in;
layout(set = 1, binding = 1) buffer Doubles { dvec2 doubles[]; } all[4];
layout(set = 0, binding = 1) buffer Longs { uint64_t longs[]; };

void main() {
    uint at = gl_GlobalInvocationID.x;
    dvec2 one = all[0].doubles[at];
    double length = sqrt(one.x * one.x + one.y * one.y);
    all[2].doubles[at] = dvec2(one.x / length, fma(one.y, 0.1lf, floor(length)));
    uint64_t number = longs[at];
    number = number * 6364136223846793005ul + 1442695040888963407ul;
    longs[at] = (number >> 33) ^ uint64_t(uint(number) % 1000003u) ^ (number << (at & 63));
}
