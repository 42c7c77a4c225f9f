"""Verdicts on what a paper says of two systems: their average difference, tested by a stratified bootstrap.

Sentences are drawn within each treebank, so that every treebank has its weight in every sample, as it has in the
averages the papers print. Seeds are drawn, too, for each system and treebank: a sentence counts what the parsers drawn
get right of it on average.

A claim that the first is better is reproduced where the difference is positive and significant at 0.05; it is not where
all of the interval lies below what counts as a difference. A claim of equality is reproduced where a difference that
counts is ruled out at 0.05 (two one-sided tests), and is not where none of the interval counts as none. Anything else
would take more data to decide. The claims of one table are corrected for their number by Holm's method.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fastparse.evaluation.comparison import Comparison, Mask
from fastparse.evaluation.significance import exact_binomial_p, right_words
from fastparse.studies.table import Verdict
from research.results import Runs

LEVEL = 0.05
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
        nonprojective: the least share of non-projective trees, in per cent, of the treebanks it is about.
        figures: of the paper.
    """

    claim: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    measure: str = "las"
    within: Callable[[Comparison], Mask] | None = None
    equal: bool = False
    languages: tuple[str, ...] = ()
    nonprojective: float = 0.0
    figures: str = ""

    def about(self, run: Runs) -> bool:
        """Whether it is about a treebank."""
        return run.nonprojective >= self.nonprojective and (not self.languages or run.language in self.languages)


@dataclass(frozen=True)
class Difference:
    """First minus second, in points, averaged over treebanks; 95% interval.

    Attributes:
        p: two-sided, of a difference.
        p_equal: of two one-sided tests that it is within EQUAL, twice the larger one's, as the interval has it.
    """

    points: float
    low: float
    high: float
    p: float
    p_equal: float = 1.0


def judge_all(
    contrasts: Sequence[Contrast], runs: list[Runs], convention: str, samples: int = SAMPLES
) -> list[Verdict]:
    """Verdicts on the claims of one table; p is corrected for all of them that could be tested."""
    alone = [judge(contrast, runs, convention, samples) for contrast in contrasts]
    tested = [verdict.p for verdict in alone if verdict.p is not None]
    if len(tested) < 2:
        return alone
    corrected = iter(holm(tested))
    found = []
    for verdict in alone:
        if verdict.p is not None:
            p = next(corrected)
            outcome = verdict.outcome
            if outcome == "reproduced" and p >= LEVEL:
                outcome = "too little data"
            detail = f"{verdict.detail}; p = {verdict.p:.2g} before correction for {len(tested)} claims"
            verdict = replace(verdict, p=p, outcome=outcome, detail=detail)
        found.append(verdict)
    return found


def holm(p: Sequence[float]) -> list[float]:
    """Corrected for their number (Holm 1979): the smallest times n, the next times n - 1, never falling."""
    found, least = [0.0] * len(p), 0.0
    for rank, place in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        least = max(least, min(1.0, p[place] * (len(p) - rank)))
        found[place] = least
    return found


def judge(contrast: Contrast, runs: list[Runs], convention: str, samples: int = SAMPLES) -> Verdict:
    """Whether a contrast holds on the treebanks that have both contenders."""
    claim = contrast.claim + (f" (paper: {contrast.figures})" if contrast.figures else "")
    runs = [run for run in runs if contrast.about(run)]
    pairs = pairs_of(runs, contrast.first, contrast.second)
    for first, second in pairs:
        if first.regime != second.regime:
            return Verdict(claim, "not comparable", f"on {first.treebank}, {_regime(first)}, but {_regime(second)}")
    strata: list[Stratum] = []
    gained, lost = 0, 0
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
    detail = (
        f"{contrast.measure.upper()} {found.points:+.2f} points, 95% interval {found.low:+.2f} to {found.high:+.2f}, "
        f"{_basis(pairs, strata)}, bootstrap over sentences and seeds; "
        f"McNemar over words p = {exact_binomial_p(gained, lost):.2g}"
    )
    if contrast.equal:
        detail += f"; equal means less than {EQUAL:g} points apart"
        holds, fails, p = found.p_equal < LEVEL, found.low > EQUAL or found.high < -EQUAL, found.p_equal
    else:
        holds, p = found.points > 0 and found.p < LEVEL, found.p
        fails = not holds and found.high < EQUAL
    outcome = "reproduced" if holds else "not reproduced" if fails else "too little data"
    return Verdict(claim, outcome, detail, p)


