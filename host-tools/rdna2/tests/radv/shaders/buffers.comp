#version 460
// Numbers from a buffer to the same buffer, scaled by uniforms.
//
// buffer load: 0.1
// buffer store: 0.1
// scalar buffer load: 0.0 (x10)

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform Uniforms { vec4 scale; vec4 offset[8]; uint count; };
layout(set = 0, binding = 1) buffer Numbers { vec4 numbers[]; };

void main() {
    uint at = gl_GlobalInvocationID.x;
    if (at >= count) {
        return;
    }
    vec4 number = numbers[at];
    for (uint k = 0; k < 8; k++) {
        number = fma(number, scale, offset[k]);
    }
    numbers[at] = clamp(number, vec4(-65504.0), vec4(65504.0));
}
