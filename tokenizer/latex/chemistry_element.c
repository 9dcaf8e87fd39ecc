/* An element with its scripts, or an amount, as nodes. */
#include "tokenizer/latex/chemistry.h"

/* ---- Looking ------------------------------------------------------------------------------- */

gboolean tg_chem_is_number(TgTexTokens tokens)
{
    for (guint32 i = 0; i < tokens.n; i++) {
        if (!tg_token_is_digit(&tokens.tokens[i]))
            return FALSE;
    }
    return tokens.n > 0;
}

static gboolean all_of(TgTexTokens tokens, const char *characters)
{
    for (guint32 i = 0; i < tokens.n; i++) {
        if (!tg_token_is_char_of(&tokens.tokens[i], characters))
            return FALSE;
    }
    return tokens.n > 0;
}

/* @tokens without dollars around them. */
static TgTexTokens without_dollars(TgTexTokens tokens)
{
    if (tokens.n >= 2 && tokens.tokens[0].kind == TG_TOK_DOLLAR &&
        tokens.tokens[tokens.n - 1].kind == TG_TOK_DOLLAR)
        return tg_chem_slice(tokens, 1, tokens.n - 1);
    return tokens;
}

/* A lower-case letter, a number, (a number, a quotient: 1,2-, \alpha-, n-. */
gboolean tg_chem_is_locant(TgTexTokens tokens)
{
    guint32 slash = 0;

    tokens = without_dollars(tokens);
    if (tokens.n == 1 &&
        (tg_chem_is_lower(tokens.tokens) ||
         (tg_chem_is_greek(tokens.tokens) && g_ascii_islower(tokens.tokens->text[1]))))
        return TRUE;
    if (tokens.n > 0 && tg_token_is_char(tokens.tokens, '('))
        tokens = tg_chem_slice(tokens, 1, tokens.n);
    while (slash < tokens.n && tg_token_is_digit(&tokens.tokens[slash]))
        slash++;
    return slash > 0 &&
           (slash == tokens.n || (tg_token_is_char(&tokens.tokens[slash], '/') &&
                                  tg_chem_is_number(tg_chem_slice(tokens, slash + 1, tokens.n))));
}

