"""A tokenizer as arrays: what goes out comes back, and what no tokenizer has is refused."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from fastparse.corpus.reading import read_conllu
from fastparse.errors import ModelFormatError
from fastparse.model.storage import read_container, write_container
from fastparse.text.engine import Engine
from fastparse.text.tokenizer import Tokenizer
from tests.fuzz.text import damage
from tests.text import toy

TEXT = "Dr. Moe doesn't see the U.S. market. Bo can't, no! Ida reads (3.5) books"


def arrays() -> dict[str, np.ndarray[Any, Any]]:
    return {name: array.copy() for name, array in toy.tokenizer().to_arrays().items()}


def test_arrays_come_back():
    assert Tokenizer.from_arrays(arrays()).tokenize(TEXT) == toy.tokenizer().tokenize(TEXT)


def test_arrays_live_in_a_container(tmp_path):
    write_container(tmp_path / "toy.fp", {"kind": "toy"}, arrays())
    found = read_container(tmp_path / "toy.fp").arrays
    assert Tokenizer.from_arrays(found).tokenize(TEXT) == toy.tokenizer().tokenize(TEXT)


def test_repeated_numbers_and_empty_places_are_not_kept():
    kept = sum(array.nbytes for array in toy.tokenizer().to_arrays().values())
    engine = toy.tokenizer()._engine
    whole = sum(array.nbytes for array in first_version().to_arrays().values())
    assert kept * 3 < whole
    again = Tokenizer.from_arrays(arrays())._engine
    for one, two in zip(engine.tables, again.tables, strict=True):
        assert np.array_equal(one.buckets, two.buckets)
    for name in ("gaps", "spaces", "ends"):
        assert np.array_equal(getattr(engine, name), getattr(again, name))


def first_version() -> Tokenizer:
    """The toy's, as version 1 had it: fewer features, whole tables."""
    e = toy.tokenizer()._engine
    return Tokenizer(Engine(e.characters, e.gaps, e.spaces, e.ends, e.tables, e.lexicon, e.least, 1))


def test_version_1_is_read():
    old = first_version()
    found = old.to_arrays()
    assert found["numbers"][0] == 1
    assert found["gap_weights"].dtype == np.uint64
    again = Tokenizer.from_arrays(found)
    assert again.tokenize(TEXT) == old.tokenize(TEXT)
    # Its rules are those it was learnt with: no lists.
    assert again.tokenize("- Bo\n- Ida").count(b"sent_id") <= toy.tokenizer().tokenize("- Bo\n- Ida").count(b"sent_id")


def put(name: str, index: Any, value: int) -> Callable[[dict[str, Any]], None]:
    def change(found: dict[str, Any]) -> None:
        found[name][index] = value

    return change


def replace(name: str, new: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    def change(found: dict[str, Any]) -> None:
        found[name] = new(found[name])

    return change


def line_ends_as_letters(found: dict[str, Any]) -> None:
    kinds = np.repeat(found["kinds"], found["kinds_lengths"])
    kinds[int(found["pages"][0]) * 128 + ord("\n")] = 0
    found["kinds"], found["kinds_lengths"] = kinds, np.ones(len(kinds), np.uint32)


HOSTILE = {
    "no such array": lambda found: found.update(more=np.zeros(1)),
    "missing array": lambda found: found.pop("rules"),
    "page beyond": put("pages", 5, 60000),
    "kind beyond": put("kinds", 5, 200),
    "fold beyond": put("folds", 5, 2**31 - 1),
    "fold below": put("folds", 5, -(2**31)),
    "rules that wrap around": replace("starts", lambda a: np.array([0, 2**31 - 1, -(2**31), -1, a[-1]], np.int32)),
    "too few pages": replace("pages", lambda a: a[:-1]),
    "half a page": replace("kinds", lambda a: a[:-1]),
    "unknown state": put("gaps", 7, 3),
    "line ends taken for letters": line_ends_as_letters,
    "all taken for letters": replace("kinds", np.zeros_like),
    "too few states": replace("spaces", lambda a: a[:-1]),
    "states of another type": replace("ends", lambda a: a.astype(np.int64)),
    "buckets no power of two": replace("gap_weights", lambda a: a[:-1]),
    "no buckets": replace("end_weights", lambda a: a[:0]),
    "shorter runs": put("folds_lengths", slice(None), 1),
    "endless runs": put("pages_lengths", slice(None), 2**32 - 1),
    "lengths of another type": replace("kinds_lengths", lambda a: a.astype(np.int64)),
    "fuller buckets": put("gap_weights_filled", 0, 0b11),
    "buckets missing": replace("end_weights_filled", lambda a: a[:-1]),
    "buckets of another type": replace("word_weights_filled", lambda a: a.astype(np.int8)),
    "weights of another type": replace("gap_weights", lambda a: a.astype(np.uint64)),
    "keys no power of two": replace("keys", lambda a: a[:-1]),
    "no empty key": put("keys", slice(None), 1),
    "value points at no rule": replace("values", lambda a: np.full_like(a, 1 << 20)),
    "negative values": replace("values", lambda a: np.full_like(a, -1)),
    "unknown state of a form": replace("values", lambda a: np.full_like(a, 3)),
    "a rule of no words": put("rules", 0, 0),
    "a rule of too many words": put("rules", 0, 200),
    "a rule with a long word": put("rules", 3, 250),
    "rules out of order": put("starts", -1, 1),
    "rules cut": replace("rules", lambda a: a[:-1]),
    "suffix too long": put("numbers", 1, 100),
    "newer version": put("numbers", 0, 99),
    "older version": put("numbers", 0, 0),
    "bias out of range": put("numbers", 4, 2**31 - 1),
    "least sum out of range": put("numbers", 2, 2**31 - 1),
    "last characters": replace("last", lambda a: a.astype(np.int64)),
    "too few numbers": replace("numbers", lambda a: a[:-1]),
    "a matrix": replace("keys", lambda a: a.reshape(2, -1)),
    "no array": replace("values", lambda a: a.tolist()),
}


@pytest.mark.parametrize("change", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_arrays_are_refused(change: Callable[[dict[str, Any]], None]):
    found = arrays()
    change(found)
    with pytest.raises(ModelFormatError, match="tokenizer: "):
        Tokenizer.from_arrays(found)


def test_damaged_arrays_are_refused_or_run():
    outcomes = set()
    for seed in range(150):
        damaged = damage(toy.tokenizer(), Random(seed))
        outcomes.add(damaged is None)
        if damaged is not None:
            read_conllu(damaged.tokenize(TEXT))  # what is opened writes what can be read
    assert outcomes == {True, False}
