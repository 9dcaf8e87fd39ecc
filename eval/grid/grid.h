/*
 * Tables of typed cells, and all the forms in which people, papers and programs want them: aligned
 * text, Markdown, LaTeX, HTML, CSV and JSON.
 */
#pragma once

#include <jansson.h>
#include <texgauge/types.h>

/** A table: columns, rows, and how many columns at its left are names. */
typedef struct TgGrid TgGrid;

/** Styles of tables. */
typedef enum {
    TG_GRID_TABLE, /**< aligned text for people */
    TG_GRID_JSON,
    TG_GRID_CSV,
    TG_GRID_MARKDOWN,
    TG_GRID_LATEX, /**< booktabs */
} TgGridStyle;

/** The form of a table and of its numbers; all zero: text, every number with its own decimals. */
typedef struct {
    TgGridStyle style;
    gboolean percent; /**< shares (tg_grid_share()) from 0 to 100, with a % in their headings */
    gboolean fixed;   /**< every number but counts and p-values has @digits decimals */
    gint digits;      /**< 0 to 15 */
    guint width;      /**< of a terminal, which aligned text keeps to; 0: no limit */
} TgGridForm;

/** Their names: table, json, csv, md, latex; NULL last. */
extern const char *const tg_grid_styles[];

/** The type of the member that tg_grid_row() reads. */
typedef enum {
    TG_GRID_TEXT,     /**< const char *; "-" for NULL */
    TG_GRID_NAME,     /**< const char *: "(none)" for an empty one or NULL, but not in JSON */
    TG_GRID_NUMBER,   /**< double, with the column's digits */
    TG_GRID_COUNT,    /**< guint */
    TG_GRID_P,        /**< double, a p-value with two significant digits */
    TG_GRID_INTERVAL, /**< double[2], with the column's digits */
    TG_GRID_VALUE,    /**< anything, which the column's function makes JSON */
} TgGridKind;

/** A column: where it is written (NULL: not there), and what stands in it. */
typedef struct {
    const char *head; /**< its heading in tables for people */
    const char *csv;  /**< its name in CSV; "NAME_*": an interval as NAME_low and NAME_high */
    const char *path; /**< the member of a row's JSON object; "a.b" is member b of object a */
    TgGridKind kind;
    gsize offset; /**< of the member in a row's struct */
    gint digits;
    gboolean scores;   /**< of one metric: the row says whether they are shares */
    gboolean is_share; /**< shares in every row, see tg_grid_share() */
    json_t *(*value)(gconstpointer member);
    const char *member; /**< further member at @path, which may have dots; NULL for none */
    const char *arrow;  /**< shows the better direction after @head, but not in LaTeX; static; NULL
                             for none */
} TgGridColumn;

/**
 * @title: may be NULL; copied
 * @n_keys: columns from the left that hold names (aligned left); the others hold numbers
 */
TgGrid *tg_grid_new(const char *title, guint n_keys);
void tg_grid_free(TgGrid *grid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgGrid, tg_grid_free)

/** Add a column, before any cell. Copied. */
void tg_grid_column(TgGrid *grid, const TgGridColumn *column);

/** A table with @columns and a row for each of the structs @rows; NULL: no row yet. (transfer full)
 */
TgGrid *tg_grid_new_of(const char *title, guint n_keys, const TgGridColumn *columns, guint n,
                       const GPtrArray *rows);

/**
 * Add a row to a table of tg_grid_new_of(), from the members of a struct.
 *
 * @is_share: scores are shares of 1, see tg_grid_share()
 */
void tg_grid_row(TgGrid *grid, gconstpointer row, gboolean is_share);

/** Add a column that tables and CSV have under the same name. Copied. */
void tg_grid_head(TgGrid *grid, const char *text);

/** Add several columns with tg_grid_head(); @texts ends in NULL. */
void tg_grid_heads(TgGrid *grid, const char *const *texts);

/** Add the next cell, row by row. */
void tg_grid_put(TgGrid *grid, const char *text);
void tg_grid_putf(TgGrid *grid, const char *format, ...) G_GNUC_PRINTF(2, 3);

/** The next cell is a name; @instead is written for an empty one or NULL, but not in JSON. */
void tg_grid_put_name(TgGrid *grid, const char *name, const char *instead);

/**
 * The next cell is a number with @digits decimals, "-" for NaN. CSV and JSON have it with 10
 * significant digits, empty or null for NaN.
 */
void tg_grid_put_number(TgGrid *grid, double value, gint digits);

/** The next cell is a count. */
void tg_grid_put_count(TgGrid *grid, guint64 count);

/** The next cell is an interval, "[low, high]" with @digits decimals; "-" where an end is NaN. */
void tg_grid_put_interval(TgGrid *grid, const double ends[2], gint digits);

/** The last cell stands out (bold), and @mark (may be NULL) follows it: where tables are for
 * people. */
void tg_grid_mark(TgGrid *grid, gboolean best, const char *mark);

/**
 * The last cell is about shares of 1: with TgGridForm.percent its numbers are times 100, with two
 * decimals less, and a name is followed by %, but not in JSON.
 */
void tg_grid_share(TgGrid *grid);

/** A line below the table: what a mark means, what was left out. */
void tg_grid_note(TgGrid *grid, const char *format, ...) G_GNUC_PRINTF(2, 3);

/** Rows below the head. */
guint tg_grid_n_rows(const TgGrid *grid);

/* ---- forms ---- */

/** Append the table in one of the styles TABLE, CSV, MARKDOWN, LATEX. */
void tg_grid_append(GString *out, const TgGrid *grid, const TgGridForm *form);

/** The same as a text of its own. (transfer full) */
char *tg_grid_text(const TgGrid *grid, const TgGridForm *form);

/** Append it as an HTML table with its title as caption; all text is escaped. */
void tg_grid_append_html(GString *out, const TgGrid *grid, const TgGridForm *form);

/** A name for people: "(none)" for an empty one or NULL. */
const char *tg_shown_name(const char *name);

/** Append HTML, in whose arguments what HTML takes for markup is escaped. */
void tg_html_append(GString *out, const char *format, ...) G_GNUC_PRINTF(2, 3);

/** A count for eyes, as "34,410"; tg_grid_append_html() has all counts so. (transfer full) */
char *tg_count_text(guint64 count);

/** "95 %": the heading of intervals of a level. (transfer full) */
char *tg_level_text(double level);

/** A list with an object for each row, of the columns that have a path. (transfer full) */
json_t *tg_grid_rows_json(const TgGrid *grid, const TgGridForm *form);

/** Append @text and a line feed, in lines of at most @width columns (0: in one), broken at spaces;
 * further lines begin with @indent spaces. */
void tg_wrap_append(GString *out, const char *text, guint indent, guint width);

/** Append a line of Markdown that shows @text as it is, with controls as <U+001B>. */
void tg_markdown_append_line(GString *out, const char *text);
