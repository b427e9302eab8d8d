#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_16bit_storage : require
// Sixteen bits: packed halves and integers.
//
// buffer load: 0.1
// buffer load: 1.1[1]
// buffer store: 0.1
// buffer store: 1.1[1]

layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Halves { f16vec4 halves[]; };
layout(set = 1, binding = 1) buffer Shorts { i16vec4 shorts[]; } all[4];

void main() {
    uint at = gl_GlobalInvocationID.x;
    f16vec4 half4 = halves[at];
    i16vec4 short4 = all[1].shorts[at];
    half4 = fma(half4, half4.wzyx, f16vec4(0.5hf));
    half4 = min(max(half4, f16vec4(0.0hf)), half4.yxwz * half4);
    short4 = short4 * short4.yxwz + i16vec4(7s);
    short4 = max(short4 >> i16vec4(2s), -short4);
    halves[at] = half4 + f16vec4(short4) * sqrt(half4.x);
    all[1].shorts[at] = short4 ^ i16vec4(half4);
}
