"""Models by language: what there is, what a model knows of its language, and the choice among models."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import fastparse
from fastparse.annotate.expectations import Vocabulary
from fastparse.errors import UnknownLanguage
from fastparse.model import finding
from fastparse.model.profile import Profiles, packed, profile_of, unpacked
from tests.reference.profiles import naive_profile
from tests.toy import toy

ENGLISH = "The children read an old book every evening, and then they go to sleep in the house by the sea."
DANISH = "Børnene læser en gammel bog hver aften, og så går de i seng i huset ved havet, hvor det blæser."
NORWEGIAN = "Barna leser ei gammel bok hver kveld, og så legger de seg i huset ved havet, der det blåser."
THAI = "เด็กๆ อ่านหนังสือเก่าทุกคืนแล้วเข้านอนในบ้านริมทะเล"
GREEK = "Τα παιδιά διαβάζουν ένα παλιό βιβλίο κάθε βράδυ και μετά κοιμούνται στο σπίτι δίπλα στη θάλασσα."


@pytest.fixture(scope="module")
def auto():
    return fastparse.load("auto")


# Profiles


@pytest.mark.parametrize("text", ["", "a", "Ab ab, 12 ab!", ENGLISH * 3, THAI])
def test_profile_is_the_naive_one(text):
    assert profile_of(text).tolist() == naive_profile(text)


def test_profile_is_packed():
    profile = profile_of(ENGLISH)
    assert np.array_equal(unpacked(packed(profile)), profile)
    for wrong in (None, 3, "", "x", packed(profile)[:40], packed(np.zeros(5000, np.uint8))):
        with pytest.raises(fastparse.Error, match="profile"):
            unpacked(wrong)


def test_nearest():
    profiles = Profiles([profile_of(ENGLISH), profile_of(DANISH), profile_of(ENGLISH)])
    assert profiles.nearest("The old house") == (0, True)
    assert profiles.nearest("det gamle hus ved havet")[0] == 1
    assert profiles.nearest("12 + 3 = 15") is None


# What there is


def test_models():
    found = {model.name: model for model in fastparse.models()}
    assert found["en"].installed
    assert found["en"].language == found["en-fast"].language == "en"
    assert found["en"].licence
    assert "CC BY-SA 4.0" in found["nb"].licence
    assert found["nb"].about.startswith("Norwegian")
    for name, model in found.items():
        assert model.installed == (model.path is not None)
        assert model.package == ("fastparse" if name.startswith("en") else f"fastparse-model-{name}")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("da", "--language da -o da.fp"),
        ("Danish", "no package of one for Danish"),
        ("cy", "pip install ./models/cy"),
        ("cy-news", "fastparse-model-cy"),
        ("english", "Did you mean 'en'"),
        ("en-fas", "Did you mean 'en-fast'"),
    ],
)
def test_how_to_get_a_model(name, says):
    with pytest.raises(fastparse.UnknownNameError) as caught:
        fastparse.load(name)
    assert says in str(caught.value)


# Words that a model does not know


def known_words():
    return Vocabulary(ENGLISH.lower().replace(",", " ,").replace(".", " .").split(), 0.9, "English")


def treebank(text):
    return fastparse.Treebank.from_columns(text.replace(",", " ,").replace(".", " .").split())


def test_vocabulary():
    english = known_words()
    assert english.foreign(treebank(ENGLISH)) == (0, 0)
    assert english.foreign(treebank(ENGLISH.upper())) == (0, 0)
    assert english.foreign(treebank(DANISH)) == (20, 20)
    assert english.foreign(treebank(f"{DANISH} {ENGLISH}")) == (0, 0)
    assert english.foreign(treebank("1 2 3 4 5 6 7 8 9")) == (0, 0)
    assert english.foreign(treebank("Ulla Pia Bo")) == (0, 0)  # too few to tell
    assert english.foreign(treebank("我喜欢读书")) == (5, 5)


def test_another_language_is_said_once_with_counts():
    parser = fastparse.load("en-fast")
    with pytest.warns(fastparse.FastparseWarning, match=r"of \d+ words are unknown to the model") as caught:
        parser.parse_text(DANISH)
    assert len(caught) == 1
    with pytest.raises(fastparse.Error, match="unknown to the model"):
        parser.parse_text(DANISH, strict=True)


@pytest.mark.parametrize(
    "text", [ENGLISH, "lol omg check dis out http://x.y/z @bo #fun :)", "J. Smith, 12 High St., LS1"]
)
def test_its_own_language_is_not_warned_of(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fastparse.load("en-fast").parse_text(text)


# The choice


def test_auto_takes_the_model_of_the_language(auto):
    assert auto.choose(ENGLISH).path == fastparse.load("en").path
    assert auto.parse_text(ENGLISH).to_bytes() == fastparse.load("en").parse_text(ENGLISH).to_bytes()
    assert auto.language(DANISH) == "da"
    assert auto.language(NORWEGIAN) == "nb"
    assert auto.language(THAI) == "th"
    assert auto.language(GREEK) is None
    for text in (DANISH, THAI, GREEK):
        with pytest.raises(UnknownLanguage, match="no installed model"):
            auto.parse_text(text)
    assert auto.choose("10 + 10").path == fastparse.load("en").path


def test_auto_leaves_out_and_counts(auto):
    with pytest.warns(fastparse.FastparseWarning, match=r"2 of 4 documents are left out: .* \(da 1, unknown 1;"):
        found = list(auto.parse_text([ENGLISH, DANISH, GREEK, "12"]))
    assert [len(each) for each in found] == [1, 0, 0, 1]
    with pytest.raises(UnknownLanguage):
        list(auto.parse_text([ENGLISH, DANISH], strict=True))


def test_auto_is_like_a_parser(auto, tmp_path):
    english = fastparse.load("en")
    bank = english.parse_text(ENGLISH)
    forms = [sentence.forms for sentence in bank]
    assert auto.parse(bank).to_bytes() == english.parse(bank).to_bytes()
    assert [s.heads for s in auto.parse(iter(forms))] == [s.heads for s in english.parse(forms)]
    assert [s.upos for s in auto.tag(forms)] == [s.upos for s in english.tag(forms)]
    assert auto.tokenize(ENGLISH).to_bytes() == english.tokenize(ENGLISH).to_bytes()
    for name, data in (("in.txt", ENGLISH.encode()), ("in.conllu", bank.to_bytes())):
        source, ours, theirs = tmp_path / name, tmp_path / "ours.conllu", tmp_path / "theirs.conllu"
        source.write_bytes(data)
        auto.parse_file(source, ours)
        english.parse_file(source, theirs)
        assert ours.read_bytes() == theirs.read_bytes()
    with pytest.raises(fastparse.Error, match="whose rows may be of several languages"):
        auto.parse_file(tmp_path / "in.ndjson", tmp_path / "out.ndjson")
    with pytest.raises(fastparse.Error, match="save is of one model"):
        auto.save(tmp_path / "auto.fp")
    assert not hasattr(auto, "info")


# What training keeps


def test_training_keeps_the_language(tmp_path):
    parser = fastparse.train(
        toy(), iterations=1, components=("parser",), encoder="small", language="da", about="Danish"
    )
    assert parser.info["language"] == "da"
    assert "text" not in parser.info
    path = tmp_path / "da.fp"
    parser.save(path)
    record = finding.record_of(str(path))
    assert finding.language_of("da", record) == "da"
    assert np.array_equal(unpacked(record["text"]["profile"]), profile_of(toy().to_text()))
    assert 0 <= record["text"]["known"] <= 1


def test_the_catalogue_is_one():
    said = json.loads((finding.BUNDLED / "catalogue.json").read_text("utf-8"))
    for language in said["languages"].values():
        unpacked(language["profile"])
    for model in said["models"]:
        assert model["language"] in said["languages"]
        assert not Path(model["name"]).suffix
