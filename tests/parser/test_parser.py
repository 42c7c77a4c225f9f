"""Parsers: every way in gives the same trees; files, pickles, threads."""

import gzip
import io
import json
import os
import pickle
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import fastparse
from fastparse import Error, ModelFormatError, Treebank, UnknownNameError
from tests.toy import TOY, toy, toy_parser


@pytest.fixture(scope="module")
def parser(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "toy.fp"
    toy_parser().save(path)
    return fastparse.load(path)


@pytest.fixture(scope="module")
def parsed(parser):
    return parser.parse(toy()).to_bytes()


def blank(data):
    """CoNLL-U without heads and labels."""
    rows = [line.split(b"\t") for line in data.split(b"\n")]
    return b"\n".join(b"\t".join([*row[:6], b"_", b"_", *row[8:]]) if len(row) == 10 else row[0] for row in rows)


def test_a_saved_parser_parses_as_before(parser, parsed):
    assert toy_parser().parse(toy()).to_bytes() == parsed


def test_it_has_learnt_something(parser):
    scores = fastparse.evaluate(toy(), parser.parse(toy()), convention="all")
    assert scores.las > 85


def test_old_heads_are_not_read(parser, parsed):
    assert parser.parse(fastparse.read_conllu(blank(TOY.read_bytes()))).to_bytes() == parsed


def test_the_given_treebank_is_not_changed(parser):
    treebank = fastparse.read_conllu(TOY)
    parser.parse(treebank)
    assert treebank.to_bytes() == TOY.read_bytes()


@pytest.mark.parametrize("beam", [None, 1, 2, 16, 64])
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_do_not_show(parser, beam, threads):
    expected = parser.parse(toy(), beam).to_bytes()
    assert parser.parse(toy(), beam, threads).to_bytes() == expected


@pytest.mark.parametrize("batch_words", [1, 7, 100, 10_000])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_batches_do_not_show(parser, parsed, tmp_path, batch_words, threads):
    out = tmp_path / "out.conllu"
    report = parser.parse_file(TOY, out, threads=threads, batch_words=batch_words)
    assert out.read_bytes() == parsed
    assert (report.sentences, report.words, report.skipped) == (len(toy()), toy().n_words, 0)
    assert report.seconds > 0
    assert report.words_per_second > 0


def test_only_heads_and_labels_change(parser, parsed):
    assert blank(parsed) == blank(TOY.read_bytes())


def test_large_treebanks_are_parsed_in_parts(parser, parsed, monkeypatch):
    monkeypatch.setattr("fastparse.search.decoder._WORDS_AT_A_TIME", 50)
    assert parser.parse(toy()).to_bytes() == parsed
    assert parser.parse(toy(), threads=2).to_bytes() == parsed


def test_streams_and_compressed_files(parser, parsed, tmp_path):
    out = io.BytesIO()
    parser.parse_file(io.BytesIO(TOY.read_bytes()), out)
    assert out.getvalue() == parsed
    packed = tmp_path / "toy.conllu.gz"
    packed.write_bytes(gzip.compress(TOY.read_bytes()))
    parser.parse_file(packed, tmp_path / "out.conllu.gz")
    assert gzip.decompress((tmp_path / "out.conllu.gz").read_bytes()) == parsed


def test_several_inputs_are_one(parser, parsed, tmp_path):
    parser.parse_file([TOY, TOY], tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == parsed * 2


def test_empty_input_gives_empty_output(parser, tmp_path):
    report = parser.parse_file(b"", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b""
    assert report.words == report.words_per_second == 0
    assert len(parser.parse(fastparse.read_conllu(b""))) == 0
    assert list(parser.parse([])) == []
    heads, labels = parser.parse_arrays([])
    assert len(heads) == len(labels) == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_a_failing_parse_leaves_no_file(parser, tmp_path, threads):
    bad = TOY.read_bytes() + b"1\tGo\n\n"
    with pytest.raises(fastparse.ConlluError):
        parser.parse_file(bad, tmp_path / "out", threads=threads, batch_words=10)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("mode", "expected"), [("skip", (61, 1, 0)), ("keep", (61, 0, 1))])
def test_unreadable_sentences_are_counted(parser, parsed, tmp_path, mode, expected):
    bad = b"1\tGo\n\n" + TOY.read_bytes()
    report = parser.parse_file(bad, tmp_path / "out", on_error=mode, stats=tmp_path / "stats.json")
    assert (report.sentences, report.skipped, report.kept) == expected
    assert (tmp_path / "out").read_bytes() == (b"1\tGo\n\n" if mode == "keep" else b"") + parsed
    stats = json.loads((tmp_path / "stats.json").read_text())
    assert stats["words"] == report.words
    assert "1" in stats["problems"][0]


def test_deps(parser, tmp_path):
    parser.parse_file(TOY, tmp_path / "out", deps="copy")
    for line in (tmp_path / "out").read_text().splitlines():
        cells = line.split("\t")
        assert len(cells) < 10 or cells[8] == f"{cells[6]}:{cells[7]}"


def test_progress_is_called(parser, tmp_path):
    words = []
    parser.parse_file(TOY, tmp_path / "out", batch_words=100, progress=lambda report: words.append(report.words))
    assert words == sorted(words)
    assert words[-1] == toy().n_words
    assert len(words) > 3


# ── other ways in ──


def test_objects_are_annotated_lazily_and_in_order(parser):
    expected = parser.parse(toy())
    taken = 0

    def endless():
        nonlocal taken
        while True:
            for sentence in toy():
                taken += 1
                yield sentence.forms, sentence.upos, sentence.xpos

    without_features = Treebank.from_columns(
        [s.forms for s in toy()], upos=[s.upos for s in toy()], xpos=[s.xpos for s in toy()]
    )
    expected = [sentence.heads for sentence in parser.parse(without_features)]
    found = parser.parse(endless())
    assert taken == 0
    assert [next(found).heads for _ in range(130)] == (expected * 3)[:130]
    assert taken < 3000


def test_arrays_in_and_out(parser):
    expected = parser.parse(toy())
    treebank = toy()
    columns = {
        name: [treebank.table(name)[i] for i in treebank.ids(name)]
        for name in ("form", "upos", "xpos", "feats", "lemma")
    }
    heads, labels = parser.parse_arrays(
        columns["form"], columns["upos"], columns["xpos"], columns["feats"], columns["lemma"], offsets=treebank.offsets
    )
    assert heads.dtype == labels.dtype == np.int32
    assert (heads == expected.heads).all()
    assert [parser.labels[i] for i in labels] == expected.deprels
    same = parser.parse_arrays(treebank, threads=2)
    assert (same[0] == heads).all()
    assert (same[1] == labels).all()


@pytest.mark.parametrize("beam", [0, -1, 1024, 2.0, "4", True])
def test_impossible_beams_are_refused(parser, beam):
    with pytest.raises(Error, match="beam"):
        parser.parse(toy(), beam)


@pytest.mark.parametrize("threads", [0, -2, 1.5, None])
def test_impossible_numbers_of_threads_are_refused(parser, threads):
    with pytest.raises(Error, match="threads"):
        parser.parse(toy(), threads=threads)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("system", ["arc-eager", "two-registers", "swap", "covington"])
def test_always_a_tree_with_one_root(system, seed):
    """Whatever the words: unknown ones, other alphabets, missing tags, any length."""
    source = random.Random(seed)
    letters = "abcxyzäß漢字\u2028😀"
    sentences = [
        ["".join(source.choices(letters, k=source.randint(1, 6))) for _ in range(source.randint(1, 40))]
        for _ in range(20)
    ]
    tags = [[source.choice(["NOUN", "VERB", "_", "X", "PUNCT"]) for _ in sentence] for sentence in sentences]
    treebank = toy_parser(system).parse(Treebank.from_columns(sentences, upos=tags))
    assert treebank.trees().all()
    roots = np.add.reduceat(treebank.heads == 0, treebank.offsets[:-1], dtype=int)
    assert (roots == 1).all()
    for sentence in treebank:
        assert all(
            (head == 0) == (label == "root") for head, label in zip(sentence.heads, sentence.deprels, strict=True)
        )


# ── identity, pickles, threads of the user's ──


def test_pickles_are_small_and_open_the_same_file(parser):
    data = pickle.dumps(parser)
    assert len(data) < 500
    assert pickle.loads(data).sha256 == parser.sha256
    assert pickle.loads(data) is pickle.loads(data)


def test_pickles_notice_another_file(tmp_path):
    path = tmp_path / "a.fp"
    parser = toy_parser()
    parser.save(path)
    data = pickle.dumps(parser)
    toy_parser(beam=2).save(path)
    with pytest.raises(ModelFormatError, match="another model"):
        pickle.loads(data)


def test_an_unsaved_parser_cannot_be_pickled():
    with pytest.raises(Error, match="save it first"):
        pickle.dumps(fastparse.train(toy(), "arc-eager", beam=1, iterations=1))


def test_any_number_of_threads_may_share_one(parser, parsed):
    with ThreadPoolExecutor(8) as pool:
        for data in pool.map(lambda _: parser.parse(toy()).to_bytes(), range(32)):
            assert data == parsed


def test_info_says_what_it_is(parser):
    info = parser.info
    assert info["system"] == parser.system == "arc-eager"
    assert info["beam"] == parser.beam == 4
    assert info["treebank"]["words"] == toy().n_words
    assert info["fastparse"] == fastparse.__version__
    assert "root" in parser.labels
    info["treebank"]["words"] = 0
    assert parser.info["treebank"]["words"] == toy().n_words


@pytest.mark.parametrize("name", ["no-such-model", "no/such/file.fp"])
def test_missing_models_are_named(name):
    with pytest.raises(UnknownNameError, match=name):
        fastparse.load(name)


def test_parsing_loads_no_training_code(parser):
    code = (
        "import sys, fastparse; p = fastparse.load(sys.argv[1]); p.parse(fastparse.read_conllu(sys.argv[2]));"
        "bad = [m for m in sys.modules if m.startswith(('fastparse.learning', 'fastparse.theory'))];"
        "assert not bad, bad"
    )
    path = parser.__reduce__()[1][0]
    subprocess.run([sys.executable, "-c", code, path, str(TOY)], check=True, env={**os.environ})


def test_output_does_not_depend_on_the_hash_seed(parser, parsed, tmp_path):
    code = (
        "import sys, fastparse;"
        "p = fastparse.train(sys.argv[1], 'arc-eager', beam=4, iterations=3, components=['parser']);"
        "p.save(sys.argv[2]);"
        "p.parse_file(sys.argv[1], sys.argv[3])"
    )
    model, out = tmp_path / "m.fp", tmp_path / "out"
    for seed in ("0", "1", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, str(TOY), str(model), str(out)], check=True, env=environment)
        assert out.read_bytes() == parsed
        assert fastparse.load(model).sha256 == parser.sha256
