/* core/case_read.c - a case file into memory: what is there, whether the op can take it, its
 * tensors. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/case.h"
#include "core/case_attribute.h"
#include "core/case_dtype.h"
#include "core/case_hdf5.h"
#include "core/source.h"

enum { WORDS_MAX = 256 };

static char *copy_text(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (copy != NULL) {
        memcpy(copy, text, strlen(text) + 1);
    }
    return copy;
}

static ulp_status_t out_of_memory(const char *path, ulp_error_t *err)
{
    return ulp_error_set(err, ULP_ERROR_MEMORY, "%s: out of memory", path);
}

/* "a, b, c": the inputs or the parameters of an op, for messages. */
static void list_inputs(char words[WORDS_MAX], const ulp_op_t *op)
{
    size_t used = 0;
    words[0] = '\0';
    for (size_t i = 0; i < ULP_OP_INPUTS_MAX && op->input[i].name != NULL; i++) {
        used += (size_t)snprintf(words + used, WORDS_MAX - used, "%s%s", i > 0 ? ", " : "",
                                 op->input[i].name);
        ULP_ASSERT(used < WORDS_MAX);
    }
}

static void list_parameters(char words[WORDS_MAX], const ulp_op_t *op)
{
    size_t used = 0;
    (void)snprintf(words, WORDS_MAX, "none");
    for (size_t i = 0; i < ULP_OP_PARAMETERS_MAX && op->parameter[i].name != NULL; i++) {
        used += (size_t)snprintf(words + used, WORDS_MAX - used, "%s%s", i > 0 ? ", " : "",
                                 op->parameter[i].name);
        ULP_ASSERT(used < WORDS_MAX);
    }
}

/* Same letters and digits, whatever the case and the signs between them: transA, trans-a. */
static int is_spelling_of(const char *a, const char *b)
{
    for (;;) {
        while (*a != '\0' && !isalnum((unsigned char)*a)) {
            a++;
        }
        while (*b != '\0' && !isalnum((unsigned char)*b)) {
            b++;
        }
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) {
            return 0;
        }
        if (*a == '\0') {
            return 1;
        }
        a++;
        b++;
    }
}

/* Words that mean a change of the computation: to ignore one of them as a remark would be to check
 * another computation than the one that was done. */
static int is_parameter_word(const char *key)
{
    static const char *const word[] = {"activation", "axis", "bias",  "causal",      "eps",
                                       "epsilon",    "mask", "scale", "transpose_a", "transpose_b"};
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++) {
        if (is_spelling_of(key, word[i])) {
            return 1;
        }
    }
    for (size_t i = 0; i < ulp_op_count(); i++) {
        const ulp_op_t *op = ulp_op_at(i);
        for (size_t j = 0; j < ULP_OP_PARAMETERS_MAX && op->parameter[j].name != NULL; j++) {
            if (is_spelling_of(key, op->parameter[j].name)) {
                return 1;
            }
        }
    }
    return 0;
}

static ulp_status_t check_parameters(const ulp_case_t *c, ulp_error_t *err)
{
    char words[WORDS_MAX];
    for (size_t i = 0; i < c->nattributes; i++) {
        const char *key = c->attribute[i].key;
        double value = 0;
        if (ulp_op_parameter(c->op, key) != NULL) {
            ulp_status_t status = ulp_case_parameter(&value, c, key, err);
            if (status != ULP_OK) {
                return status;
            }
        } else if (is_parameter_word(key)) {
            list_parameters(words, c->op);
            return ulp_error_set(err, ULP_ERROR_ARGUMENT,
                                 "%s: attribute %s is not a parameter of %s (its parameters: %s)",
                                 c->path, key, c->op->name, words);
        }
    }
    return ULP_OK;
}

/* op and its parameters. */
static ulp_status_t read_root(ulp_case_t *c, hid_t file, ulp_error_t *err)
{
    ulp_status_t status =
        ulp_case_attributes_read(&c->attribute, &c->nattributes, file, c->path, err);
    if (status != ULP_OK) {
        return status;
    }
    free(ulp_case_attributes_take(c->attribute, &c->nattributes, "ulpscope_case"));
    char *op = ulp_case_attributes_take(c->attribute, &c->nattributes, "op");
    if (op == NULL) {
        return ulp_error_set(err, ULP_ERROR_MISSING,
                             "%s: no attribute op; \"ulpscope ops\" lists the operations", c->path);
    }
    c->op = ulp_op_find(op);
    if (c->op == NULL) {
        (void)ulp_error_set(err, ULP_ERROR_ARGUMENT,
                            "%s: op \"%.60s\" is not known; \"ulpscope ops\" lists the operations",
                            c->path, op);
        free(op);
        return ULP_ERROR_ARGUMENT;
    }
    free(op);
    return check_parameters(c, err);
}

