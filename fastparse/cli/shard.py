"""Parse a large corpus in shards, on many processes or machines."""

from __future__ import annotations

import argparse

from fastparse.cli.arguments import beam_size, positive
from fastparse.errors import Error

EXAMPLES = (
    ("fastparse shard plan corpus.conllu -o work --megabytes 64", "divide"),
    ("fastparse shard run work -i 3", "parse the fourth shard, on any machine that sees the folder"),
    ("fastparse shard status work", "what is finished"),
    ("fastparse shard merge work -o parsed.conllu.gz", "one file of all"),
)

_SOME_LOST = 3


def add_arguments(command: argparse.ArgumentParser) -> None:
    steps = command.add_subparsers(title="steps", dest="step", metavar="STEP", required=True)
    plan = steps.add_parser("plan", help="divide the inputs", description="Divide the inputs into shards.")
    plan.add_argument(
        "inputs", nargs="+", metavar="INPUT", help="CoNLL-U or text, plain, or compressed (then one shard each)"
    )
    plan.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder of this corpus")
    plan.add_argument("-m", "--model", metavar="MODEL", help="a model file, or en or en-fast (default: en)")
    plan.add_argument("--megabytes", type=positive, default=64, metavar="N", help="per shard (default: %(default)s)")
    plan.add_argument("--beam", type=beam_size, metavar="N", help="default: what the model was trained with")
    plan.add_argument("--on-error", choices=("stop", "skip", "keep"), default="stop", help="default: stop")
    plan.add_argument("--from", dest="source", choices=("auto", "conllu", "text", "lines", "words"), default="auto",
                      help="what the inputs are, as for parse (default: by the suffix)")  # fmt: skip
    plan.add_argument("--retag", action="store_true", help="replace what the model can give, as for parse")
    plan.add_argument("--deps", choices=("keep", "copy", "blank"), default="keep", help="default: keep")
    run = steps.add_parser("run", help="parse shards", description="Parse shards; finished ones are left alone.")
    run.add_argument("folder", metavar="DIR")
    run.add_argument("-i", "--number", type=int, metavar="N", help="the shard, counted from 0 (default: all missing)")
    run.add_argument("--threads", type=positive, default=1, metavar="N", help="default: 1")
    status = steps.add_parser("status", help="what is finished", description="Say what is finished and what is not.")
    status.add_argument("folder", metavar="DIR")
    status.add_argument("--missing", action="store_true", help="print the numbers of what is not finished, one a line")
    merge = steps.add_parser("merge", help="one file of all shards", description="Write all shards to one file.")
    merge.add_argument("folder", metavar="DIR")
    merge.add_argument("-o", "--output", default="-", metavar="OUT", help="default: standard output")


def run(args: argparse.Namespace) -> int:
    from fastparse.bulk import shards

    if args.step == "plan":
        n = shards.plan(
            args.inputs, args.output, args.model, shard_bytes=args.megabytes << 20, beam=args.beam,
            on_error=args.on_error, deps=args.deps, source=args.source, retag=args.retag,
        )  # fmt: skip
        print(f"{n} shards, numbered from 0: fastparse shard run {args.output} -i N")
        return 0
    if args.step == "merge":
        shards.merge(args.folder, args.output)
        return 0
    if args.step == "run":
        numbers = shards.status(args.folder).missing if args.number is None else [args.number]
        reports = [shards.run(args.folder, number, args.threads) for number in numbers]
        return _SOME_LOST if any(report.skipped + report.kept for report in reports) else 0
    if args.step == "status":
        found = shards.status(args.folder)
        print("\n".join(map(str, found.missing)) if args.missing else found)
        return _SOME_LOST if found.report.skipped + found.report.kept else 0
    raise Error(f"unknown step {args.step!r}")
