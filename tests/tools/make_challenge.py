#!/usr/bin/env python3
# ruff: noqa: E501, RUF001, RUF005
"""Writes datasets/challenge.tsv, pairs that look the same or differ in one thing, from formulas of our own.

Severity: 0 the same picture, 1 a detail, 2 one wrong thing, 3 much is wrong.

Usage: make_challenge.py > datasets/challenge.tsv

Every pair has a kind, a severity (0 the same picture, 1 a detail, 2 one wrong thing, 3 much is wrong) and the
reason for both. Rules change the formulas of FORMULAS; HAND holds pairs that no rule makes.
"""

import random
import re

# Each two tokens have a space between them, so that rules need no parser.
FORMULAS = r"""
a ^ { 2 } + b ^ { 2 } = c ^ { 2 }
E = m c ^ { 2 }
x = \frac { - b \pm \sqrt { b ^ { 2 } - 4 a c } } { 2 a }
\sum _ { k = 1 } ^ { n } k = \frac { n ( n + 1 ) } { 2 }
\int _ { 0 } ^ { 1 } x ^ { 3 } d x = \frac { 1 } { 4 }
f ( x ) = \frac { 1 } { \sqrt { 2 \pi } } e ^ { - x ^ { 2 } / 2 }
\frac { d y } { d x } + p ( x ) y = q ( x )
\lim _ { h \to 0 } \frac { f ( x + h ) - f ( x ) } { h }
A _ { i j } B ^ { j k } = C _ { i } ^ { k }
\alpha _ { 1 } x + \beta _ { 2 } y = \gamma
\nabla \times E = - \frac { \partial B } { \partial t }
| x - y | \leq | x | + | y |
P ( A | B ) = \frac { P ( B | A ) P ( A ) } { P ( B ) }
\sin ( a + b ) = \sin a \cos b + \cos a \sin b
\hat { y } = w _ { 0 } + w _ { 1 } x _ { 1 }
\sigma ^ { 2 } = \frac { 1 } { n } \sum _ { i = 1 } ^ { n } ( x _ { i } - \mu ) ^ { 2 }
e ^ { i \pi } + 1 = 0
\begin{pmatrix} a & b \\ c & d \end{pmatrix}
\det \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} = - 2
v = v _ { 0 } + a t
s = v _ { 0 } t + \frac { 1 } { 2 } a t ^ { 2 }
\frac { a } { b } = \frac { c } { d }
( a + b ) ( a - b ) = a ^ { 2 } - b ^ { 2 }
\log _ { 2 } 8 = 3
n ! = n ( n - 1 ) !
\binom { n } { k } = \frac { n ! } { k ! ( n - k ) ! }
x \in A \cap B
p V = n R T
F = G \frac { m _ { 1 } m _ { 2 } } { r ^ { 2 } }
\lambda = \frac { h } { p }
T ( n ) = 2 T ( n / 2 ) + n
\vec { F } = m \vec { a }
\bar { x } = \frac { x _ { 1 } + x _ { 2 } + x _ { 3 } } { 3 }
f ^ { \prime } ( x ) = 3 x ^ { 2 } - 6 x + 1
g _ { \mu \nu } = \eta _ { \mu \nu } + h _ { \mu \nu }
\prod _ { p } \frac { 1 } { 1 - p ^ { - s } } = \zeta ( s )
u _ { t } = k u _ { x x }
\frac { x ^ { 2 } } { a ^ { 2 } } + \frac { y ^ { 2 } } { b ^ { 2 } } = 1
\theta = \arctan \frac { y } { x }
H \psi = E \psi
\mathcal { L } = T - V
\mathbf { A } x = \lambda x
R = \frac { U } { I }
\omega = 2 \pi f
y = a x ^ { 2 } + b x + c
a _ { n + 1 } = a _ { n } + d
S _ { n } = \frac { n ( a _ { 1 } + a _ { n } ) } { 2 }
z = r ( \cos \varphi + i \sin \varphi )
\int _ { a } ^ { b } f ( x ) d x = F ( b ) - F ( a )
\rho \frac { \partial u } { \partial t } = - \nabla p + \mu \Delta u
k = A e ^ { - E / R T }
\tilde { X } _ { t } = X _ { t } - X _ { t - 1 }
\begin{cases} x & x > 0 \\ - x & x < 0 \end{cases}
\begin{aligned} a & = b + c \\ d & = e - f \end{aligned}
\frac { 1 } { 1 + \frac { 1 } { x } }
\sqrt { x + \sqrt { y } } = z
x _ { 1 } ^ { 2 } + x _ { 2 } ^ { 2 } \geq 2 x _ { 1 } x _ { 2 }
""".strip().split("\n")

