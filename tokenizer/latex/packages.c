/* Commands of the packages physics and siunitx whose arguments a template cannot express: their
 * output is written as LaTeX, which is read in their place. */
#include "tokenizer/latex/parser.h"

#include <string.h>

/* ---- physics: arguments in braces that may be missing, and in parentheses -------------------- */

static TgTexToken peek_nonspace(TgParser *self)
{
    const TgTexToken next = tg_expander_raw_nonspace(&self->in);

    tg_expander_unread(&self->in, &next);
    return next;
}

/* Take {..} if it comes next. */
static gboolean take_group(TgParser *self, TgTexTokens *list)
{
    return peek_nonspace(self).kind == TG_TOK_OPEN && tg_expander_argument(&self->in, list);
}

#define IN_PARENTHESES(content) "\\mathopen{}\\mathclose{\\left(" content "\\right)}"

/* \dv[n]{f}{x}, \pdv{f}{x}{y}, \dv{x}(f), \dv*{f}{x}: text is the sign of the differential; value
 * 'p' if a third group is a second variable. */
void tg_parser_derivative(TgParser *self, const TgTexToken *token)
{
    const char *sign = token->command->text;
    TgTexTokens args[5]; /* f, x, y, the order, and the content of parentheses */
    const gboolean flat = tg_expander_star(&self->in);
    const char *power = tg_expander_optional(&self->in, &args[3]) ? "^{#4}" : "";

    if (!tg_parser_tokens_argument(self, token, "an argument", &args[0]))
        return;
    const gboolean has_second = take_group(self, &args[1]);
    const gboolean has_third =
        has_second && token->command->value == 'p' && take_group(self, &args[2]);
    const gboolean has_body =
        !has_second && tg_expander_between(&self->in, "(", ")", TRUE, &args[4]);

    tg_parser_read_instead(
        self, token, args,
        flat ? "\\left.%s%s%s\\middle/%s%s%s%s\\right.%s" : "\\frac{%s%s%s}{%s%s%s%s}%s", sign,
        has_third ? "^{2}" : power, has_second ? "#1" : "", sign, has_second ? "#2" : "#1",
        has_third ? sign : "", has_third ? "#3" : power, has_body ? IN_PARENTHESES("#5") : "");
}

/* \dd, \dd x, \dd[3]{x}, \dd(x) and \var: text is the sign. */
void tg_parser_differential(TgParser *self, const TgTexToken *token)
{
    TgTexTokens args[2];
    const gboolean has_order = tg_expander_optional(&self->in, &args[1]);
    const gboolean group = take_group(self, &args[0]);
    const gboolean round = !group && tg_expander_between(&self->in, "(", ")", TRUE, &args[0]);

    tg_parser_read_instead(self, token, args, "%s%s%s%s", group || round ? "\\mathinner{" : "",
                           token->command->text, has_order ? "^{#2}" : "",
                           group   ? "#1}"
                           : round ? IN_PARENTHESES("#1") "}"
                                   : "");
}

/* The fences of \qty(..), \qty[..], \qty|..|, and of \mqty. */
static const struct {
    const char *open, *close, *fenced, *matrix;
} physics_fences[] = {
    { "(", ")", "\\left(#1\\right)", "p" },
    { "[", "]", "\\left[#1\\right]", "b" },
    { "|", "|", "\\left|#1\\right|", "v" },
};

static void write_siunitx(TgParser *self, const TgTexToken *token, char kind, gboolean has_unit,
                          TgTexTokens first, TgTexTokens options);

/* \qty of physics: content between delimiters that grow with it; \qty{..}{..} is a quantity of
 * siunitx. */
