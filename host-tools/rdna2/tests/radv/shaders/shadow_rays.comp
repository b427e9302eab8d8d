#version 460
#extension GL_EXT_ray_query : require
// A ray from each point to the light: is anything in between.
//
// BVH test: (a loop); (written)
// buffer load: 0.1
// buffer store: (a loop); 0.1
// scalar buffer load: 0.0

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform Uniforms { vec4 light; };
layout(set = 0, binding = 1) buffer Numbers { vec4 numbers[]; };
layout(set = 0, binding = 10) uniform accelerationStructureEXT scene;

void main() {
    uint at = gl_GlobalInvocationID.y * 640 + gl_GlobalInvocationID.x;
    vec3 from = numbers[at].xyz;
    rayQueryEXT query;
    uint flags = gl_RayFlagsTerminateOnFirstHitEXT | gl_RayFlagsOpaqueEXT;
    rayQueryInitializeEXT(query, scene, flags, 0xff, from, 0.001, light.xyz - from, 1.0);
    while (rayQueryProceedEXT(query)) {
    }
    bool lit = rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionNoneEXT;
    numbers[at].w = lit ? 1.0 : 0.0;
}
