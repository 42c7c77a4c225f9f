"""Parser: load, parse, save."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, overload

from fastparse.corpus.foreign.objects import annotated
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error, ModelFormatError, UnknownNameError
from fastparse.model.description import description_from
from fastparse.model.sections import PARSER, Section, joined, sections_of
from fastparse.model.storage import content_of, read_container, sha256_of, write_container
from fastparse.pipeline import BATCH_WORDS, Batch, Report, stream
from fastparse.search.assembly import assembled
from fastparse.search.decoding import Decoder, is_beam
from fastparse.search.engine import MAX_BEAM
from fastparse.search.measuring import Work, write_stats

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Parser", "Report", "load", "shared"]

_BUNDLED = Path(__file__).parent / "models"
_BUNDLED_NAMES = ("en", "en-fast")


class Parser:
    """A trained parser. What it parses with never changes, so any number of threads may use one.

    It remembers the file it is in, the last one it was saved to, and is pickled as path and hash of that.

    Attributes:
        system: the name of its transition system.
        labels: the dependency labels it gives; label ids are places in this list.
        beam: the size of the beam it was trained with.
        info: everything the model file says of itself: options, labels, training, treebank, scores, licence.
    """

    def __init__(
        self, decoder: Decoder, record: dict[str, Any] | None = None, *, origin: tuple[str, str] | None = None
    ) -> None:
        """Users call `train` or `load`.

        Args:
            record: what else `info` says.
            origin: path and SHA-256 of the file the model is in.
        """
        self._decoder = decoder
        self._description = decoder.kind.description
        self._record = record or {}
        self._origin = origin

    @property
    def system(self) -> str:
        return self._description.system

    @property
    def labels(self) -> list[str]:
        return list(self._decoder.labels)

    @property
    def moves(self) -> list[str]:
        """The transitions of its system, in the order of the system's table."""
        return list(self._decoder.kind.moves)

    @property
    def beam(self) -> int:
        return self._description.beam

    @property
    def components(self) -> tuple[str, ...]:
        """What the model can do, in the order in which it is done."""
        return (PARSER,)

    @property
    def info(self) -> dict[str, Any]:
        described = self._description.summary()
        size = sum(array.nbytes for array in self._decoder.arrays().values())
        return {**json.loads(json.dumps(self._record)), **described, "bytes": size}

    def __repr__(self) -> str:
        where = f" from {self._origin[0]}" if self._origin else ""
        return f"<Parser{where}: {self.system}, beam {self.beam}, {len(self._description.labels)} labels>"

    # Files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, whole or not at all. The same training gives the same bytes.

        From now on the parser is in this file: `path` says so, and a pickle names it.
        """
        sha256 = write_container(path, *self._content())
        self._origin = os.path.abspath(os.fspath(path)), sha256

    def _content(self) -> Section:
        header = {"description": self._description.to_dict(), "record": self._record}
        return joined({PARSER: Section(header, self._decoder.arrays())})

    @property
    def path(self) -> str | None:
        """The file the model is in; None if it has not been saved."""
        return None if self._origin is None else self._origin[0]

    @property
    def sha256(self) -> str:
        """The identity of the model: the SHA-256 its file carries."""
        if self._origin is None:
            return sha256_of(content_of(*self._content()))
        return self._origin[1]

    def __reduce__(self) -> tuple[Any, ...]:
        if self._origin is None:
            raise Error("a parser is pickled as the path of its file, and this one has none yet: save it first")
        return shared, self._origin

    # Parsing

    @overload
    def parse(self, sentences: Treebank, beam: int | None = None, threads: int = 1) -> Treebank: ...
    @overload
    def parse(self, sentences: Any, beam: int | None = None, threads: int = 1) -> Iterator[Any]: ...
    def parse(self, sentences: Any, beam: int | None = None, threads: int = 1) -> Any:
        """Parse sentences; heads and labels that are there already are not read.

        Args:
            sentences: a Treebank; or an iterable of pyconll or conllu sentences, spaCy Docs, dicts of lists, pairs
                (forms, upos[, xpos]); or a table (pandas, Arrow). See `fastparse.corpus.foreign.objects`.
            beam: 1 is greedy; None is what the model was trained with, which is the best choice: weights learnt with
                one beam know the mistakes that beam makes. Another value is allowed.
            threads: the result does not depend on it.

        Returns:
            For a Treebank, a new Treebank. Otherwise an iterator over the same objects, annotated, in their order; it
            takes and parses some hundred at a time, so it works on endless input.

        Raises:
            Error: if beam or threads is not a possible number.

        Example:
            >>> parser = fastparse.load()                                           # doctest: +SKIP
            >>> [sentence.heads for sentence in parser.parse([(["She", "reads"], ["PRON", "VERB"])])]  # doctest: +SKIP
            [[2, 0]]
        """
        size = self._checked(beam, threads)
        if isinstance(sentences, Treebank):
            return self._decoder.parsed(sentences, size, threads)[0]
        return annotated(sentences, lambda batch: self._decoder.parsed(batch, size, threads)[0])

    def parse_arrays(
        self,
        forms: Any,
        upos: Any = None,
        xpos: Any = None,
        feats: Any = None,
        lemmas: Any = None,
        misc: Any = None,
        offsets: Sequence[int] | None = None,
        *,
        beam: int | None = None,
        threads: int = 1,
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Parse columns.

        Args:
            forms: the words of all sentences, one after the other; or a Treebank, whose columns are meant.
            upos, xpos, feats, lemmas, misc: as many strings each; None for a column there is none of.
            offsets: where each sentence begins, and the number of words at the end; by default all is one sentence.
            beam, threads: as for `parse`.

        Returns:
            Heads (int32: 0 is the root, words of a sentence count from 1) and label ids (int32, places in `labels`).
        """
        size = self._checked(beam, threads)
        treebank = forms
        if not isinstance(forms, Treebank):
            treebank = Treebank.from_columns(forms, upos, xpos, feats, lemmas, misc=misc, offsets=offsets)
        return self._decoder.decode(treebank, size, threads)

    def parse_file(
        self,
        input: Any,
        output: str | os.PathLike[str] | IO[bytes],
        beam: int | None = None,
        threads: int = 1,
        on_error: str = "stop",
        *,
        deps: str = "keep",
        stats: str | os.PathLike[str] | None = None,
        progress: Callable[[Report], object] | None = None,
        format: str = "auto",
        batch_words: int = BATCH_WORDS,
    ) -> Report:
        """Parse CoNLL-U from file to file, or from pipe to pipe, in bounded memory.

        The output is the input byte for byte but for the columns HEAD and DEPREL. It does not depend on `threads` and
        `batch_words`.

        Args:
            input: a path, a list of paths, "-", an open file or bytes; plain or compressed.
            output: a path (its suffix chooses compression; the file appears whole or not at all), "-" or a stream.
            beam, threads: as for `parse`.
            on_error: "stop", "skip" or "keep" sentences that cannot be read.
            deps: what to write to DEPS: "keep" what is there, "copy" the basic tree, or "blank".
            stats: a file that gets the report as JSON, and under "rows" words, transitions, nanoseconds, beam and
                system of every sentence. The rows are kept in memory until the end: 16 bytes each.
            progress: called with the report so far after every batch; `print` will do.
            format: "auto", "conllu" or "conllx".
        """
        size = self._checked(beam, threads)
        rows: list[Work] = []

        def keep(batch: Batch) -> None:
            if batch.work is not None:
                rows.append(batch.work)

        report = stream(
            input, output, partial(self._decoder.parsed, beam=size, timed=stats is not None), threads=threads,
            on_error=on_error, format=format, deps=deps, batch_words=batch_words, progress=progress,
            written=None if stats is None else keep,
        )  # fmt: skip
        if stats is not None:
            write_stats(stats, report.to_dict(), self.system, size, rows)
        return report

    def measure(self, treebank: Treebank, beam: int | None = None, threads: int = 1) -> tuple[Treebank, Work]:
        """Parse as `parse` does, and say what each sentence took: transitions of each kind, and time."""
        parsed, work = self._decoder.parsed(treebank, self._checked(beam, threads), threads, timed=True, by_move=True)
        assert work is not None
        return parsed, work

    def _checked(self, beam: int | None, threads: int) -> int:
        """The size of the beam that is asked for; raises Error for what cannot be."""
        if beam is not None and not is_beam(beam):
            raise Error(f"beam={beam!r}: expected a number from 1 (greedy) to {MAX_BEAM}, or None for the model's own")
        if type(threads) is not int or threads < 1:
            raise Error(f"threads={threads!r}: expected a number from 1")
        return self.beam if beam is None else beam


