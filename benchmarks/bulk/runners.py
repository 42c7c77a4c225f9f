"""Any number of `fastparse shard run FOLDER` on one folder: what they take together, and kills among them.

    python benchmarks/bulk/runners.py work --words 6e6
    python benchmarks/bulk/runners.py kills --words 6e6

`work`: one runner, two, four, in turn; processor time of all of them, their starts included, against that of one.

`kills`: four runners, of which one after the other is killed (SIGKILL) and another one started in its place; before
that `fastparse shard retry FOLDER` gives back what the dead held. Compared: SHA-256 of the merged output and of a
serial run.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from pathlib import Path

from cluster import merged, planned, serial
from corpus import add_corpus, corpus_of

from fastparse.bulk import shards


def runner(work: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "fastparse", "shard", "run", work], stderr=subprocess.DEVNULL)


def together(work: Path, n: int) -> float:
    """Processor time of so many runners that share a folder."""
    running = [runner(work) for _ in range(n)]
    seconds = 0.0
    for process in running:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds += usage.ru_utime + usage.ru_stime
    if shards.status(work).missing:
        raise SystemExit("the runners left shards that are not finished")
    return seconds


def work_of_runners(args: argparse.Namespace) -> None:
    source = corpus_of(args)
    best: dict[int, float] = {}
    for turn in range(args.turns):
        for n in (1, 2, 4) if turn % 2 == 0 else (4, 2, 1):
            seconds = together(planned(args, source), n)
            best[n] = min(seconds, best.get(n, float("inf")))
            print(f"{n} runners: {seconds:.2f} s of processor time, load {os.getloadavg()[0]:.1f}", flush=True)
    for n in (2, 4):
        print(f"{n} runners take {best[n] / best[1]:.3f} times the processor time of one (best of {args.turns})")


def kills(args: argparse.Namespace) -> None:
    source = corpus_of(args)
    work = planned(args, source)
    n = shards.status(work).shards
    chance = random.Random(args.seed)
    running = [runner(work) for _ in range(4)]
    killed = given = 0
    while killed < args.kills:
        goal = n * (killed + 1) // (args.kills + 1)
        while n - len(shards.status(work).missing) < goal:
            time.sleep(0.01)
        time.sleep(chance.random() * 0.3)
        victim = chance.randrange(4)
        if running[victim].poll() is not None:
            raise SystemExit("a runner ended before it was killed: take a larger corpus or smaller shards")
        running[victim].kill()
        running[victim].wait()
        killed += 1
        said = subprocess.run(
            [sys.executable, "-m", "fastparse", "shard", "retry", work], check=True, capture_output=True, text=True
        ).stdout
        given += sum(map(str.isdigit, said.replace(",", " ").split()))
        running[victim] = runner(work)
    codes = [process.wait() for process in running]
    subprocess.run([sys.executable, "-m", "fastparse", "shard", "run", work], check=True)
    want, got = serial(args, source), merged(args, work)
    print(f"{args.words:,.0f} words, {n} shards, {killed} of {killed + 4} runners killed, {given} shards given back by "
          f"retry, others ended with {codes}")  # fmt: skip
    print(f"SHA-256 of a serial run {want[:16]}, merged {got[:16]}: {'the same' if want == got else 'DIFFERENT'}")
    if want != got or any(codes):
        raise SystemExit(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("work", "kills"))
    add_corpus(parser, 6e6)
    parser.add_argument("--megabytes", type=int, default=8, help="of a shard")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    {"work": work_of_runners, "kills": kills}[args.what](args)


if __name__ == "__main__":
    main()
