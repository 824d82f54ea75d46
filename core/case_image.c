/* core/case_image.c - HDF5 file in memory: the same tensors give the same bytes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/case_image.h"

#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/case_attribute.h"
#include "core/case_hdf5.h"
#include "core/file_replace.h"

enum { IMAGE_INCREMENT = 1 << 20, CHUNK_BYTES = 1 << 20, GZIP_LEVEL = 6 };

/* What HDF5 1.8 wrote: every reader of today knows it, its metadata carry checksums, and a new
 * HDF5 library does not change the bytes. */
static const H5F_libver_t layout = H5F_LIBVER_V18;

static ulp_status_t fail(ulp_error_t *err, const char *what)
{
    char reason[200];
    ulp_hdf5_reason(reason, sizeof reason);
    return ulp_error_set(err, ULP_ERROR_IO, "%s: %s", what, reason);
}

/* HDF5 asks these for the memory of its file, and gives it back when it closes: complete then, and
 * not before. (H5Fget_file_image of HDF5 1.10 leaves a wrong checksum in the superblock.) */
static void *image_malloc(size_t size, H5FD_file_image_op_t op, void *data)
{
    (void)op;
    (void)data;
    return malloc(size);
}

static void *image_copy(void *to, const void *from, size_t size, H5FD_file_image_op_t op,
                        void *data)
{
    (void)op;
    (void)data;
    return memcpy(to, from, size);
}

static void *image_realloc(void *bytes, size_t size, H5FD_file_image_op_t op, void *data)
{
    ulp_case_image_t *image = data;
    char *more = realloc(bytes, size);
    (void)op;
    if (more != NULL) {
        if (size > image->nbytes) {
            memset(more + image->nbytes, 0, size - image->nbytes);
        }
        image->nbytes = size;
    }
    return more;
}

static herr_t image_release(void *bytes, H5FD_file_image_op_t op, void *data)
{
    ulp_case_image_t *image = data;
    if (op == H5FD_FILE_IMAGE_OP_FILE_CLOSE) {
        image->bytes = bytes;
    } else {
        free(bytes);
    }
    return 0;
}

static void *keep(void *data)
{
    return data;
}

static herr_t leave(void *data)
{
    (void)data;
    return 0;
}

ulp_status_t ulp_case_image_create(ulp_case_image_t *image, hid_t like, ulp_error_t *err)
{
    H5FD_file_image_callbacks_t memory = {image_malloc, image_copy, image_realloc, image_release,
                                          keep,         leave,      image};
    unsigned links = 0;
    unsigned attributes = 0;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t create = H5Pcreate(H5P_FILE_CREATE);
    hid_t root = like >= 0 ? H5Gopen2(like, "/", H5P_DEFAULT) : H5I_INVALID_HID;
    hid_t model = like >= 0 ? H5Gget_create_plist(root) : H5I_INVALID_HID;
    if (model >= 0 && H5Pget_link_creation_order(model, &links) >= 0 &&
        H5Pget_attr_creation_order(model, &attributes) >= 0) {
        H5Pset_link_creation_order(create, links);
        H5Pset_attr_creation_order(create, attributes);
    }
    memset(image, 0, sizeof *image);
    image->file = H5I_INVALID_HID;
    if (H5Pset_fapl_core(access, IMAGE_INCREMENT, 0) >= 0 &&
        H5Pset_file_image_callbacks(access, &memory) >= 0 &&
        H5Pset_libver_bounds(access, layout, layout) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_obj_track_times(create, 0) >= 0) {
        image->file = H5Fcreate("ulpscope case in memory", H5F_ACC_TRUNC, create, access);
    }
    ulp_status_t status = image->file >= 0 ? ULP_OK : fail(err, "HDF5 makes no file in memory");
    H5Pclose(model);
    H5Gclose(root);
    H5Pclose(create);
    H5Pclose(access);
    return status;
}

hid_t ulp_case_image_group(hid_t file, const char *name)
{
    if (H5Lexists(file, name, H5P_DEFAULT) > 0) {
        return H5Gopen2(file, name, H5P_DEFAULT);
    }
    hid_t create = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(create, 0);
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, create, H5P_DEFAULT);
    H5Pclose(create);
    return group;
}

