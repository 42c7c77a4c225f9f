"""Is parsing linear? Time, transitions and memory per word against the length of sentences.

    python benchmarks/linearity.py [--plot docs/linearity.svg] [--million] [--encoder small]
    python benchmarks/linearity.py --treebank NAME
    python benchmarks/linearity.py --blocks

For each system a small model is trained on some hundred sentences of English-EWT, of another treebank, or of random
trees of the system's class that use its registers, planes and swaps all along (blocks.py). What is parsed are real
sentences, or these, one put behind the other until they have 10 to 20,000 words, greedily and with a beam. Of the
shorter ones there are as many as it takes for every measurement to be of the same number of words. Lengths take turns,
and the best time of each counts. The fit is m = a n through the origin over all lengths, with its R2.

Transitions are also counted without a model: the derivations, by the oracle of each system, of the trees of the
treebank put in a row, of random projective trees, and of random trees of any kind where the system covers them. That is
where swap, linear on treebanks, is not linear; it is shown, and has no bar.

Memory is the peak of what a process of its own has resident (Linux) while it parses a sentence it has in memory, above
what it had before, with the whole model resident.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import blocks
import harness
import numpy as np

import fastparse
from fastparse.search.engine import Outcome
from fastparse.transition_systems.registry import ROWS

LENGTHS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000)
SHORT, LONG = 200, 20000
SYSTEMS = ("arc-standard", "arc-eager", "hybrid", "planar", "2-planar", "two-registers", "attardi", "swap")
NO_BAR = ("swap",)
ENCODER_ROUNDS = 5
BLOCK_ROUNDS, BLOCK_WORDS = 8, 12_000  # enough to do what the derivations of the blocks do
MOST_ANY = 2000  # words of a random tree of any kind: swap takes a share of their square
MOST_RATIO, MOST_MEGABYTES, MOST_BYTES_PER_WORD = 1.3, 100, 1500
COLUMNS = ("form", "upos", "xpos", "feats", "lemma")


def trained(system: str, beam: int, treebank: fastparse.Treebank, path: Path, options: Any) -> Path:
    """A model that is good enough to behave like one."""
    rounds = BLOCK_ROUNDS if options.blocks else 2 if options.encoder is None else ENCODER_ROUNDS
    fastparse.train(
        treebank, system, beam=beam, iterations=rounds, seed=1, components=("parser",), encoder=options.encoder,
        tags="gold",
    ).save(path)  # fmt: skip
    return path


def sentences_of(length: int, treebank: fastparse.Treebank, n_words: int) -> fastparse.Treebank:
    """Sentences of exactly that many words, made of the words of a treebank in their order, `n_words` in all."""
    number = max(1, n_words // length)
    at = np.arange(number * length) % treebank.n_words
    columns = {
        name: [table[i] for i in treebank.ids(name)[at].tolist()] for name in COLUMNS if (table := treebank.table(name))
    }
    names = {"form": "forms", "lemma": "lemmas"}
    return fastparse.Treebank.from_columns(
        **{names.get(name, name): values for name, values in columns.items()},
        offsets=np.arange(0, (number + 1) * length, length).tolist(),
    )


def concatenated(length: int, treebank: fastparse.Treebank) -> list[int]:
    """The heads of a tree made of trees of the treebank: the root of each is the head of the next one's."""
    heads: list[int] = []
    root = 0
    sentence = 0
    while len(heads) < length:
        found = treebank[sentence % len(treebank)].heads
        if len(heads) + len(found) > length:
            found = [0] + [1] * (length - len(heads) - 1)
        start = len(heads)
        heads += [start + head if head else root for head in found]
        root = start + list(found).index(0) + 1
        sentence += 1
    return heads


def random_tree(length: int, seed: int) -> list[int]:
    """A projective tree: each span is split at a random root, and its children take random pieces of both sides."""
    source = random.Random(seed)
    heads = [0] * length
    spans = [(0, length, 0)]
    while spans:
        first, last, head = spans.pop()
        root = source.randrange(first, last)
        heads[root] = head
        for low, high in ((first, root), (root + 1, last)):
            while low < high:
                end = source.randint(low + 1, high)
                spans.append((low, end, root + 1))
                low = end
    return heads


