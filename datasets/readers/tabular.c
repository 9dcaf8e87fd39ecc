/*
 * Formats with a row on each line. CSV and TSV have a header and cells between delimiters; captions
 * (CROHME, HME100K, CAN) are id, tab or blanks, and formula, lists (UniMERNet, im2latex) a formula
 * alone, the empty line being the empty formula. Which one a file is, is decided by most of its
 * lines: an odd one is a faulty row.
 */
#include "core/number.h"
#include "datasets/readers/reader.h"

#include <string.h>
#include <unistd.h>

#include <csv.h>

#include "core/fail.h"

typedef struct Table Table;

/* The reader of a table with a header. */
struct Table {
    TgReader base;
    /* Reads the next row into @cells; @out has its line, and a fault if the row is broken. */
    TgNext (*read_cells)(Table *self, TgRecord *out, GError **error);
    json_t *cells; /* of the last row: texts, or null for what is no text */
    char **names;  /* of the columns, stripped */
    guint n_names;

    struct csv_parser parser; /* of CSV; the rest is for it, too */
    gboolean row_ended;
};

static void add_cell(Table *self, const char *text, gsize n)
{
    json_array_append_new(self->cells, g_utf8_validate_len(text, n, NULL)
                                           ? json_stringn_nocheck(text, n)
                                           : json_null());
}

/* ---- the header ---- */

/* Whether a header with the cells of the first line would be understood. */
static gboolean header_is_known(const TgSniff *sniff, const char *separator)
{
    g_auto(GStrv) names = g_strsplit(sniff->line, separator, -1);

    if (names[0] == NULL || names[1] == NULL)
        return FALSE;
    for (guint i = 0; names[i] != NULL; i++) {
        char *name = g_strstrip(names[i]);
        const gsize n = strlen(name);

        if (n > 1 && name[0] == '"' && name[n - 1] == '"') {
            name[n - 1] = '\0';
            name++;
        }
        if (tg_field_map_knows(sniff->fields, sniff->side, name))
            return TRUE;
    }
    return FALSE;
}

/* The cells of the last row by the names of their columns; of a broken row, those that could be
 * read. (transfer full) */
static json_t *row_object(const Table *self)
{
    json_t *object = json_object(), *cell;
    gsize i;

    json_array_foreach(self->cells, i, cell)
    {
        if (i < self->n_names && json_is_string(cell))
            json_object_set_nocheck(object, self->names[i], cell);
    }
    return object;
}

/* Whether the last row has the names of the columns in its cells, as files joined by cat have. */
static gboolean is_header_again(const Table *self)
{
    gboolean same = json_array_size(self->cells) == self->n_names;

    for (guint i = 0; same && i < self->n_names; i++) {
        g_autofree char *cell = g_strdup(json_string_value(json_array_get(self->cells, i)));

        same = cell != NULL && strcmp(g_strstrip(cell), self->names[i]) == 0;
    }
    return same;
}

/* Sample the rows at the beginning of the file, because values tell which column is which. stdin is
 * not sampled, because it would wait. */
static TgFieldSample *table_sample(Table *self, GError **error)
{
    const TgReader *reader = &self->base;
    g_autoptr(TgFieldSample) sample = tg_field_sample_new();
    const gboolean is_stdin = reader->stream->fd == STDIN_FILENO;
    const char *text = "";
    gboolean whole = TRUE;
    gsize len = 0;

    for (guint i = 0; i < self->n_names; i++)
        tg_field_sample_add_name(sample, self->names[i]);
    if (!is_stdin && !tg_stream_peek(reader->stream, &text, &len, &whole, error))
        return NULL;
    while (!whole && len > 0 && text[len - 1] != '\n')
        len--; /* the rest of this line is not in sight */
    g_autoptr(TgStream) rows =
        tg_stream_open_bytes(reader->stream->name, text, len, reader->stream->max_line);
    g_auto(TgRecord) record = { .file = reader->stream->name };
    TgStream *stream = self->base.stream;
    self->base.stream = rows;
    for (guint row = 0; row < TG_READER_SAMPLE; row++) {
        if (self->read_cells(self, &record, NULL) != TG_NEXT_ROW)
            break;
        const gboolean is_broken = record.fault != NULL ||
                                   json_array_size(self->cells) != self->n_names ||
                                   is_header_again(self);
        g_clear_pointer(&record.fault, g_free);
        if (is_broken)
            continue;
        json_auto_t *object = row_object(self);
        tg_field_sample_add(sample, object);
    }
    self->base.stream = stream;
    return g_steal_pointer(&sample);
}

