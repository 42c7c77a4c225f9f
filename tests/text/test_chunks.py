"""Parts of a text tokenized apart from each other are the text tokenized at once, wherever it may be cut."""

from __future__ import annotations

import io
import re
from random import Random

import pytest

from fastparse.annotate.stream import stream
from fastparse.corpus.conllu.tokenization import renumbered
from fastparse.corpus.reading import read_conllu
from fastparse.corpus.surface import to_text
from fastparse.request import Request
from tests.text import toy
from tests.text.test_tokenizer import ODD, TEXT

PROSE = to_text(toy.conllu(400)).replace("\n\n", " ")
LAYOUTS = {
    "paragraphs": TEXT * 40,
    "odd": "".join(ODD.values()) * 5,
    "empty lines first": "\ufeff\n\n \n\n" + TEXT * 20,
    "lines": "\n".join(PROSE.split(". ")) * 8,
    "one line": PROSE * 8,
    "no spaces": "漢字" * 50_000,
    "white space alone": "\n\n \t" * 20,
    "nothing": "",
    "carriage returns": TEXT.replace("\n", "\r\n") * 20,
    "ends in white space": TEXT * 3 + "\n\n   \n\n",
}


def in_parts(data: bytes, mode: str, size: int, piece: int, slow: bool = False) -> bytes:
    """The CoNLL-U of a text that comes in pieces, each perhaps after a while, cut into parts of a size."""
    tokenizer = toy.tokenizer()
    out, numbered, done = b"", b"", 0
    pieces = [data[at : at + piece] for at in range(0, len(data), piece)]
    if slow:
        pieces = [part for piece in pieces for part in (piece, b"")]
    for chunk in tokenizer.chunks(pieces, input=mode, offsets=True, size=size):
        treebank, failures = tokenizer.sentences_of(chunk)
        assert not failures.problems
        out += renumbered(treebank.to_bytes(), done)
        numbered += treebank.to_bytes(first=done + 1)
        done += len(treebank)
    assert numbered == out
    return out