/* Name and attributes of one member of /inputs or /outputs. */
static ulp_status_t read_member(ulp_case_dataset_t *dataset, hid_t group, const char *group_name,
                                hsize_t i, const char *path, ulp_error_t *err)
{
    char where[512];
    ssize_t length =
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, NULL, 0, H5P_DEFAULT);
    dataset->name = length < 0 ? NULL : calloc((size_t)length + 1, 1);
    if (dataset->name == NULL ||
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, dataset->name,
                           (size_t)length + 1, H5P_DEFAULT) < 0) {
        return ulp_error_set(err, ULP_ERROR_FORMAT, "%s: /%s cannot be listed", path, group_name);
    }
    (void)snprintf(where, sizeof where, "%s: /%s/%s", path, group_name, dataset->name);
    hid_t object = H5Oopen(group, dataset->name, H5P_DEFAULT);
    ulp_status_t status = ULP_OK;
    if (object < 0) {
        status = ulp_error_set(err, ULP_ERROR_MISSING, "%s is a link to nothing", where);
    } else if (H5Iget_type(object) != H5I_DATASET) {
        status = ulp_error_set(err, ULP_ERROR_FORMAT, "%s is not a dataset", where);
    } else {
        status = ulp_case_attributes_read(&dataset->attribute, &dataset->nattributes, object, where,
                                          err);
        free(ulp_case_attributes_take(dataset->attribute, &dataset->nattributes, "dtype"));
        free(ulp_case_attributes_take(dataset->attribute, &dataset->nattributes, "sha256"));
    }
    H5Oclose(object);
    return status;
}

/* Members of a group that may be absent (*count stays 0). */
static ulp_status_t read_group(ulp_case_dataset_t **dataset, size_t *count, hid_t file,
                               const char *name, const char *path, ulp_error_t *err)
{
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0) {
        return ULP_OK;
    }
    H5G_info_t info;
    hid_t group = H5Gopen2(file, name, H5P_DEFAULT);
    if (group < 0 || H5Gget_info(group, &info) < 0) {
        H5Gclose(group);
        return ulp_error_set(err, ULP_ERROR_FORMAT, "%s: /%s is not a group", path, name);
    }
    ulp_status_t status = ULP_OK;
    if (info.nlinks > 0) {
        *dataset = calloc((size_t)info.nlinks, sizeof **dataset);
        if (*dataset == NULL) {
            H5Gclose(group);
            return out_of_memory(path, err);
        }
    }
    for (hsize_t i = 0; i < info.nlinks && status == ULP_OK; i++) {
        ++*count;
        status = read_member(&(*dataset)[i], group, name, i, path, err);
    }
    H5Gclose(group);
    return status;
}

/* Every input is one that the op has, and those that it needs are there. */
static ulp_status_t check_inputs(const ulp_case_t *c, ulp_error_t *err)
{
    char words[WORDS_MAX];
    list_inputs(words, c->op);
    if (c->ninputs == 0) {
        return ulp_error_set(err, ULP_ERROR_MISSING,
                             "%s: nothing in /inputs: %s takes %s, each a dataset there", c->path,
                             c->op->name, words);
    }
    for (size_t i = 0; i < c->ninputs; i++) {
        if (ulp_op_input(c->op, c->input[i].name) == NULL) {
            return ulp_error_set(err, ULP_ERROR_ARGUMENT,
                                 "%s: input \"%.60s\" is not one of %s (inputs of %s)", c->path,
                                 c->input[i].name, words, c->op->name);
        }
    }
    for (size_t i = 0; i < ULP_OP_INPUTS_MAX && c->op->input[i].name != NULL; i++) {
        int found = c->op->input[i].optional;
        for (size_t j = 0; j < c->ninputs && !found; j++) {
            found = strcmp(c->input[j].name, c->op->input[i].name) == 0;
        }
        if (!found) {
            return ulp_error_set(err, ULP_ERROR_MISSING, "%s: /inputs/%s is absent: %s needs it",
                                 c->path, c->op->input[i].name, c->op->name);
        }
    }
    return ULP_OK;
}

/* Datasets whose format nothing says, for one message about all of them. */
struct unnamed {
    size_t count;
    char names[160], hint[160];
};

