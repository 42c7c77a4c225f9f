"""Plans of shards: which bytes of which inputs, what they are, and what becomes of them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fastparse
from fastparse.annotate.components import TOKENIZER
from fastparse.annotate.formats import INPUTS, known_sources
from fastparse.bulk.cutting import Cut, cuts_of, open_input
from fastparse.bulk.records import is_count, read_record, write_record
from fastparse.corpus.files.compression import SUFFIXES, suffix_for
from fastparse.corpus.reading import iter_conllu
from fastparse.errors import Error
from fastparse.model.finding import find
from fastparse.request import WAYS, Request, default_of

__all__ = ["SHARD_BYTES", "Folder", "Plan", "Shard", "make_plan"]

SHARD_BYTES = 64 << 20
_FORMAT = 5
_OLDER = (4,)  # formats of manifests that are read, too
_STEP = 1 << 20
_WAY = "shards.plan"
_OPTIONS = sorted(WAYS[_WAY].fields - {"model"})
_SHARDED = ("conllu", "conllx", "text", "lines", "words")
_OF_COLUMNS = {8: "conllx/8", 10: "conllu/10"}
_OLD_FORMATS = {"auto": "conllu", "conllu": "conllu/10", "conllx": "conllx", "conllx/8": "conllx/8"}


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
        request: what is asked of parsing, with the kind and the number of columns of the inputs decided.
        inputs: their paths.
        sizes: of the inputs, in bytes.
        suffix: of compression, of the parsed shards.
        shards: in order.
    """

    identity: str
    model: tuple[str, str]
    request: Request
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
        if found.get("format") not in (_FORMAT, *_OLDER):
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
    inputs: Sequence[str | os.PathLike[str]], request: Request, *, shard_bytes: int, compress: str
) -> dict[str, Any]:
    """The manifest of a plan. All inputs are read once, compressed ones twice."""
    if not isinstance(shard_bytes, int) or shard_bytes < 1:
        raise Error(f"shard_bytes={shard_bytes!r}: expected a number from 1")
    parser = fastparse.load(find(request.model))
    parser._annotator.check(request)
    files = [os.path.abspath(os.fspath(path)) for path in inputs]
    for path in files:
        open_input(path).close()  # which refuses pipes, before anybody looks into one
    with known_sources(files, request, _SHARDED, "conllu") as (kind, _, _):
        pass
    of_words = kind.startswith("conll")
    if not of_words and TOKENIZER not in parser.components:
        raise Error("running text needs a model with a tokenizer, and this one has none: train one, or give CoNLL-U")
    path, sha256 = parser.address
    cut_as = "conllu" if of_words else kind
    shards = [shard for number, path in enumerate(files) for shard in _shards(path, number, shard_bytes, cut_as)]
    asked = {name: getattr(request, name) for name in _OPTIONS}
    size = sum(shard.get("size") or shard["end"] - shard["begin"] for shard in shards)
    return {
        "format": _FORMAT,
        "fastparse": fastparse.__version__,
        "model": {"path": path, "sha256": sha256},
        "options": {**asked, "source": _columns(files, kind) if of_words else kind},
        "inputs": [{"path": path, "bytes": os.path.getsize(path)} for path in files],
        "suffix": suffix_for(compress, size, cut_as),
        "shards": shards,
    }


def _plan_of(found: dict[str, Any]) -> Plan:
    """The plan in a manifest from outside; raises KeyError, TypeError or ValueError if it is none."""
    model = found["model"]
    request = _request_of(found["options"])
    inputs, sizes = [item["path"] for item in found["inputs"]], [item["bytes"] for item in found["inputs"]]
    shards = [Shard(number, **shard) for number, shard in enumerate(found["shards"])]
    _require(all(isinstance(part, str) for part in (model["path"], model["sha256"], *inputs)), "a path is no string")
    _require(all(map(is_count, sizes)), "the size of an input is no number of bytes")
    for shard in shards:
        whole = all(map(is_count, (shard.input, shard.begin, shard.end))) and shard.input < len(inputs)
        _require(whole and shard.begin <= shard.end <= sizes[shard.input], f"shard {shard.number} is not in its input")
        flags = type(shard.packed) is type(shard.continues) is bool
        part = is_count(shard.skip) and (shard.size is None or is_count(shard.size))
        _require(part and (shard.packed or not shard.skip), f"shard {shard.number} leaves out what is not there")
        _require(flags and isinstance(shard.sha256, str), f"shard {shard.number} is not described as it must be")
    _require(found["suffix"] in SUFFIXES, "shards are compressed in an unknown way")
    return Plan(_identity(found), (model["path"], model["sha256"]), request, inputs, sizes, found["suffix"], shards)


def _request_of(options: Any) -> Request:
    """What a manifest asks of parsing, of this version or an older one."""
    _require(isinstance(options, dict) and not options.keys() - {*_OPTIONS, "format"}, "it has other options")
    given = {name: options.get(name, default_of(name)) for name in _OPTIONS}
    for name, value in given.items():
        _require(type(default_of(name)) is not bool or type(value) is bool, f"{name} is {value!r:.40}")
    if "format" in options and given["source"] == "conllu":
        given["source"] = _OLD_FORMATS[options["format"]]
    _require(given["source"] in INPUTS, f"source is {given['source']!r:.40}")
    return Request.of(_WAY, **given)


def _require(condition: bool, what: str) -> None:
    if not condition:
        raise ValueError(what)


def _identity(manifest: dict[str, Any]) -> str:
    """The version of fastparse counts: results of two do not go together."""
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode("utf-8")).hexdigest()


def _columns(files: list[str], kind: str) -> str:
    """A kind that says how many columns there are: as many as the first word has, as in one run over all inputs."""
    if kind not in ("conllu", "conllx"):
        return kind
    n_columns = 10
    for treebank in iter_conllu(files, 1, "auto", "skip"):
        n_columns = treebank.n_columns
        if treebank.n_words:
            break
    return _OF_COLUMNS[n_columns]


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
