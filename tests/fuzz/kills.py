"""Processes killed at random times: nothing is lost, nothing stays behind, and what is resumed is the same.

    python -m tests.fuzz.kills --kills 500 --signals 200 --seed 1

A campaign per command: `parse` over an old output, `train` with a checkpoint over an old model, `shard run` of one
shard, `shard merge` over an old output and `package` over an old wheel. Each round starts the command, sends SIGKILL,
or one of SIGTERM, SIGINT and SIGHUP, when it has used a random part of the processor time it takes, and looks at the
folder:

    the output is the old one or the new one, whole
    after SIGTERM, SIGINT and SIGHUP there is no temporary file; after SIGKILL there is none when the next run has ended
    the command, run again to its end, gives the bytes it gives when nobody disturbs it

Anything else stops the run with exit status 1. Counts are printed at the end. One command in ten is a process from the
start, most of whose time is that of starting Python, which prints a traceback when SIGINT comes meanwhile: those are
counted. The others are children of a process that has started; they may print none. Linux.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NoReturn

import fastparse
from fastparse.bulk import shards
from fastparse.cli.commands import command_parser
from fastparse.cli.main import main as main_of_fastparse
from fastparse.corpus.files import temporary
from fastparse.corpus.files.temporary import PATTERN
from tests.toy import TOY, toy_parser

OLD = b"# what stood there before\n\n"
INTERRUPTING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
LIMIT = 300  # seconds


def heed_signals() -> None:
    """What runs in the background of a shell ignores SIGINT, and so would its children."""
    for number in INTERRUPTING:
        signal.signal(number, signal.SIG_DFL)


class Process:
    """A command at work in a folder."""

    def __init__(self, folder: Path, args: list[str], from_the_start: bool) -> None:
        self.folder, self.from_the_start = folder, from_the_start
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - `end` closes it
        if from_the_start:
            command = [sys.executable, "-m", "fastparse", *args]
            null = subprocess.DEVNULL
            started = subprocess.Popen(command, cwd=folder, stdout=null, stderr=self.errors, preexec_fn=heed_signals)
            self.pid = started.pid
            started.returncode = 0  # this class waits for it
        else:
            signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTING)  # until there is somebody to answer
            self.pid = os.fork() or self._work(args)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTING)
        # The clock of another process, as clock_getcpuclockid(3) has it.
        self._clock = ~self.pid << 3 | 2
        self._status: int | None = None
        self.seconds = 0.0

    def _work(self, args: list[str]) -> NoReturn:
        status: object = 70
        try:
            heed_signals()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(self.errors.fileno(), 2)
            os.chdir(self.folder)
            temporary._swept.clear()  # a process that starts has not looked at any folder
            signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTING)
            main_of_fastparse(args)
        except KeyboardInterrupt:
            status = 130
        except SystemExit as error:
            status = error.code
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status if isinstance(status, int) else 1)

    def ended(self) -> bool:
        """Whether it has ended; takes the time."""
        if self._status is None:
            with contextlib.suppress(OSError):
                self.seconds = max(self.seconds, time.clock_gettime(self._clock))
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._status = status if pid else None
        return self._status is not None

    def wait(self, seconds: float) -> None:
        """Until it has used so much processor time, or has ended."""
        while not self.ended() and self.seconds < seconds:
            time.sleep(0.0005)

    def end(self) -> tuple[int, bytes]:
        """Its exit status (minus a signal), and what it said on standard error."""
        begun = time.monotonic()
        while not self.ended():
            time.sleep(0.0005)
            if time.monotonic() - begun > LIMIT:
                raise RuntimeError(f"{self.folder}: it does not end")
        self.errors.seek(0)
        with self.errors:
            assert self._status is not None
            return os.waitstatus_to_exitcode(self._status), self.errors.read()


class Campaign:
    """One command, with the folder it works in and the output it has to give."""

    def __init__(
        self, name: str, folder: Path, args: list[object], output: str, prepare: Callable[[Path], None]
    ) -> None:
        self.name, self.folder, self.output, self.prepare = name, folder, output, prepare
        self.args = list(map(str, args))
        self.counts: Counter[str] = Counter()
        self.seconds: dict[bool, float] = {}
        for from_the_start in (True, False):
            self.begin()
            self.seconds[from_the_start] = self.run(from_the_start)
        self.expected = self.target.read_bytes()

    @property
    def target(self) -> Path:
        return self.folder / self.output

    def begin(self) -> None:
        """The folder as it is before the command is started for the first time."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.prepare(self.folder)
        self.old = self.target.read_bytes() if self.target.exists() else None

    def run(self, from_the_start: bool = False) -> float:
        """To its end; the processor time it takes."""
        process = Process(self.folder, self.args, from_the_start)
        status, errors = process.end()
        if status:
            raise RuntimeError(f"{self.name} fails undisturbed: {errors.decode()}")
        return process.seconds

    def kill(self, number: signal.Signals, share: float, from_the_start: bool) -> None:
        """Start, kill, look.

        Args:
            share: of the time that the command takes.
        """
        process = Process(self.folder, self.args, from_the_start)
        process.wait(share * self.seconds[from_the_start])
        at_work = not process.ended()
        if at_work:
            os.kill(process.pid, number)
            self.counts["while at work"] += 1
        status, errors = process.end()
        when = f"{self.name}, {number.name} at {share:.3f} of its time"
        found = self.target.read_bytes() if self.target.exists() else None
        # Those of earlier rounds are swept by the next run that comes to its output.
        left = [path.name for path in self.folder.rglob(PATTERN) if f"-{process.pid}-" in path.name]
        self.counts[number.name] += 1
        self.counts["left by SIGKILL"] += len(left) if number == signal.SIGKILL else 0
        if b"Traceback" in errors:
            if not from_the_start:
                raise RuntimeError(f"{when}: {errors.decode()}")
            self.counts["tracebacks while Python starts"] += 1
        if self.name == "train" and number == signal.SIGINT and status in (0, 130) and found != self.old:
            fastparse.load(self.target)  # the best so far, saved whole: what stood there for the next round
            self.old = found
        if found not in (self.old, self.expected):
            raise RuntimeError(f"{when}: the output is neither old nor new")
        if left and number != signal.SIGKILL:
            raise RuntimeError(f"{when}: {left} are left behind")
        if not at_work:
            if status or found != self.expected:
                raise RuntimeError(f"{when}, when it had ended: exit status {status}")
            self.begin()  # or there is nothing left to do for the next rounds

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
    for command in ("parse", "train", "shard", "package"):
        command_parser(command)  # imports what the command needs
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

    training = ["train", TOY, "-o", "out.fp", "--encoder", "none",
                "--iterations", 4, "--checkpoint", "state", "--system", "arc-standard",
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
                campaign.kill(number, random.uniform(0, 1.1), at // len(found) % 10 == 0)
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
