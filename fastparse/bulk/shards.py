"""Corpora, trees or text, in shards: planned once, parsed by any number of processes on any machines, resumed, merged.

A folder holds everything:

    manifest.json       the inputs with their sizes, the ranges of bytes, the model with its SHA-256, the options
    00000.conllu        a parsed shard; it appears whole or not at all
    00000.done          its counts and SHA-256; written after it, so a shard with one is finished

Merged, the shards are byte for byte what parsing the inputs at once gives. Nothing but the folder is shared: GNU
parallel, SLURM arrays and the like call `run` with a number, and again for what is missing.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import fastparse
from fastparse.bulk.joining import Finished, joined_conllu, joined_text
from fastparse.corpus.files.compression import is_compressed
from fastparse.corpus.files.kinds import kind_of_source
from fastparse.corpus.files.output import open_output
from fastparse.errors import Error
from fastparse.parser import shared
from fastparse.pipeline import Report
from fastparse.text.paragraphs import after_paragraph

__all__ = ["Status", "merge", "plan", "run", "status"]

SHARD_BYTES = 64 << 20
_FORMAT = 2
_BOM = b"\xef\xbb\xbf"
_STEP = 1 << 20


@dataclass(frozen=True)
class Status:
    """How far a plan is.

    Attributes:
        shards: in all.
        missing: numbers of those not finished.
        report: the sum of those that are.
    """

    shards: int
    missing: list[int]
    report: Report

    def __str__(self) -> str:
        return f"{self.shards - len(self.missing):,} of {self.shards:,} shards are finished: {self.report}"


def plan(
    inputs: Sequence[str | os.PathLike[str]],
    folder: str | os.PathLike[str],
    model: str | os.PathLike[str] | None = None,
    *,
    shard_bytes: int = SHARD_BYTES,
    beam: int | None = None,
    on_error: str = "stop",
    deps: str = "keep",
    format: str = "auto",
    source: str = "auto",
    retag: bool = False,
) -> int:
    """Write the manifest and return the number of shards.

    Shards end between sentences, those of text between paragraphs. A compressed file is one shard, since it cannot be
    read from its middle.

    Args:
        inputs: files; their order is that of the merged output.
        folder: made if it is not there. Planning the same again changes nothing.
        model, beam, on_error, deps, format, source, retag: as for `load` and `Parser.parse_file`.

    Raises:
        Error: if the folder holds another plan.
    """
    parser = fastparse.load(model)
    if not isinstance(shard_bytes, int) or shard_bytes < 1:
        raise Error(f"shard_bytes={shard_bytes!r}: expected a number from 1")
    files = [os.path.abspath(os.fspath(path)) for path in inputs]
    kind = kind_of_source(files, source)
    if kind != "conllu" and "tokenizer" not in parser.components:
        raise Error("running text needs a model with a tokenizer, and this one has none: train one, or give CoNLL-U")
    manifest: dict[str, Any] = {
        "format": _FORMAT,
        "fastparse": fastparse.__version__,
        "model": {"path": parser.path, "sha256": parser.sha256},
        "options": {
            "beam": beam,
            "on_error": on_error,
            "deps": deps,
            "format": format,
            "source": kind,
            "retag": retag,
        },
        "inputs": [_stated(path) for path in files],
        "shards": [shard for number, path in enumerate(files) for shard in _ranges(path, number, shard_bytes, kind)],
    }
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    path = place / "manifest.json"
    if path.exists() and json.loads(path.read_text(encoding="utf-8")) != manifest:
        raise Error(f"{path}: the folder holds another plan. Give an empty folder, or delete it to begin anew.")
    _write_json(path, manifest)
    return len(manifest["shards"])


def run(folder: str | os.PathLike[str], number: int, threads: int = 1) -> Report:
    """Parse one shard, unless that is done already.

    Raises:
        Error: if the plan, an input or the model is not as it was.
    """
    manifest = _manifest(folder)
    if not 0 <= number < len(manifest["shards"]):
        raise Error(f"there is no shard {number}: the plan has {len(manifest['shards'])}, counted from 0")
    done = _done(folder, number)
    if done is not None:
        return done
    shard = manifest["shards"][number]
    stated = manifest["inputs"][shard["input"]]
    if _stated(stated["path"]) != stated:
        raise Error(f"{stated['path']}: the file has changed since the plan was made. Plan again in an empty folder.")
    parser = shared(manifest["model"]["path"], manifest["model"]["sha256"])
    target = _output(folder, number)
    options = manifest["options"]
    with open(stated["path"], "rb") as stream:
        source = _Range(stream, shard["begin"], shard["end"])
        report = parser.parse_file(
            source,
            target,
            options["beam"],
            threads,
            options["on_error"],
            deps=options["deps"],
            format=options["format"],
            source=options["source"],
            retag=options["retag"],
        )
    _write_json(_mark(folder, number), {"sha256": _sha256(target), **report.to_dict()})
    return report


def status(folder: str | os.PathLike[str]) -> Status:
    """What is finished and what is missing."""
    n = len(_manifest(folder)["shards"])
    total = Report()
    missing = []
    for number in range(n):
        done = _done(folder, number)
        if done is None:
            missing.append(number)
            continue
        for name in ("sentences", "words", "skipped", "kept", "seconds", "bytes_written"):
            setattr(total, name, getattr(total, name) + getattr(done, name))
    return Status(n, missing, total)


def merge(folder: str | os.PathLike[str], output: Any, *, verify: bool = True) -> int:
    """Write all shards to one file (its suffix chooses compression), in order; returns the bytes before compression.

    Args:
        verify: check the SHA-256 of each shard.

    Raises:
        Error: if a shard is missing or not as it was written.
    """
    manifest = _manifest(folder)
    missing = status(folder).missing
    if missing:
        shown = ", ".join(map(str, missing[:10])) + (", ..." if len(missing) > 10 else "")
        raise Error(f"{os.fspath(folder)}: {len(missing)} shards are not finished: {shown}. Run them first.")
    text = manifest["options"]["source"] != "conllu"
    with open_output(output) as out:
        return sum(map(out.write, (joined_text if text else joined_conllu)(_finished(folder, manifest, verify))))


def _finished(folder: str | os.PathLike[str], manifest: dict[str, Any], verify: bool) -> Iterator[Finished]:
    """The shards in order.

    Raises:
        Error: if one is not as it was written.
    """
    for number, shard in enumerate(manifest["shards"]):
        path = _output(folder, number)
        done = json.loads(_mark(folder, number).read_text(encoding="utf-8"))
        if verify and _sha256(path) != done["sha256"]:
            raise Error(f"{path}: the file has changed since it was written. Delete it and run shard {number} again.")
        source = manifest["inputs"][shard["input"]]["path"]
        yield Finished(path, shard["input"], source, shard["begin"], done["sentences"] + done["kept"])


class _Range(io.RawIOBase):
    """Part of a file, as a stream of its own."""

    def __init__(self, stream: Any, begin: int, end: int) -> None:
        self.name = stream.name if begin == 0 else f"{stream.name} (from byte {begin:,})"
        self._stream = stream
        self._left = end - begin
        stream.seek(begin)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        wanted = self._left if size < 0 else min(size, self._left)
        data: bytes = self._stream.read(wanted)
        self._left -= len(data)
        return data


def _ranges(path: str, number: int, shard_bytes: int, kind: str) -> list[dict[str, int]]:
    """Where the shards of a file begin and end.

    Args:
        kind: what the file is.
    """
    find = _after_blank_line if kind == "conllu" else partial(after_paragraph, lines=kind != "text")
    size = os.path.getsize(path)
    with open(path, "rb") as stream:
        start = stream.read(8)
        begin = len(_BOM) if number and start.startswith(_BOM) and kind == "conllu" else 0
        if is_compressed(start):
            return [{"input": number, "begin": 0, "end": size}]
        bounds = [begin]
        while bounds[-1] + shard_bytes < size:
            bounds.append(find(stream, bounds[-1] + shard_bytes, size))
    if bounds[-1] < size or len(bounds) == 1:
        bounds.append(size)
    return [{"input": number, "begin": a, "end": b} for a, b in pairwise(bounds)]


def _after_blank_line(stream: Any, at: int, size: int) -> int:
    """The first place of CoNLL-U from `at` on where a sentence can begin: behind a line without anything visible."""
    stream.seek(at)
    stream.readline()
    for line in stream:
        at = stream.tell()
        if not line.strip(b" \t\r\n"):
            return at
    return size


def _stated(path: str) -> dict[str, Any]:
    found = os.stat(path)
    return {"path": path, "bytes": found.st_size, "modified_ns": found.st_mtime_ns}


def _manifest(folder: str | os.PathLike[str]) -> dict[str, Any]:
    path = Path(folder) / "manifest.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Error(f"{path}: there is no plan in this folder. Make one first (fastparse shard plan).") from None
    except ValueError as error:
        raise Error(f"{path}: this is not a plan ({error})") from None
    if not isinstance(found, dict) or found.get("format") != _FORMAT:
        raise Error(f"{path}: this is not a plan of this version of fastparse")
    return found


def _output(folder: str | os.PathLike[str], number: int) -> Path:
    return Path(folder) / f"{number:05}.conllu"


def _mark(folder: str | os.PathLike[str], number: int) -> Path:
    return Path(folder) / f"{number:05}.done"


def _done(folder: str | os.PathLike[str], number: int) -> Report | None:
    """What a finished shard has reported; None if it is not finished."""
    try:
        found = json.loads(_mark(folder, number).read_text(encoding="utf-8"))
        if os.path.getsize(_output(folder, number)) != found["bytes_written"]:
            return None
    except (FileNotFoundError, ValueError, KeyError):
        return None
    names = ("sentences", "words", "skipped", "kept", "seconds", "bytes_written")
    return Report(**{name: found[name] for name in names})


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        while piece := stream.read(_STEP):
            digest.update(piece)
    return digest.hexdigest()


def _write_json(path: Path, value: Any) -> None:
    with open_output(path) as out:
        out.write((json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode("utf-8"))
