/* The table of commands of packages that other LaTeX stands for: braket, physics, mathtools,
 * siunitx, slashed, cancel. Those of graphics leave their box as it is. */
#include "tokenizer/macros/commands_packages.h"

#include "tokenizer/tree/node.h"

/* clang-format off: one row a line */
#define MACRO(n, args, t)                                                                          \
    {                                                                                              \
        .name = n, .text = t, .value = args,                                                       \
        .flags = TG_COMMAND_MACRO | ((args) > 0 ? TG_COMMAND_ARGS : 0)                             \
    }
/* With arguments as parser_template.c says. */
#define TEMPLATE(n, arguments, t)                                                                  \
    {                                                                                              \
        .name = n, .text = arguments ":" t, .action = TG_ACTION_TEMPLATE,                          \
        .flags = TG_COMMAND_MATH | TG_COMMAND_ARGS                                                 \
    }

#define ACTION(n, a, f)                                                                            \
    {                                                                                              \
        .name = n, .action = TG_ACTION_##a, .flags = TG_COMMAND_MATH | TG_COMMAND_ARGS | (f)       \
    }
/* A box in its natural size. */
#define BOX(n, arguments, body)                                                                    \
    {                                                                                              \
        .name = n, .text = arguments ":\\mbox{" body "}", .action = TG_ACTION_TEMPLATE,            \
        .flags = TG_COMMAND_MATH | TG_COMMAND_TEXT | TG_COMMAND_ARGS                               \
    }
#define ENCLOSE(n, form)                                                                           \
    {                                                                                              \
        .name = n, .value = form, .action = TG_ACTION_ENCLOSE,                                     \
        .flags = TG_COMMAND_MATH | TG_COMMAND_ARGS                                                 \
    }
#define PHANTOM(n, hides)                                                                          \
    {                                                                                              \
        .name = n, .value = hides, .action = TG_ACTION_PHANTOM,                                    \
        .flags = TG_COMMAND_MATH | TG_COMMAND_ARGS                                                 \
    }
/* Braces that grow, with a star not. */
#define SIZED(left, body, right)                                                                   \
    "@1{\\left" left "\\smash{" body "}\\right" right "\\vphantom{" body "}}{\\left" left "{" body \
    "}\\right" right "}"
#define BRACES(n, left, right)        TEMPLATE(n, "sm", SIZED(left, "#2", right))
#define BRACES_OF_TWO(n, left, right) TEMPLATE(n, "smm", SIZED(left, "#2,#3", right))

/* physics' brackets of states: with a star nothing in them makes them grow, and what stands in the
   middle of three never does, but for two stars. */
/* clang-format off */
#define ANGLES(body) "\\left\\langle" body "\\right\\rangle"
#define BARS_OUTSIDE(a, b) "\\left|" a "\\middle\\rangle\\!\\middle\\langle" b "\\right|"
#define INNER_PRODUCT(n)                                                                           \
    TEMPLATE(n, "smg",                                                                             \
             "@1{\\vphantom{#2@3{#3}{}}" ANGLES("\\smash{#2}\\middle|\\smash{@3{#3}{#2}}") "}"     \
             "{" ANGLES("{#2}\\middle|{@3{#3}{#2}}") "}")
#define OUTER_PRODUCT(n)                                                                           \
    TEMPLATE(n, "smg",                                                                             \
             "@1{\\vphantom{#2@3{#3}{}}" BARS_OUTSIDE("\\smash{#2}", "\\smash{@3{#3}{#2}}") "}"    \
             "{" BARS_OUTSIDE("{#2}", "{@3{#3}{#2}}") "}")
#define BETWEEN(a, b, c)                                                                           \
    "@1{@2{" ANGLES("{" a "}\\middle|{" b "}\\middle|{" c "}") "}"                                 \
    "{\\vphantom{" a b c "}"                                                                       \
    ANGLES("\\smash{" a "}\\middle|\\smash{" b "}\\middle|\\smash{" c "}") "}}"                    \
    "{\\vphantom{" b "}" ANGLES("{" a "}\\middle|\\smash{" b "}\\middle|{" c "}") "}"
#define MATRIX_ELEMENT(n) TEMPLATE(n, "ssmmm", BETWEEN("#3", "#4", "#5"))
#define EXPECTATION(n)                                                                             \
    TEMPLATE(n, "ssmg",                                                                            \
             "@4{" BETWEEN("#4", "#3", "#4") "}"                                                   \
             "{@1{\\vphantom{#3}" ANGLES("\\smash{#3}") "}{" ANGLES("{#3}") "}}")
