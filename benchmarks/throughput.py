"""Words per second from file to file: fastparse beside other parsers, on the same files, in the same run.

    python benchmarks/throughput.py --udpipe-model english.model [--repeats 7]

Two corpora: the development sentences of English-EWT, shuffled and repeated to 200,000 words, and its training file.
Every contender reads a CoNLL-U file with tags, parses it and writes a CoNLL-U file; loading its model is not counted.
First the output of each is checked: the same words in the same sentences, a tree each, and its scores against the
treebank (all words, full labels). A contender whose output fails gets no figure. Then all run in turn, in another order
each round, on one core (but for those with two threads). Figures are the best and the median with half the distance of
the quartiles; ratios are against UDPipe with beam 1. Sentences that come again are parsed again: no parser here keeps
anything from one sentence to another.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import harness
import numpy as np

import fastparse

RIVAL = "ufal.udpipe, beam 1"
WORDS = 200_000

Run = Callable[[Path, Path], Any]


@dataclass(frozen=True)
class Contender:
    """Somebody who parses from file to file.

    Attributes:
        model: what tells its model from others.
        one_core: whether it runs on a single core.
    """

    name: str
    run: Run
    beam: str
    model: str
    one_core: bool = True


def fastparse_contenders(greedy: str, beam: str, size: int) -> list[Contender]:
    fast, best = fastparse.load(greedy), fastparse.load(beam)

    def run(parser: fastparse.Parser, size: int, threads: int, source: Path, target: Path) -> None:
        parser.parse_file(source, target, beam=size, threads=threads)

    rows = [
        ("fastparse, greedy", fast, 1, 1), (f"fastparse, beam {size}", best, size, 1),
        ("fastparse, greedy, two threads", fast, 1, 2), (f"fastparse, beam {size}, two threads", best, size, 2),
    ]  # fmt: skip
    return [
        Contender(
            name,
            partial(run, parser, n, threads),
            str(n),
            f"{Path(parser.path or '').stem} {parser.sha256[:12]}",
            threads == 1,
        )
        for name, parser, n, threads in rows
    ]


def udpipe_contenders(model: Path, beams: list[int]) -> list[Contender]:
    from ufal.udpipe import Model, Pipeline, ProcessingError

    loaded = Model.load(str(model))
    if loaded is None:
        raise SystemExit(f"{model.name} is not a model of UDPipe")

    def run(pipeline: Any, model: Any, source: Path, target: Path) -> None:
        error = ProcessingError()
        text = pipeline.process(source.read_text(encoding="utf-8"), error)
        if error.occurred():
            raise RuntimeError(error.message)
        target.write_text(text, encoding="utf-8")

    return [
        Contender(
            f"ufal.udpipe, beam {beam}",
            # The pipeline does not keep its model alive.
            partial(run, Pipeline(loaded, "conllu", Pipeline.NONE, f"beam_search={beam}", "conllu"), loaded),
            str(beam),
            f"{model.stem} {harness.sha256(model)[:12]}",
        )
        for beam in beams
    ]


def spacy_contender(name: str) -> Contender:
    """Its parser alone, over gold words; files are read and written with fastparse, which flatters it a little."""
    import spacy
    from spacy.tokens import Doc

    nlp = spacy.load(name, exclude=["tagger", "morphologizer", "lemmatizer", "attribute_ruler", "ner", "senter"])

    def run(source: Path, target: Path) -> None:
        treebank = fastparse.read_conllu(source)
        docs = (Doc(nlp.vocab, words=list(sentence.forms)) for sentence in treebank)
        heads, labels = [], []
        for doc in nlp.pipe(docs):
            # A sentence that was split keeps its first root; the others hang from it.
            root = next(token for token in doc if token.head is token)
            for token in doc:
                is_root = token.head is token
                heads.append((0 if token is root else root.i + 1) if is_root else token.head.i + 1)
                labels.append("root" if token is root else token.dep_.lower())
        treebank.heads[:] = heads
        treebank.deprels = labels
        treebank.write(target)

    return Contender(f"spaCy {spacy.__version__}", run, "1", f"{nlp.meta['name']} {nlp.meta['version']}")


def checked(contender: Contender, source: Path, gold: fastparse.Treebank, target: Path) -> fastparse.Scores:
    """The scores of a contender's output, once it is clear that it is a parse of the input."""
    with harness.pinned(contender.one_core):
        contender.run(source, target)
    found = fastparse.read_conllu(target)
    if not np.array_equal(found.offsets, gold.offsets):
        raise SystemExit(f"{contender.name}: the sentences of the output are not those of the input")
    forms = [[bank.table("form")[i] for i in bank.ids("form").tolist()] for bank in (gold, found)]
    if forms[0] != forms[1]:
        raise SystemExit(f"{contender.name}: the words of the output are not those of the input")
    if not found.trees().all():
        raise SystemExit(f"{contender.name}: not every sentence of the output has a tree")
    return fastparse.evaluate(gold, found, convention="all")


