"""How the command line helps: what it says of itself, and what it answers to wrong arguments."""

import argparse
import re
import shlex
import subprocess
import sys

import pytest

from fastparse.cli.arguments import number_from
from fastparse.cli.commands import COMMANDS, command_parser
from fastparse.cli.main import run
from tests.toy import TOY, toy_parser


def test_numbers_are_taken_up_to_their_limits():
    assert [number_from(2, 4)(text) for text in ("2", "4")] == [2, 4]
    assert number_from(2)("5") == 5
    for text in ("1", "5", "two"):
        with pytest.raises(argparse.ArgumentTypeError, match=f"'{text}' is no number from 2 to 4"):
            number_from(2, 4)(text)


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_are_command_lines_that_can_be_read(name, capsys):
    command = command_parser(name)
    examples = re.findall(r"^  (?! )(.*fastparse .*)$", command.format_help().partition("examples:")[2], re.MULTILINE)
    assert len(examples) >= 2
    for line in examples:
        words = shlex.split(re.search(r"fastparse [^|>)]*", line)[0])
        assert words[:2] == ["fastparse", name]
        command.parse_args(words[2:])


def test_help_lists_the_commands(capsys):
    with pytest.raises(SystemExit) as left:
        run(["--help"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    for name, what in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(what)}$", said, re.MULTILINE)


@pytest.mark.parametrize("argv", [["--help"], ["info", "--help"]])
def test_help_imports_no_other_command(argv):
    code = (
        "import sys; from fastparse.cli.main import run\n"
        f"try: run({argv!r})\n"
        "except SystemExit: pass\n"
        "files = {name: module for name, module in sys.modules.items() if not hasattr(module, '__path__')}\n"
        "ours = sorted(name.rpartition('.')[2] for name in files if name.startswith('fastparse.cli.'))\n"
        "print(ours, file=sys.stderr)\n"
        "print('numpy' in sys.modules, file=sys.stderr)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr
    loaded, numpy = said.splitlines()
    assert [name for name in COMMANDS if f"'{name}'" in loaded] == [name for name in argv if name in COMMANDS]
    assert "'main'" in loaded
    assert numpy == "False"


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([], "expected a command: parse, tag,"),
        (["--quiet"], "found the option --quiet"),
        (["prase", "x"], "there is no command 'prase': did you mean parse?"),
        (["xyzzy"], "there is no command 'xyzzy'\n"),
        (["--beam", "3", "parse"], "the options of a command follow it: fastparse parse --beam 3 ..."),
        (["parse", "x", "--thraeds", "2"], "there is no option --thraeds: did you mean --threads?"),
        (["parse", "x", "--on-eror=skip"], "there is no option --on-eror: did you mean --on-error?"),
        (["shard", "plan", "x", "-o", "y", "--megabites", "2"], "did you mean --megabytes?"),
        (["info", "en", "en-fast"], "'en-fast' is one argument too many"),
        (["parse", "x", "--on-error", "skp"], "invalid choice: 'skp'"),
    ],
)
def test_wrong_usage_is_answered(argv, said, capsys):
    with pytest.raises(SystemExit) as left:
        run(argv)
    assert left.value.code == 2
    assert said in capsys.readouterr().err


def test_messages_speak_of_options_not_of_keywords(tmp_path, capsys):
    bad = tmp_path / "bad.conllu"
    bad.write_bytes(TOY.read_bytes() + b"1\tGo\n\n")
    model = tmp_path / "toy.fp"
    toy_parser().save(model)
    assert run(["parse", str(bad), "-m", str(model), "-o", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert "--on-error skip leaves them out, --on-error keep copies them unparsed" in said
    assert "on_error" not in said
    assert run(["train", str(bad), "-o", str(model)]) == 1
    said = capsys.readouterr().err
    assert "bad.conllu:" in said
    assert "on_error" not in said
    assert "--on-error" not in said, "train has no such option"
    odd = tmp_path / "odd"
    odd.write_text("Running\ttext.\n")
    assert run(["parse", str(odd), "-m", str(model), "-o", str(tmp_path / "out")]) == 1
    assert "say so: --from text" in capsys.readouterr().err


def test_errors_of_the_system_name_the_file(tmp_path, capsys):
    model = tmp_path / "toy.fp"
    toy_parser().save(model)
    assert run(["parse", str(TOY), "-m", str(model), "-o", str(tmp_path / "no" / "out.conllu")]) == 1
    said = capsys.readouterr().err
    assert f"{tmp_path / 'no' / 'out.conllu'}: there is no folder" in said
    assert ".tmp" not in said
