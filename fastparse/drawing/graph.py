"""What is drawn: words, labelled arcs between them, and words that stand in a register."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from fastparse.errors import Error

ROOT = "ROOT"


class Arc(NamedTuple):
    """A labelled arc; head 0 is the root."""

    head: int
    dependent: int
    label: str

    @property
    def left(self) -> int:
        return min(self.head, self.dependent)

    @property
    def right(self) -> int:
        return max(self.head, self.dependent)

    def crosses(self, other: "Arc") -> bool:
        """Whether exactly one end of `other` lies strictly inside this arc, and the other strictly outside."""
        return self.left < other.left < self.right < other.right or other.left < self.left < other.right < self.right


@dataclass(frozen=True)
class Graph:
    """A sentence to draw.

    Attributes:
        forms: one per word; words are numbered from 1, place 0 is the root.
        arcs: in the order of their dependents.
        registers: words to mark, in the order of their registers.
        name: what the picture is called, often the sentence's id.
        tags: to write below the words, one per word; none if they are not wanted.
        notes: what else is known of the words, one per word or none.
    """

    forms: tuple[str, ...]
    arcs: tuple[Arc, ...]
    registers: tuple[int, ...] = ()
    name: str = ""
    tags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def sent_id(self) -> str | None:
        """What a sentence has under this name."""
        return self.name or None

    @property
    def has_root_arc(self) -> bool:
        return any(arc.head == 0 for arc in self.arcs)

    def crossings(self) -> list[tuple[Arc, Arc]]:
        """All pairs of arcs that cross, arcs from the root included."""
        return [(a, b) for at, a in enumerate(self.arcs) for b in self.arcs[at + 1 :] if a.crosses(b)]

    def lower_half(self) -> frozenset[int]:
        """Places of arcs to draw below the words, so that as few as can be seen cross: none, if there are two planes.

        Arcs that cross no other stay above, and so do most of the others.
        """
        crossed: dict[int, list[int]] = {}
        for at, a in enumerate(self.arcs):
            for other in range(at + 1, len(self.arcs)):
                if a.crosses(self.arcs[other]):
                    crossed.setdefault(at, []).append(other)
                    crossed.setdefault(other, []).append(at)
        below: set[int] = set()
        placed: set[int] = set()
        for start in crossed:
            if start in placed:
                continue
            # Arcs that hang together by crossings: each goes where fewer of those that are placed cross it.
            sides: dict[int, bool] = {}
            waiting = [start]
            for at in waiting:
                if at not in sides:
                    sides[at] = sum(1 if sides[o] else -1 for o in crossed[at] if o in sides) < 0
                    waiting += [other for other in crossed[at] if other not in sides]
            under = [at for at, side in sides.items() if side]
            below.update(under if 2 * len(under) <= len(sides) else sides.keys() - set(under))
            placed |= sides.keys()
        return frozenset(below)

    def text(self, word: int) -> str:
        """The form of a word, or the name of the root."""
        return ROOT if word == 0 else self.forms[word - 1]


def graph_of(sentence: Any, registers: Iterable[int] = ()) -> Graph:
    """The graph of a sentence: anything with forms, heads and, if they are known, deprels; or a graph itself.

    Words without a head get no arc.
    """
    if isinstance(sentence, Graph):
        return replace(sentence, registers=tuple(registers) or sentence.registers)
    forms, heads = list(sentence.forms), [int(head) for head in sentence.heads]
    labels = [label or "" for label in getattr(sentence, "deprels", None) or [""] * len(forms)]
    arcs = [(head, word, labels[word - 1]) for word, head in enumerate(heads, 1) if head >= 0]
    return make_graph(forms, arcs, registers, getattr(sentence, "sent_id", None) or "")


def enhanced_graph(sentence: Any) -> Graph:
    """The enhanced graph of a Sentence, with empty nodes collapsed: several arcs may enter a word.

    Raises:
        Error: if the sentence has none.
    """
    from fastparse.corpus.graphs import collapsed_graphs

    found = collapsed_graphs(sentence.treebank.select([sentence.index]))
    if not len(found.heads):
        raise Error(f"{sentence.where()}: there is no enhanced graph: the column DEPS is empty")
    labels = [found.names[label] for label in found.labels.tolist()]
    arcs = zip(found.heads.tolist(), found.dependents.tolist(), labels, strict=True)
    return make_graph(sentence.forms, arcs, (), sentence.sent_id or "")


def with_tags(graph: Graph, sentence: Any) -> Graph:
    """A graph with the tags of its sentence below the words, and lemmas and features to be looked up."""
    columns = zip(sentence.lemmas, sentence.upos, sentence.xpos, sentence.feats, strict=True)
    known = [[printable("" if cell == "_" else cell) for cell in row] for row in columns]
    tags = tuple(upos or xpos for _, upos, xpos, _ in known)
    notes = tuple("\n".join(filter(None, (lemma, upos, xpos, *feats.split("|")))) for lemma, upos, xpos, feats in known)
    return replace(graph, tags=tags, notes=notes)


def make_graph(
    forms: Sequence[str], arcs: Iterable[tuple[int, int, str]], registers: Iterable[int] = (), name: str = ""
) -> Graph:
    """A graph from its parts, checked.

    Args:
        forms: one per word.
        arcs: (head, dependent, label); "_" is no label.
        registers: words to mark.
        name: of the picture.
    Raises:
        Error: if an arc or a register refers to no word.
    """
    n, made = len(forms), []
    for head, dependent, label in arcs:
        if not (0 <= head <= n and 1 <= dependent <= n and head != dependent):
            raise Error(f"cannot draw an arc from {head!r} to {dependent!r}: the sentence has words 1 to {n}")
        made.append(Arc(head, dependent, "" if label == "_" else printable(label)))
    registers = tuple(registers)
    for word in registers:
        if not 0 <= word <= n:
            raise Error(f"cannot mark {word!r} as a register: the sentence has words 0 to {n}")
    made.sort(key=lambda arc: (arc.dependent, arc.head))
    return Graph(tuple(printable(form) for form in forms), tuple(made), registers, printable(name))


def printable(text: str) -> str:
    """Text without control characters and lone surrogates, which neither XML nor a terminal can show."""
    return "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Cs") or c in "\ufffe\uffff" else c for c in text)
