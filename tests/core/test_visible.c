#include "tests/support/test_support.h"

#include "core/json.h"
#include "core/utf8.h"

TEST(test_visible__what_steers_is_shown)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        { "plain \xce\xb1\xe4\xb8\xad", "plain \xce\xb1\xe4\xb8\xad" },
        { "\x1b]0;title\x07", "<U+001B>]0;title<U+0007>" },
        { "a\nb\tc\rd", "a\nb\tc<U+000D>d" },
        { "\x7f", "<U+007F>" },
        { "\xc2\x9b"
          "31m",
          "<U+009B>31m" },
        { "\xe2\x80\xae\xe2\x81\xa6\xd8\x9c", "<U+202E><U+2066><U+061C>" },
        { "\x9b"
          "31m\xff",
          "\xef\xbf\xbd"
          "31m\xef\xbf\xbd" }, /* no UTF-8: C1 in one byte */
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *shown = tg_visible(cases[i].text, "\n\t");

        assert_string_equal(shown, cases[i].shown);
    }
}

/* JSON says the same in escapes, and reads back to the same text. */
TEST(test_visible__json_escapes_what_steers)
{
    const char *text =
        "\x1b[31m\x7f\xc2\x9b\xe2\x80\xae\xe2\x81\xa9\xd8\x9c \xce\xb1\xe2\x89\xa4\xe2\x80\xa8";
    g_autoptr(GString) out = g_string_new("\x7f:");
    json_auto_t *value = json_string(text);

    tg_json_append(out, value);
    assert_string_equal(out->str, "\x7f:\"\\u001B[31m\\u007F\\u009B\\u202E\\u2069\\u061C "
                                  "\xce\xb1\xe2\x89\xa4\\u2028\"");
    json_auto_t *again = json_loads(out->str + 2, JSON_DECODE_ANY, NULL);
    assert_string_equal(json_string_value(again), text);
}
