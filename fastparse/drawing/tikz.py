"""A tree for LaTeX, in the language of the package tikz-dependency."""

from typing import Any

from fastparse.drawing.graph import graph_of

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    # Brackets after the end of a row would be read as the optional argument of \\.
    "[": "{[}",
    "]": "{]}",
    # The backslash would make a separator of columns of it.
    "&": r"\symbol{38}",
} | {character: "\\" + character for character in "#$%_{}"}

_CROSSING = "[edge style={red!70!black, thick}]"

_DOCUMENT = r"""\documentclass{standalone}
\usepackage[T1]{fontenc}
\usepackage{tikz-dependency}
\begin{document}
%s\end{document}
"""


def to_tikz(sentence: Any, registers: tuple[int, ...] = (), document: bool = False) -> str:
    """Draw a sentence with tikz-dependency; arcs that cross are thick and red, registers are boxed.

    Args:
        sentence: anything with forms, heads and, if they are known, deprels.
        registers: words to mark, in the order of their registers; the root cannot be marked.
        document: make a document of it that compiles on its own.
    """
    graph = graph_of(sentence, registers)
    crossing = {arc for pair in graph.crossings() for arc in pair}
    lines = [
        r"\begin{dependency}",
        r"  \begin{deptext}[column sep=1em]",
        "    " + r" \& ".join(map(escape, graph.forms)) + r" \\",
        r"  \end{deptext}",
    ]
    for arc in graph.arcs:
        option = _CROSSING if arc in crossing else ""
        label = escape(arc.label)
        if arc.head == 0:
            lines.append(rf"  \deproot{option}{{{arc.dependent}}}{{{label}}}")
        else:
            lines.append(rf"  \depedge{option}{{{arc.head}}}{{{arc.dependent}}}{{{label}}}")
    for number, word in enumerate(graph.registers, 1):
        if word > 0:
            lines.append(rf"  \wordgroup{{1}}{{{word}}}{{{word}}}{{register{number}}}")
    lines.append(r"\end{dependency}")
    text = "\n".join(lines) + "\n"
    return _DOCUMENT % text if document else text


def escape(text: str) -> str:
    """Text with the characters TeX gives a meaning to made harmless."""
    return "".join(_ESCAPES.get(character, character) for character in text)
