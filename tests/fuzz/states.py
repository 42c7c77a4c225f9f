"""Random mutation of what interrupted work leaves: checkpoints of trainings, and plans, marks and claims of shards.

    python -m tests.fuzz.states checkpoints --executions 200000 --seed 1
    python -m tests.fuzz.states plans --executions 200000 --seed 1

Meant for the sanitizer build (docs/robustness.md says how); it runs on any. A damaged checkpoint, its checksums mostly
made right again, is refused with an error, or learning goes on from it. Of a damaged folder of shards, its plan mostly
with a right identity, every question and every run ends in an answer or an error. Anything else, or an execution of
more than ten seconds, stops the run with exit status 1. Seed and number determine each execution; `--first` goes on
where an earlier run ended.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import io
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import fastparse
from fastparse.bulk import shards
from fastparse.bulk.claims import Claim
from fastparse.learning.checkpoint import CHECKPOINT, Checkpoint
from fastparse.learning.course import ParserCourse
from fastparse.learning.linear import PlainRecipe
from fastparse.learning.options import TrainingOptions
from fastparse.learning.preparation import Account
from fastparse.learning.progress import Place
from fastparse.learning.steps import Training
from fastparse.model.storage import content_of, read_container
from fastparse.transition_systems.registry import resolve
from tests.fuzz.models import TEMPLATES, VALUES, change_arrays, flip, mended, places
from tests.toy import TOY, toy, toy_parser

LIMIT = 10  # seconds
IDENTITY = {"training": {"of": "toys"}}


def short(folder: Path) -> Path:
    """A file of few templates: an execution takes a fraction of the time."""
    path = folder / "templates.txt"
    path.write_text(TEMPLATES)
    return path


class Checkpoints:
    """A training of few sentences, and its state after an iteration."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "state"
        options = TrainingOptions(system="arc-eager", beam=1, templates=str(short(folder)), iterations=1, encoder=None)
        self.recipe = PlainRecipe(toy()[:4], resolve("arc-eager"), options, Account())
        self.order = np.arange(4, dtype=np.int64)
        self.course()[0].run()
        container = read_container(self.path, CHECKPOINT)
        self.sound = container.header, {name: np.array(array) for name, array in container.arrays.items()}

    def course(self) -> tuple[ParserCourse, Any]:
        """One that goes on from the file, if there is one, and its learner."""
        learner = self.recipe.learner(self.recipe.options)
        training = Training(checkpoint=Checkpoint(self.path, IDENTITY))
        return ParserCourse(learner, self.recipe.options, training, Place("parser")), learner

    def execute(self, random: Random) -> str:
        header, arrays = copy.deepcopy(self.sound[0]), dict(self.sound[1])
        if random.random() < 0.4:
            owner, key = random.choice(places(header["parts"]))
            owner[key] = random.choice(VALUES)
            header = json.loads(json.dumps(header).replace("\\ud800", "x"))
        if random.random() < 0.7:
            for _ in range(random.choice((1, 1, 2, 4))):
                (typed_change if random.random() < 0.7 else change_any)(arrays, random)
        data = b"".join(content_of(header, arrays, CHECKPOINT))
        if random.random() < 0.1:
            data = flip(data, random)
            data = mended(data) if random.random() < 0.7 else data
        self.path.write_bytes(data)
        try:
            course, learner = self.course()
            course.run()
        except fastparse.Error:
            return "refused"
        learner.learn(self.order, 2, 0)
        if random.random() < 0.1:  # goes through the whole table
            learner.state()
        return "gone on from"


def change_any(arrays: dict[str, np.ndarray[Any, Any]], random: Random) -> None:
    """Change some array's bytes or length, or leave it out."""
    raw = {name: array.reshape(-1).view(np.uint8) for name, array in arrays.items()}
    change_arrays(raw, random)
    for name in list(arrays):
        if name not in raw:
            del arrays[name]
        elif len(raw[name]) % arrays[name].itemsize == 0:
            arrays[name] = raw[name].view(arrays[name].dtype)
        else:
            arrays[name] = raw[name]