static void note_unnamed(struct unnamed *unnamed, const char *group, const char *name)
{
    const char *comma = unnamed->count > 0 ? "," : "";
    size_t names = strlen(unnamed->names);
    size_t hint = strlen(unnamed->hint);
    (void)snprintf(unnamed->names + names, sizeof unnamed->names - names, "%s%s/%s/%s", comma,
                   comma[0] != '\0' ? " " : "", group, name);
    (void)snprintf(unnamed->hint + hint, sizeof unnamed->hint - hint, "%s%s=FORMAT", comma, name);
    unnamed->count++;
}

static ulp_status_t read_tensors(ulp_case_dataset_t *dataset, size_t count, const char *group,
                                 const char *path, ulp_dtype_list_t *dtype, struct unnamed *unnamed,
                                 ulp_error_t *err)
{
    for (size_t i = 0; i < count; i++) {
        size_t size = strlen(path) + strlen(group) + strlen(dataset[i].name) + 8;
        char *location = malloc(size);
        if (location == NULL) {
            return out_of_memory(path, err);
        }
        (void)snprintf(location, size, "%s:/%s/%s", path, group, dataset[i].name);
        /* The first message is kept: with one such dataset it says the most. */
        ulp_error_t local = {0};
        ulp_status_t status =
            ulp_tensor_read(&dataset[i].tensor, location,
                            ulp_dtype_list_find(dtype, group, dataset[i].name), &local);
        free(location);
        if (status == ULP_ERROR_AMBIGUOUS) {
            if (unnamed->count == 0 && err != NULL) {
                *err = local;
            }
            note_unnamed(unnamed, group, dataset[i].name);
        } else if (status != ULP_OK) {
            if (err != NULL) {
                *err = local;
            }
            return status;
        }
    }
    return ULP_OK;
}

static ulp_status_t read_all_tensors(ulp_case_t *c, const char *dtype, ulp_error_t *err)
{
    struct unnamed unnamed = {0};
    ulp_dtype_list_t list = {0};
    ulp_status_t status = ulp_dtype_list_parse(&list, dtype, err);
    for (size_t i = 0; i < c->ninputs && status == ULP_OK; i++) {
        (void)ulp_dtype_list_find(&list, "inputs", c->input[i].name);
    }
    for (size_t i = 0; i < c->noutputs && status == ULP_OK; i++) {
        (void)ulp_dtype_list_find(&list, "outputs", c->output[i].name);
    }
    if (status == ULP_OK) {
        status = ulp_dtype_list_check(&list, c->path, err);
    }
    if (status == ULP_OK) {
        status = read_tensors(c->input, c->ninputs, "inputs", c->path, &list, &unnamed, err);
    }
    if (status == ULP_OK) {
        status = read_tensors(c->output, c->noutputs, "outputs", c->path, &list, &unnamed, err);
    }
    if (status == ULP_OK && unnamed.count == 1) {
        status = ULP_ERROR_AMBIGUOUS;
    } else if (status == ULP_OK && unnamed.count > 1) {
        status = ulp_error_set(err, ULP_ERROR_AMBIGUOUS,
                               "%s: no format for %s: give each an attribute dtype, or --dtype %s "
                               "(\"ulpscope formats\" lists the names)",
                               c->path, unnamed.names, unnamed.hint);
    }
    ulp_dtype_list_free(&list);
    return status;
}

ulp_status_t ulp_case_read(ulp_case_t *out, const char *path, const char *dtype, ulp_error_t *err)
{
    ULP_ASSERT(out != NULL && path != NULL);
    ulp_case_t c = {.path = (char *)path}; /* borrowed until all is read */
    ulp_hdf5_voice_t voice = ulp_hdf5_silence();
    hid_t file = H5I_INVALID_HID;
    ulp_status_t status = ulp_case_hdf5_open(&file, path, err);
    if (status == ULP_OK) {
        status = read_root(&c, file, err);
        if (status == ULP_OK) {
            status = read_group(&c.input, &c.ninputs, file, "inputs", path, err);
        }
        if (status == ULP_OK) {
            status = read_group(&c.output, &c.noutputs, file, "outputs", path, err);
        }
        /* Closed before the tensors are read: the reader opens the file in its own way. */
        H5Fclose(file);
    }
    if (status == ULP_OK) {
        status = check_inputs(&c, err);
    }
    if (status == ULP_OK) {
        status = read_all_tensors(&c, dtype, err);
    }
    ulp_hdf5_speak(&voice);
    c.path = status == ULP_OK ? copy_text(path) : NULL;
    if (status == ULP_OK && c.path == NULL) {
        status = out_of_memory(path, err);
    }
    if (status != ULP_OK) {
        ulp_case_free(&c);
        return status;
    }
    *out = c;
    return ULP_OK;
}
