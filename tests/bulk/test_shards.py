"""Shards: merged they are what one run gives; crashes, changes and gaps are noticed."""

import gzip
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fastparse
from fastparse import Error, ModelFormatError
from fastparse.bulk import shards
from fastparse.bulk.claims import Claim, claimed, give_back
from fastparse.corpus.files import temporary
from fastparse.corpus.surface import to_text
from tests.parser.models import splitting
from tests.text import toy
from tests.toy import TOY, toy_parser


@pytest.fixture
def model(tmp_path):
    toy_parser().save(tmp_path / "toy.fp")
    return tmp_path / "toy.fp"


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


def command(*args):
    return [sys.executable, "-m", "fastparse", "shard", *map(str, args)]


def test_the_command(tmp_path, model):
    folder, bad = tmp_path / "shards", tmp_path / "bad.conllu"
    bad.write_bytes(TOY.read_bytes() + b"1\tGo\n\n")
    subprocess.run(command("plan", TOY, bad, "-o", folder, "-m", model, "--on-error", "keep"), check=True)
    assert subprocess.run(command("run", folder, "-i", 0), check=False).returncode == 0
    missing = subprocess.run(command("status", folder, "--missing"), check=True, capture_output=True)
    assert missing.stdout == b"1\n"
    assert subprocess.run(command("run", folder), check=False).returncode == 3
    merged = subprocess.run(command("merge", folder), check=True, capture_output=True).stdout
    fastparse.load(model).parse_file([TOY, bad], tmp_path / "whole", on_error="keep")
    assert merged == (tmp_path / "whole").read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_killed_run_is_taken_up_again(tmp_path, model):
    source, folder = tmp_path / "in.conllu", tmp_path / "shards"
    source.write_bytes(TOY.read_bytes() * 30)
    n = shards.plan([source], folder, model, shard_bytes=30_000)
    process = subprocess.Popen(command("run", folder))
    while not (folder / "00002.done").exists():
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    missing = shards.status(folder).missing
    assert 0 < len(missing) < n
    subprocess.run(command("run", folder), check=True)
    shards.merge(folder, tmp_path / "merged")
    fastparse.load(model).parse_file(source, tmp_path / "whole")
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "whole").read_bytes()
    assert json.loads((folder / "00000.done").read_text())["words"] > 0


# What was lost or mixed up before


def planned(tmp_path, model, data=None, name="in.conllu", **options):
    """A source, and a folder with a plan of it."""
    source, folder = tmp_path / name, tmp_path / "shards"
    source.write_bytes(TOY.read_bytes() if data is None else data)
    shards.plan([source], folder, model, **options)
    return source, folder


def test_a_change_that_size_and_time_do_not_show_is_noticed(tmp_path, model):
    source, folder = planned(tmp_path, model)
    before = source.stat()
    source.write_bytes(TOY.read_bytes().replace(b"cat", b"dog"))
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(Error, match="has changed"):
        shards.run(folder, 0)
    assert shards.status(folder).missing == [0]
    with pytest.raises(Error, match="another plan, or an input"):
        shards.plan([source], folder, model)


def test_results_of_another_plan_are_neither_finished_nor_merged(tmp_path, model):
    source, folder = planned(tmp_path, model, shard_bytes=10_000)
    n = len(shards.status(folder).missing)
    for number in range(n):
        shards.run(folder, number)
    (folder / "manifest.json").unlink()
    shards.plan([source], folder, model, shard_bytes=10_000, beam=1)
    assert shards.status(folder).missing == list(range(n))
    with pytest.raises(Error, match="not finished"):
        shards.merge(folder, tmp_path / "merged")
    shards.run(folder, 0)
    removed = {path.name for path in shards.clean(folder)}
    assert removed == {f"{number:05}{suffix}" for number in range(1, n) for suffix in (".conllu", ".done")}
    assert shards.status(folder).missing == list(range(1, n))
    shards.clean(folder, everything=True)
    assert list(folder.iterdir()) == []


def test_an_edited_plan_is_refused(tmp_path, model):
    _, folder = planned(tmp_path, model)
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"beam": null', '"beam": 1'))
    with pytest.raises(Error, match="edited"):
        shards.run(folder, 0)
    path.write_text("[]")
    with pytest.raises(Error, match="not a plan"):
        shards.status(folder)


def with_identity(manifest):
    """A manifest that says that it was not edited."""
    rest = {name: value for name, value in manifest.items() if name != "identity"}
    return {**rest, "identity": hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()}


def nested(depth):
    return '{"format": ' + "[" * depth + "]" * depth + "}"


