"""Sentences of other libraries: read, and annotated in place in their own types; some are tested as look-alikes."""

import itertools
import subprocess
import sys
from collections import UserDict
from types import SimpleNamespace

import numpy as np
import pytest

import fastparse
from fastparse.corpus.foreign.objects import annotate, annotated, columns_of
from tests.corpus.cases import lines, word

TEXT = lines(
    "# sent_id = s1",
    "# text = dunno why",
    word("1-2", "dunno", "_", "_"),
    "1\tdun\tdo\tAUX\tVB\tB=2|a=x,y\t2\taux\t_\t_",
    "2\tno\tknow\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No",
    word("2.1", "e", "_", "_"),
    "3\twhy\t_\tADV\t_\t_\t2\tadvmod\t_\t_",
    "",
    "# sent_id = s2",
    "1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_",
    "",
)
FORMS = [["dun", "no", "why"], ["Go"]]
READ = fastparse.read_conllu(TEXT)


def parse(treebank):
    """A parser for tests: every word hangs from the one before it."""
    heads = [i for sentence in treebank for i in range(len(sentence))]
    return treebank.with_heads(heads, [0 if head == 0 else 1 for head in heads], ["root", "next"])


def same_columns(treebank, columns=("form", "lemma", "upos", "xpos", "feats")):
    for name in columns:
        expected = [READ.table(name)[i] for i in READ.ids(name)]
        assert [treebank.table(name)[i] for i in treebank.ids(name)] == expected, name
    assert treebank.offsets.tolist() == READ.offsets.tolist()
    return True


def test_pyconll():
    pyconll = pytest.importorskip("pyconll")
    if not hasattr(pyconll, "load_from_string"):
        pytest.skip("pyconll 4 is tested as a look-alike")
    sentences = pyconll.load_from_string(TEXT.decode())
    treebank = columns_of(sentences)
    # pyconll writes features in an order of its own
    assert same_columns(treebank, ("form", "lemma", "upos", "xpos"))
    assert treebank[0].feats == ["a=x,y|B=2", "_", "_"]
    assert treebank.heads.tolist() == READ.heads.tolist()
    assert treebank.deprels == READ.deprels
    assert [s.sent_id for s in treebank] == ["s1", "s2"]
    before = list(sentences)
    result = annotate(sentences, parse(treebank))
    assert all(a is b for a, b in zip(result, before, strict=True))
    assert [(t.id, t.head, t.deprel) for t in result[0]] == [
        ("1-2", None, None),
        ("1", "0", "root"),
        ("2", "1", "next"),
        ("2.1", None, None),
        ("3", "2", "next"),
    ]
    assert "3\twhy\t_\tADV\t_\t_\t2\tnext\t_\t_" in result[0].conll()


def pyconll_4():
    """Sentences as pyconll 4 has them: `.tokens`, `.meta`, ids and heads as strings."""
    for sentence in READ:
        tokens = [
            SimpleNamespace(id=str(i + 1), form=form, lemma=lemma, upos=upos, feats={}, head=None, deprel=None)
            for i, (form, lemma, upos) in enumerate(zip(sentence.forms, sentence.lemmas, sentence.upos, strict=True))
        ]
        span = SimpleNamespace(id="1-2", form="x", lemma=None, upos=None, feats={}, head=None, deprel=None)
        tokens.insert(0, span)
        yield SimpleNamespace(tokens=tokens, meta={"sent_id": sentence.sent_id})


def test_pyconll_4_look_alike():
    sentences = list(pyconll_4())
    treebank = columns_of(sentences)
    assert same_columns(treebank, ("form", "lemma", "upos"))
    assert treebank.heads.tolist() == [-1] * 4
    assert treebank[1].sent_id == "s2"
    result = annotate(sentences, parse(treebank))
    assert result[0] is sentences[0]
    assert [t.head for t in result[0].tokens] == [None, "0", "1", "2"]


def test_conllu_token_lists():
    conllu = pytest.importorskip("conllu")
    sentences = conllu.parse(TEXT.decode())
    treebank = columns_of(sentences)
    assert same_columns(treebank, ("form", "lemma", "upos", "xpos"))
    assert treebank.heads.tolist() == READ.heads.tolist()
    assert [s.sent_id for s in treebank] == ["s1", "s2"]
    result = annotate(sentences, parse(treebank))
    assert result[0] is sentences[0]
    assert [(t["id"], t["head"], t["deprel"]) for t in result[0] if isinstance(t["id"], int)] == [
        (1, 0, "root"), (2, 1, "next"), (3, 2, "next")]  # fmt: skip
    assert "3\twhy\t_\tADV\t_\t_\t2\tnext" in result[0].serialize()


