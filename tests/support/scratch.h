/* Folders and files of a test. */
#pragma once

#include "tests/support/test_support.h"

#include <glib/gstdio.h>

/** A new, empty folder, to be removed with test_scratch_free(). */
char *test_scratch_new(void);

/** Remove the folder with all that is in it; frees @folder. */
void test_scratch_free(char *folder);

/** Set-up and tear-down of a group of tests: *@state is a scratch folder. */
int test_make_scratch(void **state);
int test_remove_scratch(void **state);

/** Write @text to @name in the scratch folder *@state; missing folders of @name are made. */
void test_write_file(void **state, const char *name, const char *text);
