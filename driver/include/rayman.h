/* Made from rayman-abi by `cargo xtask gen`. Change hdl/abi, not this file.
 *
 * RAYMAN_<REGISTER>                     byte offset from the slave's base
 * RAYMAN_<REGISTER>_RESET               value after reset, of writable registers
 * RAYMAN_<REGISTER>_<FIELD>_SHIFT/_MASK where a field is: (word & MASK) >> SHIFT
 * RAYMAN_<REGISTER>_<FIELD>_<VALUE>     a named value of a field, not shifted
 * RAYMAN_<DESCRIPTOR>_WORDS             size in 32-bit words
 * RAYMAN_<DESCRIPTOR>_<FIELD>_WORD      the word of a descriptor that holds a field, beside its _SHIFT and _MASK
 *
 * Registers and descriptor words are 32 bits, little-endian.
 */
#ifndef RAYMAN_H
#define RAYMAN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Registers */

#define RAYMAN_APERTURE_BYTES                                          0x100u
#define RAYMAN_ID_VALUE                                                0x5241594Du
#define RAYMAN_VERSION_VALUE                                           0x00010000u

/* Gives commands to the ray tracer. Reads NOP when idle and RUN while rendering. */
#define RAYMAN_RAYTRACER_COMMAND                                       0x00u
#define RAYMAN_RAYTRACER_COMMAND_RESET                                 0x00000000u
#define RAYMAN_RAYTRACER_COMMAND_COMMAND_SHIFT                         0
#define RAYMAN_RAYTRACER_COMMAND_COMMAND_MASK                          0x00000007u
#define RAYMAN_RAYTRACER_COMMAND_COMMAND_NOP                           0u
#define RAYMAN_RAYTRACER_COMMAND_COMMAND_RUN                           1u
#define RAYMAN_RAYTRACER_COMMAND_COMMAND_STOP                          2u
#define RAYMAN_RAYTRACER_COMMAND_COMMAND_CLEAR_IRQ                     3u

/* What the ray tracer is doing. */
#define RAYMAN_RAYTRACER_STATUS                                        0x04u
#define RAYMAN_RAYTRACER_STATUS_STATUS_SHIFT                           0
#define RAYMAN_RAYTRACER_STATUS_STATUS_MASK                            0x00000007u
#define RAYMAN_RAYTRACER_STATUS_STATUS_IDLE                            0u
#define RAYMAN_RAYTRACER_STATUS_STATUS_BUSY                            1u
#define RAYMAN_RAYTRACER_STATUS_PROGRESS_SHIFT                         8
#define RAYMAN_RAYTRACER_STATUS_PROGRESS_MASK                          0x0000FF00u

/* Bus address of the scene_descriptor to render next. Read once, when RUN is taken. */
#define RAYMAN_SCENE_ADDRESS                                           0x08u
#define RAYMAN_SCENE_ADDRESS_RESET                                     0x80000000u

/* "RAYM" in ASCII, so that a driver knows what it talks to. */
#define RAYMAN_ID                                                      0x10u

/* Version of this register map. A driver refuses a major version that it does not know. */
#define RAYMAN_VERSION                                                 0x14u
#define RAYMAN_VERSION_MINOR_SHIFT                                     0
#define RAYMAN_VERSION_MINOR_MASK                                      0x0000FFFFu
#define RAYMAN_VERSION_MAJOR_SHIFT                                     16
#define RAYMAN_VERSION_MAJOR_MASK                                      0xFFFF0000u

/* What this build holds. */
#define RAYMAN_CAPABILITIES                                            0x18u
#define RAYMAN_CAPABILITIES_LANES_SHIFT                                0
#define RAYMAN_CAPABILITIES_LANES_MASK                                 0x0000000Fu
#define RAYMAN_CAPABILITIES_BVH_SHIFT                                  4
#define RAYMAN_CAPABILITIES_BVH_MASK                                   0x00000010u
#define RAYMAN_CAPABILITIES_CUBE_SHIFT                                 5
#define RAYMAN_CAPABILITIES_CUBE_MASK                                  0x00000020u
#define RAYMAN_CAPABILITIES_CACHED_SPHERES_SHIFT                       16
#define RAYMAN_CAPABILITIES_CACHED_SPHERES_MASK                        0xFFFF0000u

