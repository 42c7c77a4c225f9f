"""Lemmatizers: what they learn, that they do what they are defined to do, and that damaged ones are refused."""

import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastparse
from fastparse import Treebank
from fastparse.corpus.strings.index import distinct_triples
from fastparse.corpus.strings.interning import hash_of
from fastparse.errors import Error, ModelFormatError
from fastparse.lemmas.checking import TYPES, unpacked_scripts
from fastparse.lemmas.lemmatizer import Lemmatizer
from fastparse.lemmas.training import examples_of, train

from . import naive

TREEBANKS = Path(os.environ.get("FASTPARSE_TREEBANKS", Path(__file__).parents[3] / "shared" / "data"))
STEMS = [
    "dog", "cat", "tree", "house", "car", "pen", "book", "lamp", "door", "hat", "bird", "chair", "stone", "river",
    "cloud", "road",
]  # fmt: skip
VERBS = ["walk", "talk", "jump", "kick", "look", "open", "turn", "push", "pull", "call", "help", "start"]
# Pairs that look the same to the weights.
TWINS = [
    (f"xxxx{middle}abcdef{last}", "N", "_", lemma)
    for last in "gh"
    for middle, lemma in (("xx", "one" + last), ("yy", "two" + last))
]
NAMES = ["Paris", "Athens", "Texas", "Rome", "Mars"]


def words():
    """(form, UPOS, FEATS, lemma)."""
    for stem in STEMS:
        yield stem, "NOUN", "Number=Sing", stem
        yield stem + "s", "NOUN", "Number=Plur", stem
    for verb in VERBS:
        yield verb + "s", "VERB", "Tense=Now", verb
        yield verb + "ed", "VERB", "Tense=Past", verb
        yield verb.capitalize(), "VERB", "Mood=Imp", verb
    for name in NAMES:
        yield name, "PROPN", "_", name
    yield from [("mice", "NOUN", "Number=Plur", "mouse"), ("went", "VERB", "Tense=Past", "go")]


def treebank_of(rows):
    forms, upos, feats, lemmas = zip(*rows, strict=True)
    return Treebank.from_columns(list(forms), upos=list(upos), feats=list(feats), lemmas=list(lemmas))


@pytest.fixture(scope="module")
def lemmatizer():
    return train(treebank_of(words()))


def test_what_was_seen(lemmatizer):
    rows = list(words())
    forms, upos, feats, lemmas = (list(column) for column in zip(*rows, strict=True))
    assert lemmatizer.apply(forms, upos, feats) == lemmas
    ids, table = lemmatizer.lemmatize(treebank_of(rows + rows))
    assert [table[place] for place in ids] == lemmas + lemmas
    assert len(table) == len(set(table))


@pytest.mark.parametrize(("form", "upos", "feats", "lemma"), [
    ("cows", "NOUN", "Number=Plur", "cow"),
    ("Cows", "NOUN", "Number=Plur", "cow"),
    ("painted", "VERB", "Tense=Past", "paint"),
    ("Paint", "VERB", "Mood=Imp", "paint"),
    ("Arras", "PROPN", "_", "Arras"),
    ("bus", "NOUN", "Number=Sing", "bus"),
])  # fmt: skip
def test_what_was_not_seen(lemmatizer, form, upos, feats, lemma):
    assert lemmatizer.apply([form], [upos], [feats]) == [lemma]


def test_unknown_tags_and_odd_forms(lemmatizer):
    forms = ["", "x", "İ", "\u0301", "ß" * 3, "a" * 1_000_000, "\ud800", "字", "-", "12"]
    lemmas = lemmatizer.apply(forms, ["NEW"] * 10, ["_"] * 10)
    assert len(lemmas) == 10
    assert all(isinstance(lemma, str) for lemma in lemmas)
    assert lemmatizer.apply(["Q1-x"], ["NEW"], ["_"]) == ["Q1-x"]


def test_the_most_frequent_lemma_counts():
    rows = [("saw", "VERB", "_", "saw"), ("saw", "VERB", "_", "see"), ("saw", "VERB", "_", "see"), ("b", "X", "_", "_")]
    examples = examples_of(treebank_of(rows))
    assert (examples.forms, examples.lemmas) == (["saw"], ["see"])
    assert train(treebank_of(rows)).apply(["saw"], ["VERB"], ["_"]) == ["see"]


def test_exceptions_go_to_the_dictionary():
    """Two words that look the same to the weights."""
    learnt = train(treebank_of(TWINS))
    forms, upos, feats, lemmas = (list(column) for column in zip(*TWINS, strict=True))
    assert learnt.apply(forms, upos, feats) == lemmas
    assert len(learnt.to_arrays()["dictionary"]) == 2