/* Type of the stored elements. Formats that HDF5 has no name for since 1.8 are unsigned integers:
 * no library then converts them on its own. */
static hid_t storage_type(const ulp_format_t *format)
{
    size_t nbytes = ulp_format_bytes(format);
    if (strcmp(format->name, "f64") == 0) {
        return H5Tcopy(H5T_IEEE_F64LE);
    }
    if (strcmp(format->name, "f32") == 0 || strcmp(format->name, "tf32") == 0) {
        return H5Tcopy(H5T_IEEE_F32LE);
    }
    if (strcmp(format->name, "f16") == 0) {
        hid_t type = H5Tcopy(H5T_IEEE_F32LE);
        if (H5Tset_fields(type, 15, 10, 5, 0, 10) < 0 || H5Tset_size(type, nbytes) < 0 ||
            H5Tset_ebias(type, 15) < 0) {
            H5Tclose(type);
            return H5I_INVALID_HID;
        }
        return type;
    }
    int is_signed = format->kind == ULP_KIND_SIGNED && (size_t)format->bits == 8 * nbytes;
    switch (nbytes) {
    case 1:
        return H5Tcopy(is_signed ? H5T_STD_I8LE : H5T_STD_U8LE);
    case 2:
        return H5Tcopy(is_signed ? H5T_STD_I16LE : H5T_STD_U16LE);
    case 4:
        return H5Tcopy(is_signed ? H5T_STD_I32LE : H5T_STD_U32LE);
    default:
        return H5Tcopy(is_signed ? H5T_STD_I64LE : H5T_STD_U64LE);
    }
}

/* Whole trailing dimensions, the leading ones halved until a chunk holds CHUNK_BYTES at most. */
static void choose_chunk(hsize_t chunk[ULP_RANK_MAX], const ulp_tensor_t *tensor)
{
    hsize_t nbytes = ulp_format_bytes(tensor->format);
    for (int i = 0; i < tensor->rank; i++) {
        chunk[i] = tensor->shape[i];
        nbytes *= chunk[i];
    }
    for (int i = 0; i < tensor->rank; i++) {
        while (nbytes > CHUNK_BYTES && chunk[i] > 1) {
            hsize_t half = (chunk[i] + 1) / 2;
            nbytes = nbytes / chunk[i] * half;
            chunk[i] = half;
        }
    }
}

/* A scalar and an array of no elements have no chunks to filter. */
static hid_t creation(const ulp_tensor_t *tensor)
{
    hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    herr_t result = H5Pset_obj_track_times(create, 0);
    if (tensor->rank > 0 && tensor->nelems > 0) {
        hsize_t chunk[ULP_RANK_MAX];
        choose_chunk(chunk, tensor);
        result = result < 0 || H5Pset_chunk(create, tensor->rank, chunk) < 0 ||
                         H5Pset_shuffle(create) < 0 || H5Pset_deflate(create, GZIP_LEVEL) < 0 ||
                         H5Pset_fletcher32(create) < 0
                     ? -1
                     : 0;
    }
    if (result < 0) {
        H5Pclose(create);
        return H5I_INVALID_HID;
    }
    return create;
}

/* The elements as little-endian bytes: the tensor's own on a little-endian machine, else a copy in
 * *copy. NULL when memory is out. */
static const void *little_endian(void **copy, const ulp_tensor_t *tensor)
{
    const union {
        uint16_t word;
        unsigned char byte[2];
    } probe = {1};
    size_t size = ulp_format_bytes(tensor->format);
    if (probe.byte[0] == 1 && tensor->nelems > 0) {
        return tensor->data;
    }
    unsigned char *bytes = malloc(tensor->nelems * size + 1);
    for (size_t i = 0; bytes != NULL && i < tensor->nelems; i++) {
        uint64_t code = ulp_tensor_get(tensor, i);
        for (size_t j = 0; j < size; j++) {
            bytes[i * size + j] = (unsigned char)(code >> (8 * j));
        }
    }
    *copy = bytes;
    return bytes;
}

