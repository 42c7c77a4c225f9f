"""The models of English that come with fastparse, en and en-fast: python -m models.english STEP

    lexicon     write what is known of words from outside: clusters and frequencies of spacy-lookups-data (PyPI, MIT)
    train       learn the two models from four treebanks; what was stopped goes on

They are learnt from English-EWT, the free genres of GUM, PUD and Pronouns. FEATS of PUD are poorer than those of the
others, so they are left out. Rounds are chosen on the development sets of EWT and GUM together. Both have the same
three teachers, which are learnt once.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

import fastparse
from fastparse.learning.checkpoint import CHECKPOINT
from fastparse.learning.options import with_defaults
from fastparse.learning.steps import Training
from fastparse.learning.train import _Trained
from fastparse.model.storage import read_container, write_container

EWT, GUM = "English-EWT", "English-GUMfree"
WORDS = 120_000
ABOUT = "English, UD EWT 2.16, GUM (free genres), PUD, Pronouns"
LICENCE = (
    "CC BY-SA 4.0. Learnt from UD English-EWT 2.16 (CC BY-SA 4.0), by Natalia Silveira, Timothy Dozat, Christopher "
    "Manning, Sebastian Schuster and others; the free genres of UD English-GUM (annotations CC BY 4.0; texts CC BY, "
    "CC BY-SA or public domain), by Amir Zeldes and others; UD English-PUD (CC BY-SA 3.0), by Google and the PUD team "
    "of the CoNLL 2017 shared task; UD English-Pronouns (CC BY-SA 4.0), by Robert Munro; with word clusters and "
    "frequencies of spacy-lookups-data 1.0.5 (MIT), by Explosion."
)
_PREFIXES = (4, 6, 8)  # bits of a cluster
_STEPS = (0.02, 0.1, 0.3, 0.6, 0.9)  # of shares
_UNSEEN = -20.4  # log probability that words have which hardly occur
_MOST_NATS = 15
_SAME = ("tokenizer", "lemmatizer", "tags for the parser")  # what both trainings learn alike, besides teachers

MODELS: dict[str, dict[str, Any]] = {"en": {"encoder": "default"}, "en-fast": {"encoder": "small", "beam": 1}}


def lexicon(args: argparse.Namespace) -> None:
    """Write the lexicon: word, frequency in nats, shares of capitalised and of other spellings, cluster in four
    lengths."""
    with zipfile.ZipFile(args.wheel) as wheel:
        clusters, logs = (
            json.loads(gzip.decompress(wheel.read(f"spacy_lookups_data/data/en_lexeme_{name}.json.gz")))
            for name in ("cluster", "prob")
        )
    found: dict[str, list[float]] = {}  # by lower-cased word: probabilities of its spellings
    best: dict[str, tuple[float, int]] = {}
    for word, log in logs.items():
        low = word.lower()
        if log <= _UNSEEN or not low or low.split() != [low]:
            continue
        spelling = 0 if word == low else 1 if word[1:] == word[1:].lower() else 2
        found.setdefault(low, [0.0, 0.0, 0.0])[spelling] += math.exp(log)
        if clusters.get(word) and log > best.get(low, (-math.inf, 0))[0]:
            best[low] = log, clusters[word]
    rows = []
    for low, spellings in found.items():
        total, cluster = sum(spellings), best.get(low, (0.0, 0))[1]
        shares = [str(sum(share / total >= step for step in _STEPS)) for share in spellings[1:]]
        # The first bits of a cluster's path are its lowest.
        paths = [str(cluster & ((1 << bits) - 1)) for bits in _PREFIXES] + [str(cluster)] if cluster else ["_"] * 4
        rows.append((-total, low, "\t".join([low, str(min(_MOST_NATS, int(-math.log(total)))), *shares, *paths])))
    rows.sort()
    with open(args.output, "wb") as out, gzip.GzipFile("", "wb", mtime=0, fileobj=out) as packed:
        packed.write(b"# word, nats, shares of capitalised and other spellings, cluster in 4, 6, 8 and all bits\n")
        packed.write("".join(f"{row}\n" for _, _, row in rows[: args.words]).encode())


def treebanks(data: Path) -> tuple[Any, Any]:
    """What is learnt from, and what rounds are chosen on."""
    pud = fastparse.read_conllu(data / GUM / "pud.conllu")
    pud = pud.with_columns(feats=(np.zeros(pud.n_words, np.int32), ["_"]))
    files = [(data / EWT / "train.conllu").read_bytes(), (data / GUM / "train.conllu").read_bytes(), pud.to_bytes(),
             (data / GUM / "pronouns.conllu").read_bytes()]  # fmt: skip
    dev = b"".join((data / name / "dev.conllu").read_bytes() for name in (EWT, GUM))
    return fastparse.read_conllu(b"".join(files)), fastparse.read_conllu(dev)


def train(args: argparse.Namespace) -> None:
    """Learn the models that are not there yet, en first."""
    args.work.mkdir(parents=True, exist_ok=True)
    bank, dev = treebanks(args.data)
    for name, own in MODELS.items():
        target, checkpoint = args.work / f"{name}.fp", args.work / f"{name}.checkpoint"
        options = {
            "dev": dev, "system": "hybrid", "teachers": 3, "seed": 1, "threads": args.threads, "language": "en",
            "lexicon": os.fspath(args.lexicon), "about": ABOUT, "licence": LICENCE, **own,
        }  # fmt: skip
        if target.exists():
            continue
        if name != "en" and not checkpoint.exists():
            _share(args.work / "en.checkpoint", checkpoint, bank, options)
        fastparse.train(bank, checkpoint=os.fspath(checkpoint), progress=_told, **options).save(target)
        print(f"wrote {target}", flush=True)


def _told(event: Any) -> None:
    from fastparse.learning.progress import Passing

    if not isinstance(event, Passing):
        print(f"  {event}", flush=True)


def _share(source: Path, target: Path, bank: Any, options: dict[str, Any]) -> None:
    """Begin a training's checkpoint with what another one has learnt that both learn alike."""
    training = Training(lambda event: None)
    _Trained(bank, with_defaults(options), training)
    found = read_container(source, CHECKPOINT)
    parts = {
        name: header for name, header in found.header["parts"].items()
        if name.startswith(_SAME) or (name.startswith("parser") and "teacher" in name)
    }  # fmt: skip
    arrays = {key: array for key, array in found.arrays.items() if key.rpartition("/")[0] in parts}
    identity = json.loads(json.dumps(training.checkpoint.identity))
    write_container(target, {"identity": identity, "parts": parts}, arrays, CHECKPOINT)


def main(given: list[str]) -> None:
    parser = argparse.ArgumentParser("python -m models.english", description="Make en and en-fast.")
    steps = parser.add_subparsers(required=True)
    step = steps.add_parser("lexicon", help="write the lexicon")
    step.add_argument("wheel", type=Path, help="spacy_lookups_data-1.0.5-py2.py3-none-any.whl")
    step.add_argument("-o", "--output", type=Path, required=True)
    step.add_argument("--words", type=int, default=WORDS)
    step.set_defaults(run=lexicon)
    step = steps.add_parser("train", help="learn the models")
    step.add_argument("--data", type=Path, required=True, help="the folder of treebanks")
    step.add_argument("--work", type=Path, required=True, help="where models and checkpoints go")
    step.add_argument("--lexicon", type=Path, required=True)
    step.add_argument("--threads", type=int, default=2)
    step.set_defaults(run=train)
    args = parser.parse_args(given)
    args.run(args)


if __name__ == "__main__":
    main(sys.argv[1:])
