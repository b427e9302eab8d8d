#version 460
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_KHR_shader_subgroup_basic : require
// Arithmetic of all kinds, scalar and by lanes, with branches and a loop: a word of each result is compared with what another
// Vulkan driver, on the host's processor, computes.
//
// buffer load: 1.1[0] (x3)
// buffer load: 1.1[2] (x2)
// buffer store: (a loop); 1.1[1] (x2)
// buffer store: 1.1[1] (x151)
// scalar buffer load: 0.0

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform Uniforms { uvec4 uniforms; };
layout(set = 1, binding = 1) buffer Words { uint words[]; } all[4];

uint place;
void put(uint x) { all[1].words[place] = x; place += 64; }
void put(int x) { put(uint(x)); }
void put(float x) { put(floatBitsToUint(x)); }
void put(bool x) { put(x ? 1u : 0u); }
void put(uint64_t x) { put(uint(x)); put(uint(x >> 32)); }

void main() {
    uint lane = gl_LocalInvocationIndex;
    place = lane;
    uint x = all[0].words[lane], y = all[0].words[lane + 64], z = all[0].words[lane + 128];
    // Whole numbers of ten bits and quarters of them: products and sums are exact, fused or not.
    float f = float(int(x & 2047) - 1024) * 0.25, g = float(int(y & 2047) - 1024), e = float(z & 1023);
    uint a = uniforms.x, b = uniforms.y, c = uniforms.z;
    int ai = int(a), bi = int(b);
    // A whole number, too.
    float h = uintBitsToFloat(uniforms.w);
    uint64_t l = uint64_t(a) << 32 | b, m = uint64_t(c) << 32 | a;
    uint64_t v = uint64_t(x) << 32 | y, w = uint64_t(z) << 32 | x;

    // Of the wave.
    put((a << 1) + b); put((a << 2) + b); put((b << 3) + c); put((c << 4) + a);
    put(abs(ai - bi)); put(a == b); put(a != c); put(ai < bi); put(a <= c);
    put((a & 1u << (b & 31)) != 0); put((b & 1u << (c & 31)) == 0);
    put(findMSB(ai)); put(findMSB(b)); put(findLSB(c)); put(bitCount(~a)); put(bitCount(b)); put(bitfieldReverse(a));
    put(bitfieldExtract(a, int(b & 15), int(c & 15))); put(bitfieldExtract(ai, 3, 9)); put(bitfieldInsert(a, b, 4, 13));
    put(l + m); put(l - m); put(l == m); put(l != m); put(l << (c & 63)); put(l >> (a & 63)); put(l & ~m);
    put(((1ul << (b & 63)) - 1ul) << (a & 63)); put((l & 1ul << (b & 63)) != 0ul); put(~(l ^ m)); put(~(l | m));
    put(a & ~b); put(a | ~c); put(~(a & b)); put(~(a | c)); put(~(b ^ c)); put(min(ai, bi)); put(max(a, b));
    put(a & 0xffff | b << 16); put(a >> 16 | b & 0xffff0000); put(a * b); put(a < b ? c : a); put(ai >> (c & 31));

    // Of each lane.
    put((x & 0xffffff) * (y & 0xffffff) + z); put((int(x << 8) >> 8) * (int(y << 8) >> 8) + int(z));
    put(x >> 8 | y << 24); put(x >> (z & 31 | 1) | y << 32 - (z & 31 | 1));
    put(f - h); put(h - f); put(fma(f, 3.140625, g)); put(fma(f, g, 2.71875)); put(f * g); put(f + g); put(min(f, g));
    put(max(f, h)); put(min(max(f, g), e)); put(floor(f)); put(trunc(f)); put(roundEven(f)); put(ceil(f)); put(fract(f));
    put(abs(f) * -g); put(f * 2.0); put(e * 0.5 + h);
    put(findMSB(int(x))); put(findMSB(y)); put(findLSB(z)); put(bitCount(x) + y); put(bitfieldReverse(z));
    put(x == y); put(int(x) < int(y)); put(x != z); put(f < g); put(f != g); put(f >= h); put(f == e); put(!(f < e));
    put(x < y); put(int(x) >= int(z)); put(x > a); put(int(y) <= bi); put(x == a); put(y != b);
    put(v + w); put(v - w); put(5ul - v); put(v == w); put(v != w); put(v < w); put(int64_t(v) < int64_t(w));
    put(v << (z & 63)); put(v >> 13); put(uint64_t(int64_t(w) >> (x & 63))); put(v * w); put(v & w | l);
    put(abs(int(x) - int(y))); put(x & y | ~x & z); put((x << 3) + y); put((x + y) << 5); put(x + y + z); put(x | y | z);
    put(x << 7 | y); put(x & y | z); put(x ^ y ^ z); put((x ^ y) + z); put(~(x ^ y));
    put(bitfieldExtract(x, int(y & 15), int(z & 15))); put(bitfieldExtract(int(x), 5, 11)); put(bitfieldInsert(x, y, 4, 13));
    put(min(max(x, y), z)); put(max(min(int(x), int(y)), int(z))); put(min(x, min(y, z))); put(max(max(int(x), int(y)), 77));
    put(float(x & 0xffffff)); put(float(int(y) >> 8)); put(uint(e)); put(int(f)); put(float(x >> 16 & 0xff)); put(float(x & 0xff));
    put(x * y); put(x / 7); put(int(y) / 13); put(x % 1000); put((x & 0xff) + (y >> 8 & 0xff));
    uint high, low;
    umulExtended(x, y, high, low);
    put(high);
    int signed_high, signed_low;
    imulExtended(int(x), int(z), signed_high, signed_low);
    put(signed_high);

    put(v - l); put(x - a); put(a - x); put(16 - int(x & 0xffff) * 4); put(int(x & 0xff) * -3 + 77);
    put(pack32(u16vec2(unpack16(x).y, unpack16(y).x))); put(pack32(u16vec2(unpack16(x).x, unpack16(z).y)));
    // Of the lanes of any wave, and of lavapipe's, which has four at the least: as many as a vector of its host.
    put(gl_SubgroupInvocationID & 3);

    // Where lanes part.
    uint r = z;
    if (x < y) {
        r += all[2].words[lane];
        if ((z & 1) != 0) {
            r ^= x;
        }
    } else {
        r = r * 3 + b;
        if (f < g) {
            r = ~r;
        } else {
            r += all[2].words[lane ^ 1];
        }
    }
    for (uint k = 0; k < (x & 7); k++) {
        r = r * 5 + k;
        if ((r & 64) != 0) {
            break;
        }
        if ((r & 2) == 0) {
            continue;
        }
        r ^= y;
    }
    put(r);
    if (a > 5) {
        for (uint k = 0; k < (b & 15); k++) {
            r = r << 1 ^ k;
        }
    }
    put(r);
}
