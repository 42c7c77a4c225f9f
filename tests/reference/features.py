"""Feature templates read off a textbook configuration: values are spelled out, nothing is hashed or kept."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.reference.base import NONE, System

Row = Mapping[str, str]
"""A word: form, lemma, upos, xpos, feats, misc."""

NOTHING, ROOT = "<nothing>", "<root>"
SETS = {"set": 32, "labels": 128}  # sets tell labels apart by their number modulo this
MAY_BE_EMPTY = {"R1", "R2", "R3", "T0"}


def places(c: System) -> dict[str, int]:
    """The word at each position, -1 where there is none."""
    if hasattr(c, "focus"):
        i, j = c.focus
        stack, buffer = list(range(i + 1)), list(range(j, c.n + 1))
    else:
        stack, buffer = c.stack, c.buffer  # type: ignore[attr-defined]
    found = {f"S{k}": stack[-1 - k] if k < len(stack) else NONE for k in range(3)}
    found |= {f"B{k}": buffer[k] if k < len(buffer) else NONE for k in range(4)}
    found["R1"], found["R2"], found["R3"] = (*getattr(c, "registers", ()), NONE, NONE, NONE)[:3]
    inactive = getattr(c, "inactive", [])
    found["T0"] = inactive[-1] if inactive else NONE
    return found


class View:
    """What templates may ask of a configuration of one sentence.

    Args:
        labels: all labels by number.
        joined: whether `tag` is UPOS and XPOS together.
        ends: the words at H and D.
    """

    def __init__(
        self, c: System, rows: Sequence[Row], labels: Sequence[str], joined: bool = False,
        ends: tuple[int, int] = (NONE, NONE),
    ) -> None:  # fmt: skip
        self.rows, self.labels, self.joined = rows, labels, joined
        self.at = places(c) | {"H": ends[0], "D": ends[1]}
        self.heads: dict[int, tuple[int, str | None]] = {}
        self.above: dict[int, tuple[int, str | None]] = {}  # head and label of the head, when the arc was drawn
        self.left: dict[int, list[tuple[int, str | None]]] = {}  # children, outermost first
        self.right: dict[int, list[tuple[int, str | None]]] = {}
        for head, dependent, label, _ in c.drawn:
            self.heads[dependent] = head, label
            self.above[dependent] = self.heads.get(head, (NONE, None))
            side = self.left if dependent < head else self.right
            side.setdefault(head, []).append((dependent, label))
        for children in self.left.values():
            children.sort(key=lambda child: child[0])
        for children in self.right.values():
            children.sort(key=lambda child: -child[0])

    def attribute(self, word: int, name: str) -> Any:
        """An attribute of a word."""
        if word <= 0:
            return NOTHING if word < 0 else ROOT
        row = self.rows[word - 1]
        if name == "tag":
            return (row["upos"], row["xpos"]) if self.joined else row["upos"]
        if name[:3] == "pre":
            return row["form"][: int(name[3:])]
        if name[:3] == "suf":
            return row["form"][-int(name[3:]) :]
        column, bracket, key = name.partition("[")
        if not bracket:
            return row[column]
        for field in row[column].split("|"):
            left, equals, right = field.partition("=")
            if equals and left == key[:-1]:
                return (right,)
        return None

    def child(self, word: int, relation: str) -> tuple[int, str | None]:
        """The outermost or next outermost child: l1, l2, r1, r2."""
        children = (self.left if relation[0] == "l" else self.right).get(word, [])
        depth = int(relation[1]) - 1
        return children[depth] if depth < len(children) else (NONE, None)

    def related(self, word: int, relation: str) -> int:
        """The word in a relation to another."""
        if word < 0 or not relation:
            return word
        if relation == "head":
            return self.heads.get(word, (NONE, None))[0]
        if relation == "head2":
            return self.above.get(word, (NONE, None))[0]
        if relation[:4] in ("prev", "next"):
            steps = int(relation[4:] or 1)
            other = word - steps if relation[:4] == "prev" else word + steps
            return other if 1 <= other <= len(self.rows) else NONE
        return self.child(word, relation)[0]

    def of_arcs(self, word: int, relation: str, what: str) -> Any:
        """Labels, valencies and label sets."""
        if what == "deprel":
            if relation == "":
                return self.heads.get(word, (NONE, None))[1]
            if relation == "head":
                return self.above.get(word, (NONE, None))[1]
            return self.child(word, relation)[1]
        children = (self.left if what[0] == "l" else self.right).get(word, [])
        if what[1:] == "val":
            return min(len(children), 255) if word >= 0 else 255
        return frozenset(self.labels.index(label) % SETS[what[1:]] for _, label in children if label is not None)

    def pair(self, kind: str, a: int, b: int, tag: str | None) -> Any:
        """What is said of two words."""
        if a < 0 or b < 0:
            return NOTHING
        if kind == "dist":
            far = abs(a - b)
            return next((name for name, most in enumerate((0, 1, 2, 3, 4, 6, 10, 20)) if far <= most), "far")
        if kind == "dir":
            return a < b
        if kind == "arc":
            if self.heads.get(b, (NONE,))[0] == a:
                return "down"
            return "up" if self.heads.get(a, (NONE,))[0] == b else "no"
        return min(3, sum(self.rows[w - 1]["upos"] == tag for w in range(min(a, b) + 1, max(a, b))))

    def term(self, term: str) -> tuple[Any, set[str]]:
        """The value of a term and the positions it reads."""
        pair = re.fullmatch(r"(dist|arc|dir|between)\((\w+),(\w+)(?:,(.+))?\)", term)
        if pair:
            kind, a, b, tag = pair.groups()
            return self.pair(kind, self.at[a], self.at[b], tag), {a, b}
        bare, bracket, key = term.partition("[")
        position, *relations, name = bare.split(".")
        relation = relations[0] if relations else ""
        word = self.at[position]
        if name in ("deprel", "lval", "rval", "lset", "rset", "llabels", "rlabels"):
            return self.of_arcs(word, relation, name), {position}
        return self.attribute(self.related(word, relation), name + bracket + key), {position}

    def feature(self, template: str) -> tuple[Any, ...] | None:
        """The feature a template makes; None where it reads an empty position that mostly is empty."""
        values: list[Any] = [template]
        for term in template.split():
            value, read = self.term(term)
            if any(self.at[position] < 0 for position in read & MAY_BE_EMPTY):
                return None
            values.append(value)
        return tuple(values)
