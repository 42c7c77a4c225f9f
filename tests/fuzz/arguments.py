"""Odd arrays, shapes, types, strides and values at the public functions that hand them to compiled code.

    python -m tests.fuzz.arguments --calls 5000 --seed 1

Meant for the sanitizer build (docs/robustness.md says how); it runs on any. The calls are made in processes of a
thousand each, so that a crash is seen and told from the rest. Allowed are a result, an `Error`, a TypeError or
IndexError of Python's and the system's own errors, as some words are paths. A process that dies, a call of more than
ten seconds and any other exception stop the run with exit status 1 and name the call. What is parsed besides has to
give the trees it gave at the beginning: odd calls must not spoil what others use.
"""

from __future__ import annotations

import argparse
import faulthandler
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

import fastparse
from fastparse.trees.pseudo_projective import deprojectivize, projectivize
from tests.toy import TOY, toy_parser

LIMIT = 10.0  # seconds
PER_PROCESS = 1000
ALLOWED = (fastparse.Error, TypeError, IndexError, OSError)
KINDS = ("i1", "i2", "i4", "i8", "u1", "u4", "u8", "f4", "f8", "?", "c8", "S3", "U3", "O", "M8[s]", ">i4", ">i8")
VALUES = (
    0,
    1,
    -1,
    2,
    3,
    7,
    447,
    448,
    449,
    10**6,
    2**31 - 1,
    2**31,
    -(2**31),
    2**32 + 2,
    2**63,
    -(2**63),
    2**64,
    10**30,
)


def toy() -> fastparse.Treebank:
    """A treebank that nobody else has."""
    return fastparse.read_conllu(TOY)


def number(random: Random) -> Any:
    return random.choice(
        (*VALUES, 2.9, float("nan"), float("inf"), True, None, "1", b"1", np.int32(1), np.uint64(2**63))
    )