/* Fault a header with a formula for a name, because then the first line is a row and the file has
 * no header. */
static void check_header(const Table *self, TgRecord *header)
{
    if (self->n_names == 1 && strchr(self->names[0], '|') != NULL)
        tg_record_set_fault(header, "the columns are separated by |, which formulas have in them; "
                                    "separate them by commas, semicolons or tabs");
    for (guint i = 0; i < self->n_names; i++)
        if (strpbrk(self->names[i], "\\{}^$") != NULL)
            tg_record_set_fault(header,
                                "the first line is no header with the names of the columns ('%s'); "
                                "write one, such as 'id,gt,pred'",
                                self->names[i]);
}

/* Read the header, and decide which column is which; a formula without a column would lack in every
 * row. */
static gboolean read_header(Table *self, GError **error)
{
    TgReader *reader = &self->base;
    g_auto(TgRecord) header = { .file = reader->stream->name };
    g_autofree char *reason = NULL;

    self->cells = json_array();
    const TgNext next = self->read_cells(self, &header, error);
    if (next == TG_NEXT_ERROR)
        return FALSE;
    if (next == TG_NEXT_END) {
        header.line = reader->stream->line + 1;
        tg_record_set_fault(&header, "the file ends before a header with the names of the columns");
    }
    self->n_names = header.fault == NULL ? (guint) json_array_size(self->cells) : 0;
    self->names = g_new0(char *, self->n_names + 1);
    for (guint i = 0; i < self->n_names; i++)
        self->names[i] = g_strstrip(g_strdup(json_string_value(json_array_get(self->cells, i))));
    check_header(self, &header);
    if (header.fault != NULL)
        return tg_fail_input(error, "%s", header.fault);
    TgFieldSample *sample = table_sample(self, error);
    if (sample == NULL || !tg_reader_decide(reader, sample, header.line, error))
        return FALSE;
    for (guint role = 0; role < TG_N_ROLES; role++) /* all rows have the same columns */
        g_clear_pointer(&reader->roles.others[role], g_strfreev);
    return tg_field_map_check(reader->fields, reader->side, &reader->roles, self->names, &reason) ||
           tg_fail_input(error, "%s:%" G_GSIZE_FORMAT ": %s", reader->stream->name, header.line,
                         reason);
}

/* ---- rows ---- */

static TgNext table_next(TgReader *reader, TgRecord *out, GError **error)
{
    Table *self = (Table *) reader;
    const TgNext next = self->read_cells(self, out, error);
    const guint n_cells = (guint) json_array_size(self->cells);

    if (next != TG_NEXT_ROW || (out->fault != NULL && reader->klass == &tg_reader_tsv))
        return next; /* the line of a TSV with a fault was not split */
    if (n_cells != self->n_names)
        tg_record_set_fault(out, "%u column%s, and the header has %u", n_cells, tg_plural(n_cells),
                            self->n_names);
    if (is_header_again(self))
        tg_record_set_fault(out, "the line is the header once more; delete it");
    json_auto_t *row = row_object(self);
    tg_row_fill(reader->fields, reader->side, &reader->roles, row, TRUE, out);
    return TG_NEXT_ROW;
}

static void table_close(TgReader *reader)
{
    Table *self = (Table *) reader;

    csv_free(&self->parser);
    json_decref(self->cells);
    g_strfreev(self->names);
}

/*
 * ---- CSV ----
 *
 * Quoting is as in RFC 4180 (libcsv, strict). libcsv gets one line at a time, so the line of every
 * row is known, a quote that is never closed cannot take more than the limit, and a broken row
 * costs no other.
 */

static gboolean csv_sniff(const TgSniff *sniff)
{
    return strcmp(sniff->suffix, "csv") == 0 || header_is_known(sniff, ",") ||
           header_is_known(sniff, ";");
}

/* Spaces belong to a cell (RFC 4180). */
static int is_no_space(unsigned char c)
{
    (void) c;
    return 0;
}

/* The stream has removed CR before LF; any other CR is a character. */
static int is_line_feed(unsigned char c)
{
    return c == '\n';
}

static void on_cell(void *text, size_t n, void *data)
{
    add_cell(data, text, n);
}