/* Where pixels are written as XRGB8888 (DRM fourcc XR24: bytes B, G, R, 0). 0 writes none. */
#define RAYMAN_FRAMEBUFFER_ADDRESS                                     0x20u
#define RAYMAN_FRAMEBUFFER_ADDRESS_RESET                               0x00000000u

/* Bytes from one row to the next in the framebuffer. 0 means 4 x screen_x_size. */
#define RAYMAN_FRAMEBUFFER_STRIDE                                      0x24u
#define RAYMAN_FRAMEBUFFER_STRIDE_RESET                                0x00000000u

/* What to trace, and where pixels go. */
#define RAYMAN_RENDER_CONTROL                                          0x28u
#define RAYMAN_RENDER_CONTROL_RESET                                    0x00000304u
#define RAYMAN_RENDER_CONTROL_REFLECTION_DEPTH_SHIFT                   0
#define RAYMAN_RENDER_CONTROL_REFLECTION_DEPTH_MASK                    0x0000000Fu
#define RAYMAN_RENDER_CONTROL_SHADOWS_SHIFT                            8
#define RAYMAN_RENDER_CONTROL_SHADOWS_MASK                             0x00000100u
#define RAYMAN_RENDER_CONTROL_STREAM_SHIFT                             9
#define RAYMAN_RENDER_CONTROL_STREAM_MASK                              0x00000200u

/* Colour of a ray that hits nothing, XRGB8888. */
#define RAYMAN_BACKGROUND                                              0x2Cu
#define RAYMAN_BACKGROUND_RESET                                        0x00000000u
#define RAYMAN_BACKGROUND_BLUE_SHIFT                                   0
#define RAYMAN_BACKGROUND_BLUE_MASK                                    0x000000FFu
#define RAYMAN_BACKGROUND_GREEN_SHIFT                                  8
#define RAYMAN_BACKGROUND_GREEN_MASK                                   0x0000FF00u
#define RAYMAN_BACKGROUND_RED_SHIFT                                    16
#define RAYMAN_BACKGROUND_RED_MASK                                     0x00FF0000u

/* What ended the last frame early. */
#define RAYMAN_ERROR                                                   0x30u
#define RAYMAN_ERROR_CODE_SHIFT                                        0
#define RAYMAN_ERROR_CODE_MASK                                         0x000000FFu

/* Bus address of the transfer that failed (for a write, of its burst), or of the descriptor at fault. For a fault in a register's value: 0. */
#define RAYMAN_ERROR_ADDRESS                                           0x34u

/* The interrupt line, for hosts that must ask. */
#define RAYMAN_IRQ_STATUS                                              0x38u
#define RAYMAN_IRQ_STATUS_IRQ_SHIFT                                    0
#define RAYMAN_IRQ_STATUS_IRQ_MASK                                     0x00000001u

/* Frames completed since reset; one that ended early does not count. */
#define RAYMAN_FRAME_COUNT                                             0x3Cu

/* Clocks from RUN to the end of the last frame, low word. */
#define RAYMAN_CYCLES_LO                                               0x40u

/* Clocks from RUN to the end of the last frame, high word. */
#define RAYMAN_CYCLES_HI                                               0x44u

/* Primary rays of the last frame, low word. */
#define RAYMAN_PRIMARY_RAYS_LO                                         0x48u

/* Primary rays of the last frame, high word. */
#define RAYMAN_PRIMARY_RAYS_HI                                         0x4Cu

/* Shadow rays of the last frame, low word. */
#define RAYMAN_SHADOW_RAYS_LO                                          0x50u

/* Shadow rays of the last frame, high word. */
#define RAYMAN_SHADOW_RAYS_HI                                          0x54u

/* Reflection rays of the last frame, low word. */
#define RAYMAN_REFLECTION_RAYS_LO                                      0x58u

/* Reflection rays of the last frame, high word. */
#define RAYMAN_REFLECTION_RAYS_HI                                      0x5Cu

/* Primary and reflection rays of the last frame that hit a sphere, low word. */
#define RAYMAN_HITS_LO                                                 0x60u

