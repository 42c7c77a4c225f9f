"""Record batches and Parquet: what is parsed in them is what CoNLL-U gives, and conversion loses nothing."""

import io
from pathlib import Path

import numpy as np
import pytest

import fastparse
from fastparse import Error
from fastparse.corpus.rows import Rows
from fastparse.corpus.strings.interning import StringTable
from tests.commands import run as command
from tests.parser.models import splitting
from tests.tagger.models import tagging
from tests.toy import TOY, toy, toy_parser

pa = pytest.importorskip("pyarrow", reason="needs the extra arrow")
pq = pytest.importorskip("pyarrow.parquet")

from fastparse.bulk import arrow, parquet  # noqa: E402
from fastparse.corpus.foreign.arrow import string_array  # noqa: E402

RELEASED = Path(__file__).parents[1] / "data" / "release-0.2.parquet"

ODD = {
    "empty": b"",
    "blank": b"\n",
    "comments alone": b"# nothing\n",
    "no line end": b"1\tGo\t_\t_\t_\t_\t0\troot\t_\t_",
    "zeros": b"1\tGo\t_\t_\t_\t_\t00\troot\t_\t_\n\n",
    "returns": b"# a\r\n1\tGo\t_\t_\t_\t_\t0\troot\t_\tx\r\n\r\n",
    "mark": b"\xef\xbb\xbf1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
    "blanks": b"\n \t\n1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n \t\n\n\n# end\n",
    "comments": b"# text = Go!\n# sent_id = 1\n# sent_id = 2\n# text\n1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
    "lines": b"1-2\tGo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n1\tG\t_\t_\t_\t_\t0\troot\t_\t_\n# amid\n"
    b"1.1\te\t_\t_\t_\t_\t_\t_\t0:x\t_\n2\to\t_\t_\t_\t_\t1\tx\t1:x|1.1:y\t_\n2.1\t!\t_\t_\t_\t_\t_\t_\t1:y\t_\n\n",
    "bad": b"1\tGo\n\n1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n1\tx\t_\t_\t_\t_\t9\troot\t_\t_\n\n",
    "cells": b"1\t\t \t_\t_\r\t_\t_\t_\t_\t_\n\n",
    "conllx": b"1\tGo\tgo\tV\tVB\t_\t0\tROOT\n2\t!\t!\t.\t.\t_\t1\tP\n\n",
}


@pytest.mark.parametrize("dictionary", [False, True])
@pytest.mark.parametrize("name", [*ODD, "toy"])
def test_conversion_loses_nothing(name, dictionary):
    data = TOY.read_bytes() if name == "toy" else ODD[name]
    batches = list(arrow.from_conllu(data, batch_words=100, dictionary=dictionary))
    for batch in batches:
        batch.validate(full=True)
        assert batch.schema == arrow.schema(dictionary=dictionary)
    assert b"".join(arrow.to_conllu(batches)) == data
    if name == "toy":
        assert all(batch.column("source").null_count == len(batch) for batch in batches)


def test_rows_say_what_they_hold():
    (batch,) = arrow.from_conllu(ODD["lines"] + b"# sent_id = z\n" + ODD["no line end"])
    rows = batch.to_pylist()
    assert rows[0]["lines"][0] == {"at": 0, "line": "1-2\tGo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No"}
    assert [line["at"] for line in rows[0]["lines"]] == [0, 1, 1, 2]
    assert (rows[0]["form"], rows[0]["head"], rows[0]["deps"]) == (["G", "o"], [0, 1], ["_", "1:x|1.1:y"])
    assert rows[0]["source"] is None
    assert (rows[1]["sent_id"], rows[1]["comments"], rows[1]["head"]) == ("z", ["# sent_id"], [0])
    assert rows[1]["source"].endswith(b"\t0\troot\t_\t_")
    (batch,) = arrow.from_conllu(ODD["zeros"])
    assert batch.to_pylist()[0]["form"] == []  # cannot be read, and is kept
    assert batch.to_pylist()[0]["source"] == ODD["zeros"]


def test_sentences_that_are_left_out_are_not_lost_silently():
    with pytest.raises(Error, match="left out"):
        Rows(fastparse.read_conllu(ODD["bad"], on_error="skip"))
    with pytest.raises(Error, match="left out"):
        Rows(toy()[:2])


def expected():
    return toy_parser().parse(toy())


def plain(**columns):
    return pa.record_batch(columns)


