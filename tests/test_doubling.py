"""Input of forty kinds, doubled: neither time nor memory may grow by more than 1.3 times the double.

    python -m tests.test_doubling

prints the table of docs/robustness.md. A quadratic place gives four times where it is all there is, so inputs are made
large enough for their time to be seen. The least of several runs counts, in turns: other work adds to some of them.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import io
import json
import os
import sys
import time
import warnings

import pytest

import fastparse
from fastparse.errors import Error
from tests.text import toy as texts
from tests.toy import toy_parser

MOST = 2 * 1.3
LEAST_SECONDS, LARGEST = 0.01, 1 << 19  # of the shorter run; bytes
SLACK = 6.0  # MB, of what allocators keep

ROW = "{0}\t{1}\t_\tNOUN\t_\t{2}\t{3}\t{4}\t{5}\t{6}\n"


@functools.cache
def parser():
    return fastparse.load("en-fast")


def text_through(data, **options):
    """Running text to CoNLL-U, as the command does."""
    with open(os.devnull, "wb") as out:
        parser().parse_file(io.BytesIO(data), out, source="text", **options)


def text_at_once(data):
    parser().parse_text(data.decode())


def tokens_of(data, **options):
    with open(os.devnull, "wb") as out:
        parser().tokenize_file(io.BytesIO(data), out, source="text", **options)


def lines_of_json(data):
    with open(os.devnull, "wb") as out:
        parser().parse_file(io.BytesIO(data), out, source="ndjson", target="ndjson")


def treebank_through(data, **options):
    with open(os.devnull, "wb") as out:
        linear().parse_file(io.BytesIO(data), out, source="conllu", **options)


def read_and_written(data):
    assert fastparse.read_conllu(data).to_bytes() == data


def refused(data):
    with pytest.raises(Error):
        fastparse.read_conllu(data)


@functools.cache
def linear():
    return toy_parser("arc-eager", beam=1)


def sentence(n, form="a", feats="_", head=None, relation="dep", deps="_", misc="_"):
    """Lines of n words."""
    return "".join(
        ROW.format(k, form.format(k), feats.format(k), (k - 1 if head is None else head) if k > 1 else 0,
                   relation.format(k) if k > 1 else "root", deps.format(k - 1), misc.format(k))
        for k in range(1, n + 1)
    )  # fmt: skip


def conllu(inside="", n=1):
    """A sentence of n words after, or with, what is inside it."""
    return (inside + sentence(n) + "\n").encode()


def form_of(data):
    from fastparse.server.forms import fields_of_body

    fields_of_body("application/x-www-form-urlencoded", data)


def parts_of(data):
    from fastparse.server.forms import fields_of_body

    fields_of_body("multipart/form-data; boundary=b", data)


def header_of(data):
    from fastparse.server.forms import parameters

    parameters(data.decode())


def refused_form(read, data):
    from fastparse.server.guard import Refused

    with contextlib.suppress(Refused):  # what is small may be read
        read(data)


def repeated(unit):
    return lambda n: (unit * (n // len(unit.encode()) + 1)).encode()


def after(start, unit, end=""):
    return lambda n: (start + unit * (n // len(unit.encode()) + 1) + end).encode()


# What is done, and what it is done to: bytes, about so many.
KINDS = {
    "text: words": (text_through, repeated("She reads old books about the sea. ")),
    "text: words, at once": (text_at_once, repeated("She reads old books about the sea. ")),
    "text: spaces": (text_through, repeated(" ")),
    "text: a word and spaces": (text_through, after("a", " ")),
    "text: a word and line ends": (text_through, after("a", "\n", "b")),
    "text: words far apart": (tokens_of, repeated("a" + " " * 4000)),
    "text: wide spaces": (tokens_of, after("a", "\u3000")),
    "text: marks": (tokens_of, repeated("!")),
    "text: dots and spaces": (tokens_of, repeated(". ")),
    "text: quotes": (tokens_of, repeated('"')),
    "text: apostrophes": (tokens_of, repeated("n't")),
    "text: brackets opened": (tokens_of, repeated("(")),
    "text: brackets closed": (tokens_of, after("a.", ")")),
    "text: digits": (tokens_of, repeated("0")),
    "text: numbers": (tokens_of, repeated("1,000.5-")),
    "text: one token": (tokens_of, repeated("a")),
    "text: no spaces": (tokens_of, repeated("漢字")),
    "text: combining marks": (tokens_of, after("a", "\u0345\u0300")),
    "text: joiners": (tokens_of, repeated("\u200d")),
    "text: directions": (tokens_of, repeated("\u202ea\u202c")),
    "text: flags": (tokens_of, repeated("\U0001f1e9")),
    "text: nothing printable": (tokens_of, repeated("\0")),
    "text: addresses": (tokens_of, repeated("http://a.b/?x=1&")),
    "text: not UTF-8": (functools.partial(tokens_of, on_error="keep"), lambda n: b"a\xff. " * (n // 4)),
    "text: lines of a word": (tokens_of, repeated("a\n")),
    "json: short rows": (lines_of_json, repeated('{"text": "a b."}\n')),
    "json: a long text": (lines_of_json, after('{"text": "', "She reads. ", '"}\n')),
    "json: escapes": (lines_of_json, after('{"text": "', "\\u00e9 \\n ", '"}\n')),
    "json: deep": (lines_of_json, lambda n: b'{"text": "a", "id": %s%s}\n' % (b"[" * 400, b"]" * 400) * (n // 800)),
    "json: many names": (
        lines_of_json,
        lambda n: json.dumps({"text": "a.", **{f"{k:0100}": 0 for k in range(n // 108)}}).encode(),
    ),
    "conllu: one sentence": (treebank_through, lambda n: conllu("", n // 24)),
    "conllu: many sentences": (treebank_through, lambda n: conllu() * (n // 24)),
    "conllu: comments": (read_and_written, lambda n: conllu("# a\n" * (n // 4))),
    "conllu: a long comment": (read_and_written, lambda n: conllu("# " + "a" * n + "\n")),
    "conllu: empty nodes": (
        read_and_written,
        lambda n: (
            sentence(1) + "".join(f"1.{k}\ta\t_\t_\t_\t_\t_\t_\t1:dep\t_\n" for k in range(1, n // 30)) + "\n"
        ).encode(),
    ),
    "conllu: ranges": (
        read_and_written,
        lambda n: (
            "".join(
                f"{k}-{k + 1}\tab\t_\t_\t_\t_\t_\t_\t_\t_\n"
                + ROW.format(k, "a", "_", k - 1, "dep", "_", "_")
                + ROW.format(k + 1, "b", "_", k, "dep", "_", "_")
                for k in range(1, n // 40, 2)
            )
            + "\n"
        ).encode(),
    ),
    "conllu: forms, each another": (read_and_written, lambda n: (sentence(n // 24, form="w{0}") + "\n").encode()),
    "conllu: features, each other": (read_and_written, lambda n: (sentence(n // 26, feats="A=b{0}") + "\n").encode()),
    "conllu: relations, each another": (
        read_and_written,
        lambda n: (sentence(n // 26, relation="r{0}") + "\n").encode(),
    ),
    "conllu: DEPS": (
        read_and_written,
        lambda n: (sentence(1, deps="|".join(f"{k}:a" for k in range(n // 6))) + "\n").encode(),
    ),
    "conllu: MISC": (read_and_written, lambda n: (sentence(1, misc="A=b|" * (n // 4) + "C=d") + "\n").encode()),
    "conllu: a long form": (read_and_written, lambda n: (sentence(1, form="a" * n) + "\n").encode()),
    "conllu: heads at one word": (read_and_written, lambda n: (sentence(n // 24, head=1) + "\n").encode()),
    "conllu: empty lines": (refused, lambda n: b"\n" * n + b"1\ta\n\n"),
    "conllu: broken sentences": (
        functools.partial(treebank_through, on_error="skip"),
        lambda n: b"1\ta\n\n" * (n // 5),
    ),
    "conllu: carriage returns": (refused, lambda n: b"1\ta" + b"\r" * n + b"\n\n"),
    "form: one field": (form_of, lambda n: b"data=" + b"%C3%A9" * (n // 6)),
    "form: many fields": (functools.partial(refused_form, form_of), lambda n: b"a=b&" * (n // 4)),
    "form: many parts": (
        functools.partial(refused_form, parts_of),
        lambda n: b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nv\r\n' * (n // 52) + b"--b--\r\n",
    ),
    "form: a long part": (
        parts_of,
        lambda n: b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n' + b"-\r\n-" * (n // 4) + b"\r\n--b--\r\n",
    ),
    "header: semicolons": (functools.partial(refused_form, header_of), lambda n: b'form-data; x="' + b";" * n),
    "header: quotes": (functools.partial(refused_form, header_of), lambda n: b"form-data" + b'; x="\\"' * (n // 8)),
}


def _memory():
    """Resident now, and at most since it was last reset, in MB."""
    with open("/proc/self/status", encoding="ascii") as status:
        fields = dict(line.split(":", 1) for line in status)
    return [int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")]


def _give_back():
    """Free memory that the allocator keeps would hide what is taken next."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _run(work, data):
    begun = time.process_time()
    work(data)
    return time.process_time() - begun


