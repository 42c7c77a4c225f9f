"""Everything before the parser, and the parser, learnt from each of many treebanks: a table of scores.

    python benchmarks/treebanks.py [NAME ...] [--size small|default] [--parser SYSTEM] [--udpipe] [--json FILE]

For each folder with train.conllu and dev.conllu: tokenizer, tagger and lemmatizer (and with --parser a parser) are
learnt from the training set, seed 1, and scored on the development set as `fastparse evaluate` does: from running text,
where the treebank tells which tokens stand together, and on the treebank's own words. --udpipe learns a tagger with
`ufal.udpipe`'s trainer, as it is by default, and scores it on the same words.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from harness import add_treebanks, treebank_path

import fastparse
from fastparse.annotate.components import TOKENIZER
from fastparse.learning.components import chosen_components
from fastparse.model.sections import PARSER

FROM_TEXT = ("tokens", "word_f1", "sentences", "upos", "xpos", "feats", "all_tags", "lemmas", "uas", "las")
OF_WORDS = FROM_TEXT[3:]


def scores(found: Any, names: tuple[str, ...]) -> dict[str, float]:
    """F1 by name, in per cent."""
    return {name: round(getattr(found, name), 2) for name in names}


def measured(folder: Path, name: str, size: str, system: str | None) -> dict[str, Any]:
    """What one treebank gives."""
    train, dev = (fastparse.read_conllu(treebank_path(folder, part, name)) for part in ("train", "dev"))
    begun = time.perf_counter()
    wanted = [part for part in chosen_components(None, train) if part != PARSER or system]
    model = fastparse.train(train, system or "hybrid", dev, components=wanted, encoder=size, progress=None)
    found: dict[str, Any] = {"minutes": round((time.perf_counter() - begun) / 60, 1), "words": train.n_words}
    names = OF_WORDS if system else OF_WORDS[:-2]
    own = model.parse(dev, retag=True) if system else model.tag(dev, retag=True)
    found["gold tokens"] = scores(fastparse.evaluate(dev, own), names)
    if TOKENIZER in wanted:
        tokens = model.tokenize(dev.to_text())
        got = (model.parse if system else model.tag)(tokens)
        found["text"] = scores(fastparse.evaluate(dev, got), FROM_TEXT if system else FROM_TEXT[:-2])
    return found


def of_udpipe(folder: Path, name: str) -> dict[str, float]:
    """What UDPipe's tagger and lemmatizer, learnt with its defaults, give to the same words."""
    from ufal.udpipe import InputFormat, Model, OutputFormat, ProcessingError, Sentence, Sentences, Trainer

    def read(part: str) -> Any:
        found, sentence, error = Sentences(), Sentence(), ProcessingError()
        reader = InputFormat.newConlluInputFormat()
        reader.setText(treebank_path(folder, part, name).read_text(encoding="utf-8"))
        while reader.nextSentence(sentence, error):
            found.append(sentence)
            sentence = Sentence()
        return found

    train, dev, error = read("train"), read("dev"), ProcessingError()
    binary = Trainer.train("morphodita_parsito", train, dev, "none", "", "none", error)
    path = Path(f"{name}.udpipe")
    path.write_bytes(binary)
    model = Model.load(str(path))
    path.unlink()
    writer, text = OutputFormat.newConlluOutputFormat(), ""
    for sentence in dev:
        model.tag(sentence, Model.DEFAULT)
        text += writer.writeSentence(sentence)
    gold = fastparse.read_conllu(treebank_path(folder, "dev", name))
    return scores(fastparse.evaluate(gold, fastparse.read_conllu(text.encode())), OF_WORDS[:-2])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add_treebanks(parser)
    add = parser.add_argument
    add("names", nargs="*", help="folders (default: all)")
    add("--size", choices=("small", "default"), default="small")
    add("--parser", metavar="SYSTEM", help="learn a parser, too")
    add("--udpipe", action="store_true", help="learn UDPipe's tagger beside")
    add("--json", type=Path, metavar="FILE")
    args = parser.parse_args()
    names = args.names or sorted(path.parent.name for path in args.treebanks.glob("*/train.conllu"))
    record = {}
    for name in names:
        record[name] = measured(args.treebanks, name, args.size, args.parser)
        if args.udpipe:
            record[name]["udpipe"] = of_udpipe(args.treebanks, name)
        for what in ("gold tokens", "text", "udpipe"):
            if what in record[name]:
                row = " ".join(f"{key} {value:.2f}" for key, value in record[name][what].items())
                print(f"{name:22} {what:12} {row}", flush=True)
        if args.json:
            args.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
