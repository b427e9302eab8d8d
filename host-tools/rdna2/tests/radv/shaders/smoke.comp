#version 460
// A march through a volume until it is opaque.
//
// buffer load: 0.1
// buffer store: (a loop); 0.1
// image sample: (pointer: a loop) by (pointer: a loop); (written) by (written)

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 1) buffer Numbers { vec4 numbers[]; };
layout(set = 0, binding = 11) uniform sampler3D smoke;
layout(push_constant) uniform Push { vec4 from; float step_length; };

void main() {
    uint at = gl_GlobalInvocationID.y * 640 + gl_GlobalInvocationID.x;
    vec3 along = normalize(numbers[at].xyz), place = from.xyz;
    float light = 0.0, left = 1.0;
    for (int k = 0; k < 128 && left > 0.01; k++) {
        vec2 seen = textureLod(smoke, place, 0.0).rg;
        light += left * seen.r * step_length;
        left *= exp(-seen.g * step_length);
        place += along * step_length;
    }
    numbers[at] = vec4(light, left, sin(light), pow(left, 2.2));
}
