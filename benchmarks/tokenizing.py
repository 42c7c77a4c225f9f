"""Tokens, words and sentences of a tokenizer learnt from one treebank, on the text of another, and how fast it is.

    python benchmarks/tokenizing.py TRAIN.conllu DEV.conllu [--noise] [--repeats N] [--text FILE]

F1 in per cent, as the scorer of Universal Dependencies counts: spans of characters without white space; the words of a
multiword token are aligned by the longest common subsequence. (Where the spans of tokens differ, it aligns words of the
whole stretch, and may find a few more.) `--noise` applies each variant of the text to DEV. Speed is that of one core,
from bytes of text to bytes of CoNLL-U, in processor time, the best of the repeats.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

from fastparse.corpus.surface import SurfaceSentence, surface, to_text
from fastparse.text.tokenizer import Tokenizer
from fastparse.text.variants import VARIANTS, marked, paragraphs

Spans = tuple[set[tuple[int, int]], dict[tuple[int, int], list[str]], set[tuple[int, int]]]


def spans(sentences: Iterable[SurfaceSentence]) -> Spans:
    """Tokens, their words in lower case, and sentences, by characters that are no white space."""
    tokens: dict[tuple[int, int], list[str]] = {}
    found = set()
    at = 0
    for sentence in sentences:
        begin = at
        for token in sentence.tokens:
            end = at + len("".join(token.text.split()))
            tokens[at, end] = [word.lower() for word in token.words or (token.form,)]
            at = end
        found.add((begin, at))
    return set(tokens), tokens, found


def f1(right: int, gold: int, predicted: int) -> float:
    return 200 * right / (gold + predicted) if gold + predicted else 0.0


def common(one: Sequence[str], two: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(two) + 1)
    for a in one:
        before = 0
        for j, b in enumerate(two):
            before, row[j + 1] = row[j + 1], before + 1 if a == b else max(row[j], row[j + 1])
    return row[-1]


def scores(gold: Spans, predicted: Spans) -> tuple[float, float, float]:
    """F1 of tokens, words, sentences."""
    words = sum(common(words, predicted[1].get(span, ())) for span, words in gold[1].items())
    n_words = [sum(map(len, found[1].values())) for found in (gold, predicted)]
    tokens = f1(len(gold[0] & predicted[0]), len(gold[0]), len(predicted[0]))
    sentences = f1(len(gold[2] & predicted[2]), len(gold[2]), len(predicted[2]))
    return tokens, f1(words, *n_words), sentences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("train", type=Path)
    parser.add_argument("dev", type=Path)
    parser.add_argument("--noise", action="store_true")
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--text", type=Path, help="text to measure speed with; by default that of TRAIN")
    options = parser.parse_args()
    begin = time.process_time()
    tokenizer = Tokenizer.train(options.train.read_bytes())
    size = sum(array.nbytes for array in tokenizer.to_arrays().values())
    print(f"learnt in {time.process_time() - begin:.1f} s, {size / 1e6:.1f} MB")
    dev = options.dev.read_bytes()
    print("| text | tokens | words | sentences |\n|---|---:|---:|---:|")
    found = scores(spans(surface(dev)), spans(surface(tokenizer.tokenize(to_text(dev)))))
    print(f"| as it is | {found[0]:.2f} | {found[1]:.2f} | {found[2]:.2f} |")
    for name in VARIANTS if options.noise else ():
        random = Random(5)
        varied = [VARIANTS[name](paragraph, random) for paragraph in paragraphs(surface(dev))]
        gold = spans(SurfaceSentence(False, sentence) for paragraph in varied for sentence in paragraph)
        found = scores(gold, spans(surface(tokenizer.tokenize(marked(varied).text))))
        print(f"| {name} | {found[0]:.2f} | {found[1]:.2f} | {found[2]:.2f} |")
    text = options.text.read_bytes() if options.text else to_text(options.train.read_bytes()).encode()
    times = []
    for _ in range(options.repeats):
        begin = time.process_time()
        out = tokenizer.tokenize(text)
        times.append(time.process_time() - begin)
    n_words = sum(map(len, spans(surface(out))[1].values()))
    print(f"{n_words:,} words, {n_words / min(times) / 1e6:.2f} million words/s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
