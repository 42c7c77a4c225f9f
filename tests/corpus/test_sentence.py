"""Sentences as people look at them: words as a tree, text, dicts, a drawing."""

import json
import random

import pytest

import fastparse
from fastparse import Treebank, read_conllu
from fastparse.drawing.text import to_outline

BOOKS = Treebank.from_columns(
    forms=["She", "reads", "old", "books", "."],
    upos=["PRON", "VERB", "ADJ", "NOUN", "PUNCT"],
    heads=[2, 0, 4, 2, 2],
    deprels=["nsubj", "root", "amod", "obj", "punct"],
)


def test_words_know_their_heads_and_children():
    she, reads, old, books, stop = BOOKS[0].words
    assert reads.head is None
    assert (she.head, old.head, books.head, stop.head) == (reads, books, reads, reads)
    assert reads.children == [she, books, stop]
    assert books.subtree == [old, books]
    assert reads.subtree == BOOKS[0].words
    assert (books.form, books.upos, books.deprel, books.id, str(books)) == ("books", "NOUN", "obj", 4, "books")
    assert repr(books) == "<TreeWord 4 books/NOUN obj of reads>"
    assert {reads, BOOKS[0].words[1]} == {reads}
    assert she != BOOKS[0][0]


def test_words_agree_with_heads_of_random_sentences():
    chance = random.Random(1)
    for _ in range(200):
        n = chance.randint(1, 12)
        heads = [chance.randint(-1, n) for _ in range(n)]  # trees or not
        words = Treebank.from_columns(forms=["w"] * n, heads=heads)[0].words
        assert [0 if word.head is None else word.head.id for word in words] == [max(head, 0) for head in heads]
        for word in words:
            assert [child.id for child in word.children] == [i for i, head in enumerate(heads, 1) if head == word.id]
            below = {word.id}
            for _ in range(n):
                below |= {i for i, head in enumerate(heads, 1) if head in below}
            assert [found.id for found in word.subtree] == sorted(below)


def test_a_sentence_gives_itself_as_conllu_and_as_a_dict():
    source = b"# sent_id = a\n# text = Here's.\n1-2\tHere's\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n" + b"".join(
        b"%d\t%s\t_\t_\t_\t_\t%d\tx\t_\t%s\n" % row
        for row in ((1, b"Here", 0, b"_"), (2, b"'s", 1, b"_"), (3, b".", 1, b"SpaceAfter=No"))
    )
    sentence = read_conllu(source + b"\n")[0]
    assert sentence.to_conllu() == (source + b"\n").decode()
    found = json.loads(json.dumps(sentence.to_dict()))
    assert (found["sent_id"], found["text"]) == ("a", "Here's.")
    assert [word["form"] for word in found["words"]] == ["Here", "'s", "."]
    assert [word["head"] for word in found["words"]] == [0, 1, 1]


def test_print_draws_arcs_where_they_fit_and_an_outline_elsewhere(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert "▼" in str(BOOKS[0])
    assert "nsubj" in str(BOOKS[0])
    monkeypatch.setenv("COLUMNS", "30")
    assert str(BOOKS[0]) == "reads  root\n├─ She  nsubj\n├─ books  obj\n│  └─ old  amod\n└─ .  punct"
    assert str(BOOKS[0]) == to_outline(BOOKS[0])


def test_print_shows_the_words_where_there_is_no_tree(monkeypatch):
    monkeypatch.setenv("COLUMNS", "4")
    for heads in ([-1, -1], [2, 1]):
        sentence = Treebank.from_columns(forms=["a", "b"], heads=heads)[0]
        assert str(sentence) == repr(sentence)


def test_an_outline_has_a_line_for_every_word_or_is_refused():
    chance = random.Random(2)
    for _ in range(200):
        n = chance.randint(1, 8)
        sentence = Treebank.from_columns(forms=["w"] * n, heads=[chance.randint(0, n) for _ in range(n)])[0]
        if all(word.id in _reached(sentence) for word in sentence.words):
            assert len(to_outline(sentence).splitlines()) == n
        else:
            with pytest.raises(fastparse.Error, match=r"circle|cannot draw"):
                to_outline(sentence)


def _reached(sentence):
    return {below.id for word in sentence.words if word.head is None for below in word.subtree}


@pytest.mark.parametrize("use", ["read", "iterate", "write", "save", "load"])
def test_faults_of_files_are_errors_of_fastparse_and_of_python(use, tmp_path):
    nowhere = str(tmp_path / "nowhere" / "x.conllu")
    uses = {
        "read": lambda: read_conllu(nowhere),
        "iterate": lambda: list(fastparse.iter_conllu(nowhere)),
        "write": lambda: BOOKS.write(nowhere),
        "save": lambda: fastparse.load("en-fast").save(nowhere),
        "load": lambda: fastparse.load(tmp_path),
    }
    with pytest.raises(fastparse.FileError) as caught:
        uses[use]()
    assert isinstance(caught.value, fastparse.Error)
    assert isinstance(caught.value, IsADirectoryError if use == "load" else FileNotFoundError)
    assert str(tmp_path) in str(caught.value)
    assert "folder" in str(caught.value)
