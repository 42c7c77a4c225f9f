"""Folders in and out: which files a command line means, and what becomes of each."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fastparse.corpus.files.compression import suffix_for
from fastparse.errors import Error
from fastparse.request import Request

__all__ = ["Job", "is_folder", "jobs_of", "need_folder_of", "refuse_overwriting", "single_files"]


@dataclass(frozen=True)
class Job:
    """A file to be made of another.

    Attributes:
        source: the input.
        name: the output, seen from the folder of all outputs.
        target: the output.
    """

    source: str
    name: str
    target: Path

    @property
    def packed(self) -> bool:
        """Whether the output is compressed, and the input, by its name, is not."""
        return _packed(self.name) and not _packed(self.source)


def is_folder(output: str, inputs: Sequence[str]) -> bool:
    """Whether the output is a folder that gets a file per input: by a / at its end, or because it is one.

    The output of a folder is a folder too, unless its suffix is that of a file.
    """
    if output == "-":
        return False
    if output.endswith(("/", os.sep)) or os.path.isdir(output):
        return True
    from fastparse.annotate.formats import kind_by_suffix

    return kind_by_suffix(output) is None and not os.path.exists(output) and any(map(os.path.isdir, inputs))


def single_files(
    inputs: Sequence[str], recursive: bool, kinds: Sequence[str], left_out: Counter[str] | None = None
) -> list[str]:
    """The inputs, with the files of a folder, in the order of their paths, in its place.

    Args:
        left_out: counts, by suffix, the files of folders that are no inputs.
    """
    return [path for name in inputs for path, _ in _files_of(name, recursive, kinds, "", left_out)]


def jobs_of(
    inputs: Sequence[str], output: str, recursive: bool, kinds: Sequence[str], request: Request, compress: str,
    left_out: Counter[str] | None = None,
) -> list[Job]:  # fmt: skip
    """What is to be made in the folder `output`.

    Files of a folder keep their path below it; if there are several inputs, that of the folder's name. Others keep
    their name.

    Args:
        recursive: whether folders are meant with all that is in them; otherwise they are refused.
        kinds: of files that are taken from folders.
        request: tells what inputs and outputs are.
        compress: how outputs are, as for `suffix_for`.
        left_out: as for `single_files`.

    Raises:
        Error: if two inputs would become one file; or zstd is asked for and cannot be imported.
    """
    jobs: dict[str, Job] = {}
    for given in inputs:
        if given == "-":
            raise Error(f"standard input has no name that a file in {output} could have: give -o a file")
        for path, below in _files_of(given, recursive, kinds, output, left_out):
            above = [os.path.basename(os.path.abspath(given))] if len(inputs) > 1 and os.path.isdir(given) else []
            name = os.path.join(*above, _output_name(below, path, request, compress))
            if name in jobs:
                raise Error(
                    f"{jobs[name].source} and {path} would both become {os.path.join(output, name)}: give the folder "
                    "that both are in, with -r, or two folders of output"
                )
            jobs[name] = Job(path, name, Path(output, name))
    return list(jobs.values())


def refuse_overwriting(inputs: Sequence[str], outputs: Sequence[str | Path]) -> None:
    """Raise Error if an output is the file of an input."""
    files = {(found.st_dev, found.st_ino): name for name in inputs if name != "-" and (found := _found(name))}
    for output in outputs:
        found = None if str(output) == "-" else _found(output)
        same = files.get((found.st_dev, found.st_ino)) if found and os.path.isfile(output) else None
        if same is not None:
            raise Error(f"{output}: this would be written over the input {same}: give -o another name or folder")


def need_folder_of(output: str) -> None:
    """Raise Error if a file cannot be made because its folder is not there."""
    folder = os.path.dirname(output)
    if folder and not os.path.isdir(folder):
        raise Error(f"{output}: there is no folder {folder!r} to write this to: make it first")


def _found(name: str | Path) -> os.stat_result | None:
    try:
        return os.stat(name)
    except OSError:
        return None


def _files_of(
    name: str, recursive: bool, kinds: Sequence[str], without: str, left_out: Counter[str] | None
) -> Iterator[tuple[str, str]]:
    """An input, or the files of a folder: their paths, and these seen from the folder."""
    if not os.path.isdir(name):
        yield name, os.path.basename(name)
        return
    if not recursive:
        raise Error(f"{name}: this is a folder: -r takes the files in it, and in the folders in it")
    from fastparse.annotate.formats import kind_by_suffix, listed

    excluded, n = os.path.realpath(without) if without else None, 0
    for folder, folders, files in os.walk(name, onerror=_raise):
        folders[:] = sorted(
            each for each in folders
            if not each.startswith(".") and os.path.realpath(os.path.join(folder, each)) != excluded
        )  # fmt: skip
        for file in sorted(files):
            if file.startswith("."):
                continue
            if kind_by_suffix(file) in kinds:
                n += 1
                path = os.path.join(folder, file)
                yield path, os.path.relpath(path, name)
            elif left_out is not None:
                left_out[os.path.splitext(file)[1] or "no suffix"] += 1
    if not n:
        raise Error(f"{name}: no file in this folder is an input, by its suffix: {listed(kinds)}, also compressed")


def _raise(error: OSError) -> None:
    raise error


def _output_name(below: str, path: str, request: Request, compress: str) -> str:
    """The path of the output for an input: its suffix tells what the output is, and then how it is compressed.

    What would change nothing is refused here, as is what is not installed: before work starts.

    Args:
        below: the path seen from the folder of inputs.
        path: the input.
    """
    from fastparse.annotate.formats import INPUTS, OUTPUTS, kind_by_suffix, of_use

    by_suffix = kind_by_suffix(below)
    kind = (by_suffix or "conllu") if request.source == "auto" else request.source
    target = request.target if request.target != "auto" else "parquet" if kind == "parquet" else "conllu"
    if by_suffix or request.source != "auto":
        of_use(request, INPUTS[kind])
    of_use(request, OUTPUTS[target])
    stem, given = os.path.splitext(below) if _packed(below) else (below, "")
    if by_suffix is not None and (request.target != "auto" or by_suffix not in ("conllu", "conllx", target)):
        stem = os.path.splitext(stem)[0] + OUTPUTS[target].suffixes[0]
    elif request.target != "auto":
        stem += OUTPUTS[target].suffixes[0]
    if OUTPUTS[target].packed:
        return stem
    found = _found(path)
    as_text = kind if kind == "conllu" or not kind.startswith("conll") else "conllu"
    return stem + suffix_for(compress, found.st_size if found else 0, as_text, given)


def _packed(name: str) -> bool:
    from fastparse.annotate.formats import COMPRESSED

    return os.path.splitext(name)[1] in COMPRESSED