static void on_row(int end, void *data)
{
    (void) end;
    ((Table *) data)->row_ended = TRUE;
}

/* Feed one line to libcsv; what it refuses becomes the row's fault. */
static void parse_line(Table *self, const char *line, gsize n, TgRecord *out)
{
    gsize at = csv_parse(&self->parser, line, n, on_cell, on_row, self);

    if (at == n)
        at += csv_parse(&self->parser, "\n", 1, on_cell, on_row, self);
    if (at == n + 1)
        return;
    tg_record_set_fault(out,
                        "byte %" G_GSIZE_FORMAT " of line %" G_GSIZE_FORMAT
                        ": a quote inside a cell that is not quoted, or text after a closing one",
                        at + 1, self->base.stream->line);
    self->row_ended = TRUE;
}

static TgNext csv_read_cells(Table *self, TgRecord *out, GError **error)
{
    TgStream *stream = self->base.stream;
    const gsize limit = stream->max_line;
    gsize first = 0, taken = 0;

    csv_fini(&self->parser, NULL, NULL, NULL);
    json_array_clear(self->cells);
    for (self->row_ended = FALSE; !self->row_ended;) {
        char *line;
        gsize n = 0;
        const TgLineStatus status = tg_stream_read_line(stream, &line, &n, error);

        if (status == TG_LINE_ERROR)
            return TG_NEXT_ERROR;
        if (status == TG_LINE_END && first == 0)
            return TG_NEXT_END;
        if (status == TG_LINE_READ && n == 0 && first == 0)
            continue; /* a blank line between rows */
        if (first == 0)
            out->line = first = stream->line;
        if (status == TG_LINE_END) {
            tg_record_set_fault(out, "a quote is not closed before the end of the file");
            break;
        }
        taken += n + 1;
        if (status == TG_LINE_TOO_LONG || taken > limit + 1) {
            tg_record_set_fault(out, "the row is longer than %" G_GSIZE_FORMAT " bytes", limit);
            break;
        }
        tg_reader_check_text(&self->base, line, n, out);
        parse_line(self, line, n, out);
    }
    return TG_NEXT_ROW;
}

/* Semicolons or tabs separate cells where the header has more of them than commas. */
static gboolean csv_open(TgReader *reader, GError **error)
{
    static const char separators[] = ",;\t";
    Table *self = (Table *) reader;
    guint counts[sizeof separators] = { 0 }, best = 0;
    const char *text;
    gboolean whole;
    gsize len, i = 0;
    char *line;

    if (!tg_stream_peek(reader->stream, &text, &len, &whole, error))
        return FALSE;
    while (i < len && g_ascii_isspace(text[i]))
        i++;
    const gboolean is_told = len - i > 5 && memcmp(text + i, "sep=", 4) == 0 && /* to Excel */
                             strchr(separators, text[i + 4]) != NULL && text[i + 4] != '\0' &&
                             g_ascii_isspace(text[i + 5]);
    if (is_told) {
        best = (guint) (strchr(separators, text[i + 4]) - separators);
        if (tg_stream_read_line(reader->stream, &line, &len, error) != TG_LINE_READ)
            return FALSE;
        len = 0;
    }
    for (; i < len && text[i] != '\n'; i++)
        for (guint k = 0; separators[k] != '\0'; k++)
            counts[k] += text[i] == separators[k];
    for (guint k = 1; separators[k] != '\0'; k++)
        if (counts[k] > counts[best])
            best = k;
    if (csv_init(&self->parser, CSV_STRICT) != 0)
        g_error("libcsv cannot start"); /* only without memory */
    csv_set_space_func(&self->parser, is_no_space);
    csv_set_term_func(&self->parser, is_line_feed);
    csv_set_delim(&self->parser, (guchar) separators[best]);
    self->read_cells = csv_read_cells;
    return read_header(self, error);
}

const TgReaderClass tg_reader_csv = {
    .name = "csv",
    .sniff = csv_sniff,
    .size = sizeof(Table),
    .open = csv_open,
    .next = table_next,
    .close = table_close,
};

/* The next line that is not empty. */
static TgNext read_full_line(TgReader *reader, TgRecord *out, char **line, gsize *n, GError **error)
{
    TgNext next;

    do {
        next = tg_reader_read_line(reader, out, line, n, error);
    } while (next == TG_NEXT_ROW && *line != NULL && *n == 0);
    return next;
}

