"""Plots of studies; matplotlib is an extra and is loaded here only."""

from pathlib import Path
from typing import Any

import numpy as np

from fastparse.errors import Error
from fastparse.studies.table import Study


def plot_lines(study: Study, path: Path) -> None:
    """Transitions against words: a panel per treebank, a colour per system, each with its line."""
    plt = _pyplot()
    names = list(dict.fromkeys(row["treebank"] for row in study.rows))
    columns = min(3, len(names)) or 1
    lines = -(-len(names) // columns) or 1
    figure, axes = plt.subplots(lines, columns, figsize=(5 * columns, 4 * lines), squeeze=False)
    for panel in axes.flat[len(names) :]:
        panel.set_axis_off()
    for name, panel in zip(names, axes.flat, strict=False):
        rows = [row for row in study.rows if row["treebank"] == name]
        for colour, row in enumerate(rows):
            n, m = study.points[name, row["system"], str(row["options"])]
            label = " ".join([row["system"], *map(str, row["options"].values())])
            panel.plot(n, m, ".", markersize=2, alpha=0.4, color=f"C{colour}", rasterized=True)
            ends = np.array([0, n.max(initial=1)])
            panel.plot(ends, row["a"] * ends, color=f"C{colour}", label=f"{label}: {row['a']:.2f}n")
        panel.set(title=name, xlabel="words", ylabel="transitions")
        panel.legend(fontsize=7)
    _save(plt, figure, path)


def plot_shares(study: Study, path: Path) -> None:
    """Percentages as bars: a group per treebank, a bar per column without a paper's figure, a mark for the paper's."""
    plt = _pyplot()
    first: dict[str, Any] = study.rows[0] if study.rows else {}
    measures = [name for name in first if f"{name}, paper" in first]
    figure, panel = plt.subplots(figsize=(2 + len(study.rows), 4))
    places, width = np.arange(len(study.rows)), 0.8 / max(1, len(measures))
    for number, measure in enumerate(measures):
        at = places + (number - (len(measures) - 1) / 2) * width
        panel.bar(at, [row[measure] for row in study.rows], width, label=measure)
        paper = [np.nan if row[f"{measure}, paper"] is None else row[f"{measure}, paper"] for row in study.rows]
        panel.plot(at, paper, "k_", markersize=10, label="paper" if number == 0 else None)
    panel.set_xticks(places, [row["treebank"] for row in study.rows], rotation=30, ha="right", fontsize=8)
    panel.set(ylabel="% of trees", title=study.title)
    panel.legend(fontsize=8)
    _save(plt, figure, path)


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise Error("plots need matplotlib: install fastparse-nlp[plot], or leave --plot out") from None
    matplotlib.use("Agg")
    # The same plot has the same bytes.
    matplotlib.rcParams["svg.hashsalt"] = "fastparse"
    from matplotlib import pyplot

    return pyplot


def _save(plt: Any, figure: Any, path: Path) -> None:
    figure.tight_layout()
    metadata = {"Date": None} if path.suffix == ".svg" else None
    figure.savefig(path, dpi=150, metadata=metadata)
    plt.close(figure)