void tg_parser_quantity(TgParser *self, const TgTexToken *token)
{
    TgTexTokens body, options = { NULL, 0 };

    for (guint i = 0; i < G_N_ELEMENTS(physics_fences); i++) {
        if (!tg_expander_between(&self->in, physics_fences[i].open, physics_fences[i].close, TRUE,
                                 &body))
            continue;
        if (physics_fences[i].open[0] == '[' && peek_nonspace(self).kind == TG_TOK_OPEN) {
            options = body; /* \qty[..]{..}{..} of siunitx */
            break;
        }
        tg_parser_read_instead(self, token, &body, "%s", physics_fences[i].fenced);
        return;
    }
    if (!tg_parser_tokens_argument(self, token, "an argument", &body))
        return;
    if (peek_nonspace(self).kind == TG_TOK_OPEN)
        write_siunitx(self, token, 'q', TRUE, body, options);
    else
        tg_parser_read_instead(self, token, &body, "\\left\\{#1\\right\\}");
}

/* \mqty{..}, \mqty(..), \mqty*(..); text "small" for \smqty. */
void tg_parser_matrix_quantity(TgParser *self, const TgTexToken *token)
{
    const char *small = token->command->text != NULL ? token->command->text : "";
    const gboolean star = tg_expander_star(&self->in);
    TgTexTokens body;
    const char *kind = take_group(self, &body) ? "" : NULL;

    for (guint i = 0; i < G_N_ELEMENTS(physics_fences) && kind == NULL; i++) {
        if (tg_expander_between(&self->in, physics_fences[i].open, physics_fences[i].close, TRUE,
                                &body))
            kind = physics_fences[i].matrix;
    }
    if (kind == NULL)
        tg_parser_fault(self, token, TG_PARSE_MISSING_ARGUMENT, "needs a matrix");
    else if (star && kind[0] == 'p')
        tg_parser_read_instead(self, token, &body,
                               "\\left\\lgroup\\begin{%smatrix}#1\\end{%smatrix}\\right\\rgroup",
                               small, small);
    else
        tg_parser_read_instead(self, token, &body, "\\begin{%s%smatrix}#1\\end{%s%smatrix}", kind,
                               small, kind, small);
}

/* \eval{x}_0^1, \eval(x|_0^1, \eval[x|_0^1; \eval_0^1 behind its expression */
void tg_parser_evaluated(TgParser *self, const TgTexToken *token)
{
    TgTexTokens body;

    tg_expander_star(&self->in);
    const char *left = take_group(self, &body)                                 ? "."
                       : tg_expander_between(&self->in, "(", "|", TRUE, &body) ? "("
                       : tg_expander_between(&self->in, "[", "|", TRUE, &body) ? "["
                                                                               : NULL;
    if (left != NULL)
        tg_parser_read_instead(self, token, &body, "\\left%s#1\\vphantom{\\int}\\right|", left);
    else
        tg_parser_read_instead(self, token, NULL,
                               "\\mathopen{}\\mathclose{\\left.\\vphantom{\\int}\\right|}");
}

/* Take the \ket{b} after \bra{a}, because physics joins the two. */
static gboolean take_ket(TgParser *self, TgTexTokens *list)
{
    const TgTexToken next = tg_expander_raw_nonspace(&self->in);

    if (tg_token_is_command(&next, "ket") && take_group(self, list))
        return TRUE;
    tg_expander_unread(&self->in, &next);
    return FALSE;
}

static gboolean has_bar(TgTexTokens list)
{
    for (guint32 i = 0; i < list.n; i++) {
        if (tg_token_is_char(&list.tokens[i], '|') ||
            tg_token_is_command_of(&list.tokens[i], "mid vert middle"))
            return TRUE;
    }
    return FALSE;
}

/* \braket{a}{b}, \ip, \ketbra, \ev{A}{psi}: text has the output for two arguments, for one, and
 * for one with a bar, separated by ; signs. Value 'b': the second argument is the argument of a
 * \ket. */
