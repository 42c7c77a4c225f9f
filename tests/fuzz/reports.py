"""What a sanitizer says of a process, for those who look for leaks and races."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable

__all__ = ["OURS", "options_of", "told"]

OURS = "/fastparse/"  # in the path of each module of our own


def options_of(about: str | None, rounds: int) -> argparse.Namespace:
    """Those of such a module, from the command line.

    Args:
        about: the text of the module.
        rounds: how many by default.
    """
    parser = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worker", action="store_true", help="do it in this process, and tell nothing")
    return parser.parse_args()


def told(module: str, args: Iterable[object], variable: str, options: str, heading: str) -> tuple[int, list[str]]:
    """Run a module of this folder with `--worker`; its exit status, and the reports that begin with a heading.

    Args:
        variable: of the environment, with the options of the sanitizer.
        options: those that are added.
    """
    environment = {**os.environ, variable: ":".join(filter(None, (os.environ.get(variable), options)))}
    command = [sys.executable, "-m", module, "--worker", *map(str, args)]
    with tempfile.TemporaryFile("w+", errors="replace") as said:  # a pipe may be held open by what names addresses
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=said, text=True, check=False)
        said.seek(0)
        pieces = re.split(rf"^(?=.*(?:{heading}))", said.read(), flags=re.MULTILINE)
    sys.stdout.write(done.stdout)
    if done.returncode:
        sys.stderr.write(pieces[0][-3000:])
    return done.returncode, pieces[1:]
