"""Search alone: what a template, a state and a row of weights cost, without reading and writing.

    python benchmarks/search.py [--greedy-model en-fast] [--model en] [--beam 32] [--repeats 7]

The development sentences of English-EWT are read and looked up beforehand; what is timed is the search, whole, from
rows of word attributes to heads and labels. Three figures per model:

  search      nanoseconds per template scored (extraction, rows, choices and moves included), per transition, and, for a
              beam, per state and step;
  no sharing  the same search without partial sums kept from state to state, in the same build: the trees must be equal;
  replay      the rows of weights the search really read, in that order, read and added once more and nothing else.
              Their addresses are known by then, and features no row belongs to do not occur: no search does with less.

The counts of states and the rows come from benchmarks/_replay.pyx, compiled on first use (Cython and a compiler);
without it the figures that need it are left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import harness
import numpy as np

import fastparse
from fastparse.search.engine import Outcome


def replay_module(folder: Path = harness.ROOT / "build" / "benchmarks", optimise: str = "-O3") -> Any:
    """benchmarks/_replay.pyx, compiled into a folder; None where that cannot be done."""
    try:
        from Cython.Build import cythonize
        from setuptools import Distribution, Extension
        from setuptools.command.build_ext import build_ext
    except ImportError:
        print("no Cython or setuptools here: states and rows are not counted", file=sys.stderr)
        return None
    folder.mkdir(parents=True, exist_ok=True)
    source = Path(__file__).with_name("_replay.pyx")
    extension = Extension(
        "_replay", [str(source)], include_dirs=[str(harness.ROOT)],
        extra_compile_args=[optimise, "-Wno-unused-function"],
        depends=[str(path) for path in sorted((harness.ROOT / "fastparse" / "model" / "kernels").glob("*.h"))],
    )  # fmt: skip
    modules = cythonize(
        [extension], build_dir=str(folder), include_path=[str(harness.ROOT)], quiet=True,
        compiler_directives={"language_level": 3, "boundscheck": False, "wraparound": False, "cdivision": True},
    )  # fmt: skip
    command = build_ext(Distribution({"ext_modules": modules}))
    command.build_lib, command.build_temp = str(folder), str(folder)
    command.ensure_finalized()
    command.run()
    spec = importlib.util.spec_from_file_location("_replay", command.get_ext_fullpath("_replay"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Search:
    """An engine with the sentences it parses."""

    def __init__(self, parser: fastparse.Parser, treebank: fastparse.Treebank, beam: int) -> None:
        self.engine, self.beam = parser._decoder.loop, beam
        self.values = parser._decoder.kind.values(treebank)
        self.out = Outcome(treebank.offsets)

    def run(self, sharing: bool = True) -> int:
        """Parse everything; returns the number of templates scored."""
        return self.engine.parse(self.values, self.out, 0, len(self.out.transitions), self.beam, sharing=sharing)


def measured(
    parser: fastparse.Parser, treebank: fastparse.Treebank, beam: int, options: argparse.Namespace, replay: Any
) -> dict[str, Any]:
    """All figures of one model."""
    search = Search(parser, treebank, beam)
    templates = search.run()
    transitions, trees = int(search.out.transitions.sum()), (search.out.heads.copy(), search.out.labels.copy())
    engine = search.engine
    result: dict[str, Any] = {
        "model": f"{Path(parser.path or '').stem} {parser.sha256[:12]}", "system": parser.system, "beam": beam,
        "words": treebank.n_words, "transitions": transitions, "templates scored": templates,
        "templates in the model": engine.moves.n_templates + engine.labels.n_templates,
    }  # fmt: skip
    contenders: dict[str, Callable[[], Any]] = {"search": search.run}
    if beam > 1:
        result["templates scored, no sharing"] = search.run(sharing=False)
        if not all(np.array_equal(a, b) for a, b in zip(trees, (search.out.heads, search.out.labels), strict=True)):
            raise SystemExit("sharing changes the trees")
        contenders["no sharing"] = lambda: search.run(sharing=False)
    with harness.pinned(not options.unpinned):
        runs = harness.rounds(contenders, options.repeats)
        for name in contenders:
            seconds = runs[name].seconds(options.clock)
            result[f"{name}, seconds"] = {
                "best": min(seconds), "median": statistics.median(seconds), "spread": harness.spread(seconds),
            }  # fmt: skip
        if replay is not None:
            result["states"] = replay.states_of(engine, search.run)
            rows = replay.Replay(engine, search.run)
            clock = time.process_time if options.clock == "cpu" else time.perf_counter
            result |= {"rows": rows.rows, "replay, seconds": {"best": rows.seconds(options.repeats, clock)}}
            if rows.templates != templates:
                raise SystemExit(f"{rows.templates} features were looked up, but {templates} counted")
    return result


def lines(found: dict[str, Any]) -> list[tuple[str, float, str]]:
    """Name, value and unit of each figure."""
    best = {name.partition(",")[0]: value["best"] * 1e9 for name, value in found.items() if name.endswith("seconds")}
    rows = [
        ("search, per template scored", best["search"] / found["templates scored"], "ns"),
        ("search, per transition", best["search"] / found["transitions"], "ns"),
        (
            "search, per template of the model and transition",
            best["search"] / found["transitions"] / found["templates in the model"],
            "ns",
        ),
        ("search, words per second", found["words"] * 1e9 / best["search"], "words/s"),
    ]
    if "states" in found:
        rows.append(("search, per state and step", best["search"] / found["states"], "ns"))
        if "no sharing" in best:
            rows.append(("no sharing, per state and step", best["no sharing"] / found["states"], "ns"))
    if "no sharing" in best:
        rows.append(("search, part of the time without sharing", best["search"] / best["no sharing"], ""))
        rows.append(
            ("search, part of the templates without sharing",
             found["templates scored"] / found["templates scored, no sharing"], "")
        )  # fmt: skip
    if "replay" in best:
        rows.append(("replay, per row read", best["replay"] / max(1, found["rows"]), "ns"))
        rows.append(("replay, per template scored", best["replay"] / found["templates scored"], "ns"))
        rows.append(("replay, words per second", found["words"] * 1e9 / best["replay"], "words/s"))
        rows.append(("replay, part of the time of the search", best["replay"] / best["search"], ""))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    harness.add_treebanks(parser)
    parser.add_argument("--greedy-model", default="en-fast", metavar="MODEL")
    parser.add_argument("--model", default="en", help="for beam search")
    parser.add_argument("--beam", type=int, default=32)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--sentences", type=int, help="only so many")
    parser.add_argument("--unpinned", action="store_true", help="do not stay on one core")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="cpu: for a busy machine")
    parser.add_argument("--json", type=Path, default=harness.ROOT / "benchmarks" / "results" / "search.json")
    options = parser.parse_args()
    path = harness.treebank_path(options.treebanks, "dev")
    treebank = fastparse.read_conllu(path)[: options.sentences]
    replay = replay_module()
    found = {
        "greedy": measured(fastparse.load(options.greedy_model), treebank, 1, options, replay),
        f"beam {options.beam}": measured(fastparse.load(options.model), treebank, options.beam, options, replay),
    }
    rows: dict[str, dict[str, Any]] = {}
    print(f"{path.name}: {len(treebank):,} sentences, {treebank.n_words:,} words; {harness.load_line()}")
    for name, result in found.items():
        print(
            f"\n{name}: {result['model']}, {result['system']}, {result['transitions']:,} transitions, "
            f"{result['templates scored']:,} templates scored of {result['templates in the model']} in the model"
        )
        for what, value, unit in lines(result):
            print(f"  {what:52}{value:12,.2f} {unit}")
            rows.setdefault(what, {"name": f"{what}{f' ({unit})' if unit else ''}"})[name] = value
    data = f"{harness.ENGLISH} dev ({treebank.n_words:,} words, sha256 {harness.sha256(path)[:12]})"
    models = "; ".join(f"{name}: {result['model']}" for name, result in found.items())
    note = f"Best of {options.repeats} runs ({options.clock} time). {models}."
    harness.write_record(
        options.json, harness.record("search", list(found), list(rows.values()), data, note=note, runs=found)
    )


if __name__ == "__main__":
    main()
