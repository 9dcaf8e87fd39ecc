/* FORTE's inner parts: tokens, tables, edits, and the functions that the files of this folder
 * share. */
#pragma once

#include <texgauge/env.h>
#include <texgauge/picture.h>

#include "core/vocab.h"
#include "metrics/forte/forte_events.h" /* written by forte_tables.py */
#include "tokenizer/symbols/symbols.h"
#include "tokenizer/tree/tree.h"

/* ---- Tokens --------------------------------------------------------------------------------- */

/** The kind of a token; the specification writes it as the letter in the comment. */
typedef enum {
    TG_FORTE_DIGIT,       /**< D */
    TG_FORTE_LATIN,       /**< L: one Latin (or other non-Greek) letter */
    TG_FORTE_GREEK,       /**< G */
    TG_FORTE_DELIMITER,   /**< X */
    TG_FORTE_OPERATOR,    /**< O: binary operators */
    TG_FORTE_RELATION,    /**< R */
    TG_FORTE_BIG,         /**< B: sums and integrals */
    TG_FORTE_PUNCTUATION, /**< P */
    TG_FORTE_PRIME,       /**< Q */
    TG_FORTE_DOTS,        /**< Z */
    TG_FORTE_SYMBOL,      /**< N: any other symbol */
    TG_FORTE_ACCENT,      /**< A, written after its body */
    TG_FORTE_OPEN,        /**< F: FRAC and SQRT */
    TG_FORTE_SCRIPT,      /**< S: _( and ^( */
    TG_FORTE_GRID,        /**< M: MAT */
    TG_FORTE_ROW,         /**< V */
    TG_FORTE_END,         /**< E: the ) of a script, and the marks den, end, idx, acc */
    TG_FORTE_CELL,        /**< C */
    TG_N_FORTE_KINDS,
} TgForteKind;

#define TG_FORTE_KIND_LETTERS "DLGXORBPQZNAFSMVEC"

typedef enum {
    TG_FORTE_PLAIN,
    TG_FORTE_BOLD,
    TG_FORTE_BLACKBOARD,
    TG_FORTE_CALLIGRAPHIC, /**< \mathcal and \mathscr */
    TG_FORTE_FRAKTUR,
    TG_FORTE_SANS,
    TG_FORTE_TYPEWRITER,
    TG_N_FORTE_FONTS,
} TgForteFont;

/** Names of fonts as in the reference data: "", b, bb, cal, fr, and sf, tt. */
extern const char *const tg_forte_font_names[TG_N_FORTE_FONTS];

/**
 * A name of a token. A character's name is its code point; names of several characters that the
 * tables know begin at TG_FORTE_NAMES, names that only a formula has at TG_FORTE_UNKNOWN.
 */
typedef guint32 TgForteName;

#define TG_FORTE_NAMES   0x200000u
#define TG_FORTE_UNKNOWN 0x400000u

/** The name of the blank between two words of text: U+2423, the sign for a blank. */
#define TG_FORTE_BLANK 0x2423u

/** The first names of the table: the marks of structure, then names that rules mention. */
typedef enum {
    TG_FORTE_FRAC = TG_FORTE_NAMES,
    TG_FORTE_SQRT,
    TG_FORTE_SUB,
    TG_FORTE_SUP,
    TG_FORTE_CLOSE, /**< the end of a script; not the delimiter ) */
    TG_FORTE_DEN,
    TG_FORTE_FINISH, /**< `|end|` of a fraction, root or grid */
    TG_FORTE_IDX,
    TG_FORTE_ACC,
    TG_FORTE_MAT,
    TG_FORTE_NEXT_ROW,
    TG_FORTE_NEXT_CELL,
    TG_FORTE_MARKS_END,
    TG_FORTE_PARALLEL = TG_FORTE_MARKS_END,
    TG_FORTE_LL,
    TG_FORTE_GG,
    TG_FORTE_ELLIPSIS,
    TG_FORTE_CDOT,
    TG_FORTE_LEFT_ANGLE,
    TG_FORTE_RIGHT_ANGLE,
    TG_FORTE_LEFT_FLOOR,
    TG_FORTE_LEFT_CEILING,
    TG_FORTE_PI,
} TgForteMark;