/* ---- captions: id, tab or blanks, and formula, without a header ---- */

/* Whether a word of @n bytes has letters, digits and joints, as "18_em_0" and "RIT_2014_2". */
static gboolean is_joined_name(const char *word, gsize n)
{
    gsize n_digits = 0, n_joints = 0, n_letters = 0;

    for (gsize i = 0; i < n; i++) {
        n_digits += g_ascii_isdigit(word[i]);
        n_letters += g_ascii_isalpha(word[i]);
        n_joints += word[i] == '_' || word[i] == '-';
    }
    return n >= 5 && n_digits > 0 && n_joints > 0 && n_letters >= 2 && word[0] != '.';
}

/* How many bytes of the line [@line, @end) are an id: what stands before its only tab, or a word of
 * the form NAME.png before a blank or a colon, or where they may be @bare a joined name before a
 * blank. 0: there is none. @rest: (out) the formula. */
static gsize caption_id(const char *line, const char *end, gboolean bare, const char **rest)
{
    const char *tab = memchr(line, '\t', (gsize) (end - line)), *stop = tab;
    gsize n;

    if (tab == NULL) {
        for (stop = line; stop < end && *stop != ' '; stop++)
            ;
        if (stop == end)
            return 0;
        n = (gsize) (stop - line);
        if (n > 0 && strchr(":,;", line[n - 1]) != NULL)
            n--;
        if (n == 0 || (tg_look_stem(line, n) == n && !(bare && is_joined_name(line, n))))
            return 0;
    } else {
        if (tab == line || memchr(tab + 1, '\t', (gsize) (end - tab) - 1) != NULL)
            return 0;
        n = (gsize) (tab - line);
    }
    /* "images\18_em_0.png" is a path of Windows */
    const gboolean is_path = line[0] != '\\' && tg_look_stem(line, n) < n;
    for (gsize i = 0; i < n; i++)
        if (strchr("{}^$ ", line[i]) != NULL || (line[i] == '\\' && !is_path))
            return 0;
    *rest = stop + 1;
    return n;
}

/* Counts of the lines read so far, by kind. */
typedef struct {
    guint n; /* that are not empty */
    guint n_captions;
    guint n_numbers; /* captions that are a name, a blank and a number */
    guint n_bare;    /* with a joined name before a blank; no two are the same */
    guint n_tabs;    /* with as many tabs as the first that has some */
    guint tabs;      /* in that one */
    guint n_named;   /* that begin with a name or a number, and a sign after it */
    guint n_counted; /* that begin with the number after that of the line before: "3. " */
} Lines;

/* Whether a line begins with what is no formula: "img_1.png,", "18_em_0 ", "12: ". */
static gboolean begins_with_name(const char *line, const char *end)
{
    gsize n = 0, n_digits = 0;

    while (line + n < end && strchr(" ,|:;", line[n]) == NULL && line[n] != '\0') {
        if (strchr("\\{}^$=+()", line[n]) != NULL)
            return FALSE;
        n_digits += g_ascii_isdigit(line[n]);
        n++;
    }
    if (n == 0 || line + n + 1 >= end)
        return FALSE;
    if (end - line > 6 && memcmp(end - 6, " basic", 6) == 0)
        return TRUE; /* the index of im2latex: number, name, kind */
    if (n_digits == n)
        return line[n] == ':' || line[n] == '|';
    if (n == 10 && n_digits == 8 && line[4] == '-' && line[7] == '-')
        return TRUE; /* the date of a log */
    return tg_look_stem(line, n) < n || is_joined_name(line, n);
}

static gboolean is_whole_number(const char *text, const char *end)
{
    while (end > text && g_ascii_isspace(end[-1]))
        end--;
    for (const char *c = text; c < end; c++)
        if (!g_ascii_isdigit(*c))
            return FALSE;
    return text < end;
}

/* The number of a line of a numbered list, "3. ", "3) ", "[3] ", plus 1; 0: it has none. "(3) " is
 * told by TG_SIGN_PROSE. */
static guint item_number(const char *line, const char *end)
{
    guint number = 0;

    line += line < end && *line == '[';
    for (; line < end && g_ascii_isdigit(*line) && number < G_MAXUINT / 20; line++)
        number = 10 * number + (guint) (*line - '0');
    return end - line > 2 && strchr(".)]", *line) != NULL && line[1] == ' ' ? number + 1 : 0;
}

