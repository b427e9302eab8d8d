#version 460
#extension GL_EXT_ray_query : require
// The nearest hit of a ray, with triangles that are see-through by a texture and boxes that hold spheres.
//
// BVH test: (a loop); (written)
// buffer load: 0.1 (x2)
// buffer store: (a loop); 0.1 (x2)
// image sample: (pointer: a loop) by (pointer: a loop); (written) by (written)

layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Numbers { vec4 numbers[]; };
layout(set = 0, binding = 2) uniform sampler2D leaves;
layout(set = 0, binding = 10) uniform accelerationStructureEXT scene;

void main() {
    uint at = gl_GlobalInvocationID.x;
    rayQueryEXT query;
    rayQueryInitializeEXT(query, scene, gl_RayFlagsNoneEXT, 0xff, numbers[2 * at].xyz, 0.0, numbers[2 * at + 1].xyz, 1e30);
    while (rayQueryProceedEXT(query)) {
        if (rayQueryGetIntersectionTypeEXT(query, false) == gl_RayQueryCandidateIntersectionTriangleEXT) {
            vec2 weights = rayQueryGetIntersectionBarycentricsEXT(query, false);
            if (textureLod(leaves, weights, 0.0).a > 0.5) {
                rayQueryConfirmIntersectionEXT(query);
            }
        } else {
            vec3 from = rayQueryGetIntersectionObjectRayOriginEXT(query, false);
            vec3 along = rayQueryGetIntersectionObjectRayDirectionEXT(query, false);
            float b = dot(from, along), d = b * b - dot(along, along) * (dot(from, from) - 1.0);
            if (d >= 0.0) {
                rayQueryGenerateIntersectionEXT(query, (-b - sqrt(d)) / dot(along, along));
            }
        }
    }
    float depth = rayQueryGetIntersectionTEXT(query, true);
    mat4x3 to_world = rayQueryGetIntersectionObjectToWorldEXT(query, true);
    numbers[2 * at] = vec4(to_world * vec4(0, 0, 0, 1), depth);
    numbers[2 * at + 1].w = float(rayQueryGetIntersectionInstanceIdEXT(query, true));
}