LETTERS = "abcdefghkmnpqrstuvwxyz"
LOOKS = {
    "x": r"\chi",
    "v": r"\nu",
    "a": r"\alpha",
    "p": r"\rho",
    "k": r"\kappa",
    "n": r"\eta",
    "u": r"\mu",
}
UNRELATED = r"\oint _ { C } \mathbf { B } \cdot d \ell = \mu _ { 0 } I + \oint _ { D } K \wedge W"


def group_end(tokens, start):
    """The closing brace of the group that begins at `start`."""
    depth = 0
    for i in range(start, len(tokens)):
        depth += (tokens[i] == "{") - (tokens[i] == "}")
        if depth == 0:
            return i
    raise ValueError("unclosed")


def groups_after(tokens, i, n):
    """Ends of the `n` groups after token `i`, or None."""
    ends = []
    for _ in range(n):
        if i + 1 >= len(tokens) or tokens[i + 1] != "{":
            return None
        i = group_end(tokens, i + 1)
        ends.append(i)
    return ends


def places(tokens, test):
    """Where tokens are that may be changed: not in the name of an environment."""
    return [i for i, token in enumerate(tokens) if test(token)]


def is_letter(token):
    """A single Latin letter."""
    return len(token) == 1 and token.isalpha()


def replaced(tokens, i, *new):
    """The tokens with others in place of number `i`."""
    return tokens[:i] + list(new) + tokens[i + 1 :]


# ---- the same picture ----


def same_over(tokens, rng):
    """The fraction of plain TeX."""
    for i in places(tokens, lambda t: t == r"\frac"):
        num, den = groups_after(tokens, i, 2)
        return (
            tokens[:i]
            + ["{"]
            + tokens[i + 1 : num + 1]
            + [r"\over"]
            + tokens[num + 1 : den + 1]
            + ["}"]
            + tokens[den + 1 :]
        )
    return None


def same_braces(tokens, rng):
    """Braces around a letter."""
    at = rng.choice(places(tokens, is_letter) or [None])
    return None if at is None else replaced(tokens, at, "{", tokens[at], "}")


def same_order(tokens, rng):
    """Superscript before subscript."""
    for i in places(tokens, lambda t: t == "_"):
        first = group_end(tokens, i + 1)
        if tokens[first + 1 : first + 2] == ["^"]:
            second = group_end(tokens, first + 2)
            return (
                tokens[:i]
                + tokens[first + 1 : second + 1]
                + tokens[i : first + 1]
                + tokens[second + 1 :]
            )
    return None


def same_name(tokens, rng):
    """Another name of the same command."""
    names = {r"\leq": r"\le", r"\geq": r"\ge", r"\to": r"\rightarrow", r"\prime": r"\prime{}"}
    for i in places(tokens, lambda t: t in names and t != r"\prime"):
        return replaced(tokens, i, names[tokens[i]])
    return None


def same_fences(tokens, rng):
    """Parentheses that \\left and \\right would leave as high."""
    i = tokens.index("(") if "(" in tokens else -1
    if i < 0 or ")" not in tokens[i:]:
        return None
    inside = tokens[i + 1 : tokens.index(")", i)]
    if "(" in inside or not all(len(t) == 1 and t not in "{}" for t in inside):
        return None
    j = i + 1 + len(inside)
    return tokens[:i] + [r"\left("] + inside + [r"\right)"] + tokens[j + 1 :]


def same_no_blanks(tokens, rng):
    """No blanks that TeX needs not."""
    return [re.sub(r"(\\[a-zA-Z]+) (?![a-zA-Z])", r"\1", " ".join(tokens)).replace(" ", "\0")]


def same_short_scripts(tokens, rng):
    """Scripts of one sign without braces."""
    out, n = list(tokens), 0
    for i in reversed(range(len(out) - 3)):
        if out[i] in "_^" and out[i + 1] == "{" and out[i + 3] == "}" and len(out[i + 2]) == 1:
            out[i : i + 4] = [out[i], out[i + 2]]
            n += 1
    return out if n else None


def same_array(tokens, rng):
    """A matrix as an array in brackets."""
    if r"\begin{pmatrix}" not in tokens:
        return None
    names = {
        r"\begin{pmatrix}": r"\left(\begin{array}{cc}",
        r"\end{pmatrix}": r"\end{array}\right)",
    }
    return [names.get(t, t) for t in tokens]


