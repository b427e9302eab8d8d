; Pixel shaders for llc: gfx1030, whose user data are the `inreg` arguments in their order, from s0 up.

declare <8 x i32> @llvm.amdgcn.s.buffer.load.v8i32(<4 x i32>, i32, i32)
declare <4 x float> @llvm.amdgcn.image.sample.cube.v4f32.f32(i32, float, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32(i32, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare i32 @llvm.amdgcn.readfirstlane(i32)
declare void @llvm.amdgcn.exp.f32(i32 immarg, i32 immarg, float, float, float, float, i1 immarg, i1 immarg)

; An image out of a constant buffer whose descriptor lies in the table at 0xf0: at 0x150 in it.
define amdgpu_ps void @out_of_a_buffer(ptr addrspace(4) inreg %table, float %x, float %y, float %z) {
  %at = getelementptr i8, ptr addrspace(4) %table, i64 240
  %buffer = load <4 x i32>, ptr addrspace(4) %at
  %sampler_at = getelementptr i8, ptr addrspace(4) %table, i64 32
  %sampler = load <4 x i32>, ptr addrspace(4) %sampler_at
  %image = call <8 x i32> @llvm.amdgcn.s.buffer.load.v8i32(<4 x i32> %buffer, i32 336, i32 0)
  %colour = call <4 x float> @llvm.amdgcn.image.sample.cube.v4f32.f32(i32 15, float %x, float %y, float %z, <8 x i32> %image, <4 x i32> %sampler, i1 0, i32 0, i32 0)
  %r = extractelement <4 x float> %colour, i32 0
  %g = extractelement <4 x float> %colour, i32 1
  %b = extractelement <4 x float> %colour, i32 2
  %a = extractelement <4 x float> %colour, i32 3
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %r, float %g, float %b, float %a, i1 true, i1 true)
  ret void
}

; An image in user data, beside a table; registers 2 to 9 and 10 to 13.
define amdgpu_ps void @in_user_data(ptr addrspace(4) inreg %table, <8 x i32> inreg %image, <4 x i32> inreg %sampler, float %x, float %y) {
  %colour = call <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32(i32 15, float %x, float %y, <8 x i32> %image, <4 x i32> %sampler, i1 0, i32 0, i32 0)
  %r = extractelement <4 x float> %colour, i32 0
  %g = extractelement <4 x float> %colour, i32 1
  %b = extractelement <4 x float> %colour, i32 2
  %a = extractelement <4 x float> %colour, i32 3
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %r, float %g, float %b, float %a, i1 true, i1 true)
  ret void
}

; An image that is loaded in a block which a branch may pass; what it is then is undefined.
define amdgpu_ps void @skipped(ptr addrspace(4) inreg %table, i32 inreg %flag, float %x, float %y) {
entry:
  %sampler_at = getelementptr i8, ptr addrspace(4) %table, i64 32
  %sampler = load <4 x i32>, ptr addrspace(4) %sampler_at
  %yes = icmp eq i32 %flag, 7
  br i1 %yes, label %then, label %join
then:
  %image_at = getelementptr i8, ptr addrspace(4) %table, i64 64
  %loaded = load volatile <8 x i32>, ptr addrspace(4) %image_at
  br label %join
join:
  %image = phi <8 x i32> [ undef, %entry ], [ %loaded, %then ]
  %colour = call <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32(i32 15, float %x, float %y, <8 x i32> %image, <4 x i32> %sampler, i1 0, i32 0, i32 0)
  %r = extractelement <4 x float> %colour, i32 0
  %g = extractelement <4 x float> %colour, i32 1
  %b = extractelement <4 x float> %colour, i32 2
  %a = extractelement <4 x float> %colour, i32 3
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %r, float %g, float %b, float %a, i1 true, i1 true)
  ret void
}

; Images of two places that meet.
define amdgpu_ps void @different(ptr addrspace(4) inreg %table, i32 inreg %flag, float %x, float %y) {
entry:
  %sampler_at = getelementptr i8, ptr addrspace(4) %table, i64 32
  %sampler = load <4 x i32>, ptr addrspace(4) %sampler_at
  %yes = icmp eq i32 %flag, 7
  br i1 %yes, label %then, label %else
then:
  %one_at = getelementptr i8, ptr addrspace(4) %table, i64 64
  %one = load volatile <8 x i32>, ptr addrspace(4) %one_at
  br label %join
else:
  %other_at = getelementptr i8, ptr addrspace(4) %table, i64 128
  %other = load volatile <8 x i32>, ptr addrspace(4) %other_at
  br label %join
join:
  %image = phi <8 x i32> [ %one, %then ], [ %other, %else ]
  %colour = call <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32(i32 15, float %x, float %y, <8 x i32> %image, <4 x i32> %sampler, i1 0, i32 0, i32 0)
  %r = extractelement <4 x float> %colour, i32 0
  %g = extractelement <4 x float> %colour, i32 1
  %b = extractelement <4 x float> %colour, i32 2
  %a = extractelement <4 x float> %colour, i32 3
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %r, float %g, float %b, float %a, i1 true, i1 true)
  ret void
}

