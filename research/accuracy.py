"""The papers' tables of accuracy, from the results of trained parsers."""

from typing import Any

import numpy as np

from fastparse.evaluation.attachment import score
from fastparse.evaluation.breakdowns import (
    by_crossing,
    by_projectivity,
    crossed_arcs,
    nonprojective_arcs,
    nonprojective_precision_recall,
    nonprojective_tokens,
)
from fastparse.evaluation.comparison import Comparison, Mask
from fastparse.studies.table import Study
from research.contrasts import Contrast, judge_all
from research.published import printed, published
from research.results import Runs
from research.wide import Cells, Names, mean_over_seeds, wide_table

SWAP = ("swap", "swap:lazy", "swap:eager")
REGISTERS: Names = {"arc-eager": ("arc-eager",), "swap": SWAP, "two-registers": ("two-registers",)}
_ENCODED = ("+head", "+head+path", "+path")
PLANES: Names = {
    "projective": ("arc-eager",),
    "planar": ("planar",),
    "pseudo-projective": tuple(f"arc-eager{encoding}" for encoding in _ENCODED),
    "2-planar": ("2-planar",),
}
SWAPPING: Names = {
    "swap": ("swap:eager", "swap", "swap:lazy"),
    "projective": ("arc-standard",),
    "pseudo-projective": tuple(f"arc-standard{encoding}" for encoding in _ENCODED),
}
MANY = 19.0  # per cent of trees: where Gómez-Rodríguez & Nivre (2013) say that 2-planar is worth its second stack
STEPS: Names = {
    "Covington": ("covington",),
    "pseudo-projective, path": ("arc-eager+path", "covington+path", "arc-standard+path"),
    "three-step, treebank 1": ("three-step",),
}


def nonprojective(comparison: Comparison) -> Mask:
    """Words with a non-projective gold arc."""
    return nonprojective_arcs(comparison.heads, comparison.offsets)


def las_study(runs: list[Runs], convention: str = "conllx", tags: str = "gold") -> Study:
    """LAS and UAS per treebank and system (Pitler & McDonald 2015, Tables 5 and 6)."""

    def measure(run: Runs) -> Cells:
        scores = [score(comparison, convention) for comparison in run.comparisons]
        return mean_over_seeds([{"LAS": one.las, "UAS": one.uas} for one in scores])

    study = wide_table(
        f"LAS (UAS), convention {convention} (Pitler & McDonald 2015, Table {5 if tags == 'gold' else 6}, {tags} tags)",
        runs, REGISTERS, measure, "{LAS} ({UAS})",
        lambda language, system: _printed("las", language, system, ("LAS", "UAS"), f"{tags} tags"),
    )  # fmt: skip
    study.verdicts = judge_all(_las_contrasts(tags), runs, convention)
    return study


def _las_contrasts(tags: str) -> list[Contrast]:
    columns = published()["las"]["columns"]
    average = dict(zip(columns, published()["las"][f"{tags} tags"]["average"], strict=True))
    return [
        Contrast(
            f"two-registers is better than {other} on average, {measure.upper()}",
            REGISTERS["two-registers"], REGISTERS[other], measure,
            figures=f"{average['two-registers'][place]:.2f} and {average[other][place]:.2f}",
        )
        for place, measure in enumerate(("las", "uas"))
        for other in ("arc-eager", "swap")
    ]  # fmt: skip


def nonprojective_study(runs: list[Runs], convention: str = "conllx") -> Study:
    """LAS, labelled precision and recall on non-projective arcs (Gómez-Rodríguez & Nivre 2013, Table 2)."""

    def measure(run: Runs) -> Cells:
        cells = []
        for comparison in run.comparisons:
            arcs = nonprojective_precision_recall(comparison, convention)
            cells.append({"LAS": score(comparison, convention).las, "LP-NP": arcs.precision, "LR-NP": arcs.recall})
        return mean_over_seeds(cells)

    def paper(language: str, system: str) -> Cells | None:
        place = published()["nonprojective"]["columns"].index(system)
        rows = [printed("nonprojective", language, part) for part in ("las", "precision", "recall")]
        if rows[0] is None:
            return None
        return {name: row[place] if row else None for name, row in zip(("LAS", "LP-NP", "LR-NP"), rows, strict=True)}

    study = wide_table(
        f"LAS, LP-NP, LR-NP, convention {convention} (Gómez-Rodríguez & Nivre 2013, Table 2)",
        runs, PLANES, measure, "{LAS} {LP-NP} {LR-NP}", paper,
    )  # fmt: skip
    contrasts = [
        Contrast(
            f"2-planar is better than projective where at least {MANY:g}% of trees are not projective, LAS",
            PLANES["2-planar"],
            PLANES["projective"],
            nonprojective=MANY,
        ),
        Contrast(
            f"2-planar is better than planar where at least {MANY:g}% of trees are not projective, LAS",
            PLANES["2-planar"],
            PLANES["planar"],
            nonprojective=MANY,
        ),
        Contrast(
            "planar and projective parsing are equally good, LAS", PLANES["planar"], PLANES["projective"], equal=True
        ),
        Contrast(
            "2-planar finds more non-projective arcs than planar, labelled recall",
            PLANES["2-planar"],
            PLANES["planar"],
            within=nonprojective,
        ),
        Contrast(
            "planar finds more non-projective arcs than projective, labelled recall",
            PLANES["planar"],
            PLANES["projective"],
            within=nonprojective,
        ),
        Contrast(
            "2-planar and pseudo-projective parsing are equally good, LAS",
            PLANES["2-planar"],
            PLANES["pseudo-projective"],
            equal=True,
        ),
    ]
    for row in study.rows:
        row["not projective, %"] = next((run.nonprojective for run in runs if run.treebank == row["treebank"]), None)
    study.columns = ["treebank", "not projective, %", *(study.columns or [])[1:]]
    study.verdicts = judge_all(contrasts, runs, convention)
    return study


