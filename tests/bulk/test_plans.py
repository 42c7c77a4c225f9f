"""Plans and their records: changes, results of others and what nobody has written are noticed."""

import hashlib
import json
import os
import re

import pytest

from fastparse import Error
from fastparse.bulk import shards
from fastparse.bulk.claims import Claim
from fastparse.bulk.plans import Folder
from fastparse.cli.main import run
from tests.bulk.planned import planned
from tests.toy import TOY


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


@pytest.mark.parametrize("n", [10, 11])
def test_up_to_ten_missing_shards_are_named(tmp_path, model, n):
    shards.plan([TOY] * n, tmp_path / "shards", model)
    named = ", ".join(map(str, range(10))) + (", ..." if n > 10 else "")
    with pytest.raises(Error, match=rf"{n} shards are not finished: {re.escape(named)}\. Run"):
        shards.merge(tmp_path / "shards", tmp_path / "merged")


@pytest.mark.parametrize("kind", ["conllu", "conllu/10"])
def test_the_columns_of_treebanks_are_known_from_their_plan(tmp_path, model, kind):
    _, folder = planned(tmp_path, model, name="in.txt", source=kind)
    assert shards.Folder(folder).plan().request.source == "conllu/10"


def test_a_file_without_words_tells_no_columns(tmp_path, model):
    none, eight = tmp_path / "none.conllu", tmp_path / "eight.conllu"
    none.write_bytes(b"# nothing\n\n")
    eight.write_bytes(b"1\tGo\tgo\tVERB\tVB\t_\t0\troot\n\n")
    for files, kind in (([none], "conllu/10"), ([none, eight], "conllx/8")):
        folder = tmp_path / str(len(files))
        shards.plan(files, folder, model)
        assert shards.Folder(folder).plan().request.source == kind


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


def test_an_input_that_no_file_can_be_called_or_that_is_a_pipe_is_refused(tmp_path, model):
    source, folder = planned(tmp_path, model)
    path, pipe = folder / "manifest.json", tmp_path / "pipe"
    manifest = json.loads(path.read_text())
    for name, said in ((f"{source}\0", "no file can be called so"), (str(pipe), "a device or a pipe")):
        if name == str(pipe):
            if not hasattr(os, "mkfifo"):
                continue
            os.mkfifo(pipe)
        manifest["inputs"][0]["path"] = name
        path.write_text(json.dumps(with_identity(manifest)))
        with pytest.raises(Error, match=said):
            shards.run(folder, 0)
        with pytest.raises(Error, match=said):
            shards.plan([name], tmp_path / "other", model)


def test_errors_in_a_shard_name_its_input(tmp_path, model):
    source, _ = planned(tmp_path, model)
    source.write_bytes(source.read_bytes() + b"1\tcut\n\n")
    shards.plan([source], tmp_path / "other", model)
    with pytest.raises(Error, match="columns") as error:
        shards.run(tmp_path / "other", 0)
    assert str(error.value).startswith(f"{source}:")


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


def test_the_command_asks_for_all_that_a_plan_can_have(tmp_path):
    source, folder = tmp_path / "in.conllu", tmp_path / "shards"
    source.write_bytes(TOY.read_bytes())
    asked = [
        "--beam",
        "2",
        "--threshold",
        "7",
        "--retag",
        "--strict",
        "--scores",
        "--deps",
        "copy",
        "--on-error",
        "skip",
    ]
    assert run(["shard", "plan", str(source), "-o", str(folder), "-m", "en", *asked]) == 0
    assert Folder(folder).plan().request.changed() == {
        "source": "conllu/10", "beam": 2, "threshold": 7, "retag": True, "strict": True, "scores": True, "deps": "copy",
        "on_error": "skip",
    }  # fmt: skip


def test_places_of_tokens_are_refused_as_no_shard_knows_what_comes_before_it(tmp_path):
    (tmp_path / "in.txt").write_text("She reads.\n")
    with pytest.raises(Error, match=r"shards.plan does not take offsets=True: .*parse_file"):
        shards.plan([tmp_path / "in.txt"], tmp_path / "shards", "en", offsets=True)
