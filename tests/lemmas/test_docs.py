"""The examples of the page on lemmas."""

import doctest
from pathlib import Path


def test_examples():
    page = Path(__file__).parents[2] / "docs" / "lemmas.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 4
    assert failed == 0