def test_known_lemmas_are_preferred():
    """A form of a known lemma: its ending alone could be either."""
    stems = [f"{a}{b}{c}" for a in "bdfg" for b in "aeiou" for c in "klmn"]
    rows = [(stem + "o", "N", "Sg", stem + "o") for stem in stems]
    rows += [(stem + "e", "N", "Sg", stem + "e") for stem in stems[::-1]]
    rows = [row for place, row in enumerate(rows) if place % 2]
    rows += [(form[:-1] + "i", "N", "Pl", lemma) for form, _, _, lemma in rows[:-4]]
    learnt = train(treebank_of(rows))
    left = rows[76:80] if len(rows) < 80 else [row for row in rows if row[2] == "Sg"][-4:]
    found = learnt.apply([row[0][:-1] + "i" for row in left], ["N"] * 4, ["Pl"] * 4)
    assert found == [row[3] for row in left]


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_lemmas_follow_the_definition(seed):
    rng = random.Random(seed)

    def text(longest):
        return "".join(rng.choice("abcABäİ-1") for _ in range(rng.randint(1, longest)))

    rows = [(text(7), rng.choice("NV"), rng.choice("xy"), text(5)) for _ in range(60)]
    arrays = dict(train(treebank_of(rows), iterations=2).to_arrays())
    kept = np.sort(rng.sample(range(len(arrays["dictionary"])), len(arrays["dictionary"]) // 2)).astype(int)
    arrays |= {name: arrays[name][kept] for name in ("dictionary", "dictionary_scripts")}
    compiled, plain = Lemmatizer(arrays), naive.Lemmatizer(arrays, unpacked_scripts(arrays), hash_of)
    columns = [row[:3] for row in rows] + [(text(8), rng.choice("NVX"), rng.choice("xyz")) for _ in range(100)]
    forms, upos, feats = (list(column) for column in zip(*columns, strict=True))
    assert compiled.apply(forms, upos, feats) == [plain.lemma(*column) for column in columns]


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 2), st.integers(0, 60)), max_size=2000))
def test_distinct_triples(triples):
    columns = [np.array([triple[of] for triple in triples], np.int32) for of in range(3)]
    numbers, first = distinct_triples(*columns)
    places = {}
    assert numbers.tolist() == [places.setdefault(triple, len(places)) for triple in triples]
    assert [triples[at] for at in first] == list(places)


def test_many_distinct_triples():
    rng = np.random.default_rng(1)
    columns = [rng.integers(0, 1000, 50_000).astype(np.int32) for _ in range(3)]
    numbers, first = distinct_triples(*columns)
    assert len(first) > 49_000
    for column in columns:
        assert (column[first][numbers] == column).all()


def test_arrays_come_back(lemmatizer):
    arrays = lemmatizer.to_arrays()
    assert {name: array.dtype for name, array in arrays.items()} == {
        name: np.dtype(kind) for name, kind in TYPES.items()
    }
    again = Lemmatizer.from_arrays(arrays)
    assert again.apply(["cows", "mice"], ["NOUN"] * 2, ["Number=Plur"] * 2) == ["cow", "mouse"]
    assert again.n_scripts == lemmatizer.n_scripts