/* Primary and reflection rays of the last frame that hit a sphere, high word. */
#define RAYMAN_HITS_HI                                                 0x64u

/* Shadow rays of the last frame that found the light hidden, low word. */
#define RAYMAN_OCCLUDED_LO                                             0x68u

/* Shadow rays of the last frame that found the light hidden, high word. */
#define RAYMAN_OCCLUDED_HI                                             0x6Cu

/* Pixels of the last frame, low word. */
#define RAYMAN_PIXELS_LO                                               0x70u

/* Pixels of the last frame, high word. */
#define RAYMAN_PIXELS_HI                                               0x74u

/* Ray-sphere tests of the last frame: spheres x rays, low word. */
#define RAYMAN_TESTS_LO                                                0x78u

/* Ray-sphere tests of the last frame: spheres x rays, high word. */
#define RAYMAN_TESTS_HI                                                0x7Cu

/* Intersector slots that did a test whose answer was wanted, low word. Microarchitectural, as are all that follow. */
#define RAYMAN_SLOTS_USED_LO                                           0x80u

/* Intersector slots that did a test whose answer was wanted, high word. */
#define RAYMAN_SLOTS_USED_HI                                           0x84u

/* Intersector slots spent on a shadow ray after its hit was known, low word. */
#define RAYMAN_SLOTS_DEAD_LO                                           0x88u

/* Intersector slots spent on a shadow ray after its hit was known, high word. */
#define RAYMAN_SLOTS_DEAD_HI                                           0x8Cu

/* Intersector slots lost for want of rays, low word. */
#define RAYMAN_LOST_RAYS_LO                                            0x90u

/* Intersector slots lost for want of rays, high word. */
#define RAYMAN_LOST_RAYS_HI                                            0x94u

/* Intersector slots lost for want of a sphere, low word. */
#define RAYMAN_LOST_SPHERES_LO                                         0x98u

/* Intersector slots lost for want of a sphere, high word. */
#define RAYMAN_LOST_SPHERES_HI                                         0x9Cu

/* Intersector slots lost while rays waited for the shader, low word. */
#define RAYMAN_LOST_SHADER_LO                                          0xA0u

/* Intersector slots lost while rays waited for the shader, high word. */
#define RAYMAN_LOST_SHADER_HI                                          0xA4u

/* Intersector slots lost while the pixel output could take no more, low word. */
#define RAYMAN_LOST_OUTPUT_LO                                          0xA8u

/* Intersector slots lost while the pixel output could take no more, high word. */
#define RAYMAN_LOST_OUTPUT_HI                                          0xACu

/* Clocks in which an AXI address or write-data channel waited, low word. */
#define RAYMAN_AXI_STALLS_LO                                           0xB0u

/* Clocks in which an AXI address or write-data channel waited, high word. */
#define RAYMAN_AXI_STALLS_HI                                           0xB4u

/* Source revision of this build: the first 32 bits of the git commit, 0 if unknown. */
#define RAYMAN_BUILD_REVISION                                          0xF0u

/* Sizes chosen when this build was made. */
#define RAYMAN_BUILD_PARAMETERS                                        0xF4u
#define RAYMAN_BUILD_PARAMETERS_SLOTS_SHIFT                            0
#define RAYMAN_BUILD_PARAMETERS_SLOTS_MASK                             0x0000FFFFu
#define RAYMAN_BUILD_PARAMETERS_CONTEXTS_SHIFT                         16
#define RAYMAN_BUILD_PARAMETERS_CONTEXTS_MASK                          0xFFFF0000u

/* ERROR.code: what ended the last frame early */

