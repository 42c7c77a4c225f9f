"""The line that says how far a command is: on terminals, and gone at the end."""

import io
import sys

import pytest

from fastparse.cli.main import run
from tests.toy import TOY


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["classes", TOY], "toy, 1 of 1"),
        (["convert", TOY, "-o", "-"], f"{TOY}: 448 words, "),
        (["study", "classes", TOY, TOY], "toy, 1 of 2"),
        (["study", "planarity", TOY], "toy, 1 of 1"),
        (["study", "transitions", TOY], "toy, 1 of 1"),
        (["study", "time", TOY, "-m", "MODEL", "--repeats", "1"], "toy: toy, 1 of 1"),
        (["evaluate", TOY, TOY], f"reading {TOY}, 1 of 2"),
        (["bench", TOY, "-m", "MODEL", "--repeats", "1"], "round 0, 1 of 2"),
    ],
)
@pytest.mark.parametrize("terminal", [True, False])
def test_what_a_command_is_at(argv, said, terminal, model, monkeypatch, capsys):
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    assert run([model if word == "MODEL" else str(word) for word in argv]) == 0
    assert capsys.readouterr().out
    shown = stream.getvalue()
    if terminal:
        assert said in shown
        assert shown.endswith("\r\x1b[K")
    else:
        assert shown == ""
