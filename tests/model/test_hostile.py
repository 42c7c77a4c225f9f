"""Models that are made to hang, to fill memory or to crash, and files that change under a loaded parser."""

import contextlib
import os
import shutil
import threading
import time

import pytest

import fastparse
from fastparse.errors import Error, ModelFormatError
from fastparse.features.templates import MOST_TEMPLATES, read_templates
from fastparse.model.storage import read_container, write_container
from tests.toy import toy, toy_parser

SECONDS = 2.0  # what took up to 25 seconds, or for ever


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "toy.fp"
    toy_parser().save(path)
    return path


def test_a_model_that_changes_under_a_loaded_parser_does_not_matter(model, tmp_path):
    """It was mapped: cutting the file crashed (SIGBUS), and other bytes gave other trees silently."""
    expected = toy_parser().parse(toy()).to_bytes()
    parser = fastparse.load(model)
    with open(model, "r+b") as stream:
        stream.write(os.urandom(os.path.getsize(model)))
    assert parser.parse(toy()).to_bytes() == expected
    os.truncate(model, 0)
    assert parser.parse(toy()).to_bytes() == expected
    shutil.copyfile("/dev/null", model)
    assert parser.parse(toy()).to_bytes() == expected
    assert parser.info["system"] == toy_parser().info["system"]


def test_arrays_of_models_are_read_only(model):
    array = next(iter(read_container(model).arrays.values()))
    with pytest.raises(ValueError, match="WRITEABLE"):
        array.flags.writeable = True


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_pipes_and_devices_are_not_opened(tmp_path):
    pipe = tmp_path / "pipe.fp"
    os.mkfifo(pipe)
    for path in (pipe, "/dev/zero", "/dev/null"):
        begun = time.monotonic()
        with pytest.raises(ModelFormatError, match="it is no file but a device or a pipe"):
            fastparse.load(path)
        assert time.monotonic() - begun < SECONDS
    with pytest.raises(IsADirectoryError):
        fastparse.load(tmp_path)


def test_processors_that_are_big_endian_are_refused_with_a_message(model, monkeypatch):
    monkeypatch.setattr("sys.byteorder", "big")
    with pytest.raises(ModelFormatError, match="big-endian"):
        fastparse.load(model)


def test_a_file_that_grows_or_shrinks_while_it_is_read_is_refused(model):
    """A writer in place, all the time: what is loaded is one content or the other, or refused."""
    whole = model.read_bytes()
    done = threading.Event()

    def change():
        while not done.is_set():
            model.write_bytes(whole[: len(whole) // 2])
            model.write_bytes(whole)

    writer = threading.Thread(target=change)
    writer.start()
    try:
        for _ in range(30):
            with contextlib.suppress(ModelFormatError):
                assert fastparse.load(model).sha256 == toy_parser().sha256
    finally:
        done.set()
        writer.join()


def with_header(model, change):
    container = read_container(model)
    change(container.header)
    write_container(model, container.header, container.arrays)
    return model


HOSTILE = {
    "eight": "[moves]\n" + " ".join(["{S0,S1}.{form,upos}"] * 8),
    "fifteen": "[moves]\n" + " ".join(["{S0,S1}.{form,upos}"] * 15),
    "many lines": "[moves]\n" + "\n".join(f"S0.feats[{i}]" for i in range(10_000)),
    "many choices": "[moves]\nS0.{" + ",".join(f"feats[{i}]" for i in range(10_000)) + "}",
    "long": "[moves]\n" + "S0.form " * 10_000 + "{S0,S1}.upos" * 12,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_templates_are_bounded_before_they_are_made(name, model):
    begun = time.monotonic()
    with pytest.raises(Error, match=r"more than (4,096 templates|1,000)"):
        read_templates(HOSTILE[name])
    with pytest.raises(ModelFormatError, match="more than"):
        fastparse.load(with_header(model, lambda header: header["description"].update(templates=HOSTILE[name])))
    assert time.monotonic() - begun < SECONDS


def test_as_many_templates_as_there_may_be_are_read_at_once():
    lines = "\n".join(f"S0.feats[{i}] B0.form" for i in range(MOST_TEMPLATES))
    begun = time.monotonic()
    assert len(read_templates(f"[moves]\n{lines}\n").moves) == MOST_TEMPLATES
    assert time.monotonic() - begun < SECONDS


@pytest.mark.parametrize("n", [4, 5, 9])
def test_conditions_are_bounded_before_they_are_written_out(n):
    from fastparse.theory.symbolic import FALSE, TRUE, atom

    def written_out():
        formula = TRUE
        for i in range(n * n):
            clause = FALSE
            for j in range(n):
                clause |= atom(f"{i} {j}")
            formula &= clause

    begun = time.monotonic()
    with pytest.raises(Error, match="more than 2,048 alternatives"):
        written_out()
    assert time.monotonic() - begun < SECONDS


@pytest.mark.parametrize(
    "shape", [[0] * 65, [0, 2**63], [0, 2**62], [2**40, 2**40, 0], [-1], [True], ["1"], None, [[1]]]
)
def test_shapes_that_no_array_has(shape, model, monkeypatch):
    from fastparse.model import storage

    monkeypatch.setattr(storage.np, "ascontiguousarray", lambda array: array)
    content = storage.content_of

    def other(header, arrays, magic=storage.MODEL):
        dump = storage.json.dumps

        def changed(value, **options):
            value["arrays"]["extra"] = {"dtype": "u1", "shape": shape, "begin": 0, "end": 0}
            for place in value["arrays"].values():
                place.update(begin=place["begin"], end=place["end"])
            return dump(value, **options)

        with monkeypatch.context() as patch:
            patch.setattr(storage.json, "dumps", changed)
            return content(header, arrays, magic)

    container = read_container(model)
    with open(model, "wb") as stream:
        stream.writelines(other(container.header, {}))
    with pytest.raises(ModelFormatError, match="'extra'"):
        fastparse.load(model)


def test_recipes_nested_deeply(model):
    def change(header):
        nested = "x"
        for _ in range(600):
            nested = [nested]
        header["description"]["recipe"] = {"moves": nested, "name": nested}

    with pytest.raises(ModelFormatError):
        fastparse.load(with_header(model, change))


@pytest.mark.parametrize(
    "record",
    [{"training": 7}, {"training": [1]}, {"treebank": "x"}, {"treebank": {"words": 1}}, {"iterations": 3},
     {"iterations": [{}]}, {"iterations": [None], "dev": {}}, {"passes": 1}, {"mean": 2}, {"steps": True}],
)  # fmt: skip
def test_records_of_odd_types_are_said_to_be_odd(record, model, capsys):
    from fastparse.cli.main import run

    with_header(model, lambda header: header["record"].update(record))
    assert run(["info", str(model)]) in (0, 1)
    assert run(["info", str(model), "--json"]) == 0
    assert "Traceback" not in capsys.readouterr().err
