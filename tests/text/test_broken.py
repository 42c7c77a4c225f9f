"""Text that is not UTF-8 throughout: errors name the byte, sentences are left out, or kept with their bytes."""

from __future__ import annotations

import io

import pytest

import fastparse
from fastparse.annotate.stream import stream
from fastparse.corpus.surface import to_text
from fastparse.request import Request
from tests.text import toy

BROKEN = b"Anna reads.\n\nIda \xff\xfe sees books. Kim reads f\xe9e.\n\n\x00 Bo reads.\n\nShe \xed\xb2\x80 reads"
PLACES = [(BROKEN.index(byte), line, byte) for byte, line in ((0xFF, 3), (0xE9, 3), (0xED, 7))]


def streamed(data, on_error, transform=None, size=100, threads=1, **options):
    """The outcome for a text in pieces of three bytes, and the report."""
    out = io.BytesIO()
    pieces = [data[at : at + 3] for at in range(0, len(data), 3)]
    request = Request(source="text", on_error=on_error, threads=threads, batch_words=size, **options)
    report = stream(toy.Pieces("b.txt", pieces), out, transform, request, toy.tokenizer)
    return out.getvalue(), report


def visible(data: bytes) -> str:
    """Text in which every byte that is not UTF-8 is a character of its own, which is written like any other."""
    return "".join(chr(ord(c) + 0x2000) if 0xDC80 <= ord(c) < 0xDD00 else c
                   for c in data.decode("utf-8", "surrogateescape"))  # fmt: skip


def test_the_first_is_named():
    with pytest.raises(fastparse.Error, match=r"b.txt: byte 17 is not UTF-8 \(0xFF\).*on_error='keep'"):
        streamed(BROKEN, "stop")


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize("threads", [1, 2])
def test_sentences_are_kept_with_their_bytes(size, threads):
    out, report = streamed(BROKEN, "keep", size=size, threads=threads, offsets=True)
    assert to_text(visible(out).encode()) == visible(BROKEN)
    assert b"# text = Kim reads f\xe9e.\n" in out
    assert (report.kept, report.skipped, report.sentences) == (3, 0, 2)
    assert report.words == 7
    assert report.bytes_read == len(BROKEN)
    assert out.count(b"# sent_id = 5\n") == 1
    for problem, (at, line, byte) in zip(report.problems, PLACES, strict=True):
        assert f"b.txt:{line}: byte {at} is not UTF-8 (0x{byte:02X})" in str(problem)
        assert problem.line == line
    for line in visible(out).split("\n"):
        if "TokenRange=" in line:
            begin, end = map(int, line.rpartition("TokenRange=")[2].split(":"))
            assert visible(BROKEN)[begin:end] == line.split("\t")[1]


@pytest.mark.parametrize("size", [1, 3, 100])
def test_sentences_are_left_out(size):
    out, report = streamed(BROKEN, "skip", size=size)
    assert (report.kept, report.skipped, report.sentences, report.words) == (0, 3, 2, 7)
    assert out.count(b"# text = ") == 2
    assert b"# sent_id = 1\n# text = Anna reads.\n" in out
    assert b"# sent_id = 2\n# text = \x00 Bo reads.\n" in out
    assert len(fastparse.read_conllu(out)) == 2


def test_kept_sentences_are_not_transformed():
    seen = []

    def transform(treebank):
        seen.append(len(treebank))
        return treebank, None

    out, report = streamed(BROKEN, "keep", transform)
    assert out == streamed(BROKEN, "keep")[0]
    assert sum(seen) == 2
    assert (report.sentences, report.kept, len(report.problems)) == (2, 3, 3)


def test_nothing_but_broken_bytes():
    out, report = streamed(b"\xff\xfe\n\n\x80", "keep", lambda treebank: (treebank, None))
    assert to_text(visible(out).encode()) == visible(b"\xff\xfe\n\n\x80")
    assert (report.sentences, report.kept) == (0, 2)
    assert streamed(b"\xff\xfe\n\n\x80", "skip")[0] == b""


def test_utf16_is_recognized():
    with pytest.raises(fastparse.Error, match=r"byte 0 .*looks like UTF-16"):
        toy.tokenizer().tokenize("Anna reads.".encode("utf-16"))
    with pytest.raises(fastparse.Error, match=r"byte 0 .*looks like UTF-16"):
        streamed("Anna reads.".encode("utf-16"), "stop")


def test_unknown_ways_are_refused():
    with pytest.raises(fastparse.errors.UnknownNameError, match="'stop', 'skip', 'keep'"):
        streamed(b"", "replace")
