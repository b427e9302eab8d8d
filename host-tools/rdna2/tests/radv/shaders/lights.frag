#version 460
// Many lights in a loop, each with one of the textures of an array.
//
// image sample: (pointer: a loop) by (pointer: a loop); (written) by (written)
// scalar buffer load: (pointer: a loop); (written) (x3)

layout(location = 0) in vec3 normal;
layout(location = 1) in vec2 place;
layout(location = 2) in vec3 position;
struct Light { vec4 position; vec4 colour; };
layout(set = 0, binding = 0) uniform Uniforms { uint count; Light lights[32]; };
layout(set = 1, binding = 0) uniform sampler2D cookies[16];
layout(location = 0) out vec4 colour;

void main() {
    vec3 sum = vec3(0), n = normalize(normal);
    for (uint k = 0; k < count; k++) {
        vec3 to = lights[k].position.xyz - position;
        float near = inversesqrt(dot(to, to));
        if (near < 0.01) {
            continue;
        }
        vec3 cookie = textureLod(cookies[k & 15], to.xy * near, 0.0).rgb;
        sum += max(dot(n, to) * near, 0.0) * lights[k].colour.rgb * cookie;
    }
    colour = vec4(sum, 1);
}
