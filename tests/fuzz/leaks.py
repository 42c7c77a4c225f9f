"""The leak sanitizer over what allocates memory of its own, where it succeeds and where it fails.

    python -m tests.fuzz.leaks --rounds 20

For the sanitizer build (docs/robustness.md says how). Told are leaks whose memory was allocated by a module of ours;
the interpreter leaves memory of its own behind. A leak that is made on purpose has to be among what the sanitizer
finds, or it did not look.
"""

from __future__ import annotations

import ctypes
import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import fastparse
from fastparse.theory.compose import ARC, B0, POP, PUSH, S0, compose
from tests.fuzz.conllu import mutate
from tests.fuzz.models import damaged, models
from tests.fuzz.reports import OURS, options_of, told
from tests.fuzz.states import Checkpoints
from tests.parser.models import TEXT, whole
from tests.text.toy import conllu
from tests.toy import TOY, toy, toy_parser

PLANTED = 77_777  # bytes
SYSTEMS = ("arc-standard", "swap", "two-registers", "2-planar", "covington", "easy-first", "attardi")


def calls(folder: Path) -> list[Callable[[Random], object]]:
    """What is done over and over; each may end in an error of ours."""
    sound, checkpoints = models(folder), Checkpoints(folder)
    encoder = fastparse.train(toy(), "arc-eager", encoder="small", iterations=1, components=("parser",))
    graph = compose("graph", SHIFT=[PUSH], REDUCE=[POP], LEFT_ARC=[ARC(B0, S0)], RIGHT_ARC=[ARC(S0, B0)])

    def read(random: Random) -> object:
        return fastparse.read_conllu(mutate(TOY.read_bytes(), random), on_error=random.choice(("stop", "keep")))

    def load(random: Random) -> object:
        path = folder / "damaged.fp"
        path.write_bytes(damaged(random.choice(sound), random)[1])
        return fastparse.load(path).parse(toy()[:5])

    def walk(random: Random) -> object:
        c = fastparse.Configuration(random.choice((*SYSTEMS[:4], "planar/graph", graph)), 6)
        while (moves := c.legal()) and len(c.moves) < 60:
            c.apply(random.choice(moves))
        return c.copy()

    def derive(random: Random) -> object:
        heads = [random.randrange(6) for _ in range(5)]
        return fastparse.derive(heads, random.choice(SYSTEMS[:4]))

    return [
        read,
        lambda random: whole().parse_text(TEXT * random.randrange(4)),
        lambda random: whole().parse_file(TOY, io.BytesIO(), threads=2),
        lambda random: encoder.parse(toy(), beam=random.choice((1, 3)), threads=2),
        lambda random: toy_parser().parse(toy(), beam=random.choice((1, 8)), threads=random.choice((1, 2))),
        lambda random: fastparse.train(
            toy()[:9],
            random.choice(SYSTEMS),
            beam=random.choice((1, 2)),
            iterations=1,
            components=("parser",),
            encoder=None,
        ),
        lambda random: fastparse.train(conllu(30), components=("tokenizer",), encoder=None),
        lambda random: fastparse.count_transitions(toy(), random.choice(SYSTEMS[:4])),
        lambda random: fastparse.trees.classify([random.randrange(6) for _ in range(5)]),
        checkpoints.execute,
        load,
        walk,
        derive,
    ]


def worker(rounds: int, seed: int) -> None:
    """Do everything some times, and leak a little."""
    with tempfile.TemporaryDirectory() as name:
        refused = 0
        found = calls(Path(name))
        for number in range(rounds):
            for at, call in enumerate(found):
                try:
                    call(Random(f"{seed}/{number}/{at}"))
                except fastparse.Error:
                    refused += 1
    # Addresses of libraries lie where the sanitizer looks; this one is forgotten at once.
    ctypes.CDLL(None).malloc(PLANTED)
    print(f"{rounds} rounds of {len(found)} calls, {refused} of them refused")


def main() -> int:
    options = options_of(__doc__, 20)
    if options.worker:
        worker(options.rounds, options.seed)
        return 0
    args = ("--rounds", options.rounds, "--seed", options.seed)
    settings = "detect_leaks=1:exitcode=0:symbolize=0:malloc_context_size=12"
    status, leaks = told("tests.fuzz.leaks", args, "ASAN_OPTIONS", settings, "(?:Direct|Indirect) leak of ")
    if status or not any(f"leak of {PLANTED} byte" in leak for leak in leaks):
        print("it did not run under the leak sanitizer, or did not end", file=sys.stderr)
        return 1
    ours = [leak for leak in leaks if OURS in allocated_by(leak)]
    print("".join(ours), end="")
    print(f"{len(leaks)} leaks were told, of which {len(ours)} are of our allocations")
    return len(ours) > 0


def allocated_by(leak: str) -> str:
    """The line of a report that names the caller of malloc."""
    return next((line for line in leak.splitlines() if line.lstrip().startswith("#1 ")), "")


if __name__ == "__main__":
    sys.exit(main())
