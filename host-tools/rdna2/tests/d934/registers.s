; What may happen to a pointer, to a descriptor and to its words. User data: a table in s[2:3], another in s[0:1].

; Words of a descriptor in parts: x4 + x4, x2 + x2, x1.
  s_load_dwordx4 s[8:11], s[2:3], 0x40
  s_load_dwordx2 s[14:15], s[2:3], 0x58
  s_load_dwordx2 s[12:13], s[2:3], 0x50
  s_load_dwordx2 s[16:17], s[0:1], 0x0
  s_load_dword s18, s[0:1], 0x8
  s_load_dword s19, s[0:1], 0xc
  s_waitcnt lgkmcnt(0)
parts:
  image_sample v[0:3], v[0:1], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D

; Parts in the wrong order.
  s_load_dwordx4 s[8:11], s[2:3], 0x50
  s_load_dwordx4 s[12:15], s[2:3], 0x40
  s_waitcnt lgkmcnt(0)
swapped:
  image_load v[0:3], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D
; Parts of two tables.
  s_load_dwordx4 s[8:11], s[2:3], 0x40
  s_load_dwordx4 s[12:15], s[0:1], 0x50
  s_waitcnt lgkmcnt(0)
two_tables:
  image_load v[0:3], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D
; A part of the descriptor only; the rest is user data.
  s_load_dwordx4 s[20:23], s[2:3], 0x40
  s_waitcnt lgkmcnt(0)
half:
  image_load v[0:3], v[0:1], s[20:27] dmask:0xf dim:SQ_RSRC_IMG_2D

; Two descriptors by one load.
  s_load_dwordx16 s[32:47], s[2:3], 0x80
  s_waitcnt lgkmcnt(0)
lower:
  image_load v[0:3], v[0:1], s[32:39] dmask:0xf dim:SQ_RSRC_IMG_2D
upper:
  image_load v[0:3], v[0:1], s[40:47] dmask:0xf dim:SQ_RSRC_IMG_2D
across:
  image_load v[0:3], v[0:1], s[36:43] dmask:0xf dim:SQ_RSRC_IMG_2D
; A later load overlaps: word 4 to 7 are of another place.
  s_load_dwordx4 s[36:39], s[2:3], 0x0
  s_waitcnt lgkmcnt(0)
overlapped:
  image_load v[0:3], v[0:1], s[32:39] dmask:0xf dim:SQ_RSRC_IMG_2D
; One that brings the same words again changes nothing.
  s_load_dwordx4 s[36:39], s[2:3], 0x90
  s_waitcnt lgkmcnt(0)
mended:
  image_load v[0:3], v[0:1], s[32:39] dmask:0xf dim:SQ_RSRC_IMG_2D

; Moved, by words and by pairs.
  s_mov_b64 s[48:49], s[40:41]
  s_mov_b64 s[50:51], s[42:43]
  s_mov_b32 s52, s44
  s_mov_b32 s53, s45
  s_mov_b64 vcc, s[46:47]
  s_mov_b64 s[54:55], vcc
moved:
  image_load v[0:3], v[0:1], s[48:55] dmask:0xf dim:SQ_RSRC_IMG_2D
; One word is moved to the wrong place.
  s_mov_b32 s52, s45
misplaced:
  image_load v[0:3], v[0:1], s[48:55] dmask:0xf dim:SQ_RSRC_IMG_2D
; A constant in it.
  s_mov_b32 s52, 0x1234
constant:
  image_load v[0:3], v[0:1], s[48:55] dmask:0xf dim:SQ_RSRC_IMG_2D

; A copy of the pointer, the pointer overwritten, then both used.
  s_mov_b64 s[60:61], s[2:3]
  s_load_dwordx8 s[64:71], s[2:3], 0xc0
  s_waitcnt lgkmcnt(0)
step:
  s_add_u32 s2, s2, 0x40
  s_addc_u32 s3, s3, 0
loaded_before_the_step:
  image_load v[0:3], v[0:1], s[64:71] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_load_dwordx8 s[72:79], s[60:61], 0xe0
loads_after_the_step:
  s_load_dwordx8 s[80:87], s[2:3], 0xe0
  s_waitcnt lgkmcnt(0)
by_the_copy:
  image_load v[0:3], v[0:1], s[72:79] dmask:0xf dim:SQ_RSRC_IMG_2D
by_the_stepped:
  image_load v[0:3], v[0:1], s[80:87] dmask:0xf dim:SQ_RSRC_IMG_2D

; A load into its own pointer.
  s_load_dwordx8 s[0:7], s[0:1], 0x20
  s_waitcnt lgkmcnt(0)
own_pointer:
  image_load v[0:3], v[0:1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D
chained_load:
  s_load_dwordx8 s[8:15], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
chained:
  image_load v[0:3], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_endpgm
