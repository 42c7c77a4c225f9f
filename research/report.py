"""All studies of a folder of treebanks in one report: Markdown, and one HTML file with the plots in it."""

import hashlib
import html
import json
import platform
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import fastparse
from fastparse.corpus.files.output import open_output, write_output
from fastparse.errors import Error
from fastparse.evaluation.tables import cell
from fastparse.parser import Parser, load
from fastparse.studies import plots, timing, transitions
from fastparse.studies.table import Study, Verdict
from fastparse.studies.treebanks import Source, sources
from research import accuracy, coverage
from research.campaign import Campaign

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; color: #222 }
.wide, pre { overflow-x: auto } svg { max-width: 100%; height: auto }
table { border-collapse: collapse; font-size: 13px }
th, td { padding: .2em .6em; border-bottom: 1px solid #ddd; text-align: left; white-space: nowrap }
td.moves { white-space: normal; min-width: 24em } .outcome { font-weight: bold }
.reproduced { color: #17692f } .not { color: #a3211b } .no, .too { color: #666 }
"""

Plot = Callable[[Study, Path], None]


def write_report(
    paths: list[Path], output: Path, campaign: Campaign, convention: str = "conllx", tags: str = "gold"
) -> list[Path]:
    """Run every study, or take it up where it was stopped, and write report.md and report.html.

    What a study needs minutes for is kept in the folder `parts`, and made again when treebanks, models or options are
    other ones. Without matplotlib the report has tables only.

    Returns:
        The two files.
    """
    parts = output / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    sections = [
        _section(study, plot, parts, f"{number:02}")
        for number, (study, plot) in enumerate(_studies(paths, parts, campaign, convention, tags), 1)
        if study.rows or study.notes  # a table of nothing says nothing
    ]
    introduction = _introduction(paths, campaign, convention)
    markdown, page = output / "report.md", output / "report.html"
    with open_output(markdown) as out:
        out.write("\n".join(["# Studies", "", introduction, "", *(_markdown(*one) for one in sections)]).encode())
    with open_output(page) as out:
        out.write(_html(introduction, sections).encode())
    return [markdown, page]


def _studies(
    paths: list[Path], parts: Path, campaign: Campaign, convention: str, tags: str
) -> Iterator[tuple[Study, Plot | None]]:
    training, learnt = _treebanks(paths, campaign)
    key = _key([source.path for source in training])
    yield _kept(parts, "transitions", key, lambda: transitions.transitions_study(training), plots.plot_lines)
    yield _kept(parts, "classes", key, lambda: coverage.classes_study(training), plots.plot_bars)
    yield _kept(parts, "planarity", key, lambda: coverage.planarity_study(training), plots.plot_bars)
    if not learnt:
        return
    runs = campaign.runs(paths)
    for number, study in enumerate(accuracy.accuracy_studies(runs, convention, tags)):
        yield study, plots.plot_bars if number == 0 else None
    yield accuracy.crossing_study(runs, convention), plots.plot_bars
    yield accuracy.runs_study(runs, convention, campaign.missing, campaign.remarks), None
    parsed = [Source(source.name, source.path.with_name(f"{campaign.part}.conllu")) for source in training]
    files = {pair: path for pair, path in campaign.files.items() if path.exists()}
    if campaign.folds or not files:
        return
    key = _key([*(source.path for source in parsed), *files.values()], campaign.beam)

    def pairs() -> Iterator[tuple[Source, Parser]]:
        for source in parsed:
            for (treebank, _), path in files.items():
                if treebank == source.name:
                    campaign.report(f"measuring {path.name}")
                    yield source, load(path)

    yield _kept(
        parts, "models", key, lambda: transitions.parsing_study(pairs(), campaign.beam, campaign.threads),
        plots.plot_lines,
    )  # fmt: skip
    yield _kept(parts, "time", key, lambda: timing.time_study(pairs(), (campaign.beam,)), plots.plot_times)


def _treebanks(paths: list[Path], campaign: Campaign) -> tuple[list[Source], bool]:
    """What the treebanks themselves are studied by, and whether there is something for parsers to learn from."""
    try:
        return sources(paths, "train"), True
    except Error:
        if campaign.train_missing or campaign.folds:
            raise
        return sources(paths, campaign.part), False


def _key(files: list[Path], *options: object) -> str:
    """A hash of files and options."""
    digest = hashlib.sha256(repr((fastparse.__version__, options)).encode())
    for path in files:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _kept(parts: Path, name: str, key: str, make: Callable[[], Study], plot: Plot) -> tuple[Study, Plot | None]:
    """The study kept under a name and key, or made and kept, its plot beside it."""
    path, picture = parts / f"{name}.json", parts / f"{name}.svg"
    if path.exists():
        document = json.loads(path.read_text(encoding="utf-8"))
        if document.get("key") == key:
            return _study_of(document), _copy_of(picture)
    study = make()
    picture.unlink(missing_ok=True)
    _draw(study, plot, picture)
    with open_output(path) as out:
        out.write(json.dumps({**json.loads(study.to_json()), "key": key}, ensure_ascii=False).encode())
    return study, _copy_of(picture)


def _copy_of(picture: Path) -> Plot | None:
    """What puts a plot that is there already where another one is wanted."""
    if not picture.exists():
        return None

    def copy(study: Study, path: Path) -> None:
        write_output(path, picture.read_bytes())

    return copy


def _draw(study: Study, plot: Plot | None, path: Path) -> bool:
    """Whether there is a plot now; without matplotlib, or without rows, there is none."""
    if plot is None or not study.rows:
        return False
    try:
        plot(study, path)
    except Error:
        return False
    return True


def _section(study: Study, plot: Plot | None, parts: Path, name: str) -> tuple[Study, Path | None]:
    path = parts / f"{name}.svg"
    path.unlink(missing_ok=True)
    return study, path if _draw(study, plot, path) else None


def _introduction(paths: list[Path], campaign: Campaign, convention: str) -> str:
    systems = ",".join(one.name for one in campaign.contenders)
    seeds = ",".join(map(str, campaign.seeds))
    folders = " ".join(f"{path.name}/" for path in paths)
    sample = f" --sample {campaign.sample}" if campaign.sample else ""
    folds = f" --folds {campaign.folds}" if campaign.folds else f" --part {campaign.part}"
    tags = f" --tags {campaign.tags}" if campaign.tags != "gold" else ""
    return (
        f"fastparse {fastparse.__version__}, Python {platform.python_version()}, numpy {np.__version__}, "
        f"{platform.system()} {platform.machine()}. The command:\n\n"
        f"    python -m research.tables report {folders} -o DIR --systems {systems} --beam {campaign.beam} "
        f"--iterations {campaign.iterations} --seeds {seeds}{sample}{folds}{tags} --convention {convention}"
    )


def _markdown(study: Study, plot: Path | None) -> str:
    picture = f"\n![{study.title}](parts/{plot.name})\n" if plot else ""
    return study.markdown() + picture


def _html(introduction: str, sections: list[tuple[Study, Path | None]]) -> str:
    text, _, command = introduction.partition("\n\n")
    head = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Studies</title><style>{_STYLE}</style>'
    )
    body = [f"<h1>Studies</h1>\n<p>{html.escape(text)}</p>\n<pre>{html.escape(command.strip())}</pre>"]
    body += [_html_section(study, plot, number) for number, (study, plot) in enumerate(sections)]
    return "\n".join([f"{head}</head>\n<body>", *body, "</body>\n</html>\n"])


def _html_section(study: Study, plot: Path | None, number: int) -> str:
    names = study.shown()
    rows = ["".join(f"<th>{html.escape(name)}</th>" for name in names)]
    for row in study.rows:
        rows.append("".join(_html_cell(row.get(name)) for name in names))
    table = "\n".join(f"<tr>{row}</tr>" for row in rows) if names else ""
    blocks = [f'<h2>{html.escape(study.title)}</h2>\n<div class="wide"><table>\n{table}\n</table></div>']
    blocks += [f"<p>{html.escape(note)}</p>" for note in study.notes]
    verdicts = []
    for verdict in study.verdicts:
        p = "" if verdict.p is None else f"; p = {verdict.p:.2g}"
        outcome = f'<span class="outcome {verdict.outcome.split()[0]}">{verdict.outcome}</span>'
        verdicts.append(f"<li>{outcome}: {html.escape(verdict.contrast)} ({html.escape(verdict.detail)}{p})</li>")
    if verdicts:
        blocks.append("<ul>\n" + "\n".join(verdicts) + "\n</ul>")
    if plot is not None:
        blocks.append(_inline(plot.read_text(encoding="utf-8"), f"s{number}-"))
    return "\n".join(blocks)


def _html_cell(value: object) -> str:
    if isinstance(value, dict):
        text = " ".join(f"{key}:{count}" for key, count in value.items())
        return f'<td class="moves">{html.escape(text)}</td>'
    return f"<td>{html.escape(cell(value))}</td>"


def _inline(svg: str, prefix: str) -> str:
    """An SVG document as an element, its ids made different from those of other plots on the page."""
    element = svg[svg.index("<svg") :]
    for before in (' id="', 'href="#', "url(#"):
        element = element.replace(before, before + prefix)
    return element


def _study_of(document: dict[str, Any]) -> Study:
    """The study in a document that `Study.to_json` wrote, without its points."""
    verdicts = [Verdict(**verdict) for verdict in document["verdicts"]]
    return Study(document["title"], document["rows"], verdicts, document["notes"], columns=document["columns"])
