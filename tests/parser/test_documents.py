"""Many texts through a model together: the same as each alone, in order, lazily; and sheets that nobody looked at."""

import pickle
from itertools import count, islice
from random import Random

import numpy as np
import pytest

import fastparse
from fastparse.annotate import documents
from fastparse.errors import Error

PIECES = [
    "She reads.", " ", "\n\n", "\n", "Don't!", "It's a dog, isn't it?", "Zoë's café", "日本語 text", "e-mail me", "...",
    "Dr. No came.", "\t", "  Two  spaces", "(I cannot)", "gonna", "1,000.50", "a\u00a0b", "x" * 80, "-", "\u200d",
]  # fmt: skip


@pytest.fixture(scope="module", params=["en-fast", "en"])
def parser(request):
    return fastparse.load(request.param)


def texts_of(seed, n):
    random = Random(seed)
    return ["".join(random.choice(PIECES) for _ in range(random.randrange(7))) for _ in range(n)]


def seen(treebank):
    """All there is to see of a treebank."""
    columns = [[s.forms, s.lemmas, s.upos, s.xpos, s.feats, s.heads, s.deprels, s.misc, s.text] for s in treebank]
    tokens = [[(token.form, token.start, token.end, token.words) for token in s.tokens] for s in treebank]
    return treebank.to_bytes(), treebank.to_text(), columns, tokens, treebank.offsets.tolist()


@pytest.mark.parametrize("asked", [{}, {"offsets": True}, {"scores": True}, {"deps": "copy"}])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_texts_together_are_what_each_is_alone(parser, threads, asked):
    texts = texts_of(threads, 60)
    together = list(parser.parse_text(texts, threads=threads, **asked))
    assert len(together) == len(texts)
    for text, found in zip(texts, together, strict=True):
        alone = parser.parse_text(text, **asked)
        assert (len(found), found.n_words) == (len(alone), alone.n_words)
        assert seen(found) == seen(alone)
        assert seen(pickle.loads(pickle.dumps(found))) == seen(alone)


def test_a_sentence_says_the_same_before_and_after_arrays_are_made(parser):
    for folded, unfolded in zip(*(parser.parse_text(texts_of(9, 30)) for _ in range(2)), strict=True):
        assert folded._folded is not None
        unfolded.heads  # noqa: B018
        assert unfolded._folded is None
        for one, other in zip(folded, unfolded, strict=True):
            assert (one.forms, one.heads, one.deprels, one.feats) == (
                other.forms, other.heads, other.deprels, other.feats,
            )  # fmt: skip
            assert folded._folded is not None


def test_texts_do_not_share_what_is_written_to(parser):
    first, second = parser.parse_text(["She reads.", "She reads."])
    first.heads[:] = 7
    first.deprel_table.append("new")
    first.heads = [1, 2, 3]
    assert second.heads.tolist() == parser.parse_text("She reads.").heads.tolist()
    assert "new" not in second.deprel_table
    again = parser.tag(first, retag=True)
    first.heads[0] = 9
    assert (first.heads.tolist(), again.heads.tolist()) == ([9, 2, 3], [1, 2, 3])
    with pytest.raises(ValueError, match="read-only"):
        second.offsets[0] = 1
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        second.nothing  # noqa: B018


@pytest.mark.parametrize("threads", [1, 2])
def test_texts_may_be_endless(parser, threads):
    taken = []

    def endless():
        for number in count():
            taken.append(number)
            yield f"She reads book {number}."

    found = parser.parse_text(endless(), threads=threads)
    assert taken == []
    assert next(found)[0].forms[3] == "0"
    if threads == 1:
        assert taken == [0]  # the first comes at once
    assert [treebank[0].forms[3] for treebank in islice(found, 2000)] == [str(number) for number in range(1, 2001)]
    assert len(taken) < 2001 + 7 * documents._MOST_TOGETHER
    found.close() if hasattr(found, "close") else None


@pytest.mark.parametrize("wrong", [None, b"bytes", "half a pair \ud800", KeyError("gone")])
def test_what_comes_before_a_mistake_is_given(parser, wrong):
    def texts():
        for number in range(10):
            yield f"Text {number}."
        if isinstance(wrong, Exception):
            raise wrong
        yield wrong

    found = parser.parse_text(texts())
    assert [next(found)[0].forms[1] for _ in range(10)] == [str(number) for number in range(10)]
    with pytest.raises((Error, KeyError)):
        next(found)


def test_long_texts_stand_between_short_ones(parser, monkeypatch):
    monkeypatch.setattr(documents, "LONG_TEXT", 200)
    texts = ["Go.", "She reads. " * 100, "", "They don't.\n\n" * 60, "Go on."]
    for threads in (1, 2):
        for text, found in zip(texts, parser.parse_text(iter(texts), threads=threads), strict=True):
            assert found.to_text() == text
            assert found.to_bytes() == parser.parse_text(text).to_bytes()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_lists_of_words_together_are_what_each_is_alone(parser, threads, monkeypatch):
    monkeypatch.setattr("fastparse.corpus.foreign.objects.SENTENCES_AT_A_TIME", 7)
    words = [sentence.forms for sentence in parser.tokenize(" ".join(texts_of(3, 200)))]
    words.insert(5, [])
    pairs = [[(word,) for word in sentence] for sentence in words]
    together = [(s.forms, s.heads, s.deprels, s.lemmas) for s in parser.parse(words, threads=threads)]
    assert together == [(s.forms, s.heads, s.deprels, s.lemmas) for one in words for s in parser.parse([one])]
    assert together == [(s.forms, s.heads, s.deprels, s.lemmas) for s in parser.parse(pairs, threads=threads)]
    heads, labels = parser.parse_arrays([sentence for sentence in words if sentence])
    assert heads.tolist() == [head for _, some, _, _ in together for head in some]
    assert [parser.labels[i] for i in labels.tolist()] == [label for _, _, some, _ in together for label in some]


def test_columns_of_lists_and_of_arrays_give_the_same(parser):
    """Words as a sheet, and the same words in arrays with `_` in all other columns."""
    words = [sentence.forms for sentence in parser.tokenize(" ".join(texts_of(4, 50))) if len(sentence)]
    sheet = fastparse.Treebank.from_columns(words)
    arrays = fastparse.Treebank.from_columns(words, upos=[["_"] * len(sentence) for sentence in words])
    assert sheet._folded is not None
    assert arrays._folded is None
    assert sheet == arrays
    for one, other in ((parser.parse(sheet), parser.parse(arrays)), (parser.tag(sheet), parser.tag(arrays))):
        assert one.to_bytes() == other.to_bytes()
    assert np.array_equal(parser.parse_arrays(sheet)[0], parser.parse_arrays(arrays)[0])
