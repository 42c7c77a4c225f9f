"""Models that come with the package are found by name, if they do come with it."""

import pytest

import fastparse
from tests.toy import toy, toy_parser


def test_a_name_finds_its_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fastparse.model.finding.BUNDLED", tmp_path / "models")
    (tmp_path / "models").mkdir()
    toy_parser().save(tmp_path / "models" / "here.fp")
    assert fastparse.load("here").parse(toy()).to_bytes() == toy_parser().parse(toy()).to_bytes()
    with pytest.raises(fastparse.UnknownNameError, match=r"no model 'elsewhere'.*'here'"):
        fastparse.load("elsewhere")


def test_a_folder_hides_no_model_and_is_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fastparse.model.finding.BUNDLED", tmp_path / "models")
    (tmp_path / "models").mkdir()
    (tmp_path / "here").mkdir()
    with pytest.raises(IsADirectoryError, match="here"):
        fastparse.load("here")
    toy_parser().save(tmp_path / "models" / "here.fp")
    assert fastparse.load("here").system == toy_parser().system


@pytest.mark.parametrize("name", ["en", "en-fast"])
def test_addresses_are_tokens(name):
    """With what follows them, such as queries, though `?` ends sentences elsewhere."""
    text = "See https://example.org/a?b=1 for more, or www.example.com/find?q=cats&page=2. Is it http://t.co/x? No."
    found = [list(sentence.forms) for sentence in fastparse.load(name).tokenize(text)]
    assert found == [
        ["See", "https://example.org/a?b=1", "for", "more", ",", "or", "www.example.com/find?q=cats&page=2", "."],
        ["Is", "it", "http://t.co/x", "?"],
        ["No", "."],
    ]
