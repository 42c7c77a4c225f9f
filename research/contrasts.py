"""Verdicts on what a paper says of two systems: their average difference, tested by a stratified bootstrap.

Sentences are drawn within each treebank, so that every treebank has its weight in every sample, as it has in the
averages the papers print. With several seeds a sentence counts what the parsers get right of it on average.

A claim that the first is better is reproduced where the difference is positive and significant at 0.05; it is not where
all of the interval lies below what counts as a difference. A claim of equality is reproduced where all of the interval
counts as none, and is not where none of it does. Anything else would take more data to decide.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fastparse.evaluation.comparison import Comparison, Mask
from fastparse.evaluation.significance import exact_binomial_p, right_words
from fastparse.studies.table import Verdict
from research.results import Runs

SAMPLES = 10_000
EQUAL = 0.5  # points: a difference whose interval lies within counts as none
_DRAWN_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class Contrast:
    """A claim of a paper.

    Attributes:
        claim: in words.
        first, second: contenders, each with the names that will do, the best one first.
        measure: "uas", "la" or "las".
        within: the words it is about, from a comparison; None is all that count.
        languages: whose treebanks it is about; all where there are none.
        equal: whether the claim is that there is no difference, rather than that the first is better.
        figures: of the paper.
    """

    claim: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    measure: str = "las"
    within: Callable[[Comparison], Mask] | None = None
    equal: bool = False
    languages: tuple[str, ...] = ()
    figures: str = ""


@dataclass(frozen=True)
class Difference:
    """First minus second, in points, averaged over treebanks; 95% interval; two-sided p."""

    points: float
    low: float
    high: float
    p: float


def judge(contrast: Contrast, runs: list[Runs], convention: str, samples: int = SAMPLES) -> Verdict:
    """Whether a contrast holds on the treebanks that have both contenders."""
    claim = contrast.claim + (f" (paper: {contrast.figures})" if contrast.figures else "")
    if contrast.languages:
        runs = [run for run in runs if run.language in contrast.languages]
    pairs = pairs_of(runs, contrast.first, contrast.second)
    for first, second in pairs:
        if first.regime != second.regime:
            return Verdict(claim, "not comparable", f"on {first.treebank}, {_regime(first)}, but {_regime(second)}")
    strata, gained, lost = [], 0, 0
    for first, second in pairs:
        scored = first.comparisons[0].scored(convention)
        if contrast.within is not None:
            scored = scored & contrast.within(first.comparisons[0])
        if not scored.any():
            continue
        strata.append(_stratum(first, second, scored, contrast.measure, convention))
        for one, other in zip(first.comparisons, second.comparisons, strict=False):
            a, b = (right_words(comparison, contrast.measure, convention) & scored for comparison in (one, other))
            gained += int(np.count_nonzero(a & ~b))
            lost += int(np.count_nonzero(b & ~a))
    if not strata:
        return Verdict(claim, "no data", "no treebank has both systems" if not pairs else "no word to ask about")
    found = bootstrap(strata, samples)
    treebanks = "one treebank" if len(strata) == 1 else f"the average of {len(strata)} treebanks"
    detail = (
        f"{contrast.measure.upper()} {found.points:+.2f} points, 95% interval {found.low:+.2f} to {found.high:+.2f}, "
        f"{treebanks}, stratified bootstrap over sentences; McNemar over words p = {exact_binomial_p(gained, lost):.2g}"
    )
    if contrast.equal:
        detail += f"; equal means an interval within {EQUAL:g} points of 0"
        holds, fails = found.low >= -EQUAL and found.high <= EQUAL, found.low > EQUAL or found.high < -EQUAL
    else:
        holds = found.points > 0 and found.p < 0.05
        fails = not holds and found.high < EQUAL
    outcome = "reproduced" if holds else "not reproduced" if fails else "too little data"
    return Verdict(claim, outcome, detail, found.p)


def _regime(run: Runs) -> str:
    oracle, labels = run.regime
    return f"{run.contender} learnt from a {oracle} oracle, labels by {labels}"


def pairs_of(runs: list[Runs], first: tuple[str, ...], second: tuple[str, ...]) -> list[tuple[Runs, Runs]]:
    """Both contenders on each treebank that has both."""
    found = []
    for treebank in dict.fromkeys(run.treebank for run in runs):
        pair = [pick(runs, treebank, names) for names in (first, second)]
        if pair[0] and pair[1]:
            found.append((pair[0], pair[1]))
    return found


def pick(runs: list[Runs], treebank: str, names: tuple[str, ...]) -> Runs | None:
    """The first of these contenders that there is on a treebank."""
    there = {run.contender: run for run in runs if run.treebank == treebank}
    return next((there[name] for name in names if name in there), None)


def _stratum(first: Runs, second: Runs, scored: Mask, measure: str, convention: str) -> tuple[np.ndarray, np.ndarray]:
    """Per sentence the words that count, and how many more of them the first has right."""
    offsets = first.comparisons[0].offsets
    rights = [
        np.mean([_sums(right_words(c, measure, convention) & scored, offsets) for c in run.comparisons], axis=0)
        for run in (first, second)
    ]
    return _sums(scored, offsets).astype(np.float64), rights[0] - rights[1]


def _sums(words: Mask, offsets: np.ndarray) -> np.ndarray:
    running = np.concatenate(([0], np.cumsum(words, dtype=np.int64)))
    return np.diff(running[np.asarray(offsets)])


def bootstrap(strata: list[tuple[np.ndarray, np.ndarray]], samples: int = SAMPLES, seed: int = 1) -> Difference:
    """Draw sentences within each treebank; the difference of a sample is averaged over treebanks.

    Args:
        strata: per treebank, words and gains of its sentences.
    """
    generator = np.random.default_rng(seed)
    total = np.zeros(samples)
    observed = 0.0
    for words, gains in strata:
        # Sentences without a word that counts change nothing.
        words, gains = words[words > 0], gains[words > 0]
        observed += 100.0 * gains.sum() / words.sum()
        step = max(1, _DRAWN_AT_ONCE // len(words))
        for start in range(0, samples, step):
            drawn = generator.integers(0, len(words), size=(min(step, samples - start), len(words)))
            total[start : start + step] += 100.0 * gains[drawn].sum(axis=1) / words[drawn].sum(axis=1)
    observed, total = observed / len(strata), total / len(strata)
    beyond = np.count_nonzero(np.abs(total - observed) >= abs(observed) - 1e-9)
    low, high = np.quantile(total, (0.025, 0.975))
    return Difference(observed, float(low), float(high), (beyond + 1) / (samples + 1))
