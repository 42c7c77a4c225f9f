"""What a caller asks of a model: one object, with every option a field, checked once.

Every way in (the methods of `Parser`, the commands, Arrow and Parquet, shards, Dask, Spark, Ray, spaCy, HTTP) builds a
`Request` by name with `Request.of`. A way in lists the fields that it honours in `WAYS`. Any other field is refused by
default: the error names the field and what to use instead. So no option is ever silently ignored, and a new option
needs a field here, the code that honours it, and a keyword of the methods that take it.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from numbers import Integral
from typing import TYPE_CHECKING, Any

from fastparse.errors import Error, UnknownNameError, did_you_mean

if TYPE_CHECKING:
    from typing import TypedDict

    from fastparse.progress import Progress

    class Asked(TypedDict, total=False):
        """The fields of a `Request` but for the model, for signatures of functions that take them by name."""

        source: str
        target: str
        encoding: str
        beam: int | None
        threshold: int | None
        retag: bool
        strict: bool
        scores: bool
        k: int
        offsets: bool
        deps: str
        on_error: str
        threads: int
        progress: Progress
        stats: str | os.PathLike[str] | None
        batch_words: int


__all__ = [
    "BATCH_WORDS", "ENHANCED", "LARGEST_THRESHOLD", "MAX_BEAM", "MOST_THREADS", "SOURCES", "TARGETS", "WAYS", "Request",
    "about", "choices_of", "default_of", "fields_of", "limits_of",
]  # fmt: skip

ENHANCED = "enhanced"
BATCH_WORDS = 20_000  # what a batch costs besides its words is a twentieth of the time of the fastest parsers
MOST_THREADS = 1024
LARGEST_THRESHOLD = 1 << 28
MAX_BEAM = 1023

SOURCES = ("auto", "conllu", "conllx", "text", "lines", "words", "parquet", "ndjson")
_OF_COLUMNS = ("conllu/10", "conllx/8")  # treebanks of which the number of columns is known
TARGETS = ("auto", "conllu", "conllx", "parquet", "ndjson")


def _number(least: int, most: int, meaning: str, or_none: str = "") -> Callable[[str, Any], Any]:
    """A check of whole numbers, of Python or numpy; gives them as int."""

    def check(name: str, value: Any) -> Any:
        if value is None and or_none:
            return None
        if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) <= most:
            raise Error(f"{name}={value!r}: expected a number from {least}{meaning}{or_none}")
        return int(value)

    check.limits = least, most  # type: ignore[attr-defined]
    return check


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, int)) or value not in (True, False):
        raise Error(f"{name}={value!r}: expected True or False")
    return bool(value)


def _one_of(*known: str) -> Callable[[str, Any], str]:
    def check(name: str, value: Any) -> str:
        if value not in known:
            raise UnknownNameError(
                f"{name}={value!r} is unknown: expected {', '.join(map(repr, known))}{did_you_mean(value, known)}"
            )
        return str(value)

    return check


def _encoding(name: str, value: Any) -> str:
    try:
        found = codecs.lookup(value)
    except (LookupError, TypeError, ValueError):
        found = None
    if found is None or not getattr(found, "_is_text_encoding", True):
        raise UnknownNameError(
            f"{name}={value!r} is unknown: expected one of Python's text encodings, such as 'utf-8', 'latin-1', "
            f"'cp1252', 'utf-16' or 'shift_jis'"
        )
    return found.name


def _anything(name: str, value: Any) -> Any:
    return value


def _asked(
    default: Any, about: str, instead: str, check: Callable[[str, Any], Any] = _anything, known: tuple[str, ...] = ()
) -> Any:
    """A field of a request.

    Args:
        about: what it does, for help texts.
        instead: what to do where a way in does not honour it.
        known: its values, if they are few.
    """
    check = _one_of(*known) if known and check is _anything else check
    return field(default=default, metadata={"about": about, "instead": instead, "check": check, "known": known})


@dataclass(frozen=True)
class Request:
    """What a caller asks of a model; `Request.of` makes one and checks it.

    Attributes:
        model: a model: a Parser, a path or a name, as for `load`.
        source: what the input is; "auto" goes by its suffix, or else by its first line.
        target: what the output is; "auto" goes by its suffix, or else is CoNLL-U.
        encoding: of text and treebanks that are read; a byte order mark counts more. Output is UTF-8.
        beam: states kept at each step, 1 is greedy; None is what the model was trained with.
        threshold: how much less than the best a state of a beam may score; None is the model's own, 0 keeps all.
        retag: replace tags and lemmas that are there.
        strict: raise an error where sentences are not what the model has learnt to read, in place of a warning.
        scores: write into MISC how probable it is that each arc and label is right.
        k: find so many of the best trees of a beam; more than one are written into MISC with their probabilities.
        offsets: of running text, write the place of every token, in characters, into MISC.
        deps: what the column DEPS gets: "keep" what it has, "copy" of the tree, "blank", or the "enhanced" graph.
        on_error: "stop" at a sentence that cannot be read, "skip" it, or "keep" it as it is.
        threads: how many work; the output does not depend on it.
        progress: called with reports of what is done; True shows a bar.
        stats: a file for counts and times of every sentence, as JSON.
        batch_words: words that are worked on together; the output does not depend on it.
    """

    model: Any = _asked(None, "a model file, or the name of a model", "call the methods of a parser you have loaded")
    source: str = _asked(
        "auto",
        "what the input is",
        "only files, pipes and streams can hold text, treebanks or rows",
        _one_of(*SOURCES, *_OF_COLUMNS),
        SOURCES,
    )
    target: str = _asked("auto", "what the output is", "only parse_file and the commands write files", known=TARGETS)
    encoding: str = _asked(
        "utf-8", "how the input is encoded, such as latin-1 or utf-16; a byte order mark counts more",
        "strings have no encoding; of bytes and files parse_file reads any", _encoding,
    )  # fmt: skip
    beam: int | None = _asked(
        None, "1 is greedy; None is what the model was trained with", "only what parses has a beam",
        _number(1, MAX_BEAM, f" (greedy) to {MAX_BEAM}", ", or None for the model's own"),
    )  # fmt: skip
    threshold: int | None = _asked(
        None, "leave out states of a beam that score less than the best by more; None is the model's own, 0 keeps all",
        "only what parses has a beam",
        _number(0, LARGEST_THRESHOLD, " (the full beam)", ", or None for the model's own"),
    )  # fmt: skip
    retag: bool = _asked(
        False, "replace tags and lemmas that are there", "there are no tags to replace: tag or parse the output", _flag
    )
    strict: bool = _asked(
        False, "an error, and no output, where columns that the model reads are empty or hold tags it has never seen",
        "only what parses reads tags", _flag,
    )  # fmt: skip
    scores: bool = _asked(
        False, "write into MISC how probable it is that arcs and labels are right", "only what parses draws arcs", _flag
    )
    k: int = _asked(
        1, "write so many of the best trees, with their probabilities, into MISC; sentence.alternatives reads them",
        "only parse, parse_text and files get several trees", _number(1, MAX_BEAM, f" to {MAX_BEAM}"),
    )  # fmt: skip
    offsets: bool = _asked(
        False, "write TokenRange, the place of every token of a text in characters, to MISC",
        "only running text has places of tokens: tokenize, parse_text or parse_file", _flag,
    )  # fmt: skip
    deps: str = _asked(
        "keep", "the column DEPS: as it is, a copy of the tree, _, or the enhanced graph, if the model has learnt it",
        "write the result with treebank.write(path, deps=...)", known=("keep", "copy", "blank", ENHANCED),
    )  # fmt: skip
    on_error: str = _asked(
        "stop", "what becomes of sentences that cannot be read: skip leaves them out, keep copies them",
        "sentences in memory have been read: read_conllu(path, on_error=...)", known=("stop", "skip", "keep"),
    )  # fmt: skip
    threads: int = _asked(
        1, "the output does not depend on it", "one thread does it", _number(1, MOST_THREADS, f" to {MOST_THREADS}")
    )
    progress: Any = _asked(None, "called with a report now and then", "the call takes no time that is worth a report")
    stats: Any = _asked(
        None, "write counts and times of every sentence to this file as JSON",
        "only parse_file and the command parse write counts and times: to one output each",
    )  # fmt: skip
    batch_words: int = _asked(
        BATCH_WORDS, "words worked on together", "the call has no batches", _number(1, 1 << 62, "")
    )

    @classmethod
    def of(cls, way: str, **asked: Any) -> Request:
        """A request, checked.

        Args:
            way: the name of a way in, one of `WAYS`; it tells which fields can be asked for.
            asked: fields by name.

        Raises:
            UnknownNameError: if there is no such field, or no such value of it.
            Error: for an impossible value, and for a field that this way in does not honour, unless it has its
                default.
        """
        known, honoured = _known(), WAYS[way]
        given = {}
        for name, value in asked.items():
            one = known.get(name)
            if one is None:
                raise UnknownNameError(f"{way}: there is no option {name!r}{did_you_mean(name, known)}")
            if value is one.default:
                continue
            value = one.metadata["check"](name, value)
            if value == one.default:
                continue
            if name not in honoured.fields:
                why = honoured.instead.get(name, one.metadata["instead"])
                raise Error(f"{way} does not take {name}={value!r}: {why}")
            given[name] = value
        return _request(tuple(given.items()))

    @property
    def written_deps(self) -> str:
        """How `Treebank.to_bytes` writes DEPS: graphs are in the column already."""
        return "keep" if self.deps == ENHANCED else self.deps

    def changed(self) -> dict[str, Any]:
        """The fields that do not have their defaults."""
        return {name: getattr(self, name) for name, one in _known().items() if getattr(self, name) != one.default}


def _request(given: tuple[tuple[str, Any], ...]) -> Request:
    """A request of fields that have been checked; the same one for the same plain values, since it never changes."""
    if not all(isinstance(value, (bool, int, str)) for _, value in given):
        return Request(**dict(given))
    return _plain_request(given)


@lru_cache(maxsize=256)
def _plain_request(given: tuple[tuple[str, Any], ...]) -> Request:
    return Request(**dict(given))


@dataclass(frozen=True)
class Way:
    """A way in.

    Attributes:
        fields: of a request that it honours.
        instead: what to do in place of some of the others, where the general advice does not fit.
    """

    fields: frozenset[str]
    instead: Mapping[str, str] = field(default_factory=dict)


def _way(*names: str, **instead: str) -> Way:
    """Args: instead: fields that are not honoured, though they are among the names, and what to do instead."""
    return Way(frozenset(name for some in names for name in some.split() if name not in instead), instead)


_PARSES = "beam threshold retag strict scores threads"
_FILES = "source target encoding on_error threads progress batch_words deps"
_NO_ARCS = "no arcs are drawn here: parse"
_CHOSEN = "a command chooses it"
_ONE_CALL = "a record batch is one call: parse_batches takes threads"

# The ways in, and what can be asked of each.
WAYS: dict[str, Way] = {
    "parse": _way(_PARSES, "progress deps k"),
    "parse_text": _way(_PARSES, "progress offsets deps k", retag="text has no tags yet"),
    "parse_arrays": _way(_PARSES),
    "parse_file": _way(_PARSES, _FILES, "offsets stats k"),
    "tag": _way("retag threads progress"),
    "tag_file": _way(_FILES, "retag offsets", deps=_NO_ARCS),
    "tokenize": _way("source offsets threads"),
    "tokenize_file": _way(_FILES, "offsets", deps=_NO_ARCS),
    "derivation": _way("beam threshold retag", threads="one sentence is parsed on one thread"),
    "measure": _way(_PARSES),
    "fastparse parse": _way(_PARSES, _FILES, "model offsets stats k", batch_words=_CHOSEN),
    "fastparse tag": _way(_FILES, "model retag offsets", deps=_NO_ARCS, batch_words=_CHOSEN),
    "fastparse tokenize": _way(_FILES, "model offsets", deps=_NO_ARCS, batch_words=_CHOSEN),
    "fastparse convert": _way("source target encoding on_error progress"),
    "fastparse draw": _way("model source encoding"),
    "fastparse derive": _way("model source encoding"),
    "arrow.parse_batch": _way("model beam threshold retag strict scores deps", threads=_ONE_CALL),
    "arrow.parse_batches": _way("model", _PARSES, "deps"),
    "shards.plan": _way(
        "model source beam threshold retag strict scores deps on_error",
        offsets="a shard does not know how many characters come before it: parse_file counts them",
        encoding="shards are cut where bytes tell the ends of sentences: convert the inputs to UTF-8 first",
        target="merged shards are CoNLL-U: convert them",
    ),
    "shards.run": _way("threads"),
    "dask.parse_files": _way("threads progress"),
    "spark.parse": _way("model beam threshold retag strict scores deps", threads="Spark runs a task a core"),
    "ray.parse": _way("model beam threshold retag strict scores deps", threads="say how many workers"),
    "spacy": _way("model", _PARSES, "deps"),
    "/process": _way("model beam threshold retag strict scores offsets deps on_error"),
    "/parse": _way("model source target beam threshold retag strict scores offsets deps on_error"),
    "/draw": _way("model beam"),
    "/steps": _way("model beam"),
}


@lru_cache(maxsize=1)
def _known() -> dict[str, Any]:
    return {one.name: one for one in fields(Request)}


def choices_of(name: str) -> tuple[str, ...]:
    """The values that a field may have, if they are few."""
    found: tuple[str, ...] = _known()[name].metadata["known"]
    return found


def limits_of(name: str) -> tuple[int, int] | None:
    """The least and the largest value of a field that is a number."""
    return getattr(_known()[name].metadata["check"], "limits", None)


def fields_of(way: str) -> list[str]:
    """The fields that a way in honours, in the order of `Request`."""
    return [name for name in _known() if name in WAYS[way].fields]


def about(name: str) -> str:
    """What a field does, for help texts."""
    found: str = _known()[name].metadata["about"]
    return found


def default_of(name: str) -> Any:
    """What a field is unless it is asked for."""
    return _known()[name].default
