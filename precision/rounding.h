/*
 * precision/rounding.h - how a real number becomes a member of a format.
 *
 * Plain data and names; the rounding itself is ulp_number_encode.
 */
#ifndef ULP_PRECISION_ROUNDING_H
#define ULP_PRECISION_ROUNDING_H

#include <stdint.h>

typedef enum {
    ULP_ROUND_NEAREST_EVEN = 0, /* "rne" */
    ULP_ROUND_NEAREST_AWAY,     /* "rna": ties away from zero */
    ULP_ROUND_TOWARD_ZERO,      /* "rz" */
    ULP_ROUND_UP,               /* "ru": toward +inf */
    ULP_ROUND_DOWN,             /* "rd": toward -inf */
    ULP_ROUND_TO_ODD,           /* "ro": truncate; if inexact, set the last bit */
    ULP_ROUND_STOCHASTIC        /* "sr": with the caller's random bits */
} ulp_round_mode_t;
enum { ULP_ROUND_MODE_COUNT = 7 };

/* What a finite x becomes when its rounding, with the exponent unbounded above, exceeds the largest
 * finite number. */
typedef enum {
    ULP_OVERFLOW_FORMAT =
        0, /* a format with inf: IEEE 754 (by mode: RZ and RO give max, RU and RD by sign, nearest
              and SR give inf); without inf but with NaN: the same with NaN in the place of inf;
              with neither, and integers: saturate */
    ULP_OVERFLOW_INF,      /* inf (NaN in a format that has no inf), in every mode */
    ULP_OVERFLOW_SATURATE, /* the largest finite number of that sign; infinities too */
    ULP_OVERFLOW_NAN       /* NaN; infinities stay where the format has them */
    /* INF and NAN in a format that has neither saturate, with ULP_FLAG_INVALID. */
} ulp_overflow_t;

typedef enum {
    ULP_FLUSH_NONE = 0,
    ULP_FLUSH_SIGNED,  /* subnormal -> zero of the same sign */
    ULP_FLUSH_POSITIVE /* subnormal -> +0 */
} ulp_flush_t;

typedef struct {
    ulp_round_mode_t mode;
    ulp_overflow_t overflow;
    ulp_flush_t flush_output; /* a result that is subnormal in the target (after rounding) */
    uint64_t random;          /* STOCHASTIC: the random bits, below 2^random_bits */
    int random_bits; /* STOCHASTIC: 1..32; the bits below the target's last are truncated to
                        this many, the random number added, the carry kept; 0 truncates */
} ulp_rounding_t;

/* What happened; ulp_number_encode assigns an or of these. */
enum {
    ULP_FLAG_INEXACT = 1u,
    ULP_FLAG_UNDERFLOW = 2u, /* inexact and |x| < 2^emin before rounding, or flushed */
    ULP_FLAG_OVERFLOW = 4u,
    ULP_FLAG_INVALID = 8u /* NaN (or what the caller wants as NaN) into a format that has none; a
                             negative number into f8e8m0fnu */
};

/** "rne", "rna", "rz", "ru", "rd", "ro", "sr". */
const char *ulp_round_mode_name(ulp_round_mode_t mode);

/**
 * The mode of that name (short as above, or "nearest-even", "nearest-away", "toward-zero", "up",
 * "down", "to-odd", "stochastic").
 *
 * @return  0 and *mode set; -1 if unknown
 */
int ulp_round_mode_find(ulp_round_mode_t *mode, const char *name);

#endif
