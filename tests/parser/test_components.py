"""Models of several components: their files, what they fill in, and what is said when one is not there."""

import numpy as np
import pytest

import fastparse
from fastparse import Error, ModelFormatError, UnknownNameError
from fastparse.model.storage import read_container, write_container
from tests.damage import assert_damage_is_refused
from tests.parser.models import splitting, whole, without_parser
from tests.toy import toy, toy_parser

ALL = ("tokenizer", "lemmatizer", "parser")


def blank(treebank, *columns):
    return treebank.with_columns(**{name: (np.zeros(treebank.n_words, np.int32), ["_"]) for name in columns})


def test_all_the_treebank_has_data_for_is_learnt():
    assert whole().components == ALL
    assert whole().info["components"] == list(ALL)
    assert fastparse.train(toy_without_spacing(), "arc-eager", beam=1, iterations=1, encoder=None).components == (
        "lemmatizer",
        "parser",
    )
    assert toy_parser().components == ("parser",)


def toy_without_spacing():
    return blank(toy()[:20], "misc")


@pytest.mark.parametrize("spaced", [False, True])
def test_what_tells_nothing_of_spaces_teaches_to_split_at_them(spaced):
    bank, said = toy()[:20], []
    if spaced:
        bank = fastparse.read_conllu(bank.to_bytes().replace(b"SpaceAfter=No", b"_"))
    fastparse.train(bank, components=("tokenizer",), progress=lambda event: said.append(str(event)), encoder=None)
    assert any("learns to split at spaces alone" in message for message in said) == spaced


def test_the_parser_does_not_depend_on_the_other_components():
    alone = fastparse.train(toy(), "arc-eager", dev=toy(), beam=2, iterations=2, components=["parser"], encoder=None)
    assert alone.parse(toy()).to_bytes() == whole().parse(toy()).to_bytes()
    assert {name: whole().info[name] for name in alone.info if name != "components"} == {
        name: value for name, value in alone.info.items() if name != "components"
    }


@pytest.mark.parametrize("model", [whole, splitting, without_parser])
def test_saved_models_are_the_same(model, tmp_path):
    model().save(tmp_path / "m.fp")
    opened = fastparse.load(tmp_path / "m.fp")
    assert opened.components == model().components
    assert opened.info == model().info
    opened.save(tmp_path / "again.fp")
    assert (tmp_path / "again.fp").read_bytes() == (tmp_path / "m.fp").read_bytes()
    assert opened.tokenize("He reads.").to_bytes() == model().tokenize("He reads.").to_bytes()
    assert repr(opened)


def test_dev_scores_are_kept():
    scores = whole().info["tokenizer"]["scores"]
    assert scores.keys() == {"tokens", "sentences", "words"}
    assert scores["words"] > 90
    assert whole().info["lemmatizer"]["scores"]["lemmas"] > 90


# ── lemmas ──


def test_missing_lemmas_are_filled_in():
    parsed = whole().parse(blank(toy(), "lemma"))
    assert parsed.table("lemma") != ["_"]
    assert fastparse.evaluate(toy(), parsed).lemmas > 95
    assert fastparse.read_conllu(parsed.to_bytes())[3].lemmas == parsed[3].lemmas


def test_given_lemmas_stay_unless_they_are_to_be_replaced():
    n = toy().n_words
    odd = toy().with_columns(lemma=(np.zeros(n, np.int32), ["odd"]))
    assert set(whole().parse(odd)[0].lemmas) == {"odd"}
    assert "odd" not in whole().parse(odd, retag=True)[0].lemmas


def test_a_sentence_with_one_lemma_is_left_alone():
    ids = np.zeros(toy().n_words, np.int32)
    ids[0] = 1
    parsed = whole().parse(toy().with_columns(lemma=(ids, ["_", "odd"])))
    assert parsed[0].lemmas == ["odd"] + ["_"] * (len(parsed[0]) - 1)
    assert "_" not in parsed[1].lemmas
    assert parsed[1].lemmas == whole().parse(blank(toy(), "lemma"))[1].lemmas


def test_words_without_tags_get_no_lemma():
    parsed = whole().parse(blank(toy(), "lemma", "upos"))
    assert set(parsed[0].lemmas) == {"_"}


def test_files_are_filled_in_as_treebanks_are(tmp_path):
    data = blank(toy(), "lemma").to_bytes()
    for options in ({}, {"threads": 2, "batch_words": 7}):
        whole().parse_file(data, tmp_path / "out", **options)
        assert (tmp_path / "out").read_bytes() == whole().parse(fastparse.read_conllu(data)).to_bytes()


# ── what is not there ──


def test_what_a_model_lacks_is_named(tmp_path):
    model = without_parser()
    model.save(tmp_path / "m.fp")
    for action in (
        lambda: model.parse(toy()),
        lambda: model.parse_text("He reads."),
        lambda: model.parse_file(b"", tmp_path / "out"),
        lambda: model.system,
    ):
        with pytest.raises(Error, match=r"needs a parser, .*it has: tokenizer, lemmatizer.*--components"):
            action()
    with pytest.raises(Error, match=r"needs a tokenizer.*--components tokenizer,parser"):
        toy_parser().tokenize("He reads.")
    with pytest.raises(Error, match="needs a tokenizer"):
        toy_parser().parse_text("He reads.")
    with pytest.raises(Error, match="retag=True needs a tagger"):
        toy_parser().parse(toy(), retag=True)


@pytest.mark.parametrize(
    ("components", "error"), [(("tagget",), UnknownNameError), ((), Error), ("parser", Error), ((3,), UnknownNameError)]
)
def test_impossible_components_are_refused(components, error):
    with pytest.raises(error, match="components=" if error is Error else "components"):
        fastparse.train(toy(), components=components, encoder=None)


# ── files from outside ──


@pytest.fixture(scope="module")
def container(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "m.fp"
    whole().save(path)
    return read_container(path)


def test_arrays_that_cannot_be_used_are_refused(container, tmp_path):
    names = [name for name in container.arrays if "/" in name]
    assert len(names) > 20
    assert_damage_is_refused(container, names, tmp_path / "m.fp")


def test_arrays_with_random_values_are_refused_or_safe(container, tmp_path):
    random = np.random.default_rng(1)
    for name in (name for name in container.arrays if "/" in name):
        array = container.arrays[name].copy()
        if not array.size:
            continue
        places = random.integers(0, array.size, 3)
        array.reshape(-1)[places] = random.integers(0, 255, 3).astype(np.uint8).view(np.int8).astype(array.dtype)
        write_container(tmp_path / "m.fp", container.header, container.arrays | {name: array})
        try:
            model = fastparse.load(tmp_path / "m.fp")
        except ModelFormatError:
            continue
        assert model.parse_text("He reads. U.S. books don't!").to_text() == "He reads. U.S. books don't!"
        assert len(model.parse(blank(toy(), "lemma"))) == len(toy())


def test_records_are_objects(container, tmp_path):
    header = {**container.header, "components": {**container.header["components"], "tokenizer": {"record": 3}}}
    write_container(tmp_path / "m.fp", header, container.arrays)
    with pytest.raises(ModelFormatError, match="record of the tokenizer"):
        fastparse.load(tmp_path / "m.fp")
