#include "datasets/readers/reader.h"

#include <string.h>
#include <unistd.h>

#include "core/fail.h"
#include "datasets/records/formula.h"

/* ---- which format a file has ---- */

/* In the order in which they are asked; the last one accepts any text. */
static const TgReaderClass *const formats[] = {
    &tg_reader_zip, &tg_reader_label_graph, &tg_reader_jsonl,    &tg_reader_json,
    &tg_reader_csv, &tg_reader_tsv,         &tg_reader_captions, &tg_reader_list,
};

#define INKML "an InkML file: ink is not scored; write its label as a row with the name as the id"

/* Files of other kinds, by how they begin, and what to do with each. The first that fits counts. */
static const struct {
    const char *suffix; /* of the name; NULL: any */
    gsize at;
    const char *magic;
    const char *what;
} others[] = {
    { "xlsx", 0, "PK\3\4", "an Excel workbook (xlsx); save the sheet as CSV UTF-8" },
    { "ods", 0, "PK\3\4", "a spreadsheet (ods); save the sheet as CSV UTF-8" },
    { "npz", 0, "PK\3\4", "an archive of NumPy; write its texts as JSON or CSV" },
    { "docx", 0, "PK\3\4", "a Word document; save it as text" },
    { NULL, 0, "PK\5\6", "an empty ZIP archive" },
    { NULL, 257, "ustar", "a tar archive; unpack it and give the file or the folder inside" },
    { NULL, 0, "PAR1",
      "Parquet; Python reads it (texgauge.evaluate), or convert it to JSON lines or CSV" },
    { NULL, 0, "ARROW1",
      "an Arrow file; Python reads it (texgauge.evaluate), or convert it to JSON lines or CSV" },
    { NULL, 0, "\xff\xff\xff\xff", "an Arrow stream; convert it to JSON lines or CSV" },
    { NULL, 0, "\xd0\xcf\x11\xe0", "an old Office file (xls, doc); save it as CSV UTF-8" },
    { NULL, 0, "\x93NUMPY", "an array of NumPy; write its texts as JSON or CSV" },
    { NULL, 0, "SQLite format 3", "an SQLite database; export the table as CSV" },
    { NULL, 0, "\x89HDF", "HDF5; write its texts as JSON or CSV" },
    { NULL, 0, "%PDF-", "PDF; formulas are read as LaTeX" },
    { NULL, 0, "\x89PNG", "a picture; formulas are read as LaTeX" },
    { NULL, 0, "\xff\xd8\xff", "a picture; formulas are read as LaTeX" },
    { NULL, 0, "GIF8", "a picture; formulas are read as LaTeX" },
    { NULL, 0, "BZh", "bzip2 data; decompress it (bunzip2)" },
    { NULL, 0,
      "\xfd"
      "7zXZ",
      "xz data; decompress it (unxz)" },
    { NULL, 0, "7z\xbc\xaf", "a 7z archive; unpack it" },
    { NULL, 0, "Rar!", "a RAR archive; unpack it" },
    { NULL, 0, "\x80\2", "a pickle of Python; write its texts as JSON or CSV" },
    { NULL, 0, "\x80\3", "a pickle of Python; write its texts as JSON or CSV" },
    { NULL, 0, "\x80\4", "a pickle of Python; write its texts as JSON or CSV" },
    { NULL, 0, "\x80\5", "a pickle of Python; write its texts as JSON or CSV" },
    { "inkml", 0, "<", INKML },
};

