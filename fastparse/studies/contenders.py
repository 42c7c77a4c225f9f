"""What a study of accuracy compares: transition systems, with an oracle, or with pseudo-projective labels."""

import re
from typing import Any, NamedTuple

from fastparse.errors import Error
from fastparse.oracles.dynamic_oracle import has_dynamic_oracle
from fastparse.search.kinds import FIRST_STEPS, THREE_STEP
from fastparse.transition_systems.registry import resolve

_ENCODINGS = ("head", "path", "head+path")


class Contender(NamedTuple):
    """A way to train a parser.

    Attributes:
        system: the name of a transition system.
        oracle: the variant of its oracle; None is the system's first.
        encoding: of lifted arcs in labels; None lifts without a trace what the system cannot build.
    """

    system: str
    oracle: str | None = None
    encoding: str | None = None

    @property
    def name(self) -> str:
        """As it is given and printed: ``swap:eager``, ``arc-eager+head``."""
        oracle = f":{self.oracle}" if self.oracle else ""
        return f"{self.system}{oracle}{f'+{self.encoding}' if self.encoding else ''}"

    @property
    def stem(self) -> str:
        """The name in the names of files."""
        return re.sub(r"[/:]", "-", self.name)

    def oracle_kind(self, asked: str, beam: int) -> str:
        """ "static" or "dynamic": what its training learns from where `asked` is asked for."""
        if self.system == "easy-first":
            return "dynamic"
        first = FIRST_STEPS[0] if self.system == THREE_STEP else self.system
        return asked if beam == 1 and has_dynamic_oracle(first) else "static"

    @property
    def options(self) -> dict[str, Any]:
        """Of the system."""
        return {"oracle": self.oracle} if self.oracle else {}


def contender(text: str) -> Contender:
    """The contender of a name NAME[:ORACLE][+ENCODING].

    Raises:
        Error: if there is no such encoding.
        UnknownNameError: if there is no such system or oracle.
    """
    name, plus, encoding = text.partition("+")
    if plus and encoding not in _ENCODINGS:
        raise Error(f"{text!r}: after + comes an encoding of lifted arcs, one of {', '.join(_ENCODINGS)}")
    system, _, oracle = name.partition(":")
    found = Contender(system, oracle or None, encoding or None)
    if found.system != THREE_STEP:
        resolve(found.system, **found.options)
    elif oracle or encoding:
        raise Error(f"{text!r}: {THREE_STEP} takes neither an oracle nor an encoding")
    return found
