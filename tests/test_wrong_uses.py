"""What people do wrong: each message names the thing and the remedy, and none is a traceback of something else."""

from __future__ import annotations

import numpy as np
import pytest

import fastparse
from fastparse import Error, Treebank
from tests.commands import run
from tests.toy import TOY, toy, toy_parser

FORMS, TAGS = ["The", "cat", "sleeps"], ["DET", "NOUN", "VERB"]


class Frame:
    """As much of a data frame as is read."""

    index = None

    def __init__(self, **columns):
        self._columns = {name: np.array(values, object) for name, values in columns.items()}
        self.columns = list(columns)
        self.iloc = None

    def __len__(self):
        return len(next(iter(self._columns.values())))

    def __getitem__(self, name):
        return self._columns[name]


def parse(sentences, **options):
    found = toy_parser().parse(sentences, **options)
    return found if isinstance(found, Treebank) else list(found)


def bare():
    return toy().with_columns(upos=(np.zeros(toy().n_words, np.int32), ["_"]))


# What is done: what the message says, all of it.
PYTHON = {
    "forms and tags without the outer list": (lambda: parse((FORMS, TAGS)), ["list of sentences", "[(forms, tags)]"]),
    "the same in a list": (lambda: parse([FORMS, TAGS]), ["list of sentences", "[(forms, tags)]"]),
    "rows instead of columns": (lambda: parse([["She", "PRON"], ["reads", "VERB"]]), ["'She'", "[(forms, tags)]"]),
    "rows of tuples": (lambda: parse([("She", "PRON"), ("reads", "VERB")]), ["'She'", "[[('She', 'PRON')"]),
    "words of a sentence as lists": (
        lambda: parse([[["She", "PRON"], ["reads", "VERB"]]]), ["'She'", "make the words tuples, [('She', 'PRON')"]
    ),
    "one sentence of words": (lambda: parse(FORMS), ["'The'", "list of words", "parse_text"]),
    "a text": (lambda: parse("The cat sleeps"), ["'The cat sleeps'", "parse_text"]),
    "a path": (lambda: parse(TOY), ["toy.conllu", "read_conllu"]),
    "nothing": (lambda: toy_parser().parse(None), ["None", "list of sentences"]),
    "a number": (lambda: toy_parser().parse(3), ["3", "list of sentences"]),
    "bytes": (lambda: toy_parser().parse(b"x"), ["b'x'", "read_conllu"]),
    "a misspelt key": (lambda: parse([{"form": FORMS, "upso": TAGS}]), ["'upso'", "'upos'"]),
    "a key of another library": (lambda: parse([{"tokens": FORMS, "pos_tags": TAGS}]), ["'pos_tags'", "'upos'"]),
    "a dict without words": (lambda: parse([{"word": FORMS}]), ["'word'", "'forms'"]),
    "columns of different length": (lambda: parse([(FORMS, TAGS[:2])]), ["3 forms", "2", "give one each"]),
    "a misspelt column": (lambda: parse(Frame(form=FORMS, upso=TAGS)), ["'upso'", "'upos'"]),
    "a table without words": (lambda: parse(Frame(word=FORMS)), ["'word'", "'form'"]),
    "rows of a sentence apart": (
        lambda: parse(Frame(form=FORMS, upos=TAGS, sent_id=["a", "b", "a"])), ["'a'", "together", "sort_values"]),
    "tags missing, strictly": (lambda: parse(bare(), strict=True), ["UPOS", "Tag them first"]),
    "numbers as forms": (lambda: parse([[1, 2]]), ["item 0", "[1, 2]", "lists of words"]),
    "no beam": (lambda: parse(toy(), beam=0), ["beam=0", "from 1"]),
    "a beam in words": (lambda: parse(toy(), beam="8"), ["beam='8'", "number"]),
    "no threads": (lambda: parse(toy(), threads=0), ["threads=0", "from 1"]),
    "half a thread": (lambda: parse(toy(), threads=1.5), ["threads=1.5", "number"]),
    "running text without a tokenizer": (lambda: toy_parser().parse_text("A cat."), ["tokenizer", "--components"]),
    "tagging without a tagger": (lambda: toy_parser().tag(toy()), ["tagger", "--components"]),
    "retagging without a tagger": (lambda: parse(toy(), retag=True), ["retag=True", "tagger"]),
    "a model that is not there": (lambda: fastparse.load("english"), ["'english'", "'en'", "path"]),
    "a treebank as a model": (lambda: fastparse.load(TOY), ["toy.conllu", "model"]),
    "no file": (lambda: fastparse.read_conllu("none.conllu"), ["none.conllu", "no such file"]),
    "a wrong on_error": (lambda: fastparse.read_conllu(TOY, on_error="ignore"), ["'ignore'", "'skip'"]),
    "a wrong format": (lambda: fastparse.read_conllu(TOY, format="xml"), ["'xml'", "'conllu'"]),
    "too few columns": (lambda: fastparse.read_conllu(b"1\tGo\tgo\n\n"), [":1", "found 3", "10 columns"]),
    "a head out of range": (
        lambda: fastparse.read_conllu(b"1\tGo\tgo\tVERB\t_\t_\t9\troot\t_\t_\n\n"), [":1", "9", "HEAD"]),
    "a tab in a form": (lambda: Treebank.from_columns(["a\tb"]), ["'a\\tb'", "replace"]),
    "heads that are no numbers": (lambda: Treebank.from_columns(["a"], heads=["x"]), ["'str'", "integers"]),
    "a system that does not exist": (lambda: fastparse.Configuration("arc-eagr", 3), ["'arc-eagr'", "'arc-eager'"]),
    "an option that does not exist": (lambda: fastparse.derive([0], "swap", oracl="lazy"), ["'oracl'", "'oracle'"]),
    "a move that does not exist": (
        lambda: fastparse.Configuration("arc-eager", 3).apply("MOVE"), ["'MOVE'", "SHIFT, REDUCE"]),
    "a move that is not legal": (
        lambda: fastparse.Configuration("arc-eager", 3).apply("REDUCE"), ["REDUCE is not legal", "legal: SHIFT"]),
    "a tree that is none": (lambda: fastparse.trees.classify([2, 1]), ["cycle"]),
    "a tree outside the class": (lambda: fastparse.derive([3, 4, 0, 3], "arc-eager"), ["arc-eager", "two-registers"]),
    "an unknown convention": (lambda: fastparse.evaluate(TOY, TOY, convention="udd"), ["'udd'", "'ud'"]),
    "other words": (lambda: fastparse.evaluate(toy()[:2], toy()[1:3]), ["sentence"]),
    "learning from nothing": (lambda: fastparse.train([]), ["no sentences"]),
    "an unknown component": (lambda: fastparse.train(toy(), components=("parsr",)), ["'parsr'", "'parser'"]),
    "an unsaved parser pickled": (lambda: toy_parser("arc-standard").__reduce__(), ["save it first"]),
    "sent_ids too few": (lambda: Treebank.from_columns([["a"], ["b"]], sent_ids=["1"]), ["1 sent_ids", "2 sentences"]),
}  # fmt: skip

SHELL = {
    "a misspelt command": (["prse"], 2, ["prse", "parse"]),
    "no such input": (["parse", "none.conllu"], 1, ["none.conllu"]),
    "no such model": (["parse", str(TOY), "-m", "none.fp"], 1, ["none.fp", "'en'"]),
    "a misspelt option": (["parse", str(TOY), "--thread", "x"], 2, ["--threads"]),
    "text that is no CoNLL-U": (["parse", __file__], 1, ["--from"]),
}


def test_there_are_forty():
    assert len(PYTHON) + len(SHELL) >= 40


@pytest.mark.parametrize("name", PYTHON)
def test_in_python(name):
    do, expected = PYTHON[name]
    with pytest.raises((Error, FileNotFoundError)) as caught:
        do()
    message = str(caught.value)
    for part in expected:
        assert part in message, message


@pytest.mark.parametrize("name", SHELL)
def test_on_the_command_line(name):
    arguments, status, expected = SHELL[name]
    done = run(*arguments)
    said = done.stderr.decode()
    assert done.returncode == status, said
    assert "Traceback" not in said
    for part in expected:
        assert part in said