typedef struct {
    TgForteName name;
    guint8 kind;    /**< TgForteKind */
    guint8 font;    /**< TgForteFont */
    guint8 upright; /**< 1 for letters of \mathrm, text and function names */
    guint32 start;  /**< source span in bytes; a mark has the span of its construct */
    guint32 end;
} TgForteToken;

static inline TgForteToken *tg_forte_at(const GArray *tokens, guint32 i)
{
    return &g_array_index(tokens, TgForteToken, i);
}

static inline gboolean tg_forte_same_token(const TgForteToken *a, const TgForteToken *b)
{
    return a->name == b->name && a->kind == b->kind && a->font == b->font;
}

static inline gboolean tg_forte_is_letter(const TgForteToken *token)
{
    return token->kind == TG_FORTE_LATIN || token->kind == TG_FORTE_GREEK;
}

static inline gboolean tg_forte_is_operand(const TgForteToken *token)
{
    return tg_forte_is_letter(token) || token->kind == TG_FORTE_DIGIT;
}

/** Whether a token is a binary operator, a relation, a sum or an integral. */
static inline gboolean tg_forte_is_sign(const TgForteToken *token)
{
    return token->kind == TG_FORTE_OPERATOR || token->kind == TG_FORTE_RELATION ||
           token->kind == TG_FORTE_BIG;
}

/** Whether a token is no accent and no mark of structure. */
static inline gboolean tg_forte_is_symbol(const TgForteToken *token)
{
    enum {
        NO_SYMBOLS = 1 << TG_FORTE_ACCENT | 1 << TG_FORTE_OPEN | 1 << TG_FORTE_SCRIPT |
                     1 << TG_FORTE_GRID | 1 << TG_FORTE_ROW | 1 << TG_FORTE_END | 1 << TG_FORTE_CELL
    };

    return (NO_SYMBOLS >> token->kind & 1) == 0;
}

/** Whether @name is a mark of structure. */
static inline gboolean tg_forte_is_mark(TgForteName name)
{
    return name >= TG_FORTE_NAMES && name < TG_FORTE_MARKS_END;
}

/** Whether a token opens a construct, which a token of tg_forte_ends() closes. */
static inline gboolean tg_forte_begins(const TgForteToken *token)
{
    return token->kind == TG_FORTE_OPEN || token->kind == TG_FORTE_GRID ||
           token->kind == TG_FORTE_SCRIPT;
}

static inline gboolean tg_forte_ends(const TgForteToken *token)
{
    return token->name == TG_FORTE_FINISH || token->name == TG_FORTE_CLOSE;
}

/* ---- Tables (tables.c, forte_tables.py) ------------------------------------------------------ */

/** The tokens that are written for a command or a character. */
typedef struct {
    const TgForteName *names; /**< several for \iint, none for a command that shows nothing */
    guint8 n;
    guint8 blackboard; /**< 1: letters in blackboard bold */
    guint8 function;   /**< 1: upright letters of a function's name */
} TgForteSpelling;

typedef enum {
    TG_FORTE_UNLIKE,
    TG_FORTE_VARIANT,    /**< two shapes of the same sign */
    TG_FORTE_LOOK_ALIKE, /**< signs that are easily confused */
} TgForteLikeness;

/** The likeness of two names, and the event in which one is read as the other. */
typedef struct {
    TgForteName a, b;
    TgForteLikeness likeness;
    /** TgForteType of reading one as the other; TG_N_FORTE_TYPES: the type of other pairs */
    guint8 change;
} TgFortePair;

#define TG_FORTE_PAIR_SLOTS 4096

typedef struct {
    const char *text; /* without backslash */
    TgForteSpelling spelling;
} TgForteCommand;

typedef struct {
    guint32 code;
    TgForteSpelling spelling;
} TgForteCharacter;

typedef struct {
    const char *text;
    TgForteName name;
} TgForteNamed;

typedef struct {
    guint32 from;
    TgForteName to;
} TgForteMapRow;

typedef struct {
    const TgForteMapRow *rows;
    guint n;
} TgForteMap;

/** The sources of prices. */
typedef enum {
    TG_FORTE_PEOPLE, /**< as the raters of the pairs judged errors */
    /** errors that change the meaning cost more, errors of the look cost less */
    TG_FORTE_STRICT,
    TG_FORTE_OCR, /**< every misread sign costs, even if it looks nearly the same */
    TG_N_FORTE_PROFILES,
} TgForteProfile;