enum rayman_error {
    /* Nothing went wrong. */
    RAYMAN_ERROR_NONE = 0x00,
    /* The frame was ended by COMMAND_STOP. */
    RAYMAN_ERROR_STOPPED = 0x01,
    /* FRAMEBUFFER_ADDRESS or FRAMEBUFFER_STRIDE is not a multiple of 4. */
    RAYMAN_ERROR_FRAMEBUFFER_MISALIGNED = 0x02,
    /* SCENE_ADDRESS is not a multiple of 4. */
    RAYMAN_ERROR_SCENE_MISALIGNED = 0x03,
    /* SCENE_ADDRESS is 0. */
    RAYMAN_ERROR_SCENE_NULL = 0x04,
    /* The scene descriptor runs past address 2^32. */
    RAYMAN_ERROR_SCENE_RANGE = 0x05,
    /* screen_x_size or screen_y_size is 0. */
    RAYMAN_ERROR_SCREEN_EMPTY = 0x06,
    /* FRAMEBUFFER_STRIDE is neither 0 nor at least 4 x screen_x_size. */
    RAYMAN_ERROR_STRIDE_TOO_SMALL = 0x07,
    /* The framebuffer runs past address 2^32. */
    RAYMAN_ERROR_FRAMEBUFFER_RANGE = 0x08,
    /* sphere_descriptor_array_pointer is 0 and the array is not empty. */
    RAYMAN_ERROR_SPHERE_NULL = 0x09,
    /* sphere_descriptor_array_pointer is not a multiple of 4 and the array is not empty. */
    RAYMAN_ERROR_SPHERE_MISALIGNED = 0x0A,
    /* The sphere array runs past address 2^32. */
    RAYMAN_ERROR_SPHERE_RANGE = 0x0B,
    /* material_descriptor_array_pointer is 0 and the array is not empty. */
    RAYMAN_ERROR_MATERIAL_NULL = 0x0C,
    /* material_descriptor_array_pointer is not a multiple of 4 and the array is not empty. */
    RAYMAN_ERROR_MATERIAL_MISALIGNED = 0x0D,
    /* The material array runs past address 2^32. */
    RAYMAN_ERROR_MATERIAL_RANGE = 0x0E,
    /* cam_fov is not between 0 and 180 degrees, both excluded. */
    RAYMAN_ERROR_FIELD_OF_VIEW = 0x0F,
    /* The camera is at its look-at point, or so far or near that FP32 finds no direction. */
    RAYMAN_ERROR_CAMERA_DIRECTION = 0x10,
    /* A sphere's material_id is at or past the size of the material array. */
    RAYMAN_ERROR_MATERIAL_ID = 0x11,
    /* A read was answered with SLVERR. */
    RAYMAN_ERROR_READ_SLAVE_ERROR = 0x20,
    /* A read was answered with DECERR: nothing is at that address. */
    RAYMAN_ERROR_READ_DECODE_ERROR = 0x21,
    /* A framebuffer write was answered with SLVERR. */
    RAYMAN_ERROR_WRITE_SLAVE_ERROR = 0x22,
    /* A framebuffer write was answered with DECERR: nothing is at that address. */
    RAYMAN_ERROR_WRITE_DECODE_ERROR = 0x23
};

/* scene_descriptor: Light, camera, screen size, and where the spheres and materials are. */

#define RAYMAN_SCENE_DESCRIPTOR_WORDS                                  15

struct rayman_scene_descriptor {
    uint32_t word[RAYMAN_SCENE_DESCRIPTOR_WORDS];
};

/* x of the light. */
#define RAYMAN_SCENE_DESCRIPTOR_LIGHT_X_POSITION_WORD                  0
#define RAYMAN_SCENE_DESCRIPTOR_LIGHT_X_POSITION_SHIFT                 0
#define RAYMAN_SCENE_DESCRIPTOR_LIGHT_X_POSITION_MASK                  0xFFFFFFFFu

/* y of the light. */
#define RAYMAN_SCENE_DESCRIPTOR_LIGHT_Y_POSITION_WORD                  1
#define RAYMAN_SCENE_DESCRIPTOR_LIGHT_Y_POSITION_SHIFT                 0
#define RAYMAN_SCENE_DESCRIPTOR_LIGHT_Y_POSITION_MASK                  0xFFFFFFFFu

/* z of the light. */
#define RAYMAN_SCENE_DESCRIPTOR_LIGHT_Z_POSITION_WORD                  2
#define RAYMAN_SCENE_DESCRIPTOR_LIGHT_Z_POSITION_SHIFT                 0
#define RAYMAN_SCENE_DESCRIPTOR_LIGHT_Z_POSITION_MASK                  0xFFFFFFFFu

