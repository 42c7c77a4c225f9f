"""Plots of studies; matplotlib is an extra and is loaded here only."""

import io
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fastparse.corpus.files.output import write_output
from fastparse.errors import Error
from fastparse.extras import how_to_install
from fastparse.studies.table import Study

_BARS_ASIDE = 16  # as many bars or fewer lie on their side
_WIDEST = 16  # inches
# Colours that people with any sight tell apart, and that differ in grey; lines and marks differ besides.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9")
_LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)))
_MARKERS = ".x+^vsd"


def plot_lines(study: Study, path: Path) -> None:
    """Transitions against words: a panel per treebank, a colour per system, each with its line."""

    def draw(panel: Any, number: int, row: dict[str, Any]) -> None:
        style = _style(number)
        n, m = study.points[row["treebank"], row["system"], str(row["options"])]
        label = " ".join([row["system"], *map(str, row["options"].values())])
        panel.plot(n, m, ".", markersize=2, alpha=0.4, color=style["color"], rasterized=True)
        ends = np.array([0, n.max(initial=1)])
        panel.plot(ends, row["moves/word"] * ends, **style, label=f"{label}: {row['moves/word']:.2f}n")

    _panels(study, path, draw, ylabel="transitions")


def plot_times(study: Study, path: Path) -> None:
    """Microseconds against words, both logarithmic: a panel per treebank, a colour per system and beam."""

    def draw(panel: Any, number: int, row: dict[str, Any]) -> None:
        style = _style(number)
        n, t = study.points[row["treebank"], row["system"], str(row["beam"])]
        label = f"{row['system']}, beam {row['beam']}: {row['us/word']:.1f} us/word"
        panel.plot(
            n, t / 1000, _MARKERS[number % len(_MARKERS)], markersize=3, alpha=0.5, color=style["color"], label=label,
            rasterized=True,
        )  # fmt: skip

    _panels(study, path, draw, ylabel="microseconds", xscale="log", yscale="log")


def _style(number: int) -> dict[str, Any]:
    """Of the line of a row."""
    return {"color": _COLOURS[number % len(_COLOURS)], "linestyle": _LINES[number % len(_LINES)]}


def _panels(study: Study, path: Path, draw: Callable[[Any, int, dict[str, Any]], None], **axes: str) -> None:
    """A panel per treebank, in which `draw` draws each of its rows in a style of its own."""
    plt = _pyplot()
    names = list(dict.fromkeys(row["treebank"] for row in study.rows))
    columns = min(3, len(names)) or 1
    lines = -(-len(names) // columns) or 1
    size = (5 * columns, 4 * lines)
    figure, panels = plt.subplots(lines, columns, figsize=size, squeeze=False, layout="constrained")
    for panel in panels.flat[len(names) :]:
        panel.set_axis_off()
    for name, panel in zip(names, panels.flat, strict=False):
        for number, row in enumerate(row for row in study.rows if row["treebank"] == name):
            draw(panel, number, row)
        panel.set(title=name, xlabel="words", **axes)
        panel.legend(fontsize=9)
    _save(plt, figure, path)


def plot_bars(study: Study, path: Path) -> None:
    """Percentages as bars, a group per row: LAS where rows have it, every percentage otherwise; figures of a paper are
    marks beside them."""
    numbers = dict.fromkeys(name for row in study.rows for name, value in row.items() if isinstance(value, float))
    measures = [name for name in numbers if not name.endswith(", paper")]
    scores = [name for name in measures if name == "LAS" or name.endswith((" LAS", " crossed"))]
    _bars(study, scores or measures, path)


def _bars(study: Study, measures: list[str], path: Path) -> None:
    """Bars lie on their side where there are few groups, so that a picture is never wider than a page, nor empty."""
    plt = _pyplot()
    groups, n = len(study.rows), max(1, len(measures))
    names = [" ".join(filter(None, (row["treebank"], row.get("system")))) for row in study.rows]
    places, width = np.arange(groups), 0.8 / n
    upright = groups * n > _BARS_ASIDE
    size = (min(_WIDEST, 3 + 0.25 * groups * n), 4.5) if upright else (8, 1.8 + 0.3 * groups * n)
    figure, panel = plt.subplots(figsize=size, layout="constrained")
    bars = panel.bar if upright else panel.barh
    for number, measure in enumerate(measures):
        at = places + (number - (n - 1) / 2) * width
        drawn = bars(at, _column(study, measure), width, label=measure)
        if not upright:
            panel.bar_label(drawn, fmt="%.2f", fontsize=7, padding=3)
        paper = _column(study, f"{measure}, paper")
        if not np.all(np.isnan(paper)):
            x, y = (at, paper) if upright else (paper, at)
            label = None if "paper" in panel.get_legend_handles_labels()[1] else "paper"
            panel.plot(x, y, "k_" if upright else "k|", markersize=10, label=label)
    panel.margins(**{} if upright else {"x": 0.1})
    if upright:
        panel.set_xticks(places, names, rotation=30, ha="right", fontsize=8)
        panel.set_ylabel("%")
    else:
        panel.set_yticks(places, names, fontsize=9)
        panel.invert_yaxis()
        panel.set_xlabel("%")
    panel.set_title(_in_lines(study.title, 12 * size[0]), fontsize=11)
    if panel.get_legend_handles_labels()[0]:
        # Beside the bars, not on them.
        panel.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0)
    _save(plt, figure, path)


def _in_lines(text: str, width: float) -> str:
    """A title in lines of so many characters."""
    return "\n".join(textwrap.wrap(text, int(width)))


def _column(study: Study, name: str) -> list[float]:
    """A column of numbers; NaN where there is none, which plots leave out."""
    return [np.nan if (value := row.get(name)) is None else value for row in study.rows]


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise Error(f"plots need matplotlib: {how_to_install('plot')}, or leave --plot out") from None
    matplotlib.use("Agg")
    # The same plot has the same bytes.
    matplotlib.rcParams["svg.hashsalt"] = "fastparse"
    from matplotlib import pyplot

    return pyplot


def _save(plt: Any, figure: Any, path: Path) -> None:
    metadata = {"Date": None} if path.suffix == ".svg" else None
    drawn = io.BytesIO()
    figure.savefig(drawn, format=path.suffix[1:] or "png", dpi=150, metadata=metadata)
    plt.close(figure)
    write_output(path, drawn.getvalue())
