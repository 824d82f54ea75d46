/* core/hdf5_filter.c - layout and filters of an HDF5 dataset, by name. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/hdf5_filter.h"

#include <stdio.h>
#include <string.h>

enum { NAME_MAX_BYTES = 64 };

/* Numbers that The HDF Group has registered [HDF5], and the library's own. */
static const struct {
    H5Z_filter_t number;
    const char *name;
} filter_table[] = {
    {H5Z_FILTER_DEFLATE, "gzip"},
    {H5Z_FILTER_SHUFFLE, "shuffle"},
    {H5Z_FILTER_FLETCHER32, "fletcher32"},
    {H5Z_FILTER_SZIP, "szip"},
    {H5Z_FILTER_NBIT, "nbit"},
    {H5Z_FILTER_SCALEOFFSET, "scaleoffset"},
    {32000, "lzf"},
    {32001, "blosc"},
    {32004, "lz4"},
    {32008, "bitshuffle"},
    {32013, "zfp"},
    {32015, "zstd"},
    {32017, "sz"},
    {32026, "blosc2"},
};

static void name_filter(char name[NAME_MAX_BYTES], H5Z_filter_t number, const char *stored)
{
    for (size_t i = 0; i < sizeof filter_table / sizeof filter_table[0]; i++) {
        if (filter_table[i].number == number) {
            snprintf(name, NAME_MAX_BYTES, "%s", filter_table[i].name);
            return;
        }
    }
    snprintf(name, NAME_MAX_BYTES, "%.40s", stored[0] != '\0' ? stored : "unknown");
}

static int is_readable(H5Z_filter_t number)
{
    unsigned info = 0;
    return H5Zfilter_avail(number) > 0 && H5Zget_filter_info(number, &info) >= 0 &&
           (info & H5Z_FILTER_CONFIG_DECODE_ENABLED) != 0;
}

static ulp_status_t describe_filters(char *words, size_t size, hid_t dcpl, const char *where,
                                     ulp_error_t *err)
{
    size_t used = strlen(words);
    int count = H5Pget_nfilters(dcpl);
    for (int i = 0; i < count; i++) {
        unsigned flags = 0;
        unsigned config = 0;
        size_t nvalues = 0;
        char stored[NAME_MAX_BYTES] = "";
        char name[NAME_MAX_BYTES];
        H5Z_filter_t number = H5Pget_filter2(dcpl, (unsigned)i, &flags, &nvalues, NULL,
                                             sizeof stored, stored, &config);
        stored[sizeof stored - 1] = '\0';
        name_filter(name, number, stored);
        if (!is_readable(number)) {
            return ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                                 "%.250s: filter %s (number %d) is not installed: point "
                                 "HDF5_PLUGIN_PATH at its plugin, or rewrite the file where it is: "
                                 "h5repack -f GZIP=4 OLD NEW",
                                 where, name, (int)number);
        }
        if (used < size) {
            used += (size_t)snprintf(words + used, size - used, ", %s", name);
        }
    }
    return ULP_OK;
}

ulp_status_t ulp_hdf5_layout_describe(char *words, size_t size, hid_t dcpl, const char *where,
                                      ulp_error_t *err)
{
    H5D_layout_t layout = H5Pget_layout(dcpl);
    if (layout == H5D_VIRTUAL) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                             "%.250s: a virtual dataset: parts that are absent would read as fill "
                             "values; copy its elements into a dataset first",
                             where);
    }
    if (layout == H5D_CONTIGUOUS && H5Pget_external_count(dcpl) != 0) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                             "%.250s: its elements are in other files, and what is absent there "
                             "would read as zeros; h5repack -l CONTI OLD NEW brings them in",
                             where);
    }
    snprintf(words, size, "%s",
             layout == H5D_CHUNKED   ? "chunked"
             : layout == H5D_COMPACT ? "compact"
                                     : "contiguous");
    return describe_filters(words, size, dcpl, where, err);
}
