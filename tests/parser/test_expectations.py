"""Never silently wrong: what a model expects of its input, and what it says when that falls short."""

import io
import json
import warnings
from functools import lru_cache

import numpy as np
import pytest

import fastparse
from fastparse import Error, FastparseWarning, Treebank
from tests.commands import run
from tests.toy import TOY, toy, toy_parser


def without(treebank, *columns):
    nothing = np.zeros(treebank.n_words, np.int32)
    return treebank.with_columns(**{column: (nothing, ["_"]) for column in columns})


def changed(treebank, column, change):
    return treebank.with_columns(**{column: (treebank.ids(column), [change(s) for s in treebank.table(column)])})


@lru_cache(maxsize=1)
def xpos_parser():
    """A parser of a treebank that has XPOS alone."""
    return fastparse.train(
        without(toy(), "upos", "feats"), "arc-eager", beam=4, iterations=3, components=("parser",), encoder=None
    )


def said(parser, sentences, **options):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        parser.parse(sentences, **options)
    return [str(one.message) for one in found if issubclass(one.category, FastparseWarning)]


def test_input_like_the_training_treebank_is_no_news():
    assert said(toy_parser(), toy()) == []
    assert toy_parser().parse(toy(), strict=True).n_words == toy().n_words


def test_a_missing_column_is_said_once_with_counts():
    bare = without(toy(), "upos")
    (message,) = said(toy_parser(), bare)
    assert message.startswith(f"all {len(bare)} sentences ({bare.n_words:,} words) have no UPOS")
    assert "tagger" in message


def test_missing_in_some_sentences():
    ids = np.array(toy().ids("upos"), np.int32)
    ids[: toy().offsets[2]] = -1
    (message,) = said(toy_parser(), toy().with_columns(upos=(ids, toy().table("upos"))))
    assert message.startswith(f"2 of {len(toy())} sentences ({toy().offsets[2]} words) have no UPOS")


def test_a_sentence_without_words_lacks_nothing():
    forms = [list(sentence.forms) for sentence in toy()[:2]] + [[]]
    upos = [["_"] * len(forms[0]), list(toy()[1].upos), []]
    assert "1 of 3 sentences (7 words) has no UPOS" in said(toy_parser(), Treebank.from_columns(forms, upos))[0]


def test_tags_the_model_has_never_seen():
    (message,) = said(toy_parser(), changed(toy(), "upos", str.lower))
    assert "UPOS that the model has never seen" in message
    assert "'noun'" in message
    n_others = len(set(toy().ids("upos").tolist())) - 5
    assert f" and {n_others} others)" in message
    assert "NOUN" in message.partition("it knows")[2]


def test_features_are_missed_where_there_should_be_some():
    messages = said(toy_parser(), without(toy(), "feats"))
    assert any(message.startswith(f"none of {toy().n_words} words has FEATS") for message in messages)


def test_a_column_that_training_never_saw_is_not_read():
    """It derailed the model."""
    with pytest.warns(FastparseWarning, match="UPOS, which was empty in all the model has learnt from"):
        found = xpos_parser().parse(toy())
    expected = xpos_parser().parse(without(toy(), "upos", "feats"))
    assert found.heads.tolist() == expected.heads.tolist()
    assert found.deprels == expected.deprels
    assert found[0].upos == toy()[0].upos, "it stays in the output"
    heads, _ = xpos_parser().parse_arrays(toy())
    assert heads.tolist() == expected.heads.tolist()


@pytest.mark.parametrize("bad", ["missing", "unknown", "unseen"])
def test_strict_is_an_error(bad):
    parser, sentences = {
        "missing": (toy_parser(), without(toy(), "upos")),
        "unknown": (toy_parser(), changed(toy(), "upos", str.lower)),
        "unseen": (xpos_parser(), toy()),
    }[bad]
    for call in (parser.parse, parser.parse_arrays):
        with pytest.raises(Error, match="UPOS"):
            call(sentences, strict=True)


def test_files_are_said_as_a_whole_and_strict_leaves_no_output(tmp_path):
    bare = without(toy(), "upos").to_bytes()
    out = tmp_path / "out.conllu"
    with pytest.warns(FastparseWarning, match=f"all {len(toy())} sentences") as found:
        toy_parser().parse_file(bare, out, batch_words=20, threads=2)
    assert len(found) == 1
    assert found[0].filename == __file__, "the line that called is named"
    out.unlink()
    with pytest.raises(Error, match="no UPOS"):
        toy_parser().parse_file(bare, out, strict=True)
    assert not out.exists()


def test_an_iterable_is_warned_of_once():
    pairs = [(["She", "reads"], None)] * 3
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        assert len(list(toy_parser().parse(pairs * 1000))) == 3000
    assert len(found) == len({str(one.message).partition(" ")[2] for one in found})


def test_what_a_model_has_seen_is_in_its_file(tmp_path):
    toy_parser().save(tmp_path / "toy.fp")
    again = fastparse.load(tmp_path / "toy.fp")
    reads = again.info["reads"]
    assert reads["upos"]["share"] == 1.0
    assert set(reads["upos"]["values"]) == {tag for tag in toy().table("upos") if tag != "_"}
    assert json.dumps(reads)
    assert said(again, changed(toy(), "upos", str.lower))


def test_a_record_that_cannot_be_is_refused(tmp_path):
    parser = toy_parser()
    parser.save(tmp_path / "good.fp")
    spoilt = fastparse.load(tmp_path / "good.fp")
    spoilt._annotator.get("parser").record["columns"]["upos"]["share"] = "much"
    spoilt.save(tmp_path / "bad.fp")
    with pytest.raises(fastparse.ModelFormatError, match="columns"):
        fastparse.load(tmp_path / "bad.fp")


@pytest.mark.parametrize("head", ["99", "x", "", "-3", "_"])
def test_heads_that_are_discarded_may_be_anything(head):
    """HEAD was read, and stopped the file."""
    rows = [["1", "She", "she", "PRON", "PRP", "_", head, "nsubj", "_", "_"],
            ["2", "reads", "read", "VERB", "VBZ", "_", "0", "root", "_", "_"]]  # fmt: skip
    source = ("\n".join("\t".join(row) for row in rows) + "\n\n").encode()
    out = io.BytesIO()
    report = toy_parser().parse_file(source, out)
    assert (report.sentences, report.skipped) == (1, 0)
    parsed = fastparse.read_conllu(out.getvalue())
    parsed.require_trees()
    if head not in ("_",):
        with pytest.raises(fastparse.ConlluError):
            fastparse.read_conllu(source)
    assert fastparse.read_conllu(source, heads=False).heads.tolist() == [-1, -1]


def test_the_command_line(tmp_path):
    model, bare, out = tmp_path / "toy.fp", tmp_path / "bare.conllu", tmp_path / "out.conllu"
    toy_parser().save(model)
    without(toy(), "upos").write(bare)
    done = run("parse", str(bare), "-m", str(model), "-o", str(out))
    assert done.returncode == 0
    assert f"fastparse: warning: all {len(toy())} sentences" in done.stderr.decode()
    assert b".py" not in done.stderr
    out.unlink()
    done = run("parse", str(bare), "-m", str(model), "-o", str(out), "--strict")
    assert (done.returncode, out.exists()) == (1, False)
    assert b"no UPOS" in done.stderr
    assert run("parse", str(TOY), "-m", str(model), "-o", str(out), "--strict").returncode == 0
    assert b"UPOS (100% of words" in run("info", str(model)).stdout
