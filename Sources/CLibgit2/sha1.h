// SHA-1 of whole blocks by the processor's own instructions, where it has them.
// Source: FIPS 180-4; the instructions are described in Intel's Software Developer's Manual, volume 2.
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/// Whether the processor has the instructions.
static inline int slipbox_sha1_is_fast(void) {
  unsigned int a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3)) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

// Four rounds: what is left of the last four becomes the fifth word and takes in four words of the message.
#define SLIPBOX_ROUNDS(function, words) \
  next = _mm_sha1nexte_epu32(last, words); \
  last = state; \
  state = _mm_sha1rnds4_epu32(state, next, function)

// The four words of the message that follow sixteen, put in the place of the first four.
#define SLIPBOX_EXPAND(first, second, third, fourth) \
  first = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(first, second), third), fourth)

// Twenty rounds, the first of which use four words that are there, then four that are made, and so on.
#define SLIPBOX_TWENTY(function, a, b, c, d) \
  SLIPBOX_EXPAND(a, b, c, d); \
  SLIPBOX_ROUNDS(function, a); \
  SLIPBOX_EXPAND(b, c, d, a); \
  SLIPBOX_ROUNDS(function, b); \
  SLIPBOX_EXPAND(c, d, a, b); \
  SLIPBOX_ROUNDS(function, c); \
  SLIPBOX_EXPAND(d, a, b, c); \
  SLIPBOX_ROUNDS(function, d); \
  SLIPBOX_EXPAND(a, b, c, d); \
  SLIPBOX_ROUNDS(function, a)

/// Takes blocks of 64 bytes into the five words of a hash.
__attribute__((target("sha,sse4.1,ssse3")))
static inline void slipbox_sha1_take(uint32_t *hash, const void *blocks, size_t count) {
  const __m128i reversed = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  const __m128i *message = (const __m128i *)blocks;
  // The first word stands highest.
  __m128i state = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)hash), 0x1B);
  __m128i fifth = _mm_set_epi32((int)hash[4], 0, 0, 0);
  for (; count > 0; count--, message += 4) {
    __m128i before = state, last, next;
    __m128i a = _mm_shuffle_epi8(_mm_loadu_si128(message), reversed);
    __m128i b = _mm_shuffle_epi8(_mm_loadu_si128(message + 1), reversed);
    __m128i c = _mm_shuffle_epi8(_mm_loadu_si128(message + 2), reversed);
    __m128i d = _mm_shuffle_epi8(_mm_loadu_si128(message + 3), reversed);
    // The fifth word is not yet what is left of rounds, so it is added as it is.
    next = _mm_add_epi32(fifth, a);
    last = state;
    state = _mm_sha1rnds4_epu32(state, next, 0);
    SLIPBOX_ROUNDS(0, b);
    SLIPBOX_ROUNDS(0, c);
    SLIPBOX_ROUNDS(0, d);
    SLIPBOX_EXPAND(a, b, c, d);
    SLIPBOX_ROUNDS(0, a);
    SLIPBOX_TWENTY(1, b, c, d, a);
    SLIPBOX_TWENTY(2, c, d, a, b);
    SLIPBOX_TWENTY(3, d, a, b, c);
    fifth = _mm_sha1nexte_epu32(last, fifth);
    state = _mm_add_epi32(state, before);
  }
  _mm_storeu_si128((__m128i *)hash, _mm_shuffle_epi32(state, 0x1B));
  hash[4] = (uint32_t)_mm_extract_epi32(fifth, 3);
}

#undef SLIPBOX_ROUNDS
#undef SLIPBOX_EXPAND
#undef SLIPBOX_TWENTY

#else

/// Whether the processor has the instructions.
static inline int slipbox_sha1_is_fast(void) { return 0; }

/// Is never called where the processor does not have the instructions.
static inline void slipbox_sha1_take(uint32_t *hash, const void *blocks, size_t count) {
  (void)hash;
  (void)blocks;
  (void)count;
}

#endif
