"""Models with a tagger: what they fill in, what they keep, and their files."""

import copy

import numpy as np
import pytest

import fastparse
from fastparse import Error, ModelFormatError
from fastparse.learning.progress import ComponentDone
from fastparse.learning.taggers import learn_tagger
from fastparse.model.storage import read_container, write_container
from tests.damage import assert_damage_is_refused
from tests.tagger.models import ALL, blank, column, tagging
from tests.toy import toy, toy_parser

TAGS = ("upos", "xpos", "feats")


def bare():
    return blank(toy(), "lemma", *TAGS)


def right(treebank, name):
    return np.mean([a == b for a, b in zip(column(treebank, name), column(toy(), name), strict=True)])


def test_a_toy_treebank_is_learnt():
    tagged = tagging().tag(bare())
    assert tagging().components == ALL
    assert all(right(tagged, name) == 1 for name in TAGS)
    assert right(tagged, "lemma") > 0.98
    assert tagging().info["tagger"]["scores"]["all tags"] == 100


def test_lemmas_are_scored_where_there_are_some():
    for dev, scored in ((toy()[:20], {"lemmas"}), (blank(toy()[:20], "lemma"), set())):
        said: list[object] = []
        model = fastparse.train(toy()[20:], dev=dev, components=("lemmatizer",), progress=said.append)
        assert set(model.info["lemmatizer"]["scores"]) == scored
        (done,) = [event for event in said if isinstance(event, ComponentDone)]
        assert done.scores == model.info["lemmatizer"]["scores"]


def test_words_alone_are_parsed_as_tagged_sentences_are():
    alone = list(tagging().parse([sentence.forms for sentence in toy()]))
    assert [s.heads for s in alone] == [s.heads for s in tagging().parse(toy())]
    assert alone[0].upos == toy()[0].upos


def test_what_is_given_stays_and_the_rest_agrees_with_it():
    tagged = tagging().tag(blank(toy(), "lemma", "xpos", "feats"))
    assert right(tagged, "xpos") == 1
    n = toy().n_words
    nouns = tagging().tag(bare().with_columns(upos=(np.zeros(n, np.int32), ["NOUN"])))
    assert set(column(nouns, "upos")) == {"NOUN"}
    seen = {x for u, x in zip(column(toy(), "upos"), column(toy(), "xpos"), strict=True) if u == "NOUN"}
    assert set(column(nouns, "xpos")) <= seen
    assert tagging().tag(nouns, retag=True).to_bytes() == tagging().tag(bare()).to_bytes()


def test_tags_that_training_has_not_seen_leave_the_others_free():
    odd = bare().with_columns(upos=(np.zeros(toy().n_words, np.int32), ["ODD"]))
    tagged = tagging().tag(odd)
    assert set(column(tagged, "upos")) == {"ODD"}
    assert right(tagged, "xpos") == 1


def test_sentences_are_filled_one_by_one():
    ids = np.array(toy().ids("upos"), np.int32)
    first = int(toy().offsets[1])
    mixed = bare().with_columns(upos=(np.where(np.arange(len(ids)) < first, ids, -1), toy().table("upos")))
    assert tagging().tag(mixed).to_bytes() == tagging().tag(bare()).to_bytes()
    partly = bare().with_columns(upos=(np.where(np.arange(len(ids)) < 1, ids, -1), toy().table("upos")))
    assert tagging().tag(partly)[0].upos == [toy()[0].upos[0]] + ["_"] * (len(toy()[0]) - 1)


def test_no_features_in_one_sentence_say_nothing_of_the_next_one():
    """A column may be filled in one sentence and empty in others, and `_` is a tag like any other."""
    ids = np.array(toy().ids("feats"), np.int32)
    first = np.arange(len(ids)) < toy().offsets[1]
    mixed = bare().with_columns(feats=(np.where(first, ids, -1), toy().table("feats")))
    assert right(mixed, "feats") < 0.8
    assert right(tagging().tag(mixed), "feats") == 1


def test_sentences_of_others_are_tagged():
    found = tagging().tag([sentence.forms for sentence in toy()])
    assert [sentence.upos for sentence in found] == [sentence.upos for sentence in toy()]
    assert next(tagging().tag([(toy()[0].forms, toy()[0].upos)])).xpos == toy()[0].xpos


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_and_batches_change_nothing(threads, tmp_path, monkeypatch):
    monkeypatch.setattr("fastparse.encoder.tagger._WORDS_AT_A_TIME", 20)
    expected = tagging().tag(bare()).to_bytes()
    assert tagging().tag(bare(), threads=threads).to_bytes() == expected
    tagging().tag_file(bare().to_bytes(), tmp_path / "out", threads, batch_words=7)
    assert (tmp_path / "out").read_bytes() == expected


