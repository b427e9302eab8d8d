; Computed descriptors as a compiler makes them. User data: the table's address in s[0:1].
;
; wave 32
; pointer s0 table
; segment table 32
; segment status 64 writable
; buffer table+0x10 status

declare i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.i32(i32, <4 x i32>, i32, i32, i32)
declare i32 @llvm.amdgcn.readfirstlane(i32)

; The descriptor of the status buffer, moved by some records.
define internal <4 x i32> @moved(ptr addrspace(4) %table) alwaysinline {
  %place = getelementptr i8, ptr addrspace(4) %table, i32 16
  %found = load <4 x i32>, ptr addrspace(4) %place, !invariant.load !0
  %low = extractelement <4 x i32> %found, i32 0
  %next = add i32 %low, 64
  %uniform = call i32 @llvm.amdgcn.readfirstlane(i32 %next)
  %made = insertelement <4 x i32> %found, i32 %uniform, i32 0
  ret <4 x i32> %made
}

; A look-back loop with a retry loop in it, and a store after both.
define amdgpu_cs void @look_back(ptr addrspace(4) inreg %table, i32 %lane) {
entry:
  %buffer = call <4 x i32> @moved(ptr addrspace(4) %table)
  br label %back
back:
  %at = phi i32 [ %lane, %entry ], [ %before, %retried ]
  %sum = phi i32 [ 0, %entry ], [ %added, %retried ]
  %value = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %buffer, i32 %at, i32 0, i32 1)
  br label %retry
retry:
  %flag = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %buffer, i32 %at, i32 4, i32 1)
  %uniform_flag = call i32 @llvm.amdgcn.readfirstlane(i32 %flag)
  %unset = icmp ult i32 %uniform_flag, 1073741824
  br i1 %unset, label %retry, label %retried
retried:
  %added = add i32 %sum, %value
  %before = sub i32 %at, 8
  %more = icmp ugt i32 %uniform_flag, 2147483648
  br i1 %more, label %back, label %done
done:
  call void @llvm.amdgcn.raw.buffer.store.i32(i32 %added, <4 x i32> %buffer, i32 %lane, i32 0, i32 0)
  ret void
}

; The loop moves the descriptor on each time round.
define amdgpu_cs void @walking(ptr addrspace(4) inreg %table, i32 %lane) {
entry:
  %first = call <4 x i32> @moved(ptr addrspace(4) %table)
  br label %walk
walk:
  %buffer = phi <4 x i32> [ %first, %entry ], [ %next, %walk ]
  %value = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %buffer, i32 %lane, i32 0, i32 1)
  %uniform = call i32 @llvm.amdgcn.readfirstlane(i32 %value)
  %low = extractelement <4 x i32> %buffer, i32 0
  %moved = add i32 %low, 256
  %next = insertelement <4 x i32> %buffer, i32 %moved, i32 0
  %more = icmp ugt i32 %uniform, 1073741824
  br i1 %more, label %walk, label %done
done:
  call void @llvm.amdgcn.raw.buffer.store.i32(i32 %value, <4 x i32> %first, i32 %lane, i32 0, i32 0)
  ret void
}

; Lanes choose the descriptor: the compiler makes a loop over the descriptors that are there, by v_readfirstlane.
define amdgpu_cs void @lanes_choose(ptr addrspace(4) inreg %table, i32 %lane) {
  %buffer = call <4 x i32> @moved(ptr addrspace(4) %table)
  %low = extractelement <4 x i32> %buffer, i32 0
  %own = add i32 %low, %lane
  %chosen = insertelement <4 x i32> %buffer, i32 %own, i32 0
  %value = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %chosen, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.raw.buffer.store.i32(i32 %value, <4 x i32> %buffer, i32 %lane, i32 0, i32 0)
  ret void
}

; A condition of lanes, which the compiler makes an execution mask of; both sides access, then all do.
define amdgpu_cs void @masked(ptr addrspace(4) inreg %table, i32 %lane) {
entry:
  %buffer = call <4 x i32> @moved(ptr addrspace(4) %table)
  %value = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %buffer, i32 %lane, i32 0, i32 0)
  %odd = icmp ugt i32 %value, 77777
  br i1 %odd, label %then, label %join
then:
  %at = phi i32 [ %value, %entry ], [ %more, %then ]
  %more = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %buffer, i32 %at, i32 0, i32 0)
  %again = icmp ugt i32 %more, 2147483648
  br i1 %again, label %then, label %join
join:
  %last = phi i32 [ %value, %entry ], [ %more, %then ]
  call void @llvm.amdgcn.raw.buffer.store.i32(i32 %last, <4 x i32> %buffer, i32 %lane, i32 0, i32 0)
  ret void
}

!0 = !{}
