"""How the models of English are made: the lexicon from clusters and frequencies, and the treebanks put together."""

import gzip
import json
import math
import zipfile

import pytest

from fastparse.learning.networks.outside import read_lexicon
from models.english import EWT, GUM, main, treebanks
from tests.toy import TOY, toy

LOGS = {"the": math.log(0.5), "The": math.log(0.1), "London": -9.5, "LONDON": -12.0, "rare": -20.5, "a b": -3.0}
CLUSTERS = {"the": 11, "The": 5, "London": 0b1010100110, "rare": 3}


@pytest.fixture
def wheel(tmp_path):
    path = tmp_path / "data.whl"
    with zipfile.ZipFile(path, "w") as out:
        for name, table in (("cluster", CLUSTERS), ("prob", LOGS)):
            out.writestr(f"spacy_lookups_data/data/en_lexeme_{name}.json.gz", gzip.compress(json.dumps(table).encode()))
    return path


def test_the_lexicon_says_frequency_spelling_and_clusters(wheel, tmp_path):
    target = tmp_path / "en.tsv.gz"
    main(["lexicon", str(wheel), "-o", str(target)])
    first = target.read_bytes()
    lines = gzip.decompress(first).decode().splitlines()
    assert [line.split("\t") for line in lines[1:]] == [
        ["the", "0", "2", "0", "11", "11", "11", "11"],
        ["london", "9", "5", "1", str(0b0110), str(0b100110), str(0b10100110), str(0b1010100110)],
    ]
    assert len(read_lexicon(target)) == 2
    main(["lexicon", str(wheel), "-o", str(target), "--words", "1"])
    assert len(read_lexicon(target)) == 1
    main(["lexicon", str(wheel), "-o", str(target)])
    assert target.read_bytes() == first


def test_features_are_left_out_where_they_are_poor(tmp_path):
    for name, files in ((EWT, ("train", "dev")), (GUM, ("train", "dev", "pud", "pronouns"))):
        (tmp_path / name).mkdir()
        for file in files:
            (tmp_path / name / f"{file}.conllu").write_bytes(TOY.read_bytes())
    bank, dev = treebanks(tmp_path)
    n = toy().n_words
    assert bank.n_words == 4 * n
    assert dev.n_words == 2 * n
    feats = [bank.table("feats")[i] for i in bank.ids("feats")]
    assert set(feats[2 * n : 3 * n]) == {"_"}
    assert feats[:n] == feats[n : 2 * n] == feats[3 * n :] != feats[2 * n : 3 * n]
