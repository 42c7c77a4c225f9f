"""Where words, arcs and labels go, and how wide text is, in terminal cells and in ems, without asking a font.

Every arc rises from a port above its head, runs level, and falls to a port above its dependent. Three rules make the
picture tell the truth: two arcs meet if and only if they cross, and then in exactly one point; no label covers
another; no line runs through a label.

    ports   Above each word, from left to right: arcs to the left, the shortest first; arcs to the right, the longest
            first. So arcs that share a word do not meet.
    levels  An arc lies above those it spans, and on another level than those it crosses.
    places  Labels sit on the level part of their arc, in a stretch no other arc's rise or fall passes. The stretch is
            made wide enough by moving words apart: each demand is a least distance between two words, and the
            longest path through the demands gives the tightest places.
"""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from fastparse.drawing.graph import Arc, Graph


@dataclass(frozen=True)
class Metrics:
    """Sizes, in any unit.

    Attributes:
        form_width: width of a form.
        label_width: width of a label.
        port: distance of two ports.
        gap: least distance of two words.
        slack: by how much the stretch of a label is longer than the label, at least.
    """

    form_width: Callable[[str], int]
    label_width: Callable[[str], int]
    port: int
    gap: int
    slack: int


@dataclass
class Place:
    """Where one arc goes: ports of its left and right end, level from 1, left edge and width of its label; whether it
    is drawn below the words."""

    arc: Arc
    left: int
    right: int
    level: int
    label: int
    label_width: int
    below: bool = False

    @property
    def head(self) -> int:
        return self.left if self.arc.head == self.arc.left else self.right

    @property
    def dependent(self) -> int:
        return self.right if self.arc.head == self.arc.left else self.left


@dataclass
class Layout:
    """Places of a graph.

    Attributes:
        graph: what is laid out.
        words: the words shown, from 0 if the root is one of them.
        lefts: left edge of each word's box.
        widths: width of each word's box, at least that of its form.
        places: one per arc, in the order of the graph's arcs.
        levels: the highest level in use above the words.
        depths: the same below them.
        width: of everything.
    """

    graph: Graph
    words: range
    lefts: dict[int, int]
    widths: dict[int, int]
    places: list[Place]
    levels: int
    depths: int
    width: int


def lay_out(graph: Graph, metrics: Metrics, root: bool = False, below: frozenset[int] = frozenset()) -> Layout:
    """Find places for everything in a graph, the root shown if asked for or needed; time is quadratic in its arcs.

    Args:
        below: places of the arcs that are drawn below the words; the rules hold above and below, each for itself.
    """
    words = range(0 if root or graph.has_root_arc or 0 in graph.registers else 1, len(graph.forms) + 1)
    above = [at for at in range(len(graph.arcs)) if at not in below]
    levels = [0] * len(graph.arcs)
    widths = {word: _text_width(graph, word, metrics) for word in words}
    offsets: dict[tuple[int, int], int] = {}
    for side in (above, sorted(below)):
        for at, level in zip(side, arc_levels(tuple(graph.arcs[at] for at in side)), strict=True):
            levels[at] = level
        ports = _ports(graph.arcs, side, words)
        widths = {word: max(widths[word], _block(ports[word], metrics) + 1) for word in words}
    for side in (above, sorted(below)):
        offsets |= _offsets(_ports(graph.arcs, side, words), widths, metrics)
    labels = [metrics.label_width(arc.label) if arc.label else 0 for arc in graph.arcs]
    stretches = [_ends(arc, at, graph.arcs, levels, below) for at, arc in enumerate(graph.arcs)]
    # Least distances between left edges, by right word and left word.
    demands: dict[int, dict[int, int]] = {word: {} for word in words}
    for word in words[1:]:
        demands[word][word - 1] = widths[word - 1] + metrics.gap
    # A label that does not fit adds a demand that makes it fit for good, so there are at most as many rounds as arcs.
    while True:
        lefts = _tightest(words, demands)
        free = [_widest(ends, lefts, offsets) for ends in stretches]
        narrow = [at for at, (start, end) in enumerate(free) if end.x - start.x < labels[at] + metrics.slack]
        if not narrow:
            break
        for at in narrow:
            start, end = free[at]
            distance = labels[at] + metrics.slack + offsets[start.word, start.arc] - offsets[end.word, end.arc]
            demands[end.word][start.word] = max(distance, demands[end.word].get(start.word, 0))
    places = [
        Place(
            arc,
            left=lefts[arc.left] + offsets[arc.left, at],
            right=lefts[arc.right] + offsets[arc.right, at],
            level=levels[at],
            label=start.x + (end.x - start.x - labels[at] + 1) // 2,
            label_width=labels[at],
            below=at in below,
        )
        for at, (arc, (start, end)) in enumerate(zip(graph.arcs, free, strict=True))
    ]
    width = max((lefts[word] + widths[word] for word in words), default=0)
    highest, deepest = (max((levels[at] for at in side), default=0) for side in (above, below))
    return Layout(graph, words, lefts, widths, places, highest, deepest, width)


