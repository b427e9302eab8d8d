#version 460
// Buffers of texels: formats by the descriptor.
//
// buffer load: 0.8
// buffer load: 0.9
// buffer store: 0.9

layout(local_size_x = 64) in;
layout(set = 0, binding = 8) uniform samplerBuffer from;
layout(set = 0, binding = 9, rgba16f) uniform imageBuffer to;

void main() {
    int at = int(gl_GlobalInvocationID.x);
    if (at < textureSize(from)) {
        imageStore(to, at, texelFetch(from, at) + imageLoad(to, at ^ 1));
    }
}
