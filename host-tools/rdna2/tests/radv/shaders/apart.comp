#version 460
#extension GL_EXT_samplerless_texture_functions : require
// Textures and a sampler that are apart, and a branch that picks one of two textures.
//
// buffer load: 0.1
// buffer store: 0.1
// image load: 0.6[7]; (not reached)
// image sample: 0.6[2] by 0.7
// image sample: 0.6[5] by 0.7

layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Numbers { vec4 numbers[]; };
layout(set = 0, binding = 6) uniform texture2D textures[8];
layout(set = 0, binding = 7) uniform sampler plain;
layout(push_constant) uniform Push { uint rough; };

void main() {
    uint at = gl_GlobalInvocationID.x;
    vec2 place = numbers[at].xy;
    vec4 seen = textureLod(sampler2D(textures[2], plain), place, 0.0);
    if (rough != 0) {
        seen *= textureLod(sampler2D(textures[5], plain), place * 8.0, 1.0);
    } else {
        seen += texelFetch(textures[7], ivec2(place), 0);
    }
    numbers[at] = seen;
}