/* clang-format on */

/* \frac, or with a star a slash. */
#define FRACTION_OF(n, arguments, above, below)                                                    \
    TEMPLATE(n, arguments,                                                                         \
             "@1{\\left." above "\\middle/" below "\\right.}{\\frac{" above "}{" below "}}")
#define DERIVATIVE(n, d) FRACTION_OF(n, "somg", d "@2{^{#2}}{}@4{#3}{}", d "@4{#4}{#3}@2{^{#2}}{}")
#define PARTIAL(n)                                                                                 \
    FRACTION_OF(n, "somgg", "\\partial @2{^{#2}}{@5{^{2}}{}}@4{#3}{}",                             \
                "\\partial @4{#4}{#3}@2{^{#2}}{}@5{\\partial #5}{}")

const TgCommand tg_package_commands[] = {
    BRACES("Bqty", "\\lbrace", "\\rbrace"),
    MACRO("Bra", 1, "\\left\\langle#1\\right|"),
    TEMPLATE("Braket", "b", "\\left\\langle #1\\right\\rangle"),
    MACRO("Colonapprox", 0, "\\dblcolon\\mathrel{\\mkern-1.2mu}\\approx "),
    MACRO("Coloneq", 0, "\\dblcolon\\mathrel{\\mkern-1.5mu}\\relbar "),
    MACRO("Coloneqq", 0, "\\dblcolon\\mathrel{\\mkern-1.2mu}="),
    MACRO("Colonsim", 0, "\\dblcolon\\mathrel{\\mkern-1.2mu}\\sim "),
    MACRO("Eqcolon", 0, "\\relbar\\mathrel{\\mkern-1.5mu}\\dblcolon "),
    MACRO("Eqqcolon", 0, "=\\mathrel{\\mkern-1.2mu}\\dblcolon "),
    MACRO("Ket", 1, "\\left|#1\\right\\rangle"),
    TEMPLATE("PV", "g", "\\mathrm{P.V.}@1{\\mathord{#1}}{}"),
    MACRO("Pmqty", 1, "\\left\\lgroup\\begin{matrix}#1\\end{matrix}\\right\\rgroup "),
    MACRO("Res", 0, "\\operatorname{Res}"),
    MACRO("SI", 2, "#1\\,\\mathrm{#2}"),
    TEMPLATE("Set", "b", "\\left\\{\\:#1\\:\\right\\}"),
    MACRO("Tr", 0, "\\operatorname{Tr}"),
    BRACES("abs", "\\lvert", "\\rvert"),
    BRACES("absolutevalue", "\\lvert", "\\rvert"),
    BRACES_OF_TWO("acomm", "\\lbrace", "\\rbrace"),
    BRACES_OF_TWO("acommutator", "\\lbrace", "\\rbrace"),
    MACRO("adjustlimits", 6,
          "\\mathop{#1\\vphantom{#4}}\\limits#2{\\smash{#3}\\vphantom{#6}}"
          "\\mathop{#4}\\limits#5{#6}"),
    BRACES_OF_TWO("anticommutator", "\\lbrace", "\\rbrace"),
    MACRO("approxcolon", 0, "\\approx\\mathrel{\\mkern-1.2mu}\\vcentcolon"),
    MACRO("bmqty", 1, "\\begin{bmatrix}#1\\end{bmatrix}"),
    BRACES("bqty", "\\lbrack", "\\rbrack"),
    MACRO("bra", 1, "\\mathinner{\\langle{#1}|}"),
    TEMPLATE("braket", "mg", "\\mathinner{\\langle{#1}@2{|{#2}}{}\\rangle}"),
    ACTION("cancelto", CANCELTO, 0),
    MACRO("colonapprox", 0, "\\vcentcolon\\mathrel{\\mkern-1.2mu}\\approx "),
    MACRO("colonsim", 0, "\\vcentcolon\\mathrel{\\mkern-1.2mu}\\sim "),
    { .name = "colorlet",
      .value = 1,
      .action = TG_ACTION_DEFINECOLOR,
      .flags = TG_COMMAND_MATH | TG_COMMAND_ARGS | TG_COMMAND_TEXT },
    BRACES_OF_TWO("comm", "\\lbrack", "\\rbrack"),
    BRACES_OF_TWO("commutator", "\\lbrack", "\\rbrack"),
    PHANTOM("cramped", TG_PHANTOM_CRAMPED),
    MACRO("cross", 0, "\\boldsymbol{\\times}"),
    MACRO("crossproduct", 0, "\\boldsymbol{\\times}"),
    TEMPLATE("curl", "g", "\\boldsymbol{\\nabla}\\boldsymbol{\\times}@1{#1}{}"),
    TEMPLATE("dd", "og", "@2{\\mathinner{\\mathrm{d}@1{^{#1}}{}#2}}{\\mathrm{d}@1{^{#1}}{}}"),
    ACTION("definecolor", DEFINECOLOR, TG_COMMAND_TEXT),
    DERIVATIVE("derivative", "\\mathrm{d}"),
    TEMPLATE("differential", "og",
             "@2{\\mathinner{\\mathrm{d}@1{^{#1}}{}#2}}{\\mathrm{d}@1{^{#1}}{}}"),
    TEMPLATE("divergence", "g", "\\boldsymbol{\\nabla}\\boldsymbol{\\cdot}@1{#1}{}"),
    MACRO("dotproduct", 0, "\\boldsymbol{\\cdot}"),
    DERIVATIVE("dv", "\\mathrm{d}"),
    OUTER_PRODUCT("dyad"),
    MACRO("eqcolon", 0, "\\relbar\\mathrel{\\mkern-1.5mu}\\vcentcolon "),
    MACRO("erf", 0, "\\operatorname{erf}"),
    EXPECTATION("ev"),
    EXPECTATION("expectationvalue"),
    EXPECTATION("expval"),
    DERIVATIVE("fderivative", "\\delta "),
    DERIVATIVE("fdv", "\\delta "),
    MACRO("fint", 0, "\\mathop{⨏}\\nolimits "),
    MACRO("flatfrac", 2, "\\left.#1\\middle/#2\\right."),
    DERIVATIVE("functionalderivative", "\\delta "),
    TEMPLATE("grad", "g", "\\boldsymbol{\\nabla}@1{#1}{}"),
    TEMPLATE("gradient", "g", "\\boldsymbol{\\nabla}@1{#1}{}"),
    INNER_PRODUCT("innerproduct"),
    MACRO("intclockwise", 0, "\\mathop{∱}\\nolimits "),
    INNER_PRODUCT("ip"),
    MACRO("ket", 1, "\\mathinner{|{#1}\\rangle}"),
    MACRO("ketbra", 2, "\\ket{#1}\\bra{#2}"),
    TEMPLATE("laplacian", "g", "\\nabla^{2}@1{#1}{}"),
    MACRO("lparen", 0, "("),
    TEMPLATE("mathmakebox", "oom", "@1{\\makebox[#1]@2{[#2]}{}{$#3$}}{{#3}}"),
    MACRO("mathmbox", 1, "{#1}"),
    MACRO("matrixdeterminant", 1, "\\begin{vmatrix}#1\\end{vmatrix}"),
    MATRIX_ELEMENT("matrixel"),
    MATRIX_ELEMENT("matrixelement"),
    MACRO("mdet", 1, "\\begin{vmatrix}#1\\end{vmatrix}"),
    MATRIX_ELEMENT("mel"),
    BRACES("norm", "\\lVert", "\\rVert"),
    MACRO("num", 1, "#1"),
    MACRO("oiiint", 0, "\\mathop{\\iiint\\mkern-24mu\\bigcirc}"),
    MACRO("oiint", 0, "\\mathop{\\iint\\mkern-18mu\\bigcirc}"),
    MACRO("ointclockwise", 0, "\\mathop{∲}\\nolimits "),
    MACRO("ointctrclockwise", 0, "\\mathop{∳}\\nolimits "),
    OUTER_PRODUCT("op"),
    TEMPLATE("order", "sm", "\\mathcal{O}\\mathopen{}\\mathclose{" SIZED("(", "#2", ")") "}"),
    MACRO("ordinarycolon", 0, ":"),
    OUTER_PRODUCT("outerproduct"),
    PARTIAL("partialderivative"),
    BRACES_OF_TWO("pb", "\\lbrace", "\\rbrace"),
    PARTIAL("pderivative"),
    PARTIAL("pdv"),
    MACRO("pmqty", 1, "\\begin{pmatrix}#1\\end{pmatrix}"),
    BRACES_OF_TWO("poissonbracket", "\\lbrace", "\\rbrace"),
    BRACES("pqty", "(", ")"),
    TEMPLATE("principalvalue", "g", "\\mathcal{P}@1{\\mathord{#1}}{}"),
    TEMPLATE("pv", "g", "\\mathcal{P}@1{\\mathord{#1}}{}"),
    MACRO("qand", 0, "\\quad\\text{and}\\quad "),
    MACRO("qas", 0, "\\quad\\text{as}\\quad "),
    MACRO("qc", 0, ",\\quad "),
    TEMPLATE("qcc", "s", "@1{}{\\quad}\\text{c.c.}\\quad "),
    MACRO("qcomma", 0, ",\\quad "),
    MACRO("qelse", 0, "\\quad\\text{else}\\quad "),
    MACRO("qfor", 0, "\\quad\\text{for}\\quad "),
    MACRO("qif", 0, "\\quad\\text{if}\\quad "),
    MACRO("qis", 0, "\\quad\\text{is}\\quad "),
    MACRO("qlet", 0, "\\quad\\text{let}\\quad "),
    MACRO("qor", 0, "\\quad\\text{or}\\quad "),
    MACRO("qotherwise", 0, "\\quad\\text{otherwise}\\quad "),
    TEMPLATE("qq", "sm", "@1{}{\\quad}\\text{#2}\\quad "),
    MACRO("qsince", 0, "\\quad\\text{since}\\quad "),
    MACRO("qthen", 0, "\\quad\\text{then}\\quad "),
    MACRO("qunless", 0, "\\quad\\text{unless}\\quad "),
    MACRO("qwhere", 0, "\\quad\\text{where}\\quad "),
    MACRO("qwith", 0, "\\quad\\text{with}\\quad "),
    MACRO("rank", 0, "\\operatorname{rank}"),
    MACRO("ratio", 0, "\\vcentcolon "),
    BOX("reflectbox", "m", "#1"),
    BOX("resizebox", "smmm", "#4"),
    BOX("rotatebox", "omm", "#3"),
    MACRO("rparen", 0, ")"),
    BOX("scalebox", "mom", "#3"),
    TEMPLATE("set", "v", "\\mathinner{\\lbrace\\,#1\\,\\rbrace}"),
    MACRO("si", 1, "\\mathrm{#1}"),
    MACRO("simcolon", 0, "\\sim\\mathrel{\\mkern-1.2mu}\\vcentcolon"),
    ENCLOSE("slashed", TG_ENCLOSE_SLASHED),
    ACTION("smashoperator", SMASHOPERATOR, 0),
    MACRO("splitdfrac", 2, "\\genfrac{}{}{0pt}{0}{#1\\quad\\hfill}{\\hfill\\quad\\mathstrut #2}"),
    MACRO("splitfrac", 2,
          "\\genfrac{}{}{0pt}{1}{\\textstyle #1\\quad\\hfill}{\\textstyle\\hfill\\quad\\mathstrut "
          "#2}"),
    MACRO("sqint", 0, "\\mathop{⨖}\\nolimits "),
    MACRO("tr", 0, "\\operatorname{tr}"),
    MACRO("unit", 1, "\\mathrm{#1}"),
    TEMPLATE("va", "sm", "\\vec{@1{\\boldsymbol{#2}}{\\mathbf{#2}}}"),
    TEMPLATE("var", "og", "@2{\\mathinner{\\delta @1{^{#1}}{}#2}}{\\delta @1{^{#1}}{}}"),
    TEMPLATE("variation", "og", "@2{\\mathinner{\\delta @1{^{#1}}{}#2}}{\\delta @1{^{#1}}{}}"),
    MACRO("varoiint", 0, "\\mathop{\\iint\\mkern-18mu\\bigcirc}"),
    MACRO("varointclockwise", 0, "\\mathop{∲}\\nolimits "),
    MACRO("varointctrclockwise", 0, "\\mathop{∳}\\nolimits "),
    TEMPLATE("vb", "sm", "@1{\\boldsymbol{#2}}{\\mathbf{#2}}"),
    MACRO("vdot", 0, "\\boldsymbol{\\cdot}"),
    TEMPLATE("vectorarrow", "sm", "\\vec{@1{\\boldsymbol{#2}}{\\mathbf{#2}}}"),
    TEMPLATE("vectorbold", "sm", "@1{\\boldsymbol{#2}}{\\mathbf{#2}}"),
    TEMPLATE("vectorunit", "sm", "@1{\\boldsymbol{\\hat{#2}}}{\\mathbf{\\hat{#2}}}"),
    MACRO("vev", 1, "\\expval{#1}{0}"),
    MACRO("vmqty", 1, "\\begin{vmatrix}#1\\end{vmatrix}"),
    BRACES("vqty", "\\lvert", "\\rvert"),
    TEMPLATE("vu", "sm", "@1{\\boldsymbol{\\hat{#2}}}{\\mathbf{\\hat{#2}}}"),
};
/* clang-format on */

const guint tg_n_package_commands = G_N_ELEMENTS(tg_package_commands);
