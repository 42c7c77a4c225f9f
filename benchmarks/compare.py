"""What a change costs: the same work by two versions of fastparse, in runs that alternate.

    git worktree add ../before REVISION
    (cd ../before && python setup.py -q build_ext --inplace)
    python benchmarks/compare.py ../before [--repeats 15] [--clock cpu] [--only NAME ...]

Each version runs in a process of its own, from the folder it was built in. One does a piece of work, then the other,
then both the next one, `--repeats` times over; the figure is the ratio of the best times, after to before: below 1 is
faster. Parsing is done by the bundled models of either version. Whether both say the same is shown beside it, by a hash
of what was made.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SYSTEMS = ("arc-eager", "arc-standard", "planar", "2-planar", "swap", "covington", "two-registers")


def works(treebanks: Path) -> dict[str, Callable[[], bytes]]:
    """What there is to do, by name; each gives the bytes that show what was done."""
    import fastparse

    train, dev = (str(treebanks / "English-EWT" / f"{part}.conllu") for part in ("train", "dev"))
    sentences, trees = fastparse.read_conllu(dev), fastparse.read_conllu(train)
    output = Path(tempfile.mkdtemp()) / "parsed.conllu"

    def through_files(parser: Any) -> bytes:
        parser.parse_file(dev, str(output))
        return output.read_bytes()

    parsers = {"greedy": fastparse.load("en-fast"), "beam 32": fastparse.load("en")}
    found: dict[str, Callable[[], bytes]] = {}
    for name, parser in parsers.items():
        found[f"{name}, file to file"] = lambda parser=parser: through_files(parser)
        found[f"{name}, search"] = lambda parser=parser: parser.parse(sentences).heads.tobytes()
    found["read"] = lambda: fastparse.read_conllu(train).heads.tobytes()
    found["read and write"] = lambda: fastparse.read_conllu(train).to_bytes()
    for name in SYSTEMS:
        found[f"count {name}"] = lambda name=name: fastparse.count_transitions(trees, name).tobytes()
    return found


def serve(treebanks: Path, clock: Callable[[], float]) -> None:
    """In a process of its own: names come in, line by line, and times go out."""
    todo = works(treebanks)
    print(json.dumps(list(todo)), flush=True)
    for line in sys.stdin:
        begun = clock()
        made = todo[line.strip()]()
        seconds = clock() - begun
        print(json.dumps([seconds, hashlib.sha256(made).hexdigest()]), flush=True)


class Version:
    """A folder with a version, at work."""

    def __init__(self, folder: Path, arguments: list[str]) -> None:
        environment = {**os.environ, "PYTHONPATH": str(folder.resolve())}
        command = [sys.executable, __file__, str(folder), "--serve", *arguments]
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.names: list[str] = self._answer()

    def do(self, name: str) -> tuple[float, str]:
        """Seconds and a hash."""
        assert self._process.stdin is not None
        print(name, file=self._process.stdin, flush=True)
        seconds, made = self._answer()
        return seconds, made

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("a version ended: what it said stands above")
        return json.loads(line)


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the speed of two versions.")
    parser.add_argument("before", type=Path, metavar="BEFORE", help="the folder of the other version, built in place")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="cpu: processor time")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="work whose name begins so")
    parser.add_argument("--treebanks", default=os.environ.get("FASTPARSE_TREEBANKS"), metavar="FOLDER")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.treebanks:
        parser.error("where are the treebanks? Set FASTPARSE_TREEBANKS")
    if options.serve:
        serve(Path(options.treebanks), time.process_time if options.clock == "cpu" else time.perf_counter)
        return
    arguments = ["--clock", options.clock, "--treebanks", options.treebanks]
    before, after = Version(options.before, arguments), Version(ROOT, arguments)
    wanted = tuple(options.only) or ("",)
    names = [name for name in after.names if name in before.names and name.startswith(wanted)]
    times: dict[tuple[str, Version], list[float]] = {(name, v): [] for name in names for v in (before, after)}
    made: dict[tuple[str, Version], str] = {}
    for turn in range(options.repeats + 1):
        for name in names:
            for version in (before, after) if turn % 2 else (after, before):
                seconds, made[name, version] = version.do(name)
                if turn:  # the first one warms up
                    times[name, version].append(seconds)
    for name in names:
        first, second = (min(times[name, version]) for version in (before, after))
        same = "same" if made[name, before] == made[name, after] else "OTHER"
        print(f"{name:<24} {1000 * first:9.2f} ms {1000 * second:9.2f} ms   {second / first:5.2f}   {same} result")


if __name__ == "__main__":
    main()