def measured(name):
    """Bytes, seconds and MB of the shorter input, and how often so much the double takes."""
    work, make = KINDS[name]
    size = 1 << 12
    data = make(size)
    work(data)  # the first call loads what it needs
    while _run(work, data) < LEAST_SECONDS and size < LARGEST:
        size *= 2
        data = make(size)
    double, peaks = make(2 * size), []
    gc.collect()
    for each in (data, double):
        _give_back()
        with open("/proc/self/clear_refs", "w", encoding="ascii") as clear:
            clear.write("5")
        before, _ = _memory()
        work(each)
        peaks.append(max(0.0, _memory()[1] - before))
    gc.disable()
    short, long = [], []
    for _ in range(12):
        short.append(_run(work, data))
        long.append(_run(work, double))
        if len(short) > 2 and min(long) < 1.1 * MOST / 1.3 * min(short):
            break
    return size, min(short), min(long) / max(min(short), 1e-4), peaks


def in_a_process(name):
    """What `measured` gives, in a process without the memory that others have used."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            warnings.simplefilter("ignore")
            with os.fdopen(writing, "w") as out:
                json.dump(measured(name), out)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as found:
        answer = found.read()
    os.waitpid(child, 0)
    assert answer, f"{name}: it failed"
    return json.loads(answer)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize("name", KINDS)
def test_the_double_takes_about_twice(name):
    if name.startswith(("form", "header")):
        pytest.importorskip("starlette")
    parser(), linear(), texts.tokenizer()
    for _ in range(3):  # other work may come between
        _, _, ratio, (once, twice) = in_a_process(name)
        if ratio < MOST and twice < MOST * once + SLACK:
            break
    assert ratio < MOST, f"{ratio:.2f} times the processor time"
    assert twice < MOST * once + SLACK, f"{once:.1f} and {twice:.1f} MB"


def test_what_is_quadratic_is_noticed():
    KINDS["a square"] = (lambda data: [data.count(b"b") for _ in range(len(data) >> 8)], lambda n: b"a" * n)
    try:
        assert in_a_process("a square")[2] > MOST
    finally:
        del KINDS["a square"]


if __name__ == "__main__":
    parser(), linear()
    print("| input | bytes | ms | the double | MB, of the double |\n|---|---:|---:|---:|---:|")
    for each in KINDS:
        n_bytes, seconds, times, memory = in_a_process(each)
        peaks = ", ".join(f"{peak:.1f}" for peak in memory)
        print(f"| {each} | {n_bytes:,} | {1000 * seconds:.0f} | {times:.2f} | {peaks} |", flush=True)
