/*
 * core/clones.h - run-time dispatch of a hot loop: portable C, compiled for several instruction
 * sets.
 *
 * ULP_CLONES before a function has gcc compile it for AVX-512, AVX2 and the baseline and pick one
 * when the program starts. The function does integer work, or floating-point work in which every
 * operation is correctly rounded and no sum is reordered, so the bits are the same on every path.
 */
#ifndef ULP_CORE_CLONES_H
#define ULP_CORE_CLONES_H

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) &&       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ULP_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ULP_CLONES
#endif

#endif
