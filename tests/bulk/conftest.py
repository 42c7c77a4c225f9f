import pytest

from tests.toy import toy_parser


@pytest.fixture
def model(tmp_path):
    toy_parser().save(tmp_path / "toy.fp")
    return tmp_path / "toy.fp"
