#version 460
// A texture of an array, chosen by a number that the whole dispatch has: its place is computed.
//
// buffer load: 0.1
// buffer store: 0.1
// image sample: (offset: computed) by (offset: computed); 1.0[5] by 1.0[5]
// image sample: 1.0[3] by 1.0[3]

layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Numbers { vec4 numbers[]; };
layout(set = 1, binding = 0) uniform sampler2D materials[16];
layout(push_constant) uniform Push { uint material; };

void main() {
    uint at = gl_GlobalInvocationID.x;
    numbers[at] = textureLod(materials[material], numbers[at].xy, 0.0) + textureLod(materials[3], numbers[at].zw, 0.0);
}
