"""A project that uses fastparse as it is meant: type checkers find nothing in it."""

from __future__ import annotations

from collections.abc import Iterator

import fastparse
from fastparse import Configuration, Error, FastparseWarning, Parser, Report, Scores, Sentence, Treebank


def parsed(path: str, model: str | None = None) -> Treebank:
    parser: Parser = fastparse.load(model)
    treebank: Treebank = fastparse.read_conllu(path, on_error="skip", heads=False)
    found: Treebank = parser.parse(treebank, beam=4, threads=2, strict=True)
    return found


def heads_of(parser: Parser) -> list[list[int]]:
    sentences: Iterator[Sentence] = parser.parse([(["She", "reads"], ["PRON", "VERB"])])
    return [sentence.heads for sentence in sentences]


def words(treebank: Treebank) -> Iterator[tuple[str, str, int]]:
    for sentence in treebank:
        yield from zip(sentence.forms, sentence.upos, sentence.heads, strict=True)


def first(treebank: Treebank) -> tuple[Sentence, Treebank]:
    return treebank[0], treebank[:10]


def files(parser: Parser) -> float:
    report: Report = parser.parse_file("in.conllu", "out.conllu", threads=2, on_error="keep")
    return report.words_per_second


def learnt() -> Parser:
    parser = fastparse.train("train.conllu", "arc-eager", dev="dev.conllu", beam=8, seed=2, encoder=None, margin=3)
    parser.save("my.fp")
    return parser


def scores() -> float:
    found: Scores = fastparse.evaluate("gold.conllu", "parsed.conllu", convention="ud")
    return found.las


def theory() -> list[str]:
    c = Configuration("two-registers", 5)
    moves: list[str] = c.legal()
    c.apply(moves[0])
    derivation = fastparse.derive([2, 0, 2], "swap", oracle="eager")
    return [*derivation.moves, *fastparse.systems(), str(c.memory)]


def classes() -> int:
    return fastparse.trees.classify([2, 0, 2]).gap_degree


def text(parser: Parser) -> str:
    try:
        return parser.parse_text("She reads.").to_text()
    except (Error, FastparseWarning) as error:
        return str(error)
