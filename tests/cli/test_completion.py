"""Completion in the shells that are there, and the manual page."""

import os
import re
import shutil
import subprocess

import pytest

from fastparse.cli.commands import COMMANDS, command_parser
from fastparse.cli.main import run


@pytest.fixture
def script(capsys):
    def write(shell):
        assert run(["completion", shell]) == 0
        return capsys.readouterr().out

    return write


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("fastparse pa", {"parse", "package"}),
        ("fastparse parse --on", {"--on-error"}),
        ("fastparse parse --on-error ", {"stop", "skip", "keep"}),
        ("fastparse train x --system two", {"two-registers", "two-registers/printed"}),
        ("fastparse parse -m en-", {"en-fast"}),
        ("fastparse shard ", set(command_parser("shard").steps())),
        ("fastparse shard plan --meg", {"--megabytes"}),
        ("fastparse completion f", {"fish"}),
        ("fastparse parse fi", set()),
    ],
)
def test_bash_completes(script, line, expected):
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    test = f"{script('bash')}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}\n_fastparse\n"
    done = subprocess.run(
        ["bash", "-euc", test + 'printf "%s\\n" "${COMPREPLY[@]-}"'], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert set(done.stdout.split()) == expected


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_can_read_theirs(script, shell):
    text = script(shell)
    for name in COMMANDS:
        assert name in text
    assert text.count("'") % 2 == 0
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=text, text=True, check=True)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_option_is_there(script, shell):
    text = script(shell)
    for name in COMMANDS:
        for option in command_parser(name).spellings():
            wanted = option if shell != "fish" else option.lstrip("-")
            assert re.search(rf"(?<![\w-]){re.escape(wanted)}(?![\w-])", text), (name, option)


def test_the_manual_has_every_option(capsys):
    assert run(["manual"]) == 0
    page = capsys.readouterr().out
    assert page.startswith(".TH FASTPARSE 1")
    for name in COMMANDS:
        section = page.partition(f'.SH "FASTPARSE {name.upper()}"')[2].partition(".SH ")[0].replace("\\-", "-")
        for option in set(command_parser(name).spellings()) - {"-h", "--help"}:
            assert option in section, (name, option)


@pytest.mark.skipif(not shutil.which("groff"), reason="no groff")
def test_the_manual_is_read_without_a_warning(capsys):
    run(["manual"])
    page = capsys.readouterr().out
    other = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}  # sanitizers are for us alone
    groff = ["groff", "-man", "-Tutf8", "-ww"]
    done = subprocess.run(groff, input=page, capture_output=True, text=True, check=True, env=other)
    assert done.stderr == ""