def array(random: Random, n: int) -> Any:
    """An array that is not what it should be, or is nearly so."""
    size = random.choice((n, n, n, 0, 1, n - 1, n + 1, 2 * n, random.randrange(600)))
    kind = random.choice(KINDS)
    values = [random.choice((0, 1, 2, -1, random.choice(VALUES))) for _ in range(max(0, size))]
    try:
        made = np.array(values, kind)
    except (ValueError, TypeError, OverflowError):
        made = np.zeros(max(0, size), "i4" if kind == "O" else kind)
    shape = random.randrange(12)
    if shape == 0:
        made = made.reshape(-1, 1)
    elif shape == 1:
        made = np.repeat(made, 2)[::2]
    elif shape == 2:
        made = made[::-1]
    elif shape == 3:
        made = np.broadcast_to(made[:1], (n,)) if len(made) else made
    elif shape == 4:
        made = np.array(0)
    elif shape == 5:
        made.flags.writeable = False
    elif shape == 6:
        return made.tolist()
    elif shape == 7:
        return [*made.tolist()[: n // 2], [1, 2], number(random)]
    elif shape == 8:
        return random.choice((None, "abc", 7, {}, {1: 2}, iter([1, 2]), b"\0" * n, memoryview(b"\0" * 4 * n), object()))
    return made


def columns(random: Random) -> tuple[list[Any], Any]:
    words = [random.choice(("a", "b", "", "\0", "\ud800", "é" * 99, None, 7)) for _ in range(random.randrange(1, 9))]
    return words, random.choice(
        (None, array(random, len(words) + 1), sorted(random.choices(range(len(words) + 1), k=3)))
    )


def assigned(random: Random) -> object:
    treebank = toy()
    for _ in range(random.randrange(1, 4)):
        name = random.choice(("heads", "deprel_ids", "deprel_table", "offsets", "deprels"))
        given = array(random, random.choice((448, 61, 23)))
        if random.random() < 0.3 and name in ("heads", "deprel_ids"):
            getattr(treebank, name)[random.randrange(448)] = random.choice((-7, 10**6, 2**31 - 1))
        elif random.random() < 0.9 or name != "offsets":
            try:
                setattr(treebank, name, given)
            except AttributeError as error:
                if name != "offsets":
                    raise
                raise TypeError from error
    use = random.randrange(8)
    if use == 0:
        return toy_parser().parse(treebank)
    if use == 1:
        return treebank.to_bytes()
    if use == 2:
        return treebank.trees(), treebank.deprels
    if use == 3:
        return fastparse.evaluate(toy(), treebank)
    if use == 4:
        return fastparse.count_transitions(treebank, random.choice(("arc-standard", "swap", "two-registers")))
    if use == 5:
        return [sentence.deprels for sentence in treebank]
    if use == 6:
        return fastparse.train(treebank, "arc-standard", beam=1, iterations=1, components=("parser",), encoder=None)
    return treebank[3:9].to_bytes(), treebank.select([5, 1])


def calls(random: Random) -> Callable[[], object]:
    """One call."""
    treebank, n = toy(), 448
    words, offsets = columns(random)
    small = array(random, 5)
    labels = random.choice((["a"] * 5, ["a↑b", "b↓", "c", "d↑", "e↑b↓"], array(random, 5)))
    encoding = random.choice(("head", "path", "head+path", "x"))
    heads, ids = array(random, n), array(random, n)
    tree_class = random.choice(("projective", "planar", "2-planar", "1-inherit", "crossing-interval", "x"))
    choices: list[Callable[[], object]] = [
        lambda: assigned(random),
        lambda: assigned(random),
        lambda: assigned(random),
        lambda: treebank.with_heads(
            heads, random.choice((None, ids)), random.choice((None, ["a"], ["a", None]))
        ).to_bytes(),
        lambda: toy_parser().parse(treebank.with_heads(heads)),
        lambda: treebank.with_columns(
            **{random.choice(("upos", "form", "misc", "x")): (ids, random.choice((["a"], ["", 7], [])))}
        ),
        lambda: treebank.select(array(random, 61)).to_bytes(),
        lambda: fastparse.Treebank.from_columns(words, heads=small, offsets=offsets).to_bytes(),
        lambda: toy_parser().parse_arrays(words, random.choice((None, words, small)), offsets=offsets),
        lambda: toy_parser().parse(treebank, beam=number(random), threads=random.choice((1, 2, number(random)))),
        lambda: toy_parser().parse(treebank, threshold=number(random)),
        lambda: fastparse.derive(small, random.choice(("arc-standard", "swap", "two-registers", "2-planar")), labels),
        lambda: fastparse.trees.classify(small),
        lambda: fastparse.trees.contains(small, tree_class),
        lambda: fastparse.trees.lift(small, tree_class),
        lambda: fastparse.trees.lift_treebank(heads, array(random, 62), tree_class),
        lambda: fastparse.trees.projectivize_treebank(small, array(random, 3), labels, encoding),
        lambda: projectivize(small, labels, encoding),
        lambda: deprojectivize(small, labels, encoding),
        lambda: fastparse.Configuration(random.choice(("swap", "two-registers", "covington")), number(random)).legal(),
        lambda: list(fastparse.iter_conllu(TOY, number(random))),
        lambda: fastparse.read_conllu(random.choice((small, words, b"\0" * 9, memoryview(b"1\ta\n")))),
        lambda: treebank[
            random.choice((number(random), slice(number(random), number(random), random.choice((None, 1, -1, 2)))))
        ],
    ]
    return random.choice(choices)


def worker(seed: int, first: int, last: int) -> int:
    parser, expected = toy_parser(), toy_parser().parse(toy()).to_bytes()
    outcomes: Counter[str] = Counter()
    for number_ in range(first, last):
        random = Random(f"{seed} {number_}")
        print(number_, file=sys.stderr, flush=True)
        faulthandler.dump_traceback_later(LIMIT, exit=True)
        try:
            calls(random)()
            outcomes["result"] += 1
        except ALLOWED as error:
            outcomes["Error" if isinstance(error, fastparse.Error) else type(error).__name__] += 1
        except Exception:
            traceback.print_exc()
            return 1
        finally:
            faulthandler.cancel_dump_traceback_later()
        if number_ % 100 == 99 and parser.parse(toy()).to_bytes() != expected:
            print("other trees than at the beginning", file=sys.stderr)
            return 1
    print(dict(outcomes))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--worker", type=int, help="make the calls up to this number in this process")
    options = parser.parse_args()
    if options.worker is not None:
        return worker(options.seed, options.first, options.worker)
    for first in range(options.first, options.first + options.calls, PER_PROCESS):
        last = min(first + PER_PROCESS, options.first + options.calls)
        command = ["-m", "tests.fuzz.arguments", "--seed", options.seed, "--first", first, "--worker", last]
        done = subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"exit status {done.returncode}; the last call and what it said:", file=sys.stderr)
            print("\n".join(done.stderr.splitlines()[-25:]), file=sys.stderr)
            return 1
        print(f"{first} to {last - 1}: {done.stdout.strip()}", flush=True)
    print(f"seed {options.seed}: {options.calls} calls, no findings")
    return 0


if __name__ == "__main__":
    sys.exit(main())