def nonprojective_words_study(runs: list[Runs], convention: str = "conllx") -> Study:
    """LAS, the same on words with a non-projective gold arc, and exact match (Nivre 2009, Table 1)."""
    names = ("LAS", "NP", "EM")

    def measure(run: Runs) -> Cells:
        found = [nonprojective_tokens(comparison, convention) for comparison in run.comparisons]
        figures = [(one.las, one.las_nonprojective, one.exact_labelled) for one in found]
        return mean_over_seeds([dict(zip(names, row, strict=True)) for row in figures])

    study = wide_table(
        f"LAS (on words with a non-projective gold arc) exact match, convention {convention} (Nivre 2009, Table 1)",
        runs, SWAPPING, measure, "{LAS} ({NP}) {EM}",
        lambda language, system: _printed("nonprojective words", language, system, names),
    )  # fmt: skip
    contrasts = [
        Contrast(
            "swap is better than projective parsing on words with a non-projective gold arc, LAS",
            SWAPPING["swap"],
            SWAPPING["projective"],
            within=nonprojective,
        ),
        Contrast(
            "swap is better than projective parsing on all words of Czech and Slovene, LAS",
            SWAPPING["swap"],
            SWAPPING["projective"],
            languages=("Czech", "Slovene"),
        ),
        Contrast(
            "swap and projective parsing are equally good on all words of Arabic, Danish and Turkish, LAS",
            SWAPPING["swap"],
            SWAPPING["projective"],
            equal=True,
            languages=("Arabic", "Danish", "Turkish"),
        ),
        Contrast(
            "swap and pseudo-projective parsing are equally good on words with a non-projective gold arc, LAS",
            SWAPPING["swap"],
            SWAPPING["pseudo-projective"],
            within=nonprojective,
            equal=True,
        ),
    ]
    study.verdicts = judge_all(contrasts, runs, convention)
    return study


def projectivity_study(runs: list[Runs], convention: str = "conllx") -> Study:
    """LA, UAS and LAS of all, projective and non-projective dependents (Lacroix & Béchet 2014, Table 7)."""
    rows: list[dict[str, Any]] = []
    for run in runs:
        row = {"treebank": run.treebank, "system": run.contender, **run.provenance()}
        rows.append(row | _by_projectivity(run, convention))
    for system, groups in published()["projectivity"]["rows"].items():
        row = {"treebank": "paper (French)", "system": system}
        for group, figures in zip(("all", "projective", "non-projective"), groups, strict=True):
            row |= {f"{group} {name}": value for name, value in zip(("LA", "UAS", "LAS"), figures, strict=True)}
        rows.append(row)
    study = Study(f"LA, UAS, LAS by projectivity, convention {convention} (Lacroix & Béchet 2014, Table 7)", rows)
    study.columns = list(dict.fromkeys(name for row in rows for name in row))
    study.notes.append("left and right: non-projective dependents by direction.")
    three, encoded, covington = STEPS["three-step, treebank 1"], STEPS["pseudo-projective, path"], STEPS["Covington"]
    contrasts = [
        Contrast(
            "three-step is better than pseudo-projective parsing on non-projective dependents, UAS",
            three,
            encoded,
            "uas",
            nonprojective,
            figures="70.2 and 56.9",
        ),
        Contrast(
            "Covington is better than pseudo-projective parsing on non-projective dependents, UAS",
            covington,
            encoded,
            "uas",
            nonprojective,
            figures="68.7 and 56.9",
        ),
        Contrast("three-step is better than Covington on all words, LAS", three, covington, figures="79.1 and 78.0"),
    ]
    study.verdicts = judge_all(contrasts, runs, convention)
    return study