void tg_parser_bracket(TgParser *self, const TgTexToken *token)
{
    g_auto(GStrv) forms = g_strsplit(token->command->text, ";", 3);
    TgTexTokens args[2];
    guint n_stars = 0;

    while (tg_expander_star(&self->in))
        n_stars++;
    if (!tg_parser_tokens_argument(self, token, "an argument", &args[0]))
        return;
    const gboolean two =
        token->command->value == 'b' ? take_ket(self, &args[1]) : take_group(self, &args[1]);
    g_autoptr(GString) latex = g_string_new(forms[two                                    ? 0
                                                  : forms[2] != NULL && has_bar(args[0]) ? 2
                                                                                         : 1]);
    if (n_stars == 2) { /* the fences also grow with the middle argument */
        g_string_replace(latex, "\\vphantom{{}#1}", "", 0);
        g_string_replace(latex, "\\smash{{}#1}", "{#1}", 0);
    } else if (n_stars == 1) { /* the fences do not grow */
        g_string_replace(latex, "{#", "\\smash{#", 0);
        g_string_prepend(latex, two ? "\\vphantom{#1#2}" : "\\vphantom{#1}");
    }
    tg_parser_read_instead(self, token, args, "%s", latex->str);
}

/* ---- siunitx: numbers ------------------------------------------------------------------------ */

/* How siunitx prints units after \per: as powers, after a slash, or below a fraction's bar. */
typedef enum { PER_POWER, PER_SYMBOL, PER_FRACTION } PerMode;

/* LaTeX that is being written for the command @token. */
typedef struct {
    TgParser *parser;
    const TgTexToken *token;
    GString *latex;
    PerMode per_mode;
    TgTexTokens args[TG_TEX_MAX_ARGS]; /* lists that are no numbers, as #1 and so on */
    guint n_args;
} Writing;

/* Write digits in groups of three, counted from the right if @from_right, if there are five or
 * more. */
static void put_digits(GString *out, const char *digits, gsize n, gboolean from_right)
{
    for (gsize i = 0; i < n; i++) {
        const gsize place = from_right ? n - i : i;
        if (n >= 5 && i > 0 && place % 3 == 0)
            g_string_append(out, "\\,");
        g_string_append_c(out, digits[i]);
    }
}

/* A decimal number without a sign, as the source has it. */
typedef struct {
    const char *whole, *part; /* digits before and after the decimal mark */
    gsize n_whole, n_part;
    const char *end; /* equal to the beginning if there is no number */
} Decimal;

static Decimal read_decimal(const char *p)
{
    const gsize whole = strspn(p, "0123456789");
    const gboolean marked = p[whole] == '.' || p[whole] == ',';
    const gsize part = marked ? strspn(p + whole + 1, "0123456789") : 0;

    return (Decimal){ .whole = p,
                      .part = p + whole + 1,
                      .n_whole = whole,
                      .n_part = part,
                      .end = whole + part > 0 ? p + whole + marked + part : p };
}

/* Write (30): the uncertainty in units of the last of @places decimals. */
static void put_uncertainty(GString *out, const Decimal *uncertainty, gsize places)
{
    g_autoptr(GString) digits = g_string_new_len(uncertainty->whole, (gssize) uncertainty->n_whole);

    g_string_append_len(digits, uncertainty->part, (gssize) uncertainty->n_part);
    for (gsize i = uncertainty->n_part; i < places; i++)
        g_string_append_c(digits, '0');
    const gsize zeros = strspn(digits->str, "0");
    g_string_append_printf(out, "(%s)", digits->str + MIN(zeros, digits->len - 1));
}

/* The decimal number at @p, of the form 12345,678(9) or 12345,678\pm0,009, which is printed in the
 * first form. Returns the end of the number, or @p if there is none. */
