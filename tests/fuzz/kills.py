"""Processes killed at random times: nothing is lost, nothing stays behind, and what is resumed is the same.

    python -m tests.fuzz.kills --kills 500 --signals 200 --seed 1

A campaign per command: `parse` over an old output, `train` with a checkpoint over an old model, `shard run` of one
shard, `shard merge` over an old output and `package` over an old wheel. Each round starts the command, sends SIGKILL,
or one of SIGTERM, SIGINT and SIGHUP, after a random time that is at most what the command takes, and looks at the
folder:

    the output is the old one or the new one, whole
    after SIGTERM, SIGINT and SIGHUP there is no temporary file; after SIGKILL there is none when the next run has ended
    the command, run again to its end, gives the bytes it gives when nobody disturbs it

Anything else stops the run with exit status 1. Counts are printed at the end. Python itself prints a traceback when
SIGINT comes while it starts; those are counted.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from fastparse.bulk import shards
from fastparse.corpus.files.temporary import PATTERN
from tests.toy import TOY, toy_parser

OLD = b"# what stood there before\n\n"
INTERRUPTING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def command(*args: object) -> list[str]:
    return [sys.executable, "-m", "fastparse", *map(str, args)]


def heed_signals() -> None:
    """What runs in the background of a shell ignores SIGINT, and so would its children."""
    for number in INTERRUPTING:
        signal.signal(number, signal.SIG_DFL)


class Campaign:
    """One command, with the folder it works in and the output it has to give."""

    def __init__(
        self, name: str, folder: Path, args: list[object], output: str, prepare: Callable[[Path], None]
    ) -> None:
        self.name, self.folder, self.args, self.output, self.prepare = name, folder, args, output, prepare
        self.counts: Counter[str] = Counter()
        self.begin()
        begun = time.monotonic()
        self.run()
        self.seconds = time.monotonic() - begun
        self.expected = self.target.read_bytes()

    @property
    def target(self) -> Path:
        return self.folder / self.output

    def begin(self) -> None:
        """The folder as it is before the command is started for the first time."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.prepare(self.folder)

    def run(self) -> None:
        subprocess.run(command(*self.args), cwd=self.folder, check=True, capture_output=True)

    def kill(self, number: signal.Signals, after: float) -> None:
        """Start, kill, look, and now and then go on to the end."""
        process = subprocess.Popen(
            command(*self.args),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=heed_signals,
        )
        time.sleep(after)
        process.send_signal(number)
        _, errors = process.communicate(timeout=300)
        found = self.target.read_bytes() if self.target.exists() else OLD
        # Those of earlier rounds are swept by the next run that comes to its output.
        left = [path.name for path in self.folder.rglob(PATTERN) if f"-{process.pid}-" in path.name]
        self.counts[number.name] += 1
        self.counts["left by SIGKILL"] += len(left) if number == signal.SIGKILL else 0
        self.counts["tracebacks while Python starts"] += b"Traceback" in errors
        if self.name == "train" and number == signal.SIGINT and process.returncode in (0, 130):
            found = self.expected if found != OLD else OLD  # the best so far, saved whole
        if found not in (OLD, self.expected):
            raise RuntimeError(f"{self.name}, {number.name} after {after:.3f} s: the output is neither old nor new")
        if left and number != signal.SIGKILL:
            raise RuntimeError(f"{self.name}, {number.name} after {after:.3f} s: {left} are left behind")

    def finish(self) -> None:
        """Go on to the end: the same bytes, and no temporary file of those before."""
        self.run()
        self.counts["resumed"] += 1
        if self.target.read_bytes() != self.expected:
            raise RuntimeError(f"{self.name}: resumed, it gives other bytes")
        if left := [path.name for path in self.folder.rglob(PATTERN)]:
            raise RuntimeError(f"{self.name}: {left} are still there after the next run")
        self.begin()


def campaigns(folder: Path) -> list[Campaign]:
    model, data = folder / "toy.fp", folder / "in.conllu"
    toy_parser().save(model)
    data.write_bytes(TOY.read_bytes() * 60)

    def old(name: str) -> Callable[[Path], object]:
        return lambda place: (place / name).write_bytes(OLD)

    def planned(place: Path) -> None:
        shards.plan([data], place, model, shard_bytes=data.stat().st_size // 3 + 1)

    def parsed(place: Path) -> None:
        planned(place)
        for number in range(3):
            shards.run(place, number)
        (place / "all.conllu").write_bytes(OLD)

    training = ["train", TOY, "-o", "out.fp", "--iterations", 4, "--checkpoint", "state", "--system", "arc-standard",
                "--components", "parser"]  # fmt: skip
    packing = ["package", model, "-o", ".", "--name", "toy", "--licence", "CC0"]
    wheel = "fastparse_model_toy-1.0-py3-none-any.whl"
    return [
        Campaign(
            "parse", folder / "parse", ["parse", data, "-m", model, "-o", "out.conllu"], "out.conllu", old("out.conllu")
        ),
        Campaign("train", folder / "train", training, "out.fp", old("out.fp")),
        Campaign("shard run", folder / "run", ["shard", "run", ".", "-i", 1], "00001.conllu", planned),
        Campaign("shard merge", folder / "merge", ["shard", "merge", ".", "-o", "all.conllu"], "all.conllu", parsed),
        Campaign("package", folder / "package", packing, wheel, old(wheel)),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=500, help="SIGKILLs in all")
    parser.add_argument("--signals", type=int, default=200, help="each of SIGTERM, SIGINT and SIGHUP, in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", type=int, default=5, help="signals between two runs to the end")
    options = parser.parse_args()
    random = Random(options.seed)
    numbers = [signal.SIGKILL] * options.kills + [n for n in INTERRUPTING for _ in range(options.signals)]
    random.shuffle(numbers)
    with tempfile.TemporaryDirectory() as name:
        found = campaigns(Path(name))
        try:
            for at, number in enumerate(numbers):
                campaign = found[at % len(found)]
                # Most of the time of a short command is that of starting Python.
                campaign.kill(number, random.uniform(0, 1.1 * campaign.seconds))
                if at // len(found) % options.resume == options.resume - 1:
                    campaign.finish()
                if at % 50 == 49:
                    print(f"{at + 1} of {len(numbers)}", flush=True)
        except RuntimeError as error:
            print(error, file=sys.stderr)
            return 1
        for campaign in found:
            campaign.finish()
            print(f"{campaign.name}: {dict(campaign.counts)}")
    print(f"seed {options.seed}: nothing lost, nothing left behind")
    return 0


if __name__ == "__main__":
    if os.name != "posix":
        sys.exit("signals are needed")
    sys.exit(main())