@pytest.mark.parametrize(("place", "value"), [
    (("model",), 7), (("model", "path"), 7), (("inputs",), 7), (("inputs", 0, "path"), None),
    (("inputs", 0, "bytes"), -1), (("options",), []), (("options", "beam"), "x"), (("options", "source"), []),
    (("options", "retag"), 1), (("shards",), {"a": 1}),
    (("shards", 0, "input"), 1), (("shards", 0, "input"), -1), (("shards", 0, "begin"), "0"),
    (("shards", 0, "end"), 10**30),
    (("shards", 0, "sha256"), 0), (("shards", 0, "packed"), 2), (("shards", 0, "other"), 2),
    (("suffix",), "/../x"), (("shards", 0, "skip"), 1), (("shards", 0, "size"), -1),
])  # fmt: skip
def test_a_plan_that_nobody_has_made_is_refused(tmp_path, model, place, value):
    _, folder = planned(tmp_path, model)
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    part = manifest
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = value
    path.write_text(json.dumps(with_identity(manifest)))
    with pytest.raises(Error, match="not a plan"):
        shards.run(folder, 0)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_records_that_are_deep_or_pipes(tmp_path, model):
    """Such a plan is refused, such a mark says nothing, and such a claim is of nobody known."""
    _, folder = planned(tmp_path, model)
    shards.run(folder, 0)
    (folder / "00000.claim").write_text(json.dumps({**vars(Claim.own(None)), "machine": "", "pid": 1e999}))
    assert "?" in str(Claim.read(folder / "00000.claim"))
    mark = json.loads((folder / "00000.done").read_text())
    for text in (nested(100_000), json.dumps({**mark, "words": "7"}), json.dumps({**mark, "seconds": 1e999})):
        (folder / "00000.done").write_text(text)
        assert shards.status(folder).missing == [0]
    for name in ("00000.done", "00000.claim", "manifest.json"):
        (folder / name).unlink()
        os.mkfifo(folder / name)
        if name != "manifest.json":
            assert shards.status(folder).missing == [0]
    for text in (None, nested(100_000), nested(500)):
        if text is not None:
            (folder / "manifest.json").unlink()
            (folder / "manifest.json").write_text(text)
        with pytest.raises(Error, match="not a plan"):
            shards.status(folder)


def test_what_a_killed_runner_leaves_of_a_claim_is_swept(tmp_path, model, monkeypatch):
    _, folder = planned(tmp_path, model)

    def killed(*_):
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(os, "link", killed)
        patch.setattr(Path, "unlink", lambda *_: None)
        with pytest.raises(SystemExit):
            claimed(folder / "00000.claim")
    assert [path.match(temporary.PATTERN) for path in folder.glob(".*")] == [True]
    monkeypatch.setattr(temporary, "_swept", set())
    shards.run(folder, 0)
    assert not list(folder.glob(".*"))


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


# Claims


def held(folder, number, **changes):
    """A claim of another runner."""
    claim = {**vars(Claim.own(None)), "pid": os.getpid(), **changes}
    (folder / f"{number:05}.claim").write_text(json.dumps(claim))


def test_a_shard_in_hand_is_left_to_its_runner(tmp_path, model):
    _, folder = planned(tmp_path, model, shard_bytes=10_000)
    held(folder, 1, machine="elsewhere")
    with pytest.raises(Error, match=r"shard 1 is in hand: process .* on elsewhere.*shard retry"):
        shards.run(folder, 1)
    assert 1 not in [number for number, _ in shards.run_free(folder)]
    found = shards.status(folder)
    assert found.missing == [1]
    assert "shard 1 is in hand: process" in str(found)
    assert "minutes left" in str(found)
    assert shards.retry(folder) == []  # nobody knows whether it is dead
    assert shards.retry(folder, [1]) == [1]
    assert [number for number, _ in shards.run_free(folder)] == [1]
    assert not list(folder.glob("*.claim"))


def test_the_shard_of_a_dead_runner_is_taken_over(tmp_path, model):
    _, folder = planned(tmp_path, model, shard_bytes=10_000)
    dead = subprocess.Popen([sys.executable, "-c", "pass"])
    dead.wait()
    held(folder, 0, pid=dead.pid)
    held(folder, 1, started="another time")
    (folder / "00002.claim").write_text("no claim")
    assert "dead runner" in str(shards.status(folder))
    shards.run(folder, 0)
    assert shards.retry(folder) == [1]
    assert shards.retry(folder, everything=True) == [2]
    held(folder, 2, machine="elsewhere", job="a")
    with pytest.raises(Error, match="in hand"):
        shards.run(folder, 2, job="b")
    shards.run(folder, 2, job="a")
    assert {0, 2}.isdisjoint(shards.status(folder).missing)


def test_a_claim_is_given_up_with_an_error(tmp_path, model):
    _, folder = planned(tmp_path, model, b"1\tGo\n\n", format="conllu")
    with pytest.raises(Error, match="column"):
        shards.run(folder, 0)
    assert not list(folder.glob("*.claim"))


def test_claims_are_exclusive(tmp_path):
    path = tmp_path / "00000.claim"
    assert claimed(path)
    assert not claimed(path)
    found = Claim.read(path)
    assert not found.dead
    assert not give_back(path, found.__class__("other", 1, "", 0.0))  # it is another one by now, and stays
    assert Claim.read(path) == found
    assert give_back(path, found)
    assert not give_back(path, found)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.slow
def test_runners_share_the_work_and_survive_kills(tmp_path, model):
    source, folder = planned(tmp_path, model, TOY.read_bytes() * 60, shard_bytes=30_000)
    n = shards.status(folder).shards
    seen: dict[int, int] = {}
    for _ in range(6):
        runners = [subprocess.Popen(command("run", folder)) for _ in range(3)]
        time.sleep(1.0)
        runners[0].kill()
        runners[0].wait()
        for runner in runners[1:]:
            runner.terminate()
        for runner in runners[1:]:
            runner.wait()
        for mark in folder.glob("*.done"):
            inode = mark.stat().st_ino
            assert seen.setdefault(int(mark.stem), inode) == inode, "a finished shard was parsed again"
    runners = [subprocess.Popen(command("run", folder)) for _ in range(2)]
    assert [runner.wait() for runner in runners] == [0, 0]
    assert shards.status(folder).missing == []
    assert len(list(folder.glob("*.done"))) == n
    shards.merge(folder, tmp_path / "merged")
    fastparse.load(model).parse_file(source, tmp_path / "whole")
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "whole").read_bytes()