def arc_levels(arcs: tuple[Arc, ...]) -> list[int]:
    """A level from 1 per arc: above every arc it spans, and different from those it crosses."""
    levels = [0] * len(arcs)
    placed: list[int] = []
    for at in sorted(range(len(arcs)), key=lambda at: (arcs[at].right - arcs[at].left, at)):
        arc, lowest, taken = arcs[at], 1, set()
        for other in placed:
            if max(arc.left, arcs[other].left) >= min(arc.right, arcs[other].right):
                continue
            if arc.crosses(arcs[other]):
                taken.add(levels[other])
            else:
                lowest = max(lowest, levels[other] + 1)
        while lowest in taken:
            lowest += 1
        levels[at] = lowest
        placed.append(at)
    return levels


def _text_width(graph: Graph, word: int, metrics: Metrics) -> int:
    """Of the form of a word, or of its tag if that is wider."""
    tag = graph.tags[word - 1] if word and graph.tags else ""
    return max(metrics.form_width(graph.text(word)), metrics.label_width(tag) if tag else 0)


def _block(ports: list[int], metrics: Metrics) -> int:
    return max(0, len(ports) - 1) * metrics.port


def _offsets(ports: dict[int, list[int]], widths: dict[int, int], metrics: Metrics) -> dict[tuple[int, int], int]:
    """(word, place of an arc) -> the port's distance from the left edge of the word's box."""
    return {
        (word, at): (widths[word] - _block(row, metrics)) // 2 + number * metrics.port
        for word, row in ports.items()
        for number, at in enumerate(row)
    }


def _ports(arcs: tuple[Arc, ...], side: list[int], words: range) -> dict[int, list[int]]:
    """Above each word, or below it, from left to right, the places of its arcs on that side."""
    to_the_left: dict[int, list[int]] = {word: [] for word in words}
    to_the_right: dict[int, list[int]] = {word: [] for word in words}
    # Of two arcs between the same words the later one lies above, so it counts as the longer one.
    for at in sorted(side, key=lambda at: (arcs[at].right - arcs[at].left, at)):
        to_the_left[arcs[at].right].append(at)
        to_the_right[arcs[at].left].append(at)
    return {word: to_the_left[word] + to_the_right[word][::-1] for word in words}


def _ends(
    arc: Arc, at: int, arcs: tuple[Arc, ...], levels: list[int], below: frozenset[int]
) -> list[tuple[int, int]]:  # fmt: skip
    """Ports (word, place of an arc) between which the level part of an arc is free: its own, and those that pass it."""
    ends = [(arc.left, at), (arc.right, at)]
    for number, other in enumerate(arcs):
        if levels[number] > levels[at] and (number in below) == (at in below) and arc.crosses(other):
            ends.append((other.left if arc.left < other.left < arc.right else other.right, number))
    return ends


class _Port(NamedTuple):
    x: int
    word: int
    arc: int


def _widest(
    ends: list[tuple[int, int]], lefts: dict[int, int], offsets: dict[tuple[int, int], int]
) -> tuple[_Port, _Port]:
    """The widest free stretch of an arc between two words; that between ports of one word cannot be widened."""
    ports = sorted(_Port(lefts[word] + offsets[word, at], word, at) for word, at in ends)
    pairs = ((start, end) for start, end in pairwise(ports) if start.word != end.word)
    return max(pairs, key=lambda pair: pair[1].x - pair[0].x)


def _tightest(words: range, demands: dict[int, dict[int, int]]) -> dict[int, int]:
    """Left edges as small as the demands allow."""
    lefts: dict[int, int] = {}
    for word in words:
        lefts[word] = max((lefts[other] + distance for other, distance in demands[word].items()), default=0)
    return lefts


# Ems of DejaVu Sans, wider than most fonts a browser would take instead; characters not listed count as _LETTER.
_EMS = {
    0.34: "'.,:;|!ijlI ()[]/\\-`·",
    0.45: 'fjrt"*',
    0.98: "mwMWQ@%&+=<>~—…",
    0.8: "ABCDEFGHKNOPRSTUVXYZ_#",
}
_EM = {character: em for em, characters in _EMS.items() for character in characters}
_LETTER, _WIDE, _OTHER_SCRIPT = 0.64, 1.05, 0.8


def is_wide(character: str) -> bool:
    """Whether a character takes two cells in a terminal."""
    return unicodedata.east_asian_width(character) in "WF"


def is_mark(character: str) -> bool:
    """Whether a character is drawn upon the one before it, or not at all."""
    return unicodedata.category(character) in ("Mn", "Me", "Cf")


def cells(text: str) -> int:
    """Width of a text in terminal cells."""
    return sum(0 if is_mark(character) else 2 if is_wide(character) else 1 for character in text)


def pixels(text: str, size: int) -> int:
    """Width of a text in a sans-serif font of the given size; rather too much than too little."""
    return round(size * sum(map(_ems, text))) + 1


def _ems(character: str) -> float:
    if is_mark(character):
        return 0.0
    if is_wide(character):
        return _WIDE
    # Latin, Greek and Cyrillic, and punctuation; letters with an accent are as wide as those without.
    base = unicodedata.normalize("NFD", character)[0]
    return _EM.get(base, _LETTER if base < "\u0530" or "\u2000" <= base < "\u2070" else _OTHER_SCRIPT)
