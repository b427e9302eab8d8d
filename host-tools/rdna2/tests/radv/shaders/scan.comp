#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_memory_scope_semantics : require
// Sums of all numbers before each, in one pass: a group looks back at those before it.
//
// buffer atomic: (a loop); 1.1[1]
// buffer atomic: (pointer: a loop); (written)
// buffer atomic: 1.1[0]
// buffer atomic: 1.1[1]
// buffer load: 0.1
// buffer store: (a loop); 0.1

layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Numbers { uint numbers[]; };
layout(set = 1, binding = 1) coherent buffer State { uint ticket; uint state[]; } states[4];

void main() {
    uint group = 0;
    if (subgroupElect()) {
        group = atomicAdd(states[0].ticket, 1);
    }
    group = subgroupBroadcastFirst(group);
    uint at = group * 64 + gl_LocalInvocationIndex;
    uint number = numbers[at];
    uint sum = subgroupAdd(number);
    uint before = 0;
    if (group > 0) {
        atomicExchange(states[1].state[group], sum | 0x40000000u);
        for (uint look = group - 1;;) {
            uint seen = atomicOr(states[1].state[look], 0);
            if ((seen & 0xc0000000u) == 0) {
                continue;
            }
            before += seen & 0x3fffffffu;
            if ((seen & 0x80000000u) != 0 || look == 0) {
                break;
            }
            look--;
        }
    }
    atomicExchange(states[1].state[group], (before + sum) | 0x80000000u);
    numbers[at] = before + subgroupExclusiveAdd(number);
}