def test_spacy():
    spacy = pytest.importorskip("spacy")
    tokens = spacy.tokens
    vocab = spacy.blank("en").vocab
    doc = tokens.Doc(
        vocab,
        words=["dun", "no", "why", "Go"],
        pos=["AUX", "VERB", "ADV", "VERB"],
        tags=["VB", "VB", "", "VB"],
        lemmas=["do", "know", "", "go"],
        sent_starts=[True, False, False, True],
    )
    treebank = columns_of(doc)
    assert same_columns(treebank, ("form", "lemma", "upos", "xpos"))
    assert treebank.heads.tolist() == [-1] * 4
    result = annotate(doc, parse(treebank))
    assert result == [doc]
    assert result[0] is doc
    assert [(t.head.i, t.dep_) for t in doc] == [(0, "ROOT"), (0, "next"), (1, "next"), (3, "ROOT")]
    assert [span.text for span in doc.sents] == ["dun no why", "Go"]
    again = columns_of([doc])
    assert (again.heads.tolist(), again.deprels) == ([0, 1, 2, 0], ["root", "next", "next", "root"])
    backwards = again.with_heads([3, 3, 0, 0], [1, 1, 0, 0], ["root", "x"])
    annotate([doc], backwards)
    assert [(t.head.i, t.dep_) for t in doc] == [(2, "x"), (2, "x"), (2, "ROOT"), (3, "ROOT")]
    assert columns_of([tokens.Doc(vocab, words=["a", "b"]), tokens.Doc(vocab, words=[])]).offsets.tolist() == [0, 2]


class Strings:
    """As much of a spaCy StringStore as is used."""

    def __init__(self, words):
        self._strings = {1: "X", **{ord(word): word for word in words}}  # a key says what the string is

    def __getitem__(self, number):
        return self._strings[number]

    def __contains__(self, number):
        return number in self._strings

    def add(self, label):
        return {"ROOT": 11}.get(label, 12)


class Doc:
    """As much of a spaCy Doc as is used."""

    def __init__(self, words):
        self.vocab = SimpleNamespace(strings=Strings(words))
        self._tokens = [SimpleNamespace(i=i, text=word) for i, word in enumerate(words)]

    def __len__(self):
        return len(self._tokens)

    def __getitem__(self, i):
        return self._tokens[i]

    def __iter__(self):
        return iter(self._tokens)

    def has_annotation(self, name):
        return False

    def to_array(self, names):
        columns = {"ORTH": [ord(token.text) for token in self], "POS": [1] * len(self)}
        if isinstance(names, str):
            return np.array(columns.get(names, [0] * len(self)), np.uint64)
        return np.array([columns.get(name, [0] * len(self)) for name in names], np.uint64).T

    def from_array(self, names, array):
        self.annotation = names, array.astype("int64").tolist()


class Span:
    """As much of a spaCy Span as is used."""

    def __init__(self, doc, start, end):
        self.doc, self.start, self.end = doc, start, end

    def as_doc(self):
        raise NotImplementedError


def test_many_docs_at_once():
    """Docs of several vocabularies, Spans of them, and other sentences between them."""
    first, second, whole = Doc(["a", "b"]), Doc(["c"]), Doc(["x", "d", "e", "y"])
    items = [first, Doc([]), second, ["f", "g"], Span(whole, 1, 3)]
    treebank = columns_of(items)
    assert [s.forms for s in treebank] == [["a", "b"], ["c"], ["f", "g"], ["d", "e"]]
    other = treebank.with_heads([2, 0, 0, 0, 1, 0, 1], [1, 0, 0, 0, 1, 0, 1], ["root", "x"])
    found = annotate(items, other)
    assert found[:3] == items[:3]
    assert found[3].heads == [0, 1]
    assert first.annotation[1] == [[1, 12], [0, 11]]
    assert second.annotation[1] == [[0, 11]]
    assert whole.annotation[1] == [[0, 0], [0, 11], [-1, 12], [0, 0]]
    with pytest.raises(fastparse.Error, match="parse the same batch"):
        annotate([first], other[1:2])


