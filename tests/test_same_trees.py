"""Every way in gives the same trees: text and treebanks, any number of threads, pieces of any size."""

import io
import json
import os
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest

import fastparse
from fastparse.bulk import shards
from fastparse.bulk.parquet import convert
from fastparse.corpus.surface import to_text

FOLDER = Path(os.environ.get("FASTPARSE_TREEBANKS") or Path(__file__).parents[2] / "shared" / "data")
NAMES = ("English-EWT", "Danish-DDT", "Turkish-IMST")
SENTENCES = 150
THREADS = (1, 2, 3, 8)
pytestmark = pytest.mark.treebanks


@pytest.fixture(scope="module", params=NAMES)
def treebank(request):
    path = FOLDER / request.param / "dev.conllu"
    if not path.exists():
        pytest.skip(f"no treebank {request.param}: set FASTPARSE_TREEBANKS to a folder of them")
    return fastparse.read_conllu(path)[:SENTENCES]


@pytest.fixture(scope="module", params=["en", "en-fast"])
def parser(request):
    return fastparse.load(request.param)


class InPieces(io.RawIOBase):
    """A stream that gives its bytes in pieces of random sizes."""

    def __init__(self, data, seed):
        random = Random(seed)
        cuts = sorted({0, len(data), *(random.randrange(len(data)) for _ in range(40))})
        self._pieces = [data[begin:end] for begin, end in pairwise(cuts)]

    def readable(self):
        return True

    def read(self, size=-1):
        if not self._pieces:
            return b""
        piece = self._pieces.pop(0)
        if 0 <= size < len(piece):
            self._pieces.insert(0, piece[size:])
            piece = piece[:size]
        return piece


def trees(treebank):
    return [(sentence.forms, sentence.heads, sentence.deprels) for sentence in treebank]


def through(parser, data, **options):
    out = io.BytesIO()
    parser.parse_file(data, out, **options)
    return out.getvalue()


def test_of_treebanks(parser, treebank, tmp_path):
    data = treebank.to_bytes()
    parsed = parser.parse(treebank)
    expected = parsed.to_bytes()
    for threads in THREADS:
        assert parser.parse(treebank, threads=threads).to_bytes() == expected
        assert through(parser, data, threads=threads) == expected
        pieces = InPieces(data, threads)
        assert through(parser, pieces, threads=threads, batch_words=Random(threads).randrange(1, 900)) == expected
        heads, labels = parser.parse_arrays(treebank, threads=threads)
        assert np.array_equal(heads, parsed.heads)
        assert [parser.labels[label] for label in labels] == parsed.deprels
    given = [(s.forms, s.upos, s.xpos, s.feats, s.lemmas) for s in treebank]
    assert trees(parser.parse(given)) == trees(parsed)
    (tmp_path / "in.conllu").write_bytes(data)
    shards.plan([tmp_path / "in.conllu"], tmp_path / "shards", parser.path, shard_bytes=20_000)
    assert len(list(shards.run_free(tmp_path / "shards"))) > 1
    merged = io.BytesIO()
    shards.merge(tmp_path / "shards", merged)
    assert merged.getvalue() == expected
    rows = [json.loads(line) for line in through(parser, data, target="ndjson").splitlines()]
    assert [(row["forms"], row["heads"], row["deprels"]) for row in rows] == trees(parsed)


def test_of_rows(parser, treebank, tmp_path):
    pytest.importorskip("pyarrow")
    expected = parser.parse(treebank).to_bytes()
    (tmp_path / "in.conllu").write_bytes(treebank.to_bytes())
    convert(tmp_path / "in.conllu", tmp_path / "in.parquet")
    for threads in THREADS:
        parser.parse_file(tmp_path / "in.parquet", tmp_path / "out.conllu", threads=threads)
        assert (tmp_path / "out.conllu").read_bytes() == expected
        parser.parse_file(tmp_path / "in.parquet", tmp_path / "out.parquet", threads=threads)
        convert(tmp_path / "out.parquet", tmp_path / "back.conllu")
        assert (tmp_path / "back.conllu").read_bytes() == expected
    parser.parse_file(tmp_path / "in.conllu", tmp_path / "direct.parquet")
    convert(tmp_path / "direct.parquet", tmp_path / "back.conllu")
    assert (tmp_path / "back.conllu").read_bytes() == expected


def test_of_text(parser, treebank, tmp_path):
    text = to_text(treebank.to_bytes())
    whole = parser.parse_text(text)
    expected = whole.to_bytes()
    assert parser(text).to_bytes() == expected
    for threads in THREADS:
        assert parser.parse_text(text, threads=threads).to_bytes() == expected
        assert through(parser, text.encode(), source="text", threads=threads) == expected
        pieces = InPieces(text.encode(), threads)
        size = Random(threads).randrange(1, 900)
        assert through(parser, pieces, source="text", threads=threads, batch_words=size) == expected
    assert parser.parse(parser.tokenize(text)).to_bytes() == expected
    assert trees(parser.parse([sentence.forms for sentence in parser.tokenize(text)])) == trees(whole)
    assert [trees(one) for one in parser.parse_text([text, text])] == [trees(whole)] * 2
    assert through(parser, text.encode("utf-16"), source="text", encoding="utf-16") == expected
    assert through(parser, text.encode("utf-16"), source="text") == expected, "the mark tells"
    marked = fastparse.read_conllu(through(parser, text.encode("utf-8-sig"), source="text"))
    assert trees(marked) == trees(whole)  # the mark stays, as what stands before the first token
    lines = json.dumps({"id": 7, "text": text}).encode() + b"\n"
    assert through(parser, lines, source="ndjson") == expected
    (row,) = [json.loads(line) for line in through(parser, lines, source="ndjson", target="ndjson").splitlines()]
    assert [(s["forms"], s["heads"], s["deprels"]) for s in row["sentences"]] == trees(whole)


def test_of_long_texts(parser, treebank):
    """What is parsed in parts is the same as what is parsed at once."""
    text = to_text(treebank.to_bytes()) * 12
    expected = through(parser, text.encode(), source="text")
    for threads in THREADS:
        assert parser.parse_text(text, threads=threads).to_bytes() == expected


def test_sentences_with_and_without_tags_do_not_disturb_each_other():
    """An encoder reads its tagger's tags in another way than given ones, each sentence for itself."""
    parser = fastparse.load("en-fast")
    bare = parser.tokenize("Any other use of the email by you is prohibited. She reads old books, he said.")
    tagged = parser.tag(bare)
    both = fastparse.read_conllu(tagged.to_bytes() + bare.to_bytes())

    def found(treebank):
        return [(sentence.heads, sentence.misc) for sentence in parser.parse(treebank, scores=True)]

    assert found(both) == found(tagged) + found(bare)
    assert found(tagged) != found(bare), "otherwise this shows nothing"