def measured(contenders: list[Contender], source: Path, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Scores and speeds of all contenders on one file."""
    gold = fastparse.read_conllu(source)
    n = gold.n_words
    print(f"\n{source.name}: {len(gold):,} sentences, {n:,} words; {harness.load_line()}")
    scores = {one.name: checked(one, source, gold, folder / "out.conllu") for one in contenders}

    def run(contender: Contender) -> None:
        with harness.pinned(contender.one_core and not options.unpinned):
            contender.run(source, folder / "out.conllu")

    runs = harness.rounds({one.name: partial(run, one) for one in contenders}, options.repeats, warm_up=False)
    result: dict[str, Any] = {}
    for one in contenders:
        # Processor time says nothing of how long two threads take.
        seconds = runs[one.name].seconds(options.clock if one.one_core else "wall")
        speeds = [n / s for s in seconds]
        result[one.name] = {
            "best": max(speeds), "median": statistics.median(speeds), "spread": harness.spread(speeds),
            "las": scores[one.name].las, "uas": scores[one.name].uas, "beam": one.beam, "model": one.model,
            "wall": runs[one.name].wall, "cpu": runs[one.name].cpu,
        }  # fmt: skip
    rival = next((name for name in result if name == RIVAL), None)
    print(f"{'':36}{'best':>12}{'median':>12}{'spread':>10}{'times':>8}{'LAS':>8}{'beam':>6}  model")
    for name, row in result.items():
        if rival:
            row["times, best"] = row["best"] / result[rival]["best"]
            row["times, median"] = row["median"] / result[rival]["median"]
            row["times"] = min(row["times, best"], row["times, median"])
        print(
            f"{name:36}{row['best']:12,.0f}{row['median']:12,.0f}{row['spread']:10,.0f}"
            f"{row.get('times', float('nan')):8.2f}{row['las']:8.2f}{row['beam']:>6}  {row['model']}"
        )
    return {"words": n, "sentences": len(gold), "sha256": harness.sha256(source), "contenders": result}


def threads_lines(found: dict[str, Any]) -> list[str]:
    """What two threads bring."""
    rows = found["contenders"]
    return [
        f"{name}: {row['best'] / rows[one]['best']:.2f} times one thread (best), "
        f"{row['median'] / rows[one]['median']:.2f} (median)"
        for name, row in rows.items()
        if (one := name.removesuffix(", two threads")) != name
    ]


def table_rows(results: dict[str, Any], corpora: list[str]) -> tuple[list[str], list[dict[str, Any]]]:
    """A row per contender; the lower ratio of both corpora is the one that counts."""
    rows: dict[str, dict[str, Any]] = {}
    for corpus in corpora:
        for name, found in results[corpus]["contenders"].items():
            row = rows.setdefault(name, {"name": name, "model": found["model"]})
            row[f"{corpus}, words/s"] = {"value": found["median"], "spread": found["spread"]}
            if "times" in found:
                row[f"{corpus}, times"] = found["times"]
            if corpus == "dev":
                row["LAS on dev"] = found["las"]
    columns = [f"{corpus}, {what}" for corpus in corpora for what in ("words/s", "times")]
    return [*columns, *(["LAS on dev"] if "dev" in corpora else []), "model"], list(rows.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    harness.add_treebanks(parser)
    parser.add_argument("--greedy-model", default="en-fast", metavar="MODEL", help="default: en-fast")
    parser.add_argument("--model", default="en", help="for beam search (default: en)")
    parser.add_argument("--beam", type=int, default=32)
    parser.add_argument("--udpipe-model", type=Path, metavar="FILE", help="a parser of UDPipe 1; without it no ratios")
    parser.add_argument("--udpipe-beams", type=int, nargs="+", default=[1], metavar="N")
    parser.add_argument("--spacy-model", metavar="NAME", help="a pipeline of spaCy with a parser")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--words", type=int, default=WORDS, help="of the repeated development sentences")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", choices=("dev", "train", "both"), default="both")
    parser.add_argument("--unpinned", action="store_true", help="do not keep contenders on one core")
    parser.add_argument("--no-threads", action="store_true", help="leave out the contenders with two threads")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="cpu: for a busy machine")
    parser.add_argument("--json", type=Path, default=harness.ROOT / "benchmarks" / "results" / "throughput.json")
    options = parser.parse_args()
    contenders = fastparse_contenders(options.greedy_model, options.model, options.beam)
    if options.no_threads:
        contenders = [one for one in contenders if one.one_core]
    if options.udpipe_model:
        contenders += udpipe_contenders(options.udpipe_model, options.udpipe_beams)
    if options.spacy_model:
        contenders.append(spacy_contender(options.spacy_model))
    corpora = ["dev", "train"] if options.corpus == "both" else [options.corpus]
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for corpus in corpora:
            source = harness.treebank_path(options.treebanks, corpus)
            if corpus == "dev":
                bank = harness.repeated(fastparse.read_conllu(source), options.words, options.seed)
                source = folder / f"dev-{options.words}.conllu"
                bank.write(source)
            results[corpus] = measured(contenders, source, folder, options)
            print("\n".join(threads_lines(results[corpus])))
    columns, rows = table_rows(results, corpora)
    data = ", ".join(
        f"{harness.ENGLISH} {corpus}{' shuffled and repeated' if corpus == 'dev' else ''} "
        f"({found['words']:,} words, sha256 {found['sha256'][:12]})"
        for corpus, found in results.items()
    )
    note = (
        f"Medians of {options.repeats} rounds ({options.clock} time). Times are against {RIVAL}, by the best or the "
        "median, whichever is lower. LAS is over all words and full labels, with the tags of the treebank."
    )
    harness.write_record(options.json, harness.record("speed", columns, rows, data, note=note, runs=results))


if __name__ == "__main__":
    main()