def test_spacy_look_alike():
    doc = Doc(["a", "b", "c"])
    treebank = columns_of(doc)
    assert [s.forms for s in treebank] == [["a", "b", "c"]]
    other = treebank.with_heads([3, 1, 0], [1, 1, 0], ["root", "x"])
    assert annotate([doc], other) == [doc]
    assert doc.annotation == (["HEAD", "DEP"], [[2, 12], [-1, 12], [0, 11]])


@pytest.mark.parametrize(
    "pair",
    [
        (["dun", "no", "why"], ["AUX", "VERB", "ADV"]),
        (("dun", "no", "why"), ("AUX", "VERB", "ADV"), ("VB", "VB", None)),
        [["dun", "no", "why"], ["AUX", "VERB", "ADV"]],
        [("dun", "AUX"), ("no", "VERB", "VB"), ("why", "ADV")],
        {"tokens": ["dun", "no", "why"], "upos": ["AUX", "VERB", "ADV"]},
    ],
)
def test_pairs_and_the_like(pair):
    treebank = columns_of([pair])
    assert treebank[0].forms == FORMS[0]
    assert treebank[0].upos == ["AUX", "VERB", "ADV"]
    (result,) = annotate([pair], parse(treebank))
    if isinstance(pair, dict):
        assert result is pair
        assert (pair["head"], pair["deprel"]) == ([0, 1, 2], ["root", "next", "next"])
    else:
        assert isinstance(result, fastparse.Sentence)
        assert (result.heads, result.deprels) == ([0, 1, 2], ["root", "next", "next"])


def test_forms_alone_and_sentences():
    assert [s.forms for s in columns_of([["a", "b"], ("c", "d", "e", "f")])] == [["a", "b"], ["c", "d", "e", "f"]]
    assert same_columns(columns_of(list(READ)))
    assert columns_of(READ) is READ
    assert len(columns_of([])) == 0


def test_dicts_keep_the_type_of_their_heads():
    row = {"idx": "q", "tokens": ["a", "b"], "head": ["0", "1"], "deprel": ["root", "x"], "feats": [{"A": "1"}, None]}
    treebank = columns_of([row])
    assert (treebank.heads.tolist(), treebank[0].feats, treebank[0].sent_id) == ([0, 1], ["A=1", "_"], "q")
    annotate([row], parse(treebank))
    assert row["head"] == ["0", "1"]


def test_pandas():
    pandas = pytest.importorskip("pandas")
    rows = {"sent_id": ["s1"] * 3 + ["s2"], "form": [*FORMS[0], *FORMS[1]], "lemma": ["do", "know", None, "go"],
            "upos": ["AUX", "VERB", "ADV", "VERB"], "xpos": ["VB", "VB", None, "VB"]}  # fmt: skip
    frame = pandas.DataFrame(rows)
    treebank = columns_of(frame)
    assert same_columns(treebank, ("form", "lemma", "upos", "xpos"))
    assert treebank[1].sent_id == "s2"
    assert annotate(frame, parse(treebank)) is frame
    assert frame["head"].tolist() == [0, 1, 2, 0]
    assert frame["deprel"].tolist() == ["root", "next", "next", "root"]
    indexed = pandas.DataFrame(rows).assign(id=[1, 2, 3, 1]).set_index(["sent_id", "id"])
    assert columns_of(indexed).offsets.tolist() == [0, 3, 4]
    assert columns_of(pandas.DataFrame({"id": [1, 2, 3, 1], "form": list("abcd")})).offsets.tolist() == [0, 3, 4]
    assert columns_of(pandas.DataFrame({"form": list("abcd")})).offsets.tolist() == [0, 4]
    with pytest.raises(fastparse.Error, match=r"no column 'form', only .*'word'.*rename"):
        columns_of(pandas.DataFrame({"word": ["a"]}))
    with pytest.raises(fastparse.Error, match="has 4 words, the table 1 rows"):
        annotate(pandas.DataFrame({"form": ["a"]}), READ)