static const char *put_decimal(GString *out, const char *p)
{
    const Decimal number = read_decimal(p);

    if (number.end == p)
        return p;
    p = number.end;
    const gsize sign = g_str_has_prefix(p, "\\pm") ? 3 : g_str_has_prefix(p, "+-") ? 2 : 0;
    const Decimal uncertainty = read_decimal(p + sign);
    const gboolean is_uncertain = sign > 0 && uncertainty.end > p + sign;
    const gsize places = is_uncertain ? MAX(number.n_part, uncertainty.n_part) : number.n_part;

    put_digits(out, number.n_whole > 0 ? number.whole : "0", MAX(number.n_whole, 1), TRUE);
    if (places > 0) {
        /* give the number as many decimals as its uncertainty */
        g_autofree char *part = g_strnfill(places, '0');
        memcpy(part, number.part, number.n_part);
        g_string_append_c(out, '.');
        put_digits(out, part, places, FALSE);
    }
    if (is_uncertain) {
        put_uncertainty(out, &uncertainty, places);
        return uncertainty.end;
    }
    if (*p == '(') { /* the uncertainty of the last digits */
        const gsize n = strspn(p + 1, "0123456789");
        if (n > 0 && p[n + 1] == ')') {
            g_string_append_len(out, p, (gssize) n + 2);
            p += n + 2;
        }
    }
    return p;
}

/* Write @text as \num prints it; FALSE when siunitx does not accept it. */
static gboolean put_number(GString *out, const char *text)
{
    static const struct {
        const char *written, *printed;
    } signs[] = { { "+-", "\\pm " }, { "\\pm", "\\pm " }, { "-", "-" },         { "+", "+" },
                  { "<", "{<}" },    { ">", "{>}" },      { "\\sim", "\\sim " } };
    g_auto(GStrv) pieces = g_strsplit_set(text, " \t\n\f\r~{}", -1);
    g_autofree char *bare = g_strjoinv("", pieces);
    const char *p = bare;

    for (gboolean first = TRUE; *p != '\0'; first = FALSE) {
        const char *before = p;

        for (guint i = 0; i < G_N_ELEMENTS(signs); i++) {
            if (g_str_has_prefix(p, signs[i].written)) {
                if (!first || strcmp(signs[i].written, "+") != 0) /* +3 is printed as 3 */
                    g_string_append(out, signs[i].printed);
                p += strlen(signs[i].written);
                break;
            }
        }
        const char *number = p;
        p = put_decimal(out, p);
        if (strchr("eEdD", *p) != NULL && *p != '\0') {
            if (p > number)
                g_string_append(out, "\\times ");
            p += 1 + (p[1] == '+');
            const gsize n = strspn(p, "-0123456789");
            g_string_append_printf(out, "10^{%.*s}", (int) n, p);
            p += n;
            if (n == 0)
                return FALSE;
        }
        if (p == before || (!first && p == number))
            return FALSE;
    }
    return bare[0] != '\0';
}

static void put_number_of(Writing *self, TgTexTokens list)
{
    g_autofree char *text = tg_parser_spelling(list);
    const gsize before = self->latex->len;

    if (put_number(self->latex, text))
        return;
    g_string_truncate(self->latex, before);
    tg_report(&self->parser->errors, self->token, TG_PARSE_LENGTH, "%.*s: %s is no number",
              TG_TOKEN_TEXT(self->token), text);
    if (self->n_args == TG_TEX_MAX_ARGS) /* more lists have no parameter */
        return;
    self->args[self->n_args++] = list;
    g_string_append_printf(self->latex, "#%u", self->n_args);
}

/* ---- siunitx: units -------------------------------------------------------------------------- */

/* Prefixes and units by the names of their commands, as of 2022: @prefixes is NULL for a prefix;
 * else the letters that may stand before the name, as in \mm and \km. */
