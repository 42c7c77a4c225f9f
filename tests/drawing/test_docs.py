"""The examples of the page on drawing."""

import doctest
from pathlib import Path


def test_examples():
    page = Path(__file__).parents[2] / "docs" / "drawing.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 5
    assert failed == 0
