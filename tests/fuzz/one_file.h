/*
 * tests/fuzz/one_file.h - bytes as a file, listed and read: what each fuzz target does with its
 * input.
 */
#ifndef ULP_TESTS_FUZZ_ONE_FILE_H
#define ULP_TESTS_FUZZ_ONE_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/source.h"

/* What is read is small: a header may ask for any size. */
enum { FUZZ_PIECE = 4096 };

static inline void fuzz_read(const char *location)
{
    unsigned char buffer[8 * FUZZ_PIECE];
    ulp_error_t err = {0};
    ulp_source_t *source = NULL;
    if (ulp_source_open(&source, location, NULL, &err) != ULP_OK) {
        if (err.message[0] == '\0') {
            abort(); /* an error always has words */
        }
        return;
    }
    size_t n = ulp_source_info(source)->nelems;
    size_t some = n < FUZZ_PIECE ? n : FUZZ_PIECE;
    ulp_status_t head = ulp_source_read(source, buffer, 0, some, &err);
    ulp_status_t tail = ulp_source_read(source, buffer, n - some, some, &err);
    (void)head;
    (void)tail;
    ulp_source_close(source);
}

static inline void fuzz_file(const uint8_t *bytes, size_t n)
{
    char path[64];
    char location[1024];
    ulp_error_t err = {0};
    ulp_listing_t listing = {0};
    snprintf(path, sizeof path, "/tmp/ulpscope-fuzz-%ld", (long)getpid());
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, n, file) != n || fclose(file) != 0) {
        abort();
    }
    fuzz_read(path);
    if (ulp_listing_read(&listing, path, &err) == ULP_OK) {
        for (size_t i = 0; i < listing.count && i < 4; i++) {
            snprintf(location, sizeof location, "%s:%s", path, listing.entry[i].name);
            fuzz_read(location);
        }
        ulp_listing_free(&listing);
    }
    unlink(path);
}

#endif
