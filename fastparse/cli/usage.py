"""What reads arguments: as argparse does, but wrong ones get a line that names what was probably meant."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any, NoReturn

from fastparse.errors import did_you_mean

__all__ = ["DONE", "FAILED", "INTERRUPTED", "SOME_LOST", "WRONG_USAGE", "Command"]

# Exit statuses: of a user's error FAILED; of an output without some of the sentences SOME_LOST; 128 + SIGINT.
DONE, FAILED, WRONG_USAGE, SOME_LOST, INTERRUPTED = 0, 1, 2, 3, 130


class Command(argparse.ArgumentParser):
    """The parser of a command or of a step of one."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**options)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        known, unknown = self.parse_known_args(args, namespace)
        if unknown:
            word = next((word for word in unknown if word.startswith("-")), unknown[0])
            if word.startswith("-"):
                self.error(f"there is no option {word.partition('=')[0]}{did_you_mean(word, self.spellings())}")
            self.error(f"{word!r} is one argument too many")
        return known

    def steps(self) -> dict[str, Command]:
        """The steps of the command, such as `plan` of `shard`, by their names."""
        found = (action for action in self._actions if isinstance(action, argparse._SubParsersAction))
        return {name: step for action in found for name, step in action.choices.items()}

    def options(self) -> Iterator[argparse.Action]:
        """The options, those of all its steps among them."""
        yield from (action for action in self._actions if action.option_strings)
        for step in self.steps().values():
            yield from step.options()

    def arguments(self) -> list[argparse.Action]:
        """What is given without an option, but for steps."""
        return [a for a in self._actions if not a.option_strings and not isinstance(a, argparse._SubParsersAction)]

    def spellings(self) -> list[str]:
        """All options as they are written."""
        return [text for action in self.options() for text in action.option_strings]

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_USAGE, f"{self.prog}: {message}\nusage: {self.prog} ... (`{self.prog} --help` says more)\n")
