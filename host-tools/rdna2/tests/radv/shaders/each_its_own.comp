#version 460
#extension GL_EXT_nonuniform_qualifier : require
// A texture of an array, chosen by each lane: a loop over the textures that lanes ask for.
//
// buffer load: 0.1
// buffer store: (a loop); 0.1
// image sample: (pointer: a loop) by (pointer: a loop); (not known) by (not known)

layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Numbers { vec4 numbers[]; };
layout(set = 1, binding = 0) uniform sampler2D materials[16];

void main() {
    uint at = gl_GlobalInvocationID.x;
    vec4 number = numbers[at];
    numbers[at] = textureLod(materials[nonuniformEXT(floatBitsToUint(number.z) & 15)], number.xy, number.w);
}