/** Rows of datasets/forte-prices.tsv. */
typedef struct {
    const char *name, *text;
    guint8 class;
    double price;
} TgForteTypeRow;

typedef struct {
    const char *name;
    double power; /**< the events' prices grow with this power of the number of symbols */
    double profiles[TG_N_FORTE_PROFILES];
} TgForteClassRow;

typedef struct {
    const char *name, *text;
    double factor;
} TgForteContextRow;

typedef struct {
    TgForteName names[2];
    double factor;
} TgForteNamesRow;

/** The tables of tables.tsv, and tables that follow from tokenizer/symbols; rows are sorted by
 * their first member. */
typedef struct {
    const TgForteCommand *commands;
    guint n_commands;
    const TgForteCharacter *characters; /* the first 128 rows are the characters of ASCII */
    guint n_characters;
    const TgForteNamed *names;
    guint n_names;
    const TgForteNamed *accents; /* by command */
    guint n_accents;
    TgForteMap marks;         /* the accents of combining characters */
    TgForteMap overs;         /* the accents that names over one sign are (\overset) */
    TgForteMap negations;     /* of names */
    const guint16 *symbols;   /* commands, by the symbol's place in tg_symbol_list() */
    const char *const *texts; /* by number of the name */
    const guint8 *kinds;      /* by number of the name */
    const guint8 *ascii_kinds;
    /* a hash table with open addressing, see tg_forte_pair() */
    TgFortePair pairs[TG_FORTE_PAIR_SLOTS];
    guint8 lost[TG_N_FORTE_KINDS]; /* TgForteType of losing or adding a symbol */
    /* cost of losing or adding a token in the alignment */
    double losses[TG_N_FORTE_KINDS];
    double swaps[TG_N_FORTE_TYPES]; /* cost of a change, by its type of event */
    const TgForteTypeRow *types;
    const TgForteClassRow *classes;
    const TgForteContextRow *contexts;
    const TgForteNamesRow *named; /* pairs of names with a factor */
    guint n_named;
    double steepness, size, level, low, high; /* see tg_forte_score() and forte.c */
} TgForteTables;

extern const TgForteTables tg_forte_tables;

/** The spelling of the command @name (without backslash, @len bytes), or NULL: not listed. */
const TgForteSpelling *tg_forte_command(const char *name, gsize len);

/** The spelling of a character, or NULL: the character itself. */
const TgForteSpelling *tg_forte_character(gunichar code);

/** The spelling of a symbol of the parser; never NULL. */
const TgForteSpelling *tg_forte_symbol(const TgSymbol *symbol);

/** The accent of a command ("widehat"), or 0. */
TgForteName tg_forte_accent(const char *command);

/** The name that a map of the tables has for @from, or 0. */
TgForteName tg_forte_map(const TgForteMap *map, guint32 from);

/** The kind of a symbol; a name without a row is a letter, a digit or TG_FORTE_SYMBOL. */
TgForteKind tg_forte_kind(TgForteName name);

/** The row of two names, in either order. */
TgFortePair tg_forte_pair(TgForteName a, TgForteName b);

/** The name spelled by @len bytes: its code point or its number in the tables; 0: unknown. */
TgForteName tg_forte_find(const char *name, gsize len);

/**
 * The number of a name of @len bytes that the tables do not list.
 *
 * @names: those of a pair, in the order in which it contains them
 */
TgForteName tg_forte_unknown_name(TgVocab *names, const char *text, gsize len);

/** Room for a character as text. */
#define TG_FORTE_NAME_BUFFER 8

/** The text of a name; borrowed from @names or in @buffer. */
const char *tg_forte_name_text(const TgVocab *names, TgForteName name,
                               char buffer[TG_FORTE_NAME_BUFFER]);

/* ---- Reading (reading.c, tidy.c) ------------------------------------------------------------- */

/** The reader's findings besides the tokens. */
typedef struct {
    guint repairs;      /**< faults of the source that were repaired */
    gboolean refused;   /**< LaTeX stops at the formula, by the test of the metric render */
    gboolean has_text;  /**< some tokens are characters of text */
    TgForteName number; /**< of the equation numbers, by their tokens' names; 0: there are none */
} TgForteReading;