def same_stop(tokens, rng):
    """The stop at the end of the sentence."""
    return tokens + ["."]


# ---- visible edits ----


def edit_letter(tokens, rng):
    """One wrong letter."""
    at = rng.choice(places(tokens, is_letter) or [None])
    if at is None:
        return None
    return replaced(
        tokens, at, rng.choice([c for c in LETTERS if c != tokens[at] and c not in tokens])
    )


def edit_digit(tokens, rng):
    """One wrong digit: another number."""
    at = rng.choice(places(tokens, str.isdigit) or [None])
    return None if at is None else replaced(tokens, at, str((int(tokens[at]) + 4) % 10))


def edit_sign(tokens, rng):
    """Plus for minus, or the other way round."""
    at = rng.choice(places(tokens, lambda t: t in "+-") or [None])
    return None if at is None else replaced(tokens, at, "-" if tokens[at] == "+" else "+")


def edit_lost(tokens, rng):
    """A lost letter."""
    at = rng.choice(
        [i for i in places(tokens, is_letter) if tokens[i - 1 : i] != ["{"] or tokens[i + 1] != "}"]
        or [None]
    )
    return None if at is None else replaced(tokens, at)


def edit_script(tokens, rng):
    """A lost script."""
    at = rng.choice(places(tokens, lambda t: t in "_^") or [None])
    return None if at is None else tokens[:at] + tokens[group_end(tokens, at + 1) + 1 :]


def edit_raised(tokens, rng):
    """A subscript for a superscript, or the other way round."""
    for i in places(tokens, lambda t: t in "_^"):
        end = group_end(tokens, i + 1)
        if (
            tokens[end + 1 : end + 2] not in (["_"], ["^"])
            and tokens[i - 1] != "}"
            and tokens[i + 2] != r"\prime"
        ):
            return replaced(tokens, i, "^" if tokens[i] == "_" else "_")
    return None


def detail_look(tokens, rng):
    """A letter that looks much like the right one."""
    at = rng.choice(places(tokens, lambda t: t in LOOKS) or [None])
    return None if at is None else replaced(tokens, at, LOOKS[tokens[at]])


def detail_bold(tokens, rng):
    """One letter bold."""
    at = rng.choice(places(tokens, is_letter) or [None])
    if at is None or tokens[at - 2 : at - 1] == [r"\mathbf"]:
        return None
    return replaced(tokens, at, r"\mathbf", "{", tokens[at], "}")


def much_lost(tokens, rng):
    """The second half is lost."""
    at = tokens.index("=") if "=" in tokens else -1
    return tokens[:at] if at > 2 and not any(t.startswith(r"\begin") for t in tokens) else None


def much_unrelated(tokens, rng):
    """Another formula."""
    return UNRELATED.split(" ")


# ---- moved parts ----


def moved_fraction(tokens, rng):
    """Numerator and denominator exchanged."""
    for i in places(tokens, lambda t: t == r"\frac"):
        num, den = groups_after(tokens, i, 2)
        return (
            tokens[: i + 1]
            + tokens[num + 1 : den + 1]
            + tokens[i + 1 : num + 1]
            + tokens[den + 1 :]
        )
    return None


def moved_to_line(tokens, rng):
    """A script slid to the line."""
    at = rng.choice(places(tokens, lambda t: t in "_^") or [None])
    if at is None:
        return None
    end = group_end(tokens, at + 1)
    return tokens[:at] + tokens[at + 2 : end] + tokens[end + 1 :]


def moved_rows(tokens, rng):
    """Two rows exchanged."""
    if r"\\" not in tokens:
        return None
    first = next(i for i, t in enumerate(tokens) if t.startswith(r"\begin"))
    middle = tokens.index(r"\\")
    last = next(i for i, t in enumerate(tokens) if t.startswith(r"\end"))
    return (
        tokens[: first + 1]
        + tokens[middle + 1 : last]
        + [r"\\"]
        + tokens[first + 1 : middle]
        + tokens[last:]
    )


def moved_bracket(tokens, rng):
    """A bracket that closes elsewhere."""
    at = tokens.index(")") if ")" in tokens else -1
    if at < 0 or at + 1 >= len(tokens) or not (is_letter(tokens[at + 1]) or tokens[at + 1] in "!"):
        return None
    return tokens[:at] + [tokens[at + 1], ")"] + tokens[at + 2 :]


# ---- LaTeX that does not compile ----