/* x of the camera. */
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POS_X_WORD                         3
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POS_X_SHIFT                        0
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POS_X_MASK                         0xFFFFFFFFu

/* y of the camera. */
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POS_Y_WORD                         4
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POS_Y_SHIFT                        0
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POS_Y_MASK                         0xFFFFFFFFu

/* z of the camera. */
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POS_Z_WORD                         5
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POS_Z_SHIFT                        0
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POS_Z_MASK                         0xFFFFFFFFu

/* x of the point the camera looks at. */
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POINT_X_WORD                       6
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POINT_X_SHIFT                      0
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POINT_X_MASK                       0xFFFFFFFFu

/* y of the point the camera looks at. */
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POINT_Y_WORD                       7
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POINT_Y_SHIFT                      0
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POINT_Y_MASK                       0xFFFFFFFFu

/* z of the point the camera looks at. */
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POINT_Z_WORD                       8
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POINT_Z_SHIFT                      0
#define RAYMAN_SCENE_DESCRIPTOR_CAM_POINT_Z_MASK                       0xFFFFFFFFu

/* Vertical field of view in degrees, between 0 and 180, both excluded. */
#define RAYMAN_SCENE_DESCRIPTOR_CAM_FOV_WORD                           9
#define RAYMAN_SCENE_DESCRIPTOR_CAM_FOV_SHIFT                          0
#define RAYMAN_SCENE_DESCRIPTOR_CAM_FOV_MASK                           0xFFFFFFFFu

/* Pixels a row. */
#define RAYMAN_SCENE_DESCRIPTOR_SCREEN_X_SIZE_WORD                     10
#define RAYMAN_SCENE_DESCRIPTOR_SCREEN_X_SIZE_SHIFT                    0
#define RAYMAN_SCENE_DESCRIPTOR_SCREEN_X_SIZE_MASK                     0x0000FFFFu

/* Rows. */
#define RAYMAN_SCENE_DESCRIPTOR_SCREEN_Y_SIZE_WORD                     10
#define RAYMAN_SCENE_DESCRIPTOR_SCREEN_Y_SIZE_SHIFT                    16
#define RAYMAN_SCENE_DESCRIPTOR_SCREEN_Y_SIZE_MASK                     0xFFFF0000u

/* Bus address of the first sphere_descriptor; the others follow it. */
#define RAYMAN_SCENE_DESCRIPTOR_SPHERE_DESCRIPTOR_ARRAY_POINTER_WORD   11
#define RAYMAN_SCENE_DESCRIPTOR_SPHERE_DESCRIPTOR_ARRAY_POINTER_SHIFT  0
#define RAYMAN_SCENE_DESCRIPTOR_SPHERE_DESCRIPTOR_ARRAY_POINTER_MASK   0xFFFFFFFFu

/* Number of spheres. */
#define RAYMAN_SCENE_DESCRIPTOR_SPHERE_DESCRIPTOR_ARRAY_SIZE_WORD      12
#define RAYMAN_SCENE_DESCRIPTOR_SPHERE_DESCRIPTOR_ARRAY_SIZE_SHIFT     0
#define RAYMAN_SCENE_DESCRIPTOR_SPHERE_DESCRIPTOR_ARRAY_SIZE_MASK      0xFFFFFFFFu

/* Bus address of the first material_descriptor; the others follow it. */
#define RAYMAN_SCENE_DESCRIPTOR_MATERIAL_DESCRIPTOR_ARRAY_POINTER_WORD 13
#define RAYMAN_SCENE_DESCRIPTOR_MATERIAL_DESCRIPTOR_ARRAY_POINTER_SHIFT 0
#define RAYMAN_SCENE_DESCRIPTOR_MATERIAL_DESCRIPTOR_ARRAY_POINTER_MASK 0xFFFFFFFFu

/* Number of materials; material_id can name the first 8. */
#define RAYMAN_SCENE_DESCRIPTOR_MATERIAL_DESCRIPTOR_ARRAY_SIZE_WORD    14
#define RAYMAN_SCENE_DESCRIPTOR_MATERIAL_DESCRIPTOR_ARRAY_SIZE_SHIFT   0
#define RAYMAN_SCENE_DESCRIPTOR_MATERIAL_DESCRIPTOR_ARRAY_SIZE_MASK    0xFFFFFFFFu