def test_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(
        {"tokens": FORMS, "upos": [["AUX", "VERB", "ADV"], ["VERB"]], "head": [["0", "1", "1"], ["0"]]}
    )
    for given in (table, table.to_batches()[0]):
        treebank = columns_of(given)
        assert same_columns(treebank, ("form", "upos"))
        result = annotate(given, parse(treebank))
        assert type(result) is type(given)
        assert result.column("head").to_pylist() == [["0", "1", "2"], ["0"]]
        assert result.column("deprel").to_pylist() == [["root", "next", "next"], ["root"]]
    plain = pyarrow.table({"form": FORMS})
    assert annotate(plain, parse(columns_of(plain))).column("head").to_pylist() == [[0, 1, 2], [0]]
    with pytest.raises(fastparse.Error, match="did you mean 'words'"):
        columns_of(pyarrow.table({"word": FORMS}))
    with pytest.raises(fastparse.Error, match="no column of words"):
        columns_of(pyarrow.table({"said": FORMS}))


def test_lazily_and_in_order():
    seen = []

    def endless():
        for i in itertools.count():
            seen.append(i)
            yield [f"w{i}"]

    results = annotated(endless(), parse, batch_sentences=10)
    assert [next(results).forms for _ in range(15)] == [[f"w{i}"] for i in range(15)]
    assert len(seen) == 20
    assert [s.forms for s in annotated([["a"], ["b"], ["c"]], parse, batch_sentences=2)] == [["a"], ["b"], ["c"]]


def test_what_is_no_sentence_is_named():
    with pytest.raises(fastparse.Error, match=r"item 1 is no sentence: 7\. Give pyconll"):
        columns_of([["a"], 7])
    with pytest.raises(fastparse.Error, match="expected sentences, found 'some text'"):
        columns_of("some text")
    with pytest.raises(fastparse.Error, match="expected sentences, found 7"):
        columns_of(7)
    with pytest.raises(fastparse.Error, match="sentence 1 has 2 forms but 1 in 'upos': give one each"):
        columns_of([(["a", "b"], ["X"])])
    with pytest.raises(fastparse.Error, match="'x' is not a head: expected a number"):
        columns_of([{"form": ["a"], "head": ["x"]}])
    treebank = columns_of([["a"], ["b"]])
    with pytest.raises(fastparse.Error, match="has 2 sentences, fewer than the objects: parse the same batch"):
        annotate([["a"], ["b"], ["c"]], treebank)
    with pytest.raises(fastparse.Error, match="has 2 sentences, the objects have 1: parse the same batch"):
        annotate([["a"]], treebank)


def test_cells_of_words():
    """Features in any order and of any kind, mappings that are no dicts, cells that are no strings."""
    token = {"id": 1, "form": "a"}
    kinds = [
        {"B": {"x"}, "a": "1"},
        {"a": {"1"}, "B": "x"},
        {"B": {"y", "x"}, "a": None},
        {},
        "C=1",
        None,
        {"B": {"x"}},
    ]
    treebank = columns_of([[{**token, "feats": feats}] for feats in kinds])
    assert [s.feats[0] for s in treebank] == ["a=1|B=x", "a=1|B=x", "a|B=x,y", "_", "C=1", "_", "B=x"]
    treebank = columns_of(
        [[UserDict({"id": 1, "form": "a", "upostag": "X", "head": "0"}), UserDict({"id": 2, "form": "b"})]]
    )
    assert (treebank[0].upos, treebank.heads.tolist()) == (["X", "_"], [0, -1])
    with pytest.raises(fastparse.Error, match=r"word 2 of the batch: upos is \['X'\], not a string"):
        columns_of([[{"form": "a"}, {"form": "b", "upos": ["X"]}]])
    with pytest.raises(fastparse.Error, match="sentence 2, word 1: xpos is 7, not a string"):
        columns_of([[token], [{**token, "xpos": 7}]])


def test_what_is_there_is_not_read_for_parsing():
    tokens = [[{"id": 1, "form": "a", "head": "x", "deprel": ["y"]}]]
    assert next(annotated(tokens, parse)) is tokens[0]
    assert (tokens[0][0]["head"], tokens[0][0]["deprel"]) == (0, "root")


def test_no_other_library_is_imported():
    code = (
        "import sys, fastparse; from fastparse.corpus.foreign.objects import columns_of; columns_of([['a']]);"
        "fastparse.read_conllu(b''); print(sorted({'pyconll','conllu','spacy','pandas','pyarrow'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("length", [1, 3, 10**9])
def test_lists_that_lie_about_their_length_are_refused(length):
    class Lie(list):
        def __len__(self):
            return length

    with pytest.raises(fastparse.Error):
        list(fastparse.load("en-fast").parse([Lie(["a", "b"])]))
