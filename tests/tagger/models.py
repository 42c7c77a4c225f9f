"""Models with a tagger, trained on the toy treebank."""

from functools import cache

import numpy as np

import fastparse
from tests.toy import toy

ALL = ("tokenizer", "tagger", "lemmatizer", "parser")


@cache
def tagging():
    """All components."""
    return fastparse.train(
        toy(), "arc-eager", dev=toy(), beam=2, iterations=2, components=ALL, tags="gold", encoder=None
    )


def blank(treebank, *columns):
    return treebank.with_columns(**{name: (np.zeros(treebank.n_words, np.int32), ["_"]) for name in columns})


def column(treebank, name):
    table = treebank.table(name)
    return [table[i] for i in treebank.ids(name)]
