"""How good a model is, how fast and how large: on the development treebank of its folder."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fastparse
from models.learning import parts_of
from models.recipes import Recipe

__all__ = ["MEASURES", "measured", "scores_of", "told_apart"]

MEASURES = ("tokens", "words", "sentences", "upos", "feats", "lemmas", "uas", "las")
_ROUNDS = 5
_LONG_ENOUGH = 20  # words of a document
_NAMES = {"words": "word_f1"}  # of measures, in `Scores`


def scores_of(dev: Any, parsed: Any) -> dict[str, float]:
    """The scores of a parse, of which the words need not be those of the treebank."""
    found = fastparse.evaluate(dev, parsed)
    return {name: round(getattr(found, _NAMES.get(name, name)), 2) for name in MEASURES}


def measured(recipe: Recipe, folder: Path, path: Path) -> dict[str, Any]:
    """What the table says of a model: scores from text and on gold tokens, with its own tags; size and speed."""
    parser = fastparse.load(path)
    dev = fastparse.read_conllu(folder / "dev.conllu")
    info = parser.info
    found: dict[str, Any] = {
        "words": parts_of(folder, (*recipe.train, *recipe.parser)).n_words,
        "dev": dev.n_words,
        "gold": scores_of(dev, parser.parse(dev, retag=True)),
        "bytes": path.stat().st_size,
        "words_per_second": _speed(parser, dev),
        "size": info["training"]["encoder"],
        "teachers": info["training"].get("teachers", 0),
        "fastparse": info["fastparse"],
        "sha256": parser.sha256,
    }
    if recipe.has_text:
        found["text"] = scores_of(dev, parser.parse_text(dev.to_text()))
    return found


def _speed(parser: fastparse.Parser, dev: Any) -> int:
    """Words a second on one thread, with the model's own tags: the best of some rounds."""
    best = 1e9
    for _ in range(_ROUNDS):
        begun = time.process_time()
        parser.parse(dev, retag=True)
        best = min(best, time.process_time() - begun)
    return int(round(dev.n_words / best, -3))


def told_apart(folders: dict[str, Path]) -> dict[str, Counter[str | None]]:
    """Which languages the documents of development treebanks are taken for; None for those like no known one."""
    auto: Any = fastparse.load("auto")
    return {
        name: Counter(auto.language(text) for text in _documents(fastparse.read_conllu(folder / "dev.conllu")))
        for name, folder in folders.items()
    }


def _documents(dev: Any) -> Iterator[str]:
    """As few sentences that follow each other as have the words."""
    begin = words = 0
    for i, sentence in enumerate(dev):
        words += len(sentence)
        if words >= _LONG_ENOUGH:
            yield dev[begin : i + 1].to_text()
            begin, words = i + 1, 0
