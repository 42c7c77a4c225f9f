"""Commands that go from files to files: their options, and what they say of how far they are."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import fastparse
from fastparse.cli.arguments import positive
from fastparse.cli.folders import Job, is_folder, jobs_of, need_folder_of, refuse_overwriting, single_files
from fastparse.cli.progress import Line
from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.annotate.stream import Report
    from fastparse.cli.finished import Finished
    from fastparse.parser import Parser

__all__ = ["Work", "add_file_arguments", "through_files"]

_DONE, _SOME_LOST = 0, 3
_NO_PART = {"inputs", "output", "model", "threads", "progress", "quiet", "recursive", "force", "run", "stats"}
_PROBLEMS_SHOWN = 10

Work = Callable[[list[str], str, Callable[["Report"], object]], "Report"]


def add_file_arguments(command: argparse.ArgumentParser, what: str, sources: Sequence[str]) -> None:
    """Inputs, model, output, kind of input, threads, progress.

    Args:
        what: the inputs are.
        sources: what --from may say.
    """
    add = command.add_argument
    add("inputs", nargs="+", metavar="INPUT", help=f"{what}, plain or compressed; folders with -r; - is standard input")
    add("-m", "--model", metavar="MODEL", help="a model file, or the name of a model (default: en)")
    add(
        "-o", "--output", metavar="OUT", default="-",
        help="a file, whose suffix chooses compression (.gz, .xz, .bz2, .zst), for all inputs one after the other; or "
        "a folder, with / at its end if it is not there, for a file per input (default: standard output)",
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
    add("--from", dest="source", choices=sources, default="auto",
        help="what the input is: text; lines, a sentence each; words, lines of tokens with spaces between them; auto: "
        "by the suffix (.conllu, .conll, .conllx; .txt) (default: auto)")  # fmt: skip
    add("--offsets", action="store_true",
        help="write TokenRange, the place of every token of a text in characters, to MISC")  # fmt: skip
    add("--on-error", choices=("stop", "skip", "keep"), default="stop",
        help="what becomes of sentences that cannot be read: skip leaves them out, keep copies them; with either, "
        "a damaged file does not stop the others (default: stop)")  # fmt: skip
    add("--threads", type=positive, default=1, metavar="N", help="the output does not depend on it (default: 1)")
    add("--progress", action=argparse.BooleanOptionalAction, help="say how far it is (default: on a terminal)")
    add("-q", "--quiet", action="store_true", help="no word on standard error but errors")


def through_files(args: argparse.Namespace, parser: Parser, work: Work, kinds: Sequence[str]) -> int:
    """Do the work on all inputs, or on each of them, report, and give the status to exit with.

    Args:
        work: from inputs to an output, calling its last argument now and then.
        kinds: of files that are taken from folders.
    """
    wanted = {"auto": kinds, "conllu": ("conllu",)}.get(args.source, ("text",))
    if is_folder(args.output, args.inputs):
        if getattr(args, "stats", None):
            raise Error("--stats is about one output: it does not go with a folder")
        jobs = jobs_of(args.inputs, args.output, args.recursive, wanted, args.source, args.compress)
        return _Folder(args, parser, work).run(jobs)
    if args.force:
        raise Error("--force is for folders of output: -o FOLDER/")
    if args.compress != "auto":
        raise Error("--compress is for folders of output: the suffix of a file says how it is compressed: -o OUT.zst")
    inputs = single_files(args.inputs, args.recursive, wanted)
    need_folder_of(args.output)
    refuse_overwriting(inputs, [args.output])
    report = _shown(args, inputs, args.output, work)
    if not args.quiet:
        _say(f"{report}")
    return _status([report])


class _Folder:
    """A file per input."""

    def __init__(self, args: argparse.Namespace, parser: Parser, work: Work) -> None:
        self._args, self._parser, self._work = args, parser, work
        self._failed = self._before = 0

    def run(self, jobs: list[Job]) -> int:
        from fastparse.cli.finished import Finished

        args = self._args
        refuse_overwriting([job.source for job in jobs], [job.target for job in jobs])
        Path(args.output).mkdir(parents=True, exist_ok=True)
        said = {name: value for name, value in sorted(vars(args).items()) if name not in _NO_PART}
        options = {"fastparse": fastparse.__version__, "model": self._parser.sha256, **said}
        finished = Finished(Path(args.output), options, args.force)
        begun = perf_counter()
        reports = [report for job in jobs if (report := self._made(job, finished)) is not None]
        if not args.quiet:
            self._say_all(jobs, reports, perf_counter() - begun)
        return _SOME_LOST if self._failed else _status(reports)

    def _made(self, job: Job, finished: Finished) -> Report | None:
        """What making an output reports, now or before; None if its input is damaged."""
        before = finished.report(job)
        if before is not None:
            self._before += 1
            return before
        job.target.parent.mkdir(parents=True, exist_ok=True)
        try:
            report = _shown(self._args, [job.source], str(job.target), self._work)
        except (Error, OSError) as error:
            reading = not isinstance(error, OSError) or error.filename == job.source
            if self._args.on_error == "stop" or not reading:
                raise
            self._failed += 1
            self._say_failure(job, error)
            return None
        finished.add(job, report)
        if not self._args.quiet:
            _say(f"{job.source}: {report}" + (f"; packed, as {job.target}" if job.packed else ""))
        return report

    def _say_failure(self, job: Job, error: Error | OSError) -> None:
        from fastparse.cli.failures import said_of

        said = said_of(error) if isinstance(error, OSError) else str(error)
        said = said if job.source in said else f"{job.source}: {said}"
        _say(f"{said} There is no output for it.")

    def _say_all(self, jobs: list[Job], reports: list[Report], seconds: float) -> None:
        from fastparse.annotate.stream import Report
        from fastparse.corpus.problems import number_of

        total = Report(seconds=seconds)
        for report in reports:
            for name in ("sentences", "words", "skipped", "kept"):
                setattr(total, name, getattr(total, name) + getattr(report, name))
        more = [f"{self._before:,} finished before (--force makes them again)"] if self._before else []
        more += [f"{self._failed:,} failed"] if self._failed else []
        total_words = f"{number_of(len(jobs), 'file')}{''.join(f', {text}' for text in more)}"
        if self._before:  # whose words were not parsed in this time
            counts = f"{number_of(total.sentences, 'sentence')}, {number_of(total.words, 'word')}"
            _say(f"{total_words}: {counts} in all, {seconds:.1f} s")
        else:
            _say(f"{total_words}: {total}")


def _status(reports: Sequence[Report]) -> int:
    """The status to exit with: whether some sentences are lost."""
    return _SOME_LOST if any(report.skipped + report.kept for report in reports) else _DONE


def _shown(args: argparse.Namespace, inputs: list[str], output: str, work: Work) -> Report:
    """The work on some inputs, with a line that says how far it is, and the problems that it reports."""
    line = Line(False if args.quiet else args.progress)
    name = f"{inputs[0]}: " if len(inputs) == 1 and len(args.inputs) + args.recursive > 1 else ""

    def show(report: Report) -> None:
        left = ""
        if report.share:
            left = f", {report.share:.0%}, {_clock(report.seconds / report.share - report.seconds)} left"
        line.show(f"{name}{report.words:,} words, {report.words_per_second:,.0f} words/s{left}")

    try:
        report = work(inputs, output, show)
    finally:
        line.clear()
    if not args.quiet:
        shown = report.problems[:_PROBLEMS_SHOWN]
        for problem in shown:
            _say(f"{problem}")
        if len(shown) < report.skipped + report.kept:
            _say(f"and {report.skipped + report.kept - len(shown):,} more")
    return report


def _say(text: str) -> None:
    Line(False).write(f"fastparse: {text}")


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600}:{whole % 3600 // 60:02}:{whole % 60:02}"