def any_tree(length: int, seed: int) -> list[int]:
    """A random tree without regard to order: each word hangs from one that came before it in a random order."""
    source = random.Random(seed)
    order = list(range(1, length + 1))
    source.shuffle(order)
    heads = [0] * length
    for i in range(1, length):
        heads[order[i] - 1] = order[source.randrange(i)]
    return heads


class Parsing:
    """An engine with sentences of one length."""

    def __init__(self, parser: fastparse.Parser, treebank: fastparse.Treebank, beam: int) -> None:
        self.engine, self.beam, self.n = parser._decoder.loop, beam, len(treebank)
        self.values = parser._decoder.kind.values(treebank)
        self.words, self.out = treebank.n_words, Outcome(treebank.offsets)

    def run(self) -> None:
        self.engine.parse(self.values, self.out, 0, self.n, self.beam)


def timed(model: Path, corpus: fastparse.Treebank, beam: int, n_words: int, options: Any) -> list[dict[str, float]]:
    """Nanoseconds and transitions per word for every length."""
    parser = fastparse.load(model)
    banks = {length: Parsing(parser, sentences_of(length, corpus, n_words), beam) for length in options.lengths}
    best = dict.fromkeys(banks, float("inf"))
    clock = time.process_time if options.clock == "cpu" else time.perf_counter
    for length in banks:  # the first run warms up
        banks[length].run()
    with harness.pinned(not options.unpinned):
        for _ in range(options.repeats):
            for length, parsing in banks.items():
                begun = clock()
                parsing.run()
                best[length] = min(best[length], clock() - begun)
    return [
        {"length": length, "ns per word": best[length] * 1e9 / parsing.words,
         "transitions per word": float(parsing.out.transitions.sum()) / parsing.words}
        for length, parsing in banks.items()
    ]  # fmt: skip


def derived(system: str, corpus: fastparse.Treebank, options: Any) -> dict[str, list[dict[str, float]]]:
    """Transitions per word of derivations, of concatenated and of random trees."""
    makers = {
        "treebank": lambda length: concatenated(length, corpus),
        "projective": lambda length: random_tree(length, length),
        "any": lambda length: any_tree(length, length),
    }
    lines: dict[str, list[dict[str, float]]] = {}
    for kind, make in makers.items():
        trees = [make(length) for length in options.lengths if kind != "any" or length <= MOST_ANY]
        counts = fastparse.count_transitions(trees, system).tolist()
        lines[kind] = [
            {"length": length, "transitions per word": n / length}
            for length, n in zip(options.lengths, counts, strict=False)
            if n >= 0
        ]
    return lines


def fit(rows: list[dict[str, float]], what: str) -> tuple[float, float]:
    """a and R2 of `what` = a n."""
    n = np.array([row["length"] for row in rows], float)
    m = np.array([row[what] for row in rows]) * n
    a = float((n * m).sum() / (n * n).sum())
    rest, total = float(((m - a * n) ** 2).sum()), float(((m - m.mean()) ** 2).sum())
    return a, 1 - rest / total if total else 1.0


def ratio(rows: list[dict[str, float]], what: str) -> float:
    """Of the longest sentence to that of 200 words (or the nearest there is)."""
    short = min(rows, key=lambda row: abs(row["length"] - SHORT))
    return max(rows, key=lambda row: row["length"])[what] / short[what]


def _peak(model: Path, corpus: Path, length: int, beam: int, answer: Any) -> None:
    """In a process of its own: the bytes parsing needs at most."""
    parser = fastparse.load(model)
    bank = fastparse.read_conllu(corpus)
    Parsing(parser, sentences_of(10, bank, 100), beam).run()
    sentence = sentences_of(length, bank, length)
    # Of the mapped model only what was read is resident: count it now, not later.
    for array in parser._decoder.arrays().values():
        int(np.asarray(array).view(np.uint8).sum())
    harness.forget_peak()
    before = harness.memory("VmRSS")
    begun = time.process_time()
    parser.parse(sentence, beam=beam)
    answer.put((harness.memory("VmHWM") - before, time.process_time() - begun))


def peak(model: Path, corpus: Path, length: int, beam: int) -> tuple[int, float]:
    """Bytes above what the process had with the model and the sentence in memory; seconds of processor time."""
    context = multiprocessing.get_context("spawn")
    answer = context.Queue()
    process = context.Process(target=_peak, args=(model, corpus, length, beam, answer))
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"parsing {length:,} words failed")
    return answer.get()


