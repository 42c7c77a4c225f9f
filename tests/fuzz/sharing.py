"""Parsers that eight threads share, under the thread sanitizer.

    python -m tests.fuzz.sharing --rounds 5

For the build with FASTPARSE_SANITIZE=thread (docs/robustness.md says how). Every thread does everything that there is
to do, in an order of its own, and has to find what one thread alone found. Told are races in modules of ours; the
interpreter itself is not compiled for the sanitizer, which knows its locks all the same.
"""

from __future__ import annotations

import ctypes
import io
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random

import fastparse
from tests.fuzz.reports import OURS, options_of, told
from tests.parser.models import TEXT, splitting, whole
from tests.toy import TOY, toy, toy_parser

THREADS = 8


def jobs() -> list[Callable[[], bytes]]:
    """Ways to the bytes of a treebank, all with parsers that the threads share."""
    english = fastparse.load("en-fast")
    parsers = [toy_parser(), toy_parser("swap"), toy_parser("two-registers"), toy_parser("easy-first", beam=1), english]

    def parsed(parser: fastparse.Parser, beam: int, threads: int) -> bytes:
        return parser.parse(toy(), beam, threads).to_bytes()

    def from_file(threads: int) -> bytes:
        out = io.BytesIO()
        whole().parse_file(TOY, out, threads=threads, batch_words=40)
        return out.getvalue()

    beams = [
        lambda parser=parser, beam=beam, threads=threads: parsed(parser, beam, threads)
        for parser in parsers
        for beam in ((1,) if parser.system == "easy-first" else (1, 4))
        for threads in (1, 3)
    ]
    return [
        *beams,
        lambda: from_file(1),
        lambda: from_file(2),
        lambda: splitting().parse_text(TEXT * 4, 2).to_bytes(),
        lambda: english.tag(toy(), 2, retag=True).to_bytes(),
        lambda: english.parse_text("Dr. Moe doesn't see the old boat. It is there, too.\n\nIs it?", 2).to_bytes(),
        lambda: fastparse.read_conllu(TOY).to_bytes(),
        lambda: b"".join(batch.to_bytes() for batch in fastparse.iter_conllu(TOY, 50)),
        lambda: repr(fastparse.count_transitions(toy(), "swap")).encode(),
        lambda: repr(fastparse.derive([2, 0, 2, 3], "two-registers")).encode(),
    ]


def worker(rounds: int, seed: int) -> int:
    """Do everything in eight threads at once, and race a little on purpose."""
    sys.setswitchinterval(1e-5)
    found = jobs()
    expected = [job() for job in found]
    together = threading.Barrier(THREADS)

    def shared(number: int) -> int:
        random = Random(f"{seed}/{number}")
        wrong = 0
        together.wait()
        for _ in range(rounds):
            for at in random.sample(range(len(found)), len(found)):
                wrong += found[at]() != expected[at]
        return wrong

    with ThreadPoolExecutor(THREADS) as pool:
        wrong = sum(pool.map(shared, range(THREADS)))
    print(f"{THREADS} threads, {rounds} rounds of {len(found)} jobs, {wrong} of them with another outcome")
    race()
    return wrong


def race() -> None:
    """Two threads write to one buffer: the sanitizer has to say so."""
    buffer, libc = ctypes.create_string_buffer(1 << 20), ctypes.CDLL(None)
    writers = [threading.Thread(target=libc.memset, args=(buffer, number, len(buffer))) for number in range(THREADS)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()


def main() -> int:
    options = options_of(__doc__, 5)
    if options.worker:
        return worker(options.rounds, options.seed) > 0
    args = ("--rounds", options.rounds, "--seed", options.seed)
    status, races = told("tests.fuzz.sharing", args, "TSAN_OPTIONS", "exitcode=0", "WARNING: ThreadSanitizer")
    if status or not any("memset" in race for race in races):
        print("it did not run under the thread sanitizer, or other outcomes were found", file=sys.stderr)
        return 1
    ours = [race for race in races if OURS in race]
    print("".join(ours), end="")
    print(f"{len(races)} reports, of which {len(ours)} name modules of ours")
    return len(ours) > 0


if __name__ == "__main__":
    sys.exit(main())