static const struct {
    const char *name, *symbol, *prefixes;
} unit_symbols[] = {
    { "quecto", "q", NULL },
    { "ronto", "r", NULL },
    { "yocto", "y", NULL },
    { "zepto", "z", NULL },
    { "atto", "a", NULL },
    { "femto", "f", NULL },
    { "pico", "p", NULL },
    { "nano", "n", NULL },
    { "micro", "\\upmu ", NULL },
    { "milli", "m", NULL },
    { "centi", "c", NULL },
    { "deci", "d", NULL },
    { "deca", "da", NULL },
    { "deka", "da", NULL },
    { "hecto", "h", NULL },
    { "kilo", "k", NULL },
    { "mega", "M", NULL },
    { "giga", "G", NULL },
    { "tera", "T", NULL },
    { "peta", "P", NULL },
    { "exa", "E", NULL },
    { "zetta", "Z", NULL },
    { "yotta", "Y", NULL },
    { "ronna", "R", NULL },
    { "quetta", "Q", NULL },
    { "kibi", "Ki", NULL },
    { "mebi", "Mi", NULL },
    { "gibi", "Gi", NULL },
    { "tebi", "Ti", NULL },
    { "pebi", "Pi", NULL },
    { "exbi", "Ei", NULL },
    { "zebi", "Zi", NULL },
    { "yobi", "Yi", NULL },
    { "ampere", "A", "" },
    { "candela", "cd", "" },
    { "kelvin", "K", "" },
    { "kilogram", "kg", "" },
    { "gram", "g", "" },
    { "metre", "m", "" },
    { "meter", "m", "" },
    { "mole", "mol", "" },
    { "second", "s", "" },
    { "becquerel", "Bq", "" },
    { "coulomb", "C", "" },
    { "farad", "F", "" },
    { "gray", "Gy", "" },
    { "hertz", "Hz", "" },
    { "henry", "H", "" },
    { "joule", "J", "" },
    { "katal", "kat", "" },
    { "lumen", "lm", "" },
    { "lux", "lx", "" },
    { "newton", "N", "" },
    { "pascal", "Pa", "" },
    { "radian", "rad", "" },
    { "siemens", "S", "" },
    { "sievert", "Sv", "" },
    { "steradian", "sr", "" },
    { "tesla", "T", "" },
    { "volt", "V", "" },
    { "watt", "W", "" },
    { "weber", "Wb", "" },
    { "celsius", "^{\\circ}C", "" },
    { "degreeCelsius", "^{\\circ}C", "" },
    { "astronomicalunit", "au", "" },
    { "bel", "B", "" },
    { "decibel", "dB", "" },
    { "dalton", "Da", "" },
    { "day", "d", "" },
    { "electronvolt", "eV", "" },
    { "hectare", "ha", "" },
    { "hour", "h", "" },
    { "litre", "L", "" },
    { "liter", "L", "" },
    { "minute", "min", "" },
    { "neper", "Np", "" },
    { "tonne", "t", "" },
    { "percent", "\\% ", "" },
    { "angstrom", "\\text{\\AA}", "" },
    { "bar", "bar", "" },
    { "barn", "b", "" },
    { "knot", "kn", "" },
    { "atomicmassunit", "u", "" },
    { "nauticalmile", "M", "" },
    { "mmHg", "mmHg", "" },
    { "degree", "^{\\circ}", "" },
    { "arcminute", "^{\\prime}", "" },
    { "arcsecond", "^{\\prime\\prime}", "" },
    { "bit", "bit", "" },
    { "byte", "B", "" },
    { "g", "g", "fpnumk" },
    { "m", "m", "pnumcdk" },
    { "s", "s", "afpnum" },
    { "mol", "mol", "fpnumk" },
    { "A", "A", "pnumk" },
    { "l", "L", "umh" },
    { "L", "L", "um" },
    { "Hz", "Hz", "mkMGT" },
    { "N", "N", "mkM" },
    { "Pa", "Pa", "kMG" },
    { "ohm", "\\Omega ", "mkM" },
    { "V", "V", "pnumk" },
    { "W", "W", "numkMG" },
    { "J", "J", "umk" },
    { "eV", "eV", "mkMGT" },
    { "kWh", "kWh", "" },
    { "F", "F", "fpnum" },
    { "H", "H", "fpnum" },
    { "C", "C", "num" },
    { "K", "K", "" },
    { "dB", "dB", "" },
};

