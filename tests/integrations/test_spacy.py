"""The spaCy component, against spaCy itself."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fastparse
from tests.tagger.models import tagging
from tests.toy import toy, toy_parser

spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
FastparseComponent = pytest.importorskip("fastparse.bulk.spacy_component").FastparseComponent

WORDS = [sentence.forms for sentence in toy()]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("spacy") / "toy.fp"
    toy_parser().save(path)
    return str(path)


@pytest.fixture
def nlp(model):
    made = spacy.blank("xx")
    made.add_pipe("fastparse", config={"model": model})
    return made


def docs_of(nlp):
    """The sentences of the toy treebank with their tags, a Doc each."""
    return [
        spacy.tokens.Doc(nlp.vocab, words=s.forms, pos=s.upos, tags=s.xpos, sent_starts=[True] + [False] * (len(s) - 1))
        for s in toy()
    ]


def tree_of(doc):
    return [0 if t.head.i == t.i else t.head.i + 1 for t in doc], [t.dep_ for t in doc]


def expected():
    pairs = [(s.forms, s.upos, [None if x == "_" else x for x in s.xpos]) for s in toy()]
    parsed = toy_parser().parse(pairs)
    return [(s.heads, ["ROOT" if d == "root" else d for d in s.deprels]) for s in parsed]


def test_trees_are_those_of_the_parser(nlp):
    assert [tree_of(doc) for doc in nlp.pipe(docs_of(nlp), batch_size=7)] == expected()


def test_several_processes(nlp):
    assert [tree_of(doc) for doc in nlp.pipe(docs_of(nlp), batch_size=7, n_process=2)] == expected()


def test_sentence_bounds_are_kept(nlp):
    words = [*WORDS[0], *WORDS[1]]
    starts = [i in (0, len(WORDS[0])) for i in range(len(words))]
    doc = nlp(spacy.tokens.Doc(nlp.vocab, words=words, sent_starts=starts))
    assert [sent.start for sent in doc.sents] == [0, len(WORDS[0])]
    assert sum(token.head.i == token.i for token in doc) == 2


def test_sentence_bounds_are_found(nlp):
    doc = nlp("Bo sleeps. Bo reads!\n\n  Moe sleeps")
    assert [str(sent).strip() for sent in doc.sents] == ["Bo sleeps.", "Bo reads!", "Moe sleeps"]
    space = next(token for token in doc if token.is_space)
    assert (space.head.i, space.dep_) == (space.i - 1, "dep")


def test_features_come_in_the_order_of_conllu():
    """spaCy keeps them in another one, which is another string to a model."""
    vocab = spacy.blank("xx").vocab
    doc = spacy.tokens.Doc(vocab, words=["17th"], morphs=["Number=Sing|NumForm=Combi|NumType=Ord"])
    assert fastparse.Treebank.from_objects(doc)[0].feats == ["Number=Sing|NumForm=Combi|NumType=Ord"]


def test_white_space_alone_and_in_front(nlp):
    """Each such token depends on the one before it, or on the first word; no circles."""
    docs = [
        spacy.tokens.Doc(nlp.vocab, words=words)
        for words in (["\n", " ", "Bo", "\n", "sleeps", " "], ["\n", " "], [" "], [])
    ]
    found = [[token.head.i for token in doc if token.is_space] for doc in nlp.pipe(docs)]
    assert found == [[2, 2, 2, 4], [0, 0], [0], []]
    assert [token.dep_ for token in docs[0] if token.is_space] == ["dep"] * 4


@pytest.mark.parametrize("text", ["", " ", "\n\n", "a"])
def test_odd_docs(nlp, text):
    assert nlp(text).text == text


def test_spans(nlp):
    starts = [i in (0, len(WORDS[0])) for i in range(len(WORDS[0]) + len(WORDS[1]))]
    doc = nlp(spacy.tokens.Doc(nlp.vocab, words=[*WORDS[0], *WORDS[1]], sent_starts=starts))
    blank = spacy.tokens.Doc(nlp.vocab, words=WORDS[1])
    (alone,) = toy_parser().parse([blank[:]])
    assert [t.head.i - alone.start for t in alone] == [t.head.i - len(WORDS[0]) for t in doc[len(WORDS[0]) :]]
    whole = tree_of(doc)
    list(toy_parser().parse(list(doc.sents)))
    assert tree_of(doc) == whole


def test_display(nlp):
    from spacy import displacy

    doc = nlp(docs_of(nlp)[0])
    arcs = displacy.parse_deps(doc, {"collapse_punct": False})["arcs"]
    assert len(arcs) == len(doc) - 1
    from fastparse.drawing.displacy import to_displacy

    sentence = toy_parser().parse(toy())[0]
    drawn = displacy.render(to_displacy(sentence), style="dep", manual=True)
    assert drawn.count("displacy-arrowhead") == len(sentence) - 1


def test_to_disk_brings_the_model(nlp, model, tmp_path):
    nlp.to_disk(tmp_path / "pipeline")
    config = (tmp_path / "pipeline" / "config.cfg").read_text()
    (tmp_path / "pipeline" / "config.cfg").write_text(config.replace(model, "gone.fp"))
    again = spacy.load(tmp_path / "pipeline")
    assert [tree_of(doc) for doc in again.pipe(docs_of(again))] == expected()


@pytest.mark.parametrize("later", ["replaced", "junk", "gone"])
def test_what_is_written_is_what_is_in_memory(model, tmp_path, later):
    """Whatever lies under the model's path by now."""
    path = tmp_path / "m.fp"
    path.write_bytes(Path(model).read_bytes())
    nlp = spacy.blank("xx")
    nlp.add_pipe("fastparse", config={"model": str(path)})
    if later == "gone":
        path.unlink()
    else:
        path.write_bytes(Path(fastparse.load("en-fast").path).read_bytes() if later == "replaced" else b"junk")
    nlp.to_disk(tmp_path / "pipe")
    assert (tmp_path / "pipe" / "fastparse" / "model.fp").read_bytes() == Path(model).read_bytes()
    again = spacy.load(tmp_path / "pipe")
    assert [tree_of(doc) for doc in again.pipe(docs_of(again))] == expected()


