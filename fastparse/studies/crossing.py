"""UAS of words whose gold arc is crossed, and of the others (Pitler & McDonald 2015, Table 7)."""

from fastparse.evaluation.arcs import crossed_arcs
from fastparse.evaluation.comparison import Comparison, Mask
from fastparse.evaluation.projectivity import by_crossing
from fastparse.studies.accuracy import REGISTERS
from fastparse.studies.contrasts import Contrast, judge
from fastparse.studies.published import printed, published
from fastparse.studies.results import Runs
from fastparse.studies.table import Study
from fastparse.studies.wide import Cells, mean_over_seeds, wide_table


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
    eager, swap, registers = (REGISTERS[name] for name in ("arc-eager", "swap", "two-registers"))
    contrasts = [
        Contrast(
            "swap is better than arc-eager on crossed arcs",
            swap,
            eager,
            "uas",
            crossed,
            False,
            figures="55.96 and 32.51",
        ),
        Contrast(
            "two-registers is better than arc-eager on crossed arcs",
            registers,
            eager,
            "uas",
            crossed,
            False,
            figures="52.05 and 32.51",
        ),
        Contrast(
            "swap is better than two-registers on crossed arcs",
            swap,
            registers,
            "uas",
            crossed,
            False,
            figures="55.96 and 52.05",
        ),
        Contrast(
            "two-registers is better than swap on uncrossed arcs",
            registers,
            swap,
            "uas",
            uncrossed,
            False,
            figures="87.25 and 86.72",
        ),
        Contrast(
            "two-registers and arc-eager are equal on uncrossed arcs",
            registers,
            eager,
            "uas",
            uncrossed,
            True,
            figures="87.25 and 87.25",
        ),
    ]
    study.verdicts = [judge(contrast, runs, convention) for contrast in contrasts]
    return study
