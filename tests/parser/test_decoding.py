"""Decoders: parts, labels put back, statistics that go with their batches; parsers that stay as they are."""

import json
import threading

import numpy as np
import pytest

import fastparse
from fastparse.annotate.stream import Done, stream
from fastparse.request import Request
from fastparse.search.engine import Outcome
from fastparse.search.kinds import EncodedLabels
from tests.toy import TOY, toy, toy_parser


@pytest.fixture(scope="module")
def lifting():
    return toy_parser("arc-eager", 8, pseudo_projective="head", iterations=10)


@pytest.mark.parametrize("words", [1, 50, 120])
@pytest.mark.parametrize("threads", [1, 3])
def test_lifted_arcs_are_put_back_in_every_part(lifting, monkeypatch, words, threads):
    whole = lifting.parse(toy()).to_bytes()
    crossing = fastparse.trees.nonprojective_arcs_treebank(toy().heads, toy().offsets)
    assert crossing[toy().n_words // 2 :].any()
    assert (lifting.parse(toy()).heads == toy().heads)[crossing].all()
    monkeypatch.setattr("fastparse.search.decoder._WORDS_AT_A_TIME", words)
    assert lifting.parse(toy(), threads=threads).to_bytes() == whole


def test_parts_are_measured_too(lifting, monkeypatch):
    _, whole = lifting.measure(toy())
    monkeypatch.setattr("fastparse.search.decoder._WORDS_AT_A_TIME", 50)
    _, parts = lifting.measure(toy(), threads=2)
    assert parts.words.tolist() == np.diff(toy().offsets).tolist()
    assert (parts.transitions == whole.transitions).all()
    assert (parts.by_move == whole.by_move).all()
    assert (parts.nanoseconds > 0).all()


def test_every_part_knows_which_tags_are_its_own(monkeypatch):
    parser = fastparse.load("en")
    bare = parser.tokenize("The old man the boat. Time flies like an arrow. Go on reading! It works.")
    tagged = parser.tag(bare)
    mixed = fastparse.read_conllu(b"".join((bare, tagged)[k % 2][k : k + 1].to_bytes() for k in range(len(bare))))
    whole = parser.parse(mixed, scores=True).to_bytes()
    for words in (1, 6, 12):
        monkeypatch.setattr("fastparse.search.decoder._WORDS_AT_A_TIME", words)
        assert parser.parse(mixed, scores=True).to_bytes() == whole


def test_labels_without_marks_are_given_ids():
    labels = EncodedLabels(("root", "obj↑nsubj", "nsubj", "det↑nsubj"), "head")
    assert labels.names == ("root", "obj↑nsubj", "nsubj", "det↑nsubj", "obj", "det")
    plain = EncodedLabels(("root", "a↑b"), None)
    assert plain.names == ("root", "a↑b")
    found = Outcome([0, 2])
    found.heads[:], found.labels[:] = [0, 1], [0, 1]
    plain.restore(found)
    assert (found.heads.tolist(), found.labels.tolist()) == ([0, 1], [0, 1])


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_statistics_go_with_their_batches(tmp_path, threads):
    stats = tmp_path / "stats.json"
    toy_parser().parse_file(TOY, tmp_path / "out", threads=threads, batch_words=40, stats=stats)
    rows = json.loads(stats.read_text())["rows"]
    _, work = toy_parser().measure(toy())
    assert [row["words"] for row in rows] == work.words.tolist()
    assert [row["transitions"] for row in rows] == work.transitions.tolist()


@pytest.mark.parametrize("threads", [1, 3])
def test_a_stream_passes_what_is_said_of_its_work(tmp_path, threads):
    batches = []
    request = Request(threads=threads, batch_words=30)
    report = stream(TOY, tmp_path / "out", lambda treebank: (treebank, len(treebank)), request, written=batches.append)
    assert (tmp_path / "out").read_bytes() == TOY.read_bytes()
    assert all(isinstance(batch, Done) and batch.work == batch.sentences for batch in batches)
    assert b"".join(batch.piece for batch in batches) == TOY.read_bytes()
    assert sum(batch.work for batch in batches) == report.sentences == len(toy())
    assert report.bytes_written == TOY.stat().st_size


def test_one_thread_is_the_one_that_asks(tmp_path):
    seen = set()

    def transform(treebank):
        seen.add(threading.get_ident())
        return treebank, None

    stream(TOY, tmp_path / "out", transform, Request(batch_words=10))
    assert seen == {threading.get_ident()}


def test_saving_changes_where_a_parser_is_and_nothing_else(tmp_path):
    parser = fastparse.train(toy(), "arc-eager", beam=2, iterations=2, encoder=None)
    before = parser.parse(toy()).to_bytes(), parser.info, parser.labels, parser.sha256
    assert parser.path is None
    parser.save(tmp_path / "a.fp")
    assert parser.path == str(tmp_path / "a.fp")
    assert (parser.parse(toy()).to_bytes(), parser.info, parser.labels, parser.sha256) == before
    parser.save(tmp_path / "b.fp")
    assert parser.path == str(tmp_path / "b.fp")
    assert (tmp_path / "a.fp").read_bytes() == (tmp_path / "b.fp").read_bytes()


def test_a_beam_that_search_cannot_have_is_refused(tmp_path):
    from fastparse.model.storage import read_container, write_container

    toy_parser().save(tmp_path / "m.fp")
    sound = read_container(tmp_path / "m.fp")
    for beam in (0, 1024, 2.0, True):
        sound.header["description"]["beam"] = beam
        write_container(tmp_path / "m.fp", sound.header, sound.arrays)
        with pytest.raises(fastparse.ModelFormatError, match="beam"):
            fastparse.load(tmp_path / "m.fp")
