"""Certificates: for each system and number of words the trees that it builds, each with a derivation.

`checker.py` beside this module checks them and shares no code with the package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

from fastparse.errors import Error, UnknownNameError, did_you_mean
from fastparse.theory.derive import derive
from fastparse.transition_systems.registry import bound_of, resolve
from fastparse.trees import contains

__all__ = ["CLASSES", "LONGEST", "certificate", "checker"]

LONGEST = 7
# What the checker knows, and the class that each builds.
CLASSES = {
    "arc-standard": "projective",
    "arc-eager": "projective",
    "hybrid": "projective",
    "swap": "all",
    "2-planar": "2-planar",
    "two-registers": "2-crossing-interval",
    "three-registers": "3-crossing-interval",
}


def certificate(
    systems: list[str] | None = None, words: int = 5, report: Callable[[str], object] = lambda text: None
) -> Iterator[str]:
    """The lines of a certificate.

    Args:
        systems: names; None are all that the checker knows.
        words: the longest sentences.
        report: called with what is being derived.

    Raises:
        Error: if the checker does not know a system, or sentences are too long.
    """
    for name in systems or []:
        if name not in CLASSES:
            raise UnknownNameError(
                f"no certificate for {name!r}: there are {', '.join(CLASSES)}{did_you_mean(name, CLASSES)}"
            )
    if not 1 <= words <= LONGEST:
        raise Error(f"words={words!r}: expected a number from 1 to {LONGEST}: all trees of so many words are listed")
    yield "fastparse certificate 1"
    for name in systems or CLASSES:
        moves, bound = resolve(name).moves, bound_of(name)
        letters = {move: chr(ord("a") + number) for number, move in enumerate(moves)}
        assert bound is not None
        for n in range(1, words + 1):
            report(f"{name}, {n} words")
            trees = [heads for heads in product(range(n + 1), repeat=n) if _inside(heads, CLASSES[name])]
            yield f"{name} {n} {CLASSES[name]} {len(trees)} {bound.of(n)} {' '.join(moves)}"
            for heads in trees:
                made = "".join(letters[move] for move in derive(heads, name).moves)
                yield f"{''.join(map(str, heads))} {made}"


def checker() -> bytes:
    """The program that checks certificates."""
    return Path(__file__).with_name("checker.py").read_bytes()


def _inside(heads: tuple[int, ...], kind: str) -> bool:
    """Whether heads are a tree, and one of the class."""
    for start in range(1, len(heads) + 1):
        word = start
        for _ in heads:
            word = heads[word - 1] if word else 0
        if word:
            return False
    return kind == "all" or contains(heads, kind)
