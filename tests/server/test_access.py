"""The log of requests, and addresses behind proxies."""

import contextlib
import json
import os

import pytest

from fastparse.cli.main import run
from tests.server.libraries import need_libraries

need_libraries()

from fastparse.server import Limits  # noqa: E402, they need the libraries
from fastparse.server.guard import AccessLog  # noqa: E402
from tests.server.serving import served  # noqa: E402


def test_every_request_has_a_line(tmp_path):
    path = tmp_path / "access.jsonl"
    path.write_text("before\n")
    log = AccessLog(str(path))
    with served(access=log) as client:
        client.post("/process", data={"data": "She reads.", "tokenizer": "", "parser": ""})
        client.get("/health")
        client.get("/no%22thing%0A")
    log.close()
    before, *lines = path.read_text().splitlines()
    assert before == "before"
    found = [json.loads(line) for line in lines]
    assert [(one["method"], one["path"], one["status"]) for one in found] == [
        ("POST", "/process", 200), ("GET", "/health", 200), ("GET", '/no"thing\n', 404),
    ]  # fmt: skip
    assert {one["client"] for one in found} == {"127.0.0.1"}
    assert [one["bytes"] for one in found] == [len("data=She+reads.&tokenizer=&parser="), 0, 0]
    assert all(0 < one["seconds"] < 60 and one["time"].endswith("+00:00") for one in found)


def test_a_log_that_nobody_reads_delays_nobody(tmp_path):
    reading, writing = os.pipe()
    log = AccessLog(str(tmp_path / "unused"))
    os.dup2(writing, log._place)
    os.set_blocking(writing, False)
    with contextlib.suppress(BlockingIOError):
        while os.write(writing, bytes(4096)):
            pass
    with served(access=log) as client:
        assert client.get("/models").status_code == 200
    for end in (reading, writing):
        os.close(end)
    log.close()


@pytest.mark.parametrize(
    ("proxies", "said", "counted"),
    [
        ((), "1.2.3.4", "127.0.0.1"),
        (("10.0.0.1",), "1.2.3.4", "127.0.0.1"),
        (("127.0.0.1",), "1.2.3.4", "1.2.3.4"),
        (("127.0.0.1",), "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (("127.0.0.1", "10.0.0.1"), "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (("127.0.0.1",), "2001:0DB8::1", "2001:db8::1"),
        (("127.0.0.1",), "unknown", "127.0.0.1"),
        (("127.0.0.1",), "", "127.0.0.1"),
    ],
)
def test_the_address_behind_proxies(proxies, said, counted, tmp_path):
    path = tmp_path / "access.jsonl"
    log = AccessLog(str(path))
    with served(access=log, proxies=frozenset(proxies), limits=Limits(per_client=1)) as client:
        client.get("/models", headers={"X-Forwarded-For": said})
    log.close()
    assert json.loads(path.read_text())["client"] == counted


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--behind", "proxy"], "--behind proxy"), (["--access-log", "nowhere/x.jsonl"], "nowhere/x.jsonl")],
)
def test_wrong_uses(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["serve", "--port", "0", *arguments]) == 1
    assert message in capsys.readouterr().err