def measured(system: str, corpus: fastparse.Treebank, small: fastparse.Treebank, folder: Path, options: Any) -> dict:
    """Everything about one system."""
    found: dict[str, Any] = {"derivations": derived(system, corpus, options)}
    corpus_path = folder / "corpus.conllu"
    for beam in dict.fromkeys((1, options.beam if ROWS[system].beam else 1)):
        model = trained(system, beam, small, folder / f"{system.replace('/', '-')}-{beam}.fp", options)
        rows = timed(model, corpus, beam, options.words if beam == 1 else options.beam_words, options)
        a, r2 = fit(rows, "ns per word")
        name = "greedy" if beam == 1 else f"beam {beam}"
        found[name] = {"rows": rows, "ns per word": a, "R2": r2, "ratio": ratio(rows, "ns per word"),
                       "transitions": fit(rows, "transitions per word")}  # fmt: skip
        if beam > 1 and not options.no_memory:
            found[name]["bytes"] = peak(model, corpus_path, max(options.lengths), beam)[0]
        if options.million and (beam == 1 or options.million_beam > 1):
            size = 1 if beam == 1 else options.million_beam
            length = options.million
            bytes_, seconds = peak(model, corpus_path, length, size)
            found[name]["million"] = {
                "beam": size, "words": length, "bytes per word": bytes_ / length, "ns per word": seconds * 1e9 / length,
            }  # fmt: skip
    return found


def corpora(system: str, options: Any) -> tuple[fastparse.Treebank, fastparse.Treebank]:
    """What is parsed, and what is learnt from."""
    if options.blocks:
        learnt = blocks.treebank_of(system, BLOCK_WORDS, seed=1)
        return blocks.treebank_of(system, max(options.lengths), seed=2), learnt
    paths = [harness.treebank_path(options.treebanks, part, options.treebank) for part in ("dev", "train")]
    parsed, learnt = map(fastparse.read_conllu, paths)
    return parsed, learnt[: options.sentences]


def report(system: str, found: dict[str, Any], options: Any) -> tuple[dict[str, Any], list[str]]:
    """The row of a system, and the bars it fails."""
    row: dict[str, Any] = {"name": system}
    failures = []
    longest, bar = max(options.lengths), system not in NO_BAR
    for kind, rows in found["derivations"].items():
        if rows:
            a, r2 = fit(rows, "transitions per word")
            row[f"derivations, {kind}"] = f"{a:.2f} n (R² {r2:.4f})" if r2 > 0.999 else f"not linear (R² {r2:.3f})"
    for name in (name for name in found if name != "derivations"):
        result = found[name]
        row[f"{name}, ns"] = result["ns per word"]
        row[f"{name}, R²"] = f"{result['R2']:.4f}"
        row[f"{name}, ratio"] = result["ratio"]
        print(
            f"{system:16}{name:10}{result['ns per word']:10,.0f} ns/word  R2 {result['R2']:.4f}  "
            f"{longest:,} against {SHORT} words: {result['ratio']:.2f}  transitions {result['transitions'][0]:.3f} n  "
            + " ".join(f"{one['length']}:{one['ns per word']:,.0f}" for one in result["rows"]),
            flush=True,
        )
        if bar and result["ratio"] > MOST_RATIO:
            failures.append(f"{system}, {name}: a word costs {result['ratio']:.2f} times as much (<= {MOST_RATIO})")
        if "bytes" in result:
            megabytes = row[f"{name}, MB"] = result["bytes"] / 1e6
            print(f"{'':16}{name:10}{megabytes:10.1f} MB for {longest:,} words")
            if bar and megabytes > MOST_MEGABYTES:
                failures.append(f"{system}, {name}: {megabytes:.0f} MB for {longest:,} words (<= {MOST_MEGABYTES})")
        if "million" in result:
            large = result["million"]
            row["bytes per word, very long"] = large["bytes per word"]
            print(
                f"{'':16}{name:10}{large['bytes per word']:10,.0f} bytes and {large['ns per word']:,.0f} ns per word "
                f"for {large['words']:,} words at beam {large['beam']}"
            )
            if bar and large["bytes per word"] > MOST_BYTES_PER_WORD:
                failures.append(
                    f"{system}, beam {large['beam']}: {large['bytes per word']:,.0f} bytes per word for "
                    f"{large['words']:,} words (<= {MOST_BYTES_PER_WORD:,})"
                )
    for kind, rows in found["derivations"].items():
        if rows:
            print(f"{'':16}derivations of {kind} trees: {row[f'derivations, {kind}']}")
    return row, failures


