"""Learn a model from a treebank."""

from __future__ import annotations

import argparse
import os
from typing import Any

from fastparse.cli.arguments import beam_size, limit, positive
from fastparse.cli.progress import Line
from fastparse.errors import Error

EXAMPLES = (
    ("fastparse train train.conllu --dev dev.conllu -o my.fp", "all that the treebank has data for"),
    ("fastparse train train.conllu --dev dev.conllu -o small.fp --system arc-eager --beam 1", "a greedy parser"),
    ("fastparse train train.conllu --dev dev.conllu -o best.fp --encoder default", "a neural encoder: more accurate"),
    ("fastparse train train.conllu -o my.fp --checkpoint my.checkpoint", "to be run again if it is stopped"),
)

_INTERRUPTED = 130
_SINGLE_ROOT: dict[str, bool | str] = {"auto": "auto", "yes": True, "no": False}


def add_arguments(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("treebank", nargs="+", metavar="TRAIN", help="CoNLL-U or CoNLL-X; several files are one treebank")
    add("-o", "--output", metavar="MODEL", required=True, help="the model file to write")
    add("--dev", action="append", metavar="DEV", help="treebank to choose the best iteration by; may be repeated")
    add("--components", type=_names, metavar="NAME,...", help="what to learn, of tokenizer, tagger, lemmatizer and "
        "parser (default: all the treebank has data for)")  # fmt: skip
    add("--system", default="two-registers", metavar="NAME", help="a transition system (`fastparse systems` lists "
        "them) or auto: what covers the treebank (default: %(default)s)")  # fmt: skip
    add(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the system, e.g. oracle=eager"
    )
    add("--beam", type=beam_size, metavar="N", help="1 is greedy (default: 32; with an encoder 4)")
    add("--encoder", choices=("default", "small", "none"), default="none",
        help="learn a neural encoder of this size: more accurate, slower to learn; the tagger is of this size, "
        "without one small (default: %(default)s)")  # fmt: skip
    add("--tags", choices=("predicted", "gold"), help="what the parser learns from: tags as a tagger says them of "
        "sentences that it has not learnt from, or the treebank's (default: predicted if a tagger is learnt)"
    )  # fmt: skip
    add("--folds", type=positive, default=4, metavar="N",
        help="parts of the treebank that are tagged so, each by a tagger of its own (default: %(default)s)"
    )  # fmt: skip
    add("--teachers", type=limit, default=0, metavar="N",
        help="learn N networks of the default size first, with other seeds, and from what they hold probable, too: "
        "more accurate at the same speed, N times longer to learn (default: %(default)s)")  # fmt: skip
    add("--vectors", metavar="FILE", help="word vectors (text format of word2vec or GloVe, plain or compressed) that "
        "an encoder reads besides; the model keeps them, about 230 bytes a word")  # fmt: skip
    add("--vector-words", type=int, metavar="N",
        help="the first N words of FILE, besides those of the treebank (default: 50000)")  # fmt: skip
    add("--iterations", type=positive, metavar="N",
        help="passes over the treebank (default: 10; with an encoder 12 to 50, more for small treebanks and for "
        "the small size with teachers)")  # fmt: skip
    add("--seed", type=int, default=1, metavar="N", help="the same seed gives the same file (default: %(default)s)")
    add("--runs", type=positive, default=1, metavar="N",
        help="train with N successive seeds and average: more accurate, N times the work (default: 1)")  # fmt: skip
    add("--outside", choices=("lift", "skip", "stop"), default="lift",
        help="what becomes of trees the system cannot build (default: %(default)s)")  # fmt: skip
    add("--single-root", choices=("auto", "yes", "no"), default="auto",
        help="one root per sentence; auto: if 99%% of the trees have one (default: %(default)s)")  # fmt: skip
    add("--pseudo-projective", choices=("head", "path", "head+path"), metavar="ENCODING",
        help="encode lifted arcs in labels: head, path or head+path")  # fmt: skip
    add("--templates", metavar="NAME|FILE", help="feature templates (default: those for the system)")
    add("--update", choices=("max-violation", "early"), default="max-violation",
        help="where beam training learns (default: %(default)s)")  # fmt: skip
    add("--oracle", choices=("dynamic", "static"), default="dynamic",
        help="greedy learning: also from mistakes, where the system has an oracle for that, or from one derivation "
        "(default: %(default)s); which derivation, --option oracle=NAME says")  # fmt: skip
    add("--learnt-beam", type=limit, metavar="N",
        help="states of the beams whose mistakes an encoder learns from, too, whatever it parses with; 0: it learns "
        "from single states alone, in less time (default: 4, or 0 where the system has a dynamic oracle)")  # fmt: skip
    add("--minibatch", type=positive, metavar="N", help="sentences that a beam searches with the same weights "
        "while learning, on several threads if there are (default: 4 from 10,000 trees on, else 1)")  # fmt: skip
    add("--labels", choices=("arcs", "moves"), default="arcs",
        help="what labels are chosen by: once the arc is drawn, or with the moves, all labels of an arc competing with "
        "them (default: %(default)s)")  # fmt: skip
    add("--held-out", type=float, default=0.05, metavar="PART", help="with a beam and without DEV: trees that tell how "
        "wide it has to be, which are not learnt from; 0: none, it is always whole (default: %(default)s)")  # fmt: skip
    add("--max-bytes", type=limit, metavar="N",
        help="of weights: those that matter least are left out, and it is said what that cost; 0 keeps all "
        "(default: 10000000)")  # fmt: skip
    add("--licence", metavar="TEXT", help="kept in the model: what may be done with it, whom to name")
    add("--about", metavar="TEXT", help="kept in the model: its language and treebank, such as 'English, UD EWT 2.16'")
    add("--checkpoint", metavar="FILE", help="brought up to date after each iteration; if it is there, go on from it")
    add("--threads", type=positive, default=1, metavar="N",
        help="for learning with a beam, several runs or encoders (two of them), and for parsing DEV (default: "
        "%(default)s)")  # fmt: skip
    add("--progress", action=argparse.BooleanOptionalAction, help="say how far it is (default: on a terminal)")
    add("-q", "--quiet", action="store_true", help="no word on standard error but errors")


def run(args: argparse.Namespace) -> int:
    from fastparse.learning.options import MAX_BYTES
    from fastparse.learning.progress import ComponentPass, Interrupted, Passing
    from fastparse.learning.train import train

    options = dict(_option(text) for text in args.option)
    folder = os.path.dirname(os.path.abspath(args.output))
    if not os.path.isdir(folder):
        raise Error(f"there is no folder {folder!r} to write the model to: make it first")
    line = Line(False if args.quiet else args.progress)
    interrupted = False

    def show(event: Any) -> None:
        nonlocal interrupted
        interrupted = interrupted or isinstance(event, Interrupted)
        if isinstance(event, (ComponentPass, Passing)):
            line.show(str(event))
        elif not args.quiet:
            line.write(f"fastparse: {event}")

    try:
        parser = train(
            args.treebank, args.system, args.dev, args.beam, args.iterations, args.seed, args.outside,
            _SINGLE_ROOT[args.single_root], args.pseudo_projective, args.templates,
            args.threads, show, components=args.components, system_options=options, checkpoint=args.checkpoint,
            licence=args.licence, about=args.about, update=args.update, oracle=args.oracle,
            labels=args.labels,
            max_bytes=MAX_BYTES if args.max_bytes is None else args.max_bytes or None,
            runs=args.runs, minibatch=args.minibatch, held_out=args.held_out,
            encoder=None if args.encoder == "none" else args.encoder, tags=args.tags, folds=args.folds,
            vectors=args.vectors, vector_words=args.vector_words, teachers=args.teachers,
            learnt_beam=args.learnt_beam,
        )  # fmt: skip
    finally:
        line.clear()
    parser.save(args.output)
    if not args.quiet:
        size = os.path.getsize(args.output)
        line.write(f"fastparse: wrote {args.output} ({size:,} bytes)")
    return _INTERRUPTED if interrupted else 0


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise Error(f"--option {text}: expected NAME=VALUE, for example oracle=eager")
    plain = int(value) if value.isdecimal() else value
    return name, {"true": True, "false": False, "none": None}.get(value.lower(), plain)
