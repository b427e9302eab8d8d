#version 460
// Atomics of buffers, of an image and of shared memory: a histogram.
//
// buffer atomic: 0.1 (x2)
// buffer load: 0.1
// image atomic: 0.5 (x2)

layout(local_size_x = 256) in;
layout(set = 0, binding = 1) buffer Counts { uint counts[256]; uint most; };
layout(set = 0, binding = 5, r32ui) uniform uimage2D picture;
shared uint own[256];

void main() {
    uint lane = gl_LocalInvocationIndex;
    own[lane] = 0;
    barrier();
    uint value = imageAtomicAdd(picture, ivec2(gl_GlobalInvocationID.xy), 1);
    atomicAdd(own[value & 255], 1);
    barrier();
    uint before = atomicAdd(counts[lane], own[lane]);
    atomicMax(most, before + own[lane]);
    imageAtomicCompSwap(picture, ivec2(lane), before, most);
}
