"""Random mutation of model files against loading and parsing.

    python -m tests.fuzz.models --executions 200000 --seed 1

Meant for the sanitizer build (docs/robustness.md says how); it runs on any. One execution takes a small model, damages
its bytes, or its header or arrays with all checksums made right again, and loads it. Either that ends in
ModelFormatError, or the model parses a few sentences, greedily or with a beam, into trees. Anything else, or an
execution of more than ten seconds, stops the run with exit status 1 and leaves the file. Seed and number determine
each execution; `--first` goes on with a run where an earlier one ended.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import signal
import struct
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import fastparse
import fastparse.parser
from fastparse.model.storage import Container, content_of, read_container
from fastparse.theory.compose import ARC, B0, POP, PUSH, S0, compose, has_head, no_head
from fastparse.weights.building import checksum

TOY = Path(__file__).parents[1] / "data" / "toy.conllu"
LIMIT = 10  # seconds
TEXT = (
    "She doesn't read old books, about the sea.\nHe\twon't!  Or\n\nwill they (not)? Anna sang 3.5 times: "
    "\u00ab\u00c9t\u00e9\u00bb\u2026\r\n"
)
TEMPLATES = """[moves]
S0.upos B0.upos
S0.form B0.form
S0.upos B0.upos B1.upos
S0.l1.deprel S0.rset
S0.upos dist(S0,B0)
R1.upos
[labels]
H.upos D.upos dir(H,D)
D.form
D.lset between(H,D,VERB)
"""
# fmt: off
VALUES: list[Any] = [
    None, True, False, -1, 0, 1, 2, 3, 63, 64, 255, 256, 1023, 1024, 65535, 65536, 2**31 - 1, 2**31, 2**32, 2**63,
    2**64, 10**30, 1.5, -0.0, 1e308, "", "x", "_", "root", "arc-eager", "easy-first", "three-step", "swap",
    "planar/graph", "two-registers", "dag/arc-eager", "three-step/left", "covington", "head", "path", "\0", "a\tb",
    "\ud800", [], {}, [0], [0, 0], [[]], {"root": "absent"}, {"oracle": "eager"}, "u1", "u4", "i8", [10**9], [-1],
]
LINES = [
    "[moves]", "[labels]", "[", "S0.upos", "S0.form S1.form S2.form B0.form B1.form B2.form B3.form", "H.upos", "S0.",
    "D.upos H.form", "dist(S0,B0)", "between(S0,B0,NOUN) S0.upos", "T0.upos R1.upos R2.deprel", "{S0,B0}.{form,upos}",
    "{" * 40, "S0.head2.feats[Case]", "S0.misc[x]", ".", "S0.upos " * 9, "S0.next.upos B3.prev2.suf4",
    "{S0,S1,S2,B0}.{upos} {R1,R2,T0}.{upos}",
]
# fmt: on
SPELLED = b"\\u0001----"  # ten bytes, as a surrogate and four dashes


def models(folder: Path) -> list[tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]]:
    """Headers and arrays of sound models of several kinds."""
    toy = fastparse.read_conllu(TOY)
    small = folder / "templates.txt"
    small.write_text(TEMPLATES)
    composed = compose(
        "composed",
        SHIFT=[PUSH],
        REDUCE=[POP],
        LEFT_ARC=[ARC(B0, S0), POP],
        RIGHT_ARC=[ARC(S0, B0), PUSH],
        only_if={"REDUCE": has_head(S0), "LEFT_ARC": no_head(S0)},
    )
    many = toy.with_heads(toy.heads)
    many.deprels = [f"{label}{i % 300}" for i, label in enumerate(many.deprels)]
    trained = [
        fastparse.train(
            toy, system, beam=beam, iterations=2, templates=small, components=("parser",), encoder=None, **options
        )
        for system, beam, options in (
            ("arc-eager", 4, {}),
            ("two-registers", 2, {}),
            ("covington", 2, {}),
            ("2-planar", 2, {}),
            (composed, 2, {}),
            ("arc-standard", 1, {"pseudo_projective": "head+path"}),
        )
    ]
    trained.append(
        fastparse.train(
            many, "swap", beam=2, iterations=2, templates=small, single_root=False, components=("parser",), encoder=None
        )
    )
    trained.append(fastparse.train(toy, "arc-eager", beam=2, iterations=1, encoder=None))
    for system in ("easy-first", "three-step"):
        try:
            trained.append(
                fastparse.train(
                    toy, system, beam=1, iterations=1, templates=small, components=("parser",), encoder=None
                )
            )
        except fastparse.Error as error:
            print(f"without {system}: {error}")
    # All four components, one parser with an encoder.
    for encoder in ("small", None):
        trained.append(fastparse.train(toy[:40], iterations=1, encoder=encoder))
    found = []
    for parser in trained:
        parser.save(folder / "sound.fp")
        container = read_container(folder / "sound.fp")
        found.append((container.header, {name: np.array(array) for name, array in container.arrays.items()}))
    return found


def flip(data: bytes, random: Random) -> bytes:
    """Bytes changed, cut out, put in, or cut off."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 4, 16))):
        at = random.randrange(len(changed) + 1)
        kind = random.randrange(8)
        if kind < 4:
            changed[at : at + 1] = bytes([random.randrange(256)])
        elif kind == 4:
            changed[at : at + 4] = struct.pack("<I", random.choice((0, 1, 255, 2**16, 2**31, 2**32 - 1)))
        elif kind == 5:
            del changed[at : at + random.randrange(1, 65)]
        elif kind == 6:
            changed[at:at] = random.randbytes(random.randrange(1, 65))
        else:
            del changed[at:]
    return bytes(changed)


