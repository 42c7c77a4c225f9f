"""Every file of the treebanks comes back as it was, or with nothing changed but columns 7 and 8."""

import os
from pathlib import Path

import numpy as np
import pytest

import fastparse

FOLDER = Path(os.environ.get("FASTPARSE_TREEBANKS", Path(__file__).parents[3] / "shared" / "data"))
BOM = b"\xef\xbb\xbf"
FILES = sorted(FOLDER.glob("*/*.conllu")) if FOLDER.is_dir() else []


def without_heads(data: bytes) -> bytes:
    """The file without columns 7 and 8 of its words."""
    lines = []
    for line in data.split(b"\n"):
        cells = line.split(b"\t")
        lines.append(b"\t".join(cells[:6] + cells[8:]) if cells[0].removeprefix(BOM).isdigit() else line)
    return b"\n".join(lines)


@pytest.fixture(
    params=[pytest.param(path, marks=pytest.mark.slow if path.name == "train.conllu" else ()) for path in FILES]
    or [None],
    ids=lambda path: f"{path.parent.name}/{path.name}" if path else "none",
)
def path(request):
    if request.param is None:
        pytest.skip("no treebanks: set FASTPARSE_TREEBANKS to a folder of */*.conllu")
    return request.param


@pytest.mark.treebanks
def test_same_heads_give_the_same_bytes(path):
    data = path.read_bytes()
    treebank = fastparse.read_conllu(path)
    assert treebank.n_words == sum(line.split(b"\t")[0].isdigit() for line in data.split(b"\n") if b"\t" in line)
    assert treebank.to_bytes() == data
    assert treebank[:].to_bytes() == data  # these files have nothing between their sentences
    assert b"".join(batch.to_bytes() for batch in fastparse.iter_conllu(path, batch_words=777)) == data


@pytest.mark.treebanks
def test_other_heads_change_columns_7_and_8_alone(path):
    data = path.read_bytes()
    treebank = fastparse.read_conllu(path)
    heads = np.zeros(treebank.n_words, int)
    other = treebank.with_heads(heads, heads, ["another:label"])
    written = other.to_bytes()
    assert without_heads(written) == without_heads(data)
    again = fastparse.read_conllu(written)
    assert (again.heads == 0).all()
    assert again.deprel_table == ["another:label"]
    assert treebank.to_bytes() == data
