"""Plans of shards: which bytes of which inputs, what they are, and what becomes of them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fastparse
from fastparse.annotate.components import TOKENIZER
from fastparse.bulk.cutting import Cut, cuts_of, open_input
from fastparse.bulk.records import is_count, read_record, write_record
from fastparse.corpus.files.compression import SUFFIXES, suffix_for
from fastparse.corpus.files.kinds import SOURCES, kind_of_source
from fastparse.corpus.reading import iter_conllu
from fastparse.errors import Error

__all__ = ["SHARD_BYTES", "Folder", "Plan", "Shard", "make_plan"]

SHARD_BYTES = 64 << 20
_FORMAT = 4
_STEP = 1 << 20
_LARGEST_BEAM = 1 << 31
# What the options of a plan may be; what parsing takes of them it says itself.
_OPTIONS: dict[str, Callable[[Any], bool]] = {
    "beam": lambda value: value is None or (type(value) is int and 1 <= value < _LARGEST_BEAM),
    "on_error": lambda value: isinstance(value, str),
    "deps": lambda value: isinstance(value, str),
    "retag": lambda value: type(value) is bool,
    "source": lambda value: value in SOURCES[1:],
    "format": lambda value: isinstance(value, str),
}
_FORMATS = {8: "conllx/8", 10: "conllu"}


@dataclass(frozen=True)
class Shard:
    """A part of an input.

    Attributes:
        number: counted from 0 through all inputs.
        input: which one.
        begin, end: its bytes.
        sha256: of these.
        packed, skip, size, continues: as of `Cut`.
    """

    number: int
    input: int
    begin: int
    end: int
    sha256: str
    packed: bool = False
    skip: int = 0
    size: int | None = None
    continues: bool = False

    @property
    def weight(self) -> int:
        """How much work it is: its bytes, unpacked if that is known."""
        return self.end - self.begin if self.size is None else self.size


@dataclass(frozen=True)
class Plan:
    """What a manifest says.

    Attributes:
        identity: the SHA-256 of everything else; results carry it.
        model: its address, path or name and SHA-256.
        options: of parsing, with the kind and the number of columns of the inputs decided.
        inputs: their paths.
        sizes: of the inputs, in bytes.
        suffix: of compression, of the parsed shards.
        shards: in order.
    """

    identity: str
    model: tuple[str, str]
    options: dict[str, Any]
    inputs: list[str]
    sizes: list[int]
    suffix: str
    shards: list[Shard]

    def shard(self, number: int) -> Shard:
        if not 0 <= number < len(self.shards):
            raise Error(f"there is no shard {number}: the plan has {len(self.shards)}, counted from 0")
        return self.shards[number]


@dataclass(frozen=True)
class Folder:
    """Where everything of a plan lies."""

    path: Path

    @property
    def manifest(self) -> Path:
        return self.path / "manifest.json"

    def output(self, number: int, suffix: str) -> Path:
        return self.path / f"{number:05}.conllu{suffix}"

    def mark(self, number: int) -> Path:
        return self.path / f"{number:05}.done"

    def claim(self, number: int) -> Path:
        return self.path / f"{number:05}.claim"

    def plan(self) -> Plan:
        """Raises Error if there is none, or one of another version."""
        path = self.manifest
        try:
            found = read_record(path)
        except FileNotFoundError:
            raise Error(f"{path}: there is no plan in this folder. Make one first (fastparse shard plan).") from None
        except ValueError as error:
            raise Error(f"{path}: this is not a plan ({error})") from None
        if found.get("format") != _FORMAT:
            raise Error(f"{path}: this is not a plan of this version of fastparse: delete it, and plan again")
        try:
            if found.pop("identity", None) != _identity(found):
                raise Error(f"{path}: the plan was edited, so that results may not be of it: plan again")
            return _plan_of(found)
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise Error(f"{path}: this is not a plan ({error!r:.80})") from None

    def write(self, manifest: dict[str, Any]) -> None:
        """Write a manifest without its identity; the same again changes nothing.

        Raises:
            Error: if the folder holds another plan.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        if self.manifest.exists():
            if self.plan().identity != _identity(manifest):
                raise Error(
                    f"{self.manifest}: the folder holds another plan, or an input or the model has changed since. Give "
                    f"an empty folder; or fastparse shard clean --all {self.path} to begin anew."
                )
            return
        write_record(self.manifest, {**manifest, "identity": _identity(manifest)})