def mended(data: bytes) -> bytes:
    """The same with sizes and checksums that fit."""
    if len(data) < 128:
        return data
    changed = bytearray(data)
    struct.pack_into("<Q", changed, 24, len(changed))
    struct.pack_into("<Q", changed, 64, checksum(bytes(changed[128:])))
    struct.pack_into("<Q", changed, 120, checksum(bytes(changed[:120])))
    return bytes(changed)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in nested JSON."""
    found: list[tuple[Any, Any]] = []
    rest = [value]
    while rest:
        item = rest.pop()
        keys = list(item) if isinstance(item, dict) else range(len(item)) if isinstance(item, list) else ()
        for key in keys:
            found.append((item, key))
            rest.append(item[key])
    return found


def change_header(header: dict[str, Any], random: Random) -> None:
    """Change the JSON in a few places."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        parts = [header["description"]] * 4 if isinstance(header.get("description"), dict) else []
        if isinstance(header.get("components"), dict):
            parts += [component for component in header["components"].values() if isinstance(component, dict)]
        part = random.choice([*parts, header])
        found = places(part)
        if not found:
            return
        owner, key = random.choice(found)
        if random.random() < 0.25 and isinstance(part.get("templates"), str):
            lines = part["templates"].split("\n")
            lines[random.randrange(len(lines))] = random.choice(LINES)
            part["templates"] = "\n".join(lines)
        elif random.random() < 0.15:
            del owner[key]
        elif random.random() < 0.2 and isinstance(owner[key], list) and owner[key]:
            owner[key].append(copy.deepcopy(random.choice(owner[key])))
        else:
            other, other_key = random.choice(found)
            owner[key] = copy.deepcopy(random.choice(VALUES) if random.random() < 0.7 else other[other_key])