; Images of a table in a loop, every one by a load in it, and one from before it.
define amdgpu_ps void @in_a_loop(ptr addrspace(4) inreg %table, i32 inreg %count, float %x, float %y) {
entry:
  %sampler_at = getelementptr i8, ptr addrspace(4) %table, i64 32
  %sampler = load <4 x i32>, ptr addrspace(4) %sampler_at
  %image_at = getelementptr i8, ptr addrspace(4) %table, i64 64
  %image = load <8 x i32>, ptr addrspace(4) %image_at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %w = uitofp i32 %i to float
  %u = fadd float %x, %w
  %colour = call <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32(i32 15, float %u, float %y, <8 x i32> %image, <4 x i32> %sampler, i1 0, i32 0, i32 0)
  %more = fadd <4 x float> %sum, %colour
  %next = add i32 %i, 1
  %go = icmp ult i32 %next, %count
  br i1 %go, label %loop, label %done
done:
  %r = extractelement <4 x float> %more, i32 0
  %g = extractelement <4 x float> %more, i32 1
  %b = extractelement <4 x float> %more, i32 2
  %a = extractelement <4 x float> %more, i32 3
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %r, float %g, float %b, float %a, i1 true, i1 true)
  ret void
}

; A record of the constant buffer, its index a quotient computed by lanes.
define amdgpu_ps void @by_division(ptr addrspace(4) inreg %table, float %x, float %y, i32 %number) {
  %at = getelementptr i8, ptr addrspace(4) %table, i64 16
  %buffer = load <4 x i32>, ptr addrspace(4) %at
  %sampler_at = getelementptr i8, ptr addrspace(4) %table, i64 32
  %sampler = load <4 x i32>, ptr addrspace(4) %sampler_at
  %quotient = udiv i32 %number, 12
  %wave = call i32 @llvm.amdgcn.readfirstlane(i32 %quotient)
  %offset = shl i32 %wave, 5
  %image = call <8 x i32> @llvm.amdgcn.s.buffer.load.v8i32(<4 x i32> %buffer, i32 %offset, i32 0)
  %colour = call <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32(i32 15, float %x, float %y, <8 x i32> %image, <4 x i32> %sampler, i1 0, i32 0, i32 0)
  %r = extractelement <4 x float> %colour, i32 0
  %g = extractelement <4 x float> %colour, i32 1
  %b = extractelement <4 x float> %colour, i32 2
  %a = extractelement <4 x float> %colour, i32 3
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %r, float %g, float %b, float %a, i1 true, i1 true)
  ret void
}

; The same under lanes' conditions: a table's image in either branch, sampled in both.
define amdgpu_ps void @by_lanes(ptr addrspace(4) inreg %table, float %x, float %y) {
entry:
  %sampler_at = getelementptr i8, ptr addrspace(4) %table, i64 32
  %sampler = load <4 x i32>, ptr addrspace(4) %sampler_at
  %yes = fcmp ogt float %x, 0.0
  br i1 %yes, label %then, label %else
then:
  %one_at = getelementptr i8, ptr addrspace(4) %table, i64 64
  %one = load volatile <8 x i32>, ptr addrspace(4) %one_at
  %one_colour = call <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32(i32 15, float %x, float %y, <8 x i32> %one, <4 x i32> %sampler, i1 0, i32 0, i32 0)
  br label %join
else:
  %other_at = getelementptr i8, ptr addrspace(4) %table, i64 128
  %other = load volatile <8 x i32>, ptr addrspace(4) %other_at
  %other_colour = call <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32(i32 15, float %y, float %x, <8 x i32> %other, <4 x i32> %sampler, i1 0, i32 0, i32 0)
  br label %join
join:
  %colour = phi <4 x float> [ %one_colour, %then ], [ %other_colour, %else ]
  %r = extractelement <4 x float> %colour, i32 0
  %g = extractelement <4 x float> %colour, i32 1
  %b = extractelement <4 x float> %colour, i32 2
  %a = extractelement <4 x float> %colour, i32 3
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %r, float %g, float %b, float %a, i1 true, i1 true)
  ret void
}