/* Write the symbol of the prefix or unit @token. Returns FALSE if siunitx has none of that name. */
static gboolean put_unit_symbol(GString *out, const TgTexToken *token, gboolean *is_prefix)
{
    const char *text = token->text + 1;

    for (guint i = 0; i < G_N_ELEMENTS(unit_symbols); i++) {
        const char *name = unit_symbols[i].name, *prefixes = unit_symbols[i].prefixes;
        const gsize n_prefix = token->len - 1 - strlen(name);

        if (n_prefix > 1 || memcmp(text + n_prefix, name, strlen(name)) != 0 ||
            (n_prefix == 1 && (prefixes == NULL || strchr(prefixes, text[0]) == NULL)))
            continue;
        if (n_prefix == 1 && text[0] == 'u')
            g_string_append(out, "\\upmu ");
        else
            g_string_append_len(out, text, (gssize) n_prefix);
        g_string_append(out, unit_symbols[i].symbol);
        *is_prefix = prefixes == NULL;
        return TRUE;
    }
    return FALSE;
}

/* Units while they are written, each as its symbol with a power. */
typedef struct {
    GString *over, *under; /* parts of a fraction; the same text if \per means a power */
    guint n_over, n_under; /* number of units and prefixes in each part */
    guint n_below;         /* number of units after a \per */
    gboolean per;          /* \per stands before the next unit */
    char power[16];        /* the power by \square or the like before the next unit; "": none */
    gboolean prefix;       /* the last item printed is a prefix of the next unit */
} Units;

/* Read the power after a unit, \squared, \cubed, \tothe{4}, or before it, \square, \cubic,
 * \raiseto{4}: one of the commands @names. Returns the number of tokens read. */
static guint32 read_power(const TgTexToken *tokens, guint32 n, const char *names, char power[16])
{
    const gboolean braced = n > 1 && tokens[1].kind == TG_TOK_OPEN;
    const guint32 end = braced ? n : MIN(n, 2);
    guint32 used = 1 + (guint32) braced;
    gsize len = 0;

    if (n == 0 || !tg_token_is_command_of(&tokens[0], names))
        return 0;
    if (!tg_token_is_command_of(&tokens[0], "tothe raiseto")) {
        g_strlcpy(power, tg_token_is_command_of(&tokens[0], "squared square") ? "2" : "3", 16);
        return 1;
    }
    for (; used < end && tokens[used].kind == TG_TOK_CHAR && len < 12; used++) {
        if (tokens[used].code < 0x80)
            power[len++] = (char) tokens[used].code;
    }
    power[len] = '\0';
    return used + (braced && used < n);
}

/* Write one command of a unit; returns the number of its tokens, 0 for an unknown command. */
static guint32 put_unit(Units *units, const TgTexToken *tokens, guint32 n)
{
    const gboolean is_fraction = units->over != units->under;
    const gboolean is_under = units->per && is_fraction;
    GString *out = is_under ? units->under : units->over;
    guint *n_before = is_under ? &units->n_under : &units->n_over;
    const gssize at = (gssize) out->len;
    const gboolean after_prefix = units->prefix;
    char power[16] = "1";

    if (tg_token_is_command(&tokens[0], "per")) {
        units->per = TRUE;
        return 1;
    }
    const guint32 n_before_unit = read_power(tokens, n, "square cubic raiseto", units->power);
    if (n_before_unit > 0)
        return n_before_unit;
    if (!put_unit_symbol(out, &tokens[0], &units->prefix))
        return 0;
    if (*n_before > 0 && !after_prefix)
        g_string_insert(out, at, "\\,");
    ++*n_before;
    if (units->prefix)
        return 1;
    units->n_below += is_under;
    if (units->power[0] != '\0')
        g_strlcpy(power, units->power, sizeof power);
    const guint32 used = 1 + read_power(tokens + 1, n - 1, "squared cubed tothe", power);
    if (units->per && !is_fraction)
        g_string_append_printf(out, "^{-%s}", power);
    else if (strcmp(power, "1") != 0)
        g_string_append_printf(out, "^{%s}", power);
    units->per = FALSE;
    units->power[0] = '\0';
    return used;
}

