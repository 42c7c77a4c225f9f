"""Keys of features tell apart exactly what the textbook reading of templates tells apart."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from fastparse.features.inspection import label_keys, move_keys, pair_keys
from fastparse.features.templates import load_templates
from fastparse.theory.configuration import CellConfiguration
from fastparse.transition_systems.registry import resolve
from tests.features.material import LABELS, SEARCHED, Material, random_rows, walk
from tests.reference import Configuration as Textbook
from tests.reference.features import View
from tests.reference.search import arc_of

POSITIONS = ("S0", "S1", "S2", "B0", "B1", "B2", "B3", "R1", "R2", "R3", "T0")
RELATIONS = ("", ".head", ".head2", ".l1", ".l2", ".r1", ".r2", ".prev", ".next", ".prev2", ".next2")
ARCS = (
    "deprel", "head.deprel", "l1.deprel", "l2.deprel", "r1.deprel", "r2.deprel", "lval", "rval", "lset", "rset",
    "llabels", "rlabels",
)  # fmt: skip
PAIRS = ("dist({0},{1})", "arc({0},{1})", "dir({0},{1})", "between({0},{1},NOUN)", "between({0},{1},PUNCT)")
WORDS = (
    "form", "lemma", "upos", "xpos", "tag", "feats", "feats[Case]", "feats[Number]", "misc[Gloss]",
    "pre1", "pre2", "pre3", "pre4", "suf1", "suf2", "suf3", "suf4",
)  # fmt: skip
TERMS = (
    *(f"{p}{relation}.form" for p in POSITIONS for relation in RELATIONS),
    *(f"{p}.{attribute}" for p in POSITIONS for attribute in ARCS),
    *(f"S0.{attribute}" for attribute in WORDS),
    *(p.format(a, b) for p in PAIRS for a, b in (("S0", "B0"), ("S1", "S0"), ("R1", "S0"), ("T0", "B1"), ("B3", "R2"))),
)
COMBINED = (
    "S0.form S0.upos", "S0.upos S0.form B0.lemma", "S0.feats[Case] S0.suf2 S0.tag B0.form", "R1.upos S0.upos",
    "R1.upos R2.upos S0.form", "T0.upos S0.upos arc(T0,S0)", "S0.l1.form S0.l1.upos S0.lset",
    "S2.upos S1.upos S0.upos B0.upos B1.upos B2.upos", "S0.rset S0.lset S0.rval S0.lval S0.deprel S0.head.deprel",
    "S0.next.form S0.next.upos S0.form dist(S0,B0) dir(S0,B0) between(S0,B0,VERB)", "B3.lval B1.l1.deprel",
)  # fmt: skip
LABEL_TERMS = (
    *(f"{p}{relation}.form" for p in "HD" for relation in RELATIONS),
    *(f"{p}.{attribute}" for p in "HD" for attribute in ARCS),
    *(p.format(a, b) for p in PAIRS for a, b in ("HD", "DH")),
    "H.form H.upos D.form D.upos dir(H,D)",
)


class OneToOne:
    """Keys and features seen so far."""

    def __init__(self):
        self.features, self.keys = {}, {}

    def add(self, key, feature):
        assert self.features.setdefault(key, feature) == feature
        assert self.keys.setdefault(feature, key) == key


@pytest.mark.parametrize("joined", [False, True])
@pytest.mark.parametrize(("name", "options"), SEARCHED)
def test_keys_are_what_the_textbook_reads(name, options, joined):
    random = Random(f"{name} {options}")
    sentences = [random_rows(random, n) for n in (1, 2, 5, 9, 14)]
    material = Material(TERMS + COMBINED, sentences, joined)
    seen = OneToOne()
    states = 0
    for number, rows in enumerate(sentences):
        for ours, plain in walk(random, name, options, len(rows), LABELS):
            states += 1
            view = View(plain, rows, LABELS, joined)
            for template, plan in zip(material.templates, material.alone, strict=True):
                keys = move_keys(plan, ours, material.values, material.offsets, number)
                feature = view.feature(template)
                if feature is None:
                    assert keys == []
                else:
                    (key,) = keys
                    seen.add(key, feature)
    assert states > 30
    assert len(seen.keys) > 400


@pytest.mark.parametrize(("name", "options"), SEARCHED)
def test_labels_are_chosen_by_the_two_ends(name, options):
    random = Random(f"{name} {options}")
    sentences = [random_rows(random, n) for n in (2, 6, 9)]
    material = Material(LABEL_TERMS, sentences)
    seen = OneToOne()
    for number, rows in enumerate(sentences):
        for ours, plain in walk(random, name, options, len(rows)):
            arcs = [(move, arc_of(plain, move)) for move in plain.legal() if move in plain.arc_moves]
            for move, ends in arcs:
                view = View(plain, rows, LABELS, ends=ends)
                for template, plan in zip(material.templates, material.alone, strict=True):
                    (key,) = label_keys(plan, ours, material.values, material.offsets, number, move)
                    seen.add(key, view.feature(template))
                    assert pair_keys(plan, ours, material.values, material.offsets, number, *ends) == [key]
    assert len(seen.keys) > 150


@pytest.mark.parametrize(("name", "options"), SEARCHED)
@pytest.mark.parametrize("templates", ["two-registers", "arc-standard", "2-planar", "arc-eager-fast", "terms"])
def test_grouping_does_not_change_the_keys(name, options, templates):
    random = Random(f"{name} {options} {templates}")
    lines = COMBINED + TERMS[::3] if templates == "terms" else load_templates(templates).moves
    sentences = [random_rows(random, n) for n in (1, 4, 11)]
    material = Material(lines, sentences)
    for number, rows in enumerate(sentences):
        for ours, _ in walk(random, name, options, len(rows)):
            place = ours, material.values, material.offsets, number
            alone = [key for plan in material.alone for key in move_keys(plan, *place)]
            assert Counter(move_keys(material.shared, *place)) == Counter(alone)
            assert Counter(move_keys(material.flat, *place)) == Counter(alone)


def test_valencies_saturate():
    rows = random_rows(Random(1), 300)
    material = Material(("S0.rval", "S0.form"), [rows])
    seen = OneToOne()
    ours, plain = CellConfiguration(resolve("arc-eager"), 300, LABELS), Textbook("arc-eager", 300)
    for _ in range(299):
        for move in ("RIGHT-ARC:l1", "REDUCE"):
            ours.apply(move)
            plain.apply(move)
        (key,) = move_keys(material.alone[0], ours, material.values, material.offsets, 0)
        seen.add(key, View(plain, rows, LABELS).feature("S0.rval"))
    assert len(seen.keys) == 255


def test_sentences_of_another_length_are_refused():
    material = Material(("S0.form",), [random_rows(Random(1), 3)])
    (ours, _), *_ = walk(Random(1), "arc-eager", {}, 4)
    with pytest.raises(ValueError, match="words"):
        move_keys(material.flat, ours, material.values, material.offsets, 0)
