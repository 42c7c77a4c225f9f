"""How many trees of a treebank lie in each class, beside the papers' figures on two-registers and on planarity."""

from collections.abc import Iterable
from typing import Any

from fastparse.corpus.problems import number_of
from fastparse.evaluation.significance import exact_binomial_p
from fastparse.evaluation.tables import percent
from fastparse.studies import classes
from fastparse.studies.table import Study, Verdict
from fastparse.studies.treebanks import Source
from research.published import printed, published


def classes_study(treebanks: Iterable[Source]) -> Study:
    """Share of trees in the classes two-registers is compared with, punctuation removed."""
    found = classes.classes_study(treebanks).rows
    names = published()["classes"]["columns"]
    rows = []
    for row in found:
        paper = printed("classes", row["language"]) or [None] * len(names)
        pairs = [(name, row[name], figure) for name, figure in zip(names, paper, strict=True)]
        beside = {key: cell for name, own, figure in pairs for key, cell in ((name, own), (f"{name}, paper", figure))}
        rows.append({"treebank": row["treebank"], "trees": row["trees"], **beside})
    study = Study("Trees in each class, %, without punctuation (Pitler & McDonald 2015, Table 1)", rows)
    study.verdicts += [
        _order(rows, "2-crossing-interval", "projective"),
        _order(rows, "1-endpoint-crossing", "2-crossing-interval"),
    ]
    return study


def planarity_study(treebanks: Iterable[Source]) -> Study:
    """Trees outside the classes of planarity, punctuation kept, arcs from the root left out as in the paper."""
    rows = classes.planarity_study(treebanks).rows
    for row in rows:
        paper = printed("planarity", row.pop("language"))
        row["not 2-planar, %, paper"] = percent(paper[3], paper[0]) if paper else None
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


def published_crossing() -> str:
    """The published table of shares."""
    table = published()["classes"]
    rows = [[name, *(f"{share:.1f}" for share in shares)] for name, shares in table["rows"].items()]
    return classes.aligned(table["title"], classes.CROSSING_TABLE.columns[:4], rows)


def published_planar() -> str:
    """The published table of counts."""
    table = published()["planarity"]
    rows = [
        [name, f"{trees:,}", *(f"{count:,} ({100 * count / trees:.2f}%)" for count in outside)]
        for name, (trees, *outside) in table["rows"].items()
    ]
    return classes.aligned(table["title"], classes.PLANAR_TABLE.columns, rows)


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
