"""Engines: the real ones, on this machine, give the trees of one run. Skipped where they are missing."""

import os
import signal
import subprocess
import sys
import time

import pytest

import fastparse
from fastparse.bulk import shards
from tests.toy import TOY, toy, toy_parser

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "toy.fp"
    toy_parser().save(path)
    return path


def expected(tmp_path, model):
    source = tmp_path / "in.conllu"
    source.write_bytes(TOY.read_bytes() * 40)
    fastparse.load(model).parse_file(source, tmp_path / "whole")
    return source, (tmp_path / "whole").read_bytes()


class TestDask:
    @pytest.fixture(autouse=True)
    def _need(self):
        pytest.importorskip("distributed", reason="needs the extra dask")

    def test_shards_on_a_cluster(self, tmp_path, model):
        from fastparse.bulk.dask import local_cluster, parse_files

        source, whole = expected(tmp_path, model)
        folder = tmp_path / "shards"
        shards.plan([source], folder, model, shard_bytes=100_000)
        seen = []
        with local_cluster(2) as client:
            pids = list(client.run(os.getpid))
            found = parse_files(client, folder, progress=seen.append)
            opened = client.run(lambda: len(sys.modules["fastparse.parser"]._OPEN))
            assert len(pids) == 2
            assert set(opened.values()) <= {1}  # one model per process, opened once
            # An error of a user's is raised at once.
            bad = tmp_path / "bad.conllu"
            bad.write_bytes(b"1\tGo\n\n")
            shards.plan([bad], tmp_path / "other", model)
            with pytest.raises(fastparse.Error, match="column"):
                parse_files(client, tmp_path / "other")
        assert found.missing == []
        assert len(seen) == found.shards
        shards.merge(folder, tmp_path / "merged")
        assert (tmp_path / "merged").read_bytes() == whole

    def test_dead_workers_and_clients(self, tmp_path, model):
        source, whole = expected(tmp_path, model)
        folder = tmp_path / "shards"
        shards.plan([source], folder, model, shard_bytes=30_000)
        command = [sys.executable, "-m", "fastparse", "shard", "run", str(folder), "--workers", "2"]
        for _ in range(2):
            client = subprocess.Popen(command)
            before = len(shards.status(folder).missing)
            while client.poll() is None and len(shards.status(folder).missing) > before - 3:
                time.sleep(0.02)
            holders = {claim.pid for claim in shards.status(folder).in_hand.values()}
            for pid in list(holders)[:1]:
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.5)
            client.kill()
            client.wait()
        subprocess.run(command, check=True)
        shards.merge(folder, tmp_path / "merged")
        assert (tmp_path / "merged").read_bytes() == whole


def rows():
    return [{"id": i, "form": s.forms, "upos": s.upos, "xpos": s.xpos, "feats": s.feats, "lemma": s.lemmas}
            for i, s in enumerate(toy())] * 4  # fmt: skip


def trees():
    parsed = toy_parser().parse(toy())
    return [(sentence.heads, sentence.deprels) for sentence in parsed]


def test_spark(model, monkeypatch):
    pyspark = pytest.importorskip("pyspark", reason="needs the extra spark")
    if subprocess.run(["which", "java"], capture_output=True).returncode:
        pytest.skip("Spark needs Java")
    from fastparse.bulk import spark

    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)  # else the first python3 there is
    session = pyspark.sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        found = spark.parse(session.createDataFrame(rows()), model).collect()
    finally:
        session.stop()
    want = trees()
    assert len(found) == 4 * len(want)
    assert all((row["head"], row["deprel"]) == want[row["id"]] for row in found)


def test_ray(model):
    ray = pytest.importorskip("ray", reason="needs the extra ray")
    from fastparse.bulk import ray as ours

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        found = ours.parse(ray.data.from_items(rows()), model, workers=2, batch_rows=50).take_all()
    finally:
        ray.shutdown()
    want = trees()
    assert len(found) == 4 * len(want)
    assert all((list(row["head"]), list(row["deprel"])) == want[row["id"]] for row in found)