def test_running_text_is_tagged_and_parsed(tmp_path):
    text = toy().to_text()
    (tmp_path / "t.txt").write_text(text, encoding="utf-8")
    tagging().tag_file(tmp_path / "t.txt", tmp_path / "out.conllu")
    tagged = fastparse.read_conllu(tmp_path / "out.conllu")
    assert "_" not in column(tagged, "upos")
    assert "_" not in column(tagged, "lemma")
    assert tagged.to_text() == text
    parsed = tagging().parse_text(text)
    assert column(parsed, "upos") == column(tagged, "upos")
    assert parsed.trees().all()


def test_a_saved_model_is_the_same(tmp_path):
    tagging().save(tmp_path / "m.fp")
    opened = fastparse.load(tmp_path / "m.fp")
    assert opened.info == tagging().info
    assert opened.components == ALL
    assert opened.tag(bare()).to_bytes() == tagging().tag(bare()).to_bytes()


def test_without_a_tagger_the_error_names_it():
    with pytest.raises(Error, match=r"tagging needs a tagger.*--components tagger,parser"):
        toy_parser().tag(toy())
    with pytest.raises(Error, match="needs a tagger"):
        toy_parser().tag_file(b"", "-")


def test_columns_that_a_treebank_lacks_are_not_said():
    tagger = learn_tagger(blank(toy(), "xpos"))
    assert list(tagger.columns) == ["upos", "feats"]
    assert tagger.tag(toy()).keys() == {"upos", "feats"}
    with pytest.raises(Error, match="none of them"):
        fastparse.train(blank(toy(), *TAGS), components=("tagger",), encoder=None)


def test_the_same_training_gives_the_same_bytes():
    first, second = (learn_tagger(toy()[:20], "small", 3, threads) for threads in (1, 2))
    assert all((array == second.arrays()[name]).all() for name, array in first.arrays().items())
    other = learn_tagger(toy()[:20], "small", 4)
    assert any((array != other.arrays()[name]).any() for name, array in first.arrays().items())


@pytest.fixture(scope="module")
def container(tmp_path_factory):
    path = tmp_path_factory.mktemp("tagging") / "m.fp"
    tagging().save(path)
    return read_container(path)


def test_arrays_that_cannot_be_used_are_refused(container, tmp_path):
    names = [name for name in container.arrays if name.startswith("tagger/")]
    assert len(names) > 10
    assert_damage_is_refused(container, names, tmp_path / "m.fp")
    classes = container.arrays["tagger/classes"].copy()
    classes[0, 0] = 10_000
    write_container(tmp_path / "m.fp", container.header, container.arrays | {"tagger/classes": classes})
    with pytest.raises(ModelFormatError, match="string that does not exist"):
        fastparse.load(tmp_path / "m.fp")


@pytest.mark.parametrize("column", ["upos", "xpos", "feats"])
@pytest.mark.parametrize("tag", ["", "a\nb", "a\rb"])
def test_tags_that_no_cell_can_hold_are_refused(container, tmp_path, column, tag):
    header = copy.deepcopy(container.header)
    columns = header["components"]["tagger"]["columns"]
    if column not in columns:
        pytest.skip(f"a tagger without {column}")
    columns[column][0] = tag
    write_container(tmp_path / "m.fp", header, container.arrays)
    with pytest.raises(ModelFormatError, match="columns are not strings"):
        fastparse.load(tmp_path / "m.fp")


@pytest.mark.parametrize(
    "change",
    [
        {"inputs": None},
        {"inputs": {}},
        {"columns": {}},
        {"columns": {"upos": ["X"]}},
        {"columns": {"misc": ["X"]}},
        {"columns": {"upos": ["a\tb"]}},
        {"encoder": 3},
        {"record": 3},
    ],
)
def test_headers_that_cannot_be_used_are_refused(container, tmp_path, change):
    parts = container.header["components"]
    header = {**container.header, "components": {**parts, "tagger": {**parts["tagger"], **change}}}
    write_container(tmp_path / "m.fp", header, container.arrays)
    with pytest.raises(ModelFormatError):
        fastparse.load(tmp_path / "m.fp")
