"""Random and mutated text against the tokenizer.

    python -m tests.fuzz.text --executions 200000 --seed 1 [TREEBANK.conllu ...]

Meant for the sanitizer build (docs/development.md says how); it runs on any. A tokenizer is learnt from each treebank,
or from an invented one. One execution makes a text, of pieces of real text and of characters of all sorts, tokenizes
it in a random mode, and holds the outcome against what is promised:

    the text comes back to the letter, from `to_text`
    TokenRange, the form and `spans` name the same characters
    the reader of CoNLL-U takes the outcome
    pieces of any size, and parts tokenized apart, give what the whole gives
    bytes that are not UTF-8 are named, left out with their sentence, or kept

With a chance it damages the arrays of a tokenizer instead: they are refused with ModelFormatError, or run. Anything
else, or an execution of more than twenty seconds, stops the run with exit status 1 and prints the input. The seed
determines all.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random

import numpy as np

import fastparse
from fastparse.corpus.conllu.tokenization import renumbered
from fastparse.corpus.surface import surface, to_text
from fastparse.text.tokenizer import Tokenizer
from tests.corpus.tokenizations import check_columns
from tests.text.toy import conllu

PIECES = [
    " ", "  ", "\n", "\n\n", "\r\n", "\r\n\r\n", "\t", "\f", "\v", "\x85", "\u2028", "\u2029", "\xa0", "\u3000",
    "\u200b", "\ufeff", "\u200d", "\u200c", "\u200e", "\u200f", "\u202e", "\xad", "\u0301", "\u0308\u0327",
    "\ufe0f", "\x00", "\x1b", "\x1c", "\x7f", "\\", "|", "\\s", "_", "#", "# text = x\n", "1\tx\t_\n",
    "\U0001f469\u200d\U0001f467", "\U0001f1e9\U0001f1ea", "\U0001f1e9", "\U0001f44d\U0001f3fd", "🙂", ":-)",
    "...", "…", "?!", "--", "—", "http://a.b/c?d=e&f", "x@y.zz", "@who", "#tag", "Mr.", "U.S.", "don't",
    "can’t", "DON'T", "n't", "'s", "3.5", "1,000", "10 000", "١٢", "½", "漢字", "ひらがな", "ไทย", "עברית", "العربية",
    "ß", "İ", "ǅ", "\ue000", "\U000e0041", "\U0010ffff", "\ud7ff", "<b>", "&amp;", "“", "”", "„", "«", "x" * 40,
]  # fmt: skip
LIMIT = 20.0  # seconds


def make(random: Random, texts: list[str]) -> str:
    """A text."""
    kind = random.randrange(8)
    if kind == 0:
        return "".join(random.choice(PIECES) for _ in range(random.randrange(30)))
    if kind == 1:
        return "".join(chr(_code(random)) for _ in range(random.randrange(60)))
    if kind == 2 and random.random() < 0.002:  # a long token, line or run of white space
        piece = random.choice(["a", "ä", "1", ".", "漢", "-", " ", "\n", "a ", "a. ", "🙂", "\u0301", "'s"])
        return piece * (random.choice([2000, 4096, 65535, 65536, 70000]) // len(piece))
    source = random.choice(texts)
    at = random.randrange(len(source))
    text = source[at : at + random.choice((20, 100, 400))]
    for _ in range(random.choice((0, 1, 2, 5, 20))):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice((random.choice(PIECES), chr(_code(random)))) + text[at + random.randrange(3) :]
    return text


def _code(random: Random) -> int:
    code = random.randrange(random.choice((0x20, 0x80, 0x300, 0x3000, 0x11000, 0x110000)))
    return 0x41 if 0xD800 <= code < 0xE000 else code


def check(tokenizer: Tokenizer, text: str, random: Random) -> None:
    """Raise AssertionError unless everything promised is kept."""
    mode = random.choice(("text", "text", "text", "lines", "words"))
    out = tokenizer.tokenize(text, input=mode, offsets=True)
    back = to_text(out)
    if not out:
        assert not tokenizer.tokenize(text), "a text is empty in one mode only"
        return
    assert back == text, "the text does not come back"
    sentences = list(surface(out))
    ranges = []
    for line in out.decode().split("\n"):
        if line and line[0] != "#" and "TokenRange=" in line:
            cells = line.split("\t")
            begin, end = map(int, cells[9].rpartition("TokenRange=")[2].split(":"))
            assert text[begin:end] == cells[1], "TokenRange names other characters than the form"
            ranges.append((begin, end))
    tokens, offsets = tokenizer.spans(text, input=mode)
    assert tokens.tolist() == list(map(list, ranges)), "spans and TokenRange differ"
    assert np.diff(offsets).tolist() == [len(sentence.tokens) for sentence in sentences], "spans has other sentences"
    read = fastparse.read_conllu(out)
    assert len(read) == len(sentences), "the reader finds other sentences"
    data = text.encode()
    if len(data) < 1000:
        cuts = sorted(random.randrange(len(data) + 1) for _ in range(random.randrange(6)))
        pieces = [data[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        assert b"".join(tokenizer.stream(pieces, input=mode, offsets=True, block=random.choice((1, 7, 100)))) == out, (
            "pieces give something else"
        )
        check_parts(tokenizer, pieces, mode, out, random.choice((1, 50, 1000)))
    if len(data) < 1000 and random.random() < 0.1:
        at = random.randrange(len(data) + 1)
        broken = (
            data[:at]
            + random.choice((b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"))
            + data[at:]
        )
        wanted, found = first_broken(broken), "taken"
        try:
            tokenizer.tokenize(broken)
        except fastparse.Error as error:
            found = str(error)
        assert wanted is None or f"byte {wanted} " in found, f"byte {wanted} is broken UTF-8; it is {found}"
        if wanted is not None:
            check_broken(tokenizer, broken, mode, random.choice((1, 50, 1000)))


def check_parts(tokenizer: Tokenizer, pieces: list[bytes], mode: str, out: bytes, size: int) -> None:
    """Hold parts tokenized apart against the whole."""
    parts, done = [], 0
    for chunk in tokenizer.chunks(pieces, input=mode, offsets=True, size=size):
        part = tokenizer.sentences_of(chunk).treebank
        check_columns(part)
        parts.append(renumbered(part.to_bytes(), done))
        done += len(part)
    assert b"".join(parts) == out, "parts give something else"


def check_broken(tokenizer: Tokenizer, broken: bytes, mode: str, size: int) -> None:
    """Hold what is kept of broken UTF-8 against the text, and what is left out against what is kept."""
    made = {}
    for on_error in ("keep", "skip"):
        chunks = tokenizer.chunks([broken], input=mode, size=size, on_error=on_error)
        made[on_error] = [tokenizer.sentences_of(chunk) for chunk in chunks]
    kept = b"".join(part.treebank.to_bytes() for part in made["keep"])
    assert to_text(visible(kept)) == visible(broken).decode(), "broken text does not come back"
    left = b"".join(part.treebank.to_bytes() for part in made["skip"])
    assert left.decode().count("\n\n") == sum(len(part.treebank) for part in made["keep"]), "others are left"
    lost = sum(part.failures.kept for part in made["keep"])
    assert 0 < lost == sum(part.failures.skipped for part in made["skip"]), "others are left out"
    assert lost + left.count(b"\n\n") == kept.count(b"\n\n"), "sentences are neither kept nor left out"


def visible(data: bytes) -> bytes:
    """Bytes that are not UTF-8 as characters of the private use area, which are written like any other."""
    return "".join(
        chr(ord(c) + 0x2000) if 0xDC80 <= ord(c) < 0xDD00 else c for c in data.decode("utf-8", "surrogateescape")
    ).encode()


def first_broken(data: bytes) -> int | None:
    """Where UTF-8 is broken, as Python has it."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None