static Lines count_lines(const TgSniff *sniff)
{
    const char *end = sniff->text + sniff->len, *lf, *rest;
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Lines lines = { 0 };
    guint number = 0;

    for (const char *line = sniff->text; line < end; line = lf + 1) {
        guint tabs = 0;

        lf = memchr(line, '\n', (gsize) (end - line));
        if (lf == NULL) {
            if (!sniff->whole && lines.n > 0)
                break; /* the rest of this line is not in sight */
            lf = end;
        }
        if (line == lf || line[0] == '\r')
            continue;
        lines.n++;
        const gsize n_id = caption_id(line, lf, TRUE, &rest);
        const gboolean is_caption = caption_id(line, lf, FALSE, &rest) > 0;
        lines.n_captions += is_caption;
        lines.n_numbers += is_caption && rest[-1] == ' ' && is_whole_number(rest, lf);
        lines.n_bare += n_id > 0 && g_hash_table_add(names, g_strndup(line, n_id));
        lines.n_named += begins_with_name(line, lf);
        const guint before = number;
        number = item_number(line, lf);
        lines.n_counted += number > 0 && (lines.n == 1 || number == before + 1);
        for (const char *c = line; c < lf; c++)
            tabs += *c == '\t';
        if (lines.tabs == 0)
            lines.tabs = tabs;
        lines.n_tabs += tabs > 0 && tabs == lines.tabs;
    }
    return lines;
}

static gboolean lines_are_captions(const Lines *lines)
{
    return lines->n_captions > 0 && 2 * lines->n_captions >= lines->n;
}

/* Formulas that all begin with a word of their own as names are, 18_em_0, are captions. */
static gboolean lines_are_bare(const Lines *lines)
{
    return lines->n_bare >= 3 && 10 * lines->n_bare >= 9 * lines->n;
}

/* ---- TSV: only whole cells are quoted, as pandas and Excel do; LaTeX contains quotes ---- */

static gboolean tsv_sniff(const TgSniff *sniff)
{
    if (strchr(sniff->line, '\t') == NULL)
        return FALSE;
    const Lines lines = count_lines(sniff);
    return header_is_known(sniff, "\t") ||
           (strcmp(sniff->suffix, "tsv") == 0 && !lines_are_captions(&lines));
}

/* The end of the quoted cell at @from; NULL: it is none. Quotes inside are doubled. */
static char *quoted_end(char *from, const char *end)
{
    for (char *c = from + 1; c < end; c++) {
        if (*c != '"')
            continue;
        if (c + 1 < end && c[1] == '"')
            c++;
        else
            return c + 1 == end || c[1] == '\t' ? c : NULL;
    }
    return NULL;
}

/* The cells of a line with a fault are not split. */
static TgNext tsv_read_cells(Table *self, TgRecord *out, GError **error)
{
    char *line;
    gsize n;
    const TgNext next = read_full_line(&self->base, out, &line, &n, error);

    json_array_clear(self->cells);
    if (next != TG_NEXT_ROW || line == NULL)
        return next;
    for (char *from = line, *end = line + n, *tab; from != NULL;
         from = tab != NULL ? tab + 1 : NULL) {
        char *close = *from == '"' ? quoted_end(from, end) : NULL;
        gsize n_cell;

        if (close != NULL) {
            char *to = from;

            for (const char *c = from + 1; c < close; c++) {
                *to++ = *c;
                c += *c == '"';
            }
            n_cell = (gsize) (to - from);
            tab = close + 1 < end ? close + 1 : NULL;
        } else {
            tab = memchr(from, '\t', (gsize) (end - from));
            n_cell = (gsize) ((tab != NULL ? tab : end) - from);
        }
        add_cell(self, from, n_cell);
    }
    return TG_NEXT_ROW;
}

static gboolean tsv_open(TgReader *reader, GError **error)
{
    ((Table *) reader)->read_cells = tsv_read_cells;
    return read_header((Table *) reader, error);
}

const TgReaderClass tg_reader_tsv = {
    .name = "tsv",
    .sniff = tsv_sniff,
    .size = sizeof(Table),
    .open = tsv_open,
    .next = table_next,
    .close = table_close,
};

typedef struct {
    TgReader base;
    gboolean bare; /* ids have no extension, and a blank after them */
} Captions;