/**
 * Read a formula tolerantly: faults of the source are repaired and counted.
 *
 * @tex: UTF-8, with or without dollars
 * @packages: those whose commands LaTeX does not refuse
 * @tokens: of TgForteToken; emptied, then filled
 * @out: what else was met
 *
 * Returns: TRUE, or FALSE with TG_ERROR_PARSE: a bound of the parser (depth, size) was exceeded
 */
gboolean tg_forte_read(TgVocab *names, const char *tex, TgPackages packages, GArray *tokens,
                       TgForteReading *out, GError **error);

/** Drop the commas, stops and semicolons at the end of a list, which is the list of a row. */
void tg_forte_end_row(GArray *tokens, guint32 begin);

/** Rules for the finished list: grids without delimiters, `||`, `...`, angles, the end. */
void tg_forte_tidy(GArray *tokens);

/** Drop the blanks between words, which count only where both formulas have text. */
void tg_forte_drop_blanks(GArray *tokens);

/**
 * Cut the loop at the end of a prediction: tokens that repeat beyond the length of the reference,
 * @n_ref tokens. Six rounds stay, because a reader does not notice more.
 */
void tg_forte_cut_loop(GArray *tokens, guint32 n_ref);

/* ---- Edits (align.c) ------------------------------------------------------------------------- */

/** One edit. */
typedef struct {
    double cost;  /**< cost in the alignment, which is not the price */
    guint8 lost;  /**< 1: the reference has a token here */
    guint8 added; /**< 1: the hypothesis has a token here; with @lost: a substitution */
    guint32 ref;  /**< position in the reference; of an addition, the position behind it */
    guint32 hyp;
    guint32 event; /**< number of its event, from 1 */
} TgForteEdit;

static inline TgForteEdit *tg_forte_edit(const GArray *edits, guint e)
{
    return &g_array_index(edits, TgForteEdit, e);
}

/** The type of event in which @a is read as @b; TG_N_FORTE_TYPES: @a and @b are never aligned. */
TgForteType tg_forte_type_of_change(const TgForteToken *a, const TgForteToken *b);

/** The maximum product of two lengths that are aligned; each cell takes a quarter of a byte. */
#define TG_FORTE_MAX_CELLS ((gsize) 400 * 1000 * 1000)

/**
 * Align two lists of TgForteToken at least cost. Among alignments of equal cost, the one that from
 * the end prefers a substitution, then a loss; another must be better by more than 1e-9.
 *
 * @edits: of TgForteEdit; emptied, then filled from left to right
 *
 * Returns: TRUE, or FALSE with TG_ERROR_DATA: the two are longer than TG_FORTE_MAX_CELLS allows
 */
gboolean tg_forte_align(const GArray *ref, const GArray *hyp, GArray *edits, GError **error);

/** The weight of a token among others: 1/4 for a letter of a word, because raters take a word for
 * about one symbol; 0 for marks and accents; else 1. */
static inline double tg_forte_weight(const TgForteToken *token)
{
    return !tg_forte_is_symbol(token) ? 0 : token->upright ? 0.25 : 1;
}

/** The figures from which a score is computed. */
typedef struct {
    double price;      /**< the sum of the prices */
    double size;       /**< cost of losing all tokens of the reference, at least 1 */
    guint32 n_symbols; /**< symbols of the reference */
    guint32 n_unread;  /**< symbols of the reference that the events leave unread */
    double weight;     /**< of the reference's tokens, by tg_forte_weight() */
    double foreign;    /**< weight of the prediction's symbols that are none of the reference */
} TgForteSums;

/** The size, number of symbols and weight of a token list; the other sums are 0. */
TgForteSums tg_forte_measure(const GArray *tokens);

/* ---- Events (events.c) ----------------------------------------------------------------------- */

/** A mistake: the error whose traces its edits are. */
typedef struct {
    guint8 type;      /**< TgForteType */
    guint32 contexts; /**< a bit for each TgForteContext */
    guint32 first;    /**< its first edit */
    guint32 n_edits;
    /** for parts in another order: the first and the last part, from 1; else 0 */
    guint32 parts[2];
    double n;       /**< number of its symbols, at least 1 */
    guint32 unread; /**< symbols of the reference that are not read because of it */
    double foreign; /**< weight of its symbols of the prediction that are none of the reference */
    /** factor that raises its price to the price of its dearest part; 1: none */
    double raise;
    guint named; /**< row of the two names that were confused; n_named: none */
} TgForteEvent;