def test_bytes_bring_the_model(nlp, model):
    other = spacy.blank("en")
    other.add_pipe("fastparse", config={"model": "en-fast"})
    other.from_bytes(nlp.to_bytes())
    assert other.get_pipe("fastparse").parser.sha256 == fastparse.load(model).sha256
    assert [tree_of(doc) for doc in other.pipe(docs_of(other))] == expected()
    with pytest.raises(fastparse.Error, match="save it first"):
        pickle.dumps(other.get_pipe("fastparse").parser)
    with pytest.raises(fastparse.ModelFormatError):
        other.get_pipe("fastparse").from_bytes(b"junk")


def test_without_its_model(tmp_path):
    nlp = spacy.blank("xx")
    with pytest.raises(fastparse.UnknownNameError, match="there is no model"):
        nlp.add_pipe("fastparse", config={"model": str(tmp_path / "none.fp")})
    with pytest.raises(fastparse.Error, match="'auto' chooses a model for each document"):
        nlp.add_pipe("fastparse", config={"model": "auto"})
    assert not nlp.pipe_names


def test_a_pipeline_brings_its_model(model, tmp_path):
    """What was read from a file that is gone by now comes with the pipeline."""
    gone = tmp_path / "gone.fp"
    gone.write_bytes(Path(model).read_bytes())
    nlp = spacy.blank("xx")
    nlp.add_pipe("fastparse", config={"model": str(gone)})
    nlp.to_disk(tmp_path / "nlp")
    gone.unlink()
    again = spacy.load(tmp_path / "nlp")
    assert [tree_of(doc) for doc in again.pipe(docs_of(again))] == expected()


def test_the_model_of_its_language():
    english = spacy.blank("en")
    assert english.add_pipe("fastparse").parser.path == fastparse.load("en").path
    with pytest.raises(fastparse.UnknownNameError, match="no package of one for Danish"):
        spacy.blank("da").add_pipe("fastparse")
    with pytest.warns(fastparse.FastparseWarning, match="of the language 'da', and the model .* of 'en'"):
        spacy.blank("da").add_pipe("fastparse", config={"model": "en"})


def test_tags_need_a_tagger(model):
    with pytest.raises(fastparse.Error, match="no tagger"):
        spacy.blank("xx").add_pipe("fastparse", config={"model": model, "tags": True})


def tags_of(doc):
    return [(t.pos_, t.tag_ or "_", str(t.morph) or "_", t.lemma_ or "_") for t in doc]


