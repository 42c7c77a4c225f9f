"""The table of systems."""

from __future__ import annotations

import pytest

import fastparse
from fastparse.transition_systems.registry import ROWS, check_options, resolve, row_of
from tests.reference import SYSTEMS


def test_names():
    assert fastparse.systems() == list(ROWS)
    assert set(fastparse.systems()) == {*SYSTEMS, "three-step"}


@pytest.mark.parametrize("name", list(ROWS))
def test_options_have_their_defaults(name):
    options = fastparse.options(name)
    assert check_options(name, options) == options
    if name in SYSTEMS:
        assert {option: values[0] if values else None for option, values in SYSTEMS[name].options.items()} == options


@pytest.mark.parametrize("name", [name for name in ROWS if not row_of(name).pipeline])
def test_systems_know_their_names(name):
    system = resolve(name)
    assert system.name == name
    assert resolve(system) is system
    assert len(set(system.moves)) == len(system.moves) <= 32
    for option, value in fastparse.options(name).items():
        assert system.options[option] == value


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if not (row.configuration or row.pipeline)])
def test_moves_are_those_of_the_textbook(name):
    assert list(resolve(name).moves) == list(SYSTEMS[name](2).table)


def test_options_of_a_system_that_has_them_already():
    system = resolve("planar", root="absent")
    assert resolve(system, root="absent") is system
    with pytest.raises(ValueError, match="has its options already"):
        resolve(system, root="token")
