"""What a model loses when tags are missing or wrong, for people's tags are not gold.

    python -m research.tags GOLD.conllu [--model en] [--share 0.05] [--seed 1]

Columns are blanked, or replaced in a share of the words by the value of another word drawn at random.
"""

from __future__ import annotations

import argparse

import numpy as np

import fastparse

COLUMNS = ("upos", "xpos", "feats")


def column(treebank: fastparse.Treebank, name: str) -> list[str]:
    table = treebank.table(name)
    return [table[i] for i in np.asarray(treebank.ids(name)).tolist()]


def variants(treebank: fastparse.Treebank, share: float, seed: int) -> list[tuple[str, dict[str, list[str]]]]:
    """Name -> the columns, each a change of the gold ones."""
    gold = {name: column(treebank, name) for name in ("form", "lemma", *COLUMNS)}
    found = [("gold", gold)]
    n = len(gold["form"])
    for name in (*COLUMNS, "lemma"):
        found.append((f"{name} missing", {**gold, name: ["_"] * n}))
    found.append(
        ("xpos, feats and lemma missing", {**gold, **{name: ["_"] * n for name in ("xpos", "feats", "lemma")}})
    )
    for names in (("upos",), ("xpos",), ("feats",), COLUMNS):
        random = np.random.default_rng(seed)
        wrong = np.flatnonzero(random.random(n) < share)
        others = random.integers(0, n, size=len(wrong))
        changed = dict(gold)
        for name in names:
            values = list(gold[name])
            for at, other in zip(wrong.tolist(), others.tolist(), strict=True):
                values[at] = gold[name][other]
            changed[name] = values
        found.append((f"{', '.join(names)} wrong in {share:.0%}", changed))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gold")
    parser.add_argument("--model", default="en")
    parser.add_argument("--share", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    model = fastparse.load(args.model)
    gold = fastparse.read_conllu(args.gold)
    offsets = np.asarray(gold.offsets).tolist()
    print("| tags | UAS | LAS |\n|---|---|---|")
    for name, columns in variants(gold, args.share, args.seed):
        sentences = fastparse.Treebank.from_columns(
            columns["form"], upos=columns["upos"], xpos=columns["xpos"], feats=columns["feats"],
            lemmas=columns["lemma"], heads=gold.heads.tolist(), deprels=gold.deprels, offsets=offsets,
        )  # fmt: skip
        parsed = model.parse(sentences)
        scores = fastparse.evaluate(sentences, parsed, convention="all")
        print(f"| {name} | {scores.uas:.2f} | {scores.las:.2f} |", flush=True)


if __name__ == "__main__":
    main()
