"""Shards: merged they are what one run gives; a run that is killed is taken up again."""

import gzip
import json
import os
import signal
import time

import pytest

import fastparse
from fastparse import Error, ModelFormatError
from fastparse.bulk import shards
from fastparse.corpus.surface import to_text
from tests.bulk.planned import planned
from tests.commands import run, start
from tests.parser.models import splitting
from tests.text import toy
from tests.toy import TOY, toy_parser


def inputs(tmp_path):
    """Files that end in every way, one of them compressed."""
    contents = {
        "a.conllu": TOY.read_bytes(),
        "b.conllu": b"\xef\xbb\xbf" + TOY.read_bytes()[:-1].replace(b"\n", b"\r\n"),
        "c.conllu": b"\n \t\n# a remark\n" + TOY.read_bytes().rstrip(b"\n"),
        "d.conllu": b"",
        "e.conllu.gz": gzip.compress(TOY.read_bytes()),
        "f.conllu": TOY.read_bytes() + b"# the end\n",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return [tmp_path / name for name in contents]


@pytest.mark.parametrize("shard_bytes", [1, 700, 10_000, 10**9])
def test_merged_shards_are_what_one_run_gives(tmp_path, model, shard_bytes):
    files = inputs(tmp_path)
    folder = tmp_path / "shards"
    n = shards.plan(files, folder, model, shard_bytes=shard_bytes)
    for number in reversed(range(n)):
        shards.run(folder, number, threads=1 + number % 2)
    shards.merge(folder, tmp_path / "merged")
    report = fastparse.load(model).parse_file(files, tmp_path / "whole")
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "whole").read_bytes()
    found = shards.status(folder)
    assert found.missing == []
    assert (found.report.words, found.report.sentences) == (report.words, report.sentences)


@pytest.fixture(scope="module")
def text_model(tmp_path_factory):
    """A model that splits text: a toy."""
    path = tmp_path_factory.mktemp("model") / "text.fp"
    splitting().save(path)
    return path


def texts(tmp_path):
    """Texts with paragraphs of all sorts, one with bytes that are not UTF-8, one compressed."""
    text = to_text(toy.conllu(60)).encode()
    contents = {
        "a.txt": text,
        "b.txt": b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n") + b"  ",
        "c.txt": b"\n \t\n" + text.replace(b"\n\n", b"\n"),
        "d.txt": b"",
        "e.txt.gz": gzip.compress(text),
        "f.txt": text.replace(b"Anna", b"A\xffna"),
        "g.txt": text.replace(b"\n\n", b"\n \n\xe3\x80\x80x\n\n\xe2\x80\x9c"),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return [tmp_path / name for name in contents]


@pytest.mark.parametrize("source", ["auto", "lines", "words"])
@pytest.mark.parametrize("on_error", ["keep", "skip"])
@pytest.mark.parametrize("shard_bytes", [1, 700, 10**9])
def test_merged_shards_of_text_are_what_one_run_gives(tmp_path, text_model, shard_bytes, on_error, source):
    files = texts(tmp_path)
    folder = tmp_path / "shards"
    n = shards.plan(files, folder, text_model, shard_bytes=shard_bytes, on_error=on_error, source=source)
    assert n > 10 or shard_bytes > 700
    for number in reversed(range(n)):
        shards.run(folder, number)
    shards.merge(folder, tmp_path / "merged")
    report = fastparse.load(text_model).parse_file(files, tmp_path / "whole", on_error=on_error, source=source)
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "whole").read_bytes()
    found = shards.status(folder)
    assert (found.report.words, found.report.sentences) == (report.words, report.sentences)
    assert (found.report.kept, found.report.skipped) == (report.kept, report.skipped)
    assert report.kept + report.skipped > 0


def test_text_needs_a_tokenizer(tmp_path, model):
    (tmp_path / "a.txt").write_bytes(b"Anna reads.")
    with pytest.raises(Error, match="tokenizer"):
        shards.plan([tmp_path / "a.txt"], tmp_path / "shards", model)


def test_finished_shards_are_left_alone(tmp_path, model):
    folder = tmp_path / "shards"
    n = shards.plan([TOY], folder, model, shard_bytes=5000)
    assert n > 3
    first = shards.run(folder, 0)
    before = (folder / "00000.conllu").stat().st_mtime_ns
    assert shards.run(folder, 0).words == first.words
    assert (folder / "00000.conllu").stat().st_mtime_ns == before
    assert shards.status(folder).missing == list(range(1, n))
    with pytest.raises(Error, match="not finished: 1"):
        shards.merge(folder, tmp_path / "merged")
    # Without its mark, or cut short, a shard counts as missing.
    (folder / "00000.done").unlink()
    assert shards.status(folder).missing == list(range(n))
    shards.run(folder, 0)
    (folder / "00000.conllu").write_bytes(b"")
    assert shards.status(folder).missing == list(range(n))


