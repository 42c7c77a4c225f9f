"""The factory: from a folder of treebanks to a model, its scores, its card and a package that pip installs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from dataclasses import replace

import pytest

import fastparse
from models import factory, packages
from models.learning import learn, parts_of
from models.packages import card, faults, is_of_use, with_table, write_package
from models.recipes import RECIPES, Part, recipes_of
from models.scoring import measured, scores_of
from tests.toy import toy

QUICK = {"iterations": 1, "folds": 2}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Two files of a made language."""
    folder = tmp_path_factory.mktemp("data")
    for name in ("train", "dev", "more"):
        (folder / f"{name}.conllu").write_bytes(toy().to_bytes())
    return folder


@pytest.fixture(scope="module")
def recipe():
    return replace(RECIPES["nb"], example="Bo sleeps.", parser=("more.conllu",), tokenizer=("train.conllu[:4]",))


@pytest.fixture(scope="module")
def made(data, recipe, tmp_path_factory):
    """A model and its scores."""
    path = tmp_path_factory.mktemp("work") / "nb.fp"
    learn(recipe, data, path, **QUICK)
    return path, {**measured(recipe, data, path), "words_per_second": 1000}


def test_parts(data):
    whole = toy()
    assert Part.of("train.conllu[2:4]").read(data).to_bytes() == whole[2:4].to_bytes()
    assert parts_of(data, ("train.conllu[3:]", "more.conllu")).n_words == whole[3:].n_words + whole.n_words


def test_recipes_are_named_by_their_codes():
    assert [one.code for one in recipes_of([])] == list(RECIPES)
    with pytest.raises(fastparse.UnknownNameError, match=r"there is no recipe 'nbb'.*did you mean nb"):
        recipes_of(["nbb"])
    for recipe in RECIPES.values():
        assert recipe.example
        assert recipe.bad_at
        assert all(re.fullmatch("[0-9a-f]{8}", source.commit) for source in recipe.sources)
        assert {Part.of(name).file.rpartition(".")[2] for name in (*recipe.train, *recipe.parser)} == {"conllu"}


def test_each_component_learns_from_its_files(made, data):
    info = fastparse.load(made[0]).info
    words = toy().n_words
    assert info["language"] == "nb"
    assert info["licence"].startswith("CC BY-SA 4.0. Learnt from UD Norwegian-Bokmaal 2.16")
    assert info["tokenizer"]["treebank"]["words"] == toy()[:4].n_words
    assert info["lemmatizer"]["treebank"]["words"] == words
    assert info["treebank"]["words"] == 2 * words
    assert not list(made[0].parent.glob("*.checkpoint"))


def test_the_same_model_again(made, data, recipe, tmp_path):
    learn(recipe, data, tmp_path / "again.fp", **QUICK)
    assert (tmp_path / "again.fp").read_bytes() == made[0].read_bytes()


def test_scores(made, data):
    row = made[1]
    dev = fastparse.read_conllu(data / "dev.conllu")
    assert scores_of(dev, dev) == dict.fromkeys(row["gold"], 100.0)
    assert row["gold"]["words"] == 100.0
    assert set(row["text"]) == set(row["gold"])
    assert row["words"] == 2 * toy().n_words
    assert row["bytes"] == made[0].stat().st_size


def test_a_model_has_to_be_of_use():
    assert is_of_use({"gold": {"las": 90.0}, "text": {"las": 65.0}})
    assert not is_of_use({"gold": {"las": 90.0}, "text": {"las": 64.9}})
    assert is_of_use({"gold": {"las": 65.0}})


def test_card(made, recipe):
    text = card(recipe, made[1])
    for part in (
        "(`nb`)",
        "commit e83586ff",
        "Per Erik Solberg",
        "bad at: Nynorsk",
        made[1]["sha256"],
        "| from text |",
    ):
        assert part in text


def test_package(made, recipe, tmp_path):
    """pip makes a wheel of it, in which fastparse finds the model without importing anything."""
    path, row = made
    folder = tmp_path / "nb"
    write_package(recipe, row, path, folder)
    assert not [fault for fault in faults([recipe], {"nb": row}, tmp_path) if fault.startswith("nb:")]
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(tmp_path)]
    subprocess.run([*command, str(folder)], check=True)
    with zipfile.ZipFile(tmp_path / "fastparse_model_nb-1.0-py3-none-any.whl") as wheel:
        names = wheel.namelist()
        assert wheel.read("fastparse_model_nb/nb.fp") == path.read_bytes()
        entry = next(name for name in names if name.endswith("entry_points.txt"))
        assert wheel.read(entry).decode().split() == ["[fastparse_models]", "nb", "=", "fastparse_model_nb"]
        assert [name for name in names if name.endswith("CC-BY-SA-4.0.txt")]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("card", "README.md is not what the recipe and the scores make"),
        ("model", "nb.fp is missing"),
        ("scores", "the scores are those of another model"),
        ("recipe", "the model says another language or licence than the recipe"),
    ],
)
def test_faults(made, recipe, tmp_path, change, fault):
    path, row = made
    folder = tmp_path / "nb"
    write_package(recipe, row, path, folder)
    if change == "card":
        (folder / "README.md").write_text("other", encoding="utf-8")
    elif change == "model":
        (folder / "fastparse_model_nb" / "nb.fp").unlink()
    elif change == "scores":
        row = {**row, "sha256": "0" * 64}
    else:
        recipe = replace(recipe, licence="CC0")
    assert f"nb: {fault}" in faults([recipe], {"nb": row}, tmp_path)


def test_the_table_has_a_row_a_language(made):
    document = "before\n<!-- table: python -m models.factory table -->\n<!-- end of table -->\nafter\n"
    found = with_table(document, {"nb": made[1]})
    rows = [line for line in found.splitlines() if line.startswith("| `")]
    assert len(rows) == len(RECIPES)
    assert f"| {made[1]['words']:,} |" in next(row for row in rows if row.startswith("| `nb`"))
    assert with_table(found, {"nb": made[1]}) == found


def test_what_is_here_agrees():
    """The table of the documentation, the catalogue, and the packages that are here."""
    assert faults(list(RECIPES.values()), factory.read_table(factory.SCORES), factory.HERE) == []
    languages = json.loads(factory.CATALOGUE.read_text("utf-8"))["languages"]
    assert set(RECIPES) | set(factory.OTHERS) == set(languages)
    assert packages.DOCUMENT.exists()


def test_the_program_goes_on(data, recipe, tmp_path, monkeypatch, capsys):
    """Models that are there are not learnt again; several languages are learnt by processes of their own."""
    monkeypatch.setattr(factory, "recipes_of", lambda codes: [recipe])
    (tmp_path / "nb.fp").write_bytes(b"")
    assert factory.main(["train", "--work", str(tmp_path), "--data", str(data)]) == 0
    assert capsys.readouterr().out == ""