def broken_brace(tokens, rng):
    """A closing brace is missing."""
    at = [i for i in places(tokens, lambda t: t == "}")]
    return replaced(tokens, at[-1]) if at else None


def broken_left(tokens, rng):
    """\\left without \\right."""
    return replaced(tokens, tokens.index("("), r"\left(") if "(" in tokens else None


def broken_command(tokens, rng):
    """A command that no package has."""
    at = rng.choice([i for i, t in enumerate(tokens) if re.fullmatch(r"\\[a-z]{3,}", t)] or [None])
    return None if at is None else replaced(tokens, at, tokens[at] + "qq")


def broken_end(tokens, rng):
    """An environment that does not end."""
    return (
        [t for t in tokens if not t.startswith(r"\end")] if tokens[-1].startswith(r"\end") else None
    )


RULES = [
    (
        "same",
        0,
        [
            same_over,
            same_braces,
            same_order,
            same_name,
            same_fences,
            same_no_blanks,
            same_short_scripts,
            same_array,
            same_stop,
        ],
    ),
    ("visible", 1, [detail_look, detail_bold]),
    ("visible", 2, [edit_letter, edit_digit, edit_sign, edit_lost, edit_script, edit_raised]),
    ("visible", 3, [much_lost, much_unrelated]),
    ("moved", 2, [moved_fraction, moved_to_line, moved_rows, moved_bracket]),
    ("broken", 2, [broken_brace, broken_left, broken_command, broken_end]),
]

