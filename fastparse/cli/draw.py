"""Draw trees as text, SVG or TikZ."""

import argparse
from pathlib import Path
from typing import Any

from fastparse.cli.arguments import find_sentence
from fastparse.errors import Error

EXAMPLES = (
    ("fastparse draw parsed.conllu", "on the terminal"),
    ("fastparse draw parsed.conllu --sentence 3 -o tree.svg", "a picture of one tree"),
    ("fastparse draw parsed.conllu --format tikz -o trees/", "a file per tree, for LaTeX"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("input", help="treebank, or - for standard input")
    command.add_argument(
        "--format", choices=("text", "svg", "tikz"), help="by default what the suffix of OUT says, or text"
    )
    command.add_argument(
        "-o", "--output", metavar="OUT", help="a file, or a folder with / at its end: a file per sentence"
    )
    command.add_argument(
        "--sentence", metavar="N|SENT_ID", help="draw this sentence alone: its number from 1, or its id"
    )
    command.add_argument("--registers", action="store_true", help="mark one pair of registers per crossing interval")
    command.add_argument("--document", action="store_true", help="TikZ: a document that compiles on its own")


def run(args: argparse.Namespace) -> None:
    from fastparse.corpus.files.output import open_output, write_output
    from fastparse.corpus.reading import read_conllu

    kind = args.format or {".svg": "svg", ".tex": "tikz"}.get(Path(args.output or "").suffix, "text")
    if args.document and kind != "tikz":
        raise Error("--document goes with --format tikz")
    treebank = read_conllu(args.input)
    numbers = range(len(treebank)) if args.sentence is None else [find_sentence(treebank, args.sentence)]
    if args.output and args.output.endswith("/"):
        folder = Path(args.output)
        folder.mkdir(parents=True, exist_ok=True)
        suffix = {"text": "txt", "svg": "svg", "tikz": "tex"}[kind]
        for number in numbers:
            path = folder / f"{number + 1}.{suffix}"
            write_output(path, _drawn(treebank[number], kind, args))
        return
    if len(numbers) > 1 and (kind == "svg" or args.document):
        raise Error(
            f"{args.input} has {len(numbers)} sentences and {kind} holds one picture per file: "
            f"choose one with --sentence, or give a folder with -o DIR/"
        )
    drawn = ("\n" * (at > 0) + _drawn(treebank[number], kind, args) for at, number in enumerate(numbers))
    if args.output:
        with open_output(args.output) as out:
            out.writelines(text.encode("utf-8") for text in drawn)
    else:
        for text in drawn:
            print(text, end="")


def _drawn(sentence: Any, kind: str, args: argparse.Namespace) -> str:
    registers = _registers(sentence) if args.registers else ()
    if kind == "svg":
        from fastparse.drawing.svg import to_svg

        return to_svg(sentence, registers)
    if kind == "tikz":
        from fastparse.drawing.tikz import to_tikz

        return to_tikz(sentence, registers, args.document)
    from fastparse.drawing.text import to_text

    heading = f"# {sentence.sent_id}\n" if sentence.sent_id else ""
    return f"{heading}{to_text(sentence, registers)}\n"


def _registers(sentence: Any) -> tuple[int, ...]:
    from fastparse.trees import crossing_intervals

    return tuple(word for _, _, pairs in crossing_intervals(list(sentence.heads)) if pairs for word in pairs[0])
