"""Scores of parses with other tokens than the gold ones: against the official scorer, and against the definitions."""

import io
import json
import random
import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastparse
from fastparse import Treebank
from fastparse.cli.main import run
from fastparse.errors import Error
from fastparse.evaluation.shared_task import MEASURES
from fastparse.evaluation.tokenization import SPACES

from . import naive
from .examples import Tree, beginning_of, treebank_of
from .tokenizations import Sentence, Token, Word, conllu, pair, retokenized, sentences_of

SEEDS = st.integers(0, 2**32)


def scores_of(gold, other, convention="ud"):
    return fastparse.evaluate(conllu(gold).encode(), conllu(other).encode(), convention)


def counts_of(gold, other):
    return {name: (count.right, count.gold, count.predicted) for name, count in scores_of(gold, other).counts}


def sentence(*tokens):
    """A sentence of tokens: `abc`, or a multiword token and its words, `abc=ab c`."""
    made = Sentence()
    for token in tokens:
        form, multiword, words = token.partition("=")
        made.tokens.append(Token(form, [Word(word) for word in (words.split() if multiword else [form])], bool(words)))
    for head, word in enumerate(made.words):
        word.head, word.label = head, "obj" if head else "root"
    return made


@settings(max_examples=300)
@given(SEEDS)
def test_ud_equals_udeval(seed):
    udeval = pytest.importorskip("udtools.udeval")
    gold, other = pair(seed)
    official = udeval.evaluate(*(udeval.load_conllu(io.StringIO(conllu(side)), "", {}) for side in (gold, other)))
    scores = scores_of(gold, other)
    for measure, count in scores.counts:
        expected = official[MEASURES[measure]]
        totals = expected.correct, expected.gold_total, expected.system_total
        assert (count.right, count.gold, count.predicted) == totals, measure
        assert getattr(scores, measure) == pytest.approx(100 * expected.f1, abs=1e-9), measure
        assert scores.precision[measure] == pytest.approx(100 * expected.precision, abs=1e-9), measure
        assert scores.recall[measure] == pytest.approx(100 * expected.recall, abs=1e-9), measure