# kind, severity, reason, reference, prediction
HAND = r"""
same|0|a prime in braces|f^{'}(x)|f'(x)
same|0|a prime on a group|{x_i}'|x_i'
same|0|a prime on a group|{f_n}'(x)|f_n'(x)
same|0|primes as commands|y^{\prime\prime}+y=0|y''+y=0
same|0|dots typed one by one|1,2,\cdot\cdot\cdot,n|1,2,\cdots,n
same|0|dots typed as stops|a_1,...,a_n|a_1,\ldots,a_n
same|0|angles typed as relations|<x>|\langle x\rangle
same|0|angles typed as relations|<u,v>=0|\langle u,v\rangle=0
same|0|a ket typed as a relation|\|\psi>|\|\psi\rangle
same|0|a root as a character|√2|\sqrt2
same|0|a root as a character|√{x+1}|\sqrt{x+1}
same|0|two commands for bold|\pmb{x}+1|\boldsymbol{x}+1
same|0|a typed equation number|a=b\tag{1}|a=b\quad(1)
same|0|full-width punctuation|f（a，b）|f(a,b)
same|0|upright by a switch|{\rm d}x|\mathrm{d}x
same|0|upright or italic by habit|\int f\,\mathrm{d}x|\int f\,dx
same|0|a function by two commands|\operatorname{det}A|\det A
same|0|words by two commands|x\text{ for }y|x\mbox{ for }y
same|0|Unicode for commands|α+β≤γ|\alpha+\beta\leq\gamma
same|0|Unicode for commands|x∈A∩B|x\in A\cap B
same|0|Unicode for commands|∑_{i=1}^n i|\sum_{i=1}^n i
same|0|Unicode scripts|x²+y²|x^2+y^2
same|0|a Unicode minus|a−b|a-b
same|0|two names of one sign|a\land b|a\wedge b
same|0|two names of one sign|A\setminus B|A\backslash B
same|0|two names of one sign|\|x\||\lVert x\rVert
same|0|two names of one sign|a\neq b|a\ne b
same|0|a negated sign in two parts|a\not=b|a\neq b
same|0|a negated sign in two parts|x\not\in A|x\notin A
same|0|fractions of another size|\dfrac{a}{b}|\frac{a}{b}
same|0|a binomial by its parts|\binom{n}{k}|{n\choose k}
same|0|limits beside or below|\lim\limits_{x\to0}f|\lim_{x\to0}f
same|0|the style of a display|\displaystyle\sum_i a_i|\sum_i a_i
same|0|rows of an array or aligned|\begin{aligned}a&=b\\&=c\end{aligned}|\begin{array}{rl}a&=b\\&=c\end{array}
same|0|alignment at another place|\begin{aligned}a&=b\\c&=d\end{aligned}|\begin{aligned}a=&b\\c=&d\end{aligned}
same|0|ends of rows|\begin{aligned}a&=b,\\c&=d.\end{aligned}|\begin{aligned}a&=b\\c&=d\end{aligned}
same|0|cases by a brace and an array|\begin{cases}a\\b\end{cases}|\left\{\begin{array}{l}a\\b\end{array}\right.
same|0|a matrix by plain TeX|\begin{pmatrix}a&b\end{pmatrix}|\pmatrix{a&b}
same|0|chemistry by hand|\ce{H2O}|\mathrm{H_2O}
same|0|chemistry by hand|\ce{2H2 + O2 -> 2H2O}|2\mathrm{H}_2+\mathrm{O}_2\longrightarrow 2\mathrm{H}_2\mathrm{O}
same|0|a modulus by hand|a\equiv b\pmod 7|a\equiv b\ (\mathrm{mod}\ 7)
same|0|a degree|90^\circ|90°
same|0|color|\color{red}x+y|x+y
same|0|spaces|a\quad b|a\;b
same|0|a phantom|a\phantom{x}b|ab
same|0|dollars|$x+1$|x+1
same|0|a label|x+1\label{e}|x+1
same|0|a tilde accent over one letter|\widehat{x}|\hat{x}
same|0|over and under|\overset{n}{\sum}|\stackrel{n}{\sum}
same|0|an accent in Unicode|\vec{v}|v⃗
same|0|an accent without braces|\hat x|\hat{x}
same|0|bars typed twice|a\|\|b|a\Vert b
same|0|a macro|\newcommand{\R}{\mathbb{R}}x\in\R|x\in\mathbb{R}
visible|1|another letter style where both occur|\mathbf{x}+x|x+x
visible|1|another letter style where both occur|\mathrm{d}d|dd
visible|1|blackboard lost|x\in\mathbb{R}|x\in R
visible|1|script letter lost|\mathcal{F}(f)|F(f)
visible|1|sans serif lost|\mathsf{X}Y|XY
visible|1|a lost blank in text|x\text{ if so}|x\text{ ifso}
visible|1|columns run together|\begin{matrix}a&b\end{matrix}|\begin{matrix}ab\end{matrix}
visible|1|a comma lost between arguments|f(a,b)|f(ab)
visible|1|a comma for a stop|3.14|3,14
visible|1|a variant of a letter|\epsilon+1|\varepsilon+1
visible|1|a variant of a letter|\phi|\varphi
visible|1|a look-alike|v|\nu
visible|1|a look-alike|O(n)|0(n)
visible|1|a look-alike|l=1|I=1
visible|1|a letter in the other case|p=mv|P=mv
visible|1|a letter in the other case|x_C|x_c
visible|1|strict for weak|a\leq b|a<b
visible|1|another bracket|(0,1)|[0,1)
visible|1|another accent|\hat{x}|\tilde{x}
visible|1|a prime lost|f'(x)+f(x)|f(x)+f(x)
visible|1|a box lost|\boxed{x=1}|x=1
visible|1|a size of brackets|\Bigg[x\Bigg]|[x]
visible|1|limits beside a sum|\sum\nolimits_{i}i|\sum_{i}i
visible|1|staggered indices|R^{a}{}_{b}{}^{c}|R^{ac}_{b}
visible|1|a function name in italics|\sin x|sinx
visible|1|vertical for horizontal dots|a\vdots b|a\cdots b
visible|1|an equation number|a=b\tag{1}|a=b\tag{2}
visible|2|a bar lost|\bar{x}=1|x=1
visible|2|a root lost|\sqrt{x+1}|x+1
visible|2|a root for a fraction|\sqrt{2}|\frac{1}{2}
visible|2|the radicand ends elsewhere|\sqrt{x+1}|\sqrt{x}+1
visible|2|the exponent ends elsewhere|x^{n+1}|x^n+1
visible|2|the denominator ends elsewhere|\frac{a}{b+c}|\frac{a}{b}+c
visible|2|a slash with another reach|\frac{a+b}{c}|a+b/c
visible|2|a negation lost|a\neq b|a=b
visible|2|a negation lost|x\notin A|x\in A
visible|2|a sign at the front lost|-x+1|x+1
visible|2|the other inequality|a<b|a>b
visible|2|an arrow back|A\rightarrow B|A\leftarrow B
visible|2|product for sum|\sum_i x_i|\prod_i x_i
visible|2|union for intersection|A\cup B|A\cap B
visible|2|a digit of a number|\pi\approx3.14159|\pi\approx3.14169
visible|2|an index|x_{12}|x_{13}
visible|2|an exponent|10^{6}|10^{9}
visible|2|a limit of an integral|\int_0^1 f|\int_0^2 f
visible|2|a factor added|2x=1|22x=1
visible|2|a row lost|\begin{pmatrix}a\\b\\c\end{pmatrix}|\begin{pmatrix}a\\b\end{pmatrix}
visible|2|a column lost|\begin{pmatrix}a&b\end{pmatrix}|\begin{pmatrix}a\end{pmatrix}
visible|2|rows for columns|\begin{pmatrix}a&b\end{pmatrix}|\begin{pmatrix}a\\b\end{pmatrix}
visible|2|a wrong word|\operatorname{Var}(X)|\operatorname{Cov}(X)
visible|2|a circle lost|\textcircled{1}x|1x
visible|2|another element|\ce{H2SO4}|\ce{H2SO3}
visible|3|nothing was read|E=mc^2|
visible|3|a word in place of a formula|\frac{a}{b}|\text{formula}
visible|3|read twice|x^2+1|x^2+1x^2+1
visible|3|without any structure|\frac{a^2}{\sqrt{b}}|a2b
moved|2|operands exchanged|a-b|b-a
moved|2|operands exchanged|a/b|b/a
moved|2|base and exponent exchanged|2^n|n^2
moved|2|limits exchanged|\int_a^b f|\int_b^a f
moved|2|arguments exchanged|f(x,y)|f(y,x)
moved|2|rows exchanged|\begin{cases}a\\b\end{cases}|\begin{cases}b\\a\end{cases}
moved|2|columns exchanged|\begin{pmatrix}a&b\end{pmatrix}|\begin{pmatrix}b&a\end{pmatrix}
moved|2|a matrix transposed|\begin{pmatrix}a&b\\c&d\end{pmatrix}|\begin{pmatrix}a&c\\b&d\end{pmatrix}
moved|2|an accent on the neighbor|\hat{a}b|a\hat{b}
moved|2|an index on the neighbor|a_1b|ab_1
moved|2|a term at the other side|a=b+c|a+c=b
moved|2|a bracket elsewhere|(a+b)c|(a+bc)
moved|2|a bracket elsewhere|2(x+1)|(2x+1)
moved|2|a numerator beside its fraction|\frac{xy}{z}|x\frac{y}{z}
broken|2|a brace is missing|\frac{a}{b}|\frac{a}{b
broken|2|a brace is missing|x^{2}|x^{2
broken|2|a brace too many|x+1|x+1}
broken|2|a script twice|x^{ab}|x^a^b
broken|2|\right without \left|(x)|(x\right)
broken|2|no argument|\sqrt{x}|x\sqrt
broken|2|a column sign outside|a=b|a&=b
broken|2|an environment of another name|\begin{matrix}a\end{matrix}|\begin{matrix}a\end{array}
broken|2|a command in capitals|\alpha+1|\Alfa+1
broken|2|a lone backslash command|x|\x
broken|2|a dollar inside|x+y|x+$y
broken|2|a delimiter that is none|(x)|\left a x\right)
""".strip().split("\n")