def test_learning_is_deterministic():
    script = (
        "import hashlib, sys; sys.path.insert(0, sys.argv[1])\n"
        "from tests.lemmas.test_lemmatizer import treebank_of, words\n"
        "from fastparse.lemmas.training import train\n"
        "arrays = train(treebank_of(words())).to_arrays()\n"
        "print(hashlib.sha256(b''.join(arrays[name].tobytes() for name in sorted(arrays))).hexdigest())"
    )
    root = Path(__file__).parents[2]
    found = {
        subprocess.run(
            [sys.executable, "-c", script, str(root)], capture_output=True, text=True, check=True, cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(found) == 1


def broken(name, change):
    """A test case: the array of that name with a change."""
    return pytest.param(name, change, id=f"{name}-{change.__doc__ or change.__name__}")


def _set(place, value):
    def change(array):
        array = array.copy()
        array[place] = value
        return array

    change.__doc__ = f"{place}={value}"
    return change


def cut(array):
    return array[:-1]


def absent(array):
    return None


def other_type(array):
    return array.astype(np.float32)


def square(array):
    return array.reshape(1, -1)


def backwards(array):
    return array[::-1].copy()


def wrapped(array):
    """Numbers whose differences, of 32 bits, are all above 0."""
    array = np.full_like(array, array[-1])
    array[:4] = 0, 2**31 - 1, -(2**31), -1
    return array


def doubled(array):
    return np.repeat(array, 2)


@pytest.mark.parametrize(("name", "change"), [
    *(broken(name, change) for name in TYPES for change in (absent, other_type, square)),
    *(broken(name, cut) for name in TYPES if name != "known"),
    *(broken(name, backwards) for name in ("dictionary", "keys", "known", "row_begins", "text_ends")),
    *(broken(name, doubled) for name in ("case", "known", "text", "keys")),
    broken("case", _set(0, 5)), broken("added", _set(0, -1)), broken("added", _set(-1, 10_000)),
    broken("text_ends", _set(0, -1)), broken("text", _set(-1, 0xFF)), broken("text_ends", _set(-1, 10_000)),
    broken("dictionary_scripts", _set(0, 60_000)), broken("row_scripts", _set(-1, 60_000)),
    broken("text_ends", wrapped), broken("row_begins", _set(0, 1)),
    *(broken("text", _set(0, end)) for end in (9, 10, 13)),
    broken("row_begins", _set(-1, 10**6)), broken("row_begins", _set(5, -7)),
])  # fmt: skip
def test_damaged_arrays_are_refused(lemmatizer, name, change):
    arrays = train(treebank_of([*words(), *TWINS]), iterations=2).to_arrays()
    with pytest.raises(ModelFormatError):
        Lemmatizer.from_arrays({**arrays, name: change(arrays[name])})


def test_rows_that_begin_where_numbers_wrap_around_are_refused(lemmatizer):
    arrays = lemmatizer.to_arrays()
    empty = {name: arrays[name][:0] for name in ("row_scripts", "row_weights")}
    begins = np.zeros_like(arrays["row_begins"])
    with pytest.raises(ModelFormatError, match="rows overlap"):
        Lemmatizer.from_arrays({**arrays, **empty, "row_begins": wrapped(begins)})


@settings(max_examples=300)
@given(st.integers(0, 2**32))
def test_no_arrays_do_harm(seed):
    rng, arrays = random.Random(seed), dict(ARRAYS)
    for _ in range(rng.randint(1, 3)):
        name = rng.choice(list(TYPES))
        array = arrays[name].copy()
        if len(array):
            limits = np.iinfo(array.dtype)
            array[rng.randrange(len(array))] = rng.choice([0, 1, limits.min, limits.max, rng.randint(0, limits.max)])
        arrays[name] = array
    try:
        found = Lemmatizer.from_arrays(arrays).apply(["cows", "Xs", "mice"], ["NOUN"] * 3, ["Number=Plur"] * 3)
    except ModelFormatError:
        return
    assert all(isinstance(lemma, str) for lemma in found)


ARRAYS = train(treebank_of(words()), iterations=2).to_arrays()


def test_rows_name_a_script_once():
    arrays = dict(ARRAYS)
    row = int(np.argmax(np.diff(arrays["row_begins"]) > 1))
    scripts = arrays["row_scripts"].copy()
    scripts[arrays["row_begins"][row] + 1] = scripts[arrays["row_begins"][row]]
    with pytest.raises(ModelFormatError, match="a row names a script twice"):
        Lemmatizer({**arrays, "row_scripts": scripts})


def test_keys_made_to_collide_are_refused():
    inverse = pow(0xD6E8FEB86659FD93, -1, 1 << 64)
    # All of them have zeros at the end of their mixed values.
    mixed = [number << 40 for number in range(1, 5000)]
    keys = sorted((value ^ value >> 32) * inverse & (1 << 64) - 1 for value in mixed)
    with pytest.raises(ModelFormatError, match="collide"):
        Lemmatizer({**ARRAYS, "known": np.array(keys, np.uint64)})


def test_nothing_to_learn():
    with pytest.raises(Error, match="no word of the treebank has a lemma"):
        train(Treebank.from_columns(["a", "b"]))
    with pytest.raises(Error, match="0 iterations"):
        train(treebank_of(words()), iterations=0)


def test_columns_of_different_lengths(lemmatizer):
    with pytest.raises(ValueError, match="2 forms, 1 tags"):
        lemmatizer.apply(["a", "b"], ["X"], ["_", "_"])


def test_no_words(lemmatizer):
    ids, table = lemmatizer.lemmatize(Treebank.from_columns([]))
    assert (len(ids), table) == (0, [])
    assert lemmatizer.apply([], [], []) == []


def test_threads_share_a_lemmatizer():
    lemmatizer = Lemmatizer(ARRAYS)
    rows = list(words()) * 20
    treebank, found = treebank_of(rows), []

    def work():
        ids, table = lemmatizer.lemmatize(treebank)
        found.append([table[place] for place in ids])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[row[3] for row in rows]] * 4


@pytest.mark.treebanks
@pytest.mark.parametrize(("language", "least"), [("English-EWT", 98.5), ("Turkish-IMST", 95.5), ("Greek-GDT", 95)])
def test_accuracy(language, least):
    paths = [TREEBANKS / language / f"{part}.conllu" for part in ("train", "dev")]
    if not all(path.is_file() for path in paths):
        pytest.skip(f"no {paths[0]}")
    learn, dev = map(fastparse.read_conllu, paths)
    ids, table = train(learn).lemmatize(dev)
    gold = np.array(dev.table("lemma"), object)[dev.ids("lemma")]
    right = (np.array(table, object)[ids] == gold) | (gold == "_")
    assert 100 * right.mean() > least
