#version 460
// A surface: a texture, a sky that it mirrors, and a light with a shadow cube, read on both ways of a branch.
//
// image sample: 0.2 by 0.2
// image sample: 0.3 by 0.3
// image sample: 0.4 by 0.4 (x2)
// scalar buffer load: 0.0

layout(location = 0) in vec3 normal;
layout(location = 1) in vec2 place;
layout(location = 2) in vec3 position;
layout(set = 0, binding = 0) uniform Uniforms { mat4 view; vec4 light; };
layout(set = 0, binding = 2) uniform sampler2D paint;
layout(set = 0, binding = 3) uniform samplerCube sky;
layout(set = 0, binding = 4) uniform samplerCubeShadow shadow;
layout(location = 0) out vec4 colour;

void main() {
    vec4 seen = texture(paint, place);
    if (seen.a < 0.5) {
        discard;
    }
    vec3 n = normalize(normal), to = light.xyz - position;
    float facing = dot(n, normalize(to));
    float lit = 0.1;
    if (facing > 0.0) {
        lit += facing * texture(shadow, vec4(-to, length(to) * light.w));
    } else {
        lit += 0.1 * textureGrad(shadow, vec4(to, 0.5), dFdx(to), n);
    }
    colour = seen * lit + 0.2 * texture(sky, reflect(position, n));
}