static int write_attributes(hid_t dataset, const ulp_case_addition_t *add, const void *bytes)
{
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    char text[2 * SHA256_DIGEST_SIZE + 1];
    sha256_init(&context);
    sha256_update(&context, add->tensor->nelems * ulp_format_bytes(add->tensor->format), bytes);
    sha256_digest(&context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        (void)snprintf(text + 2 * i, 3, "%02x", digest[i]);
    }
    if (ulp_case_attribute_write(dataset, "dtype", add->tensor->format->name) != 0 ||
        ulp_case_attribute_write(dataset, "sha256", text) != 0) {
        return -1;
    }
    for (size_t i = 0; i < add->nattributes; i++) {
        if (ulp_case_attribute_write(dataset, add->attribute[i].key, add->attribute[i].value) !=
            0) {
            return -1;
        }
    }
    return 0;
}

ulp_status_t ulp_case_image_dataset(hid_t file, const ulp_case_addition_t *add, ulp_error_t *err)
{
    const ulp_tensor_t *tensor = add->tensor;
    void *copy = NULL;
    const void *bytes = little_endian(&copy, tensor);
    if (bytes == NULL) {
        return ulp_error_set(err, ULP_ERROR_MEMORY, "/%s/%s: out of memory", add->group, add->name);
    }
    hsize_t shape[ULP_RANK_MAX];
    for (int i = 0; i < tensor->rank; i++) {
        shape[i] = tensor->shape[i];
    }
    hid_t group = ulp_case_image_group(file, add->group);
    hid_t type = storage_type(tensor->format);
    hid_t space = H5Screate_simple(tensor->rank, shape, NULL);
    hid_t create = creation(tensor);
    hid_t dataset = H5Dcreate2(group, add->name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
    ulp_status_t status = ULP_OK;
    /* The type in memory is the type in the file: HDF5 copies bytes and converts nothing. */
    if (dataset < 0 ||
        (tensor->nelems > 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0) ||
        write_attributes(dataset, add, bytes) != 0) {
        char what[160];
        (void)snprintf(what, sizeof what, "/%.60s/%.60s: HDF5 cannot write it", add->group,
                       add->name);
        status = fail(err, what);
    }
    if (H5Dclose(dataset) < 0 && status == ULP_OK) {
        status = fail(err, "HDF5 cannot close a dataset");
    }
    H5Pclose(create);
    H5Sclose(space);
    H5Tclose(type);
    H5Gclose(group);
    free(copy);
    return status;
}

/* The end of the file, which its superblock of version 2 or 3 states [HDF5]; 0 if it does not. What
 * HDF5 took of memory is more. */
static size_t end_of_file(const ulp_case_image_t *image)
{
    enum { VERSION = 8, OFFSET_SIZE = 9, END = 28 };
    const unsigned char *bytes = image->bytes;
    uint64_t end = 0;
    if (bytes == NULL || image->nbytes < END + 8 || memcmp(bytes, "\211HDF\r\n\032\n", 8) != 0 ||
        bytes[VERSION] < 2 || bytes[VERSION] > 3 || bytes[OFFSET_SIZE] != 8) {
        return 0;
    }
    for (int i = 7; i >= 0; i--) {
        end = end << 8 | bytes[END + i];
    }
    return end <= image->nbytes ? (size_t)end : 0;
}

ulp_status_t ulp_case_image_save(const char *path, ulp_case_image_t *image, ulp_error_t *err)
{
    herr_t flushed = H5Fflush(image->file, H5F_SCOPE_GLOBAL);
    herr_t closed = H5Fclose(image->file);
    image->file = H5I_INVALID_HID;
    size_t size = flushed < 0 || closed < 0 ? 0 : end_of_file(image);
    if (size == 0) {
        return ulp_error_set(err, ULP_ERROR_IO,
                             "%s: cannot write: HDF5 could not complete the file (out of memory?)",
                             path);
    }
    return ulp_file_replace(path, image->bytes, size, err);
}

void ulp_case_image_free(ulp_case_image_t *image)
{
    if (image->file >= 0) {
        H5Fclose(image->file);
    }
    free(image->bytes);
    image->bytes = NULL;
    image->file = H5I_INVALID_HID;
}