def text_of(tokens):
    """The formula, with blanks only where the tokens were joined by some."""
    return " ".join(tokens).replace("\0", " ") if len(tokens) > 1 else tokens[0].replace("\0", "")


def compact(tokens):
    """Without blanks but those after commands before letters."""
    out = ""
    for token in tokens:
        out += (" " if re.search(r"\\[a-zA-Z]+$", out) and token[0].isalpha() else "") + token
    return out


def main():
    """Write the pairs."""
    rng = random.Random(7)
    rows = []
    for formula in FORMULAS:
        tokens = formula.split(" ")
        for kind, severity, rules in RULES:
            for rule in rules:
                changed = rule(list(tokens), rng)
                if changed is None or changed == tokens:
                    continue
                pred = compact(tokens) if rule is same_no_blanks else text_of(changed)
                rows.append((kind, severity, "rule", rule.__doc__.rstrip("."), formula, pred))
    for line in HAND:
        fields = line.replace(r"\|", "\1").split("|")
        if len(fields) != 5:
            raise SystemExit(line)
        kind, severity, reason, truth, pred = fields
        bars = [
            text.replace("\1", "|" if "psi" in truth or "Vert b" in pred else r"\|")
            for text in (truth, pred)
        ]
        rows.append(
            (
                kind,
                severity,
                "hand",
                reason[0].upper() + reason[1:] if reason[0].isalpha() else reason,
                *bars,
            )
        )
    print("kind\tseverity\tby\treason\tgt\tpred")
    for row in rows:
        print("\t".join(str(field) for field in row))


if __name__ == "__main__":
    main()
