"""How often a shard is tried on a cluster: the client's part, with a cluster that is made up."""

from types import SimpleNamespace

import pytest

import fastparse
from fastparse.bulk import dask, shards
from tests.toy import TOY, toy_parser


class Cluster:
    """As much of a client as is called: every shard fails, or succeeds after so many failures."""

    def __init__(self, error, failures):
        self.error, self.failures, self.runs, self.cancelled = error, failures, 0, False

    def map(self, work, numbers, key, pure):
        self.runs += 1
        return [SimpleNamespace(key=one, status="error", exception=lambda: self.error) for one in key]

    def retry(self, futures):
        self.runs += 1
        if self.runs > self.failures:
            futures[0].status = "finished"
        assert self.runs < 100

    def cancel(self, futures):
        self.cancelled = True


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """One shard; futures are completed as soon as they are asked for."""

    class Going(list):
        add = list.append

    known = SimpleNamespace(as_completed=Going, KilledWorker=MemoryError)
    monkeypatch.setattr(dask, "needed", lambda name, extra: known)
    toy_parser().save(tmp_path / "toy.fp")
    shards.plan([TOY], tmp_path / "shards", tmp_path / "toy.fp")
    return tmp_path / "shards"


@pytest.mark.parametrize(
    ("error", "runs", "message"),
    [
        (OSError("away"), 5, r"shard 0 failed 5 times: OSError\('away'\)"),
        (MemoryError("killed"), 5, "failed 5 times"),  # the worker died
        (ValueError("wrong"), 1, r"shard 0 failed: ValueError\('wrong'\)"),
        (fastparse.Error("line 3: no tree"), 1, "^line 3: no tree$"),
    ],
)
def test_what_is_nobodys_fault_is_tried_five_times(folder, error, runs, message):
    client = Cluster(error, failures=100)
    with pytest.raises(fastparse.Error, match=message):
        dask.parse_files(client, folder)
    assert client.runs == runs
    assert client.cancelled


def test_what_succeeds_at_last_is_no_error(folder):
    client, seen = Cluster(OSError("away"), failures=4), []
    dask.parse_files(client, folder, progress=seen.append)
    assert (client.runs, len(seen)) == (5, 1)