/* Write units given as commands, or as letters with . or ~ between them. */
static void put_units(Writing *self, TgTexTokens list)
{
    g_autoptr(GString) over = g_string_new(NULL);
    g_autoptr(GString) under = g_string_new(NULL);
    Units units = { .over = over, .under = self->per_mode == PER_POWER ? over : under };

    for (guint32 i = 0; i < list.n;) {
        const TgTexToken *token = &list.tokens[i];

        if (token->kind == TG_TOK_SPACE) {
            i++;
        } else if (token->kind == TG_TOK_COMMAND) {
            const guint32 used = put_unit(&units, token, list.n - i);
            if (used == 0)
                tg_report(&self->parser->errors, token, TG_PARSE_UNKNOWN_COMMAND,
                          "unknown unit %.*s", TG_TOKEN_TEXT(token));
            i += MAX(used, 1);
        } else if (tg_token_is_char(token, '.') || token->kind == TG_TOK_TILDE) {
            g_string_append(over, "\\,");
            i++;
        } else if (token->kind == TG_TOK_HASH) {
            tg_report(&self->parser->errors, token, TG_PARSE_CHARACTER, "misplaced # in a unit");
            i++;
        } else {
            g_string_append_len(over, token->text, token->len);
            i++;
        }
    }
    const char *top = over->len > 0 ? over->str : "1";
    if (under->len == 0)
        g_string_append_printf(self->latex, "\\mathrm{%s}", over->str);
    else if (self->per_mode == PER_FRACTION)
        g_string_append_printf(self->latex, "\\frac{\\mathrm{%s}}{\\mathrm{%s}}", top, under->str);
    else
        g_string_append_printf(self->latex,
                               units.n_below > 1 ? "\\mathrm{%s/(%s)}" : "\\mathrm{%s/%s}", top,
                               under->str);
}

/* Write @number and @unit, with a thin space between the two unless the unit is one of an angle. */
static void put_quantity(Writing *self, TgTexTokens number, TgTexTokens unit)
{
    put_number_of(self, number);
    if (unit.n > 0 && !tg_token_is_command_of(unit.tokens, "degree arcminute arcsecond"))
        g_string_append(self->latex, "\\,");
    put_units(self, unit);
}

/* ---- siunitx: commands ----------------------------------------------------------------------- */

/* The items of 1;2;4, or with another @separator. */
static guint split_items(TgTexTokens list, char separator, TgTexTokens *items, guint max)
{
    guint n = 0;
    guint32 begin = 0;

    for (guint32 i = 0; i <= list.n && n < max; i++) {
        if (i < list.n && !tg_token_is_char(&list.tokens[i], (gunichar) separator))
            continue;
        items[n++] = (TgTexTokens){ list.tokens + begin, i - begin };
        begin = i + 1;
    }
    return n;
}

/* Write items with @between, and @last before the last one, each with the unit if @unit is given.
 */
static void put_items(Writing *self, const TgTexTokens *items, guint n, const char *between,
                      const char *last, const TgTexTokens *unit)
{
    for (guint i = 0; i < n; i++) {
        if (i > 0)
            g_string_append(self->latex, i + 1 == n ? last : between);
        if (unit != NULL)
            put_quantity(self, items[i], *unit);
        else
            put_number_of(self, items[i]);
    }
}

/* \ang{30}, \ang{1;2;3} */
static void put_angle(Writing *self, TgTexTokens list)
{
    static const char *const marks[] = { "^{\\circ}", "^{\\prime}", "^{\\prime\\prime}" };
    TgTexTokens items[G_N_ELEMENTS(marks)];
    const guint n = split_items(list, ';', items, G_N_ELEMENTS(marks));

    for (guint i = 0; i < n; i++) {
        if (items[i].n == 0)
            continue;
        put_number_of(self, items[i]);
        g_string_append(self->latex, marks[i]);
    }
}

/* Obey the [options] of a command: per-mode. Options in @unseen change no sign; any other option is
 * an error, because the output would be another formula. */
