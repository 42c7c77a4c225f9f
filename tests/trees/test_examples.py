"""The examples in the docstrings of fastparse.trees."""

import doctest

import pytest

from fastparse import trees

WITH_EXAMPLES = [name for name in trees.__all__ if ">>>" in (getattr(trees, name).__doc__ or "")]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_example(name):
    example = doctest.DocTestParser().get_doctest(getattr(trees, name).__doc__, dict(vars(trees)), name, None, 0)
    assert doctest.DocTestRunner().run(example).failed == 0


def test_there_are_examples():
    assert {"classify", "contains", "crossing_intervals", "planes"} <= set(WITH_EXAMPLES)
