"""What the benchmarks share: corpora, rounds that alternate, figures with their spread, records.

Not a benchmark itself.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import platform
import random
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

import fastparse  # noqa: E402

ENGLISH = "English-EWT"


def add_treebanks(parser: argparse.ArgumentParser) -> None:
    """The option every script has that wants treebanks."""
    folder = os.environ.get("FASTPARSE_TREEBANKS", str(ROOT.parent / "shared" / "data"))
    parser.add_argument(
        "--treebanks", type=Path, default=Path(folder), metavar="FOLDER",
        help="NAME/train.conllu and NAME/dev.conllu (default: the variable FASTPARSE_TREEBANKS)",
    )  # fmt: skip


def treebank_path(folder: Path, part: str, name: str = ENGLISH) -> Path:
    """Of NAME/PART.conllu; a message instead of a traceback when it is not there."""
    path = folder / name / f"{part}.conllu"
    if not path.exists():
        raise SystemExit(f"there is no {name}/{part}.conllu in the folder of treebanks: set FASTPARSE_TREEBANKS")
    return path


def repeated(treebank: fastparse.Treebank, n_words: int, seed: int) -> fastparse.Treebank:
    """The sentences of a treebank, shuffled anew each time they are repeated, until there are so many words."""
    source, order, words = random.Random(seed), [], 0
    lengths = np.diff(treebank.offsets).tolist()
    if not sum(lengths):
        raise SystemExit("the treebank has no words")
    while words < n_words:
        turn = list(range(len(treebank)))
        source.shuffle(turn)
        for sentence in turn:
            order.append(sentence)
            words += lengths[sentence]
            if words >= n_words:
                break
    return treebank.select(order)


@dataclass(frozen=True)
class Runs:
    """The times of one contender, in the order of the rounds."""

    wall: list[float]
    cpu: list[float]

    def seconds(self, clock: str) -> list[float]:
        return self.cpu if clock == "cpu" else self.wall


def rounds(contenders: dict[str, Callable[[], Any]], repeats: int, warm_up: bool = True) -> dict[str, Runs]:
    """Run all contenders in turn, `repeats` times, each time in another order, without the garbage collector."""
    order = list(contenders)
    source = random.Random(1)
    runs = {name: Runs([], []) for name in order}
    if warm_up:
        for name in order:
            contenders[name]()
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats):
            source.shuffle(order)
            for name in order:
                wall, cpu = time.perf_counter(), time.process_time()
                result = contenders[name]()
                runs[name].wall.append(time.perf_counter() - wall)
                runs[name].cpu.append(time.process_time() - cpu)
                del result
    finally:
        gc.enable()
    return runs


def spread(values: Sequence[float]) -> float:
    """Half the distance between the quartiles."""
    if len(values) < 2:
        return 0.0
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return (high - low) / 2


def summary(values: Sequence[float]) -> dict[str, float]:
    """A median with its spread, as records have it."""
    return {"value": statistics.median(values), "spread": spread(values)}


@contextmanager
def pinned(wanted: bool = True) -> Iterator[None]:
    """On one core (where the system can do that), so that "one core" is true also of libraries with threads."""
    if not wanted or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def memory(field: str) -> int:
    """VmRSS, VmHWM, RssAnon ... of this process in bytes; 0 where there is no /proc."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(field + ":")), 0)


def forget_peak() -> None:
    """Let VmHWM start again from what is resident now."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        print("the peak of memory cannot be reset here: peaks are those of the whole run", file=sys.stderr)


def load_line() -> str:
    """How busy the machine is, for it decides what a figure is worth."""
    loads = os.getloadavg() if hasattr(os, "getloadavg") else ()
    return f"load {', '.join(f'{x:.1f}' for x in loads)} on {os.cpu_count()} cores"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def record(table: str, columns: list[str], rows: list[dict[str, Any]], data: str, **more: Any) -> dict[str, Any]:
    """A record as benchmarks/README.md describes it; `more` stands behind the fields that tables need."""
    return {
        "table": table, "columns": columns, "rows": rows, "command": command_line(), "revision": revision(),
        "date": date.today().isoformat(), "machine": f"{machine()}, {load_line()} at the end", "data": data, **more,
    }  # fmt: skip


def write_record(path: Path, found: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"written: {path.name} (python benchmarks/tables.py puts it into the tables)")


def command_line() -> str:
    """As it was typed, but for the folders of files."""
    words = [word if os.sep not in word else re.sub(r"^(--[\w-]+=)?.*[/\\]", r"\1", word) for word in sys.argv[1:]]
    return " ".join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *words])


def revision() -> str:
    """Of the sources, with a + when they were changed since."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        return f"fastparse {fastparse.__version__}"

    def ask(*words: str) -> str:
        return subprocess.run([git, *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()

    changed = ask("status", "--porcelain", "--untracked-files=no", "--", "fastparse", "benchmarks/*.py")
    return ask("rev-parse", "--short", "HEAD") + ("+" if changed else "")


def machine() -> str:
    """Processor, compiler and interpreter."""
    name = platform.processor() or platform.machine()
    try:
        found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
        name = found[1].strip() if found else name
    except OSError:
        pass
    return f"{name}, {platform.python_compiler()}, Python {platform.python_version()}"
