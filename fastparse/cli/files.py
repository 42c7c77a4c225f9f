"""Commands that go from files to files: their options, and what they say of how far they are."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import fastparse
from fastparse.cli.arguments import number_from
from fastparse.cli.folders import Job, is_folder, jobs_of, need_folder_of, refuse_overwriting, single_files
from fastparse.cli.progress import Line
from fastparse.cli.usage import DONE, SOME_LOST
from fastparse.corpus.problems import number_of
from fastparse.errors import Error, UnknownLanguage, said_of
from fastparse.request import WAYS, Request, about, choices_of, default_of, fields_of, limits_of

if TYPE_CHECKING:
    from fastparse.annotate.stream import Report
    from fastparse.cli.finished import Finished
    from fastparse.parser import Parser

__all__ = ["add_file_arguments", "cores", "option_of", "request_options", "run"]

_PROBLEMS_SHOWN = 10
_FEW = 20  # files of which each has a line
_SECONDS_BETWEEN_LINES = 60
_SPELT = {"source": "from", "target": "to", "k": "k-best"}
_METAVARS = {"stats": "FILE", "encoding": "NAME", "model": "MODEL"}
_NOT_SAID = ("progress", "batch_words", "model", "threads")  # have options of their own, or none
_NO_PART = frozenset({"threads", "progress", "batch_words", "stats", "model"})  # of what outputs depend on


def option_of(name: str) -> str:
    """A field of a request as an option."""
    return "--" + _SPELT.get(name, name).replace("_", "-")


def request_options(command: argparse.ArgumentParser, way: str, *left_out: str) -> None:
    """An option for every field of a request that a way in honours."""
    for name in fields_of(way):
        if name in (*_NOT_SAID, *left_out):
            continue
        default, known, limits = default_of(name), choices_of(name), limits_of(name)
        text = about(name)
        more: dict[str, Any] = {"dest": name, "default": default}
        if default is False:
            more["action"] = "store_true"
        elif known:
            more["choices"] = tuple(choice for choice in known)
            text += f" (default: {default})"
        elif limits:
            more |= {"type": number_from(*limits), "metavar": "N"}
        else:
            more["metavar"] = _METAVARS.get(name, "VALUE")
            text += "" if default is None else f" (default: {default})"
        command.add_argument(option_of(name), help=text.replace("%", "%%"), **more)


def add_file_arguments(command: argparse.ArgumentParser, way: str, what: str) -> None:
    """Inputs, model, output, and all that can be asked for.

    Args:
        way: the way in, of `fastparse.request.WAYS`.
        what: the inputs are.
    """
    add = command.add_argument
    add("inputs", nargs="*", metavar="INPUT",
        help=f"{what}, plain or compressed; folders with -r; - or none is standard input")  # fmt: skip
    add("-m", "--model", metavar="MODEL",
        help="a model file, or the name of a model; auto: for each input the installed one of its language (default: "
        "en)")  # fmt: skip
    add(
        "-o", "--output", metavar="OUT", default="-",
        help="a file, whose suffix chooses format and compression (.gz, .xz, .bz2, .zst), for all inputs one after the "
        "other; or a folder, with / at its end if it is not there, for a file per input (default: standard output)",
    )  # fmt: skip
    add("-r", "--recursive", action="store_true",
        help="take all files of folders, by their suffix, and of the folders in them; in the folder OUT they keep "
        "their paths")  # fmt: skip
    add(
        "--force",
        action="store_true",
        help="make files in the folder OUT again that are finished; without it a run that was stopped goes on",
    )
    add(
        "--compress", choices=("auto", "zst", "gz", "none"), default="auto",
        help="how files in the folder OUT are packed, which then end in .zst or .gz; auto: as their inputs are, and by "
        "zstd, where it is installed, if the input is plain and has 1 GB of CoNLL-U or 100 MB of text (default: auto)",
    )  # fmt: skip
    request_options(command, way)
    if "source" in WAYS[way].fields:  # the name it had in older versions
        add("--format", choices=("auto", "conllu", "conllx"), default="auto", help=argparse.SUPPRESS)
    add("--threads", type=number_from(1), default=None, metavar="N",
        help="the output does not depend on it (default: as many as there are cores)")  # fmt: skip
    add("--progress", action=argparse.BooleanOptionalAction, help="say how far it is (default: on a terminal)")
    add("-q", "--quiet", action="store_true", help="no word on standard error but errors")
    command.set_defaults(way=way)


def cores() -> int:
    """The processors that this process may use."""
    found = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    return max(1, len(found))


def _request(args: argparse.Namespace) -> Request:
    """What a command line asks for."""
    from fastparse.parser import of_format

    given = {name: getattr(args, name) for name in fields_of(args.way) if hasattr(args, name) and name != "progress"}
    given["threads"] = args.threads or cores()
    if "source" in given:
        given["source"] = of_format(args.source, args.format)
    return Request.of(args.way, **given)


def run(args: argparse.Namespace) -> int:
    """Take all inputs, or each of them, through a model; report, and give the status to exit with."""
    from fastparse.annotate.stream import ALL_INPUTS, OF_TEXT
    from fastparse.parser import load

    request, what = _request(args), args.way.removeprefix("fastparse ")
    parser = load(request.model)
    parser.able_to(what)
    if not args.inputs:
        args.inputs = ["-"]
        if sys.stdin is not None and sys.stdin.isatty():
            from fastparse.cli.commands import command_parser

            command_parser(what).error("expected INPUT, or something from a pipe")
    wanted = (OF_TEXT if what == "tokenize" else ALL_INPUTS) if request.source == "auto" else (request.source,)
    if request.source in ("lines", "words"):
        wanted = ("text",)
    left_out: Counter[str] = Counter()
    if is_folder(args.output, args.inputs):
        if request.stats is not None:
            raise Error("--stats is about one output: it does not go with a folder")
        jobs = jobs_of(args.inputs, args.output, args.recursive, wanted, request, args.compress, left_out)
        _say_left_out(args, left_out)
        return _Folder(args, request, parser, what).run(jobs)
    if args.force:
        raise Error("--force is for folders of output: -o FOLDER/")
    if args.compress != "auto":
        raise Error("--compress is for folders of output: the suffix of a file says how it is compressed: -o OUT.zst")
    inputs = single_files(args.inputs, args.recursive, wanted, left_out)
    _say_left_out(args, left_out)
    _need_zstd(*inputs, args.output)
    need_folder_of(args.output)
    refuse_overwriting([*inputs, *([parser.path] if parser.path else [])], [args.output])
    with _shown(args, request, inputs) as asked:
        report = parser.through(asked, inputs, args.output, what)
    _say_problems(args, report)
    if not args.quiet:
        _say(f"{report}")
    return _status([report])


@contextlib.contextmanager
def _shown(args: argparse.Namespace, request: Request, inputs: list[str]) -> Iterator[Request]:
    """The request with a line that says how far it is, which goes away at the end."""
    line = Line(False if args.quiet else args.progress)
    name = f"{inputs[0]}: " if len(inputs) == 1 and len(args.inputs) + args.recursive > 1 else ""

    def show(report: Report) -> None:
        left = ""
        if report.share:
            left = f", {report.share:.0%}, {_clock(report.seconds / report.share - report.seconds)} left"
        line.show(f"{name}{report.words:,} words, {report.words_per_second:,.0f} words/s{left}")

    try:
        yield replace(request, progress=show)
    finally:
        line.clear()


def _say_problems(args: argparse.Namespace, report: Report) -> None:
    if args.quiet:
        return
    shown = report.problems[:_PROBLEMS_SHOWN]
    for problem in shown:
        _say(f"{problem}")
    if len(shown) < report.skipped + report.kept:
        _say(f"and {report.skipped + report.kept - len(shown):,} more")


def _need_zstd(*names: str) -> None:
    """Notice before work starts that zstd is missing, where a file is packed by it."""
    from fastparse.corpus.files.compression import zstd_module

    if any(name.endswith(".zst") for name in names):
        zstd_module()


def _say_left_out(args: argparse.Namespace, left_out: Counter[str]) -> None:
    """The files of folders that are no inputs, by their suffix."""
    if left_out and not args.quiet:
        listed = ", ".join(
            f"{suffix} ({n:,})" if len(left_out) > 1 else suffix
            for suffix, n in sorted(left_out.items(), key=lambda each: (-each[1], each[0]))
        )
        _say(f"{number_of(left_out.total(), 'file')} left out, by the suffix: {listed}")


class _Folder:
    """A file per input. Of many there is a line a minute, of few one each."""

    def __init__(self, args: argparse.Namespace, request: Request, parser: Parser, what: str) -> None:
        self._args, self._request, self._parser, self._what = args, request, parser, what
        self._failed = self._before = self._left_out = 0
        self._said = perf_counter()

    def run(self, jobs: list[Job]) -> int:
        from fastparse.cli.finished import Finished

        args = self._args
        refuse_overwriting([job.source for job in jobs], [job.target for job in jobs])
        _need_zstd(*(name for job in jobs for name in (job.source, job.name)))
        Path(args.output).mkdir(parents=True, exist_ok=True)
        asked = {name: value for name, value in self._request.changed().items() if name not in _NO_PART}
        options = {
            "fastparse": fastparse.__version__, "model": self._parser.sha256, "command": args.way,
            "compress": args.compress, **asked,
        }  # fmt: skip
        finished = Finished(Path(args.output), options, args.force)
        begun = perf_counter()
        reports: list[Report] = []
        try:
            for number, job in enumerate(jobs, 1):
                report = self._made(job, finished, len(jobs))
                reports += [report] if report is not None else []
                self._say_share(number, len(jobs))
        except (KeyboardInterrupt, SystemExit):
            if not args.quiet:
                _say(f"{len(reports):,} of {number_of(len(jobs), 'file')} done; the same command goes on")
            raise
        if not args.quiet:
            self._say_all(jobs, reports, perf_counter() - begun)
        return SOME_LOST if self._failed or self._left_out else _status(reports)

    def _made(self, job: Job, finished: Finished, n_jobs: int) -> Report | None:
        """What making an output reports, now or before; None if its input is damaged."""
        before = finished.report(job)
        if before is not None:
            self._before += 1
            return before
        job.target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with _shown(self._args, self._request, [job.source]) as asked:
                report = self._parser.through(asked, [job.source], str(job.target), self._what)
        except UnknownLanguage as error:
            self._left_out += 1
            _say(f"{job.source}: left out: {error}")
            return None
        except (Error, OSError) as error:
            reading = not isinstance(error, OSError) or error.filename == job.source
            if self._args.on_error == "stop" or not reading:
                raise
            self._failed += 1
            self._say_failure(job, error)
            return None
        finished.add(job, report)
        _say_problems(self._args, report)
        if not self._args.quiet and n_jobs <= _FEW:
            _say(f"{job.source}: {report}" + (f"; packed, as {job.target}" if job.packed else ""))
        return report

    def _say_share(self, number: int, n_jobs: int) -> None:
        """How many files are done, of many: a line a minute."""
        now = perf_counter()
        if n_jobs > _FEW and not self._args.quiet and now - self._said >= _SECONDS_BETWEEN_LINES:
            self._said = now
            _say(f"{number:,} of {n_jobs:,} files done")

    def _say_failure(self, job: Job, error: Error | OSError) -> None:
        said = said_of(error) if isinstance(error, OSError) else str(error)
        said = said if job.source in said else f"{job.source}: {said}"
        stop = "" if said.endswith((".", "?", "!")) else "."
        _say(f"{said}{stop} There is no output for it.")

    def _say_all(self, jobs: list[Job], reports: list[Report], seconds: float) -> None:
        from fastparse.annotate.stream import Report

        total = Report(seconds=seconds)
        for report in reports:
            for name in ("sentences", "words", "skipped", "kept"):
                setattr(total, name, getattr(total, name) + getattr(report, name))
        more = [f"{self._before:,} finished before (--force makes them again)"] if self._before else []
        more += [f"{self._failed:,} failed"] if self._failed else []
        more += [f"{self._left_out:,} left out, of languages without a model"] if self._left_out else []
        total_words = f"{number_of(len(jobs), 'file')}{''.join(f', {text}' for text in more)}"
        if self._before:  # whose words were not parsed in this time
            counts = f"{number_of(total.sentences, 'sentence')}, {number_of(total.words, 'word')}"
            _say(f"{total_words}: {counts} in all, {seconds:.1f} s")
        else:
            _say(f"{total_words}: {total}")


def _status(reports: Sequence[Report]) -> int:
    """The status to exit with: whether some sentences are lost."""
    return SOME_LOST if any(report.skipped + report.kept for report in reports) else DONE


def _say(text: str) -> None:
    Line(False).write(f"fastparse: {text}")


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600}:{whole % 3600 // 60:02}:{whole % 60:02}"