@pytest.mark.parametrize("dictionary", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_batches_get_the_trees_of_the_treebank(dictionary, threads):
    batches = list(arrow.from_conllu(TOY, batch_words=200, dictionary=dictionary))
    assert len(batches) > 2
    made = list(arrow.parse_batches(iter(batches), toy_parser(), threads=threads, dictionary=dictionary))
    assert b"".join(arrow.to_conllu(made)) == expected().to_bytes()
    assert made[0].schema == arrow.schema(dictionary=dictionary)
    assert b"".join(arrow.to_conllu(batches)) == TOY.read_bytes()  # the input is as it was


def test_heads_are_written_into_sources():
    data = TOY.read_bytes().replace(b"\n", b"\r\n")
    batches = list(arrow.from_conllu(data))
    made = list(arrow.parse_batches(batches, toy_parser()))
    assert b"".join(arrow.to_conllu(made)) == toy_parser().parse(fastparse.read_conllu(data)).to_bytes()


KINDS = [
    pa.list_(pa.string()), pa.large_list(pa.large_string()), pa.list_(pa.dictionary(pa.int8(), pa.string())),
    pa.list_(pa.dictionary(pa.int64(), pa.large_string())), pa.list_(pa.string_view()),
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_all_kinds_of_strings_nulls_and_slices(kind):
    forms = [["x"], None, ["The", "cat"], [], ["She", "sleeps", None]]
    tags = [["X"], None, ["DET", "NOUN"], [], ["PRON", None, "PUNCT"]]
    batch = plain(tokens=pa.array(forms, kind), upos=pa.array(tags, kind), id=pa.array(range(5)))[1:]
    made = arrow.parse_batch(batch, toy_parser())
    want = list(toy_parser().parse([(["The", "cat"], ["DET", "NOUN"]), (["She", "sleeps", "_"], tags[-1])]))
    assert made.column("head").to_pylist() == [[], want[0].heads, [], want[1].heads]
    assert made.column("deprel").to_pylist() == [[], want[0].deprels, [], want[1].deprels]
    assert made.column("id").to_pylist() == [1, 2, 3, 4]
    assert made.schema.names == ["tokens", "upos", "id", "head", "deprel"]


def test_ids_are_shared_with_arrow():
    from fastparse.corpus.foreign.arrow import treebank_of

    values = pa.DictionaryArray.from_arrays(pa.array([1, 0, 1], pa.int32()), pa.array(["cat", "The"]))
    batch = plain(form=pa.ListArray.from_arrays(pa.array([0, 2, 3], pa.int32()), values))
    ids = treebank_of(batch, "form").ids("form")
    assert ids.ctypes.data == values.indices.buffers()[1].address
    assert not ids.flags.writeable


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": [1]}, "neither words"),
        ({"form": [["a", "b"]], "upos": [["X"]]}, "row 0: column 'upos' has 1 items for 2 words"),
        ({"form": ["a"]}, "expected a list in each row"),
        ({"form": [[1, 2]]}, "an index|cannot be read|string"),
        ({"text": ["She sleeps."]}, "tokenizer"),
    ],
)
def test_wrong_columns_are_named(columns, message):
    if columns == {"form": [[1, 2]]}:
        made = arrow.parse_batch(plain(**{k: pa.array(v) for k, v in columns.items()}), toy_parser())
        assert made.column("head").to_pylist()[0].count(0) == 1  # numbers are read as what they are written as
        return
    with pytest.raises(Error, match=message):
        arrow.parse_batch(plain(**{k: pa.array(v) for k, v in columns.items()}), toy_parser())


def test_unsound_arrays_are_refused():
    indices = pa.Array.from_buffers(pa.int32(), 2, [None, pa.py_buffer(np.array([0, 7], np.int32))])
    values = pa.DictionaryArray.from_arrays(indices, pa.array(["a"]), safe=False)
    batch = plain(form=pa.ListArray.from_arrays(pa.array([0, 2], pa.int32()), values))
    with pytest.raises(Error, match="no sound"):
        arrow.parse_batch(batch, toy_parser())
    strings = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(np.array([0, 1], np.int32)), pa.py_buffer(b"\xff")]
    )
    batch = plain(form=pa.ListArray.from_arrays(pa.array([0, 1], pa.int32()), strings))
    with pytest.raises(Error, match="UTF"):
        arrow.parse_batch(batch, toy_parser())


@pytest.mark.parametrize("offsets", [[], [-1, 1], [0, 9], [0, 2, 1]])
def test_tables_of_strings_look_at_their_offsets(offsets):
    with pytest.raises(IndexError):
        StringTable.of_cells(b"abc", np.array(offsets, np.int32))
    assert StringTable.of_cells(b"abc", np.array([0, 2, 2, 3], np.int32)).strings == ["ab", "", "c"]