def make_plan(
    inputs: Sequence[str | os.PathLike[str]], model: Any, *, shard_bytes: int, source: str, format: str, compress: str,
    **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """The manifest of a plan. All inputs are read once, compressed ones twice."""
    if not isinstance(shard_bytes, int) or shard_bytes < 1:
        raise Error(f"shard_bytes={shard_bytes!r}: expected a number from 1")
    parser = fastparse.load(model)
    files = [os.path.abspath(os.fspath(path)) for path in inputs]
    kind = kind_of_source(files, source)
    if kind != "conllu" and TOKENIZER not in parser.components:
        raise Error("running text needs a model with a tokenizer, and this one has none: train one, or give CoNLL-U")
    path, sha256 = parser.address
    shards = [shard for number, path in enumerate(files) for shard in _shards(path, number, shard_bytes, kind)]
    size = sum(shard.get("size") or shard["end"] - shard["begin"] for shard in shards)
    return {
        "format": _FORMAT,
        "fastparse": fastparse.__version__,
        "model": {"path": path, "sha256": sha256},
        "options": {**options, "source": kind, "format": _columns(files, format) if kind == "conllu" else format},
        "inputs": [{"path": path, "bytes": os.path.getsize(path)} for path in files],
        "suffix": suffix_for(compress, size, kind),
        "shards": shards,
    }


def _plan_of(found: dict[str, Any]) -> Plan:
    """The plan in a manifest from outside; raises KeyError, TypeError or ValueError if it is none."""
    model, options = found["model"], found["options"]
    inputs, sizes = [item["path"] for item in found["inputs"]], [item["bytes"] for item in found["inputs"]]
    shards = [Shard(number, **shard) for number, shard in enumerate(found["shards"])]
    _require(all(isinstance(part, str) for part in (model["path"], model["sha256"], *inputs)), "a path is no string")
    _require(all(map(is_count, sizes)), "the size of an input is no number of bytes")
    _require(isinstance(options, dict) and options.keys() == _OPTIONS.keys(), "it has other options")
    for name, fits in _OPTIONS.items():
        _require(fits(options[name]), f"{name} is {options[name]!r:.40}")
    for shard in shards:
        whole = all(map(is_count, (shard.input, shard.begin, shard.end))) and shard.input < len(inputs)
        _require(whole and shard.begin <= shard.end <= sizes[shard.input], f"shard {shard.number} is not in its input")
        flags = type(shard.packed) is type(shard.continues) is bool
        part = is_count(shard.skip) and (shard.size is None or is_count(shard.size))
        _require(part and (shard.packed or not shard.skip), f"shard {shard.number} leaves out what is not there")
        _require(flags and isinstance(shard.sha256, str), f"shard {shard.number} is not described as it must be")
    _require(found["suffix"] in SUFFIXES, "shards are compressed in an unknown way")
    return Plan(_identity(found), (model["path"], model["sha256"]), options, inputs, sizes, found["suffix"], shards)


def _require(condition: bool, what: str) -> None:
    if not condition:
        raise ValueError(what)


def _identity(manifest: dict[str, Any]) -> str:
    """The version of fastparse counts: results of two do not go together."""
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode("utf-8")).hexdigest()


def _columns(files: list[str], format: str) -> str:
    """A format that says how many columns there are: as many as the first word has, as in one run over all inputs."""
    if format == "conllu":
        return format
    n_columns = 10
    for treebank in iter_conllu(files, 1, format, "skip"):
        n_columns = treebank.n_columns
        if treebank.n_words:
            break
    return _FORMATS[n_columns]


def _shards(path: str, number: int, shard_bytes: int, kind: str) -> Iterator[dict[str, Any]]:
    """The shards of a file, with what differs from the defaults.

    Args:
        kind: what the file is.
    """
    with open_input(path) as stream:
        for cut in cuts_of(path, shard_bytes, kind, first=not number):
            said = {name: value for name, value in cut._asdict().items() if value != Cut._field_defaults.get(name, ...)}
            yield {"input": number, **said, "sha256": _sha256(stream, cut.begin, cut.end)}


def _sha256(stream: Any, begin: int, end: int) -> str:
    digest = hashlib.sha256()
    stream.seek(begin)
    while begin < end and (piece := stream.read(min(_STEP, end - begin))):
        digest.update(piece)
        begin += len(piece)
    return digest.hexdigest()
