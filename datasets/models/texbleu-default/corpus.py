#!/usr/bin/env python3
"""Writes the corpus of the default TeXBLEU model: one formula a line.

usage: corpus.py SHARED OUTPUT

SHARED holds data/im2latex/val.formulas.norm.txt (github guillaumegenthial/im2latex, Apache-2.0)
and data/pdf-parse-bench/gt_formulas.json (github phorn1/pdf-parse-bench, MIT), checked by sha256.

The lines are the formulas of the first file as they are (tokens separated by blanks), the same
closed up (only the blanks that LaTeX needs), the formulas of the second file without delimiters,
and formulas made from templates, which give rare commands the surroundings that their kind has.
The same input gives the same bytes: the random numbers are those of a generator written out below.
"""
import hashlib
import json
import pathlib
import re
import sys

SOURCES = {
    "data/im2latex/val.formulas.norm.txt": "edc09f24cc2e200be1cf34ae1c9d5982058897fdef7d2b6377582586eaf5b8fa",
    "data/pdf-parse-bench/gt_formulas.json": "9bcc55193ce2c9c4c9cbbb42317b916060e918f4e65d2c69a371b8f842928de3",
}

GENERATED = 16000


class Random:
    """Knuth's MMIX linear congruential generator; the high bits are used."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound

    def pick(self, items):
        return items[self.below(len(items))]


KINDS = {
    "greek": r"""\alpha \beta \gamma \delta \epsilon \varepsilon \zeta \eta \theta \vartheta \iota
        \kappa \lambda \mu \nu \xi \pi \varpi \rho \varrho \sigma \varsigma \tau \upsilon \phi
        \varphi \chi \psi \omega""",
    "capital": r"""\Gamma \Delta \Theta \Lambda \Xi \Pi \Sigma \Upsilon \Phi \Psi \Omega""",
    "letter": "a b c d f g h k p q r s t u v w x y z",
    "upper": "A B C D E F G H K L M N P Q R S T U V W X Y Z",
    "index": "i j k l m n",
    "digit": "0 1 2 3 4 5 6 7 8 9 10 12 16 24 32 64 100",
    "order": r"""< > \leq \geq \le \ge \leqslant \geqslant \ll \gg \lesssim \gtrsim \prec \succ
        \preceq \succeq \leqq \geqq""",
    "equal": r"""= \equiv \approx \simeq \cong \sim \propto \neq \ne \doteq \triangleq \asymp
        \coloneqq :=""",
    "member": r"\in \notin \ni",
    "inclusion": r"""\subset \subseteq \supset \supseteq \subsetneq \supsetneq \sqsubset
        \sqsubseteq \nsubseteq""",
    "set": r"""\mathbb{R} \mathbb{N} \mathbb{Z} \mathbb{Q} \mathbb{C} \emptyset \varnothing \Re
        \mathcal{A} \mathcal{B} \mathfrak{g} \mathscr{F}""",
    "union": r"\cup \cap \setminus \sqcup \sqcap \uplus \triangle",
    "logic": r"\land \lor \wedge \vee \oplus",
    "imply": r"""\Rightarrow \Longrightarrow \implies \iff \Leftrightarrow \Longleftrightarrow
        \Leftarrow \impliedby \models \vdash""",
    "quantifier": r"\forall \exists \nexists",
    "arrow": r"""\to \rightarrow \longrightarrow \mapsto \longmapsto \leftarrow \gets
        \leftrightarrow \hookrightarrow \twoheadrightarrow \rightharpoonup \rightrightarrows
        \rightleftharpoons \leadsto \uparrow \downarrow""",
    "plus": r"+ - \pm \mp",
    "times": r"""\cdot \times \otimes \ast * \star \circ \bullet \odot \div / \ltimes \rtimes
        \boxtimes""",
    "bigop": r"""\sum \prod \coprod \bigcup \bigcap \bigoplus \bigotimes \bigvee \bigwedge
        \bigsqcup""",
    "integral": r"\int \iint \iiint \oint \idotsint",
    "function": r"""\sin \cos \tan \cot \sec \csc \sinh \cosh \tanh \coth \arcsin \arccos \arctan
        \exp \log \ln \lg""",
    "operator": r"""\det \dim \ker \deg \gcd \arg \hom \Pr \operatorname{tr} \operatorname{Tr}
        \operatorname{rank} \operatorname{sgn} \operatorname{diag} \mathrm{tr} \mathrm{Re} \Im""",
    "limit": r"\lim \limsup \liminf \max \min \sup \inf \varinjlim \varprojlim \arg\max \arg\min",
    "accent": r"""\hat \tilde \bar \vec \dot \ddot \check \breve \acute \grave \mathring""",
    "wide": r"""\overline \underline \widehat \widetilde \overrightarrow \overleftarrow
        \overbrace \underbrace \boxed""",
    "font": r"""\mathrm \mathbf \mathcal \mathbb \mathfrak \mathsf \mathit \mathtt \mathscr
        \boldsymbol \bm \text \textrm \textbf \textit \mbox \operatorname""",
    "oldfont": r"\rm \bf \cal \it \sf \tt \mit \sl \boldmath",
    "fraction": r"\frac \dfrac \tfrac \cfrac \binom \dbinom \tbinom",
    "infix": r"\over \atop \choose \brack",
    "dots": r"\dots \ldots \cdots \dotsc \dotsb \vdots \ddots",
    "space": r"\, \: \; \! \quad \qquad \  ~ \thinspace \enspace",
    "constant": r"\infty \hbar \ell \wp \imath \jmath \aleph \partial \nabla",
    "prime": r"' ^{\prime} ^{\dagger} ^{\dag} ^{\ast} ^{*} ^{T} ^{\top} ^{\perp} ^{\circ}",
    "matrix": "matrix pmatrix bmatrix vmatrix Vmatrix Bmatrix smallmatrix",
    "lines": "aligned align align* gathered split eqnarray gather gather*",
    "size": r"""\big \Big \bigg \Bigg \bigl \Bigl \biggl \Biggl""",
}
KINDS = {kind: words.split() for kind, words in KINDS.items()}
KINDS["space"].append("\\ ")

BRACKETS = [("(", ")"), ("[", "]"), (r"\{", r"\}"), ("|", "|"), (r"\|", r"\|"),
            (r"\langle", r"\rangle"), (r"\lfloor", r"\rfloor"), (r"\lceil", r"\rceil"),
            (r"\lbrack", r"\rbrack"), (r"\lbrace", r"\rbrace"), (r"\lvert", r"\rvert"),
            (r"\lVert", r"\rVert"), (r"\vert", r"\vert"), (r"\Vert", r"\Vert")]

# @kind@ is a word of that kind; @atom@, @term@, @sum@, @open@ and @close@ are made by functions.
TEMPLATES = [
    "@sum@ @equal@ @sum@",
    "@sum@ @order@ @sum@",
    "@sum@ @equal@ @sum@ @order@ @sum@",
    "@letter@ @order@ @digit@",
    "@letter@ @member@ @set@",
    "@quantifier@ @letter@ @member@ @set@ , @sum@ @order@ @digit@",
    "@upper@ @inclusion@ @upper@ @union@ @upper@",
    "@set@ @inclusion@ @set@",
    "@upper@ @union@ @upper@ = @set@",
    "@letter@ @logic@ @letter@ @imply@ @letter@ @logic@ @letter@",
    "@sum@ @imply@ @sum@",
    "@sum@ = @sum@ @imply@ @letter@ @order@ @digit@",
    "@letter@ : @upper@ @arrow@ @upper@",
    "@letter@ @arrow@ @infinity@",
    "@upper@ \\xrightarrow { @letter@ } @upper@",
    "@bigop@ _ { @index@ = @digit@ } ^ { @index@ } @term@",
    "@bigop@ _ { @index@ @member@ @upper@ } @term@ @equal@ @sum@",
    "@bigop@ \\limits _ { @index@ = @digit@ } ^ { \\infty } @term@",
    "@integral@ _ { @digit@ } ^ { @infinity@ } @term@ \\, d @letter@",
    "@integral@ _ { @upper@ } @term@ \\, \\mathrm { d } @letter@ = @sum@",
    "@function@ @atom@ @plus@ @function@ @atom@",
    "@function@ ^ { @digit@ } @atom@ + @function@ ^ { @digit@ } @atom@ = 1",
    "@function@ @open@ @sum@ @close@ = @sum@",
    "@operator@ ( @upper@ ) = @sum@",
    "@operator@ @upper@ @order@ @digit@",
    "@limit@ _ { @letter@ \\to @infinity@ } @term@ = @sum@",
    "@limit@ _ { @letter@ @member@ @set@ } @term@",
    "@accent@ { @letter@ } @equal@ @accent@ { @greek@ } @plus@ @atom@",
    "@accent@ @letter@ _ { @index@ } = @accent@ @upper@",
    "@wide@ { @sum@ } @equal@ @sum@",
    "@font@ { @upper@ } = @font@ { @letter@ } @times@ @font@ { @upper@ }",
    "{ @oldfont@ @upper@ } _ { @index@ } = { @oldfont@ @letter@ }",
    "@letter@ _ { @font@ { max } } @order@ @letter@ _ { @font@ { min } }",
    "@fraction@ { @sum@ } { @sum@ } @equal@ @sum@",
    "@fraction@ { @digit@ } { @digit@ } @times@ @atom@",
    "{ @sum@ @infix@ @sum@ } = @sum@",
    "\\sqrt { @sum@ } @equal@ \\sqrt [ @digit@ ] { @sum@ }",
    "@letter@ _ { 1 } , @dots@ , @letter@ _ { @index@ }",
    "@letter@ _ { 1 } + @letter@ _ { 2 } + @dots@ + @letter@ _ { @index@ }",
    "@sum@ , @space@ @sum@ @equal@ @sum@",
    "@constant@ @letter@ @equal@ @constant@ @sum@",
    "\\frac { \\partial @letter@ } { \\partial @letter@ } @equal@ @constant@ @atom@",
    "\\frac { d @letter@ } { d @letter@ } = @sum@",
    "@upper@ @prime@ @upper@ @equal@ @upper@ @prime@",
    "\\left @bracket@ @sum@ \\right @bracket2@ ^ { @digit@ } = @sum@",
    "@size@ @bracket@ @sum@ @size@ @bracket2@ @equal@ @sum@",
    "@open@ @sum@ @close@ @times@ @open@ @sum@ @close@ = @sum@",
    "\\begin { @matrix@ } @atom@ & @atom@ \\\\ @atom@ & @atom@ \\end { @matrix@ }",
    "\\begin { cases } @sum@ , & @letter@ @order@ @digit@ \\\\ @sum@ , & @letter@ @order@ @digit@"
    " \\end { cases }",
    "\\begin { @lines@ } @sum@ & = @sum@ \\\\ & = @sum@ \\end { @lines@ }",
    "\\begin { array } { c c } @atom@ & @atom@ \\\\ @atom@ & @atom@ \\end { array }",
    "@capital@ _ { @index@ @index@ } ^ { @greek@ } @equal@ @greek@ _ { @index@ }",
    "@sum@ \\tag { @digit@ }",
    "\\overset { @letter@ } { @equal@ } \\underset { @letter@ } { @order@ }",
    "@sum@ @equal@ @digit@ \\pmod { @letter@ }",
    "@letter@ @equal@ @letter@ \\bmod @digit@",
    "@letter@ \\mid @letter@ , \\quad @letter@ \\nmid @letter@",
    "@upper@ \\perp @upper@ , @upper@ \\parallel @upper@",
    "\\neg @letter@ @logic@ \\lnot @letter@",
    "\\phantom { @sum@ } @sum@ \\nonumber",
    "\\angle @upper@ @upper@ @upper@ = @digit@ ^ { \\circ }",
]


class Maker:
    def __init__(self, seed):
        self.random = Random(seed)
        self.close = []

    def atom(self):
        choice = self.random.below(10)
        word = self.random.pick(KINDS["letter" if choice < 5 else "greek" if choice < 8 else "upper"])
        tail = self.random.below(8)
        if tail == 0:
            return word + " _ { %s }" % self.random.pick(KINDS["index"])
        if tail == 1:
            return word + " ^ { %s }" % self.random.pick(KINDS["digit"])
        return word

    def term(self):
        choice = self.random.below(8)
        if choice == 0:
            return "%s %s" % (self.random.pick(KINDS["function"]), self.atom())
        if choice == 1:
            return "%s { %s } { %s }" % (self.random.pick(KINDS["fraction"]), self.atom(), self.atom())
        if choice == 2:
            return "%s ( %s )" % (self.random.pick(KINDS["letter"]), self.atom())
        if choice == 3:
            return "%s %s %s" % (self.atom(), self.random.pick(KINDS["times"]), self.atom())
        if choice == 4:
            return "%s { %s }" % (self.random.pick(KINDS["accent"]), self.atom())
        if choice == 5:
            return "%s %s" % (self.random.pick(KINDS["digit"]), self.atom())
        return self.atom()

    def sum(self):
        out = self.term()
        for _ in range(self.random.below(3)):
            out += " %s %s" % (self.random.pick(KINDS["plus"]), self.term())
        return out

    def slot(self, name):
        if name in ("atom", "term", "sum"):
            return getattr(self, name)()
        if name in ("open", "bracket"):
            pair = self.random.pick(BRACKETS)
            self.close.append(pair[1])
            return pair[0]
        if name in ("close", "bracket2"):
            return self.close.pop()
        if name == "infinity":
            return self.random.pick([r"\infty", r"+ \infty", r"- \infty", "0", "1"])
        if name in ("matrix", "lines"):
            return self.once.setdefault(name, self.random.pick(KINDS[name]))
        return self.random.pick(KINDS[name])

    def formula(self):
        self.once = {}
        template = self.random.pick(TEMPLATES)
        return re.sub(r"@(\w+)@", lambda match: self.slot(match.group(1)), template)


def close_up(formula):
    """The same formula without the blanks that LaTeX does not need."""
    tokens = formula.split()
    out = ""
    for i, token in enumerate(tokens):
        if token == "\\":
            token = "\\ "
        elif out and re.search(r"\\[A-Za-z]+$", out) and re.match("[A-Za-z]", token):
            out += " "
        out += token
    return out


def without_delimiters(formula):
    for opening, closing in (("$$", "$$"), ("$", "$"), (r"\[", r"\]"), (r"\(", r"\)")):
        if formula.startswith(opening) and formula.endswith(closing):
            return formula[len(opening):len(formula) - len(closing)].strip()
    return formula.strip()


def read_source(shared, name):
    data = (pathlib.Path(shared) / name).read_bytes()
    if hashlib.sha256(data).hexdigest() != SOURCES[name]:
        sys.exit(f"{name}: not the file that the default model was trained on")
    return data.decode("utf-8")


def main():
    shared, output = sys.argv[1:]
    val, bench = (read_source(shared, name) for name in SOURCES)
    spaced = [line.strip() for line in val.split("\n") if line.strip()]
    papers = [" ".join(without_delimiters(item["latex"]).split()) for item in json.loads(bench)]
    maker = Maker(5)
    made = [maker.formula() for _ in range(GENERATED)]
    lines = spaced + [close_up(line) for line in spaced] + papers
    for i, line in enumerate(made):
        lines.append(line if i % 2 == 0 else close_up(line))
    with open(output, "w", encoding="utf-8", newline="\n") as file:
        file.write("".join(line + "\n" for line in lines))


if __name__ == "__main__":
    main()
