"""Template files: what they may say, what each mistake is answered with, and what is compiled of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import fastparse.features
from fastparse.errors import Error, UnknownNameError
from fastparse.features.plan import Plan
from fastparse.features.templates import (
    AttributeLayout,
    attributes_of,
    load_templates,
    plan_of,
    read_templates,
    without,
)

SETS = sorted((Path(fastparse.features.__file__).parent / "sets").glob("*.txt"))
WHOLE = [path.stem for path in SETS if not path.stem.startswith("common")]
POSITIONS = "S0, S1, S2, B0, B1, B2, B3, R1, R2, T0, H, D, R3"


@pytest.mark.parametrize(
    ("text", "number", "message"),
    [
        ("S0.form\n", 1, "a template before the first section; start with [moves]"),
        ("# x\n\n[labels]\n[heads]\n", 4, "unknown section '[heads]'; there are [moves] and [labels]"),
        ("[moves]\nS9.form", 2, f"unknown position 'S9' in 'S9.form'; there are {POSITIONS}"),
        ("[moves]\n\nS0.form S0", 3, "unknown term 'S0'; a term is POSITION.ATTRIBUTE or POSITION.RELATION.ATTRIBUTE"),
        ("[moves]\nS0.l1.head.form", 2, "unknown term 'S0.l1.head.form'; a term is"),
        ("[moves]\nS0.l3.form", 2, "unknown relation 'l3' in 'S0.l3.form'; there are head, head2, l1, l2, next, next2"),
        ("[moves]\nS0.colour", 2, "unknown attribute 'colour' in 'S0.colour'"),
        ("[moves]\nS0.pre5", 2, "unknown attribute 'pre5' in 'S0.pre5'"),
        ("[moves]\nS0.feats[]", 2, "unknown attribute 'feats[]' in 'S0.feats[]'"),
        ("[moves]\nS0.next.deprel", 2, "unknown attribute 'deprel' in 'S0.next.deprel'"),
        ("[moves]\nS0.head.lset", 2, "unknown attribute 'lset' in 'S0.head.lset'"),
        (
            "[moves]\nfar(S0,B0)",
            2,
            "unknown term 'far(S0,B0)'; there are dist(A,B), arc(A,B), dir(A,B), path(A,B), ahead(A,B), "
            "between(A,B,TAG)",
        ),
        ("[moves]\nbetween(S0,B0)", 2, "unknown term 'between(S0,B0)'; there are"),
        ("[moves]\ndist(S0,B0,NOUN)", 2, "unknown term 'dist(S0,B0,NOUN)'; there are"),
        ("[moves]\ndist(S0,X)", 2, f"unknown position 'X' in 'dist(S0,X)'; there are {POSITIONS}"),
        ("[labels]\nH.form\nS0.form", 3, "a label is chosen from H and D alone, not from 'S0.form'"),
        ("[labels]\ndist(H,S0)", 2, "a label is chosen from H and D alone, not from 'dist(H,S0)'"),
        ("[moves]\nS0.{form,smell}", 2, "unknown attribute 'smell' in 'S0.smell'"),
    ],
)
def test_mistakes_are_shown_with_their_place(text, number, message):
    with pytest.raises(Error, match=re.escape(f"here.txt:{number}: {message}")):
        read_templates(text, "here.txt")


def test_what_a_file_says():
    text = "# one\n[moves]\nS0.form   S1.form # two\n{S0,B0}.{form,upos}\nS0.form\n[labels]\nH.form\n[moves]\nB1.form\n"
    found = read_templates(text)
    assert found.text == text
    assert found.moves == ("S0.form   S1.form", "S0.form", "S0.upos", "B0.form", "B0.upos", "B1.form")
    assert found.labels == ("H.form",)


@pytest.mark.parametrize("name", WHOLE)
def test_sets_stand_alone(name):
    found = load_templates(name)
    assert "include" not in found.text
    assert len(found.moves) > 20
    assert len(found.labels) > 10
    assert read_templates(found.text) == found
    for lines in (found.moves, found.labels):
        layout = AttributeLayout()
        shared, flat = plan_of(lines, layout, True), plan_of(lines, layout, False)
        assert shared.n_templates == flat.n_templates == len(lines)


def test_files_of_the_user_include_sets(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("[moves]\ninclude common-eager\nS2.suf1 S2.pre1\n[labels]\ninclude common-labels\n")
    found = load_templates(path)
    assert found.moves[-1] == "S2.suf1 S2.pre1"
    assert found.moves[:-1] == load_templates("arc-eager").moves[: len(found.moves) - 1]
    assert found.labels == load_templates("arc-eager").labels
    path.write_text("[moves]\nS0.smell\n")
    with pytest.raises(UnknownNameError, match=re.escape(f"{path}:2: unknown attribute 'smell'")):
        load_templates(path)


def test_unknown_sets_are_answered_with_the_known_ones():
    with pytest.raises(
        UnknownNameError, match=r"no template file 'arc-eagre'; the sets .* are .*arc-eager, .*hybrid, "
    ):
        load_templates("arc-eagre")


def test_attributes_asked_for():
    found = read_templates(
        "[moves]\nS0.form B0.l1.feats[Case] S0.deprel dist(S0,B0)\nR1.lset S0.next.tag\n[labels]\nD.suf3"
    )
    assert attributes_of(found) == {"form", "feats[Case]", "tag", "suf3"}


def test_missing_columns_shorten_templates():
    lines = (
        "S0.form S0.lemma",
        "S0.form",
        "S0.lemma",
        "S0.lemma dist(S0,B0)",
        "B0.lemma S0.form",
        "S0.deprel S0.lemma",
    )
    assert without(lines, {"lemma"}) == ("S0.form", "S0.deprel")
    assert without(lines, set()) == lines
    assert without(("dist(S0,B0) S0.form S0.lemma", "S0.form dist(S0,B0)"), {"lemma"}) == ("dist(S0,B0) S0.form",)
    assert without(lines, {"lemma", "form"}) == ("S0.deprel",)


def test_attributes_of_one_word_are_fused():
    layout = AttributeLayout()
    plan_of(("S0.upos S0.form B0.lemma", "B0.form B0.upos", "S0.l1.form S0.upos"), layout, False)
    assert layout.attributes == [("form", "upos"), ("lemma",), ("form",), ("upos",)]


def test_counted_tags_are_numbered():
    layout = AttributeLayout()
    plan_of(("between(S0,B0,VERB) S0.form", "between(S0,B0,NOUN) S0.form between(S1,B0,VERB)"), layout, False)
    assert layout.counted == ["VERB", "NOUN"]


def test_templates_have_at_most_six_values():
    plan_of(("S0.form S0.upos S1.form B0.form B1.form B2.form B3.form",), AttributeLayout(), False)
    with pytest.raises(ValueError, match="more than 6 values"):
        plan_of(("S0.form S1.form S2.form B0.form B1.form B2.form B3.form",), AttributeLayout(), False)


def test_plans_have_bounds():
    template = ([0], 1)
    group = {
        "whole": [],
        "slots": [(0, 0, 0)],
        "words": [(0, 0)],
        "cells": [],
        "pairs": [],
        "templates": [template] * 513,
    }
    with pytest.raises(ValueError, match="more than 512 templates"):
        Plan([group])
    with pytest.raises(ValueError, match="more than 256 different values"):
        Plan([group | {"words": [(0, a) for a in range(257)], "templates": [template]}])
    with pytest.raises(ValueError, match="more than 256 different words"):
        Plan([group | {"slots": [(0, 0, a % 100) for a in range(257)], "templates": [template]}])
