"""Random sentences, and walks of a configuration beside its textbook version."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import fastparse
from fastparse.features.attributes import Values
from fastparse.features.plan import Plan
from fastparse.features.templates import AttributeLayout, plan_of
from fastparse.theory.configuration import CellConfiguration
from fastparse.transition_systems.registry import resolve
from tests.reference import Configuration as Textbook
from tests.reference.base import System
from tests.reference.features import Row

FORMS = ("a", "zu", "Haus", "Häuser", "größer", "木", "木材", "日本語", "🙂", "cafe\u0301", "running", "runs")
TAGS = ("NOUN", "VERB", "PUNCT", "ADJ")
FEATS = ("_", "Case=Nom", "Case=Acc|Number=Sing", "Number=Plur", "Case=Nom|Number=Plur", "Cas=Nom|XCase=Gen")
LABELS = tuple(f"l{i}" for i in range(150))  # more than fit a label set

# Systems that search runs, with options that change what is legal.
SEARCHED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("arc-standard", {}),
    ("arc-standard/buffer", {}),
    ("arc-eager", {}),
    ("hybrid", {}),
    ("swap", {}),
    ("attardi", {}),
    ("planar", {}),
    ("planar", {"root": "absent", "covered_roots": False}),
    ("2-planar", {}),
    ("2-planar", {"root": "absent"}),
    ("covington", {}),
    ("two-registers", {}),
    ("three-registers", {}),
)


def random_rows(random: Random, n: int) -> list[Row]:
    """The words of a sentence."""
    return [
        {
            "form": random.choice(FORMS),
            "lemma": random.choice("xyz"),
            "upos": random.choice(TAGS),
            "xpos": random.choice("PQ"),
            "feats": random.choice(FEATS),
            "misc": random.choice(("_", "Gloss=a", "SpaceAfter=No|Gloss=b")),
        }
        for _ in range(n)
    ]


def treebank_of(sentences: list[list[Row]]) -> fastparse.Treebank:
    """Sentences as a treebank; every word hangs from the word before it."""
    lines = []
    for rows in sentences:
        for i, row in enumerate(rows):
            columns = (i + 1, row["form"], row["lemma"], row["upos"], row["xpos"], row["feats"], i, "l0", "_")
            lines.append("\t".join(map(str, (*columns, row["misc"]))))
        lines.append("")
    return fastparse.read_conllu(("\n".join(lines) + "\n").encode())


def walk(
    random: Random, name: str, options: dict[str, Any], n: int, labels: tuple[str, ...] = LABELS, system: Any = None
) -> Iterator[tuple[CellConfiguration, System]]:
    """A configuration and its textbook version after each random move, from the first to the last."""
    ours = CellConfiguration(resolve(name, **options) if system is None else system, n, labels)
    plain = Textbook(name, n, **options)
    yield ours, plain
    while moves := plain.legal():
        move = random.choice(moves)
        if move in plain.arc_moves:
            move += f":{random.choice(labels)}"
        ours.apply(move)
        plain.apply(move)
        yield ours, plain


class Material:
    """Templates compiled one by one and together, and the attributes of some sentences under all of them."""

    def __init__(self, templates: tuple[str, ...], sentences: list[list[Row]], joined: bool = False) -> None:
        self.layout = AttributeLayout()
        self.templates, self.sentences = templates, sentences
        self.alone: list[Plan] = [plan_of((line,), self.layout, False) for line in templates]
        self.shared: Plan = plan_of(templates, self.layout, True)
        self.flat: Plan = plan_of(templates, self.layout, False)
        treebank = treebank_of(sentences)
        self.offsets = treebank.offsets.astype("int64")
        self.values = Values(treebank, self.layout.attributes, self.layout.counted, joined)
