"""Models with several components, trained on toy treebanks."""

from functools import cache

import fastparse
from tests.text.toy import conllu
from tests.toy import toy

TEXT = "Bo doesn't like books. Dr. Moe sees\nthe U.S. market?\n\nIt is  so. "


@cache
def splitting():
    """A tokenizer and a parser that know the toy language of running text."""
    return fastparse.train(
        conllu(), "arc-eager", beam=2, iterations=1, components=("tokenizer", "parser"), encoder=None
    )


@cache
def whole():
    """All components, of the toy treebank."""
    return fastparse.train(toy(), "arc-eager", dev=toy(), beam=2, iterations=2, encoder=None)


@cache
def without_parser():
    return fastparse.train(toy(), dev=toy(), components=("lemmatizer", "tokenizer"), encoder=None)
