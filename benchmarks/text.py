"""Words per second from running text to trees in CoNLL-U, beside UDPipe's tokenizer, tagger and parser.

    python benchmarks/text.py --udpipe-models FOLDER [--repeats 5] [--model FILE] [--fast-model FILE]

The text is that of the development sentences of English-EWT, repeated; FOLDER holds udpipe-1-en_ewt-tokenizer.model,
udpipe-1-en_ewt-tagger.model and udpipe-1-en_ewt.model. Every contender reads the text from a file, splits it, tags it,
gives lemmas, parses it and writes CoNLL-U to a file; loading its models is not counted. Output is checked first: it has
all the characters of the text and a tree per sentence. Contenders then run in turn, in another order each round, on one
core (but for those with two threads). UDPipe takes minutes for what takes seconds here, so it reads one copy of the
text and the others --copies of it.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import harness

import fastparse

RIVAL = "ufal.udpipe, beam 1"
BEAM = 4  # of models that parse greedily unless told otherwise
PARTS = ("udpipe-1-en_ewt-tokenizer", "udpipe-1-en_ewt-tagger", "udpipe-1-en_ewt")

Run = Callable[[Path, Path], Any]


@dataclass(frozen=True)
class Contender:
    """Somebody who goes from a text to CoNLL-U.

    Attributes:
        model: what tells its model from others.
        one_core: whether it runs on a single core.
        whole: whether its output has trees.
        large: whether it reads all copies of the text.
    """

    name: str
    run: Run
    model: str
    one_core: bool = True
    whole: bool = True
    large: bool = True


def fastparse_contenders(names: list[str]) -> list[Contender]:
    found = []
    for name in names:
        parser = fastparse.load(name)
        model = f"{Path(parser.path or '').stem} {parser.sha256[:12]}"
        shown = f"fastparse, `{Path(name).stem}`"
        other = 1 if parser.beam > 1 else BEAM

        def parse(parser: fastparse.Parser, threads: int, beam: int | None, source: Path, target: Path) -> None:
            parser.parse_file(source, target, beam, threads=threads, source="text")

        def tokenize(parser: fastparse.Parser, source: Path, target: Path) -> None:
            parser.tokenize_file(source, target)

        found += [
            Contender(f"{shown}, beam {parser.beam}", partial(parse, parser, 1, None), model),
            Contender(f"{shown}, beam {other}", partial(parse, parser, 1, other), model),
            Contender(
                f"{shown}, beam {parser.beam}, two threads", partial(parse, parser, 2, None), model, one_core=False
            ),
            Contender(f"{shown}, tokenizing alone", partial(tokenize, parser), model, whole=False),
        ]
    return found


def udpipe_contender(folder: Path) -> Contender:
    from ufal.udpipe import Model, Pipeline, ProcessingError

    models = [Model.load(str(folder / f"{part}.model")) for part in PARTS]
    if None in models:
        raise SystemExit(f"the folder needs {', '.join(f'{part}.model' for part in PARTS)}")
    # The pipelines do not keep their models alive.
    steps = [
        Pipeline(models[0], "tokenize", Pipeline.NONE, Pipeline.NONE, "conllu"),
        Pipeline(models[1], "conllu", Pipeline.DEFAULT, Pipeline.NONE, "conllu"),
        Pipeline(models[2], "conllu", Pipeline.NONE, "beam_search=1", "conllu"),
    ]

    def run(models: list[Any], source: Path, target: Path) -> None:
        error, text = ProcessingError(), source.read_text(encoding="utf-8")
        for step in steps:
            text = step.process(text, error)
            if error.occurred():
                raise RuntimeError(error.message)
        target.write_text(text, encoding="utf-8")

    hashes = " ".join(harness.sha256(folder / f"{part}.model")[:12] for part in PARTS)
    return Contender(RIVAL, partial(run, models), hashes, large=False)


def checked(contender: Contender, source: Path, gold: fastparse.Treebank, target: Path) -> fastparse.Scores:
    """The scores of a contender's output, once it is clear that it is a parse of the text."""
    with harness.pinned(contender.one_core):
        contender.run(source, target)
    found = fastparse.read_conllu(target)
    if "".join(found.to_text().split()) != "".join(source.read_text(encoding="utf-8").split()):
        raise SystemExit(f"{contender.name}: the characters of the output are not those of the text")
    if contender.whole and not found.trees().all():
        raise SystemExit(f"{contender.name}: not every sentence of the output has a tree")
    return fastparse.evaluate(gold, found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    harness.add_treebanks(parser)
    parser.add_argument("--model", default="en", metavar="MODEL", help="default: en")
    parser.add_argument("--fast-model", default="en-fast", metavar="MODEL", help="default: en-fast")
    parser.add_argument("--udpipe-models", type=Path, metavar="FOLDER", help="without it no ratios")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--copies", type=int, default=8, help="of the text, for all but UDPipe (default: 8)")
    parser.add_argument("--no-threads", action="store_true", help="leave out the contenders with two threads")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="cpu: for a busy machine")
    parser.add_argument("--json", type=Path, default=harness.ROOT / "benchmarks" / "results" / "text.json")
    options = parser.parse_args()
    contenders = fastparse_contenders([options.model, options.fast_model])
    if options.no_threads:
        contenders = [one for one in contenders if one.one_core]
    if options.udpipe_models:
        contenders.append(udpipe_contender(options.udpipe_models))
    source = harness.treebank_path(options.treebanks, "dev")
    gold = fastparse.read_conllu(source)
    print(harness.load_line())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small, large, out = folder / "text.txt", folder / "texts.txt", folder / "out.conllu"
        text = gold.to_text()
        small.write_text(text, encoding="utf-8")
        large.write_text((text.rstrip("\n") + "\n\n") * options.copies, encoding="utf-8")
        scores = {one.name: checked(one, small, gold, out) for one in contenders}

        def run(one: Contender) -> None:
            with harness.pinned(one.one_core):
                one.run(large if one.large else small, out)

        runs = harness.rounds({one.name: partial(run, one) for one in contenders}, options.repeats, warm_up=False)
    rows: list[dict[str, Any]] = []
    for one in contenders:
        # Processor time says nothing of how long two threads take.
        seconds = runs[one.name].seconds(options.clock if one.one_core else "wall")
        n = gold.n_words * (options.copies if one.large else 1)
        speeds = [n / s for s in seconds]
        row: dict[str, Any] = {"name": one.name, "words/s": harness.summary(speeds)}
        row |= {"best": max(speeds), "words F1": scores[one.name].word_f1, "model": one.model}
        if one.whole:
            row["LAS"] = scores[one.name].las
        rows.append(row)
    rival = next((row for row in rows if row["name"] == RIVAL), None)
    for row in rows:
        if rival and row.get("LAS") is not None:
            best, median = row["best"] / rival["best"], row["words/s"]["value"] / rival["words/s"]["value"]
            row["times"] = min(best, median)
        print(f"{row['name']:44}{row['best']:12,.0f}{row['words/s']['value']:12,.0f}{row.get('times', 0):9.1f}")
    bests = {row.pop("name"): row.pop("best") for row in [dict(row) for row in rows]}
    for name, best in bests.items():
        if name.endswith(", two threads"):
            print(f"{name}: {best / bests[name.removesuffix(', two threads')]:.2f} times one thread (best)")
    for row in rows:
        del row["best"]
    data = f"the text of {harness.ENGLISH} dev ({gold.n_words:,} words, sha256 {harness.sha256(source)[:12]})"
    note = (
        f"Medians of {options.repeats} rounds ({options.clock} time), from a file of text to a file of CoNLL-U with "
        f"tags, lemmas and trees. Times are against {RIVAL} with its tokenizer and tagger, by the best or the median, "
        "whichever is lower. LAS and words are F1 of aligned words."
    )
    columns = ["words/s", "times", "words F1", "LAS", "model"]
    harness.write_record(options.json, harness.record("text", columns, rows, data, note=note, runs=bests))


if __name__ == "__main__":
    main()