def _basis(pairs: list[tuple[Runs, Runs]], strata: list["Stratum"]) -> str:
    """What a verdict rests on."""
    names = ", ".join(first.treebank for first, _ in pairs)
    treebanks = names if len(strata) == 1 else f"the average of {len(strata)} treebanks ({names})"
    fewest = min(len(run.comparisons) for pair in pairs for run in pair)
    learnt = sum(pair[0].results[0].words for pair in pairs)
    scored = int(sum(words.sum() for words, _, _ in strata))
    seeds = "one seed" if fewest == 1 else f"{fewest} seeds"
    return f"{treebanks}, {seeds}, {learnt:,} words learnt from, {scored:,} words asked about"


def _regime(run: Runs) -> str:
    oracle, labels, update, margin = run.regime
    return f"{run.contender} learnt from a {oracle} oracle, labels by {labels}, update {update}, margin {margin}"


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


# Words that count per sentence; how many of them each parser of the first and of the second has right, a row per seed.
Stratum = tuple[np.ndarray, np.ndarray, np.ndarray]


def _stratum(first: Runs, second: Runs, scored: Mask, measure: str, convention: str) -> Stratum:
    offsets = first.comparisons[0].offsets
    rights = [
        np.array([_sums(right_words(c, measure, convention) & scored, offsets) for c in run.comparisons], np.float64)
        for run in (first, second)
    ]
    return _sums(scored, offsets).astype(np.float64), rights[0], rights[1]


def _sums(words: Mask, offsets: np.ndarray) -> np.ndarray:
    running = np.concatenate(([0], np.cumsum(words, dtype=np.int64)))
    return np.diff(running[np.asarray(offsets)])


def bootstrap(strata: list[Stratum], samples: int = SAMPLES, seed: int = 1) -> Difference:
    """Draw sentences within each treebank, and seeds; the difference of a sample is averaged over treebanks."""
    generator = np.random.default_rng(seed)
    total = np.zeros(samples)
    observed = 0.0
    for words, *rights in strata:
        # Sentences without a word that counts change nothing.
        there = words > 0
        words, rights = words[there], [right[:, there] for right in rights]
        observed += 100.0 * float(np.diff([right.mean(0).sum() for right in rights[::-1]])[0]) / words.sum()
        step = max(1, _DRAWN_AT_ONCE // len(words))
        for start in range(0, samples, step):
            drawn = generator.integers(0, len(words), size=(min(step, samples - start), len(words)))
            first, second = (_mean_of_drawn(generator, right, drawn) for right in rights)
            total[start : start + step] += 100.0 * (first - second) / words[drawn].sum(axis=1)
    observed, total = observed / len(strata), total / len(strata)
    beyond = np.count_nonzero(np.abs(total - observed) >= abs(observed) - 1e-9)
    low, high = np.quantile(total, (0.025, 0.975))
    outside = max(np.count_nonzero(total >= EQUAL), np.count_nonzero(total <= -EQUAL))
    return Difference(
        observed, float(low), float(high), (beyond + 1) / (samples + 1), min(1.0, 2 * (outside + 1) / (samples + 1))
    )


def _mean_of_drawn(generator: np.random.Generator, right: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Per sample: what parsers drawn from those there are have right of the sentences drawn, on average."""
    n = len(right)
    sums = np.stack([row[drawn].sum(axis=1) for row in right], axis=1)
    if n == 1:
        return np.asarray(sums[:, 0])
    chosen = generator.integers(0, n, size=sums.shape)
    return np.asarray(np.take_along_axis(sums, chosen, axis=1).mean(axis=1))
