"""Transition systems beside each other, with encoders: a table of scores on many treebanks.

    python -m research.encoders [NAME ...] [--systems A,B,...] [--size small] [--sample WORDS] [--learnt-beam N]
        [--json FILE]

For each folder with train.conllu and dev.conllu and each system a parser is learnt from gold tags, all rounds with the
same plan, and parses the development set greedily and with a beam of 4: LAS over all words, labels whole; the share of
crossed and of uncrossed gold arcs that are found with their labels. The last round is taken, so nothing is chosen on
the development set. --json keeps what is done, and a run that is started again goes on there.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

import fastparse
from benchmarks.harness import add_treebanks, treebank_path
from fastparse.evaluation.breakdowns import crossed_arcs

SYSTEMS = ("arc-eager", "hybrid", "two-registers", "swap", "2-planar", "planar")
BEAMS = (1, 4)


def scores(gold: fastparse.Treebank, parsed: fastparse.Treebank) -> dict[str, float]:
    """LAS, and recall of crossed and uncrossed arcs with labels, in per cent."""
    labels = np.array(gold.deprels) == np.array(parsed.deprels)
    right = (gold.heads == parsed.heads) & labels
    crossed = crossed_arcs(gold.heads, gold.offsets)
    return {
        "las": round(100 * float(right.mean()), 2),
        "crossed": round(100 * float(right[crossed].mean()), 2) if crossed.any() else 0.0,
        "uncrossed": round(100 * float(right[~crossed].mean()), 2),
    }


def sample_of(treebank: fastparse.Treebank, words: int | None) -> fastparse.Treebank:
    """The first sentences, of so many words at most."""
    if words is None or treebank.n_words <= words:
        return treebank
    return treebank[: int(np.searchsorted(treebank.offsets, words, side="right")) - 1]


def measured(folder: Path, name: str, system: str, args: argparse.Namespace) -> dict[str, Any]:
    """What one system has on one treebank."""
    train, dev = (fastparse.read_conllu(treebank_path(folder, part, name)) for part in ("train", "dev"))
    sample = sample_of(train, args.sample)
    parser = fastparse.train(
        sample, system, encoder=args.size, components=("parser",), tags="gold", seed=args.seed,
        learnt_beam=args.learnt_beam,
    )  # fmt: skip
    found: dict[str, Any] = {f"beam {beam}": scores(dev, parser.parse(dev, beam=beam)) for beam in BEAMS}
    return {**found, "words": sample.n_words, "crossed arcs": _n_crossed(dev)}


def _n_crossed(treebank: fastparse.Treebank) -> int:
    return int(crossed_arcs(treebank.heads, treebank.offsets).sum())


def table(record: dict[str, dict[str, Any]], systems: list[str]) -> str:
    """Markdown: LAS greedily and with a beam, and in brackets the crossed arcs that the beam finds."""
    lines = [f"| treebank | words | crossed arcs | {' | '.join(systems)} |", "|---" * (3 + len(systems)) + "|"]
    for name, row in record.items():
        if any(system not in row for system in systems):
            continue
        first = row[systems[0]]
        cells = [
            f"{row[s]['beam 1']['las']:.2f}, {row[s]['beam 4']['las']:.2f} ({row[s]['beam 4']['crossed']:.1f})"
            for s in systems
        ]
        lines.append(f"| {name} | {first['words']:,} | {first['crossed arcs']:,} | {' | '.join(cells)} |")
    whole = [row for row in record.values() if all(system in row for system in systems)]
    if len(whole) > 1:
        means = [
            tuple(np.mean([row[s][beam][what] for row in whole]) for beam, what in
                  (("beam 1", "las"), ("beam 4", "las"), ("beam 4", "crossed")))
            for s in systems
        ]  # fmt: skip
        lines.append("| mean | | | " + " | ".join("{:.2f}, {:.2f} ({:.1f})".format(*mean) for mean in means) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add_treebanks(parser)
    add = parser.add_argument
    add("names", nargs="*", help="folders (default: all)")
    add("--systems", default=",".join(SYSTEMS))
    add("--size", choices=("small", "default"), default="small")
    add("--sample", type=int, metavar="WORDS", help="learn from the first sentences alone")
    add("--seed", type=int, default=1)
    add("--learnt-beam", type=int, metavar="N", help="0: learn from no beams (default: as training does)")
    add("--json", type=Path, metavar="FILE")
    args = parser.parse_args()
    systems = args.systems.split(",")
    names = args.names or sorted(path.parent.name for path in args.treebanks.glob("*/train.conllu"))
    record = json.loads(args.json.read_text(encoding="utf-8")) if args.json and args.json.exists() else {}
    for name in names:
        for system in systems:
            if system in record.setdefault(name, {}):
                continue
            record[name][system] = measured(args.treebanks, name, system, args)
            print(f"{name:22} {system:14} {json.dumps(record[name][system])}", flush=True)
            if args.json:
                args.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(table(record, systems))


if __name__ == "__main__":
    main()