/* The kind of a file that is no text of formulas; NULL: it may be one. */
static const char *other_kind(const char *suffix, const char *text, gsize len, const char *line)
{
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        if ((others[i].suffix == NULL || strcmp(others[i].suffix, suffix) == 0) &&
            len >= others[i].at + strlen(others[i].magic) &&
            memcmp(text + others[i].at, others[i].magic, strlen(others[i].magic)) == 0)
            return others[i].what;
    if (g_str_has_prefix(line, "<ink"))
        return INKML;
    if (g_str_has_prefix(line, "<?xml") || g_str_has_prefix(line, "<!DOCTYPE") ||
        g_str_has_prefix(line, "<html") || g_str_has_prefix(line, "<math"))
        return strstr(line, "InkML") != NULL || g_strstr_len(text, (gssize) len, "<ink") != NULL
                   ? INKML
                   : "XML or HTML; formulas are read as LaTeX";
    if (g_str_has_prefix(line, "version https://git-lfs.github.com"))
        return "a pointer of Git LFS; fetch the file itself (git lfs pull)";
    return NULL;
}

/* Whether each line of a text but the last goes on in the next one: braces or an environment are
 * open, or rows of an alignment follow each other. */
static gboolean lines_go_on(const char *text)
{
    gint depth = 0;

    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\\') {
            depth += g_str_has_prefix(c, "\\begin{") - g_str_has_prefix(c, "\\end{");
            if (c[1] != '\0')
                c++;
        } else if (*c == '\n') {
            const char *end = c, *next = c + strspn(c, " \t\r\n");

            while (end > text && g_ascii_isspace(end[-1]))
                end--;
            const gboolean row_ends = end - text >= 2 && end[-1] == '\\' && end[-2] == '\\';
            if (depth <= 0 && !row_ends && *next != '&' && !g_str_has_prefix(next, "\\\\"))
                return FALSE;
        } else {
            depth += (*c == '{') - (*c == '}');
        }
    }
    return depth == 0;
}

/* Whether a whole file is one formula over several lines. */
static gboolean is_one_formula(const TgSniff *sniff)
{
    enum { MOST = 1 << 16 }; /* bytes */

    if (!sniff->whole || sniff->len > MOST || strchr("{[\"'", sniff->line[0]) != NULL)
        return FALSE;
    g_autofree char *text = g_strstrip(g_strndup(sniff->text, sniff->len));
    gsize inner;

    if (strchr(text, '\n') == NULL || strchr(text, '\t') != NULL)
        return FALSE;
    return lines_go_on(text) || (tg_delimiters_strip(text, strlen(text), &inner) != text &&
                                 strstr(text, "\n\n") == NULL);
}

/* Whether a whole file is one line of a formula, between delimiters or without words. */
static gboolean is_one_line(const TgSniff *sniff)
{
    g_autofree char *text = g_strstrip(g_strndup(sniff->text, sniff->len));

    return sniff->whole && strchr(text, '\n') == NULL &&
           tg_look_of(text, strlen(text)) == TG_LOOK_FORMULA && strchr("#-*>", text[0]) == NULL &&
           (tg_signs_of(text, strlen(text), TRUE) & TG_SIGN_PROSE) == 0;
}

/* The first line that is not blank, without the blanks at its ends. (transfer full) */
static char *first_line(const char *text, gsize len)
{
    const char *end = text + len;

    while (text < end && g_ascii_isspace(*text))
        text++;
    const char *lf = memchr(text, '\n', (gsize) (end - text));
    return g_strchomp(g_strndup(text, (gsize) ((lf != NULL ? lf : end) - text)));
}

