"""Show how a transition system builds the trees of a treebank."""

import argparse
import sys
from typing import Any

from fastparse.cli.arguments import find_sentence
from fastparse.cli.terminal import terminal_width
from fastparse.cli.trees import add_tree_arguments, trees_of
from fastparse.cli.usage import DONE, SOME_LOST
from fastparse.drawing import DERIVATIONS
from fastparse.errors import Error, OracleError, UnknownNameError

EXAMPLES = (
    ("fastparse derive train.conllu --system swap --sentence 3", "the derivation of the third tree"),
    ("fastparse derive train.conllu --system swap --sentence 3 --html steps.html", "a page to step through"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    add_tree_arguments(command, "fastparse derive")
    command.add_argument("--system", required=True, metavar="NAME", help="one of `fastparse systems`")
    command.add_argument("--oracle", metavar="NAME", help="a variant of the oracle, such as eager for swap")
    command.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the system; may be given several times",
    )
    command.add_argument("--sentence", metavar="N|SENT_ID", help="this sentence alone: its number from 1, or its id")
    command.add_argument("--unlabelled", action="store_true", help="leave the labels out")
    command.add_argument("--moves", action="store_true", help="print the moves alone, one sentence a line")
    command.add_argument("--html", metavar="OUT", help="write a page to step through the derivation of one sentence")


def run(args: argparse.Namespace) -> int:
    from fastparse.corpus.files.output import write_output
    from fastparse.theory.derive import derive

    options = _options(args.system, args.option)
    if args.oracle is not None:
        options["oracle"] = args.oracle
    treebank = trees_of(args)
    numbers = range(len(treebank)) if args.sentence is None else [find_sentence(treebank, args.sentence)]
    if args.html and len(numbers) != 1:
        raise Error(f"a page holds one sentence, {args.input} has {len(numbers)}: choose one with --sentence")
    outside = 0
    for number in numbers:
        sentence = treebank[number]
        name = sentence.sent_id or str(number + 1)
        labels = None if args.unlabelled else list(sentence.deprels)
        try:
            derivation = derive(list(sentence.heads), args.system, labels, **options)
        except UnknownNameError:
            raise
        except OracleError as error:
            if len(numbers) == 1:
                raise
            print(f"fastparse: sentence {name}: {error}", file=sys.stderr)
            outside += 1
            continue
        except Error as error:
            raise Error(f"sentence {name}: {error}") from None
        if args.html:
            write_output(args.html, DERIVATIONS["html"].draw(derivation, list(sentence.forms), args.system))
        elif args.moves:
            print(*_lines(" ".join(derivation.moves), "  "), sep="\n")
        else:
            words = " ".join(f"{word}={form}" for word, form in enumerate(sentence.forms, start=1))
            print(*_lines(f"# {name}: {len(derivation)} moves", "# "), *_lines(f"# {words}", "# "), sep="\n")
            print(f"{_table(derivation)}\n")
    return SOME_LOST if outside else DONE


def _lines(text: str, indent: str) -> list[str]:
    """A line as it is, or folded to fit the terminal."""
    from fastparse.drawing.text import folded

    width = terminal_width()
    return [text] if width is None else folded(text, width, indent)


def _table(derivation: Any) -> str:
    """The derivation, its columns folded to fit the terminal."""
    from fastparse.drawing.text import table_text

    width = terminal_width()
    return str(derivation) if width is None else table_text(derivation.table(), width)


def _options(system: str, given: list[str]) -> dict[str, Any]:
    """Options as the system has them: the value whose text was given."""
    from fastparse.transition_systems.registry import check_options, row_of

    known = row_of(system).all_options
    options: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise Error(f"--option {text}: expected NAME=VALUE")
        texts = {str(choice).lower(): choice for choice in known.get(name, ())}
        options[name] = texts.get(value.lower(), value)
    return {name: check_options(system, options)[name] for name in options}
