"""What a lexicon says of words: read from a file, found by any form of a word, learnt and kept by models."""

import gzip
import pickle

import numpy as np
import pytest

import fastparse
from fastparse import Error
from fastparse.encoder.inputs import GROUPS, NOTHING, Inputs
from fastparse.encoder.lexicon import NAMES, Lexicon
from fastparse.encoder.reading import WordReader
from fastparse.errors import ModelFormatError
from fastparse.learning.networks.outside import Outside, read_lexicon
from tests.toy import toy

FILE = "# word, cluster, frequency\nThe\t01\t3\nthe\t11\t3\ncat\t_\t2\nDog\t01\t\n\nÉcole\t11\t2\n"


def lexicon_of(bank):
    """One that knows of every other form its length and its first letter."""
    words = sorted({form.lower() for form in bank.table("form")})[::2]
    return Lexicon.of(words, [[len(word), ord(word[0]), 0] for word in words])


def test_a_file_is_read(tmp_path):
    path = tmp_path / "lexicon.tsv"
    path.write_bytes(FILE.encode())
    found = read_lexicon(path)
    assert len(found) == 4
    assert found.columns == 2
    assert [found.strings(form) for form in ("THE", "the", "Cat", "dog", "école", "mouse")] == [
        ["#0:1", "#1:1"], ["#0:1", "#1:1"], ["#1:2"], ["#0:1"], ["#0:2", "#1:2"], [],
    ]  # fmt: skip
    packed = tmp_path / "lexicon.gz"
    packed.write_bytes(gzip.compress(FILE.replace("\n", "\r\n").encode()))
    assert read_lexicon(packed) == found
    assert Outside(lexicon=read_lexicon(packed)).record == Outside(lexicon=found).record


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no words"),
        ("# nothing\n", "no words"),
        ("the\n", "line 1: expected a word and some columns"),
        ("the\t1\t2\n\ncat\t1\n", "line 3: expected a word and 2 columns"),
        ("the" + "\t1" * 65, "at most 64"),
        ("".join(f"w{i}\t{i}\n" for i in range(65_536)), "column 1 has 65,536 different values"),
        ("".join(f"w{i}\t{i % 300}\t{i // 300}\n" for i in range(70_000)), "let more words share"),
    ],
)
def test_other_files_are_refused(tmp_path, content, message):
    path = tmp_path / "lexicon.tsv"
    path.write_text(content)
    with pytest.raises(Error, match=message):
        read_lexicon(path)


@pytest.mark.parametrize("n", [1, 2, 3, 100, 5000])
def test_words_are_found_and_few_others_are(n):
    random = np.random.default_rng(n)
    words = [f"word{i}" for i in range(n)]
    codes = random.integers(0, [2, 300, 65_536], (n, 3)) if n < 5000 else random.integers(0, [2, 300, 9], (n, 3))
    found = Lexicon.of(words, codes)
    right = [
        found.strings(word.upper()) == [f"#{k}:{code}" for k, code in enumerate(row) if code]
        for word, row in zip(words, codes.tolist(), strict=True)
    ]
    assert sum(right) >= 0.98 * n  # some cannot be told from an earlier one
    assert sum(bool(found.strings(f"other{i}")) for i in range(5000)) < 200
    assert Lexicon.among(found.arrays()) == found
    assert pickle.loads(pickle.dumps(found)) == found
    assert Lexicon.among({}) is None


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_used_is_refused(name):
    arrays = {key.removeprefix("lexicon."): array for key, array in lexicon_of(toy()).arrays().items()}
    for wrong in (arrays[name].astype(np.int32), arrays[name][1:], arrays[name][None]):
        with pytest.raises(ModelFormatError):
            Lexicon(*{**arrays, name: wrong}.values())
    with pytest.raises(ModelFormatError, match="missing"):
        Lexicon.among({f"lexicon.{key}": array for key, array in arrays.items() if key != name})
    if name in ("kinds", "sizes", "counts"):
        with pytest.raises(ModelFormatError):
            Lexicon(*{**arrays, name: np.full_like(arrays[name], 200)}.values())


def test_codes_are_read_beside_affixes():
    bank = toy()
    lexicon = lexicon_of(bank)
    inputs = Inputs.learn(bank, lexicon=lexicon)
    assert any(string.startswith("#1:") for string in inputs.affix)
    assert Inputs.from_dict(inputs.to_dict(), lexicon) == inputs
    with pytest.raises(Error, match="lexicon"):
        Inputs.from_dict(inputs.to_dict())
    with pytest.raises(Error, match="lexicon"):
        Inputs.from_dict(Inputs.learn(bank).to_dict(), lexicon)
    expected, where = inputs.rows(bank), inputs.columns()
    found = WordReader(inputs).words(bank)
    starts = np.concatenate(([0], found.ends.reshape(-1)[:-1])).reshape(found.ends.shape)
    for word, row in zip(expected, found.rows, strict=True):
        for k, group in enumerate(GROUPS):
            ids = found.ids[starts[row, k] : found.ends[row, k]]
            assert sorted(ids) == sorted(i for i in word[slice(*where[group])] if i != NOTHING)


def test_a_model_keeps_its_lexicon_once(tmp_path):
    path = tmp_path / "lexicon.tsv"
    words = sorted({form.lower() for form in toy().table("form")}) + [f"more{i}" for i in range(20_000)]
    path.write_text("".join(f"{word}\t{len(word)}\n" for word in words))
    options = {"encoder": "small", "iterations": 1, "folds": 2, "components": ("tagger", "parser"), "system": "hybrid"}
    parser = fastparse.train(toy(), dev=toy()[:20], lexicon=path, **options)
    parser.save(tmp_path / "with.fp")
    fastparse.train(toy(), dev=toy()[:20], **options).save(tmp_path / "without.fp")
    found = fastparse.load(tmp_path / "with.fp")
    assert found.parse(toy()[:5], retag=True).to_bytes() == parser.parse(toy()[:5], retag=True).to_bytes()
    assert found.info["lexicon"]["words"] == parser.info["tagger"]["lexicon"]["words"] > 19_000
    found.save(tmp_path / "again.fp")
    assert (tmp_path / "again.fp").read_bytes() == (tmp_path / "with.fp").read_bytes()
    more = (tmp_path / "with.fp").stat().st_size - (tmp_path / "without.fp").stat().st_size
    assert 19_000 * 3 < more < 20_000 * 4.5  # a byte of check and two of kind, buckets, and rows of codes


def test_a_lexicon_is_of_encoders(tmp_path):
    with pytest.raises(Error, match=r"lexicon=.* are of encoders"):
        fastparse.train(toy(), encoder=None, lexicon="nothing")
