"""The table of systems."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import pytest

import fastparse
from fastparse.features.templates import load_templates
from fastparse.transition_systems.registry import (
    ROWS,
    check_options,
    has_dynamic_oracle,
    oracles_of,
    resolve,
    row_of,
)
from tests.reference import SYSTEMS
from tests.transition_systems.cases import graph_cases

PIPELINES = [name for name, row in ROWS.items() if row.pipeline]


def test_names():
    assert fastparse.systems() == list(ROWS)
    assert set(fastparse.systems()) == {*SYSTEMS, *PIPELINES}


@pytest.mark.parametrize("name", [name for name in ROWS if name not in PIPELINES])
def test_every_system_is_tried_on_everything_that_is_short(name):
    """A row without a textbook version fails, and so does an oracle of which nothing is claimed."""
    twin = SYSTEMS[name]
    assert "up_to" in vars(twin), f"{twin.__name__} states nothing of its own"
    assert twin.up_to.configurations >= 3
    assert twin.up_to.goals >= 4
    assert ROWS[name].configuration or twin.up_to.reachable >= 4
    assert twin.derives or any(case == name for case, _ in graph_cases()), "it is not said what it derives"
    assert hasattr(oracles_of(name), "ORACLE"), "it has no static oracle"
    assert has_dynamic_oracle(name) == (twin.dynamic is not None), "claims about the dynamic oracle differ from what is"
    assert twin.dynamic is None or (twin.derives and twin.exact and twin.dynamic.up_to >= 4)


def test_every_oracle_belongs_to_a_system():
    package = import_module("fastparse.transition_systems")
    found = {import_module(f"{package.__name__}.{module.name}") for module in iter_modules(package.__path__)}
    with_oracles = {module.__name__ for module in found if {"ORACLE", "DYNAMIC"} & vars(module).keys()}
    assert len(with_oracles) >= 15
    assert with_oracles <= {oracles_of(name).__name__ for name in ROWS}


@pytest.mark.parametrize("name", list(ROWS))
def test_rows_name_what_there_is(name):
    row = ROWS[name]
    assert not row.no_models or len(row.no_models) > 20
    assert set(row.first_steps) <= set(ROWS)
    assert bool(row.first_steps) == row.pipeline
    if row.templates:
        load_templates(row.templates)


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
