"""Claims: one runner at a time works on a shard, and what a dead one held is given back."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fastparse
from fastparse import Error
from fastparse.bulk import shards
from fastparse.bulk.claims import Claim, claimed, give_back
from fastparse.corpus.files import temporary
from tests.bulk.planned import planned
from tests.commands import start
from tests.toy import TOY


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
        runners = [start("shard", "run", folder) for _ in range(3)]
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
    runners = [start("shard", "run", folder) for _ in range(2)]
    assert [runner.wait() for runner in runners] == [0, 0]
    assert shards.status(folder).missing == []
    assert len(list(folder.glob("*.done"))) == n
    shards.merge(folder, tmp_path / "merged")
    fastparse.load(model).parse_file(source, tmp_path / "whole")
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "whole").read_bytes()


def test_an_interrupted_runner_leaves_nothing_of_a_dead_ones_claim(tmp_path, model, monkeypatch):
    _, folder = planned(tmp_path, model)
    held(folder, 0, started="another time")
    read = Claim.read

    def interrupted(path):
        if path.name.startswith("."):
            raise KeyboardInterrupt
        return read(path)

    monkeypatch.setattr(Claim, "read", interrupted)
    with pytest.raises(KeyboardInterrupt):
        shards.run(folder, 0)
    assert not list(folder.glob(".*"))


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