def change_arrays(arrays: dict[str, np.ndarray[Any, Any]], random: Random) -> None:
    """Change the weights."""
    name = random.choice(sorted(arrays))
    data = arrays[name]
    kind = random.randrange(8)
    if kind == 0 and len(data):
        arrays[name] = data[: random.randrange(len(data) + 1)]
    elif kind == 1:
        arrays[name] = data[: len(data) // 8 * 8 - 8 * random.randrange(4)]
    elif kind == 2:
        arrays[name] = np.concatenate([data, np.zeros((8 * random.randrange(1, 4), *data.shape[1:]), data.dtype)])
    elif kind == 3:
        arrays[name] = arrays[random.choice(sorted(arrays))]
    elif kind == 4:
        del arrays[name]
    else:
        data = np.ascontiguousarray(data).copy()
        flat = data.reshape(-1).view(np.uint8)
        for _ in range(random.choice((1, 2, 8, 64))):
            if len(flat) >= 8:
                at = random.randrange(len(flat) // 4) * 4
                wide = (0, 1, len(flat), len(flat) // 2, len(flat) // 8, 2**31, 2**32 - 1)
                if random.random() < 0.5:
                    flat[at : at + 4] = np.frombuffer(struct.pack("<I", random.choice(wide)), np.uint8)
                else:
                    flat[random.randrange(len(flat))] = random.randrange(256)
        if random.random() < 0.02:
            data[...] = random.choice((0, 1))
        arrays[name] = data


def damaged(model: tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]], random: Random) -> tuple[str, bytes]:
    """A kind of damage and the file."""
    header, arrays = copy.deepcopy(model[0]), dict(model[1])
    kind = random.choice(("bytes", "mended bytes", "header", "header", "header", "arrays", "arrays", "both"))
    if kind in ("header", "both"):
        change_header(header, random)
    if kind in ("arrays", "both"):
        change_arrays(arrays, random)
    # JSON can spell lone surrogates, which cannot be written: they are put in afterwards.
    header = json.loads(json.dumps(header).replace("\\ud800", SPELLED.decode()))
    data = b"".join(content_of(header, arrays))
    if SPELLED in data:
        data = mended(data.replace(SPELLED, b"\\ud800----"))
    if kind == "bytes":
        data = flip(data, random)
    elif kind == "mended bytes":
        data = mended(flip(data, random))
    return kind, data


def on_the_heap(path: Any, *args: Any, **options: Any) -> Container:
    """The container with its arrays copied out of the mapped file, so that the sanitizer sees where each ends."""
    container = read_container(path, *args, **options)
    arrays = {name: np.array(array) for name, array in container.arrays.items()}
    return Container(container.header, arrays, container.sha256)


def execute(path: Path, sentences: fastparse.Treebank, beam: int) -> str:
    """Load a file and, if that works, parse with it."""
    try:
        parser = fastparse.load(path)
    except fastparse.ModelFormatError:
        return "refused"
    parsed = parser.parse(sentences, beam=1 if parser.system == "easy-first" else beam)
    if not parsed.trees().all():
        raise AssertionError("not a tree")
    parsed.to_bytes()
    if "tokenizer" not in parser.components:
        return "parsed"
    read = parser.parse_text(TEXT)
    if not read.trees().all() or fastparse.read_conllu(read.to_bytes()).n_words != read.n_words:
        raise AssertionError("what is written of a text is not what was read")
    for piece in fastparse.read_conllu(read.to_bytes()):
        if "" in (*piece.forms, *piece.upos):
            raise AssertionError("an empty cell")
    return "parsed, and a text"


def weight(header: dict[str, Any]) -> float:
    """How often a model is chosen: composed systems, long templates and many labels take long to open or to parse."""
    description = header["description"]
    if description["recipe"]:
        return 0.02
    if "components" in header and len(header["components"]) > 1:
        return 0.5
    if len(description.get("templates", "")) > 2000:
        return 0.05
    return 0.3 if len(description["labels"]) > 255 else 1


def late(signum: int, frame: Any) -> None:
    raise TimeoutError(f"more than {LIMIT} seconds")


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--executions", type=int, default=200_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--first", type=int, default=0)
    args = arguments.parse_args()
    signal.signal(signal.SIGALRM, late)
    fastparse.parser.read_container = on_the_heap
    outcomes: Counter[str] = Counter()
    begun = last = time.monotonic()
    sentences = fastparse.read_conllu(TOY)[17:21]
    fast = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=fast) as folder:
        path = Path(folder) / "model.fp"
        sound = models(Path(folder))
        weights = [weight(header) for header, _ in sound]
        for number in range(args.first, args.first + args.executions):
            random = Random(f"{args.seed}/{number}")
            kind, data = damaged(random.choices(sound, weights)[0], random)
            path.write_bytes(data)
            signal.alarm(LIMIT)
            try:
                outcomes[f"{kind}, {execute(path, sentences, random.choice((1, 3)))}"] += 1
            except BaseException as error:
                kept = Path(tempfile.gettempdir()) / f"fuzzed-{args.seed}-{number}.fp"
                kept.write_bytes(data)
                print(f"execution {number} ({kind}): {type(error).__name__}: {error}; the file is {kept}")
                raise
            finally:
                signal.alarm(0)
            if time.monotonic() - last > 30:
                last = time.monotonic()
                done = number + 1 - args.first
                print(f"{done:,} executions, {done / (last - begun):.0f} per second", file=sys.stderr)
    numbers = f"{args.first:,} to {args.first + args.executions - 1:,}"
    print(f"{args.executions:,} executions ({numbers}), seed {args.seed}, {time.monotonic() - begun:.0f} s")
    for outcome, count in sorted(outcomes.items()):
        print(f"{count:>9,}  {outcome}")


if __name__ == "__main__":
    main()
