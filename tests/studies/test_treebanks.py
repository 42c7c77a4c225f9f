"""Which files a study reads, and trees without punctuation."""

import random

import numpy as np
import pytest

from fastparse import Treebank
from fastparse.errors import Error
from fastparse.studies.treebanks import Source, sources, without_punctuation


def test_files_and_folders(tmp_path):
    for folder in ("Slovenian-SSJ", "UD_Arabic-PADT"):
        (tmp_path / folder).mkdir()
        for part in ("train", "dev"):
            (tmp_path / folder / f"{part}.conllu").write_text("")
    (tmp_path / "own.conllu").write_text("")
    found = sources([tmp_path, tmp_path / "own.conllu"])
    assert [(source.name, source.path.name) for source in found] == [
        ("Slovenian-SSJ", "train.conllu"),
        ("UD_Arabic-PADT", "train.conllu"),
        ("own", "own.conllu"),
    ]
    assert [source.language for source in found] == ["Slovene", "Arabic", "own"]
    (only,) = sources([tmp_path / "Slovenian-SSJ"], "dev")
    assert (only.name, only.path.name) == ("Slovenian-SSJ", "dev.conllu")
    assert sources([tmp_path / "Slovenian-SSJ" / "dev.conllu"]) == [only]


def test_a_folder_without_treebanks(tmp_path):
    with pytest.raises(Error, match=r"no dev\.conllu"):
        sources([tmp_path], "dev")


def pruned(forms, heads):
    """The definition: words of punctuation leave, what hung on them hangs on the nearest word above."""
    kept = [word for word in range(1, len(forms) + 1) if forms[word - 1] not in ".,"]
    number = {0: 0} | {word: at for at, word in enumerate(kept, 1)}
    result = []
    for word in kept:
        head = heads[word - 1]
        while head not in number:
            head = heads[head - 1]
        result.append(number[head])
    return result


def test_without_punctuation():
    rng = random.Random(1)
    forms, heads = [], []
    for _ in range(200):
        n = rng.randint(1, 12)
        order = rng.sample(range(1, n + 1), n)
        tree = [0] * n
        for place, word in enumerate(order[1:], 1):
            tree[word - 1] = rng.choice(order[:place])
        forms.append([rng.choice(["a", "b", ".", ","]) for _ in range(n)])
        heads.append(tree)
    found, offsets = without_punctuation(Treebank.from_columns(forms=forms, heads=heads))
    expected = [pruned(*sentence) for sentence in zip(forms, heads, strict=True)]
    assert np.diff(offsets).tolist() == list(map(len, expected))
    assert found.tolist() == [head for tree in expected for head in tree]
    assert any(not tree for tree in expected), "a sentence of nothing but punctuation is among them"


def test_language_of_a_name():
    assert Source("UD_English-EWT", None).language == "English"
