#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_clustered : require
// wave 32
// Lanes that talk to each other.
//
// buffer load: 0.1
// buffer store: 0.9

layout(local_size_x = 32) in;
layout(set = 0, binding = 1) buffer Numbers { float numbers[]; };
layout(set = 0, binding = 9, r32f) uniform imageBuffer to;

void main() {
    uint at = gl_GlobalInvocationID.x;
    float number = numbers[at];
    float sum = subgroupInclusiveAdd(number) + subgroupClusteredMax(number, 8);
    sum += subgroupShuffle(number, uint(sum) & 31) + subgroupShuffleXor(number, 5) + subgroupShuffleUp(sum, 1);
    sum += subgroupQuadSwapDiagonal(number) * subgroupMin(number);
    if (subgroupAny(sum > 100.0)) {
        sum = subgroupQuadBroadcast(sum, 2);
    }
    imageStore(to, int(at), vec4(sum));
}