static inline TgForteEvent *tg_forte_event(const GArray *events, guint e)
{
    return &g_array_index(events, TgForteEvent, e);
}

/** Two formulas, the edits between their tokens, their events, and the score. */
typedef struct {
    TgForteProfile profile;
    TgVocab *names;    /**< see tg_forte_unknown_name() */
    GArray *ref, *hyp; /**< of TgForteToken */
    guint reference;   /**< number of the reference */
    guint ref_repairs, hyp_repairs;
    gboolean hyp_refused;  /**< LaTeX stops at the hypothesis */
    gboolean other_number; /**< only one side has an equation number, or another one */
    GArray *edits;         /**< of TgForteEdit */
    GArray *events;        /**< of TgForteEvent */
    TgForteSums sums;
    gboolean has_score; /**< FALSE: no pair was read, or the latest is too long */
    double score;
    double people; /**< the score by the prices of people */
} TgForteComparison;

/** The token that an edit loses (side 0) or adds (side 1); NULL. */
static inline const TgForteToken *tg_forte_edited(const TgForteComparison *self,
                                                  const TgForteEdit *edit, guint side)
{
    if (side == 0)
        return edit->lost ? tg_forte_at(self->ref, edit->ref) : NULL;
    return edit->added ? tg_forte_at(self->hyp, edit->hyp) : NULL;
}

/**
 * Put the edits of an alignment together into events, each edit into one; @self->events is emptied,
 * then filled from left to right.
 */
void tg_forte_find_events(const TgForteComparison *self);

/** One of the factors of an event's price; the first is the price of its type. */
typedef struct {
    const char *reason;
    double factor;
} TgForteFactor;

enum { TG_FORTE_MAX_FACTORS = TG_N_FORTE_CONTEXTS + 5 };

/** The price of an event; @factors, which may be NULL, gets the factors whose product it is. */
double tg_forte_price(const TgForteEvent *event, TgForteProfile profile, TgForteFactor *factors,
                      guint *n_factors);

/**
 * From 1 (no events) to 0: what the prices leave, (1 + S/k)^-k with S = price (25 / (size +
 * 10))^a, but never more than the share of the reference's symbols that was read, (m - 1/2) / (n -
 * 1/2) of m symbols of n. Half a symbol is taken off because a guess reads one. Who reads two or
 * more has at least what a guess could have, so that no lone symbol beats an attempt that reads
 * more. Nor is it more than the share of the prediction's symbols that belongs to the reference,
 * m / (m + f n / w): foreign ones weigh f, the reference w. Who says a right formula k times has 1
 * / k at most.
 */
double tg_forte_score(const TgForteSums *sums);

/** The sums without the event @event, whose price is @price. */
TgForteSums tg_forte_without(const TgForteSums *sums, const TgForteEvent *event, double price);

/* ---- Outcome (forte.c, report.c) ------------------------------------------------------------- */

/**
 * Cut the loop of the prediction, align the two lists of @self, find the events and score them;
 * fills all from its edits on. What was cut counts as foreign.
 *
 * Returns: FALSE with @error as tg_forte_align()
 */
gboolean tg_forte_compare(TgForteComparison *self, GError **error);

/**
 * The comparison of the last call of score() or show() on @env. Valid until the next call; the
 * metric must be alive.
 *
 * Returns: NULL when that pair has no score, or there was none
 */
const TgForteComparison *tg_forte_last_comparison(TgEnv *env);

/** The events and edits of a comparison, of type a{sv} (docs/metrics/forte.md); a floating
 * reference.
 */
GVariant *tg_forte_describe(const TgForteComparison *self);

/**
 * Draw both formulas and mark each event with its number, where it has ink: what changed on
 * both sides, joined by a line; what was lost or added on one.
 *
 * Returns: FALSE with @error as tg_renderer_draw(), but for TG_ERROR_PARSE: such a side is left
 * without drawing
 */
gboolean tg_forte_show(TgPairPicture *picture, TgRenderer *renderer, const char *ref,
                       const char *hyp, const TgForteComparison *self, GError **error);