def damage(tokenizer: Tokenizer, random: Random) -> Tokenizer | None:
    """A tokenizer of damaged arrays, if they are not refused."""
    arrays = {name: array.copy() for name, array in tokenizer.to_arrays().items()}
    for _ in range(random.choice((1, 1, 3))):
        name = random.choice(sorted(arrays))
        array = arrays[name]
        kind = random.randrange(5)
        if kind < 3 and array.size:
            raw = array.view(np.uint8)
            for _ in range(random.choice((1, 10, 1000))):
                raw[random.randrange(len(raw))] = random.randrange(256)
        elif kind == 3:
            arrays[name] = array[: random.randrange(array.size + 1)]
        else:
            arrays[name] = array.astype(random.choice((np.int8, np.float64, np.uint32)))
    try:
        return Tokenizer.from_arrays(arrays)
    except fastparse.ModelFormatError:
        return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("treebanks", nargs="*", type=Path)
    parser.add_argument("--executions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first execution (default: 0)")
    options = parser.parse_args()
    sources = [path.read_bytes() for path in options.treebanks] or [conllu()]
    tokenizers = [Tokenizer.train(source, passes=2, variants=1) for source in sources]
    texts = [to_text(source) for source in sources]
    refused = 0
    for execution in range(options.first, options.first + options.executions):
        random = Random(f"{options.seed} {execution}")
        tokenizer: Tokenizer | None = random.choice(tokenizers)
        text = make(random, texts)
        begin = time.process_time()
        try:
            if random.random() < 0.1:
                tokenizer = damage(tokenizer, random)
                refused += tokenizer is None
                if tokenizer is not None:
                    tokenizer.tokenize(text)
            else:
                check(tokenizer, text, random)
            assert time.process_time() - begin < LIMIT, "it takes too long"
        except Exception as error:
            print(f"execution {execution}, seed {options.seed}: {type(error).__name__}: {error}\n{text[:2000]!r}")
            return 1
        if execution % 10_000 == 9_999:
            print(f"up to execution {execution}, {refused} damaged tokenizers refused", flush=True)
    print(f"{options.executions} executions, nothing found; {refused} damaged tokenizers refused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
