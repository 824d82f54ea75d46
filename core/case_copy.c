/* core/case_copy.c - a case copied object by object, so that what is replaced leaves no hole. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core/case_copy.h"

#include <stdlib.h>
#include <string.h>

#include "core/case_attribute.h"
#include "core/case_hdf5.h"
#include "core/case_image.h"

struct copy {
    const char *path;
    const ulp_case_addition_t *add;
    size_t nadditions;
    ulp_error_t *err;
};

static ulp_status_t fail(const struct copy *copy, const char *group, const char *name)
{
    char reason[200];
    ulp_hdf5_reason(reason, sizeof reason);
    return ulp_error_set(copy->err, ULP_ERROR_FORMAT, "%s: %s%s%s cannot be copied: %s", copy->path,
                         group, group[0] != '\0' ? "/" : "", name, reason);
}

/* Does an addition go into this group (name NULL), or take the place of this member of it? */
static int is_touched(const struct copy *copy, const char *group, const char *name)
{
    for (size_t i = 0; i < copy->nadditions; i++) {
        if (strcmp(copy->add[i].group, group) == 0 &&
            (name == NULL || strcmp(copy->add[i].name, name) == 0)) {
            return 1;
        }
    }
    return 0;
}

/* Soft and external links are copied as links: what they point to may not even be there. */
static int copy_link(hid_t to, hid_t from, const char *name, const H5L_info_t *info)
{
    int result = -1;
    size_t size = info->u.val_size;
    char *value = malloc(size + 1);
    if (value != NULL && H5Lget_val(from, name, value, size, H5P_DEFAULT) >= 0) {
        value[size] = '\0';
        if (info->type == H5L_TYPE_SOFT) {
            result = H5Lcreate_soft(value, to, name, H5P_DEFAULT, H5P_DEFAULT) < 0 ? -1 : 0;
        } else if (info->type == H5L_TYPE_EXTERNAL) {
            const char *file = NULL;
            const char *object = NULL;
            unsigned flags = 0;
            if (H5Lunpack_elink_val(value, size, &flags, &file, &object) >= 0 &&
                H5Lcreate_external(file, object, to, name, H5P_DEFAULT, H5P_DEFAULT) >= 0) {
                result = 0;
            }
        }
    }
    free(value);
    return result;
}

/* Name of member i; NULL when it cannot be had. */
static char *member_name(hid_t group, H5_index_t index, hsize_t i)
{
    ssize_t length = H5Lget_name_by_idx(group, ".", index, H5_ITER_INC, i, NULL, 0, H5P_DEFAULT);
    char *name = length < 0 ? NULL : malloc((size_t)length + 1);
    if (name != NULL && H5Lget_name_by_idx(group, ".", index, H5_ITER_INC, i, name,
                                           (size_t)length + 1, H5P_DEFAULT) < 0) {
        free(name);
        name = NULL;
    }
    return name;
}

/* A group that gets additions: made here, in its place among the members of the root, and filled
 * later. */
static ulp_status_t make_group(const struct copy *copy, hid_t to, hid_t from, const char *name)
{
    hid_t source = H5Gopen2(from, name, H5P_DEFAULT);
    if (source < 0) {
        return ulp_error_set(copy->err, ULP_ERROR_FORMAT, "%s: /%s is not a group", copy->path,
                             name);
    }
    hid_t create = H5Gget_create_plist(source);
    H5Pset_obj_track_times(create, 0);
    hid_t target = H5Gcreate2(to, name, H5P_DEFAULT, create, H5P_DEFAULT);
    ulp_status_t status = target < 0 ? fail(copy, "", name) : ULP_OK;
    H5Gclose(target);
    H5Pclose(create);
    H5Gclose(source);
    return status;
}

/* Member `name` of the root (group "") or of a group there. */
static ulp_status_t copy_member(const struct copy *copy, hid_t to, hid_t from, const char *group,
                                const char *name)
{
    H5L_info_t link;
    if (group[0] != '\0' && is_touched(copy, group, name)) {
        return ULP_OK; /* replaced */
    }
    if (group[0] == '\0' && is_touched(copy, name, NULL)) {
        return make_group(copy, to, from, name);
    }
    if (H5Lget_info(from, name, &link, H5P_DEFAULT) < 0) {
        return fail(copy, group, name);
    }
    if (link.type != H5L_TYPE_HARD) {
        return copy_link(to, from, name, &link) == 0 ? ULP_OK : fail(copy, group, name);
    }
    if (H5Ocopy(from, name, to, name, H5P_DEFAULT, H5P_DEFAULT) < 0) {
        return fail(copy, group, name);
    }
    return ULP_OK;
}

/* Attributes and members of the root (group "") or of a group there, in the order in which they
 * were made if that is known. */
static ulp_status_t copy_members(const struct copy *copy, hid_t to, hid_t from, const char *group)
{
    H5G_info_t info;
    unsigned links = 0;
    unsigned attributes = 0;
    ulp_status_t status = ULP_OK;
    hid_t create = H5Gget_create_plist(from);
    if (H5Pget_link_creation_order(create, &links) < 0 ||
        H5Pget_attr_creation_order(create, &attributes) < 0 || H5Gget_info(from, &info) < 0 ||
        ulp_case_attributes_copy(to, from, attributes) != 0) {
        status = fail(copy, group, "its attributes");
        info.nlinks = 0;
    }
    H5Pclose(create);
    H5_index_t index = (links & H5P_CRT_ORDER_TRACKED) != 0 ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
    for (hsize_t i = 0; i < info.nlinks && status == ULP_OK; i++) {
        char *name = member_name(from, index, i);
        status = name == NULL ? fail(copy, group, "?") : copy_member(copy, to, from, group, name);
        free(name);
    }
    return status;
}

static ulp_status_t fill_group(const struct copy *copy, hid_t to, hid_t from, const char *name)
{
    if (H5Lexists(from, name, H5P_DEFAULT) <= 0) {
        return ULP_OK; /* a new one */
    }
    hid_t source = H5Gopen2(from, name, H5P_DEFAULT);
    hid_t target = H5Gopen2(to, name, H5P_DEFAULT);
    ulp_status_t status =
        source < 0 || target < 0 ? fail(copy, "", name) : copy_members(copy, target, source, name);
    H5Gclose(target);
    H5Gclose(source);
    return status;
}

ulp_status_t ulp_case_copy(hid_t to, hid_t from, const char *path, const ulp_case_addition_t *add,
                           size_t nadditions, ulp_error_t *err)
{
    const struct copy copy = {path, add, nadditions, err};
    hid_t source = H5Gopen2(from, "/", H5P_DEFAULT);
    hid_t target = H5Gopen2(to, "/", H5P_DEFAULT);
    ulp_status_t status =
        source < 0 || target < 0 ? fail(&copy, "", "/") : copy_members(&copy, target, source, "");
    for (size_t i = 0; i < nadditions && status == ULP_OK; i++) {
        int is_first = 1;
        for (size_t j = 0; j < i; j++) {
            is_first = is_first && strcmp(add[i].group, add[j].group) != 0;
        }
        if (is_first) {
            status = fill_group(&copy, to, from, add[i].group);
        }
    }
    H5Gclose(target);
    H5Gclose(source);
    return status;
}
