"""Every field of a request against every way in: honoured, as the outcome shows, or refused by name.

The matrix is made from `fastparse.request.WAYS` and the fields of `Request`: a new field or way in has to say here how
it shows, or the first tests fail. The ways in over HTTP are crossed in tests/server/test_ways.py.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import re
import sys
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pytest

import fastparse
from fastparse.annotate.formats import INPUTS, OUTPUTS
from fastparse.cli.files import option_of
from fastparse.cli.main import run
from fastparse.parser import Parser
from fastparse.request import MAX_BEAM, WAYS, Request, default_of, limits_of
from fastparse.search.engine import MAX_BEAM as LARGEST_BEAM

FIELDS = [one.name for one in fields(Request)]
OVER_HTTP = ("/process", "/parse", "/draw", "/steps")
# The bundled model takes other ways with this sentence greedily, with its beam, and with a beam that drops most states.
TEXT = "Any other use of the email by you is prohibited.\nThe café closed.\n"


@pytest.fixture(scope="module")
def parser() -> Parser:
    return fastparse.load("en")


@pytest.fixture(scope="module")
def tagged(parser: Parser) -> bytes:
    """The text as a treebank with tags."""
    return parser.tag(parser.tokenize(TEXT)).to_bytes()


@dataclass
class Probe:
    """How a field shows.

    Attributes:
        value: to ask for.
        how: "differs": the outcome does; "same": it does not; "fails": there is an error, where there was none;
            "saves": there is none, where there was one.
    """

    value: Any
    how: str = "differs"


PROBES = {
    "model": Probe("en-fast"),
    "source": Probe("lines"),
    "target": Probe("ndjson"),
    "encoding": Probe("latin-1", "saves"),
    "beam": Probe(1),
    "threshold": Probe(1),
    "retag": Probe(True),
    "strict": Probe(True, "fails"),
    "scores": Probe(True),
    "k": Probe(2),
    "offsets": Probe(True),
    "deps": Probe("copy"),
    "on_error": Probe("skip", "saves"),
    "threads": Probe(2, "same"),
    "progress": Probe(None, "same"),  # a function that the test makes
    "stats": Probe("stats.json", "same"),
    "batch_words": Probe(1, "same"),
}


def input_for(field: str, way: str, tagged: bytes) -> tuple[bytes, str]:
    """Data that shows a field, and its suffix."""
    of_text = way in ("parse_text", "tokenize", "tokenize_file", "fastparse tokenize")
    if field in ("source", "offsets") or (of_text and field not in ("encoding", "on_error")):
        return TEXT.replace("email ", "email\n").encode() if field == "source" else TEXT.encode(), ".txt"
    if field == "encoding":
        data = TEXT if of_text else tagged.decode()
        return data.encode("latin-1"), ".txt" if of_text else ".conllu"
    if field == "on_error":
        return (b"Go \xff on.\n\nStop.\n", ".txt") if of_text else (tagged + b"1\tGo\n\n", ".conllu")
    if field == "strict":
        return tagged.replace(b"\tVERB\t", b"\tWORD\t"), ".conllu"
    if field == "retag":
        return tagged.replace(b"\tNOUN\t", b"\tVERB\t"), ".conllu"
    if field in ("model", "beam", "threshold"):
        return fastparse.load().tokenize(TEXT).to_bytes(), ".conllu"
    return tagged, ".conllu"


# Ways in: from data, the suffix of its kind and fields to an outcome that can be compared.


def treebank(data: bytes) -> fastparse.Treebank:
    return fastparse.read_conllu(data)


def to_file(method: str) -> Any:
    def call(parser: Parser, data: bytes, suffix: str, place: Any, **asked: Any) -> Any:
        source, out = place / f"in{suffix}", io.BytesIO()
        source.write_bytes(data)
        if "stats" in asked:
            asked["stats"] = place / asked["stats"]
        getattr(parser, method)(source, out, **asked)
        assert "stats" not in asked or json.loads(asked["stats"].read_text())["rows"]
        return out.getvalue()

    return call


def by_printing(*command: str) -> Any:
    def call(parser: Parser, data: bytes, suffix: str, place: Any, **asked: Any) -> Any:
        source, out = place / f"in{suffix}", io.StringIO()
        source.write_bytes(data)
        words = [word for name, value in asked.items() for word in (option_of(name), str(value))]
        with contextlib.redirect_stdout(out):
            status = run([*command, str(source), *words])
        if status:
            raise fastparse.Error(f"status {status}")
        return out.getvalue()

    return call


def by_command(command: str) -> Any:
    def call(parser: Parser, data: bytes, suffix: str, place: Any, **asked: Any) -> Any:
        source, out = place / f"in{suffix}", place / "out"
        source.write_bytes(data)
        words = ["--progress"] if asked.pop("progress", None) else ["-q"]
        if "stats" in asked:
            asked["stats"] = place / asked["stats"]
        for name, value in asked.items():
            words += [option_of(name)] if value is True else [option_of(name), str(value)]
        try:
            status = run([command, str(source), "-o", str(out), *words])
        except SystemExit as left:
            status = left.code
        if status not in (0, 3):
            raise fastparse.Error(f"status {status}")
        return out.read_bytes()

    return call


def arrays(parser: Parser, data: bytes, suffix: str, place: Any, **asked: Any) -> Any:
    return [found.tolist() for found in parser.parse_arrays(treebank(data), **asked)]


def rows(function: str) -> Any:
    def call(parser: Parser, data: bytes, suffix: str, place: Any, **asked: Any) -> Any:
        pytest.importorskip("pyarrow")
        from fastparse.bulk import arrow

        batches = list(arrow.from_conllu(data))
        if function == "parse_batch":
            return [arrow.parse_batch(batch, **asked).to_pylist() for batch in batches]
        return [batch.to_pylist() for batch in arrow.parse_batches(batches * 3, **asked)]

    return call


def sharded(parser: Parser, data: bytes, suffix: str, place: Any, **asked: Any) -> Any:
    from fastparse.bulk import shards

    source, out = place / f"in{suffix}", io.BytesIO()
    source.write_bytes(data)
    running = {name: asked.pop(name) for name in ("threads",) if name in asked}
    shards.plan([source], place / "shards", asked.pop("model", None), **asked)
    for _ in shards.run_free(place / "shards", **running):
        pass
    shards.merge(place / "shards", out)
    return out.getvalue()


def by_spacy(parser: Parser, data: bytes, suffix: str, place: Any, **asked: Any) -> Any:
    spacy = pytest.importorskip("spacy")
    from spacy.tokens import Doc

    nlp = spacy.blank("en")
    nlp.add_pipe("fastparse", config=asked)
    docs = []
    for sentence in treebank(data):
        given = {"pos": sentence.upos} if set(sentence.upos) <= {*UPOS} else {}
        docs.append(Doc(nlp.vocab, sentence.forms, **given))
    docs = list(nlp.pipe(docs))
    extra = [token._.arc_prob for doc in docs for token in doc] if asked.get("scores") else []
    extra += [token._.deps for doc in docs for token in doc] if "deps" in asked else []
    return [(token.head.i, token.dep_) for doc in docs for token in doc], extra


UPOS = [
    "ADJ",
    "ADP",
    "ADV",
    "AUX",
    "CCONJ",
    "DET",
    "INTJ",
    "NOUN",
    "NUM",
    "PART",
    "PRON",
    "PROPN",
    "PUNCT",
    "SCONJ",
    "SYM",
    "VERB",
    "X",
]
CALLS: dict[str, Any] = {
    "parse": lambda parser, data, suffix, place, **asked: parser.parse(treebank(data), **asked).to_bytes(),
    "parse_text": lambda parser, data, suffix, place, **asked: parser.parse_text(data.decode(), **asked).to_bytes(),
    "parse_arrays": arrays,
    "parse_file": to_file("parse_file"),
    "tag": lambda parser, data, suffix, place, **asked: parser.tag(treebank(data), **asked).to_bytes(),
    "tag_file": to_file("tag_file"),
    "tokenize": lambda parser, data, suffix, place, **asked: parser.tokenize(data.decode(), **asked).to_bytes(),
    "tokenize_file": to_file("tokenize_file"),
    "derivation": lambda parser, data, suffix, place, **asked: str(parser.derivation(treebank(data)[0], **asked)),
    "measure": lambda parser, data, suffix, place, **asked: parser.measure(treebank(data), **asked)[0].to_bytes(),
    "fastparse parse": by_command("parse"),
    "fastparse tag": by_command("tag"),
    "fastparse tokenize": by_command("tokenize"),
    "fastparse convert": by_command("convert"),
    "fastparse draw": by_printing("draw"),
    "fastparse derive": by_printing("derive", "--system", "swap"),
    "arrow.parse_batch": rows("parse_batch"),
    "arrow.parse_batches": rows("parse_batches"),
    "shards.plan": sharded,
    "shards.run": sharded,
    "spacy": by_spacy,
}
ELSEWHERE = {*OVER_HTTP, "dask.parse_files", "spark.parse", "ray.parse"}  # need what few have installed
# Fields that show in another way than `PROBES` says.
OTHERWISE = {
    ("fastparse convert", "source"): Probe("conllu", "saves"),  # of a file that is called .txt
    ("fastparse convert", "encoding"): Probe("latin-1"),  # without it bytes are kept as they are
    ("fastparse convert", "on_error"): Probe("stop", "fails"),
    # Both bundled models have the same tokenizer, and tags that seldom differ.
    ("fastparse tag", "model"): Probe("no-such-model", "fails"),
    ("fastparse tokenize", "model"): Probe("no-such-model", "fails"),
}
# What no input of these tests shows, though it is honoured: why.
UNSEEN = {
    ("parse_text", "strict"): "the model tags text itself, and never strangely",
    ("spacy", "strict"): "spaCy knows no other tags than those of the model",
}


def outcome(way: str, parser: Parser, data: bytes, suffix: str, place: Any, asked: dict[str, Any]) -> Any:
    place.mkdir()
    try:
        return CALLS[way](parser, data, suffix, place, **asked)
    except ValueError as error:
        return error


def test_every_way_is_called_here_or_elsewhere():
    assert set(CALLS) | ELSEWHERE == set(WAYS)


def test_every_field_has_a_probe():
    assert set(PROBES) == set(FIELDS)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("way", sorted(set(CALLS)))
def test_a_field_is_honoured_or_refused(way, field, parser, tagged, tmp_path):
    probe = OTHERWISE.get((way, field), PROBES[field])
    calls: list[object] = []
    value = calls.append if field == "progress" else probe.value
    if field not in WAYS[way].fields:
        with pytest.raises(fastparse.Error, match=rf"{field}=.*: \w+") as refused:
            Request.of(way, **{field: value})
        assert str(refused.value).startswith(f"{way} does not take {field}=")
        return
    data, suffix = input_for(field, way, tagged) if probe.value != "conllu" else (tagged, ".txt")
    before = outcome(way, parser, data, suffix, tmp_path / "before", {})
    after = outcome(way, parser, data, suffix, tmp_path / "after", {field: value})
    if probe.how == "fails":
        assert not isinstance(before, Exception)
        assert isinstance(after, fastparse.Error) or (way, field) in UNSEEN
    elif probe.how == "saves":
        assert isinstance(before, fastparse.Error)
        assert not isinstance(after, Exception)
    elif probe.how == "same":
        assert not isinstance(after, Exception), after
        assert after == before
    else:
        assert not isinstance(before, Exception), before
        assert not isinstance(after, Exception), after
        assert after != before or (way, field) in UNSEEN
    if field == "progress" and not way.startswith("fastparse "):
        assert calls


@pytest.mark.parametrize("way", sorted(WAYS))
def test_names_that_no_field_has_are_answered(way):
    with pytest.raises(fastparse.errors.UnknownNameError, match=rf"{way}: .*'treads'.*did you mean threads\?"):
        Request.of(way, treads=2)


def test_signatures_have_the_defaults_of_a_request():
    for name in ("parse", "parse_text", "parse_arrays", "parse_file", "tag", "tag_file", "tokenize_file", "measure"):
        parameters = inspect.signature(getattr(Parser, name)).parameters
        wanted = WAYS[name].fields
        assert wanted <= set(parameters), name
        for field in wanted:
            assert parameters[field].default == default_of(field), (name, field)


def sample_of(kind, field, tagged):
    """Data of a kind of input in which a field shows, if the kind can use it."""
    if kind == "parquet":
        pa = pytest.importorskip("pyarrow")
        out = io.BytesIO()
        rows = pa.table({"text": [TEXT]}) if field == "offsets" else pa.table({"forms": [["She", "reads"]]})
        pytest.importorskip("pyarrow.parquet").write_table(rows, out)
        return out.getvalue()
    if kind == "ndjson":
        data = json.dumps({"text": TEXT}, ensure_ascii=False) + "\n"
        return data.encode("latin-1") if field == "encoding" else data.encode() + b"{\n" * (field == "on_error")
    if kind.startswith("conll"):
        lines = tagged.decode().split("\n")
        data = "\n".join("\t".join(line.split("\t")[:8]) if "/8" in kind else line for line in lines)
        return data.encode("latin-1") if field == "encoding" else data.encode() + b"1\tGo\n\n" * (field == "on_error")
    return TEXT.encode("latin-1") if field == "encoding" else TEXT.encode() + b"Go \xff on.\n" * (field == "on_error")


@pytest.mark.parametrize("field", ["encoding", "on_error", "offsets"])
@pytest.mark.parametrize("kind", INPUTS)
def test_an_input_uses_a_field_or_refuses_it(kind, field, parser, tagged):
    data, plain, other = sample_of(kind, field, tagged), io.BytesIO(), io.BytesIO()
    asked = {field: PROBES[field].value}
    if field not in INPUTS[kind].uses.split():
        with pytest.raises(fastparse.Error, match=f"^{field}=.* does nothing for {re.escape(INPUTS[kind].about)}: "):
            parser.parse_file(data, other, source=kind, **asked)
        assert not other.getvalue()
        return
    if PROBES[field].how == "saves":
        with pytest.raises(fastparse.Error):
            parser.parse_file(data, plain, source=kind)
    else:
        parser.parse_file(data, plain, source=kind)
    parser.parse_file(data, other, source=kind, **asked)
    assert other.getvalue() != plain.getvalue()


@pytest.mark.parametrize("kind", OUTPUTS)
def test_an_output_uses_a_field_or_refuses_it(kind, parser, tagged):
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    plain, other = io.BytesIO(), io.BytesIO()
    if "deps" not in OUTPUTS[kind].uses.split():
        with pytest.raises(fastparse.Error, match=f"^deps='copy' does nothing for {re.escape(OUTPUTS[kind].about)}: "):
            parser.parse_file(tagged, other, target=kind, deps="copy")
        return
    parser.parse_file(tagged, plain, target=kind)
    parser.parse_file(tagged, other, target=kind, deps="copy")
    assert other.getvalue() != plain.getvalue()


def test_words_have_no_places_whatever_holds_them(parser):
    pa = pytest.importorskip("pyarrow")
    out = io.BytesIO()
    pytest.importorskip("pyarrow.parquet").write_table(pa.table({"forms": [["She", "reads"]]}), out)
    for data, kind in ((out.getvalue(), "parquet"), (b'{"forms": ["She", "reads"]}\n', "ndjson")):
        with pytest.raises(fastparse.Error, match=r"offsets=True does nothing for .*words"):
            parser.parse_file(data, io.BytesIO(), source=kind, offsets=True)


def test_a_missing_module_is_named_before_anything_is_read(parser, tagged, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    for data, kinds in ((b"1\tGo\n\n", {"target": "parquet"}), (tagged, {"source": "parquet"})):
        with pytest.raises(fastparse.Error, match=r"^this needs pyarrow, which cannot be imported"):
            parser.parse_file(data, io.BytesIO(), **kinds)


def test_limits_are_those_of_search():
    assert MAX_BEAM == LARGEST_BEAM


def test_numbers_of_numpy_are_numbers(parser):
    assert Request.of("parse", beam=np.int64(2), threads=np.int32(2)) == Request.of("parse", beam=2, threads=2)
    for wrong in ({"beam": 0}, {"beam": MAX_BEAM + 1}, {"beam": True}, {"threads": 0}, {"threshold": -1}, {"retag": 2}):
        with pytest.raises(fastparse.Error, match=next(iter(wrong))):
            Request.of("parse", **wrong)


def test_other_names_of_defaults_are_defaults():
    assert Request.of("parse", encoding="UTF8", batch_words=np.int64(default_of("batch_words"))) == Request()


@pytest.mark.parametrize("name", [name for name in FIELDS if limits_of(name)])
def test_numbers_are_taken_up_to_their_limits(name):
    least, most = limits_of(name)
    assert least == (0 if name == "threshold" else 1)
    for value in (least, most):
        assert getattr(Request.of("parse_file", **{name: value}), name) == value
    for value in (least - 1, most + 1):
        with pytest.raises(fastparse.Error, match=f"{name}={value}: expected a number from {least}"):
            Request.of("parse_file", **{name: value})


OF_ONE_MODEL = ("parse_arrays", "derivation", "measure")
COMMANDS = ("fastparse parse", "fastparse tag", "fastparse tokenize", "fastparse draw", "fastparse derive")


@pytest.mark.parametrize("way", sorted(set(CALLS) - {"fastparse convert", "shards.run"}))
def test_a_choice_of_models_is_honoured_or_refused(way, parser, tagged, tmp_path):
    """By 'auto' English goes to the English model, or one is asked to name a model."""
    data, suffix = input_for("model", way, tagged)
    asked = {"model": "auto"} if "model" in WAYS[way].fields else {}
    found = outcome(way, fastparse.load("auto"), data, suffix, tmp_path / "auto", asked)
    if way in OF_ONE_MODEL or (asked and way not in COMMANDS):
        assert isinstance(found, fastparse.Error)
        assert "'auto' chooses" in str(found)
    else:
        assert found == outcome(way, parser, data, suffix, tmp_path / "en", {})
        assert not isinstance(found, Exception)
