"""Parse a large corpus in shards, on many processes or machines."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fastparse.cli.arguments import positive
from fastparse.cli.files import request_options
from fastparse.cli.progress import Line
from fastparse.cli.usage import DONE, SOME_LOST
from fastparse.errors import Error
from fastparse.request import fields_of

if TYPE_CHECKING:
    from fastparse.bulk.shards import Status

_PLAN = "shards.plan"  # the way in

EXAMPLES = (
    ("fastparse shard plan corpus.conllu -o work --megabytes 64", "divide"),
    ("fastparse shard run work -i 3", "parse the fourth shard, on any machine that sees the folder"),
    ("fastparse shard run work --workers 8", "all of them, on eight processes"),
    ("fastparse shard status work", "what is finished, and how long the rest takes"),
    ("fastparse shard merge work -o parsed.conllu.gz", "one file of all"),
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    steps = command.add_subparsers(title="steps", dest="step", metavar="STEP", required=True)
    plan = steps.add_parser("plan", help="divide the inputs", description="Divide the inputs into shards.")
    plan.add_argument("inputs", nargs="+", metavar="INPUT", help="CoNLL-U or text, plain or compressed")
    plan.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder of this corpus")
    plan.add_argument("-m", "--model", metavar="MODEL", help="a model file, or en or en-fast (default: en)")
    plan.add_argument("--megabytes", type=positive, default=64, metavar="N",
                      help="per shard, unpacked; a compressed stream is never cut (default: %(default)s)")  # fmt: skip
    request_options(plan, _PLAN)
    plan.add_argument("--compress", choices=("auto", "zst", "gz", "none"), default="auto",
                      help="how parsed shards are kept until they are merged; auto: by zstd from 1 GB of CoNLL-U or "
                      "100 MB of text on (default: auto)")  # fmt: skip
    run = steps.add_parser(
        "run", help="parse shards", description="Parse shards that are neither finished nor in hand, or one of them."
    )
    run.add_argument("folder", metavar="DIR")
    run.add_argument("-i", "--number", type=int, metavar="N", help="the shard, counted from 0 (default: all)")
    run.add_argument("--threads", type=positive, default=1, metavar="N", help="default: 1")
    where = run.add_mutually_exclusive_group()
    where.add_argument("--workers", type=positive, metavar="N", help="on so many processes of this machine (by Dask)")
    where.add_argument("--dask", metavar="ADDRESS", help="on the workers of a Dask cluster, tcp://HOST:PORT")
    status = steps.add_parser("status", help="how far it is", description="What is finished, in hand, and missing.")
    status.add_argument("folder", metavar="DIR")
    status.add_argument("--missing", action="store_true", help="print the numbers of what is not finished, one a line")
    retry = steps.add_parser(
        "retry", help="give back what dead runners hold",
        description="Give back the shards of runners that are dead; those of this machine are found.",
    )  # fmt: skip
    retry.add_argument("folder", metavar="DIR")
    retry.add_argument("-i", "--number", type=int, action="append", metavar="N", help="this shard, whoever holds it")
    retry.add_argument("--all", action="store_true", help="all shards that are held, by runners of any machine")
    merge = steps.add_parser("merge", help="one file of all shards", description="Write all shards to one file.")
    merge.add_argument("folder", metavar="DIR")
    merge.add_argument("-o", "--output", default="-", metavar="OUT", help="default: standard output")
    clean = steps.add_parser(
        "clean", help="remove what is of no use", description="Remove what other plans and killed runners left behind."
    )
    clean.add_argument("folder", metavar="DIR")
    clean.add_argument("--all", action="store_true", help="the plan and its results, too")


def run(args: argparse.Namespace) -> int:
    from fastparse.bulk import shards
    from fastparse.bulk.plans import Folder

    if args.step == "plan":
        asked = {name: getattr(args, name) for name in fields_of(_PLAN) if name != "model"}
        n = shards.plan(
            args.inputs, args.output, args.model, shard_bytes=args.megabytes << 20, compress=args.compress, **asked
        )
        suffix = Folder(Path(args.output)).plan().suffix
        print(f"{n} shards, numbered from 0: fastparse shard run {args.output} -i N")
        print(f"what is parsed lies in files that end in .conllu{suffix}, until it is merged")
        for name in shards.unsplit(args.output, args.megabytes << 20):
            print(f"{name}: it, or its end, is one shard, as it is one compressed stream: more workers do not help")
    elif args.step == "merge":
        shards.merge(args.folder, args.output)
    elif args.step == "retry":
        given = shards.retry(args.folder, args.number, everything=args.all)
        print(f"given back: {', '.join(map(str, given)) or 'none'}")
    elif args.step == "clean":
        print(f"{len(shards.clean(args.folder, everything=args.all))} files removed")
    elif args.step == "run":
        return _run(args)
    else:
        found = shards.status(args.folder)
        print("\n".join(map(str, found.missing)) if args.missing else found)
        return SOME_LOST if found.report.skipped + found.report.kept else DONE
    return 0


def _run(args: argparse.Namespace) -> int:
    from fastparse.bulk import shards

    if args.workers or args.dask:
        if args.number is not None:
            raise Error("-i is about one shard, which needs no workers: leave one of them out")
        found = _on_dask(args)
        return SOME_LOST if found.report.skipped + found.report.kept else DONE
    if args.number is not None:
        reports = [shards.run(args.folder, args.number, args.threads)]
    else:
        reports = [report for _, report in shards.run_free(args.folder, args.threads)]
        left = shards.status(args.folder)
        if left.missing:
            print(f"{len(left.missing)} shards are not finished, as others work on them:\n{left}", file=sys.stderr)
    return SOME_LOST if any(report.skipped + report.kept for report in reports) else DONE


def _on_dask(args: argparse.Namespace) -> Status:
    from fastparse.bulk.dask import local_cluster, parse_files
    from fastparse.extras import needed

    line = Line(None)

    def show(found: Status) -> None:
        line.show(str(found).partition("\n")[0])

    opened = local_cluster(args.workers) if args.workers else needed("distributed", "dask").Client(args.dask)
    try:
        with opened as client:
            return parse_files(client, args.folder, threads=args.threads, progress=show)
    finally:
        line.clear()