def test_what_another_run_finishes_meanwhile_is_left_alone(tmp_path, model, monkeypatch):
    _, folder = planned(tmp_path, model)

    def too_late(claim):
        monkeypatch.undo()
        shards.run(folder, 0)
        return shards.claimed(claim)

    monkeypatch.setattr(shards, "claimed", too_late)
    assert list(shards.run_free(folder)) == []
    assert not list(folder.glob("*.claim*"))
    shards.merge(folder, tmp_path / "merged")


def test_changes_are_noticed(tmp_path, model):
    source, folder = tmp_path / "in.conllu", tmp_path / "shards"
    source.write_bytes(TOY.read_bytes())
    shards.plan([source], folder, model)
    shards.plan([source], folder, model)
    with pytest.raises(Error, match="another plan"):
        shards.plan([source], folder, model, beam=1)
    toy_parser(beam=2).save(model)
    with pytest.raises(ModelFormatError, match="another model"):
        shards.run(folder, 0)
    toy_parser().save(model)
    source.write_bytes(TOY.read_bytes() + b"\n")
    with pytest.raises(Error, match="has changed"):
        shards.run(folder, 0)
    with pytest.raises(Error, match="no shard 1"):
        shards.run(folder, 1)
    with pytest.raises(Error, match="no plan"):
        shards.run(tmp_path, 0)


def test_a_changed_shard_is_not_merged(tmp_path, model):
    folder = tmp_path / "shards"
    shards.plan([TOY], folder, model)
    shards.run(folder, 0)
    data = (folder / "00000.conllu").read_bytes()
    (folder / "00000.conllu").write_bytes(data.replace(b"cat", b"dog", 1))
    with pytest.raises(Error, match="has changed since"):
        shards.merge(folder, tmp_path / "merged")


def test_the_command(tmp_path, model):
    folder, bad = tmp_path / "shards", tmp_path / "bad.conllu"
    bad.write_bytes(TOY.read_bytes() + b"1\tGo\n\n")
    assert run("shard", "plan", TOY, bad, "-o", folder, "-m", model, "--on-error", "keep").returncode == 0
    assert run("shard", "run", folder, "-i", 0).returncode == 0
    assert run("shard", "status", folder, "--missing").stdout == b"1\n"
    assert run("shard", "run", folder).returncode == 3
    merged = run("shard", "merge", folder).stdout
    fastparse.load(model).parse_file([TOY, bad], tmp_path / "whole", on_error="keep")
    assert merged == (tmp_path / "whole").read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_killed_run_is_taken_up_again(tmp_path, model):
    source, folder = tmp_path / "in.conllu", tmp_path / "shards"
    source.write_bytes(TOY.read_bytes() * 30)
    n = shards.plan([source], folder, model, shard_bytes=30_000)
    process = start("shard", "run", folder)
    while not (folder / "00002.done").exists():
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    missing = shards.status(folder).missing
    assert 0 < len(missing) < n
    assert run("shard", "run", folder).returncode == 0
    shards.merge(folder, tmp_path / "merged")
    fastparse.load(model).parse_file(source, tmp_path / "whole")
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "whole").read_bytes()
    assert json.loads((folder / "00000.done").read_text())["words"] > 0


def test_the_number_of_columns_is_planned(tmp_path, model):
    """A line of eight columns at the beginning of a shard is a mistake of its sentence alone."""
    bad = b"1\tGo\t_\t_\t_\t_\t0\troot\n\n"
    first, rest = TOY.read_bytes()[:20_000], TOY.read_bytes()
    first = first[: first.rindex(b"\n\n") + 2]
    source, folder = planned(tmp_path, model, first + bad + rest, shard_bytes=len(first) - 1, on_error="skip")
    for number in shards.status(folder).missing:
        shards.run(folder, number)
    assert shards.status(folder).report.skipped == 1
    shards.merge(folder, tmp_path / "merged")
    fastparse.load(model).parse_file(source, tmp_path / "whole", on_error="skip")
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize("mark", [b"\x1f\x8b", b"\xef\xbb\xbf"])
def test_marks_in_the_middle_of_a_file_are_none(tmp_path, model, mark):
    """A shard that begins like a compressed file, or with a byte order mark."""
    first = TOY.read_bytes()
    source, folder = planned(tmp_path, model, first + mark + first, shard_bytes=len(first) - 1, on_error="keep")
    for number in shards.status(folder).missing:
        shards.run(folder, number)
    shards.merge(folder, tmp_path / "merged")
    fastparse.load(model).parse_file(source, tmp_path / "whole", on_error="keep")
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "whole").read_bytes()


def test_the_byte_order_mark_of_a_later_compressed_file_is_dropped(tmp_path, model):
    marked = tmp_path / "b.conllu.gz"
    marked.write_bytes(gzip.compress(b"\xef\xbb\xbf" + TOY.read_bytes()))
    shards.plan([TOY, marked, marked], tmp_path / "shards", model, shard_bytes=500)
    assert shards.unsplit(tmp_path / "shards", 500) == [str(marked)] * 2
    for _ in shards.run_free(tmp_path / "shards"):
        pass
    shards.merge(tmp_path / "shards", tmp_path / "merged")
    fastparse.load(model).parse_file([TOY, marked, marked], tmp_path / "whole")
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "whole").read_bytes()
