"""What went wrong, as users of the command line read it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable

from fastparse.corpus.problems import GO_ON, SAY_ENCODING
from fastparse.errors import Error

__all__ = ["in_shell"]

_KEYWORD = re.compile(r"\b([a-z]+(?:_[a-z]+)*)=(?:'([^']*)'|([\w.]+))?")


def in_shell(error: Error, options: Iterable[argparse.Action]) -> str:
    """A message of the library, which speaks Python, with its keywords as options of the command.

    Advice on keywords that the command has no option for is left out where it is an alternative.
    """
    spelt = {action.dest: action for action in options}

    def option(match: re.Match[str]) -> str:
        action = spelt.get(match[1])
        if action is None:
            return match[0]
        name = max(action.option_strings, key=len)
        value = match[2] if match[2] is not None else match[3]
        return name if action.nargs == 0 or not value else f"{name} {value}"

    text = str(error)
    for field, advice in (("on_error", GO_ON), ("encoding", SAY_ENCODING)):
        if field not in spelt:
            text = text.replace(f", {advice}", "")
    return _KEYWORD.sub(option, text)