@pytest.mark.parametrize(
    "columns",
    [
        {"form": [["a\tb"]]}, {"form": [["a"]], "head": [[2]]}, {"form": [["a"]], "comments": [["no mark"]]},
        {"form": [["a"]], "sent_id": ["a\nb"]}, {"form": [["a"]], "source": [b"1\ta\n\n"]},
    ],
)  # fmt: skip
def test_what_conllu_cannot_say_is_refused(columns):
    with pytest.raises(Error):
        list(arrow.to_conllu([plain(**{k: pa.array(v) for k, v in columns.items()})]))


def test_columns_of_others_become_conllu():
    batch = plain(form=pa.array([["Go", "!"]]), upos=pa.array([["VERB", None]]), text=pa.array(["Go!"]))
    assert b"".join(arrow.to_conllu([batch])) == (
        b"# text = Go!\n1\tGo\t_\tVERB\t_\t_\t_\t_\t_\t_\n2\t!\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )


def test_missing_tags_and_lemmas_are_filled_in():
    words = [sentence.forms for sentence in toy()][:20]
    made = arrow.parse_batch(plain(form=pa.array(words)), tagging())
    want = tagging().parse(fastparse.Treebank.from_columns(words))
    for name, column in (("upos", "upos"), ("feats", "feats"), ("lemma", "lemmas"), ("head", "heads")):
        assert made.column(name).to_pylist() == [getattr(sentence, column) for sentence in want]
    # What is there stays, unless it is to be replaced.
    given = plain(form=pa.array([["The", "cat"]]), upos=pa.array([["X", "X"]]))
    assert arrow.parse_batch(given, tagging()).column("upos").to_pylist() == [["X", "X"]]
    assert arrow.parse_batch(given, tagging(), retag=True).column("upos").to_pylist() != [["X", "X"]]
    # All batches get the same types, whoever has given the tags.
    made = arrow.parse_batch(given, tagging(), dictionary=True)
    assert made.schema.field("upos").type == arrow.schema(dictionary=True).field("upos").type
    step = arrow.Step.of("arrow.parse_batch", tagging())
    assert step.output_schema(given.schema) == arrow.parse_batch(given, tagging()).schema


def test_batches_earn_warnings_and_errors():
    strange = plain(form=pa.array([["The", "cat"]]), upos=pa.array([["X", "Y"]]))
    with pytest.warns(fastparse.FastparseWarning, match="UPOS that the model has never seen"):
        arrow.parse_batch(strange, toy_parser())
    with pytest.raises(Error, match="column 'text' needs a tokenizer"):
        arrow.parse_batch(plain(text=pa.array(["Go on."])), toy_parser())


def test_documents_become_sentences():
    texts = ["Bo likes books. Dr. Moe sees it.", None, "", "It is so."]
    batch = plain(id=pa.array([7, 8, 9, 10]), text=pa.array(texts))
    made = arrow.parse_batch(batch, splitting())
    want = [splitting().parse_text(text) for text in texts if text]
    assert made.column("head").to_pylist() == [s.heads for treebank in want for s in treebank]
    assert made.column("id").to_pylist() == [7] * len(want[0]) + [10] * len(want[1])
    assert b"".join(arrow.to_conllu([made])) == b"".join(treebank.to_bytes() for treebank in want)
    assert arrow.Step.of("arrow.parse_batch", splitting()).output_schema(batch.schema) == made.schema


def test_models_are_opened_once(tmp_path, monkeypatch):
    import pickle

    toy_parser().save(tmp_path / "a.fp")
    first = pickle.loads(pickle.dumps(arrow.Step.of("arrow.parse_batch", fastparse.load(tmp_path / "a.fp"))))
    monkeypatch.setattr(fastparse, "load", lambda *_: pytest.fail("opened again"))
    assert pickle.loads(pickle.dumps(first)).parser is first.parser


# Files


def test_a_file_of_this_release_is_read(tmp_path):
    parquet.convert(RELEASED, tmp_path / "a.conllu")
    assert (tmp_path / "a.conllu").read_bytes() == ODD["lines"] + ODD["comments"] + ODD["returns"]
    assert next(parquet.read_parquet(RELEASED)).schema.names == arrow.schema().names


def test_parquet_there_and_back(tmp_path):
    a, b = tmp_path / "a.conllu", tmp_path / "b.conllu"
    a.write_bytes(TOY.read_bytes().rstrip(b"\n"))
    b.write_bytes(TOY.read_bytes() * 3)
    for name in ("a", "b"):
        parquet.convert(tmp_path / f"{name}.conllu", tmp_path / f"{name}.parquet")
    parquet.convert(tmp_path / "a.parquet", tmp_path / "c.conllu")
    assert (tmp_path / "c.conllu").read_bytes() == a.read_bytes()
    parquet.convert([tmp_path / "a.parquet", tmp_path / "b.parquet"], tmp_path / "c.conllu")
    whole_one = fastparse.read_conllu([a, b]).to_bytes()
    assert (tmp_path / "c.conllu").read_bytes() == whole_one
    report = parquet.parse_file(toy_parser(), [tmp_path / "a.parquet", tmp_path / "b.parquet"], tmp_path / "d.parquet")
    assert (report.sentences, report.words) == (len(toy()) * 4, toy().n_words * 4)
    parquet.parse_file(
        toy_parser(), [tmp_path / "a.parquet", tmp_path / "b.parquet"], tmp_path / "e.parquet", threads=2
    )
    assert (tmp_path / "d.parquet").read_bytes() == (tmp_path / "e.parquet").read_bytes()
    parquet.convert(tmp_path / "d.parquet", tmp_path / "d.conllu")
    assert (tmp_path / "d.conllu").read_bytes() == toy_parser().parse(fastparse.read_conllu(whole_one)).to_bytes()
    assert "dictionary" not in str(pq.read_schema(tmp_path / "d.parquet"))


def test_lines_of_json_of_any_name_become_rows(tmp_path):
    (tmp_path / "a.txt").write_text('{"forms": ["Bo", "sees"]}\n')
    report = parquet.convert(tmp_path / "a.txt", tmp_path / "a.parquet", source="ndjson")
    assert (report.sentences, report.words) == (1, 2)
    assert pq.read_table(tmp_path / "a.parquet").column("form").to_pylist() == [["Bo", "sees"]]


def test_a_batch_that_was_chosen_is_a_row_group(tmp_path):
    for options, several in (({}, False), ({"batch_words": 100}, True)):
        parquet.parse_file(toy_parser(), TOY, tmp_path / "a.parquet", **options)
        assert (pq.ParquetFile(tmp_path / "a.parquet").num_row_groups > 1) is several


def test_dictionaries_that_change_within_a_row_group(tmp_path):
    rows = [[f"w{i}-{k}" for k in range(40)] for i in range(3000)]
    table = pa.table({"form": pa.array(rows)})
    pq.write_table(table, tmp_path / "a.parquet", dictionary_pagesize_limit=2000, data_page_size=1000)
    found = [row for batch in parquet.read_parquet(tmp_path / "a.parquet", rows=700) for row in batch.to_pylist()]
    assert [row["form"] for row in found] == rows


def test_a_damaged_file_is_an_error(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and more")
    with pytest.raises(Error, match="no Parquet file"):
        parquet.convert(tmp_path / "a.parquet", tmp_path / "b.conllu")
    assert not (tmp_path / "b.conllu").exists()
    with pytest.raises(Error, match="several kinds"):
        parquet.convert([tmp_path / "a.parquet", TOY], tmp_path / "b.conllu")


def test_an_empty_file_has_the_schema(tmp_path):
    parquet.write_parquet([], tmp_path / "a.parquet")
    assert pq.read_schema(tmp_path / "a.parquet").names == arrow.schema().names
    out = io.BytesIO()
    parquet.write_parquet(arrow.from_conllu(b""), out)
    assert pq.read_table(io.BytesIO(out.getvalue())).num_rows == 0


def test_a_first_column_is_replaced_in_its_place():
    batch = pa.record_batch({"head": [[0, 0]], "tokens": [["She", "reads"]]})
    made = arrow.parse_batch(batch, toy_parser())
    assert made.schema.names[:2] == ["head", "tokens"]
    assert made.schema.names.count("head") == 1
    assert made.column(0).to_pylist()[0].count(0) == 1


def test_the_commands(tmp_path):
    def run(*args, check=True):
        done = command(*args)
        assert not check or done.returncode == 0
        return done

    toy_parser().save(tmp_path / "a.fp")
    run("convert", TOY, "-o", f"{tmp_path}/in/")
    run("parse", tmp_path / "in" / "toy.parquet", "-m", tmp_path / "a.fp", "-o", f"{tmp_path}/out/")
    run("convert", tmp_path / "out" / "toy.parquet", "-o", f"{tmp_path}/out/")
    assert (tmp_path / "out" / "toy.conllu").read_bytes() == expected().to_bytes()
    rows, model = tmp_path / "in" / "toy.parquet", tmp_path / "a.fp"
    run("parse", rows, "-m", model, "--deps", "copy", "-o", tmp_path / "x.conllu")
    run("parse", TOY, "-m", model, "--deps", "copy", "-o", tmp_path / "y.conllu")
    assert fastparse.read_conllu(tmp_path / "x.conllu").table("deps") != ["_"]
    assert (tmp_path / "x.conllu").read_bytes() == (tmp_path / "y.conllu").read_bytes()
    refused = run("parse", rows, "--on-error", "skip", "-o", tmp_path / "z.parquet", check=False)
    assert refused.returncode == 1
    assert b"--on-error skip does nothing for Parquet" in refused.stderr


def _buffers(kind, n, *buffers, children=()):
    """An array over any buffers: rows of numbers, or bytes."""
    raw = [np.array(some, np.int32).tobytes() if isinstance(some, list) else some for some in buffers]
    return pa.Array.from_buffers(kind, n, [b if b is None else pa.py_buffer(b) for b in raw], children=list(children))


UNSOUND = {
    "characters beyond the end": lambda: _buffers(pa.string(), 3, None, [0, 1, 10**8, 3], b"abc"),
    "characters that fall": lambda: _buffers(pa.string(), 3, None, [0, 3, 1, 3], b"abc"),
    "an index beyond the dictionary": lambda: pa.DictionaryArray.from_arrays(
        _buffers(pa.int32(), 3, None, [0, 10**8, -5]), pa.array(["a"]), safe=False
    ),
    "what is not UTF-8": lambda: _buffers(pa.string(), 3, None, [0, 1, 2, 3], b"a\xff\xfe"),
}


@pytest.mark.parametrize(("name", "value"), [
    ("source", "text"), ("source", 7), ("sent_id", 7), ("sent_id", ["a"]), ("text", b"a"), ("comments", "# a"),
    ("comments", [7]), ("comments", [None]), ("lines", ["a"]), ("lines", [7]), ("lines", [{"at": 10**12, "line": "x"}]),
    ("lines", [{"at": -1, "line": "x"}]), ("lines", [{"at": 0, "line": None}]), ("lines", [None]), ("lines", 7),
])  # fmt: skip
def test_columns_of_other_types_are_refused(name, value):
    batch = pa.record_batch({"form": [["a"]], name: [value]})
    with pytest.raises(Error, match=f"column '{name}'"):
        b"".join(arrow.to_conllu([batch]))


def test_no_rows_say_nothing_of_words():
    """Arrow does not look at the offset of an array without rows."""
    none = _buffers(pa.list_(pa.string()), 0, None, [1], children=[pa.array(["a"])]).slice(0)
    beyond = pa.py_buffer(np.array([10**6], np.int32).tobytes())
    wild = pa.ListArray.from_buffers(pa.list_(pa.string()), 0, [None, beyond], children=[pa.array(["a"])])
    for rows in (none, wild):
        assert len(arrow.parse_batch(pa.record_batch({"form": rows}), toy_parser())) == 0


@pytest.mark.parametrize("name", UNSOUND)
def test_what_leads_outside_of_arrow_is_refused(name):
    items = UNSOUND[name]()
    rows = _buffers(pa.list_(items.type), 2, None, [0, 1, 3], children=[items])
    falls = _buffers(pa.list_(items.type), 3, None, [0, 3, 1, 3], children=[pa.array(["a", "b", "c"], items.type)])
    good = pa.array([["a"], ["b"]])
    for batch in (
        pa.record_batch({"form": rows}),
        pa.record_batch({"form": falls}),
        pa.record_batch({"form": good, "upos": rows}),
        pa.record_batch({"form": good, "sent_id": items.slice(1)}),
    ):
        with pytest.raises(Error, match="no sound Arrow data"):
            arrow.parse_batch(batch, toy_parser())
        with pytest.raises(Error, match="no sound Arrow data"):
            b"".join(arrow.to_conllu([batch]))
        with pytest.raises(Error, match="no sound Arrow data"):
            list(toy_parser().parse(pa.Table.from_batches([batch])))


@pytest.mark.parametrize("dictionary", [True, False])
def test_words_without_a_string_have_an_underscore_among_others(dictionary):
    ids = np.array([0, -1, 1, -1], np.int32)
    assert string_array(ids, ["a", "b"], dictionary=dictionary).to_pylist() == ["a", "_", "b", "_"]
