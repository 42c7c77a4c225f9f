"""Could the difference between two parsers be chance? McNemar's exact test and the paired bootstrap.

McNemar's test asks word by word and takes words for independent, which those of one sentence are not: it finds
differences too easily. The bootstrap draws whole sentences, and is the one to trust where the two disagree.
"""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fastparse.errors import Error
from fastparse.evaluation.comparison import Comparison, Mask
from fastparse.evaluation.tables import percent

# Sentences drawn at a time, so that memory stays flat whatever the number of samples.
_DRAWN_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class McNemar:
    """McNemar's exact test, two-sided, on words.

    Attributes:
        first_only: words only the first parse has right.
        second_only: words only the second has right.
        p: probability of a split at least this uneven if both were equally likely.
    """

    first_only: int
    second_only: int
    p: float


@dataclass(frozen=True)
class Bootstrap:
    """Paired bootstrap over sentences.

    Attributes:
        difference: first score minus second, in points.
        low: lower end of the 95% interval of the difference.
        high: upper end.
        p: share of samples, two-sided, whose difference departs from the observed one by at least the observed one.
        samples: how many samples were drawn.
        seed: of the generator.
    """

    difference: float
    low: float
    high: float
    p: float
    samples: int
    seed: int


@dataclass(frozen=True)
class Significance:
    """Both tests for one measure ("uas" or "las") under one convention."""

    measure: str
    convention: str
    mcnemar: McNemar
    bootstrap: Bootstrap

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def significance(
    first: Comparison,
    second: Comparison,
    measure: str = "las",
    convention: str = "ud",
    samples: int = 10_000,
    seed: int = 1,
    within: Mask | None = None,
) -> Significance:
    """Test the difference between two parses.

    Args:
        first: one parse compared with the gold treebank.
        second: another compared with the same.
        measure: "uas", "la" or "las".
        convention: which words count; see `fastparse.evaluation.comparison`.
        samples: samples of the bootstrap.
        seed: of the bootstrap.
        within: words to look at, for instance those with a crossed gold arc; all where it is None.
    Raises:
        Error: if the gold trees differ.
    """
    if not (np.array_equal(first.offsets, second.offsets) and np.array_equal(first.heads, second.heads)):
        raise Error("the two parses were compared with different gold trees: compare both with the same treebank")
    if samples < 1:
        raise Error(f"the bootstrap needs at least one sample, got {samples!r}")
    scored = first.scored(convention) if within is None else first.scored(convention) & within
    right = [right_words(comparison, measure, convention) for comparison in (first, second)]
    only_first, only_second = (int(np.count_nonzero(a & ~b & scored)) for a, b in (right, right[::-1]))
    return Significance(
        measure,
        convention,
        McNemar(only_first, only_second, exact_binomial_p(only_first, only_second)),
        _bootstrap(first.offsets, scored, right[0], right[1], samples, seed),
    )


def right_words(comparison: Comparison, measure: str, convention: str) -> Mask:
    """The words a parse has right in the sense of "uas", "la" or "las"."""
    if measure == "uas":
        return comparison.right_heads
    labels, predicted_labels, _ = comparison.labels_under(convention)
    if measure == "la":
        return np.asarray(labels == predicted_labels)
    if measure == "las":
        return np.asarray(comparison.right_heads & (labels == predicted_labels))
    raise Error(f"no test for the measure {measure!r}: expected 'uas', 'la' or 'las'")


def exact_binomial_p(a: int, b: int) -> float:
    """Two-sided probability that a + b fair coins fall at least as unevenly as a against b."""
    n, k = a + b, min(a, b)
    if 2 * k == n:
        return 1.0
    # P(X <= k) = P(X = k) (1 + k/(n-k+1) + ...): the factor in integers, rounded once; the sum of positive terms.
    term = total = 1.0
    while k > 0 and term > total * 1e-18:
        term *= k / (n - k + 1)
        total += term
        k -= 1
    return min(1.0, 2 * (math.comb(n, min(a, b)) / (1 << n)) * total)


def _bootstrap(offsets: Any, scored: Mask, first: Mask, second: Mask, samples: int, seed: int) -> Bootstrap:
    words = _sums(scored, offsets)
    gains = _sums(first & scored, offsets) - _sums(second & scored, offsets)
    n_sentences = len(words)
    observed = percent(gains.sum(), words.sum())
    if not words.any():
        return Bootstrap(0.0, 0.0, 0.0, 1.0, samples, seed)
    generator = np.random.default_rng(seed)
    differences = np.empty(samples)
    step = max(1, _DRAWN_AT_ONCE // n_sentences)
    for start in range(0, samples, step):
        drawn = generator.integers(0, n_sentences, size=(min(step, samples - start), n_sentences))
        # A sample of sentences without a single word that counts shows no difference.
        differences[start : start + step] = 100.0 * gains[drawn].sum(axis=1) / np.maximum(words[drawn].sum(axis=1), 1)
    # The samples scatter around the observed difference; shifted to 0 they show what chance alone would do.
    beyond = np.count_nonzero(np.abs(differences - observed) >= abs(observed) - 1e-9)
    low, high = np.quantile(differences, (0.025, 0.975))
    return Bootstrap(observed, float(low), float(high), (beyond + 1) / (samples + 1), samples, seed)


def _sums(words: Mask, offsets: Any) -> Any:
    """How many of the words each sentence has."""
    running = np.concatenate(([0], np.cumsum(words, dtype=np.int64)))
    return np.diff(running[np.asarray(offsets)])