/* sphere_descriptor: A sphere. */

#define RAYMAN_SPHERE_DESCRIPTOR_WORDS                                 6

struct rayman_sphere_descriptor {
    uint32_t word[RAYMAN_SPHERE_DESCRIPTOR_WORDS];
};

/* x of the centre. */
#define RAYMAN_SPHERE_DESCRIPTOR_SPHERE_POS_X_WORD                     0
#define RAYMAN_SPHERE_DESCRIPTOR_SPHERE_POS_X_SHIFT                    0
#define RAYMAN_SPHERE_DESCRIPTOR_SPHERE_POS_X_MASK                     0xFFFFFFFFu

/* y of the centre. */
#define RAYMAN_SPHERE_DESCRIPTOR_SPHERE_POS_Y_WORD                     1
#define RAYMAN_SPHERE_DESCRIPTOR_SPHERE_POS_Y_SHIFT                    0
#define RAYMAN_SPHERE_DESCRIPTOR_SPHERE_POS_Y_MASK                     0xFFFFFFFFu

/* z of the centre. */
#define RAYMAN_SPHERE_DESCRIPTOR_SPHERE_POS_Z_WORD                     2
#define RAYMAN_SPHERE_DESCRIPTOR_SPHERE_POS_Z_SHIFT                    0
#define RAYMAN_SPHERE_DESCRIPTOR_SPHERE_POS_Z_MASK                     0xFFFFFFFFu

/* Square of the radius: what the intersector uses. */
#define RAYMAN_SPHERE_DESCRIPTOR_SPHERE_RAD_SQUARED_WORD               3
#define RAYMAN_SPHERE_DESCRIPTOR_SPHERE_RAD_SQUARED_SHIFT              0
#define RAYMAN_SPHERE_DESCRIPTOR_SPHERE_RAD_SQUARED_MASK               0xFFFFFFFFu

/* Inverse of the radius: what the normal uses. */
#define RAYMAN_SPHERE_DESCRIPTOR_SPHERE_RAD_INVERSE_WORD               4
#define RAYMAN_SPHERE_DESCRIPTOR_SPHERE_RAD_INVERSE_SHIFT              0
#define RAYMAN_SPHERE_DESCRIPTOR_SPHERE_RAD_INVERSE_MASK               0xFFFFFFFFu

/* Which material, below material_descriptor_array_size. */
#define RAYMAN_SPHERE_DESCRIPTOR_MATERIAL_ID_WORD                      5
#define RAYMAN_SPHERE_DESCRIPTOR_MATERIAL_ID_SHIFT                     0
#define RAYMAN_SPHERE_DESCRIPTOR_MATERIAL_ID_MASK                      0x00000007u

/* material_descriptor: Colours, reflection and shininess. */

#define RAYMAN_MATERIAL_DESCRIPTOR_WORDS                               4

struct rayman_material_descriptor {
    uint32_t word[RAYMAN_MATERIAL_DESCRIPTOR_WORDS];
};

/* Red of the ambient colour, at most 1.0. */
#define RAYMAN_MATERIAL_DESCRIPTOR_AMBIENT_COLOR_R_WORD                0
#define RAYMAN_MATERIAL_DESCRIPTOR_AMBIENT_COLOR_R_SHIFT               0
#define RAYMAN_MATERIAL_DESCRIPTOR_AMBIENT_COLOR_R_MASK                0x000000FFu

/* Green of the ambient colour, at most 1.0. */
#define RAYMAN_MATERIAL_DESCRIPTOR_AMBIENT_COLOR_G_WORD                0
#define RAYMAN_MATERIAL_DESCRIPTOR_AMBIENT_COLOR_G_SHIFT               8
#define RAYMAN_MATERIAL_DESCRIPTOR_AMBIENT_COLOR_G_MASK                0x0000FF00u

