#version 460
// A cube sampled at one level or another, by a number of each lane.
//
// buffer load: 0.1
// buffer store: 0.1
// image sample: 0.3 by 0.3 (x2)

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 1) buffer Numbers { vec4 numbers[]; };
layout(set = 0, binding = 3) uniform samplerCube sky;

void main() {
    uint at = gl_GlobalInvocationID.y * 640 + gl_GlobalInvocationID.x;
    vec3 direction = normalize(numbers[at].xyz);
    vec4 seen;
    if (numbers[at].w < 0.5) {
        seen = textureLod(sky, direction, 0.0);
    } else {
        seen = textureLod(sky, reflect(direction, vec3(0, 1, 0)), 4.0 * numbers[at].w);
    }
    numbers[at] = seen;
}
