/* core/hdf5_type.c - HDF5 datatypes, field by field. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/hdf5_type.h"

#include <stdio.h>
#include <string.h>

/* A float type by its fields: positions are bit numbers from the least significant bit. */
typedef struct {
    size_t nbytes, offset, precision;
    size_t sign_at, exponent_at, exponent_bits, fraction_at, fraction_bits;
    size_t bias;
    const char *format[2]; /* two: the fields leave it open */
} float_fields_t;

static const float_fields_t float_table[] = {
    {8, 0, 64, 63, 52, 11, 0, 52, 1023, {"f64", NULL}},
    {4, 0, 32, 31, 23, 8, 0, 23, 127, {"f32", NULL}},
    {4, 13, 19, 31, 23, 8, 13, 10, 127, {"tf32", NULL}},
    {2, 0, 16, 15, 10, 5, 0, 10, 15, {"f16", NULL}},
    {2, 0, 16, 15, 7, 8, 0, 7, 127, {"bf16", NULL}},
    {1, 0, 8, 7, 3, 4, 0, 3, 7, {"f8e4m3fn", "f8e4m3"}},
    {1, 0, 8, 7, 3, 4, 0, 3, 8, {"f8e4m3fnuz", NULL}},
    {1, 0, 8, 7, 3, 4, 0, 3, 11, {"f8e4m3b11fnuz", NULL}},
    {1, 0, 8, 7, 2, 5, 0, 2, 15, {"f8e5m2", NULL}},
    {1, 0, 8, 7, 2, 5, 0, 2, 16, {"f8e5m2fnuz", NULL}},
    {1, 0, 8, 7, 4, 3, 0, 4, 3, {"f8e3m4", NULL}},
    {1, 0, 6, 5, 3, 2, 0, 3, 1, {"f6e2m3fn", NULL}},
    {1, 0, 6, 5, 2, 3, 0, 2, 3, {"f6e3m2fn", NULL}},
    {1, 0, 4, 3, 1, 2, 0, 1, 1, {"f4e2m1fn", NULL}},
};

static ulp_status_t unsupported(const char *where, const char *words, ulp_error_t *err)
{
    return ulp_error_set(err, ULP_ERROR_UNSUPPORTED, "%.250s: %s", where, words);
}

/* Names for codes of that width, for the message that asks for one. */
static void propose(ulp_storage_t *out, int is_signed, int is_opaque)
{
    size_t i = 0;
    if (!is_opaque && out->nbytes == 1) {
        out->candidate[i++] = is_signed ? "i8" : "u8";
    } else if (!is_opaque && out->nbytes == 2) {
        out->candidate[i++] = is_signed ? "i16" : "u16";
    } else if (!is_opaque) {
        out->candidate[i++] = out->nbytes == 4 ? "u32" : "u64";
    }
    switch (out->nbytes) {
    case 1:
        out->candidate[i++] = "f8e4m3fn";
        out->candidate[i++] = "f8e4m3";
        out->candidate[i++] = "f8e5m2";
        break;
    case 2:
        out->candidate[i++] = "bf16";
        out->candidate[i++] = "f16";
        break;
    case 4:
        out->candidate[i++] = "f32";
        out->candidate[i++] = "tf32";
        break;
    default:
        out->candidate[i++] = "f64";
    }
}

static int is_whole_width(size_t nbytes)
{
    return nbytes == 1 || nbytes == 2 || nbytes == 4 || nbytes == 8;
}

/* -1: neither order (VAX). */
static int find_order(int *is_big_endian, hid_t type)
{
    H5T_order_t order = H5Tget_order(type);
    *is_big_endian = order == H5T_ORDER_BE;
    return order == H5T_ORDER_LE || order == H5T_ORDER_BE || order == H5T_ORDER_NONE ? 0 : -1;
}

/* Integers of 8 and 16 bits are where people keep codes of small formats: they say nothing. Those
 * of 32 and 64 bits are taken as integers unless a name is given with them. */
static ulp_status_t describe_integer(ulp_storage_t *out, hid_t type, const char *where,
                                     ulp_error_t *err)
{
    int is_bitfield = H5Tget_class(type) == H5T_BITFIELD;
    int is_signed = !is_bitfield && H5Tget_sign(type) == H5T_SGN_2;
    if (!is_whole_width(out->nbytes) || H5Tget_precision(type) != 8 * out->nbytes ||
        H5Tget_offset(type) != 0 || find_order(&out->is_big_endian, type) != 0) {
        return unsupported(where, "an integer type that is not 8, 16, 32 or 64 whole bits", err);
    }
    snprintf(out->words, sizeof out->words, "%s%zu%s",
             is_bitfield ? "bitfield"
             : is_signed ? "int"
                         : "uint",
             8 * out->nbytes, out->is_big_endian && out->nbytes > 1 ? " big-endian" : "");
    if (out->nbytes >= 4 && !is_bitfield) {
        char name[8];
        snprintf(name, sizeof name, "%c%zu", is_signed ? 'i' : 'u', 8 * out->nbytes);
        out->format = ulp_format_find(name, NULL);
        ULP_ASSERT(out->format != NULL);
    } else {
        propose(out, is_signed, 0);
    }
    return ULP_OK;
}