def plot(results: dict[str, Any], path: Path) -> None:
    """Time per word greedily and with a beam, and transitions per word of derivations, against length."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "fastparse"
    from matplotlib import pyplot

    searches = [name for name in next(iter(results.values())) if name != "derivations"]
    figure, panels = pyplot.subplots(1, len(searches) + 2, figsize=(4.2 * (len(searches) + 2), 4))
    for panel, name in zip(panels, searches, strict=False):
        for system, found in results.items():
            rows = found[name]["rows"]
            panel.plot([r["length"] for r in rows], [r["ns per word"] / 1000 for r in rows], ".-", label=system)
        panel.set(title=f"{name}: time", ylabel="µs per word", xscale="log", xlabel="words", ylim=(0, None))
        panel.legend(fontsize=7)
    for panel, kind in zip(panels[len(searches) :], ("treebank", "projective"), strict=False):
        for system, found in results.items():
            rows = found["derivations"][kind]
            panel.plot([r["length"] for r in rows], [r["transitions per word"] for r in rows], ".-", label=system)
        title = "trees of a treebank in a row" if kind == "treebank" else "random projective trees"
        panel.set(title=f"derivations: {title}", ylabel="transitions per word", xscale="log", xlabel="words")
        panel.set_ylim(0, 5)
        panel.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    harness.add_treebanks(parser)
    parser.add_argument("--treebank", default=harness.ENGLISH, metavar="NAME", help="default: %(default)s")
    parser.add_argument("--blocks", action="store_true", help="random trees of the class of each system instead")
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), metavar="NAME")
    parser.add_argument("--lengths", nargs="+", type=int, default=list(LENGTHS), metavar="N")
    parser.add_argument("--encoder", metavar="SIZE", help="models with an encoder of this size, not linear ones")
    parser.add_argument("--beam", type=int, default=32)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--sentences", type=int, default=500, help="to train on")
    parser.add_argument("--words", type=int, default=40_000, help="per measurement, greedily")
    parser.add_argument("--beam-words", type=int, default=20_000, help="per measurement with the beam")
    parser.add_argument(
        "--million", type=int, nargs="?", const=1_000_000, metavar="N", help="memory for one sentence of so many words"
    )
    parser.add_argument("--million-beam", type=int, default=32, metavar="N", help="1: only greedily (default: 32)")
    parser.add_argument("--no-memory", action="store_true", help="do not measure the memory of the beam")
    parser.add_argument("--unpinned", action="store_true", help="do not stay on one core")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="cpu: for a busy machine")
    parser.add_argument("--plot", type=Path, metavar="SVG", help="draw the figures (matplotlib)")
    parser.add_argument("--json", type=Path, default=harness.ROOT / "benchmarks" / "results" / "linearity.json")
    options = parser.parse_args()
    results, rows, failures = {}, [], []
    data = "random trees of each system's class"
    if not options.blocks:
        source = harness.treebank_path(options.treebanks, "dev", options.treebank)
        data = f"{options.treebank} dev, sha256 {harness.sha256(source)[:12]}"
    print(f"{data}; {harness.load_line()}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for system in options.systems:
            corpus, train = corpora(system, options)
            corpus.write(folder / "corpus.conllu")
            results[system] = measured(system, corpus, train, folder, options)
            row, failed = report(system, results[system], options)
            rows.append(row)
            failures += failed
    columns = list(dict.fromkeys(key for row in rows for key in row if key != "name"))
    kind = "Models" if options.encoder is None else f"Encoders of size {options.encoder}"
    learnt = f"{BLOCK_WORDS:,} words of such trees" if options.blocks else f"{options.sentences} sentences"
    note = (
        f"{kind} learnt from {learnt}. ns: per word, from the fit of m = a n over "
        f"{min(options.lengths)} to {max(options.lengths):,} words; ratio: per word at {max(options.lengths):,} "
        f"against {SHORT} words; {options.clock} time, best of {options.repeats}."
    )
    found = harness.record("linearity", columns, rows, data, note=note, failures=failures, runs=results)
    harness.write_record(options.json, found)
    if options.plot:
        plot(results, options.plot)
    print("\n".join(failures) or "every bar is met")


if __name__ == "__main__":
    main()
