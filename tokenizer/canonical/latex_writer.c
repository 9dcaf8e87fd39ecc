/* Writing pieces of LaTeX: text, commands, lengths, arguments. */
#include "tokenizer/canonical/latex_writer.h"

#include "tokenizer/tree/tree.h"

void tg_latex_put(TgLatexWriter *self, const char *text)
{
    if (text[0] == '\0')
        return;
    if (self->word_end && g_ascii_isalpha(text[0]))
        g_string_append_c(self->out, ' ');
    g_string_append(self->out, text);
    self->word_end = self->space_end = FALSE;
}

void tg_latex_put_command(TgLatexWriter *self, const char *name)
{
    g_string_append_c(self->out, '\\');
    g_string_append(self->out, name);
    self->word_end = g_ascii_isalpha(name[0]);
    self->space_end = name[0] == ' ';
}

void tg_latex_put_character(TgLatexWriter *self, gunichar code)
{
    char utf8[7];

    utf8[g_unichar_to_utf8(code, utf8)] = '\0';
    tg_latex_put(self, utf8);
}

/* TeX's print_scaled (§103): the shortest decimals that read as the same number again. */
static void put_scaled(GString *out, gint32 value)
{
    gint64 rest = value, delta = 10;

    if (rest < 0) {
        g_string_append_c(out, '-');
        rest = -rest;
    }
    g_string_append_printf(out, "%d", (gint32) (rest / 65536));
    rest = 10 * (rest % 65536) + 5;
    if (rest == 5)
        return;
    g_string_append_c(out, '.');
    do {
        if (delta > 65536)
            rest += 32768 - 50000;
        g_string_append_c(out, (char) ('0' + rest / 65536));
        rest = 10 * (rest % 65536);
        delta *= 10;
    } while (rest > delta);
}

void tg_latex_put_length(TgLatexWriter *self, TgLength length)
{
    static const char *const fils[] = { "", "fil", "fill", "filll" };

    tg_latex_put(self, "");
    self->word_end = FALSE;
    if (length.unit == TG_UNIT_SP)
        g_string_append_printf(self->out, "%d", length.value);
    else
        put_scaled(self->out, length.value);
    g_string_append(self->out, tg_unit_names[length.unit]);
    if (length.fil > 0)
        g_string_append_printf(self->out, " plus 1%s", fils[length.fil]);
}

/* A length without braces, and something behind it that ends it. */
void tg_latex_put_open_length(TgLatexWriter *self, TgLength length)
{
    tg_latex_put_length(self, length);
    tg_latex_put_command(self, "relax");
}

void tg_latex_put_length_argument(TgLatexWriter *self, TgLength length)
{
    tg_latex_put(self, "{");
    tg_latex_put_length(self, length);
    tg_latex_put(self, "}");
}

void tg_latex_put_argument(TgLatexWriter *self, const TgNode *list)
{
    const gint32 stretch = self->stretch;
    const TgSettings *settings = self->settings;

    tg_latex_put(self, "{");
    tg_latex_put_items(self, list);
    tg_latex_put(self, "}");
    self->stretch = stretch;
    self->settings = settings;
}

void tg_latex_put_command_with(TgLatexWriter *self, const char *name, const TgNode *list)
{
    tg_latex_put_command(self, name);
    tg_latex_put_argument(self, list);
}

void tg_latex_put_length_option(TgLatexWriter *self, TgLength length)
{
    tg_latex_put(self, "[");
    tg_latex_put_length(self, length);
    tg_latex_put(self, "]");
}

void tg_latex_put_items(TgLatexWriter *self, const TgNode *list)
{
    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next)
        self->put_node(self, item);
}

void tg_latex_put_settings(TgLatexWriter *self, const TgSettings *settings)
{
    for (guint i = 0; i < TG_N_SETTINGS; i++) {
        const TgLength length = tg_setting(settings, (TgSetting) i);
        const TgLength before = tg_setting(self->settings, (TgSetting) i);

        if (length.value == before.value && length.unit == before.unit)
            continue;
        tg_latex_put_command(self, "setlength");
        tg_latex_put(self, "{");
        tg_latex_put_command(self, tg_setting_names[i]);
        tg_latex_put(self, "}");
        tg_latex_put_length_argument(self, length);
    }
    self->settings = settings;
}
