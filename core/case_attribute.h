/*
 * core/case_attribute.h - attributes of an HDF5 object as text, for the files of core/case_*.c.
 *
 * Nothing here prints: the caller has switched HDF5's own messages off (ulp_hdf5_quiet).
 */
#ifndef ULP_CORE_CASE_ATTRIBUTE_H
#define ULP_CORE_CASE_ATTRIBUTE_H

#include <hdf5.h>
#include <stddef.h>

#include "core/case.h"
#include "core/status.h"

/**
 * All attributes of an open object, by name. Strings and numbers of one element become text;
 * whatever else becomes "(not one string or number)", which no parameter accepts.
 *
 * @param out    allocated here
 * @param where  object, for messages: "x.h5: /inputs/a"
 *
 * Fails: FORMAT (an attribute that cannot be read), MEMORY
 */
ULP_MUST_CHECK ulp_status_t ulp_case_attributes_read(ulp_attribute_t **out, size_t *count,
                                                     hid_t object, const char *where,
                                                     ulp_error_t *err);

/** Free such a list. */
void ulp_case_attributes_free(ulp_attribute_t *attribute, size_t count);

/** Take the attribute `key` out of a list. Returns its value, to be freed, or NULL. */
char *ulp_case_attributes_take(ulp_attribute_t *attribute, size_t *count, const char *key);

/** Give an object an attribute that holds one string of UTF-8. Returns 0, or -1 on failure. */
int ulp_case_attribute_write(hid_t object, const char *key, const char *value);

/**
 * Copy all attributes of one object to another, types and bytes as they are.
 *
 * @param order  flags of H5Pget_attr_creation_order of `from`: their sequence is kept if it is
 * known
 * @return       0 or -1
 */
int ulp_case_attributes_copy(hid_t to, hid_t from, unsigned order);

#endif
