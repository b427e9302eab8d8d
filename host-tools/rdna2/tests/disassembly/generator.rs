//! Shaders in LLVM's language, made from a seed: operations at random on values of eight types, branches on what lanes or a
//! whole wave agree on, loops, and all kinds of memory accesses.

use rayman_model::random::Random;
use std::fmt::Write;

/// Result type and operation. `{i}` is a 32-bit integer of each lane, `{u}` one of the wave, `{f}` a float, `{l}` 64 bits, `{d}` a
/// double, `{h}` a half, `{H}` two halves, `{N}` two 16-bit integers, `{b}` a condition, `{S}` a pointer to scratch; `_` has none.
///
/// Accesses of scratch are volatile, so that LLVM leaves the array in memory. Where it makes a vector of it instead, LLVM 19 uses
/// values after it has freed them, and dies at random: where a load of the array is itself an index into it
/// (github.com/llvm/llvm-project/pull/123173), and where a block has no value of the vector of its own (pull/174529). A dynamic index
/// into a vector is an operation of its own.
const OPERATIONS: &[(char, &str)] = &[
    ('i', "add i32 {i}, {i}"),
    ('i', "sub i32 {i}, {u}"),
    ('i', "mul i32 {i}, {i}"),
    ('i', "and i32 {i}, {i}"),
    ('i', "or i32 {i}, {u}"),
    ('i', "xor i32 {i}, 305419896"),
    ('i', "shl i32 {i}, {i}"),
    ('i', "lshr i32 {i}, {u}"),
    ('i', "ashr i32 {i}, 5"),
    ('i', "udiv i32 {i}, {u}"),
    ('i', "srem i32 {i}, {i}"),
    ('i', "call i32 @llvm.smin.i32(i32 {i}, i32 {i})"),
    ('i', "call i32 @llvm.umax.i32(i32 {i}, i32 77)"),
    ('i', "call i32 @llvm.ctpop.i32(i32 {i})"),
    ('i', "call i32 @llvm.ctlz.i32(i32 {i}, i1 false)"),
    ('i', "call i32 @llvm.bitreverse.i32(i32 {i})"),
    ('i', "call i32 @llvm.fshr.i32(i32 {i}, i32 {i}, i32 {u})"),
    ('i', "select i1 {b}, i32 {i}, i32 {i}"),
    ('i', "fptosi float {f} to i32"),
    ('i', "bitcast float {f} to i32"),
    ('i', "trunc i64 {l} to i32"),
    ('i', "call i32 @llvm.amdgcn.sad.u8(i32 {i}, i32 {i}, i32 {u})"),
    ('i', "call i32 @llvm.amdgcn.perm(i32 {i}, i32 {i}, i32 50462976)"),
    ('i', "call i32 @llvm.amdgcn.ubfe.i32(i32 {i}, i32 {u}, i32 {i})"),
    ('i', "call i32 @llvm.amdgcn.sbfe.i32(i32 {i}, i32 3, i32 7)"),
    ('i', "call i32 @llvm.amdgcn.alignbyte(i32 {i}, i32 {i}, i32 {u})"),
    ('i', "call i32 @llvm.amdgcn.sdot4(i32 {i}, i32 {i}, i32 {i}, i1 true)"),
    ('i', "call i32 @llvm.amdgcn.update.dpp.i32(i32 {i}, i32 {i}, i32 273, i32 15, i32 10, i1 false)"),
    ('i', "call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 {i}, i32 27, i32 15, i32 15, i1 true)"),
    ('i', "call i32 @llvm.amdgcn.mov.dpp8.i32(i32 {i}, i32 1234567)"),
    ('i', "call i32 @llvm.amdgcn.ds.swizzle(i32 {i}, i32 1055)"),
    ('i', "call i32 @llvm.amdgcn.ds.bpermute(i32 {i}, i32 {i})"),
    ('i', "call i32 @llvm.amdgcn.permlane16(i32 {i}, i32 {i}, i32 {u}, i32 {u}, i1 true, i1 false)"),
    ('i', "call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 {i})"),
    ('i', "call i32 @llvm.amdgcn.raw.buffer.atomic.add.i32(i32 {i}, <4 x i32> %b, i32 {i}, i32 {u}, i32 0)"),
    ('i', "call i32 @llvm.amdgcn.image.atomic.add.2d.i32.i32(i32 {i}, i32 {i}, i32 {i}, <8 x i32> %r, i32 0, i32 0)"),
    ('i', "atomicrmw umax ptr addrspace(3) %l, i32 {i} monotonic"),
    ('i', "atomicrmw sub ptr addrspace(1) %p, i32 {i} monotonic"),
    ('i', "load volatile i32, ptr addrspace(5) {S}"),
    ('i', "extractelement <8 x i32> %r, i32 {i}"),
    ('i', "extractelement <8 x i32> %r, i32 {u}"),
    ('i', "load volatile i32, ptr addrspace(3) %l"),
    ('u', "call i32 @llvm.amdgcn.readfirstlane(i32 {i})"),
    ('u', "call i32 @llvm.amdgcn.readlane(i32 {i}, i32 {u})"),
    ('u', "add i32 {u}, {u}"),
    ('u', "mul i32 {u}, -17"),
    ('u', "xor i32 {u}, {u}"),
    ('u', "lshr i32 {u}, {u}"),
    ('u', "call i32 @llvm.ctpop.i32(i32 {u})"),
    ('u', "call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %b, i32 {u}, i32 0)"),
    ('u', "load i32, ptr addrspace(4) %t, !invariant.load !0"),
    ('f', "fadd float {f}, {f}"),
    ('f', "fsub float 1.0, {f}"),
    ('f', "fmul float {f}, 0x40091EB860000000"),
    ('f', "fdiv float {f}, {f}"),
    ('f', "fneg float {f}"),
    ('f', "call float @llvm.fma.f32(float {f}, float {f}, float {f})"),
    ('f', "call float @llvm.fabs.f32(float {f})"),
    ('f', "call float @llvm.sqrt.f32(float {f})"),
    ('f', "call float @llvm.floor.f32(float {f})"),
    ('f', "call float @llvm.exp2.f32(float {f})"),
    ('f', "call float @llvm.log2.f32(float {f})"),
    ('f', "call float @llvm.sin.f32(float {f})"),
    ('f', "call float @llvm.minnum.f32(float {f}, float {f})"),
    ('f', "call float @llvm.ldexp.f32.i32(float {f}, i32 {i})"),
    ('f', "call float @llvm.amdgcn.fmed3.f32(float {f}, float {f}, float {f})"),
    ('f', "call float @llvm.amdgcn.cubeid(float {f}, float {f}, float {f})"),
    ('f', "call float @llvm.amdgcn.cubesc(float {f}, float {f}, float {f})"),
    ('f', "call float @llvm.amdgcn.rcp.f32(float {f})"),
    ('f', "call float @llvm.amdgcn.rsq.f32(float {f})"),
    ('f', "call float @llvm.amdgcn.fract.f32(float {f})"),
    ('f', "call float @llvm.amdgcn.frexp.mant.f32(float {f})"),
    ('f', "call float @llvm.amdgcn.fdot2(<2 x half> {H}, <2 x half> {H}, float {f}, i1 false)"),
    ('f', "call float @llvm.amdgcn.interp.p1(float {f}, i32 1, i32 2, i32 %m)"),
    ('f', "call float @llvm.amdgcn.interp.p2(float {f}, float {f}, i32 3, i32 4, i32 %m)"),
    ('f', "sitofp i32 {i} to float"),
    ('f', "uitofp i32 {u} to float"),
    ('f', "fpext half {h} to float"),
    ('f', "fptrunc double {d} to float"),
    ('f', "select i1 {b}, float {f}, float {f}"),
    ('f', "extractelement <4 x float> {v}, i32 2"),
    ('f', "extractelement <4 x float> {v}, i32 0"),
    ('b', "icmp slt i32 {i}, {i}"),
    ('b', "icmp ne i64 {l}, {l}"),
    ('b', "fcmp ole float {f}, {f}"),
    ('b', "fcmp uno double {d}, {d}"),
    ('b', "fcmp ogt half {h}, {h}"),
    ('b', "call i1 @llvm.amdgcn.class.f32(float {f}, i32 515)"),
    ('b', "and i1 {b}, {b}"),
    ('l', "add i64 {l}, {l}"),
    ('l', "mul i64 {l}, {l}"),
    ('l', "shl i64 {l}, 13"),
    ('l', "ashr i64 {l}, 40"),
    ('l', "zext i32 {i} to i64"),
    ('l', "sext i32 {u} to i64"),
    ('l', "load i64, ptr addrspace(3) %l, align 8"),
    ('l', "bitcast double {d} to i64"),
    ('d', "fadd double {d}, {d}"),
    ('d', "fmul double {d}, 4.0"),
    ('d', "fdiv double {d}, {d}"),
    ('d', "call double @llvm.fma.f64(double {d}, double {d}, double 0.5)"),
    ('d', "call double @llvm.floor.f64(double {d})"),
    ('d', "fpext float {f} to double"),
    ('d', "sitofp i32 {i} to double"),
    ('h', "fptrunc float {f} to half"),
    ('h', "fadd half {h}, {h}"),
    ('h', "call half @llvm.fma.f16(half {h}, half {h}, half 0xH3118)"),
    ('h', "call half @llvm.sqrt.f16(half {h})"),
    ('h', "extractelement <2 x half> {H}, i32 1"),
    ('H', "fadd <2 x half> {H}, {H}"),
    ('H', "fmul <2 x half> {H}, <half 0xH3C00, half 0xHC400>"),
    ('H', "call <2 x half> @llvm.fma.v2f16(<2 x half> {H}, <2 x half> {H}, <2 x half> {H})"),
    ('H', "call <2 x half> @llvm.amdgcn.cvt.pkrtz(float {f}, float {f})"),
    ('H', "insertelement <2 x half> {H}, half {h}, i32 0"),
    ('N', "add <2 x i16> {N}, {N}"),
    ('N', "mul <2 x i16> {N}, <i16 3, i16 -9>"),
    ('N', "shl <2 x i16> {N}, {N}"),
    ('N', "bitcast i32 {i} to <2 x i16>"),
    ('v', "call <4 x float> @llvm.amdgcn.image.sample.cube.v4f32.f32(i32 15, float {f}, float {f}, float {f}, {t})"),
    ('v', "call <4 x float> @llvm.amdgcn.image.sample.l.2d.v4f32.f32(i32 7, float {f}, float {f}, float {f}, {t})"),
    ('v', "call <4 x float> @llvm.amdgcn.image.sample.d.2d.v4f32.f32.f32(i32 15, float {f}, float {f}, float {f}, float {f}, \
          float {f}, float {f}, {t})"),
    ('v', "call <4 x float> @llvm.amdgcn.image.sample.c.lz.2d.v4f32.f32(i32 15, float {f}, float {f}, float {f}, {t})"),
    ('v', "call <4 x float> @llvm.amdgcn.image.gather4.2d.v4f32.f32(i32 2, float {f}, float {f}, {t})"),
    ('v', "call <4 x float> @llvm.amdgcn.image.load.2d.v4f32.i32(i32 15, i32 {i}, i32 {i}, <8 x i32> %r, i32 0, i32 0)"),
    ('v', "call <4 x float> @llvm.amdgcn.raw.buffer.load.v4f32(<4 x i32> %b, i32 {i}, i32 {u}, i32 1)"),
    ('v', "call <4 x float> @llvm.amdgcn.struct.buffer.load.v4f32(<4 x i32> %b, i32 {i}, i32 {i}, i32 0, i32 0)"),
    ('v', "call <4 x float> @llvm.amdgcn.raw.tbuffer.load.v4f32(<4 x i32> %b, i32 {i}, i32 0, i32 77, i32 0)"),
    ('v', "load <4 x float>, ptr addrspace(1) %p, align 16"),
    ('v', "fadd <4 x float> {v}, {v}"),
    ('q', "call <4 x i32> @llvm.amdgcn.image.bvh.intersect.ray.i64.v3f32(i64 {l}, float {f}, <3 x float> %o, <3 x float> %o, \
          <3 x float> %o, <4 x i32> %b)"),
    ('v', "bitcast <4 x i32> {q} to <4 x float>"),
    ('S', "getelementptr i32, ptr addrspace(5) %array, i32 {i}"),
    ('_', "store volatile i32 {i}, ptr addrspace(5) {S}"),
    ('_', "store i64 {l}, ptr addrspace(3) %l, align 4"),
    ('_', "store volatile i16 7, ptr addrspace(1) %p"),
    ('_', "call void @llvm.amdgcn.raw.buffer.store.f32(float {f}, <4 x i32> %b, i32 {i}, i32 16, i32 0)"),
    ('_', "call void @llvm.amdgcn.image.store.2d.v4f32.i32(<4 x float> {v}, i32 15, i32 {i}, i32 {i}, <8 x i32> %r, i32 0, i32 0)"),
    ('_', "fence syncscope(\"workgroup\") acq_rel"),
];

