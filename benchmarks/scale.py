"""What a corpus takes on many machines: a simulation of shards on workers, driven by rates that were measured.

    python benchmarks/scale.py [--words 252e9] [--rate 730000] [--bytes-per-word 63] [--seed 1] [--markdown]

Workers take shards one after the other from one queue. A shard takes its words divided by the rate, times a slowdown
(most machines are alike, some are slow all the time); the bytes it reads and writes go through a file system that all
share; a dispatcher hands out one shard at a time. Workers die at random and come back, which loses what they had in
hand. The last table leaves out one cause after the other, which shows what limits each size.
"""

from __future__ import annotations

import argparse
import heapq
import random
from dataclasses import dataclass, replace

WORKERS = (1, 10, 100, 1000, 10_000)


@dataclass(frozen=True)
class Setting:
    """What is simulated.

    Attributes:
        words, bytes_per_word: of the corpus; as much is read as is written.
        rate: words a second on one core.
        shard_words: of a shard.
        load_seconds: until a worker that has started parses its first shard.
        dispatch_seconds: of the one dispatcher, per shard.
        bandwidth: bytes a second of the file system, both ways together.
        deaths: per worker and hour.
        back_seconds: until a worker that died is back.
        slow_share, slow_factor: how many workers are slow, and how slow.
        spread: of the others, standard deviation of the logarithm of their speed.
    """

    words: float
    bytes_per_word: float
    rate: float
    shard_words: float
    load_seconds: float = 1.0
    dispatch_seconds: float = 0.001
    bandwidth: float = 10e9
    deaths: float = 0.01
    back_seconds: float = 120.0
    slow_share: float = 0.02
    slow_factor: float = 4.0
    spread: float = 0.1


@dataclass(frozen=True)
class Outcome:
    """What it takes.

    Attributes:
        hours: from the start to the last shard.
        efficiency: hours without any loss, divided by those.
        lost: share of the work that was done in vain.
    """

    hours: float
    efficiency: float
    lost: float


def simulate(setting: Setting, workers: int, seed: int) -> Outcome:
    """One run, event by event."""
    chance = random.Random(f"{seed} {workers}")
    n = max(1, round(setting.words / setting.shard_words))
    words = setting.words / n
    speed = [chance.lognormvariate(0.0, setting.spread) for _ in range(workers)]
    for worker in range(workers):
        if chance.random() < setting.slow_share:
            speed[worker] /= setting.slow_factor
    moved = 2 * words * setting.bytes_per_word
    free = [(setting.load_seconds, worker) for worker in range(workers)]
    heapq.heapify(free)
    waiting, dispatcher, wasted, worked, last = n, 0.0, 0.0, 0.0, 0.0
    again: list[float] = []  # when shards of workers that died are given out again
    while waiting or again:
        now, worker = heapq.heappop(free)
        if not waiting:
            now = max(now, heapq.heappop(again))
        else:
            waiting -= 1
        dispatcher = max(dispatcher, now) + setting.dispatch_seconds
        begin = dispatcher
        active = min(workers, waiting + 1 + len(again)) if waiting < workers else workers
        seconds = max(words / (setting.rate * speed[worker]), moved * active / setting.bandwidth)
        death = chance.expovariate(setting.deaths / 3600) if setting.deaths else float("inf")
        if death < seconds:
            wasted += death
            heapq.heappush(again, begin + death)
            heapq.heappush(free, (begin + death + setting.back_seconds + setting.load_seconds, worker))
            continue
        worked += seconds
        last = max(last, begin + seconds)
        heapq.heappush(free, (begin + seconds, worker))
    ideal = setting.words / setting.rate / workers
    return Outcome(last / 3600, ideal / last, wasted / (worked + wasted))


def causes(setting: Setting) -> dict[str, Setting]:
    """The setting with one cause of loss taken away."""
    return {
        "nothing": setting,
        "slow workers": replace(setting, slow_share=0.0, spread=0.0),
        "deaths": replace(setting, deaths=0.0),
        "file system": replace(setting, bandwidth=1e18),
        "dispatcher": replace(setting, dispatch_seconds=0.0),
        "large shards": replace(setting, shard_words=setting.shard_words / 16),
    }


def table(rows: list[list[str]]) -> str:
    head, *body = rows
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *body]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--words", type=float, default=252e9)
    parser.add_argument("--rate", type=float, default=730_000)
    parser.add_argument("--bytes-per-word", type=float, default=63)
    parser.add_argument("--shard-megabytes", type=float, default=256)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    setting = Setting(args.words, args.bytes_per_word, args.rate, args.shard_megabytes * 2**20 / args.bytes_per_word)
    rows = [["workers", "hours", "efficiency", "work lost to deaths"]]
    for workers in WORKERS:
        found = simulate(setting, workers, args.seed)
        rows.append([f"{workers:,}", f"{found.hours:,.2f}", f"{found.efficiency:.0%}", f"{found.lost:.2%}"])
    print(table(rows), end="\n\n")
    rows = [["efficiency without", *(f"{workers:,}" for workers in WORKERS)]]
    for name, changed in causes(setting).items():
        rows.append([name, *(f"{simulate(changed, workers, args.seed).efficiency:.0%}" for workers in WORKERS)])
    print(table(rows))


if __name__ == "__main__":
    main()
