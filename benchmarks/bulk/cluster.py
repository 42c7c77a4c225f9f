"""Shards on a LocalCluster: campaigns of kills, and two workers against one.

    python benchmarks/bulk/cluster.py kills --words 20e6
    python benchmarks/bulk/cluster.py speed --words 20e6

`kills`: a client with two workers; a worker is killed (SIGKILL) while it parses, then the client; then the next one
goes on; so five times over, and a last client finishes. Compared: SHA-256 of the merged output and of one serial run.
Counted, by what each worker's process opens and links: loads of the model per process, and how often each shard was
begun, which is once, and once more for each kill that found it in hand.

`speed`: the same shards with one worker and with two, in turn. Wall time tells where the machine is quiet; processor
time of the workers, all of them together, tells anywhere how much work two do for what one does.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from corpus import add_corpus, corpus_of

import fastparse
from fastparse.bulk import shards
from fastparse.bulk.claims import Claim
from fastparse.bulk.plans import Folder
from fastparse.model.finding import find

__all__ = ["merged", "planned", "serial"]


def sha256_of(path: Path) -> str:
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def serial(args: argparse.Namespace, source: Path) -> str:
    """The SHA-256 of what one run over the whole corpus gives."""
    output = args.folder / "serial.conllu"
    fastparse.load(args.model).parse_file(source, output)
    found = sha256_of(output)
    output.unlink()
    return found


def merged(args: argparse.Namespace, work: Path) -> str:
    output = args.folder / "merged.conllu"
    shards.merge(work, output)
    found = sha256_of(output)
    output.unlink()
    return found


def planned(args: argparse.Namespace, source: Path) -> Path:
    work: Path = args.folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    shards.plan([source], work, args.model, shard_bytes=args.megabytes << 20)
    return work


def listen(log: str, model: str, source: str) -> None:
    """Write down from now on when this process opens the model, asks for a shard, and begins to parse it."""
    stream, pid = open(log, "ab", buffering=0), os.getpid()  # noqa: SIM115
    asked = ""

    def hook(event: str, given: tuple[object, ...]) -> None:
        nonlocal asked
        if event == "open" and str(given[0]) == model:
            stream.write(f"{pid} model\n".encode())
        elif event == "os.link" and str(given[1]).endswith(".claim"):
            asked = Path(str(given[1])).stem
        elif event == "open" and str(given[0]) == source:
            stream.write(f"{pid} {asked}\n".encode())

    sys.addaudithook(hook)


def heard(log: Path) -> tuple[Counter[str], Counter[int]]:
    """How often each process opened the model, and how often each shard was begun."""
    lines = [line.split() for line in log.read_text().splitlines()]
    loads = Counter(pid for pid, what in lines if what == "model")
    return loads, Counter(int(what) for pid, what in lines if what != "model")


def client(args: argparse.Namespace) -> None:
    """What the command `shard run --workers` does, with a witness in each worker."""
    from distributed import WorkerPlugin

    from fastparse.bulk.dask import local_cluster, parse_files

    class Witness(WorkerPlugin):  # also of workers that are started anew
        def setup(self, worker: object) -> None:
            if log:
                listen(log, model, source)

    log, model, source = args.log, os.path.abspath(find(args.model)), Folder(Path(args.work)).plan().inputs[0]
    with local_cluster(args.workers) as opened:
        opened.register_plugin(Witness(), name="witness")
        before = opened.run(lambda: time.process_time())
        begun = time.perf_counter()
        parse_files(opened, args.work)
        seconds = time.perf_counter() - begun
        cpu = sum(opened.run(lambda: time.process_time()).values()) - sum(before.values())
    print(json.dumps({"wall": seconds, "cpu": cpu}), flush=True)


def command(args: argparse.Namespace, work: Path, workers: int, log: str = "") -> list[str]:
    return [
        sys.executable, __file__, "client", "--work", str(work), "--model", args.model, "--workers", str(workers),
        "--log", log,
    ]  # fmt: skip


def kills(args: argparse.Namespace) -> None:
    source = corpus_of(args)
    work = planned(args, source)
    n = shards.status(work).shards
    log = args.folder / "witness.log"
    log.write_bytes(b"")
    in_hand: Counter[int] = Counter()
    begun = time.perf_counter()
    for turn in range(args.turns):
        process = subprocess.Popen(command(args, work, 2, str(log)))
        goal = n * (turn + 1) // (args.turns + 1)
        in_hand.update(killed(process, work, goal - 2, worker=True))
        in_hand.update(killed(process, work, goal, worker=False))
    subprocess.run(command(args, work, 2, str(log)), check=True)
    loads, starts = heard(log)
    twice = {number: count - 1 for number, count in starts.items() if count > 1}
    unexplained = {number: count for number, count in twice.items() if count > in_hand[number]}
    print(f"{args.words:,.0f} words, {n} shards of {args.megabytes} MB, {time.perf_counter() - begun:,.0f} s")
    print(f"processes that parsed: {len(loads)}; loads of the model in one: at most {max(loads.values())}")
    print(f"begun again: {sum(twice.values())}; in hand at kills: {sum(in_hand.values())}; "
          f"begun again and not in hand: {sum(unexplained.values())}")  # fmt: skip
    want, got = serial(args, source), merged(args, work)
    print(f"SHA-256 of a serial run {want[:16]}, merged {got[:16]}: {'the same' if want == got else 'DIFFERENT'}")
    if want != got or unexplained or max(loads.values()) > 1:
        raise SystemExit(1)


def killed(process: subprocess.Popen[bytes], work: Path, goal: int, *, worker: bool) -> list[int]:
    """Kill a worker or the client when so many shards are finished; return the shards that were in hand then."""
    while True:
        found = shards.status(work)
        alive = {number: claim for number, claim in found.in_hand.items() if not claim.dead}
        if alive and found.shards - len(found.missing) >= goal:
            break
        if process.poll() is not None:
            raise SystemExit("the client ended before it was killed: take a larger corpus or smaller shards")
        time.sleep(0.02)
    if worker:
        victim = next(iter(alive.values())).pid
        os.kill(victim, signal.SIGSTOP)  # so that what it has in hand does not change while one looks
        held = [number for number, claim in shards.status(work).in_hand.items() if claim.pid == victim]
        os.kill(victim, signal.SIGKILL)
    else:
        process.kill()
        process.wait()
        claims = [Claim.read(path) for path in work.glob("*.claim")]
        while any(claim is not None and not claim.dead for claim in claims):  # workers end with their client
            time.sleep(0.02)
            claims = [Claim.read(path) for path in work.glob("*.claim")]
        held = list(shards.status(work).in_hand)
    finished = found.shards - len(found.missing)
    what = "worker" if worker else "client"
    print(f"{what} killed with {finished} of {found.shards} shards finished, in hand: {held}", flush=True)
    return held


def speed(args: argparse.Namespace) -> None:
    source = corpus_of(args)
    best: dict[int, tuple[float, float]] = {}
    for turn in range(args.turns):
        for workers in (1, 2) if turn % 2 == 0 else (2, 1):
            work = planned(args, source)
            said = subprocess.run(command(args, work, workers), check=True, capture_output=True, text=True).stdout
            found = json.loads(said)
            before = best.get(workers, (float("inf"), float("inf")))
            best[workers] = min(before[0], found["wall"]), min(before[1], found["cpu"])
            words = shards.status(work).report.words
            print(f"{workers} of them: {found['wall']:.1f} s, {found['cpu']:.1f} s of processor time, "
                  f"{words / found['wall']:,.0f} words/s, load {os.getloadavg()[0]:.1f}", flush=True)  # fmt: skip
    times, work_of_two = best[1][0] / best[2][0], best[1][1] / best[2][1]
    print(f"two workers are {times:.2f} times as fast as one; for the same words one takes {work_of_two:.2f} of the "
          f"processor time of two (best of {args.turns})")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("kills", "speed", "client"))
    add_corpus(parser, 20e6)
    parser.add_argument("--megabytes", type=int, default=32, help="of a shard")
    parser.add_argument("--turns", type=int, default=5, help="of kills, or of runs with one and two workers")
    parser.add_argument("--work", help="of `client`, which the others call: a planned folder")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--log", default="")
    args = parser.parse_args()
    {"kills": kills, "speed": speed, "client": client}[args.what](args)


if __name__ == "__main__":
    main()