def load(name_or_path: str | os.PathLike[str] | None = None, *, verify: bool = False) -> Parser:
    """Open a model.

    The file is mapped, not read: it opens in milliseconds, and processes that open the same one share its memory. All
    of it is checked before use, so that a damaged or malicious file is refused.

    Args:
        name_or_path: the path of a model file; "en", the English model that comes with fastparse (also None), or
            "en-fast", the one for greedy parsing.
        verify: compute the SHA-256 of the file as well as its fast checksum.

    Raises:
        ModelFormatError: if it is no usable model file.
        UnknownNameError: if there is no such file.
    """
    path = _find("en" if name_or_path is None else name_or_path)
    try:
        container = read_container(path, verify=verify)
    except FileNotFoundError:
        raise UnknownNameError(
            f"there is no model {str(path)!r}: expected the path of a file that fastparse train wrote, or one of "
            f"{', '.join(map(repr, _BUNDLED_NAMES))}"
        ) from None
    try:
        return _opened(sections_of(container.header, container.arrays), (os.path.abspath(path), container.sha256))
    except ModelFormatError:
        raise
    except (ValueError, TypeError, OverflowError) as error:
        raise ModelFormatError(
            f"{os.fspath(path)}: the model cannot be used: {error}. Copy it again, or train it with this version."
        ) from error


