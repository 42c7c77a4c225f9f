"""Random models: an engine, and the same decisions for the textbook search."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from fastparse.features.attributes import Values
from fastparse.features.inspection import label_keys, move_keys
from fastparse.features.templates import AttributeLayout, plan_of
from fastparse.search.engine import Engine, Loop, Outcome
from fastparse.transition_systems.registry import resolve
from fastparse.weights.building import table_of
from fastparse.weights.learning import LearningTable
from tests.features.material import random_rows, treebank_of, walk
from tests.reference import Configuration as Textbook
from tests.reference.features import Row, View
from tests.reference.search import Model, Result, arc_of

LABELS = ("root", "a", "b", "c", "d")
MOVE_TEMPLATES = (
    "S0.upos", "B0.upos", "S0.upos B0.upos", "S1.upos S0.upos", "S0.form B0.lemma", "S0.l1.deprel S0.rset B0.lset",
    "S0.deprel S0.head.upos", "S0.rval S0.lval B0.lval", "B0.upos B1.upos B2.upos", "S0.upos dist(S0,B0)",
    "S0.next.form arc(S1,S0)", "S0.head2.upos S0.r1.upos S0.r2.upos", "R1.upos S0.upos", "R1.deprel R2.upos arc(S0,R1)",
    "T0.upos B0.upos", "S2.form B3.upos between(S0,B0,NOUN)", "S0.prev.upos B0.feats[Case]", "S1.r1.form", "B0.l1.form",
)  # fmt: skip
LABEL_TEMPLATES = (
    "H.upos D.upos", "D.form dir(H,D)", "H.lset H.rval D.lval", "D.l1.deprel D.r2.deprel", "H.head.upos H.deprel",
    "dist(H,D) D.next.upos",
)  # fmt: skip


def is_tree(heads):
    """Whether every word reaches the root."""
    for word in range(1, len(heads) + 1):
        seen = set()
        while word:
            if word in seen:
                return False
            seen.add(word)
            word = heads[word - 1]
    return True


class RandomModel:
    """Weights for features seen on random walks over some sentences.

    Args:
        name, options: of the transition system and of its textbook version.
        system: a system to search with instead, equal to it.
        size: of the largest weight; 0 makes all choices ties.
        dense: the share of features that have weights.
        compiled: whether the engine reads compiled tables.
    """

    def __init__(
        self, random: Random, name: str, options: dict[str, Any], sentences: list[list[Row]], *, single_root: bool,
        system: Any = None, size: int = 9, dense: float = 0.7, compiled: bool = False, walks: int = 3,
        move_templates: tuple[str, ...] = MOVE_TEMPLATES, labels_with_moves: bool = False,
    ) -> None:  # fmt: skip
        self.system = resolve(name, **options) if system is None else system
        layout = AttributeLayout()
        plans = [plan_of(t, layout, share) for t in (move_templates, LABEL_TEMPLATES) for share in (True, False)]
        alone = {t: plan_of((t,), layout, False) for t in move_templates + LABEL_TEMPLATES}
        self.attributes, self.counted = layout.attributes, layout.counted
        treebank = treebank_of(sentences)
        self.offsets = treebank.offsets.astype(np.int64)
        self.values = Values(treebank, layout.attributes, layout.counted, False)
        self.keys: dict[bool, dict[int, Any]] = {True: {}, False: {}}
        for _ in range(walks if size else 0):
            for s, rows in enumerate(sentences):
                for ours, plain in walk(random, name, options, len(rows), LABELS, self.system):
                    place = ours, self.values, self.offsets, s
                    view = View(plain, rows, LABELS)
                    for template in move_templates:
                        feature = view.feature(template)
                        if feature is not None:
                            self.keys[True][move_keys(alone[template], *place)[0]] = feature
                    for move in (m for m in plain.legal() if m in plain.arc_moves):
                        view = View(plain, rows, LABELS, ends=arc_of(plain, move))
                        for template in LABEL_TEMPLATES:
                            key = label_keys(alone[template], *place, move)[0]
                            self.keys[False][key] = view.feature(template)
        weights = {}
        tables = []
        for moves, classes in ((True, Textbook(name, 0, **options).table), (False, LABELS)):
            weights[moves], table = random_weights(random, self.keys[moves], classes, size, dense, moves, compiled)
            tables.append(table)
        root_labels = {"root", random.choice(LABELS)}
        inner_labels = set(LABELS) - {"root"}
        self.model = Model(
            start=lambda n: Textbook(name, n, **options),
            move_templates=move_templates,
            label_templates=LABEL_TEMPLATES,
            move_weights=weights[True],
            label_weights=weights[False],
            labels=LABELS,
            root_labels=frozenset(root_labels),
            inner_labels=frozenset(inner_labels),
            single_root=single_root,
            labels_with_moves=labels_with_moves,
        )
        masks = [np.array([label in some for label in LABELS], np.uint8) for some in (root_labels, inner_labels)]
        self.engine = Engine(self.system, *plans, *tables, *masks, single_root, labels_with_moves)

    def parse(self, beam: int, **options: Any) -> list[Result]:
        """What the engine makes of each sentence."""
        return results(self.engine, self.values, self.offsets, beam, **options)


def results(engine: Loop, values: Values, offsets: Any, beam: int, **options: Any) -> list[Result]:
    """The trees of an engine, sentence by sentence."""
    out = Outcome(offsets)
    for array in (out.heads, out.labels, out.transitions):
        array[:] = -7
    engine.parse(values, out, 0, len(out.transitions), beam, **options)
    names = [LABELS[i] for i in out.labels]
    bounds = [slice(int(a), int(b)) for a, b in pairwise(offsets)]
    return [Result(out.heads[w].tolist(), names[w], int(t)) for w, t in zip(bounds, out.transitions, strict=True)]


def random_weights(random, features, classes, size, dense, moves, compiled):
    """Weights as a dictionary by feature, and as a table by key."""
    rows = {}
    for key in features:
        chosen = {k: random.randint(-size, size) for k in range(len(classes)) if random.random() < dense}
        chosen = {k: weight for k, weight in chosen.items() if weight}
        if chosen:
            rows[key] = chosen
    by_feature = {features[key]: {classes[k]: w for k, w in row.items()} for key, row in rows.items()}
    keys = np.array(list(rows), np.uint64)
    counts = np.array([len(row) for row in rows.values()], np.int32)
    cls = np.array([k for row in rows.values() for k in row], np.int32)
    weights = np.array([w for row in rows.values() for w in row.values()], np.int32)
    if compiled:
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return by_feature, table_of(len(classes), moves, keys, starts, cls, weights)
    table = LearningTable(len(classes))
    drift = np.zeros(len(cls), np.int64)
    table.restore({"keys": keys, "counts": counts, "classes": cls, "weights": weights, "drift": drift})
    return by_feature, table


def random_sentences(random: Random, most: int, n: int) -> list[list[Row]]:
    """Sentences of 1 to `most` words."""
    return [random_rows(random, random.randint(1, most)) for _ in range(n)]
