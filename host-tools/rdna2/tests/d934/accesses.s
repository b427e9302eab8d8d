; Every kind of access. User data: a table in s[2:3], a buffer in s[4:7].
  s_load_dwordx8 s[8:15], s[2:3], 0x0
  s_load_dwordx4 s[16:19], s[2:3], 0x20
  s_load_dwordx4 s[20:23], s[2:3], 0x30
  s_waitcnt lgkmcnt(0)
sample:
  image_sample v[0:3], v[0:1], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D
gather:
  image_gather4 v[0:3], v[0:1], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D
load:
  image_load v[0:3], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D
store:
  image_store v[0:3], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D
atomic:
  image_atomic_add v0, v[0:1], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D
size:
  image_get_resinfo v[0:3], v0, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D
level:
  image_get_lod v[0:1], v[0:1], s[8:15], s[16:19] dmask:0x3 dim:SQ_RSRC_IMG_2D
short:
  image_load v[0:3], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D r128
bvh:
  image_bvh_intersect_ray v[0:3], v[0:10], s[20:23]
bvh64:
  image_bvh64_intersect_ray v[0:3], v[0:11], s[20:23]
buffer_load:
  buffer_load_dword v0, v1, s[20:23], 0 offen
buffer_load_format:
  buffer_load_format_xyzw v[0:3], v1, s[20:23], 0 idxen
typed_load:
  tbuffer_load_format_x v0, v1, s[4:7], 0 format:22 idxen
buffer_store:
  buffer_store_dword v0, v1, s[4:7], 0 offen
buffer_atomic:
  buffer_atomic_add v0, v1, s[20:23], 0 offen
scalar:
  s_buffer_load_dword s24, s[4:7], 0x10
  s_buffer_load_dwordx4 s[28:31], s[20:23], 0x40
  s_waitcnt lgkmcnt(0)
; A buffer whose descriptor was read through a buffer; and an image through that one, which is refused.
buffer_in_buffer:
  buffer_load_dword v0, v1, s[28:31], 0 offen
twice_load:
  s_buffer_load_dwordx8 s[32:39], s[28:31], 0x0
; An image in a buffer that lies in user data.
  s_buffer_load_dwordx8 s[40:47], s[4:7], 0x80
  s_waitcnt lgkmcnt(0)
twice:
  image_load v[0:3], v[0:1], s[32:39] dmask:0xf dim:SQ_RSRC_IMG_2D
in_user_buffer:
  image_load v[0:3], v[0:1], s[40:47] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_endpgm
