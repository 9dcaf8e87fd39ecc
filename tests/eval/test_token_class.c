#include "tests/support/test_support.h"

#include <string.h>

#include "eval/report/token_class.h"

static void test_token_class__examples(void **state)
{
    static const struct {
        const char *token;
        const char *name;
    } cases[] = {
        { "x", "letter" },
        { "Z", "letter" },
        { "\xd0\xb6", "letter" },
        { "7", "digit" },
        { "\\alpha", "Greek letter" },
        { "\\Gamma", "Greek letter" },
        { "\\varepsilon", "Greek letter" },
        { "\xce\xb2", "Greek letter" },
        { "+", "binary operator" },
        { "\\times", "binary operator" },
        { "=", "relation" },
        { "\\leq", "relation" },
        { "\\sum", "big operator" },
        { "\\int", "big operator" },
        { "\\sin", "function" },
        { "\\lim", "function" },
        { "(", "delimiter" },
        { "\\rangle", "delimiter" },
        { "\\left", "delimiter" },
        { ",", "punctuation" },
        { "\\hat", "accent" },
        { "^", "script (^ _)" },
        { "_", "script (^ _)" },
        { "{", "group ({})" },
        { "}", "group ({})" },
        { "\\infty", "other symbol" },
        { "\\frac", "command" },
        { "\\mathbf", "command" },
        { "&", "command" },
        { "\\\\", "command" },
        { "\\unknown", "command" },
        { "\xe4\xb8\xad", "letter" },
        { "\xf0\x9f\x98\x80", "other" },
    };

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *name =
            tg_token_class_name(tg_token_class(cases[i].token, strlen(cases[i].token)));

        if (strcmp(name, cases[i].name) != 0)
            fail_msg("%s is '%s', not '%s'", cases[i].token, name, cases[i].name);
    }
    assert_int_equal(tg_token_class("", 0), TG_TOKEN_OTHER);
    assert_int_equal(tg_token_class("\xff", 1), TG_TOKEN_OTHER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_token_class__examples),
    };
    return cmocka_run_group_tests_name("token_class", tests, NULL, NULL);
}