static PerMode read_options(TgParser *self, const TgTexToken *token, TgTexTokens options)
{
    static const char unseen[] =
        " mode parse-numbers group-digits group-minimum-digits quantity-product "
        "number-unit-product inter-unit-product tight-spacing allow-number-unit-breaks "
        "allow-quantity-breaks propagate-math-font reset-math-version reset-text-family "
        "reset-text-series reset-text-shape detect-all detect-weight detect-family "
        "detect-mode color unit-color number-color ";
    static const struct {
        const char *name;
        PerMode mode;
    } per_modes[] = { { "per-mode=power", PER_POWER },
                      { "per-mode=reciprocal", PER_POWER },
                      { "per-mode=symbol", PER_SYMBOL },
                      { "per-mode=fraction", PER_FRACTION } };
    g_autofree char *text = tg_parser_spelling(options);
    g_auto(GStrv) items = g_strsplit(text, ",", -1);
    PerMode mode = PER_POWER;

    for (guint i = 0; items[i] != NULL; i++) {
        g_auto(GStrv) words = g_strsplit_set(items[i], " \t\r\n", -1);
        g_autofree char *item = g_strjoinv("", words);
        g_autofree char *name = g_strdup_printf(" %.*s ", (int) strcspn(item, "="), item);
        guint m = 0;

        while (m < G_N_ELEMENTS(per_modes) && strcmp(item, per_modes[m].name) != 0)
            m++;
        if (m < G_N_ELEMENTS(per_modes))
            mode = per_modes[m].mode;
        else if (item[0] != '\0' && item[0] != '=' && strstr(unseen, name) == NULL)
            tg_report(&self->errors, token, TG_PARSE_UNKNOWN_COMMAND,
                      "the option %s of siunitx is not read", item);
    }
    return mode;
}

/* Read the arguments after the first one, @first, and write what the command prints. @kind: n
 * number, u unit, q both, a angle, l list, r range, x product */
static void write_siunitx(TgParser *self, const TgTexToken *token, char kind, gboolean has_unit,
                          TgTexTokens first, TgTexTokens options)
{
    enum { MAX_ITEMS = 64 };
    g_autoptr(GString) latex = g_string_new(NULL);
    Writing out = { .parser = self, .token = token, .latex = latex };
    TgTexTokens items[MAX_ITEMS] = { first }, unit;
    guint n = 1;

    out.per_mode = read_options(self, token, options);
    if ((kind == 'r' && !tg_parser_tokens_argument(self, token, "two numbers", &items[1])) ||
        (has_unit && !tg_parser_tokens_argument(self, token, "a unit", &unit)))
        return;
    if (kind == 'r')
        n = 2;
    else if (kind == 'l' || kind == 'x')
        n = split_items(first, kind == 'l' ? ';' : 'x', items, MAX_ITEMS);
    if (kind == 'a')
        put_angle(&out, first);
    else if (kind == 'u')
        put_units(&out, unit);
    else if (kind == 'x')
        put_items(&out, items, n, "\\times {}", "\\times {}", has_unit ? &unit : NULL);
    else
        put_items(&out, items, n, ",\\ ", kind == 'r' ? "\\text{ to }" : "\\text{ and }",
                  has_unit ? &unit : NULL);
    tg_parser_read_instead(self, token, out.args, "%s", latex->str);
}

/* A command of siunitx, whose arguments stand after [options]: value is the kind, detail 1 when it
 * has a unit. */
void tg_parser_siunitx(TgParser *self, const TgTexToken *token)
{
    const char kind = (char) token->command->value;
    TgTexTokens options = { NULL, 0 }, first = { NULL, 0 }, before;

    tg_expander_optional(&self->in, &options);
    if (kind != 'u' && !tg_parser_tokens_argument(self, token, "a number", &first))
        return;
    if (kind == 'q') /* a unit before the number, in version 2 of siunitx */
        tg_expander_optional(&self->in, &before);
    write_siunitx(self, token, kind, token->command->detail != 0, first, options);
}
