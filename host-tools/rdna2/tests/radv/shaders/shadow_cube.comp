#version 460
// A shadow cube compared in a loop over offsets: soft shadows.
//
// buffer load: 0.1
// buffer store: (a loop); 0.1
// image sample: (a loop) by (a loop); 0.4 by 0.4
// image sample: 0.4 by 0.4 (x16)
// scalar buffer load: 0.0 (x18)

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform Uniforms { vec4 light; vec4 offsets[16]; uint count; };
layout(set = 0, binding = 1) buffer Numbers { vec4 numbers[]; };
layout(set = 0, binding = 4) uniform samplerCubeShadow shadow;

void main() {
    uint at = gl_GlobalInvocationID.x;
    vec3 to = numbers[at].xyz - light.xyz;
    float depth = length(to) * light.w;
    float lit = 0.0;
    for (uint k = 0; k < count; k++) {
        lit += texture(shadow, vec4(to + offsets[k].xyz, depth));
    }
    numbers[at].w = lit / float(count);
}
