"""What is hardly meant of the treebanks of a training."""

from __future__ import annotations

import numpy as np

from fastparse.annotate.expectations import warn
from fastparse.corpus.treebank import Treebank
from fastparse.model.seen import TAGS, record_of

__all__ = ["warn_of"]


def warn_of(bank: Treebank, dev: Treebank | None) -> None:
    """Warn of treebanks that make a training or its scores useless."""
    here = record_of(bank)
    if bank.n_words and not any(here[column]["share"] for column in TAGS):
        warn(
            f"the training treebank has no UPOS, XPOS and FEATS in any of its {bank.n_words:,} words: a parser that "
            f"learns from forms alone is poor. Tag it first."
        )
    if dev is None:
        return
    if not dev.n_words:
        warn(
            "the development treebank has no sentences: no iteration is better than another, so the first is taken. "
            "Give one with trees, or leave it out: then the last is taken."
        )
        return
    if _same(bank, dev):
        warn(
            "the development treebank is the training treebank: scores say how well it was learnt by heart, not how "
            "good the parser is. Give sentences that are not learnt from."
        )
    there = record_of(dev)
    for column in TAGS:
        mine, other = here[column]["share"], there[column]["share"]
        if bool(mine) != bool(other):
            filled, empty = ("training", "development") if mine else ("development", "training")
            warn(
                f"{column.upper()} is filled in the {filled} treebank and empty in the {empty} treebank: scores on the "
                f"latter say little. Give both the same columns."
            )


def _same(bank: Treebank, dev: Treebank) -> bool:
    return (
        dev.n_words == bank.n_words
        and np.array_equal(dev.heads, bank.heads)
        and np.array_equal(dev.offsets, bank.offsets)
        and dev[0].forms == bank[0].forms
        and dev[-1].forms == bank[-1].forms
    )
