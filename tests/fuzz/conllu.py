"""Random mutation of real treebanks against the reader and the writer.

    python -m tests.fuzz.conllu FOLDER_OF_TREEBANKS --executions 200000 --seed 1

Meant for the sanitizer build (docs/robustness.md says how); it runs on any. One execution takes a few sentences of a
real file, or an input of the table of edge cases, damages them, reads them in all modes and holds the outcome against
what is promised:

    stop   either an error with a place and a remedy, or the bytes come back
    keep   the bytes come back, and batches give the same as the whole
    skip   what is left out is counted, and what is written reads without a problem

Anything else, an unexpected exception, or an execution of more than ten seconds stops the run with exit status 1 and
prints the input. The seed determines every input.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import fastparse
from tests.corpus.cases import READ, REFUSED

PIECES = [
    b"\t", b"\n", b"\r", b"\r\n", b"\n\n", b" ", b"#", b"# sent_id = x\n", b"_", b"-", b".", b"0", b"1", b"9" * 9,
    b"9" * 10,
    b"1-2", b"2-1", b"0.1", b"1.1", b"\0", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xc2\x85", b"\xff", b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80", b"\xf0\x9f\x98\x80", b"\x1f\x8b", b"1\ta\t_\tX\t_\t_\t0\tr\t_\t_\n", b"\t_\t_", b"x" * 300,
]  # fmt: skip
LIMIT = 10.0  # seconds


def mutate(data: bytes, random: Random) -> bytes:
    """The input with a few random changes."""
    for _ in range(random.choice((0, 1, 1, 2, 3, 5, 9))):
        at = random.randrange(len(data) + 1)
        kind = random.randrange(9)
        if kind == 0:
            data = data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + random.choice(PIECES) + data[at:]
        elif kind == 2:
            data = data[:at] + random.choice(PIECES) + data[at + random.randrange(8) :]
        elif kind == 3:
            data = data[:at] + data[at + random.randrange(1, 40) :]
        elif kind == 4:
            data = data[:at]
        elif kind in (5, 6):  # a line twice, or elsewhere
            lines = data.split(b"\n")
            line = lines[random.randrange(len(lines))] if kind == 5 else lines.pop(random.randrange(len(lines)))
            lines.insert(random.randrange(len(lines) + 1), line)
            data = b"\n".join(lines)
        elif kind == 7:  # one cell replaced
            lines = data.split(b"\n")
            k = random.randrange(len(lines))
            cells = lines[k].split(b"\t")
            cells[random.randrange(len(cells))] = random.choice(PIECES)
            lines[k] = b"\t".join(cells)
            data = b"\n".join(lines)
        else:
            data = data.replace(b"\n", b"\r\n") if random.random() < 0.5 else data.replace(b"\t_", b"", 1)
    return data


def seeds(folder: Path, random: Random) -> list[bytes]:
    """Pieces of one to six sentences of every file, and the edge cases."""
    found = [case.data for case in READ + REFUSED if len(case.data) < 10_000]
    for path in sorted(folder.glob("*/*.conllu")):
        sentences = path.read_bytes()[:2_000_000].split(b"\n\n")[:-1]
        for _ in range(200):
            begin = random.randrange(len(sentences))
            found.append(b"\n\n".join(sentences[begin : begin + random.randrange(1, 7)])[:6000] + b"\n\n")
    return found


def check(condition: object, what: str) -> None:
    if not condition:
        raise RuntimeError(what)


def columns(treebanks: list[fastparse.Treebank]) -> list[object]:
    """Everything there is to know of the words, for comparison."""
    return [
        (s.forms, s.lemmas, s.upos, s.xpos, s.feats, s.deps, s.misc, s.heads, s.deprels, s.sent_id, s.line, s.comments)
        for treebank in treebanks
        for s in treebank
    ]


def execute(data: bytes, random: Random) -> str:
    """Read and write one input in every way; the name of the outcome."""
    if data[:2] == b"\x1f\x8b":
        data = b"#" + data  # compressed streams are another test
    outcome = "read"
    try:
        whole = fastparse.read_conllu(data)
        check(whole.to_bytes() == data, "the bytes read do not come back")
    except fastparse.ConlluError as error:
        outcome = "refused"
        message = str(error)
        check(message.startswith("<bytes>:") and "on_error=" in message, f"poor message: {message}")
    kept = fastparse.read_conllu(data, on_error="keep")
    check(kept.to_bytes() == data, "the bytes kept do not come back")
    check((kept.kept_unparsed == 0) == (outcome == "read"), "the modes disagree whether there is a problem")
    batch_words = random.choice((1, 7, 1000))
    batches = list(fastparse.iter_conllu(data, batch_words=batch_words, on_error="keep"))
    check(b"".join(batch.to_bytes() for batch in batches) == data, "the batches are not the whole")
    check(columns(batches) == columns([kept]), "the batches have other words than the whole")
    skipped = fastparse.read_conllu(data, on_error="skip")
    check(skipped.skipped == kept.kept_unparsed, "skip and keep count differently")
    check(columns([skipped]) == columns([kept]), "skip and keep read different words")
    again = fastparse.read_conllu(skipped.to_bytes())
    check([s.forms for s in again] == [s.forms for s in skipped], "what skip leaves does not read the same")
    other = kept.with_heads([0] * kept.n_words, [0] * kept.n_words, [random.choice(("r", "a:longer:label"))])
    deps = random.choice(("keep", "keep", "blank", "copy"))
    try:
        changed = fastparse.read_conllu(other.to_bytes(deps), on_error="keep")
    except fastparse.Error as error:
        check("needs the column DEPS" in str(error), f"unexpected: {error}")
        changed = fastparse.read_conllu(other.to_bytes(), on_error="keep")
    check(changed.kept_unparsed == kept.kept_unparsed, "writing other heads changes what can be read")
    check([s.forms for s in changed] == [s.forms for s in kept], "writing other heads changes the words")
    check(not changed.heads.any(), "the heads written do not come back")
    order = list(range(len(kept)))
    random.shuffle(order)
    chosen = kept.select(order)
    check([s.forms for s in fastparse.read_conllu(chosen.to_bytes())] == [kept[i].forms for i in order], "select")
    kept.trees()
    for column in ("form", "feats", "deprel", "misc"):
        check(len(kept.hashes(column)) == len(kept.table(column)), "as many hashes as strings")
    return outcome


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--executions", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = Random(options.seed)
    pool = seeds(options.folder, random)
    outcomes: Counter[str] = Counter()
    slowest = 0.0
    begin = time.monotonic()
    for i in range(options.executions):
        data = mutate(random.choice(pool), random)
        at = time.monotonic()
        try:
            outcomes[execute(data, random)] += 1
        except Exception as error:
            print(f"execution {i} of seed {options.seed}: {error!r}\n{data!r}", file=sys.stderr)
            return 1
        slowest = max(slowest, time.monotonic() - at)
        if slowest > LIMIT:
            print(f"execution {i} of seed {options.seed} took {slowest:.1f} s\n{data!r}", file=sys.stderr)
            return 1
        if (i + 1) % 10_000 == 0:
            print(f"{i + 1:,} executions, {time.monotonic() - begin:.0f} s, {dict(outcomes)}", flush=True)
    counts = f"{options.executions:,} executions, {dict(outcomes)}"
    print(f"seed {options.seed}: {counts}, slowest {slowest:.2f} s, no findings")
    return 0


if __name__ == "__main__":
    sys.exit(main())