static const TgReaderClass *recognize_format(TgStream *stream, const TgFieldMap *fields,
                                             TgFileSide side, gboolean *whole, GError **error)
{
    static const char *const documents[] = { "md", "markdown", "mmd", "tex", "latex", NULL };
    static const char *const packed[] = { ".gz", ".zst", ".zstd" };
    const char *name = stream->name;
    TgSniff sniff = { .fields = fields, .side = side };

    if (!tg_stream_peek(stream, &sniff.text, &sniff.len, &sniff.whole, error))
        return NULL;
    /* the suffix in lower case, without what says that it is compressed */
    g_autofree char *base = g_path_get_basename(name);
    g_autofree char *lower = g_ascii_strdown(base, -1);
    for (guint i = 0; i < G_N_ELEMENTS(packed); i++)
        if (g_str_has_suffix(lower, packed[i])) {
            lower[strlen(lower) - strlen(packed[i])] = '\0';
            break;
        }
    const char *dot = strrchr(lower, '.');
    sniff.suffix = dot != NULL ? dot + 1 : "";
    g_autofree char *line = first_line(sniff.text, sniff.len);
    sniff.line = line;
    const char *other = other_kind(sniff.suffix, sniff.text, sniff.len, line);
    if (other != NULL)
        return tg_null_input(error, "%s: is %s", name, other);
    gsize n_controls = 0;
    for (gsize i = 0; i < sniff.len; i++)
        n_controls += (guchar) sniff.text[i] < 0x20 && !g_ascii_isspace(sniff.text[i]);
    /* more control characters than a text that was damaged */
    if (!tg_reader_zip.sniff(&sniff) && n_controls > 8 + sniff.len / 100)
        return tg_null_input(
            error, "%s: not a text file in a known format (if it is one, name the format)", name);
    const gboolean is_document = g_strv_contains(documents, sniff.suffix);
    *whole =
        side != TG_FILE_PAIRS && (is_one_formula(&sniff) || (is_document && is_one_line(&sniff)));
    if (*whole)
        return &tg_reader_list;
    /* Formulas in running text are no rows: the beginning of a paper, or the name of one. An empty
     * file is an empty answer. */
    if ((is_document && *line != '\0') || g_str_has_prefix(line, "\\documentclass"))
        return tg_null_input(error,
                             "%s: is a document: 'texgauge documents' extracts and pairs its "
                             "formulas (a list of formulas: --format list)",
                             name);
    for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
        if (formats[i]->sniff(&sniff))
            return formats[i];
    return tg_null_input(
        error,
        "%s: the lines are not formulas alone: they have cells separated by tabs, "
        "or begin with names or numbers; write a header with the names of the columns, such "
        "as 'id<tab>gt<tab>pred', or id, tab and formula (a list of formulas all "
        "the same: --format list)",
        name);
}

const char *tg_reader_format_of_rows(const char *text, gsize len)
{
    static const TgReaderClass *const of_rows[] = { &tg_reader_jsonl, &tg_reader_json,
                                                    &tg_reader_csv, &tg_reader_tsv };
    g_autoptr(TgFieldMap) fields = tg_field_map_new(NULL, NULL, NULL, NULL);
    g_autofree char *line = first_line(text, len);
    const TgSniff sniff = { .text = text,
                            .len = len,
                            .whole = TRUE,
                            .suffix = "",
                            .line = line,
                            .fields = fields,
                            .side = TG_FILE_REFERENCES };

    for (guint i = 0; i < G_N_ELEMENTS(of_rows); i++)
        if (of_rows[i]->sniff(&sniff))
            return of_rows[i]->name;
    return NULL;
}

static const TgReaderClass *find_format(const char *format, GError **error)
{
    const char *known[G_N_ELEMENTS(formats) + 1] = { NULL };

    for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
        known[i] = formats[i]->name;
        if (strcmp(known[i], format) == 0)
            return formats[i];
    }
    tg_fail_unknown(error, "format", format, known);
    return NULL;
}

TgReader *tg_reader_open(TgStream *stream, const char *format, const TgFieldMap *fields,
                         TgFileSide side, const char *id_field, GError **error)
{
    g_autoptr(TgStream) owned = stream;
    const gboolean named = format != NULL && strcmp(format, "auto") != 0;
    const gboolean is_stdin = stream->fd == STDIN_FILENO;
    gboolean whole = FALSE;
    const TgReaderClass *klass = named      ? find_format(format, error)
                                 : is_stdin ? &tg_reader_jsonl
                                            : recognize_format(stream, fields, side, &whole, error);

    if (klass == NULL)
        return NULL;
    g_autoptr(TgReader) self = g_malloc0(klass->size);
    self->klass = klass;
    self->whole = whole;
    self->stream = g_steal_pointer(&owned);
    self->fields = fields;
    self->side = side;
    self->id_field = id_field;
    if (klass->open != NULL && !klass->open(self, error))
        return NULL;
    return g_steal_pointer(&self);
}