def _by_projectivity(run: Runs, convention: str) -> Cells:
    cells = []
    for comparison in run.comparisons:
        scores, groups = score(comparison, convention), by_projectivity(comparison, convention)
        found: Cells = {"all LA": scores.la, "all UAS": scores.uas, "all LAS": scores.las}
        for name in ("projective", "non-projective"):
            group = groups[name]
            found |= {f"{name} LA": group.la, f"{name} UAS": group.uas, f"{name} LAS": group.las}
        for side in ("left", "right"):
            group = groups[f"non-projective, {side}"]
            found |= {f"{side} LA": group.la, f"{side} LAS": group.las}
        cells.append(found)
    return mean_over_seeds(cells)


def _printed(table: str, language: str, system: str, names: tuple[str, ...], rows: str = "rows") -> Cells | None:
    """One cell of a printed table."""
    found = printed(table, language, rows)
    if found is None:
        return None
    return dict(zip(names, found[published()[table]["columns"].index(system)], strict=True))


def runs_study(runs: list[Runs], convention: str, missing: list[str], remarks: list[str]) -> Study:
    """A row per parser: where its scores come from."""
    rows = []
    for run in runs:
        size = max(1, run.results[0].plan.folds)
        for number, comparison in enumerate(run.comparisons):
            results = run.results[number * size : (number + 1) * size]
            scores, plan = score(comparison, convention), results[0].plan
            seconds = [result.seconds for result in results if result.seconds is not None]
            rows.append(
                {
                    "treebank": run.treebank, "system": run.contender, "words": results[0].words,
                    "iterations": plan.iterations, "beam": plan.beam, "oracle": plan.oracle, "labels": plan.labels,
                    "seed": plan.seed, "folds": plan.folds or None,
                    "parsed": plan.part, "iteration": results[0].chosen, "model": results[0].model[:8],
                    "seconds": float(np.sum(seconds)) if seconds else None,
                    "scored": scores.words, "UAS": scores.uas, "LAS": scores.las, "LA": scores.la, "CLAS": scores.clas,
                }
            )  # fmt: skip
    study = Study(f"Every parser, convention {convention}", rows)
    study.notes.append(
        "words: learnt from; scored: words that count; seconds: of training, none for models that were there already. "
        "iteration: last, or the best one on the treebank parsed (dev), which flatters the score a little."
    )
    if missing:
        study.notes.append(f"Not run: {'; '.join(missing)}.")
    study.notes += [f"{remark}." for remark in remarks]
    return study


def crossed(comparison: Comparison) -> Mask:
    """Words whose gold arc crosses another."""
    return crossed_arcs(comparison.heads, comparison.offsets)


def uncrossed(comparison: Comparison) -> Mask:
    """The other words."""
    return ~crossed(comparison)


def crossing_study(runs: list[Runs], convention: str = "conllx") -> Study:
    """UAS on crossed and uncrossed gold arcs per treebank and system, and whether they differ between systems."""
    sizes: dict[str, int] = {}

    def measure(run: Runs) -> Cells:
        cells: list[Cells] = []
        for comparison in run.comparisons:
            groups = by_crossing(comparison, convention)
            sizes[run.treebank] = groups["crossed"].words
            cells.append({name: groups[name].uas for name in ("crossed", "uncrossed")})
        return mean_over_seeds(cells)

    def paper(language: str, system: str) -> Cells | None:
        found = printed("crossing", language)
        if found is None:
            return None
        figures = found[published()["crossing"]["columns"].index(system)]
        return dict(zip(("crossed", "uncrossed"), figures, strict=True))

    study = wide_table(
        f"UAS on crossed / uncrossed gold arcs, convention {convention} (Pitler & McDonald 2015, Table 7)",
        runs, REGISTERS, measure, "{crossed} / {uncrossed}", paper,
    )  # fmt: skip
    for row in study.rows:
        row["crossed arcs"] = sizes.get(row["treebank"])
    if study.columns:
        study.columns.insert(2, "crossed arcs")
    eager, swap, two = (REGISTERS[name] for name in ("arc-eager", "swap", "two-registers"))
    claims = [  # claim, first, second, where, whether equal, figures
        ("swap is better than arc-eager on crossed arcs", swap, eager, crossed, False, "55.96 and 32.51"),
        ("two-registers is better than arc-eager on crossed arcs", two, eager, crossed, False, "52.05 and 32.51"),
        ("swap is better than two-registers on crossed arcs", swap, two, crossed, False, "55.96 and 52.05"),
        ("two-registers is better than swap on uncrossed arcs", two, swap, uncrossed, False, "87.25 and 86.72"),
        ("two-registers and arc-eager are equal on uncrossed arcs", two, eager, uncrossed, True, "87.25 and 87.25"),
    ]
    contrasts = [
        Contrast(claim, first, second, "uas", within, equal, figures=figures)
        for claim, first, second, within, equal, figures in claims
    ]
    study.verdicts = judge_all(contrasts, runs, convention)
    return study


def accuracy_studies(runs: list[Runs], convention: str = "conllx", tags: str = "gold") -> list[Study]:
    """The four tables, one per paper."""
    return [
        las_study(runs, convention, tags),
        nonprojective_study(runs, convention),
        nonprojective_words_study(runs, convention),
        projectivity_study(runs, convention),
    ]
