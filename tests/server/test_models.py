"""The models of a service: names, and what is kept open."""

import pytest

import fastparse

pytest.importorskip("starlette")

from fastparse.server.guard import Refused
from fastparse.server.models import Models
from tests.toy import toy_parser


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    for name in ("one", "two", "three"):
        toy_parser().save(folder / f"{name}.fp")
    return folder


def test_names(files):
    models = Models([f"a-b-c:d={files}/one.fp", f"{files}/two.fp", f"a-x={files}/three.fp"])
    assert list(models.offers) == ["a-b-c", "two", "a-x"]
    found = {name: models.named(name).name for name in ("a-b-c", "a-b", "a", "d", "two", "a-x", "", None)}
    assert found == {
        "a-b-c": "a-b-c", "a-b": "a-b-c", "a": "a-b-c", "d": "a-b-c", "two": "two", "a-x": "a-x", "": "a-b-c",
        None: "a-b-c",
    }  # fmt: skip
    with pytest.raises(Refused, match="'b' does not exist: there are a-b-c, two, a-x"):
        models.named("b")


def test_what_udpipe_calls_english(files):
    assert Models().named("english-ewt-ud-2.16").name == "en"
    assert Models(["en-fast"]).named("english").name == "en-fast"
    assert Models([f"english={files}/one.fp", "en"]).named("english").name == "english"
    with pytest.raises(Refused, match="does not exist"):
        Models([f"{files}/one.fp"]).named("english")


def test_a_path_may_hold_an_equals_sign(files):
    (files / "x=y.fp").write_bytes((files / "one.fp").read_bytes())
    assert list(Models([str(files / "x=y.fp")]).offers) == ["x=y"]


def test_all_that_have_a_name():
    models = Models()
    assert {"en", "en-fast"} <= models.offers.keys()
    assert models.default.name == "en"
    assert models.named("en-fast").name == "en-fast"


def test_models_used_longest_ago_are_closed(files):
    size = (files / "one.fp").stat().st_size
    models = Models([str(files / f"{name}.fp") for name in ("one", "two", "three")], 2 * size)
    assert models.n_open == 2
    one, two, three = models.offers.values()
    kept = models.parser(three)
    assert models.parser(three) is kept
    models.parser(one)
    assert models.parser(three) is kept
    assert isinstance(models.parser(two), fastparse.Parser)
    assert models.open_bytes == 2 * size
    Models([str(files / "one.fp")], 1).parser(one)  # one is open even if it is larger than all may be


def test_a_model_that_is_gone(files, tmp_path):
    path = tmp_path / "gone.fp"
    path.write_bytes((files / "one.fp").read_bytes())
    models = Models([str(path), str(files / "two.fp")], 1)
    path.unlink()
    with pytest.raises(Refused, match="cannot be opened any more") as found:
        models.parser(models.default)
    assert found.value.status == 503
    assert str(tmp_path) not in str(found.value)
