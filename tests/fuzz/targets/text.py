"""The text pipeline: any bytes to sentences, tokens and words. The first byte says how."""

from __future__ import annotations

from random import Random

from fastparse.corpus.conllu.tokenization import renumbered
from fastparse.corpus.treebank import Treebank
from fastparse.text.tokenizer import Tokenizer
from fastparse.text.units import invalid_utf8
from tests.corpus.tokenizations import check_columns
from tests.fuzz.text import check
from tests.text.toy import conllu

__all__ = ["execute"]

TOKENIZER = Tokenizer.train(conllu(120), passes=1, variants=1)
ENGINE = TOKENIZER._engine
MODES = ("text", "lines", "words", "text")


def execute(data: bytes) -> None:
    """Raise AssertionError unless what is promised of this text is kept."""
    if len(data) < 2:
        return
    way, source = data[0], data[1:]
    at = invalid_utf8(source)
    if at >= 0:
        if way < 32:
            broken(way, source)
            return
        source = source[:at]
    if way < 250:
        tokens = ENGINE.run(
            source, final=bool(way & 4), mode=way & 3 if way & 3 < 3 else 0, offsets=bool(way & 8), place=0,
            new_paragraph=bool(way & 16),
        )  # fmt: skip
        check_columns(Treebank._tokenized(tokens))
        assert renumbered(tokens.source(), 0) == tokens.source()
    else:
        check(TOKENIZER, source.decode(), Random(way))


def broken(way: int, source: bytes) -> None:
    """Text that is not UTF-8 throughout, in parts of some size, kept or left out."""
    mode, on_error = MODES[way & 3], "keep" if way & 4 else "skip"
    for chunk in TOKENIZER.chunks([source], input=mode, offsets=bool(way & 8), size=5 + way, on_error=on_error):
        TOKENIZER.sentences_of(chunk)
