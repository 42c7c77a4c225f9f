"""Parsers with encoders: learnt, saved, loaded; the same trees however they are asked for."""

import numpy as np
import pytest

import fastparse
from fastparse.errors import Error, ModelFormatError, UnknownNameError
from fastparse.learning.networks import plans as presets
from fastparse.learning.networks.shapes import Shape
from fastparse.model.storage import read_container, write_container
from tests.toy import toy

TINY = Shape(width=32, pieces=2, distances=(1, 2), form=32, affix=16, tag=16, feature=16, hidden=32, rank=8)


def learnt(system="hybrid", iterations=2, **options):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(presets.SIZES, "tiny", TINY)
        return fastparse.train(toy(), system, encoder="tiny", iterations=iterations, **options)


@pytest.fixture(scope="module")
def parser():
    return learnt("swap", 60, dev=toy())


@pytest.fixture
def saved(parser, tmp_path):
    parser.save(tmp_path / "model.fp")
    return tmp_path / "model.fp"


def same(one, other):
    return (one.heads == other.heads).all() and one.deprels == other.deprels


def test_trees_are_learnt(parser):
    assert (parser.parse(toy()).heads == toy().heads).mean() > 0.97


@pytest.mark.parametrize("beam", [1, 4])
def test_a_saved_parser_gives_the_same_trees(parser, saved, beam, monkeypatch):
    expected = parser.parse(toy(), beam=beam)
    assert same(fastparse.load(saved).parse(toy(), beam=beam, threads=2), expected)
    alone = [parser.parse(toy()[i : i + 1], beam=beam).heads for i in range(len(toy()))]
    assert (np.concatenate(alone) == expected.heads).all()
    monkeypatch.setenv("FASTPARSE_KERNEL", "plain")
    assert same(fastparse.load(saved).parse(toy(), beam=beam), expected)


def test_info_counts_what_the_encoder_knows(parser):
    assert parser.info["encoder"] == "tiny"
    assert parser.info["inputs"]["form"] > 0


@pytest.mark.parametrize(
    "system", ["two-registers", "arc-eager", "arc-standard", "planar", "2-planar", "attardi", "covington"]
)
def test_systems_that_search_runs_have_encoders(system):
    found = learnt(system)
    for beam in (1, 3):
        assert len(found.parse(toy(), beam=beam).heads) == toy().n_words


def test_the_same_seed_gives_the_same_model():
    assert learnt().sha256 == learnt().sha256 != learnt(seed=2).sha256


def test_a_training_goes_on_from_its_checkpoint(tmp_path):
    class Stop(Exception):
        pass

    def stop(event):
        if type(event).__name__ == "IterationDone" and event.iteration == 2:
            raise Stop

    with pytest.raises(Stop):
        learnt(iterations=4, dev=toy(), checkpoint=tmp_path / "c", progress=stop)
    assert learnt(iterations=4, dev=toy(), checkpoint=tmp_path / "c").sha256 == learnt(iterations=4, dev=toy()).sha256


@pytest.mark.parametrize("system", ["easy-first", "three-step"])
def test_systems_without_states_are_refused(system):
    with pytest.raises(Error, match="no encoder"):
        learnt(system, beam=1)


@pytest.mark.parametrize("wrong", [{"runs": 2}, {"max_bytes": 5000}, {"templates": "arc-eager"}])
def test_options_of_features_are_refused(wrong):
    with pytest.raises(Error, match="weights of features"):
        learnt(**wrong)


def test_an_unknown_size_is_refused():
    with pytest.raises(UnknownNameError, match="huge"):
        fastparse.train(toy(), encoder="huge")


def changed(saved, tmp_path, change):
    container = read_container(saved)
    header, arrays = dict(container.header), {name: np.array(array) for name, array in container.arrays.items()}
    change(header["description"], arrays)
    write_container(tmp_path / "changed.fp", header, arrays)
    return tmp_path / "changed.fp"


@pytest.mark.parametrize(
    "change",
    [
        lambda d, a: a.pop("moves.weights"),
        lambda d, a: a.update({"moves.slots": a["moves.slots"] + 50}),
        lambda d, a: a.update({"labels.bias": a["labels.bias"][:-1]}),
        lambda d, a: d.update(system="arc-eager"),
        lambda d, a: d.update(system="easy-first"),
        lambda d, a: d.update(labels=[*d["labels"], "new"]),
        lambda d, a: d["inputs"].update(form=[1]),
        lambda d, a: d["inputs"].update(longest_affix=10**9),
        lambda d, a: d["inputs"].pop("tag"),
    ],
)
def test_what_cannot_be_used_is_refused(saved, tmp_path, change):
    with pytest.raises(ModelFormatError, match=r"changed\.fp"):
        fastparse.load(changed(saved, tmp_path, change))
