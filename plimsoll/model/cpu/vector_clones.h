#pragma once

// A function compiled for several widths of vector registers; the loader takes the widest that the processor
// has. What it calls must be inlined into it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PLIMSOLL_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PLIMSOLL_VECTOR_CLONES
#endif
#define PLIMSOLL_ALWAYS_INLINE __attribute__((always_inline)) inline
