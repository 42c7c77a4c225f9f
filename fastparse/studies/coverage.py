"""How many trees of a treebank lie in each class: the tables of the papers on two-registers and on planarity."""

from collections.abc import Iterable
from typing import Any

from fastparse.corpus.problems import number_of
from fastparse.evaluation.significance import exact_binomial_p
from fastparse.evaluation.tables import percent
from fastparse.studies.published import printed, published
from fastparse.studies.table import Study, Verdict
from fastparse.studies.tree_classes import outside_of, shares_of
from fastparse.studies.treebanks import Source, without_punctuation
from fastparse.trees import classify_treebank


def classes_study(treebanks: Iterable[Source]) -> Study:
    """Share of trees in the classes two-registers is compared with, punctuation removed."""
    rows = []
    for source in treebanks:
        heads, offsets = without_punctuation(source.read())
        trees = classify_treebank(heads, offsets, root_arcs=True)
        shares = shares_of(trees)
        paper = printed("classes", source.language) or [None] * 3
        row: dict[str, Any] = {"treebank": source.name, "trees": len(offsets) - 1}
        for name, figure in zip(published()["classes"]["columns"], paper, strict=True):
            row[name] = shares[name]
            row[f"{name}, paper"] = figure
        rows.append(row)
    study = Study("Trees in each class, %, without punctuation (Pitler & McDonald 2015, Table 1)", rows)
    study.verdicts += [
        _order(rows, "2-crossing-interval", "projective"),
        _order(rows, "1-endpoint-crossing", "2-crossing-interval"),
    ]
    return study


def planarity_study(treebanks: Iterable[Source]) -> Study:
    """Trees outside the classes of planarity, punctuation kept, arcs from the root left out as in the paper."""
    rows: list[dict[str, Any]] = []
    for source in treebanks:
        treebank = source.read()
        counts = outside_of(classify_treebank(treebank.heads, treebank.offsets))
        paper = printed("planarity", source.language)
        rows.append(
            {"treebank": source.name, "trees": len(treebank)}
            | counts
            | {"not 2-planar, %": percent(counts["not 2-planar"], len(treebank))}
            | {"not 2-planar, %, paper": percent(paper[3], paper[0]) if paper else None}
        )
    study = Study("Trees outside each class (Gómez-Rodríguez & Nivre 2013, Table 1)", rows)
    share = percent(sum(row["not 2-planar"] for row in rows), sum(row["trees"] for row in rows))
    far = [row["treebank"] for row in rows if row["not 2-planar, %"] > 2]
    study.verdicts.append(
        Verdict(
            "nearly all trees are 2-planar: at most 2% of any treebank are not (at most 1.7% in the paper)",
            "no data" if not rows else "not reproduced" if far else "reproduced",
            f"{share:.2f}% of all trees are not; above 2%: {', '.join(far) or 'none'}",
        )
    )
    return study


def _order(rows: list[dict[str, Any]], larger: str, smaller: str) -> Verdict:
    """Whether one class holds more trees than another, over the treebanks: a sign test."""
    more = sum(row[larger] > row[smaller] for row in rows)
    fewer = sum(row[larger] < row[smaller] for row in rows)
    contrast = f"more trees are {larger} than {smaller}"
    if not rows:
        return Verdict(contrast, "no data", "no treebanks")
    p = exact_binomial_p(more, fewer)
    too_few = more > fewer and exact_binomial_p(more + fewer, 0) >= 0.05  # though all agreed
    outcome = "too little data" if too_few else "reproduced" if more > fewer and p < 0.05 else "not reproduced"
    equal = len(rows) - more - fewer
    detail = f"more trees in {number_of(more, 'treebank')}, fewer in {fewer}, as many in {equal}; sign test"
    return Verdict(contrast, outcome, detail, p)