def typed_change(arrays: dict[str, np.ndarray[Any, Any]], random: Random) -> None:
    """Other numbers in an array of the weights."""
    name = random.choice([name for name in arrays if not name.startswith("best.")] or sorted(arrays))
    array = np.array(arrays[name])
    if array.size and array.dtype.kind in "iu":
        limits = np.iinfo(array.dtype)
        for _ in range(random.choice((1, 1, 5))):
            other = int(random.choice(array.reshape(-1)))
            odd = random.choice((0, 1, 2, limits.min, limits.max, limits.max // 2, other))
            array.reshape(-1)[random.randrange(array.size)] = odd
    arrays[name] = array


class Plans:
    """A folder with a plan of two shards, one of them finished."""

    def __init__(self, folder: Path) -> None:
        self.folder, source, model = folder / "shards", folder / "in.conllu", folder / "toy.fp"
        toy_parser(templates=short(folder)).save(model)
        source.write_bytes(b"\n\n".join(TOY.read_bytes().split(b"\n\n")[:4]) + b"\n\n")
        shards.plan([source], self.folder, model, shard_bytes=source.stat().st_size // 2, beam=1)
        shards.run(self.folder, 0)
        (self.folder / "00001.claim").write_text(json.dumps(vars(Claim.own("a job"))))
        self.sound = {path.name: path.read_bytes() for path in self.folder.iterdir()}

    def execute(self, random: Random) -> str:
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        for name, data in self.sound.items():
            (self.folder / name).write_bytes(data)
        for _ in range(random.choice((1, 1, 2))):
            name = random.choice(("manifest.json", "manifest.json", "00000.done", "00000.done", "00001.claim"))
            (self.folder / name).write_bytes(self.damaged(name, random))
        calls: list[Callable[[], object]] = [
            lambda: str(shards.status(self.folder)),
            lambda: shards.run(self.folder, random.randrange(3), job="a job"),
            lambda: list(shards.run_free(self.folder)),
            lambda: shards.merge(self.folder, io.BytesIO()),
            lambda: shards.retry(self.folder, everything=random.random() < 0.5),
            lambda: shards.clean(self.folder),
        ]
        outcomes = set()
        for call in random.sample(calls, 3):
            try:
                call()
                outcomes.add("answer")
            except (fastparse.Error, FileNotFoundError, IsADirectoryError):
                outcomes.add("error")
        return " and ".join(sorted(outcomes))

    def damaged(self, name: str, random: Random) -> bytes:
        data = (self.folder / name).read_bytes()
        kind = random.randrange(10)
        if kind == 0:
            return flip(data, random)
        if kind == 1:
            depth = random.choice((10, 500, 990, 5000, 100_000))
            return data.replace(b'": ', b'": ' + b"[" * depth + b"]" * depth + b', "x": ', 1)
        try:
            found = json.loads(data)
            for _ in range(random.choice((1, 1, 3))):
                owner, key = random.choice(places(found))
                if random.random() < 0.1:
                    del owner[key]
                else:
                    other, there = random.choice(places(found) or [(owner, key)])
                    owner[key] = copy.deepcopy(random.choice(VALUES) if random.random() < 0.7 else other[there])
        except (ValueError, IndexError, RecursionError):
            return flip(data, random)
        if name == "manifest.json" and isinstance(found, dict) and random.random() < 0.9:
            found.pop("identity", None)
            found["identity"] = hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()
        return json.dumps(found).encode()


def late(signum: int, frame: Any) -> None:
    raise TimeoutError(f"more than {LIMIT} seconds")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("kind", choices=("checkpoints", "plans"))
    parser.add_argument("--executions", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, late)
    outcomes: Counter[str] = Counter()
    fast = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=fast) as folder:
        work = (Checkpoints if options.kind == "checkpoints" else Plans)(Path(folder))
        begun = last = time.monotonic()
        for number in range(options.first, options.first + options.executions):
            signal.alarm(LIMIT)
            try:
                outcomes[work.execute(Random(f"{options.seed}/{number}"))] += 1
            except BaseException:
                print(f"{options.kind}, seed {options.seed}, execution {number}", file=sys.stderr, flush=True)
                raise
            finally:
                signal.alarm(0)
            if time.monotonic() - last > 30:
                last = time.monotonic()
                done = number + 1 - options.first
                print(f"{done:,} executions, {done / (last - begun):.0f} per second, {dict(outcomes)}", flush=True)
    end = options.first + options.executions - 1
    print(f"{options.kind}, seed {options.seed}, {options.first:,} to {end:,}: {dict(outcomes)}, no findings")
    return 0


if __name__ == "__main__":
    sys.exit(main())