@pytest.mark.parametrize("mode", ["text", "lines", "words"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_parts_are_the_whole(layout: str, mode: str):
    data = LAYOUTS[layout].encode()
    whole = toy.tokenizer().tokenize(data, input=mode, offsets=True)
    for size, piece in ((1, 1 << 30), (300, 1000), (5000, 700), (60_000, 1 << 18), (1 << 30, 1 << 14)):
        if len(data) / size < 10_000:
            assert in_parts(data, mode, size, piece) == whole


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_and_sizes_give_the_same(threads: int):
    text = "".join(LAYOUTS.values()).encode()
    whole = toy.tokenizer().tokenize(text)
    for batch_words in (5, 1000, 10_000):
        out = io.BytesIO()
        request = Request(source="text", threads=threads, batch_words=batch_words)
        texts = [toy.Pieces("a", [text[:1000]]), toy.Pieces("b", [text])]
        report = stream(texts, out, None, request, toy.tokenizer)
        first = toy.tokenizer().tokenize(text[:1000])
        made, rest = read_conllu(first), read_conllu(whole)
        assert out.getvalue() == first + renumbered(whole, len(made))
        assert (report.sentences, report.words) == (len(made) + len(rest), made.n_words + rest.n_words)
        assert report.bytes_read == len(text) + 1000


@pytest.mark.parametrize(
    ("end", "other", "cut_after"),
    [
        (".\n", " ", ".\n"),
        ('."\n', "\n", '."\n'),
        (". ", "\n", ". "),
        ("! ", " ", "! "),
        ("\n", " ", "\n"),
        (" ", " ", " "),
    ],
)
def test_a_large_paragraph_is_cut_where_it_does_least_harm(end: str, other: str, cut_after: str):
    """The last line end after the end of a sentence; else white space after one; else a line end; else white space."""
    random = Random(1)
    text = ""
    while len(text) < 70_000:
        text += "books" + (end if random.random() < 0.01 else other)
    chunks = list(toy.tokenizer().chunks([text.encode()], size=1))
    cut = chunks[0].size
    assert text[:cut].endswith(cut_after)
    assert 65536 * 3 // 4 < cut <= 65536
    assert end not in text[cut:65536] or end == other
    assert toy.tokenizer().tokenize(text).count(b"# newpar") == 1


def test_white_space_without_end_is_no_cut():
    data = b"Anna." + b" " * 300_000 + b"Bo."
    assert in_parts(data, "text", 10, 1 << 12) == toy.tokenizer().tokenize(data, offsets=True)


@pytest.mark.parametrize("mode", ["text", "lines", "words"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_waiting_changes_nothing(layout: str, mode: str):
    data = LAYOUTS[layout].encode()[:20_000]
    data = data.decode("utf-8", "ignore").encode()
    whole = toy.tokenizer().tokenize(data, input=mode, offsets=True)
    for size, piece in ((300, 100), (60_000, 50), (60_000, 7000)):
        assert in_parts(data, mode, size, piece, slow=True) == whole, (size, piece)


def test_what_has_come_is_not_kept_waiting():
    chunks = toy.tokenizer().chunks([b"One. Two.\n", b"", b"Three.\n", b"", b"Four."], input="lines")
    found = [(chunk.data, chunk.slow, chunk.final) for chunk in chunks]
    assert found == [(b"One. Two.\n", True, False), (b"Three.\nFour.", False, True)]


MOST = 1 << 20  # characters of white space on end that are kept


@pytest.mark.parametrize("mode", ["text", "lines", "words"])
@pytest.mark.parametrize(
    ("before", "white", "after"),
    [
        ("", " " * (MOST + 70_000), "Bo ran."),
        ("Anna ran.", " " * MOST + "\n\n", "Bo ran."),
        ("Anna ran.", " " * (MOST - 1) + "\n\n\n" * 500_000, "Bo. Anna."),
        ("Anna ran.", "\u3000" * (MOST + 5) + "\t", ""),
        ("", "\n" * (2 * MOST), ""),
    ],
)
def test_of_white_space_without_end_a_million_characters_are_kept(before, white, after, mode):
    data = (before + white + after).encode()
    whole = toy.tokenizer().treebank(data.decode(), input=mode, offsets=True).to_bytes()
    kept = before + white[:MOST] + after
    expected = toy.tokenizer().treebank(kept, input=mode, offsets=True).to_bytes()
    moved = len(white) - MOST
    for n in {int(place) for place in re.findall(rb"TokenRange=(\d+)", expected)}:
        assert b"TokenRange=%d:" % (n if n < len(before) else n + moved) in whole
    without = [re.sub(rb"TokenRange=[0-9:]+", b"", found) for found in (whole, expected)]
    assert without[0] == without[1]
    for size, piece in ((60_000, 1 << 16), (1 << 16, 300_001), (1 << 30, 1 << 30)):
        assert in_parts(data, mode, size, piece) == whole
    assert in_parts(data, mode, 60_000, 1 << 17, slow=True) == whole
    chunks = list(toy.tokenizer().chunks([data[:100], data[100:]], input=mode, on_error="keep"))
    assert sum(chunk.size for chunk in chunks) == len(data)
    assert sum(len(chunk.data) for chunk in chunks) == len(kept.encode())


def test_bytes_after_white_space_that_is_left_out_are_found_where_they_are():
    data = b"Anna.\n" + b"\n" * (MOST + 1000) + b"Bo \xff ran."
    for size in (1000, 1 << 16, 1 << 30):
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        chunks = toy.tokenizer().chunks(pieces, on_error="skip")
        problems = [found for chunk in chunks for found in toy.tokenizer().sentences_of(chunk).failures.problems]
        assert [(found.line, f"byte {len(data) - 6} " in str(found)) for found in problems] == [(MOST + 1002, True)]


@pytest.mark.parametrize("mode", ["text", "lines", "words"])
def test_a_paragraph_of_words_far_apart_is_cut(mode):
    """After a million characters, at the last end of a sentence if there is one."""
    data = b"".join(b"Anna" + (b"." if i == 100 else b"") + b" " * 4000 for i in range(600))
    tokenizer = toy.tokenizer()
    chunks = list(tokenizer.chunks([data], input=mode, size=1))
    assert max(chunk.size for chunk in chunks) < 1_100_000
    assert chunks[0].size == 101 * 4004 + 1
    whole = tokenizer.treebank(data.decode(), input=mode, offsets=True).to_bytes()
    for size, piece in ((1, 1 << 12), (60_000, 1 << 16), (1 << 30, 1 << 20)):
        assert in_parts(data, mode, size, piece) == whole
