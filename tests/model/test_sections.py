"""Several components in one container."""

import numpy as np
import pytest

import fastparse
from fastparse import Error, ModelFormatError
from fastparse.model.sections import Section, joined, sections_of
from fastparse.model.storage import read_container, write_container
from tests.toy import toy, toy_parser

BYTES = np.arange(10, dtype=np.uint8)
PARTS = {
    "tokenizer": Section({"language": "none"}, {"weights": BYTES}),
    "parser": Section({"description": {"x": 1}, "record": {}}, {"moves.slots": BYTES + 1, "a/b": BYTES}),
    "tagger": Section({}, {}),
}


def same(one, other):
    return one.header == other.header and {k: v.tolist() for k, v in one.arrays.items()} == {
        k: v.tolist() for k, v in other.arrays.items()
    }


@pytest.mark.parametrize("names", [["parser"], ["tokenizer"], ["tokenizer", "parser"], list(PARTS)])
def test_components_come_back(tmp_path, names):
    parts = {name: PARTS[name] for name in names}
    write_container(tmp_path / "m", *joined(parts))
    container = read_container(tmp_path / "m")
    found = sections_of(container.header, container.arrays)
    assert found.keys() == parts.keys()
    assert all(same(found[name], parts[name]) for name in parts)


def test_a_parser_alone_needs_no_words_about_it():
    assert joined({"parser": PARTS["parser"]}) == PARTS["parser"]


@pytest.mark.parametrize("components", [[], 1, {"tagger": 3}, {"parser": {}}])
def test_impossible_components_are_refused(components):
    with pytest.raises(Error, match="components"):
        sections_of({"components": components}, {})


@pytest.mark.parametrize("components", [{"oracle": {}}, "tagger"])
def test_a_model_with_unknown_components_is_refused(tmp_path, components):
    path = tmp_path / "m.fp"
    toy_parser().save(path)
    container = read_container(path)
    write_container(path, {**container.header, "components": components}, container.arrays)
    with pytest.raises(ModelFormatError, match="components"):
        fastparse.load(path)


def test_the_components_of_a_parser(tmp_path):
    parser = toy_parser()
    assert parser.components == ("parser",)
    parser.save(tmp_path / "m.fp")
    assert "components" not in read_container(tmp_path / "m.fp").header
    assert fastparse.load(tmp_path / "m.fp").parse(toy()).to_bytes() == parser.parse(toy()).to_bytes()
