"""Scores against their definitions, and against the official scorer on parser-like outputs."""

import random

import pytest

import fastparse
from fastparse.errors import Error, UnknownNameError
from fastparse.evaluation.attachment import evaluate
from fastparse.evaluation.comparison import CONVENTIONS, is_punctuation
from fastparse.evaluation.shared_task import MEASURES

from . import naive
from .examples import Tree, beginning_of, conllu, parse_of, random_trees, treebank_of, trees_of

OUTPUTS = [
    ("English-EWT", 0.1), ("Turkish-IMST", 0.3), ("Basque-BDT", 0.2), ("Czech-Mixed", 0.05),
    ("Dutch-LassySmall", 0.25), ("German-Mixed", 0.5), ("Greek-GDT", 0.02), ("Hungarian-Szeged", 0.9),
    ("Slovenian-SSJ", 0.15), ("Arabic-PADT", 0.12),
]  # fmt: skip


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("seed", range(10))
def test_scores_follow_their_definitions(seed, convention):
    gold, _ = random_trees(seed)
    parse = parse_of(gold, seed, rate=[0.02, 0.3][seed % 2])
    expected = naive.scores(gold, parse, convention)
    found = evaluate(treebank_of(gold), treebank_of(parse), convention).to_dict()
    assert {measure: found[measure] for measure in expected} == pytest.approx(expected)


@pytest.mark.treebanks
@pytest.mark.parametrize("sentences", [200, pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("language", "rate"), OUTPUTS)
def test_ud_equals_udeval(language, rate, sentences, tmp_path):
    udeval = pytest.importorskip("udtools.udeval")
    source = beginning_of(language, sentences, tmp_path)
    gold, treebank = trees_of(source), fastparse.read_conllu(source)
    parse = parse_of(gold, language, rate, labels=sorted({label for tree in gold for label in tree.labels}))
    treebank.heads[:] = [head for tree in parse for head in tree.heads]
    treebank.deprels = [label for tree in parse for label in tree.labels]
    treebank.write(output := tmp_path / "parse.conllu")
    official = udeval.evaluate(*(udeval.load_conllu_file(str(path)) for path in (source, output)))
    scores = evaluate(source, output, "ud")
    assert scores.las < 100
    for measure, name in MEASURES.items():
        assert getattr(scores, measure) == pytest.approx(100 * official[name].f1, abs=1e-9), name
    assert scores.words == official["LAS"].gold_total
    for convention in CONVENTIONS:
        found, expected = evaluate(source, output, convention).to_dict(), naive.scores(gold, parse, convention)
        assert {measure: found[measure] for measure in expected} == pytest.approx(expected), convention


def test_a_perfect_parse():
    gold, _ = random_trees(3)
    scores = evaluate(treebank_of(gold), treebank_of(gold))
    assert scores.row() == [100.0] * 6


def test_a_word_without_a_head_is_wrong():
    gold = [Tree(["a", "b"], [0, 1], ["root", "obj"])]
    scores = evaluate(treebank_of(gold), treebank_of([Tree(["a", "b"], [0, -1], ["root", "obj"])]))
    assert (scores.uas, scores.las, scores.la, scores.exact) == (50, 50, 100, 0)


def test_nothing_to_score():
    assert evaluate(treebank_of([]), treebank_of([])).row() == [0.0] * 6
    commas = [Tree([","], [0], ["root"])]
    scores = evaluate(treebank_of(commas), treebank_of(commas), "conllx")
    assert (scores.words, scores.uas, scores.exact) == (0, 0.0, 100.0)


@pytest.mark.parametrize(("form", "answer"), [
    (".", True), ("...", True), ("«", True), ("、", True), ("%", True), ("-", True),
    ("$", False), ("+", False), ("<", False), ("^", False), ("a.", False), ("", False), ("`", False),
])  # fmt: skip
def test_punctuation_is_category_p(form, answer):
    assert is_punctuation(form) is answer


def test_the_table_names_its_convention():
    gold, _ = random_trees(0)
    for convention in CONVENTIONS:
        table = evaluate(treebank_of(gold), treebank_of(gold), convention).table()
        assert f"Convention {convention}:" in table
        assert "100.00" in table


def test_unknown_convention():
    with pytest.raises(UnknownNameError, match="'ud', 'conllx', 'all'"):
        evaluate(treebank_of([]), treebank_of([]), "conll")


def test_the_public_name():
    assert fastparse.evaluate is evaluate


FIRST = [Tree(["a", "b"], [0, 1], ["root", "x"]), Tree(["c", "d"], [0, 1], ["root", "x"])]


OTHER = Tree(["c", "e"], [0, 1], ["root", "x"])
SHORTER = Tree(["a"], [0], ["root"])
LONGER = Tree(["a", "b", "b"], [0, 1, 1], ["root", "x", "x"])


@pytest.mark.parametrize(("other", "words"), [
    ([FIRST[0], OTHER], ["word 2 of sentence 2 is 'd' in", "'e' in", ":5 (sent_id s2)"]),
    ([LONGER, FIRST[1]], ["word 3 of sentence 1 is missing in", "'b' in", ":1 (sent_id s1)"]),
    ([FIRST[0]], ["has 2 sentences", "the parsed one 1", "gold.conllu:5 (sent_id s2), 'c d'"]),
    ([*FIRST, FIRST[0]], ["has 2 sentences", "the parsed one 3", "parse.conllu:9 (sent_id s3), 'a b'"]),
    ([SHORTER, LONGER], ["word 2 of sentence 1", "'b'", "missing"]),
])  # fmt: skip
def test_the_first_difference_is_shown(other, words, tmp_path):
    paths = tmp_path / "gold.conllu", tmp_path / "parse.conllu"
    for path, trees in zip(paths, (FIRST, other), strict=True):
        path.write_text(conllu(trees), encoding="utf-8")
    with pytest.raises(Error) as error:
        evaluate(*paths, "all")
    for word in [*words, "Both must have the same words"]:
        assert word in str(error.value)


def test_gold_words_need_heads():
    headless = [Tree(["a", "b"], [0, -1], ["root", "x"])]
    with pytest.raises(Error, match=r"\(sent_id s1\): gold word 2, 'b', has no head"):
        evaluate(treebank_of(headless), treebank_of(headless))


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_words_without_a_label_have_the_label_underscore(convention):
    gold = [Tree(["a", "b", "c"], [0, 1, 1], ["root", "_", "obj"])]
    parse = [Tree(["a", "b", "c"], [0, 1, 1], ["obj", "_", "_"])]
    assert evaluate(treebank_of(gold), treebank_of(parse), convention).la == pytest.approx(100 / 3)
    assert evaluate(treebank_of(parse), treebank_of(gold), convention).la == pytest.approx(100 / 3)


def test_perturbed_trees_are_trees():
    rng = random.Random(1)
    gold, labels = random_trees(1, count=200)
    for tree in parse_of(gold, rng.random(), 0.6, labels):
        assert tree.heads.count(0) == 1
        for word in range(1, len(tree.heads) + 1):
            for _ in tree.heads:
                word = tree.heads[word - 1] if word else 0
            assert word == 0