@pytest.mark.treebanks
@pytest.mark.parametrize("sentences", [200, pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.parametrize("language", ["English-EWT", "Portuguese-Bosque", "Turkish-IMST", "Czech-Mixed", "Greek-GDT"])
def test_ud_equals_udeval_on_treebanks(language, sentences, tmp_path):
    udeval = pytest.importorskip("udtools.udeval")
    source = beginning_of(language, sentences, tmp_path)
    gold = sentences_of(source)
    other = conllu(retokenized(random.Random(language), gold))
    official = udeval.evaluate(udeval.load_conllu_file(str(source)), udeval.load_conllu(io.StringIO(other), "", {}))
    scores = fastparse.evaluate(source, other.encode())
    assert 50 < scores.sentences < 99
    assert 80 < scores.word_f1 < 99
    assert {measure: (count.right, count.gold, count.predicted) for measure, count in scores.counts} == {
        measure: (official[name].correct, official[name].gold_total, official[name].system_total)
        for measure, name in MEASURES.items()
    }


@settings(max_examples=200)
@given(SEEDS)
def test_ud_follows_the_definitions(seed):
    gold, other = pair(seed, synchronous=True)
    found = counts_of(gold, other)
    expected = naive.task_counts(gold, other)
    assert {measure: found[measure] for measure in expected} == expected


@pytest.mark.parametrize(("gold", "other", "right"), [
    (["abcd"], ["a", "b", "c", "d"], 0),
    (["abc", "d"], ["a", "b", "c", "d"], 1),
    (["a", "bcd"], ["a", "bc=b c", "d"], 1),
    (["abc=a b c"], ["a", "b", "c"], 3),
    (["a", "bcd=b c d", "e"], ["abc=a b c", "de=d e"], 5),
    (["ab=Of The"], ["ab=of the"], 2),
    (["ab=x y", "c"], ["ab=y x", "c"], 2),
    (["a\u00a0b", "c"], ["ab", "c"], 2),
])  # fmt: skip
def test_words_that_are_aligned(gold, other, right):
    for one, two in ((gold, other), (other, gold)):
        sides = [sentence(*one)], [sentence(*two)]
        words = [len(side[0].words) for side in sides]
        assert counts_of(*sides)["word_f1"] == (right, *words)


def test_other_sentences_of_the_same_words():
    whole, halves = [sentence("a", "b", "c", "d")], [sentence("a", "b"), sentence("c", "d")]
    scores = scores_of(whole, halves)
    assert (scores.tokens, scores.word_f1, scores.sentences) == (100, 100, 0)
    assert (scores.uas, scores.la, scores.exact) == (75, 75, 0)
    assert scores_of(halves, halves).exact == 100


def test_exact_sentences_need_all_words():
    gold = [sentence("a", "b"), sentence("c", "d")]
    scores = scores_of(gold, [sentence("a", "b"), sentence("cd")])
    assert (scores.sentences, scores.exact, scores.exact_labelled) == (100, 50, 50)
    gold[0].words[1].label = "nsubj"
    scores = scores_of(gold, [sentence("a", "b"), sentence("cd")])
    assert (scores.exact, scores.exact_labelled) == (50, 0)


def test_counts_of_words_and_sentences():
    scores = scores_of([sentence("ab", "c")], [sentence("a", "b"), sentence("c")])
    assert (scores.words, scores.predicted_words, scores.n_sentences) == (2, 3, 1)
    assert scores.word_f1 == pytest.approx(40)
    assert (scores.precision["word_f1"], scores.recall["word_f1"]) == (pytest.approx(100 / 3), 50)


def test_lost_multiword_tokens_change_no_word():
    """The words are the same, but not their text: scores of words are as ever, tokens are told by their words."""
    gold, other = [sentence("x", "zum=zu dem", "y")], [sentence("x", "zu", "dem", "y")]
    scores = scores_of(gold, other)
    assert (scores.uas, scores.word_f1, scores.sentences) == (100, 100, 100)
    assert counts_of(gold, other)["tokens"] == (2, 3, 4)


def test_a_word_without_a_head_is_wrong():
    gold, other = [sentence("a", "b", "c")], [sentence("ab", "c")]
    other[0].words[1].head = "_"
    scores = scores_of(gold, other)
    assert (scores.word_f1, scores.uas) == (40, 0)
    with pytest.raises(Error, match=r"gold word 2, 'c', has no head"):
        scores_of(other, gold)


def test_treebanks_without_source():
    gold = treebank_of([Tree(["ab", "c"], [0, 1], ["root", "x"]), Tree([], [], [])])
    other = treebank_of([Tree(["a", "b", "c"], [0, 1, 2], ["root", "x", "x"])])
    scores = fastparse.evaluate(gold, other)
    assert (scores.word_f1, scores.sentences) == (40, 100)
    assert fastparse.evaluate(other, gold[:1]).word_f1 == 40
    empty = Treebank.from_columns(forms=[])
    assert fastparse.evaluate(empty, empty).table()


def test_selected_sentences_keep_their_tokens():
    sides = [
        [sentence("a", "bc=b c"), sentence("de=d e"), sentence("f")],
        [sentence("ab", "c"), sentence("d", "e", "f")],
    ]
    gold, other = (fastparse.read_conllu(conllu(side).encode()) for side in sides)
    assert fastparse.evaluate(gold[1:], other[1:]).to_dict() == scores_of(sides[0][1:], sides[1][1:]).to_dict()
    moved = gold.with_heads(gold.heads)
    assert fastparse.evaluate(moved, other).to_dict() == fastparse.evaluate(gold, other).to_dict()


def test_spaces_are_category_zs():
    every = map(chr, range(0x110000))
    assert {character for character in every if SPACES.fullmatch(character)} == {
        character for character in map(chr, range(0x110000)) if unicodedata.category(character) == "Zs"
    }
    spaces = [character for character in map(chr, range(0x3100)) if unicodedata.category(character) == "Zs"]
    others = ["\u0085", "\u00a1", "\u2027", "\u200b", "\u202e", "\u2060", "\u3001", "\u1681", "\ufeff"]
    for character in spaces:
        assert scores_of([sentence(f"a{character}b", "c")], [sentence("a", "b", "c")]).word_f1 == 40
    for character in others:
        with pytest.raises(Error, match="the texts differ"):
            scores_of([sentence(f"a{character}b", "c")], [sentence("a", "b", "c")])


def test_a_long_sentence_takes_linear_time():
    """Chains of overlapping multiword tokens make one span of the whole sentence."""

    def chain(n, first):
        tokens = ["a"] * first + [f"aa={word} b" for word in ("cdefg" * n)[: n - first]] + ["a"] * first
        return conllu([sentence(*tokens)]).encode()

    seconds = []
    for n in (2_000, 16_000):
        gold, other = (fastparse.read_conllu(chain(n, first)) for first in (0, 1))
        start = time.process_time()
        scores = fastparse.evaluate(gold, other)
        seconds.append(time.process_time() - start)
        assert scores.word_f1 > 90
        assert scores.tokens == 0
    assert seconds[1] < 30 * max(seconds[0], 0.01)


def test_beyond_the_window_alignment_goes_on():
    rng = random.Random(4)
    words = [rng.choice("abcdefgh") for _ in range(5000)]
    lost = set(rng.sample(range(5000), 300))
    kept = [word for place, word in enumerate(words) if place not in lost]
    sides = [[sentence(f"{'x' * 9}={' '.join(side)}")] for side in (words, kept)]
    assert counts_of(*sides)["word_f1"][0] > 4600


@pytest.mark.parametrize(("gold", "other", "words"), [
    ([sentence("one", "two", "three")], [sentence("one", "tw", "O", "three")],
     ["after '…onetw', 'othree' follows at <bytes>", "sentence 1, word 2, 'two'", "'Othree' follows at",
      "word 3, 'O'"]),
    ([sentence("ab"), sentence("c")], [sentence("a", "b")],
     ["after '…ab', 'c' follows", "(sent_id 2), sentence 2, word 1, 'c'", "the text ends at", "word 2, 'b'"]),
    ([sentence("ä", "b")], [sentence("ö")], ["after the beginning, 'äb' follows at", "'ö' follows at"]),
    ([], [sentence("ö", "x")], ["one treebank is empty"]),
    ([sentence("a")], [sentence("a", "\u00a0")], ["word 2, '\\xa0': the form holds nothing but spaces"]),
])  # fmt: skip
def test_messages(gold, other, words):
    with pytest.raises(Error) as error:
        scores_of(gold, other)
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize("convention", ["conllx", "all"])
def test_other_conventions_need_the_same_words(convention):
    with pytest.raises(Error, match=r"word 1 of sentence 1 is 'ab'.*convention 'ud'.*align the words"):
        scores_of([sentence("ab")], [sentence("a", "b")], convention)


@pytest.fixture
def files(tmp_path):
    gold, other = pair(3)
    paths = [tmp_path / name for name in ("gold.conllu", "other.conllu")]
    for path, side in zip(paths, (gold, other), strict=True):
        path.write_text(conllu(side), encoding="utf-8")
    return list(map(str, paths)), scores_of(gold, other)


def test_the_command(files, capsys):
    (gold, other), scores = files
    assert run(["evaluate", gold, other]) == 0
    table = capsys.readouterr().out
    for name in MEASURES.values():
        assert name in table
    assert f"{scores.tokens:.2f}" in table
    assert run(["evaluate", gold, other, "--against", gold]) == 0
    assert "The difference is not tested" in capsys.readouterr().out
    assert run(["evaluate", gold, other, "--by", "label"]) == 1
    assert "cannot be broken down by label" in capsys.readouterr().err


def test_json_has_the_keys_of_scores(files, capsys):
    (gold, other), scores = files
    assert run(["evaluate", gold, other, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["breakdowns"] == {}
    assert {key: document[key] for key in scores.to_dict()} == scores.to_dict()
    assert {*MEASURES, "precision", "recall", "words"} <= set(document)
