"""What networks read of words."""

import numpy as np
import pytest

import fastparse
from fastparse.encoder.inputs import FIRST, NOTHING, ROOT, UNKNOWN, Inputs, affixes, shape
from tests.toy import toy


@pytest.mark.parametrize(
    ("form", "expected"),
    [("Emil", "Xxx"), ("USA", "XX"), ("1,500", "0,00"), ("e-mail", "x-xx"), ("...", ".."), ("a" * 30, "xx"),
     ("aB1" * 5, "xX0xX0xX0x")],
)  # fmt: skip
def test_shapes(form, expected):
    assert shape(form) == expected


def test_affixes_are_those_of_the_lower_cased_form():
    assert affixes("Ab") == ["a-", "ab-", "-b", "-ab", "=Xx"]
    assert affixes("Sings")[3] == "sing-"
    assert affixes("Sings")[7] == "-ings"


def test_rows_are_the_strings_ids():
    inputs, bank = Inputs.learn(toy(), least=2), toy()
    where, rows = inputs.columns(), inputs.rows(bank)
    strings = {group: ["", "ROOT", "UNKNOWN", *getattr(inputs, group)] for group in where}
    assert len(rows) == bank.n_words + len(bank)
    assert rows[0, 0] == ROOT
    assert (rows[:, 0] == ROOT).sum() == len(bank)
    word = rows[1]  # The
    assert strings["form"][word[0]] == "the"
    found = [strings["affix"][i] for i in word[slice(*where["affix"])] if i]
    assert found == ["t-", "th-", "the-", "-e", "-he", "-the", "=Xxx"]
    assert [strings["tag"][i] for i in word[slice(*where["tag"])]] == ["uDET", "xDT"]
    assert [strings["feature"][i] for i in word[slice(*where["feature"])] if i] == ["Definite=Def", "PronType=Art"]


def test_what_is_rare_or_missing_has_no_row():
    inputs = Inputs.learn(toy(), least=2)
    bank = fastparse.read_conllu(b"1\tXyzzy\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    where, rows = inputs.columns(), inputs.rows(bank)
    assert rows[1, 0] == UNKNOWN
    assert not rows[1, where["tag"][0] :].any()
    assert rows[1, where["affix"][0] + 3] == NOTHING  # xyzz-
    assert rows[1, where["affix"][1] - 1] != NOTHING  # =Xxx
    assert max(inputs.sizes().values()) == FIRST + max(len(getattr(inputs, group)) for group in where)


def test_longer_affixes_and_threes_are_read_if_asked_for():
    assert affixes("Singing", 5, 4)[4] == "singi-"
    assert affixes("Singing", 4, 4)[9:] == ["~sin", "~ing", "~ngi", "~gin"]
    assert affixes("ab", 4, 4) == affixes("ab")
    inputs = Inputs.learn(toy(), least=1, longest_affix=5, most_grams=3)
    where, rows = inputs.columns(), inputs.rows(toy())
    strings = ["", "ROOT", "UNKNOWN", *inputs.affix]
    assert where["affix"] == (1, 15)
    assert [strings[i] for i in rows[2, 1:15] if i] == affixes("cat", 5, 3)


def test_inputs_come_back_from_json():
    inputs = Inputs.learn(toy(), longest_affix=5, most_grams=2)
    assert Inputs.from_dict(inputs.to_dict()) == inputs
    np.testing.assert_array_equal(Inputs.from_dict(inputs.to_dict()).rows(toy()), inputs.rows(toy()))


def test_tags_that_a_tagger_says_have_rows_of_their_own():
    inputs, bank = Inputs.learn(toy(), own=True), toy()
    plain, where = Inputs.learn(toy()).rows(bank), inputs.columns()
    given, own = inputs.rows(bank), inputs.rows(bank, own=True)
    np.testing.assert_array_equal(given, plain)
    for group in where:
        before, after = (rows[:, slice(*where[group])] for rows in (given, own))
        there = (before >= FIRST) & (group in ("tag", "feature"))
        np.testing.assert_array_equal(after, before + there * len(getattr(inputs, group)))
        assert after.max() < inputs.sizes()[group]
    some = np.arange(len(bank)) % 3 == 0
    rows = np.repeat(some, np.diff(bank.offsets) + 1)
    np.testing.assert_array_equal(inputs.rows(bank, some), np.where(rows[:, None], own, given))
    assert Inputs.from_dict(inputs.to_dict()) == inputs
