"""The command: what it says, and how it ends."""

import re
import signal
import socket
import subprocess
import sys

import pytest

from fastparse.cli.main import run
from fastparse.extras import how_to_install
from tests.server.libraries import need_libraries

httpx = need_libraries()


@pytest.mark.parametrize("stop", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_it_serves_until_it_is_stopped(stop):
    command = [sys.executable, "-m", "fastparse", "serve", "-m", "en-fast", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        try:
            said = running.stderr.readline()
            address = re.search(r"serving en-fast at (http://127\.0\.0\.1:\d+) ", said)[1]
            assert httpx.get(f"{address}/process?data=Go!&tokenizer").json()["result"].count("\n") == 6
            running.send_signal(stop)
            assert running.wait(30) == 0
            assert running.stderr.read() == ""
        finally:
            running.kill()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-m", "nothing"], "there is no model 'nothing'"),
        (["-m", "=en"], "found no name"),
        (["-m", "a=en", "-m", "a=en-fast"], "two models are called 'a'"),
        (["-m", "en-fast", "--host", "no.such.address.invalid"], "there is no such address"),
    ],
)
def test_what_cannot_be_served(arguments, said, capsys):
    assert run(["serve", "--port", "0", *arguments]) == 1
    assert said in capsys.readouterr().err


def test_a_port_in_use(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert run(["serve", "-m", "en-fast", "--port", str(taken.getsockname()[1])]) == 1
    assert "cannot listen" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["-1", "65536", "x"])
def test_no_port(port, capsys):
    with pytest.raises(SystemExit):
        run(["serve", "--port", port])
    assert "no number from 0 to 65535" in capsys.readouterr().err


def test_without_the_extra_there_is_help_and_its_name():
    code = """
import sys
sys.modules |= dict.fromkeys(("anyio", "starlette", "uvicorn"))
from fastparse.cli.main import run
try:
    run(["serve", "--help"])
except SystemExit as done:
    assert not done.code
sys.exit(run(["serve"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "--max-per-client" in done.stdout
    assert how_to_install("server") in done.stderr
