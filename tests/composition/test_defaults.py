"""Composed systems without options are those of the textbook."""

import pytest

from fastparse.theory.compose import recipe
from fastparse.theory.divisible import composed


def steps(name, **options):
    found = recipe(composed(name, **options))
    return {key: value for key, value in found.items() if key != "name"}


@pytest.mark.parametrize(
    ("option", "default", "other"),
    [
        ("covered_roots", True, False),
        ("single_head", True, False),
        ("acyclic", True, False),
        ("root", "token", "absent"),
    ],
)
def test_planar(option, default, other):
    assert steps("planar") == steps("planar", **{option: default})
    assert steps("planar") != steps("planar", **{option: other})
