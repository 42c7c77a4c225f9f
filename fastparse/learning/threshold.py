"""How far below the best a state of a beam may be: found on trees that were not learnt from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.learning.progress import Message
from fastparse.search.decoder import Decoder
from fastparse.search.kinds import kind_of

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.development import Answers, Development
    from fastparse.learning.preparation import Account
    from fastparse.learning.recipes.recipe import Report

__all__ = ["calibrated", "parted"]

_FIRST, _LARGEST = 1 << 12, 1 << 24  # thresholds to begin with, and to give up at
_STEP = 2**0.25  # from one threshold to the next smaller one
_MOST_LOST = 0.0003  # of all words
_MOST_LOST_OF_HALF = 0.001  # of all words, in either half: more than chance makes of the changes that are accepted
_MOST_CHANGED = 0.012  # of the words, for the better or the worse: what is lost elsewhere is less than that
_FEWEST_WORDS = 2000  # fewer tell nothing


def parted(treebank: Treebank, part: float, account: Account) -> tuple[Treebank, Treebank | None]:
    """What to learn from, and what to find a threshold on if there is nothing else: None if that would be too little.

    Trees are set aside all through the treebank: one after so many.
    """
    if not part:
        return treebank, None
    every = round(1 / part)
    aside = np.arange(len(treebank)) % every == every - 1
    if np.diff(treebank.offsets)[aside].sum() < _FEWEST_WORDS:
        return treebank, None
    account.counts["held_out"] = n = int(aside.sum())
    account.notes.append(f"{n:,} trees are set aside for the threshold of the beam (held_out=0 learns from them, too)")
    return treebank.select(np.flatnonzero(~aside)), treebank.select(np.flatnonzero(aside))


def calibrated(decoder: Decoder, development: Development, report: Report) -> Decoder:
    """The decoder with the smallest threshold that seems to lose nothing against the whole beam, or as it is.

    Every larger threshold must seem so as well, in both halves of the treebank. Where few words change, little can be
    lost on other texts.
    """
    threshold = _smallest(decoder, development)
    if not threshold:
        return decoder
    report(Message(f"beams leave out states that score less than the best by more than {threshold:,}"))
    kind = kind_of(replace(decoder.kind.description, threshold=threshold))
    return Decoder(kind, decoder.weights)


def _smallest(decoder: Decoder, development: Development) -> int:
    """0 if there is none."""
    sentences = development.sentences
    if len(sentences) < _FEWEST_WORDS:
        return 0
    whole = development.answers(decoder, 0)
    # By doubling and halving, the smallest of those that change nothing; from there by smaller steps.
    harmless = _FIRST
    while (development.answers(decoder, harmless).given != whole.given).any():
        harmless *= 2
        if harmless > _LARGEST:
            return 0
    while harmless > 1 and not (development.answers(decoder, harmless // 2).given != whole.given).any():
        harmless //= 2
    found, candidate = harmless, harmless / _STEP
    while candidate >= 1 and _good(whole, development.answers(decoder, round(candidate)), sentences):
        found, candidate = round(candidate), candidate / _STEP
    return found


def _good(whole: Answers, some: Answers, sentences: np.ndarray[Any, Any]) -> bool:
    """Whether few words change, and no more are wrong than may be by chance."""
    n = len(sentences)
    changed = int((whole.given != some.given).any(axis=1).sum())
    lost = whole.right.astype(np.int8) - some.right
    halves = [int(lost[sentences % 2 == half].sum()) for half in (0, 1)]
    few = sum(halves) <= _MOST_LOST * n and max(halves) <= _MOST_LOST_OF_HALF * n
    return few and changed <= _MOST_CHANGED * n