TgNext tg_reader_next(TgReader *self, TgRecord *out, GError **error)
{
    tg_record_reset(out);
    out->file = self->stream->name;
    out->line = self->stream->line + 1;
    return self->klass->next(self, out, error);
}

void tg_reader_free(TgReader *self)
{
    if (self == NULL)
        return;
    if (self->klass->close != NULL)
        self->klass->close(self);
    tg_stream_free(self->stream);
    tg_roles_clear(&self->roles);
    tg_field_sample_free(self->sample);
    g_free(self);
}

/* ---- the roles of fields ---- */

gboolean tg_reader_decide(TgReader *self, TgFieldSample *sample, gsize line, GError **error)
{
    g_autofree char *reason = NULL, *place = NULL;

    tg_field_sample_free(self->sample);
    self->sample = sample;
    tg_roles_clear(&self->roles);
    /* A pipe may bring the field later. */
    if (line > 0 || self->stream->fd != STDIN_FILENO)
        reason = tg_field_sample_lacks(sample, self->fields, self->side);
    self->decided =
        reason == NULL && tg_roles_decide(self->fields, self->side, sample, self->stream->name,
                                          FALSE, &self->roles, &reason);
    if (self->id_field != NULL && !self->fields->mapped[TG_ROLE_ID]) {
        g_free(self->roles.fields[TG_ROLE_ID]);
        self->roles.fields[TG_ROLE_ID] = g_strdup(self->id_field);
        g_clear_pointer(&self->roles.others[TG_ROLE_ID], g_strfreev);
    }
    if (self->decided)
        return TRUE;
    place = line > 0 ? g_strdup_printf(":%" G_GSIZE_FORMAT, line) : g_strdup("");
    return tg_fail_input(error, "%s%s: %s", self->stream->name, place, reason);
}

char *tg_reader_describe(const TgReader *self, gboolean stems)
{
    const char *no_id = stems ? "name of the file" : self->keyed ? "key" : "line number";

    return self->decided ? tg_roles_describe(self->fields, self->side, &self->roles, no_id) : NULL;
}

/* ---- lines ---- */

gboolean tg_reader_check_text(const TgReader *self, const char *line, gsize n, TgRecord *out)
{
    const char *bad;

    if (g_utf8_validate_len(line, n, &bad))
        return TRUE;
    const gsize number = self->stream->line, at = (gsize) (bad - line) + 1;
    if (*bad == '\0')
        tg_record_set_fault(out, "byte %" G_GSIZE_FORMAT " of line %" G_GSIZE_FORMAT " is NUL", at,
                            number);
    else
        tg_record_set_fault(
            out, "byte %" G_GSIZE_FORMAT " of line %" G_GSIZE_FORMAT " (0x%02X) is not UTF-8", at,
            number, (guint) (guchar) *bad);
    return FALSE;
}

TgNext tg_reader_read_raw(TgReader *self, TgRecord *out, char **line, gsize *n, GError **error)
{
    const TgLineStatus status = tg_stream_read_line(self->stream, line, n, error);

    if (status == TG_LINE_END)
        return TG_NEXT_END;
    if (status == TG_LINE_ERROR)
        return TG_NEXT_ERROR;
    out->line = self->stream->line;
    if (status == TG_LINE_TOO_LONG) {
        *line = NULL;
        tg_record_set_fault(out, "the line is longer than %" G_GSIZE_FORMAT " bytes",
                            self->stream->max_line);
    }
    return TG_NEXT_ROW;
}

TgNext tg_reader_read_line(TgReader *self, TgRecord *out, char **line, gsize *n, GError **error)
{
    const TgNext next = tg_reader_read_raw(self, out, line, n, error);

    if (next == TG_NEXT_ROW && *line != NULL && !tg_reader_check_text(self, *line, *n, out))
        *line = NULL;
    return next;
}