@pytest.mark.parametrize("retag", [False, True])
def test_tags(retag):
    """What a token has stays, unless the model's own are asked for."""
    nlp = spacy.blank("xx")
    component = FastparseComponent(tagging(), tags=True, retag=retag)
    words = [*WORDS[0], "\n", *WORDS[1]]
    starts = [i in (0, len(WORDS[0]) + 1) for i in range(len(words))]
    doc = spacy.tokens.Doc(nlp.vocab, words=words, sent_starts=starts)
    for token in doc[: len(WORDS[0])]:
        token.lemma_ = "mine"
    doc[1].set_morph("")
    component(doc)
    said = [
        row for s in tagging().tag([WORDS[0], WORDS[1]]) for row in zip(s.upos, s.xpos, s.feats, s.lemmas, strict=True)
    ]
    found = tags_of([token for token in doc if not token.is_space])
    n = 0 if retag else len(WORDS[0])
    assert found == [*((*row[:3], "mine") for row in said[:n]), *said[n:]]
    assert tags_of(doc[len(WORDS[0]) : len(WORDS[0]) + 1]) == [("", "_", "_", "_")]


def phrase(words, heads, deprels, pos):
    vocab = spacy.blank("en").vocab
    heads = [i if head == 0 else head - 1 for i, head in enumerate(heads)]
    return spacy.tokens.Doc(vocab, words=words.split(), heads=heads, deps=deprels.split(), pos=pos.split())


def test_noun_chunks():
    """By labels of Universal Dependencies, where spaCy's own rules expect others."""
    from fastparse.bulk.spacy_component import noun_chunks

    doc = phrase(
        "Mary 's old car , a red one , hit President Ada Lovelace in the house she built .",
        [4, 1, 4, 10, 8, 8, 8, 4, 8, 0, 10, 11, 11, 16, 16, 10, 18, 16, 10],
        "nmod:poss case amod nsubj punct det amod appos punct ROOT obj flat flat case det obl nsubj acl:relcl punct",
        "PROPN PART ADJ NOUN PUNCT DET ADJ NOUN PUNCT VERB PROPN PROPN PROPN ADP DET NOUN PRON VERB PUNCT",
    )
    found = [doc[begin:end].text for begin, end, _ in noun_chunks(doc)]
    assert found == ["Mary 's old car", "a red one", "President Ada Lovelace", "the house", "she"]
    assert [doc[begin:end].text for begin, end, _ in noun_chunks(doc[9:])] == found[2:]


def test_english_out_of_the_box():
    nlp = spacy.blank("en")
    nlp.add_pipe("fastparse", config={"model": "en"})
    doc = nlp("She reads two very old books about the sea.")
    assert [chunk.text for chunk in doc.noun_chunks] == ["She", "two very old books", "the sea"]
    assert [token.pos_ for token in doc[:2]] == ["PRON", "VERB"]
    assert doc[5].lemma_ == "book"
    nlp = spacy.blank("en")
    nlp.add_pipe("fastparse", config={"model": "en", "tags": False})
    assert [token.pos_ for token in nlp("She reads.")] == ["", "", ""]


def test_copies(nlp):
    component = nlp.get_pipe("fastparse")
    for again in (pickle.loads(pickle.dumps(component)), copy.copy(component)):
        assert tree_of(again(docs_of(nlp)[0])) == expected()[0]


SPAWNED = """
import multiprocessing, sys
import spacy
if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    nlp = spacy.blank("xx")
    nlp.add_pipe("fastparse", config={"model": sys.argv[1]})
    docs = nlp.pipe(["Bo sleeps."] * 6, n_process=2, batch_size=2)
    print(sum(token.head.i != token.i for doc in docs for token in doc))
"""


@pytest.mark.slow
def test_entry_point_and_spawn(model, tmp_path):
    """Found through the entry point of the distribution, in processes that begin anew."""
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    (name, target) = re.search(r'\[project\.entry-points\.spacy_factories\]\n(\w+) = "(.+)"', project).groups()
    info = tmp_path / "fastparse_nlp_test-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fastparse-nlp-test\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[spacy_factories]\n{name} = {target}\n")
    (tmp_path / "spawned.py").write_text(SPAWNED)
    paths = f"{tmp_path}:{Path(fastparse.__file__).parents[1]}"
    done = subprocess.run(
        [sys.executable, str(tmp_path / "spawned.py"), model], capture_output=True, text=True, env={"PYTHONPATH": paths}
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "12"
