#version 460
// A vertex, moved by one of the matrices of a buffer.
//
// buffer load: 0.1 (x4)
// buffer load: vertices[0]
// scalar buffer load: 0.0 (x4)

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 place;
layout(set = 0, binding = 0) uniform Uniforms { mat4 view; };
layout(set = 0, binding = 1) readonly buffer Matrices { mat4 matrices[]; };
layout(location = 0) out vec3 out_normal;
layout(location = 1) out vec2 out_place;
layout(location = 2) out vec3 out_position;

void main() {
    mat4 matrix = matrices[gl_InstanceIndex];
    vec4 world = matrix * vec4(position, 1);
    out_normal = mat3(matrix) * normal;
    out_place = place;
    out_position = world.xyz;
    gl_Position = view * world;
}
