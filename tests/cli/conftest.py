"""A small model in a file, and what it gives."""

import pytest

from tests.toy import toy, toy_parser


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "toy.fp"
    toy_parser().save(path)
    return str(path)


@pytest.fixture(scope="module")
def parsed():
    return toy_parser().parse(toy()).to_bytes()
