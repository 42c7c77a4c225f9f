"""What lets a shell complete commands, options and their values; paths are completed everywhere else."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

EXAMPLES = (
    ('eval "$(fastparse completion bash)"', "in ~/.bashrc; fastparse completion bash writes it"),
    ('eval "$(fastparse completion zsh)"', "in ~/.zshrc, after compinit"),
    ("fastparse completion fish > ~/.config/fish/completions/fastparse.fish", "once"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("shell", choices=tuple(_WRITERS), help="which shell")


def run(args: argparse.Namespace) -> None:
    print(_WRITERS[args.shell](list(_words())), end="")


@dataclass(frozen=True)
class _Option:
    """An option: its spellings, help, whether it takes a value, and the values there are if they can be listed."""

    texts: Sequence[str]
    help: str
    takes_value: bool
    values: Sequence[str]


@dataclass(frozen=True)
class _Words:
    """What may follow a command."""

    name: str
    help: str
    steps: Sequence[str]
    options: Sequence[_Option]
    values: Sequence[str]


def _words() -> Iterator[_Words]:
    from fastparse.cli.commands import COMMANDS, command_parser
    from fastparse.model.finding import installed
    from fastparse.transition_systems.registry import systems

    listed = {"system": systems(), "model": list(installed())}
    for name, what in COMMANDS.items():
        command = command_parser(name)
        found: dict[str, _Option] = {}
        for action in command.options():
            values = [str(choice) for choice in (action.choices or listed.get(action.dest) or ())]
            option = _Option(action.option_strings, _plain(action.help or ""), action.nargs != 0, values)
            found.setdefault(action.option_strings[-1], option)
        values = [str(choice) for argument in command.arguments() for choice in argument.choices or ()]
        if name == "systems":
            values = systems()
        yield _Words(name, what, list(command.steps()), list(found.values()), values)


def _plain(text: str) -> str:
    """Help without marks that shells read."""
    short = re.split(r"[:;(]|, ", text.replace("%%", " per cent").replace("%(default)s", ""))[0]
    return re.sub(r"[^\w .,/-]", "", short).strip()


def _bash(commands: list[_Words]) -> str:
    names = " ".join(command.name for command in commands)
    after = "".join(
        f"        {command.name}:{text}) values='{' '.join(option.values)}' known=1 ;;\n"
        for command in commands for option in command.options if option.takes_value for text in option.texts
    )  # fmt: skip
    options = "".join(
        f"        {command.name}) options='{' '.join(text for option in command.options for text in option.texts)}'"
        f" words='{' '.join([*command.steps, *command.values])}' ;;\n"
        for command in commands
    )
    return f"""\
_fastparse() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} values= options= words= known=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W '{names} --help --version' -- "$word"))
        return
    fi
    case ${{COMP_WORDS[1]}}:$before in
{after}    esac
    if [ -n "$known" ]; then
        [ -z "$values" ] || COMPREPLY=($(compgen -W "$values" -- "$word"))
        return
    fi
    case ${{COMP_WORDS[1]}} in
{options}    esac
    case $word in
        -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
        *) [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    esac
}}
complete -o default -F _fastparse fastparse
"""


def _zsh(commands: list[_Words]) -> str:
    def specification(option: _Option, text: str) -> str:
        value = (
            f":value:({' '.join(option.values)})" if option.values else ":value:_files" if option.takes_value else ""
        )
        return f"'*{text}[{option.help}]{value}'"

    cases = "".join(
        f"        {command.name}) _arguments "
        + " ".join(specification(option, text) for option in command.options for text in option.texts)
        + (f" '1:what:({' '.join([*command.steps, *command.values])})'" if command.steps or command.values else "")
        + " '*:file:_files' ;;\n"
        for command in commands
    )
    listed = " ".join(f"'{command.name}:{_plain(command.help)}'" for command in commands)
    return f"""\
#compdef fastparse
_fastparse() {{
    local -a commands
    commands=({listed})
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    shift words
    (( CURRENT-- ))
    case $words[1] in
{cases}    esac
}}
compdef _fastparse fastparse
"""


def _fish(commands: list[_Words]) -> str:
    lines = []
    for command in commands:
        lines.append(f"complete -c fastparse -n __fish_use_subcommand -xa {command.name} -d '{_plain(command.help)}'")
        here = f"complete -c fastparse -n '__fish_seen_subcommand_from {command.name}'"
        if command.steps or command.values:
            lines.append(f"{here} -a '{' '.join([*command.steps, *command.values])}'")
        for option in command.options:
            texts = " ".join(f"-l {t[2:]}" if t.startswith("--") else f"-s {t[1:]}" for t in option.texts)
            value = f" -xa '{' '.join(option.values)}'" if option.values else " -r" if option.takes_value else ""
            lines.append(f"{here} {texts}{value} -d '{option.help}'")
    return "\n".join(lines) + "\n"


_WRITERS: dict[str, Callable[[list[_Words]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
