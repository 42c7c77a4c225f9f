"""Every allocation of our own and every call of the system that outputs need, made to fail once.

    python -m tests.fuzz.faults [--most 500]

For a small parse, training, shard run and package over old outputs: how many allocations and calls there are is
counted, then each fails in a process of its own. What is expected is an error in words, or the new output, whole; the
old output where it is an error; no temporary file, no crash, no traceback. Once more where the same command has run in
the process before, so that what is kept for later is there already: then nothing of our own may be left allocated.
Anything else is printed, and the exit status is 1. Linux with glibc and a compiler.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

from fastparse.bulk import shards
from fastparse.cli.commands import command_parser
from fastparse.cli.main import run
from tests.toy import TOY, toy_parser

OLD = b"# what stood there before\n\n"
KINDS = ("allocations", "calls")
LIMIT = 60  # seconds
DONE, ERROR = 0, 1


def preloaded(folder: Path) -> int:
    """This program once more, with the library that makes calls fail."""
    library = folder / "faults.so"
    source = Path(__file__).with_suffix(".c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", str(source), "-o", str(library), "-ldl"], check=True)
    environment = {**os.environ, "LD_PRELOAD": str(library), "FASTPARSE_FAULTS": str(library)}
    again = [sys.executable, "-m", "tests.fuzz.faults", *sys.argv[1:]]
    return subprocess.run(again, env=environment, check=False).returncode


class Command:
    """A command line in a folder, and the output it has to give."""

    def __init__(self, name: str, folder: Path, args: list[str], output: str, old: dict[str, bytes]) -> None:
        self.name, self.folder, self.args, self.output, self.old = name, folder, args, output, old
        self.library: Any = ctypes.CDLL(os.environ["FASTPARSE_FAULTS"])

    def begin(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        for name, content in self.old.items():
            (self.folder / name).write_bytes(content)

    def run(self, allocation: int = 0, call: int = 0) -> tuple[int, str, list[int]]:
        """The exit status (minus a signal), what it said, and how many allocations and calls there were.

        The last number is of allocations that were not freed.
        """
        self.begin()
        said = self.folder.parent / "said"
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            status = 70
            os.close(reading)
            errors = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(errors, 2)
            os.chdir(self.folder)
            signal.alarm(LIMIT)
            try:
                self.library.faults_arm(ctypes.c_long(allocation), ctypes.c_long(call))
                status = run(self.args)
            except SystemExit as error:
                status = int(error.code or 0)
            except BaseException:
                traceback.print_exc()
            finally:
                counts = [self.library.faults_counted(kind) for kind in range(2)]
                self.library.faults_arm(ctypes.c_long(0), ctypes.c_long(0))
                gc.collect()
                os.write(writing, f"{counts[0]} {counts[1]} {self.library.faults_living()}".encode())
                os._exit(status)
        os.close(writing)
        with os.fdopen(reading, "rb") as counted:
            counts = [int(text) for text in counted.read().split()]
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status), said.read_text(errors="replace"), counts

    def warm(self) -> None:
        """Run it in this process, so that what is kept for later is there."""
        self.begin()
        here = os.getcwd()
        os.chdir(self.folder)
        with contextlib.redirect_stdout(io.StringIO()):
            run(self.args)
        os.chdir(here)

    def fault(self, expected: bytes, kept: int, **at: int) -> str | None:
        """What is wrong after a fault, or None.

        Args:
            kept: how many allocations may live on.
        """
        status, said, counts = self.run(**at)
        found = self.folder / self.output
        content = found.read_bytes() if found.exists() else None
        left = [name for name in os.listdir(self.folder) if name.startswith(".fastparse-") and name.endswith(".tmp")]
        if status not in (DONE, ERROR) or "Traceback" in said:
            return f"exit status {status}: {said[-1500:]}"
        if status == DONE and content != expected:
            return "the output is not what it must be, and there was no error"
        if status == ERROR and content not in (self.old.get(self.output), expected):
            return f"the output is neither the old nor the new one: {said}"
        if status == ERROR and "fastparse: " not in said:
            return f"an error without a message: {said!r}"
        if counts[2] > kept:
            return f"{counts[2]} allocations are not freed, {kept} without a fault: {said}"
        return f"{left} are left behind" if left else None


def commands(folder: Path) -> list[Command]:
    model, data = folder / "toy.fp", folder / "in.conllu"
    toy_parser().save(model)
    data.write_bytes(TOY.read_bytes())
    shards.plan([data], folder / "plan", model)
    plan = {path.name: path.read_bytes() for path in (folder / "plan").iterdir()}
    old = {"out": OLD}
    training = [
        "train",
        str(TOY),
        "-o",
        "out",
        "--iterations",
        "1",
        "--encoder",
        "none",
        "--system",
        "arc-standard",
        "--checkpoint",
        "state",
        "--components",
        "parser",
    ]
    wheel = "fastparse_model_toy-1.0-py3-none-any.whl"
    packing = ["package", str(model), "-o", ".", "--name", "toy", "--licence", "CC0"]
    parsing = ["parse", str(data), "-q", "-m", str(model), "-o", "out"]
    return [
        Command("parse", folder / "a", parsing, "out", old),
        Command("parse greedily", folder / "b", [*parsing, "--beam", "1"], "out", old),
        Command("train", folder / "c", training, "out", old),
        Command("shard run", folder / "d", ["shard", "run", ".", "-i", "0"], "00000.conllu", plan),
        Command("package", folder / "e", packing, wheel, {wheel: OLD}),
    ]  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--most", type=int, default=10**9, help="faults of each kind and command, evenly chosen")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "FASTPARSE_FAULTS" not in os.environ:
            return preloaded(folder)
        for name in ("parse", "train", "shard", "package"):
            command_parser(name)  # imports what the command needs
        found = commands(folder)
        findings = sum(campaign(command, options.most, False) for command in found)
        for command in found:
            command.warm()
        findings += sum(campaign(command, options.most, True) for command in found)
    print(f"{findings} findings")
    return findings > 0


def campaign(command: Command, most: int, warm: bool) -> int:
    """Every fault of a command, or at most so many of each kind; how many findings there were."""
    status, said, [*counts, kept] = command.run()
    if status != DONE:
        raise SystemExit(f"{command.name} fails undisturbed: {said}")
    expected = (command.folder / command.output).read_bytes()
    outcomes: Counter[str] = Counter()
    findings = 0
    for kind, total in zip(KINDS, counts, strict=True):
        for number in range(1, total + 1, max(1, -(-total // most))):
            at = {"allocation": number} if kind == KINDS[0] else {"call": number}
            wrong = command.fault(expected, kept if warm else sys.maxsize, **at)
            outcomes[kind] += 1
            if wrong is not None:
                findings += 1
                print(f"{command.name}, {kind} {number} of {total}: {wrong}", file=sys.stderr, flush=True)
    name = f"{command.name}, once more, {kept} kept" if warm else command.name
    print(f"{name}: {dict(zip(KINDS, counts, strict=True))}; failed once each: {dict(outcomes)}", flush=True)
    return findings


if __name__ == "__main__":
    sys.exit(main())
