#version 460
// Every other way to read a texture, and several outputs.
//
// image query: 0.2 by 0.2
// image sample: 0.11 by 0.11
// image sample: 0.2 by 0.2
// image sample: 0.6[0] by (computed); 0.6[0] by 0.7 patched
// image sample: 0.6[1] by 0.7
// image sample: 0.6[4] by 0.7
// image store: 0.5

layout(location = 0) in vec3 normal;
layout(location = 1) in vec2 place;
layout(location = 2) in flat vec3 position;
layout(set = 0, binding = 2) uniform sampler2D paint;
layout(set = 0, binding = 5, rgba16f) uniform image2D picture;
layout(set = 0, binding = 6) uniform texture2D textures[8];
layout(set = 0, binding = 7) uniform sampler plain;
layout(set = 0, binding = 11) uniform sampler3D smoke;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec4 direction;

void main() {
    vec4 sum = textureGrad(paint, place, dFdx(normal.xy), dFdy(normal.yz));
    sum += textureGather(sampler2D(textures[0], plain), place, 2);
    sum += textureOffset(sampler2D(textures[1], plain), place, ivec2(3, -2));
    sum += textureProj(sampler2D(textures[4], plain), vec3(place, normal.z));
    sum.xy += textureQueryLod(paint, place);
    sum.x += float(textureSize(smoke, 1).z) + float(textureQueryLevels(smoke));
    sum += texture(smoke, normal, -1.5);
    imageStore(picture, ivec2(gl_FragCoord.xy), sum);
    colour = sum * interpolateAtOffset(place, vec2(0.25)).xyxy;
    direction = vec4(fwidth(normal), gl_FrontFacing ? 1.0 : position.x);
}