static ulp_status_t describe_opaque(ulp_storage_t *out, hid_t type, const char *where,
                                    ulp_error_t *err)
{
    char *tag = H5Tget_tag(type);
    const char *descr = tag != NULL && strncmp(tag, "NUMPY:", 6) == 0 ? tag + 6 : NULL;
    ulp_status_t status = ULP_OK;
    const char *kind = descr != NULL ? descr + strspn(descr, "<>=|") : "V";
    if (!is_whole_width(out->nbytes)) {
        status = ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                               "%.250s: opaque elements of %zu bytes: no format has that width",
                               where, out->nbytes);
    } else if (strchr("mMSUOcb", kind[0]) != NULL) {
        status = ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                               "%.250s: opaque elements with the tag \"%.60s\": not numbers of a "
                               "format",
                               where, tag);
    } else {
        out->is_big_endian = descr != NULL && descr[0] == '>';
        out->format = descr != NULL ? ulp_format_find(descr, NULL) : NULL;
        if (out->format != NULL && ulp_format_bytes(out->format) != out->nbytes) {
            out->format = NULL;
        }
        snprintf(out->words, sizeof out->words, "opaque of %zu byte%s%s%.40s%s", out->nbytes,
                 out->nbytes == 1 ? "" : "s", tag != NULL && tag[0] != '\0' ? " (tag " : "",
                 tag != NULL ? tag : "", tag != NULL && tag[0] != '\0' ? ")" : "");
        propose(out, 0, 1);
    }
    H5free_memory(tag);
    return status;
}

static ulp_status_t describe_float(ulp_storage_t *out, hid_t type, const char *where,
                                   ulp_error_t *err)
{
    float_fields_t x = {.nbytes = out->nbytes,
                        .offset = (size_t)H5Tget_offset(type),
                        .precision = H5Tget_precision(type),
                        .bias = H5Tget_ebias(type)};
    if (H5Tget_fields(type, &x.sign_at, &x.exponent_at, &x.exponent_bits, &x.fraction_at,
                      &x.fraction_bits) < 0) {
        return unsupported(where, "a float type whose fields cannot be read", err);
    }
    out->kind = ULP_STORAGE_FLOAT;
    int is_ordered = find_order(&out->is_big_endian, type) == 0;
    int is_implied = H5Tget_norm(type) == H5T_NORM_IMPLIED;
    for (size_t i = 0; i < sizeof float_table / sizeof float_table[0]; i++) {
        const float_fields_t *row = &float_table[i];
        if (is_ordered && is_implied && row->nbytes == x.nbytes && row->offset == x.offset &&
            row->precision == x.precision && row->sign_at == x.sign_at &&
            row->exponent_at == x.exponent_at && row->exponent_bits == x.exponent_bits &&
            row->fraction_at == x.fraction_at && row->fraction_bits == x.fraction_bits &&
            row->bias == x.bias) {
            out->candidate[0] = row->format[0];
            out->candidate[1] = row->format[1];
            out->format = row->format[1] == NULL ? ulp_format_find(row->format[0], NULL) : NULL;
            snprintf(out->words, sizeof out->words, "%zu-bit float (%zu exponent, %zu fraction)%s",
                     x.precision, x.exponent_bits, x.fraction_bits,
                     out->is_big_endian && x.nbytes > 1 ? " big-endian" : "");
            return ULP_OK;
        }
    }
    return ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                         "%.250s: a float type of %zu bytes with %zu exponent bits (bias %zu) and "
                         "%zu fraction bits%s%s: no format here has these fields",
                         where, x.nbytes, x.exponent_bits, x.bias, x.fraction_bits,
                         is_implied ? "" : ", hidden bit stored (x87 long double?)",
                         is_ordered ? "" : ", VAX byte order");
}

ulp_status_t ulp_hdf5_type_describe(ulp_storage_t *out, hid_t type, const char *where,
                                    ulp_error_t *err)
{
    ulp_storage_t made = {.nbytes = H5Tget_size(type)};
    ulp_status_t status = ULP_OK;
    H5T_class_t kind = H5Tget_class(type);
    if (kind == H5T_INTEGER || kind == H5T_BITFIELD) {
        status = describe_integer(&made, type, where, err);
    } else if (kind == H5T_FLOAT) {
        status = describe_float(&made, type, where, err);
    } else if (kind == H5T_OPAQUE) {
        status = describe_opaque(&made, type, where, err);
    } else if (kind == H5T_STRING) {
        return unsupported(where, "strings are not numbers of a format", err);
    } else if (kind == H5T_ENUM) {
        return unsupported(where,
                           "an enumeration (h5py's bool is one): store uint8 with dtype = u8", err);
    } else if (kind == H5T_COMPOUND) {
        return unsupported(
            where, "a compound type (complex numbers are one): store each part as its own dataset",
            err);
    } else if (kind == H5T_ARRAY) {
        return unsupported(where, "an array type: make its dimensions those of the dataset", err);
    } else if (kind == H5T_VLEN) {
        return unsupported(where, "rows of varying length are not an array", err);
    } else if (kind == H5T_REFERENCE) {
        return unsupported(where, "references are not numbers of a format", err);
    } else {
        return unsupported(where, "a datatype that is neither integer, float nor opaque (complex?)",
                           err);
    }
    if (status == ULP_OK) {
        *out = made;
    }
    return status;
}
