"""The record that a folder of outputs keeps: what is finished, so that a run that was stopped goes on."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from fastparse.annotate.stream import Report
from fastparse.cli.folders import Job
from fastparse.corpus.files.output import write_output
from fastparse.errors import Error

__all__ = ["RECORD", "Finished"]

RECORD = ".fastparse.jsonl"
_COUNTS = ("sentences", "words", "skipped", "kept")


class Finished:
    """The outputs in a folder that need not be made again: those whose input and options have not changed.

    The record is a line of JSON for the options and one for each file, added when the file is there; so what a killed
    run leaves behind is true, but for a last line that is cut off.
    """

    def __init__(self, folder: Path, options: dict[str, Any], force: bool) -> None:
        """Read the record of a folder, or begin one.

        Args:
            options: all that the outputs depend on besides their inputs.
            force: begin anew, whatever is there.

        Raises:
            Error: if what is in the folder was made with other options.
        """
        self._path = folder / RECORD
        self._files: dict[str, dict[str, Any]] = {}
        lines = [] if force or not self._path.exists() else self._path.read_text(encoding="utf-8").splitlines()
        read = [line for line in map(_parsed, lines) if line is not None]
        self._on_error = options.get("on_error")
        if not read or "options" not in read[0]:
            write_output(self._path, json.dumps({"options": options}) + "\n")
            return
        before = read[0]["options"]
        # How losses are dealt with makes no difference to files that have none.
        names = [name for name in {**before, **options} if name != "on_error"]
        if changed := [name for name in names if before.get(name) != options.get(name)]:
            said = ", ".join(f"{name} {_short(before.get(name))}, now {_short(options.get(name))}" for name in changed)
            raise Error(
                f"{folder}: what is there was made with other options ({said}): --force makes it again, or give "
                "another folder"
            )
        self._files = {
            line["name"]: {"on_error": before.get("on_error"), **line} for line in read[1:] if "name" in line
        }
        if lines and _parsed(lines[-1]) is None:
            self._add({})  # ends the line that is cut off

    def report(self, job: Job) -> Report | None:
        """What the making of an output reported, if it is finished."""
        line = self._files.get(job.name)
        if line is None or line["input"] != _state(job.source) or not job.target.is_file():
            return None
        if line["skipped"] + line["kept"] and line["on_error"] != self._on_error:
            return None
        return Report(**{name: line[name] for name in _COUNTS})

    def add(self, job: Job, report: Report) -> None:
        """Record that an output is finished."""
        counts = {name: getattr(report, name) for name in _COUNTS}
        self._add({"name": job.name, "input": _state(job.source), **counts, "on_error": self._on_error})

    def _add(self, line: dict[str, Any]) -> None:
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n" if line else "\n")


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _state(path: str) -> list[int] | None:
    """What changes when a file does."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns]


def _short(value: Any) -> str:
    return "none" if value is None else str(value)[:12]
