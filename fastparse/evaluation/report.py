"""What `fastparse evaluate` prints: scores, tests and breakdowns, for people or as one JSON document."""

from collections.abc import Callable, Sequence
from typing import Any

from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.evaluation.attachment import HEADER, score_treebanks
from fastparse.evaluation.breakdowns import (
    by_arc_length,
    by_crossing,
    by_label,
    by_projectivity,
    by_sentence_length,
    nonprojective_precision_recall,
    nonprojective_tokens,
)
from fastparse.evaluation.comparison import Comparison, compare, has_same_words
from fastparse.evaluation.shared_task import MEASURES
from fastparse.evaluation.significance import Significance, significance
from fastparse.evaluation.tables import text_table

BREAKDOWNS: dict[str, Callable[[Comparison, str], Any]] = {
    "crossing": by_crossing,
    "projectivity": by_projectivity,
    "nonprojective-arcs": nonprojective_precision_recall,
    "nonprojective-words": nonprojective_tokens,
    "label": by_label,
    "arc-length": by_arc_length,
    "sentence-length": by_sentence_length,
}
TESTED = ("uas", "las")


class Evaluation:
    """One parse, or two and the difference between them, measured in every way asked for.

    Breakdowns and tests look at one word after the other: a parse with other words than the gold treebank has none.

    Args:
        gold: the right trees.
        parses: one or two treebanks.
        names: what to call the parses.
        convention: see `fastparse.evaluation.comparison`.
        by: names in BREAKDOWNS.
        samples: samples of the bootstrap.
        seed: of the bootstrap.
        required: whether a breakdown that cannot be made is an error.
    """

    def __init__(
        self,
        gold: Treebank,
        parses: Sequence[Treebank],
        names: Sequence[str],
        convention: str = "ud",
        by: Sequence[str] = (),
        samples: int = 10_000,
        seed: int = 1,
        required: bool = True,
    ) -> None:
        self.names = list(names)
        self.scores = [score_treebanks(gold, parse, convention) for parse in parses]
        comparisons = [compare(gold, parse) if has_same_words(gold, parse) else None for parse in parses]
        if by and required and None in comparisons:
            raise Error(
                f"{self.names[comparisons.index(None)]}: the words are not those of the gold treebank, so that scores "
                f"cannot be broken down by {' or '.join(by)}. Leave the breakdowns out, or parse the gold words."
            )
        self.breakdowns: list[dict[str, Any]] = [
            {name: BREAKDOWNS[name](comparison, convention) for name in by} if comparison else {}
            for comparison in comparisons
        ]
        self.tests: list[Significance] = []
        known = [comparison for comparison in comparisons if comparison]
        self.untested = len(parses) == 2 and len(known) < 2
        if len(known) == 2:
            first, second = known
            self.tests = [significance(first, second, measure, convention, samples, seed) for measure in TESTED]

    def to_dict(self) -> dict[str, Any]:
        """Scores of the first parse at the top; breakdowns, the other parse and the tests below."""
        first, *others = (
            {"predicted": name, **scores.to_dict(), "breakdowns": {by: table.to_dict() for by, table in tables.items()}}
            for name, scores, tables in zip(self.names, self.scores, self.breakdowns, strict=True)
        )
        if others:
            return first | {"against": others[0], "significance": [test.to_dict() for test in self.tests]}
        return first

    def text(self) -> str:
        """Everything as tables."""
        if len(self.scores) == 1:
            blocks = [self.scores[0].table()]
        else:
            rows = [[name, *scores.row()] for name, scores in zip(self.names, self.scores, strict=True)]
            blocks = [self.scores[0].heading(), text_table(("parse", *HEADER), rows)]
            if self.scores[0].convention == "ud":
                f1 = [[title, *(getattr(scores, name) for scores in self.scores)] for name, title in MEASURES.items()]
                blocks.append(text_table(("F1", *self.names), f1))
        if self.untested:
            blocks.append("The difference is not tested: that needs parses of the gold words.")
        blocks += [_difference(test) for test in self.tests]
        for name, tables in zip(self.names, self.breakdowns, strict=True):
            heading = f"{name}: " if len(self.names) > 1 else ""
            blocks += [heading + table.table() for table in tables.values()]
        return "\n\n".join(blocks)


def _difference(test: Significance) -> str:
    words, sentences = test.mcnemar, test.bootstrap
    return "\n".join(
        (
            f"{test.measure.upper()}: difference {sentences.difference:+.2f} points, "
            f"95% interval {sentences.low:+.2f} to {sentences.high:+.2f}",
            f"  paired bootstrap over sentences  p = {_p(sentences.p)}  "
            f"({sentences.samples:,} samples, seed {sentences.seed})",
            f"  McNemar's exact test over words  p = {_p(words.p)}  "
            f"({words.first_only:,} words right in the first alone, {words.second_only:,} in the second alone)",
        )
    )


def _p(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"