/* Blue of the ambient colour, at most 1.0. */
#define RAYMAN_MATERIAL_DESCRIPTOR_AMBIENT_COLOR_B_WORD                0
#define RAYMAN_MATERIAL_DESCRIPTOR_AMBIENT_COLOR_B_SHIFT               16
#define RAYMAN_MATERIAL_DESCRIPTOR_AMBIENT_COLOR_B_MASK                0x00FF0000u

/* Red of the diffuse colour, at most 1.0. */
#define RAYMAN_MATERIAL_DESCRIPTOR_DIFFUSE_COLOR_R_WORD                1
#define RAYMAN_MATERIAL_DESCRIPTOR_DIFFUSE_COLOR_R_SHIFT               0
#define RAYMAN_MATERIAL_DESCRIPTOR_DIFFUSE_COLOR_R_MASK                0x000000FFu

/* Green of the diffuse colour, at most 1.0. */
#define RAYMAN_MATERIAL_DESCRIPTOR_DIFFUSE_COLOR_G_WORD                1
#define RAYMAN_MATERIAL_DESCRIPTOR_DIFFUSE_COLOR_G_SHIFT               8
#define RAYMAN_MATERIAL_DESCRIPTOR_DIFFUSE_COLOR_G_MASK                0x0000FF00u

/* Blue of the diffuse colour, at most 1.0. */
#define RAYMAN_MATERIAL_DESCRIPTOR_DIFFUSE_COLOR_B_WORD                1
#define RAYMAN_MATERIAL_DESCRIPTOR_DIFFUSE_COLOR_B_SHIFT               16
#define RAYMAN_MATERIAL_DESCRIPTOR_DIFFUSE_COLOR_B_MASK                0x00FF0000u

/* Red of the specular colour, at most 1.0. */
#define RAYMAN_MATERIAL_DESCRIPTOR_SPECULAR_COLOR_R_WORD               2
#define RAYMAN_MATERIAL_DESCRIPTOR_SPECULAR_COLOR_R_SHIFT              0
#define RAYMAN_MATERIAL_DESCRIPTOR_SPECULAR_COLOR_R_MASK               0x000000FFu

/* Green of the specular colour, at most 1.0. */
#define RAYMAN_MATERIAL_DESCRIPTOR_SPECULAR_COLOR_G_WORD               2
#define RAYMAN_MATERIAL_DESCRIPTOR_SPECULAR_COLOR_G_SHIFT              8
#define RAYMAN_MATERIAL_DESCRIPTOR_SPECULAR_COLOR_G_MASK               0x0000FF00u

/* Blue of the specular colour, at most 1.0. */
#define RAYMAN_MATERIAL_DESCRIPTOR_SPECULAR_COLOR_B_WORD               2
#define RAYMAN_MATERIAL_DESCRIPTOR_SPECULAR_COLOR_B_SHIFT              16
#define RAYMAN_MATERIAL_DESCRIPTOR_SPECULAR_COLOR_B_MASK               0x00FF0000u

/* Share of the reflected colour, at most 1.0. */
#define RAYMAN_MATERIAL_DESCRIPTOR_K_REFL_WORD                         3
#define RAYMAN_MATERIAL_DESCRIPTOR_K_REFL_SHIFT                        0
#define RAYMAN_MATERIAL_DESCRIPTOR_K_REFL_MASK                         0x000000FFu

/* Exponent of the specular highlight. */
#define RAYMAN_MATERIAL_DESCRIPTOR_SHININESS_WORD                      3
#define RAYMAN_MATERIAL_DESCRIPTOR_SHININESS_SHIFT                     8
#define RAYMAN_MATERIAL_DESCRIPTOR_SHININESS_MASK                      0x0000FF00u

#define RAYMAN_MAX_MATERIALS                                           8

/* Takes a field out of a word. */
static inline uint32_t rayman_get(uint32_t word, uint32_t mask, unsigned shift)
{
    return (word & mask) >> shift;
}

/* A word with a field replaced. */
static inline uint32_t rayman_set(uint32_t word, uint32_t mask, unsigned shift, uint32_t value)
{
    return (word & ~mask) | ((value << shift) & mask);
}

#ifdef __cplusplus
}
#endif

#endif /* RAYMAN_H */