/// What a type's letter is called, and the values that a shader begins with.
const TYPES: &[(char, &str, &[&str])] = &[
    ('i', "i32", &["%a", "%c"]),
    ('u', "i32", &["%m", "%k"]),
    ('f', "float", &["%x", "%y", "%z"]),
    ('l', "i64", &["%w"]),
    ('d', "double", &["%d"]),
    ('h', "half", &["%h"]),
    ('H', "<2 x half>", &["%g"]),
    ('N', "<2 x i16>", &["%n"]),
    ('b', "i1", &["%e"]),
    ('v', "<4 x float>", &["%i"]),
    ('q', "<4 x i32>", &["%j"]),
    ('S', "ptr addrspace(5)", &["%array"]),
];

/// The texture and sampler of every sample, and its last fields.
const TEXTURE: &str = "<8 x i32> %r, <4 x i32> %s, i1 false, i32 0, i32 0";

struct Generator {
    source: Random,
    text: String,
    values: Vec<(char, Vec<String>)>,
    next: u32,
    stored: u32,
}

impl Generator {
    fn random(&mut self, below: usize) -> usize {
        (self.source.next_u64() % below as u64) as usize
    }

    fn name(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// A value of a type, more likely a recent one.
    fn value(&mut self, letter: char) -> String {
        let (_, names) = self.values.iter().find(|(known, _)| *known == letter).expect("a type");
        let names = names.clone();
        let from = names.len().saturating_sub(6);
        let from = if self.random(4) == 0 { 0 } else { from };
        names[from + self.random(names.len() - from)].clone()
    }

    /// One operation, and every second result is kept by a store of its own.
    fn operation(&mut self) {
        let (letter, form) = OPERATIONS[self.random(OPERATIONS.len())];
        let mut filled = String::new();
        let mut rest = form;
        while let Some((before, after)) = rest.split_once('{') {
            filled += before;
            let (letter, after) = after.split_once('}').expect("a closed place");
            match letter {
                "t" => filled += TEXTURE,
                letter => filled += &self.value(letter.chars().next().expect("a letter")),
            }
            rest = after;
        }
        filled += rest;
        if letter == '_' {
            let _ = writeln!(self.text, "  {filled}");
            return;
        }
        let name = format!("%v{}", self.name());
        let _ = writeln!(self.text, "  {name} = {filled}");
        if !matches!(letter, 'S' | 'b') && self.random(2) == 0 {
            let (_, kind, _) = TYPES.iter().find(|(known, ..)| *known == letter).expect("a type");
            self.stored += 16;
            let _ = writeln!(self.text, "  {name}p = getelementptr i8, ptr addrspace(1) %p, i64 {}", self.stored);
            let _ = writeln!(self.text, "  store {kind} {name}, ptr addrspace(1) {name}p");
        }
        let names = self.values.iter_mut().find(|(known, _)| *known == letter).expect("a type");
        names.1.push(name);
    }

    /// Some operations, with branches and loops among them while `depth` allows.
    fn body(&mut self, operations: usize, depth: u32) {
        let mut left = operations;
        while left > 0 {
            let some = (4 + self.random(12)).min(left);
            left -= some;
            if depth == 0 || self.random(3) > 0 {
                (0..some).for_each(|_| self.operation());
                continue;
            }
            let known = self.values.clone();
            let number = self.name();
            if self.random(2) == 0 {
                let condition = self.value('b');
                let _ =
                    writeln!(self.text, "  br i1 {condition}, label %then{number}, label %join{number}\nthen{number}:");
                self.body(some, depth - 1);
                let _ = writeln!(self.text, "  br label %join{number}\njoin{number}:");
            } else {
                // A loop of as many turns as the lanes, or the wave, say.
                let agreed = self.random(2) == 0;
                let turns = self.value(if agreed { 'u' } else { 'i' });
                let _ = writeln!(self.text, "  br label %before{number}\nbefore{number}:\n  br label %loop{number}");
                let _ = writeln!(self.text, "loop{number}:");
                let _ = writeln!(
                    self.text,
                    "  %turn{number} = phi i32 [ 0, %before{number} ], [ %more{number}, %end{number} ]"
                );
                self.values[0].1.push(format!("%turn{number}"));
                self.body(some, depth - 1);
                let _ = writeln!(self.text, "  br label %end{number}\nend{number}:");
                let _ = writeln!(self.text, "  %more{number} = add i32 %turn{number}, 1");
                let _ = writeln!(self.text, "  %again{number} = icmp ult i32 %more{number}, {turns}");
                let _ = writeln!(
                    self.text,
                    "  br i1 %again{number}, label %loop{number}, label %join{number}\njoin{number}:"
                );
            }
            // What was computed on the way may not have been.
            self.values = known;
        }
    }
}

/// A module with some shaders, of about `operations` operations each.
pub fn module(seed: u64, shaders: u32, operations: usize) -> String {
    let mut text = String::from("!0 = !{}\n");
    for shader in 0..shaders {
        let begin =
            TYPES.iter().map(|(letter, _, names)| (*letter, names.iter().map(|&name| name.to_owned()).collect()));
        let mut generator = Generator {
            source: Random::new(seed << 32 | u64::from(shader)),
            text: String::new(),
            values: begin.collect(),
            next: 0,
            stored: 0,
        };
        generator.body(operations, 2);
        let stage = ["amdgpu_ps", "amdgpu_cs", "amdgpu_gs", "amdgpu_vs"][shader as usize % 4];
        let _ = writeln!(
            text,
            "define {stage} void @shader_{shader}(<8 x i32> inreg %r, <4 x i32> inreg %s, <4 x i32> inreg %b, i32 inreg %m, i32 inreg %k, \
             ptr addrspace(4) inreg %t, i32 %a, i32 %c, float %x, float %y, float %z, i64 %w, double %d, half %h, <2 x half> %g, \
             <2 x i16> %n, ptr addrspace(1) %p, ptr addrspace(3) %l, <4 x float> %i, <4 x i32> %j, <3 x float> %o) {{\n  \
             %array = alloca [8 x i32], align 4, addrspace(5)\n  %e = icmp eq i32 %a, %c\n{}  ret void\n}}",
            generator.text
        );
    }
    // The intrinsics that are called, by their types as they are called.
    text + &declarations()
}

/// A declaration for each function that an operation calls.
fn declarations() -> String {
    let mut all = OPERATIONS
        .iter()
        .filter_map(|(_, form)| {
            let (kind, call) = form.strip_prefix("call ")?.split_once(" @")?;
            let (name, arguments) = call.split_once('(')?;
            let arguments = arguments.strip_suffix(')')?.replace("{t}", TEXTURE);
            // A type is all of an argument but its last word; types in angle brackets hold spaces but no commas.
            let types = arguments.split(", ").filter_map(|argument| Some(argument.rsplit_once(' ')?.0.to_owned()));
            Some(format!("declare {kind} @{name}({})\n", types.collect::<Vec<_>>().join(", ")))
        })
        .collect::<Vec<_>>();
    all.sort();
    all.dedup();
    all.concat()
}
