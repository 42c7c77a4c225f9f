"""The subcommands: their names and what each does, known without importing any of them.

A subcommand is a module `fastparse.cli.<name>` with EXAMPLES, add_arguments(parser) and
run(args) -> int | None.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from fastparse.cli.usage import Command

__all__ = ["COMMANDS", "command_module", "command_parser"]

COMMANDS = {
    "parse": "Parse treebanks or running text, from file to file.",
    "tag": "Give treebanks or running text tags and lemmas, without trees.",
    "tokenize": "Split running text into sentences, tokens and words.",
    "serve": "Serve models over HTTP: UDPipe's REST protocol, streams, and a page to look at trees.",
    "shard": "Parse a large corpus in parts, on many processes or machines.",
    "convert": "Convert CoNLL-U to Parquet and back, losing nothing.",
    "train": "Learn a model from a treebank.",
    "evaluate": "Score a parsed treebank against the right trees.",
    "info": "Say what a model is: language, what it needs, training, scores, licence.",
    "models": "List the models that have a name.",
    "package": "Make a package of a model, which pip installs.",
    "bench": "Measure how fast models parse on this machine.",
    "draw": "Draw the trees of a treebank.",
    "derive": "Show how a transition system builds trees, move by move.",
    "classes": "Show which classes the trees of treebanks belong to.",
    "study": "Measure treebanks and transition systems the way the papers do.",
    "systems": "List the transition systems, what they build, their moves and options.",
    "doctor": "Say what is installed, what is missing, and which models and vector instructions there are.",
    "completion": "Print what lets a shell complete commands and options.",
    "manual": "Print the manual page.",
}


def command_module(name: str) -> ModuleType:
    """The module of one subcommand; imports that one alone."""
    return import_module(f"fastparse.cli.{name}")


def command_parser(name: str) -> Command:
    """What reads the arguments of one subcommand."""
    module = command_module(name)
    examples = "\n".join(f"  {line}\n      {what}" for line, what in module.EXAMPLES).replace("%", "%%")
    command = Command(prog=f"fastparse {name}", description=COMMANDS[name], epilog=f"examples:\n{examples}")
    module.add_arguments(command)
    command.set_defaults(run=module.run)
    return command