/* A sum of at most two numbers and letters in dollars, which is an amount: $n$, $2-x$. */
gboolean tg_chem_is_amount(TgTexTokens tokens)
{
    TgTexTokens inside = without_dollars(tokens);
    guint32 i = 0, letters = 0, signs = 0;

    if (inside.n == tokens.n || !all_of(inside, "0123456789+-abcdefghijklmnopqrstuvwxyz"))
        return FALSE;
    for (i = 0; i < inside.n; i++) {
        letters += tg_chem_is_lower(&inside.tokens[i]);
        signs += tg_token_is_char_of(&inside.tokens[i], "+-");
    }
    return letters > 0 && letters <= 3 && signs <= 2 &&
           (signs > 0 || (letters == 1 && inside.n == 1)) && tg_chem_is_counted(inside);
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* {..} in a formula is text. */
static void add_text(TgChemList *list, TgTexTokens group)
{
    TgParser *parser = list->parser;
    TgNode *text = tg_parser_node(parser, TG_NODE_TEXT, &group.tokens[0]);
    const TgFontState before = parser->font;

    parser->font.text = (TgTextFont){ .size = before.text.size };
    text->u.text.body =
        tg_parser_sublist(parser, tg_chem_slice(group, 1, group.n - 1), TRUE, &group.tokens[0]);
    parser->font = before;
    text->end = MAX(text->end, group.tokens[group.n - 1].end);
    text->u.text.scales = 1;
    text->u.text.align = 'c';
    tg_chem_add(list, text);
}

/* The element: upright letters, with text and mathematics between them. */
static TgNode *element_node(TgChemFormula *self)
{
    const TgTexTokens tokens = tg_chem_part(self, TG_CHEM_ELEMENT);
    TgChemList list = { .parser = self->out->parser };

    for (guint32 i = 0, end; i < tokens.n; i = end) {
        const TgTexToken *token = &tokens.tokens[i];
        const gboolean plain =
            self->counter || tg_chem_is_greek(token) || tg_token_is_char_of(token, "()[]/|");

        end = tg_chem_end_of(tokens, i);
        if (token->kind == TG_TOK_OPEN) {
            add_text(&list, tg_chem_slice(tokens, i, end));
        } else if (token->kind == TG_TOK_DOLLAR) {
            tg_chem_add_math(&list, tg_chem_slice(tokens, i, end));
        } else if (plain) {
            tg_chem_add_run(&list, tg_chem_slice(tokens, i, end), TG_ALPHABET_DEFAULT);
        } else {
            while (end < tokens.n && tokens.tokens[end].kind == TG_TOK_CHAR)
                end++;
            tg_chem_add_run(&list, tg_chem_slice(tokens, i, end), TG_ALPHABET_RM);
        }
    }
    if (list.n == 1 && (list.first->kind == TG_NODE_TEXT || list.first->kind == TG_NODE_LIST ||
                        tg_token_is_char_of(tokens.tokens, "(")))
        return list.first;
    return tg_chem_take(&list, &tokens.tokens[0], &tokens.tokens[tokens.n - 1]);
}

/* A SCRIPTS with those of the two parts that have tokens. */
static TgNode *scripts_node(TgChemFormula *self, guint sub, guint sup, TgScriptsForm form)
{
    TgParser *parser = self->out->parser;
    const TgTexToken *at =
        (const TgTexToken *) self->parts[tg_chem_has_no(self, sup) ? sub : sup]->data;
    TgNode *node = tg_parser_node(parser, TG_NODE_SCRIPTS, at);

    if (!tg_chem_has_no(self, sub))
        node->u.scripts.sub = tg_chem_script(parser, tg_chem_part(self, sub), FALSE);
    if (!tg_chem_has_no(self, sup))
        node->u.scripts.sup = tg_chem_script(parser, tg_chem_part(self, sup), TRUE);
    node->u.scripts.form = (guint8) form;
    if (node->u.scripts.sub != NULL)
        node->start = MIN(node->start, node->u.scripts.sub->start);
    node->end = MAX(node->u.scripts.sub != NULL ? node->u.scripts.sub->end : 0,
                    node->u.scripts.sup != NULL ? node->u.scripts.sup->end : 0);
    return node;
}

/* How the scripts behind the element stand: side by side, or above each other as an index is that
 * was written X^2_3; roman numbers are oxidation states and come first. */
static TgScriptsForm scripts_form(const TgChemFormula *self)
{
    if (self->sup_first && all_of(tg_chem_part(self, TG_CHEM_SUP), "IVX"))
        return TG_SCRIPTS_SUP_SUB;
    return self->sup_first && !tg_chem_has_no(self, TG_CHEM_SUB) ? TG_SCRIPTS_STACKED
                                                                 : TG_SCRIPTS_SUB_SUP;
}

/* Hang @nucleus into @scripts; or, when the element has no letters, the item before. */
static void add_scripts(TgChemFormula *self, TgNode *scripts, TgNode *nucleus)
{
    TgNode *last = self->out->last;

    if (nucleus == NULL && self->takes_scripts && last != NULL && tg_parser_takes_scripts(last)) {
        TgNode *inner = tg_parser_node(self->out->parser, TG_NODE_LIST,
                                       &(TgTexToken){ .start = last->start, .end = last->end });

        *inner = *last;
        inner->next = NULL;
        scripts->u.scripts.nucleus = inner;
        scripts->start = MIN(scripts->start, inner->start);
        *last = *scripts;
        return;
    }
    if (nucleus == NULL) { /* {}, so that no atom before gets them */
        nucleus = tg_parser_node(self->out->parser, TG_NODE_LIST,
                                 &(TgTexToken){ .start = scripts->start, .end = scripts->start });
        nucleus->u.list.braced = 1;
    }
    scripts->u.scripts.nucleus = nucleus;
    scripts->start = MIN(scripts->start, nucleus->start);
    tg_chem_add(self->out, scripts);
}

static void put_element(TgChemFormula *self)
{
    const gboolean isotope =
        !tg_chem_has_no(self, TG_CHEM_PRESUP) || !tg_chem_has_no(self, TG_CHEM_PRESUB);
    const gboolean scripts =
        !tg_chem_has_no(self, TG_CHEM_SUP) || !tg_chem_has_no(self, TG_CHEM_SUB);

    if (isotope) {
        self->takes_scripts = FALSE;
        add_scripts(self, scripts_node(self, TG_CHEM_PRESUB, TG_CHEM_PRESUP, TG_SCRIPTS_BEFORE),
                    NULL);
    }
    TgNode *element = tg_chem_has_no(self, TG_CHEM_ELEMENT) ? NULL : element_node(self);
    if (scripts)
        add_scripts(self, scripts_node(self, TG_CHEM_SUB, TG_CHEM_SUP, scripts_form(self)),
                    element);
    else if (element != NULL)
        tg_chem_add(self->out, element);
    self->locant = !isotope && tg_chem_is_locant(tg_chem_part(self, TG_CHEM_ELEMENT));
    self->out->scripted = scripts;
}

/* A number, whose commas are decimal marks. */
static void add_number(TgChemList *list, TgTexTokens tokens)
{
    guint32 run = 0;

    for (guint32 i = 0; i < tokens.n; i++) {
        if (!tg_token_is_char(&tokens.tokens[i], ','))
            continue;
        tg_chem_add_run(list, tg_chem_slice(tokens, run, i), TG_ALPHABET_DEFAULT);
        tg_chem_add_latex(list, "{,}", &tokens.tokens[i]);
        run = i + 1;
    }
    tg_chem_add_run(list, tg_chem_slice(tokens, run, tokens.n), TG_ALPHABET_DEFAULT);
}

/* 1/2, whose slash is at @slash. */
static void add_quotient(TgChemList *list, TgTexTokens tokens, guint32 slash)
{
    const TgTexToken *first = &tokens.tokens[0], *last = &tokens.tokens[tokens.n - 1];
    TgNode *fraction = tg_parser_node(list->parser, TG_NODE_FRACTION, first);
    TgChemList num = { .parser = list->parser }, den = { .parser = list->parser };

    tg_chem_add_run(&num, tg_chem_slice(tokens, 0, slash), TG_ALPHABET_DEFAULT);
    tg_chem_add_run(&den, tg_chem_slice(tokens, slash + 1, tokens.n), TG_ALPHABET_DEFAULT);
    fraction->u.fraction.num = tg_chem_take(&num, first, &tokens.tokens[slash - 1]);
    fraction->u.fraction.den = tg_chem_take(&den, &tokens.tokens[slash + 1], last);
    fraction->u.fraction.has_bar = 1;
    fraction->u.fraction.style = TG_STYLE_INHERIT;
    fraction->u.fraction.align = 'c';
    fraction->end = MAX(first->end, last->end);
    fraction->token = tg_parser_ink(list->parser, &tokens.tokens[slash], 0);
    tg_chem_add(list, fraction);
}

/* An amount; 1/2 is a fraction. */
static void put_amount(TgChemFormula *self)
{
    const TgTexTokens tokens = tg_chem_part(self, TG_CHEM_ELEMENT);
    const TgTexToken *at = &tokens.tokens[0];
    guint32 slash = 0;

    self->locant = tg_chem_is_locant(tokens);
    self->out->scripted = FALSE;
    while (slash < tokens.n && tg_token_is_digit(&tokens.tokens[slash]))
        slash++;
    if (slash > 0 && slash < tokens.n && tg_token_is_char(&tokens.tokens[slash], '/') &&
        tg_chem_is_number(tg_chem_slice(tokens, slash + 1, tokens.n))) {
        add_quotient(self->out, tokens, slash);
    } else {
        add_number(self->out, tokens);
    }
    if (self->state == TG_CHEM_AT_AMOUNT)
        tg_chem_add_latex(self->out, "\\,", at);
}

/* Write the element with its scripts, if there is anything of it. */
void tg_chem_flush(TgChemFormula *self)
{
    gboolean any = FALSE;

    for (guint part = 0; part < TG_N_CHEM_PARTS; part++)
        any |= !tg_chem_has_no(self, part);
    if (any && (self->state == TG_CHEM_AT_AMOUNT || self->state == TG_CHEM_AT_BARE_AMOUNT))
        put_amount(self);
    else if (any)
        put_element(self);
    for (guint part = 0; part < TG_N_CHEM_PARTS; part++) {
        g_array_set_size(self->parts[part], 0);
        self->begun[part] = FALSE;
    }
    self->takes_scripts &= !any;
    self->sup_first = self->counter = FALSE;
}