static gboolean captions_sniff(const TgSniff *sniff)
{
    const Lines lines = count_lines(sniff);
    /* of im2latex, "NAME.png 17": line 17 of another file */
    const gboolean are_indices = lines.n_numbers >= 3 && lines.n_numbers == lines.n_captions;

    return !are_indices && (lines_are_captions(&lines) || lines_are_bare(&lines));
}

static gboolean captions_open(TgReader *self, GError **error)
{
    TgSniff sniff = { 0 };

    if (self->stream->fd == STDIN_FILENO)
        return TRUE;
    if (!tg_stream_peek(self->stream, &sniff.text, &sniff.len, &sniff.whole, error))
        return FALSE;
    const Lines lines = count_lines(&sniff);
    ((Captions *) self)->bare = lines_are_bare(&lines);
    return TRUE;
}

static TgNext captions_next(TgReader *self, TgRecord *out, GError **error)
{
    char *line;
    const char *rest;
    gsize n;
    const TgNext next = read_full_line(self, out, &line, &n, error);

    if (next != TG_NEXT_ROW || line == NULL)
        return next;
    const gsize n_id = caption_id(line, line + n, ((Captions *) self)->bare, &rest);
    if (n_id == 0) {
        tg_record_set_fault(out, memchr(line, '\t', n) != NULL && line[0] != '\t'
                                     ? "the line has more than an id, a tab and a formula"
                                     : "the line does not begin with an id and a tab");
        return TG_NEXT_ROW;
    }
    out->id = g_strndup(line, n_id);
    tg_row_take_formula(self->fields, self->side, rest, (gsize) (line + n - rest), out);
    return TG_NEXT_ROW;
}

const TgReaderClass tg_reader_captions = {
    .name = "captions",
    .sniff = captions_sniff,
    .size = sizeof(Captions),
    .open = captions_open,
    .next = captions_next,
};

/* ---- lists: a formula on each line ---- */

/* Any text can be one, unless most of its lines have cells, or names before the formulas, or all
 * are numbered. */
static gboolean list_sniff(const TgSniff *sniff)
{
    const Lines lines = count_lines(sniff);

    return (lines.n_tabs < 2 || 2 * lines.n_tabs < lines.n) &&
           (lines.n_named < 3 || 10 * lines.n_named < 9 * lines.n) &&
           (lines.n_counted < 3 || lines.n_counted < lines.n);
}

/* Whether a first line is "%NAME" of the file itself, as HMER programs (BTTR, CoMER, TAMER) write
 * it before the formula of NAME.txt. */
static gboolean is_own_name(const TgReader *self, const char *line)
{
    g_autofree char *base = g_path_get_basename(self->stream->name);
    const gsize n = line[0] == '%' ? strlen(line + 1) : 0;

    return n > 0 && g_str_has_prefix(base, line + 1) && (base[n] == '.' || base[n] == '\0');
}

/* The formula of a file that is one: @line and all that follow. */
static TgNext take_whole(TgReader *self, const char *line, gsize n, TgRecord *out, GError **error)
{
    g_autoptr(GString) text = g_string_new_len(line, (gssize) n);
    const gsize first = out->line;
    TgNext next;
    char *more;

    while ((next = tg_reader_read_line(self, out, &more, &n, error)) == TG_NEXT_ROW && more != NULL)
        g_string_append_printf(text, "\n%s", more);
    out->line = first;
    tg_row_take_formula(self->fields, self->side, text->str, text->len, out);
    return next == TG_NEXT_ERROR ? next : TG_NEXT_ROW;
}

static TgNext list_next(TgReader *self, TgRecord *out, GError **error)
{
    char *line;
    gsize n;
    TgNext next = tg_reader_read_line(self, out, &line, &n, error);

    if (next == TG_NEXT_ROW && line != NULL && out->line == 1 && is_own_name(self, line)) {
        g_autofree char *name = g_strdup(line + 1);

        next = tg_reader_read_line(self, out, &line, &n, error);
        if (next == TG_NEXT_ROW && line != NULL)
            out->id = g_steal_pointer(&name);
    }
    if (next != TG_NEXT_ROW || line == NULL)
        return next;
    if (self->whole)
        return take_whole(self, line, n, out, error);
    tg_row_take_formula(self->fields, self->side, line, n, out);
    return next;
}

const TgReaderClass tg_reader_list = {
    .name = "list",
    .sniff = list_sniff,
    .size = sizeof(TgReader),
    .next = list_next,
};