def _opened(sections: dict[str, Section], origin: tuple[str, str]) -> Parser:
    if sections.keys() != {PARSER}:
        names = ", ".join(map(repr, sections)) or "none"
        raise Error(f"its components are {names}, and this fastparse knows {PARSER!r} alone")
    header, arrays = sections[PARSER]
    description = description_from(header.get("description"))
    record = header.get("record")
    if not isinstance(record, dict):
        raise Error("the record is not an object")
    return Parser(assembled(description, arrays), record, origin=origin)


def _find(name: str | os.PathLike[str]) -> str:
    path = os.fspath(name)
    if not isinstance(path, str):
        raise UnknownNameError(f"a model is a path or a name, not {name!r}")
    if path not in _BUNDLED_NAMES or os.path.exists(path):
        return path
    bundled = _BUNDLED / f"{path}.fp"
    if not bundled.exists():
        raise UnknownNameError(
            f"the model {path!r} does not come with this copy of fastparse: train one (fastparse train TRAIN.conllu -o "
            f"{path}.fp) and give its path"
        )
    return str(bundled)


_OPEN: dict[tuple[str, str], Parser] = {}
_OPENING = threading.Lock()


def shared(path: str, sha256: str) -> Parser:
    """The parser in that file, opened once per process however often it is asked for.

    Raises:
        ModelFormatError: if the file holds another model.
    """
    with _OPENING:
        parser = _OPEN.get((path, sha256))
        if parser is None:
            parser = load(path)
            if parser.sha256 != sha256:
                raise ModelFormatError(
                    f"{path}: this is another model (SHA-256 {parser.sha256[:12]}..) than "
                    f"expected ({sha256[:12]}..). Put the same file there again."
                )
            _OPEN[path, sha256] = parser
        return parser
