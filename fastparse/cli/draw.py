"""Draw trees as text, SVG, TikZ or for displaCy."""

import argparse
from pathlib import Path
from typing import Any

from fastparse.cli.arguments import find_sentence
from fastparse.cli.terminal import terminal_width
from fastparse.cli.trees import add_tree_arguments, trees_of
from fastparse.drawing import FORMATS, Format
from fastparse.errors import Error

EXAMPLES = (
    ("fastparse draw parsed.conllu", "on the terminal"),
    ("echo 'She reads old books.' | fastparse draw", "text is parsed first"),
    ("fastparse draw parsed.conllu --sentence 3 -o tree.svg", "a picture of one tree"),
    ("fastparse draw parsed.conllu --format tikz -o trees/", "a file per tree, for LaTeX"),
    ("fastparse draw parsed.conllu --enhanced --sentence 3", "the enhanced graph of a sentence"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    add_tree_arguments(command, "fastparse draw")
    command.add_argument("--format", choices=FORMATS, help="by default what the suffix of OUT says, or text")
    command.add_argument(
        "-o", "--output", metavar="OUT", help="a file, or a folder with / at its end: a file per sentence"
    )
    command.add_argument(
        "--sentence", metavar="N|SENT_ID", help="draw this sentence alone: its number from 1, or its id"
    )
    command.add_argument(
        "--enhanced", action="store_true", help="draw the enhanced graph, of the column DEPS, and not the tree"
    )
    command.add_argument("--registers", action="store_true", help="mark one pair of registers per crossing interval")
    command.add_argument("--document", action="store_true", help="TikZ: a document that compiles on its own")


def run(args: argparse.Namespace) -> None:
    from fastparse.corpus.files.output import open_output, write_output

    chosen = _format(args)
    refused = [name for name in ("registers", "document") if getattr(args, name) and name not in chosen.takes]
    if refused:
        able = " or ".join(one.name for one in FORMATS.values() if refused[0] in one.takes)
        raise Error(f"--{refused[0]} goes with --format {able}, not with {chosen.name}")
    treebank = trees_of(args)
    numbers = range(len(treebank)) if args.sentence is None else [find_sentence(treebank, args.sentence)]
    options: dict[str, Any] = {"document": True} if args.document else {}
    if not args.output and "width" in chosen.takes:
        options["width"] = terminal_width()

    if args.enhanced and args.registers:
        raise Error("--registers marks crossing intervals of trees: leave it out with --enhanced")

    def drawn(number: int) -> str:
        if args.enhanced:
            from fastparse.drawing.graph import enhanced_graph

            return chosen.draw(enhanced_graph(treebank[number]), **options)
        marked = {"registers": _registers(treebank[number])} if args.registers else {}
        return chosen.draw(treebank[number], **marked, **options)

    if args.output and args.output.endswith("/"):
        folder = Path(args.output)
        folder.mkdir(parents=True, exist_ok=True)
        for number in numbers:
            write_output(folder / f"{number + 1}{chosen.suffix}", drawn(number))
        return
    if len(numbers) > 1 and (chosen.alone or args.document):
        raise Error(
            f"{args.input} has {len(numbers)} sentences and {chosen.name} holds one picture per file: "
            f"choose one with --sentence, or give a folder with -o DIR/"
        )
    between = "" if chosen.suffix == ".jsonl" else "\n"
    texts = (between * (at > 0) + drawn(number) for at, number in enumerate(numbers))
    if args.output:
        with open_output(args.output) as out:
            out.writelines(text.encode("utf-8") for text in texts)
    else:
        for text in texts:
            print(text, end="")


def _format(args: argparse.Namespace) -> Format:
    """The format that is named, or that of the suffix of OUT; text where there is neither."""
    suffixes = {one.suffix: one for one in FORMATS.values()}
    suffix = "" if (args.output or "/").endswith("/") else Path(args.output).suffix
    if args.format or not suffix:
        return FORMATS[args.format or "text"]
    if suffix not in suffixes:
        raise Error(f"{args.output}: no picture has the suffix {suffix}: use {', '.join(suffixes)}, or give --format")
    return suffixes[suffix]


def _registers(sentence: Any) -> tuple[int, ...]:
    from fastparse.trees import crossing_intervals

    return tuple(word for _, _, pairs in crossing_intervals(list(sentence.heads)) if pairs for word in pairs[0])
