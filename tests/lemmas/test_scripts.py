"""Edit scripts: they lead from the form to the lemma, and are as short as can be."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastparse.lemmas.scripts import Script, apply_script, script_of

from . import naive

LOWER, AS_IS, CAPITAL, UPPER, WHOLE = range(5)


@pytest.mark.parametrize(("form", "lemma", "script"), [
    ("dogs", "dog", Script(LOWER, 0, "", 1, "")),
    ("Dogs", "dog", Script(LOWER, 0, "", 1, "")),
    ("Bonn", "Bonn", Script(AS_IS, 0, "", 0, "")),
    ("BONN", "Bonn", Script(CAPITAL, 0, "", 0, "")),
    ("nato", "NATO", Script(UPPER, 0, "", 0, "")),
    ("ponies", "pony", Script(LOWER, 0, "", 3, "y")),
    ("gegangen", "gehen", Script(LOWER, 0, "", 6, "hen")),
    ("his", "he", Script(LOWER, 0, "", 2, "e")),
    ("gesehen", "sehen", Script(LOWER, 2, "", 0, "")),
    ("went", "go", Script(WHOLE, 0, "go", 0, "")),
    ("", "x", Script(WHOLE, 0, "x", 0, "")),
])  # fmt: skip
def test_scripts(form, lemma, script):
    assert script_of(form, lemma) == script


@given(st.text(max_size=20), st.text(min_size=1, max_size=20))
def test_a_script_leads_to_the_lemma(form, lemma):
    assert apply_script(script_of(form, lemma), form) == lemma


@given(st.text(alphabet="abAB", max_size=12), st.text(alphabet="abAB", min_size=1, max_size=12))
def test_no_script_is_shorter(form, lemma):
    script = script_of(form, lemma)
    if script.case == WHOLE:
        shared = 0
    else:
        shared = len(form) - script.strip_before - script.strip_after
    longest = max(
        (
            end - begin
            for base in (form.lower(), form, form.lower().capitalize(), form.upper())
            for begin, end in itertools.combinations(range(len(base) + 1), 2)
            if base[begin:end] in lemma
        ),
        default=0,
    )
    assert shared == longest


@given(
    st.builds(
        Script, st.integers(0, 4), st.integers(0, 5), st.text(max_size=3), st.integers(0, 5), st.text(max_size=3)
    ),
    st.text(max_size=8),
)
def test_scripts_of_other_forms(script, form):
    assert apply_script(script, form) == naive.applied(script, form)


def test_long_texts_are_not_compared():
    form = "a" * 100_000
    assert script_of(form, form) == Script(AS_IS, 0, "", 0, "")
    assert script_of(form, "a") == Script(WHOLE, 0, "a", 0, "")
    assert script_of("İ" * 3, "i") is not None
