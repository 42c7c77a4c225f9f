"""`load("auto")`: for each document the installed model of its language."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from fastparse.annotate.expectations import warn
from fastparse.annotate.formats import kind_by_suffix
from fastparse.corpus.files.sources import opened, sources_of
from fastparse.corpus.foreign.objects import columns_of
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error, UnknownLanguage
from fastparse.model.finding import DEFAULT, catalogue, installed, language_of, record_of
from fastparse.model.profile import READ, Profiles, unpacked
from fastparse.request import Request

if TYPE_CHECKING:
    from fastparse.annotate.stream import Report
    from fastparse.parser import Parser

__all__ = ["Auto"]

_ENOUGH_SENTENCES = 20
_ROWS = ("parquet", "ndjson")
_COLUMNS = 8  # of a line of a treebank, at least


class _Foreign(Error, AttributeError):
    """What one model has and a choice among models has not."""


class Auto:
    """Takes the place of a `Parser`, and gives each document to the model of its language.

    A document is a text, a treebank, sentences given together, or a file. The languages are those of the installed
    models; documents of other languages are refused, or, of several, left out and counted. A text without letters goes
    to the default model.
    """

    def __init__(self, opening: Callable[[str], Parser]) -> None:
        """Args: opening: gives the parser in a file, opened once."""
        self._opening = opening
        self._paths: dict[str, str] = {}  # of the first model of each language
        languages = {code: said["profile"] for code, said in catalogue()["languages"].items()}
        for name, one in sorted(installed().items(), key=lambda item: (len(item[0]), item[0])):
            record = record_of(one.path)
            code = language_of(name, record) or name
            profile = (record.get("text") or {}).get("profile")
            if code not in self._paths and (profile or code in languages):
                self._paths[code] = one.path
                if profile:
                    languages[code] = profile
        self._languages = list(languages)
        self._profiles = Profiles(map(unpacked, languages.values()))
        self._default = installed()[DEFAULT].path

    def __repr__(self) -> str:
        return f"<Auto: {', '.join(sorted(self._paths))}>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise _Foreign(
            f"{name} is of one model, and 'auto' chooses one for each document: name a model, or let choose(text) give "
            f"one"
        )

    @property
    def path(self) -> None:
        """It is in no file."""

    @property
    def sha256(self) -> str:
        """Of the models that it chooses among."""
        known = [f"{code} {self._opening(path).sha256}" for code, path in sorted(self._paths.items())]
        return hashlib.sha256("\n".join(known).encode()).hexdigest()

    @property
    def languages(self) -> list[str]:
        """The codes of the languages that it knows models of."""
        return sorted(self._paths)

    def language(self, text: str) -> str | None:
        """The code of the language of a text, whether it has a model or not; None if it is like none that is known."""
        found = self._profiles.nearest(text)
        return self._languages[found[0]] if found is not None and found[1] else None

    def choose(self, text: str) -> Parser:
        """The model for a text.

        Raises:
            UnknownLanguage: if no installed model is of its language.
        """
        found = self._profiles.nearest(text)
        if found is None:
            return self._opening(self._default)
        code = self._languages[found[0]]
        if not found[1] or code not in self._paths:
            raise UnknownLanguage(code if found[1] else "", self._said(code if found[1] else ""))
        return self._opening(self._paths[code])

    def _said(self, code: str) -> str:
        name = catalogue()["languages"].get(code, {}).get("name", code)
        what = f"the text looks like {name}, and" if code else "the text is of no language that is known here:"
        return f"{what} no installed model is of its language (installed are {', '.join(self.languages)})"

    # The methods of a parser

    def able_to(self, what: str) -> Auto:
        """Whether it can is told by the model that is chosen."""
        return self

    def __call__(self, text: Any, **asked: Any) -> Any:
        """The same as `parse_text`."""
        return self.parse_text(text, **asked)

    def parse_text(self, text: Any, threads: int = 1, **asked: Any) -> Any:
        """As `Parser.parse_text`; of several texts those of unknown languages come back empty, and are counted.

        Raises:
            UnknownLanguage: for one text of a language that no installed model is of.
        """
        Request.of("parse_text", threads=threads, **asked)
        if isinstance(text, str) or not isinstance(text, Iterable):
            return self._for_text(text).parse_text(text, threads, **asked)
        return self._documents(text, threads, asked)

    def _documents(self, texts: Iterable[str], threads: int, asked: dict[str, Any]) -> Iterator[Treebank]:
        left_out: Counter[str] = Counter()
        done = 0
        for text in texts:
            done += 1
            try:
                parser = self._for_text(text)
            except UnknownLanguage as error:
                if asked.get("strict"):
                    raise
                left_out[error.code or "unknown"] += 1
                yield Treebank.from_columns([], offsets=[0])
                continue
            yield parser.parse_text(text, threads, **asked)
        if left_out:
            named = ", ".join(f"{code} {n:,}" for code, n in sorted(left_out.items()))
            warn(
                f"{left_out.total():,} of {done:,} documents {'is' if left_out.total() == 1 else 'are'} left out: no "
                f"installed model is of their language ({named}; installed are {', '.join(self.languages)})"
            )

    def _for_text(self, text: Any) -> Parser:
        return self.choose(text if isinstance(text, str) else "")

    def tokenize(self, text: str, threads: int = 1, **asked: Any) -> Treebank:
        """As `Parser.tokenize`."""
        return self._for_text(text).tokenize(text, threads, **asked)

    def parse(self, sentences: Any, beam: int | None = None, threads: int = 1, **asked: Any) -> Any:
        """As `Parser.parse`: all sentences are one document."""
        parser, sentences = self._for_sentences(sentences)
        return parser.parse(sentences, beam, threads, **asked)

    def tag(self, sentences: Any, threads: int = 1, **asked: Any) -> Any:
        """As `Parser.tag`: all sentences are one document."""
        parser, sentences = self._for_sentences(sentences)
        return parser.tag(sentences, threads, **asked)

    def _for_sentences(self, sentences: Any) -> tuple[Parser, Any]:
        """The model for sentences, and these."""
        first = sentences
        if not isinstance(sentences, Treebank):
            if not isinstance(sentences, (list, tuple, Iterator)):
                raise Error("'auto' chooses a model for text, treebanks and sentences: name the model for a table")
            if isinstance(sentences, Iterator):
                begin = list(islice(sentences, _ENOUGH_SENTENCES))
                sentences = chain(begin, sentences)
            else:
                begin = list(sentences[:_ENOUGH_SENTENCES])
            first = columns_of(begin, annotations=False)
        words: Iterator[str] = (form for sentence in first[:_ENOUGH_SENTENCES] for form in sentence.forms)
        return self.choose(" ".join(islice(words, READ))), sentences

    def parse_file(self, input: Any, output: Any, *given: Any, **asked: Any) -> Report:
        """As `Parser.parse_file`: a file is a document, and several that go into one output must be of one language."""
        with self._for_files(input, asked.get("source", "auto"), asked.get("encoding", "utf-8")) as (parser, items):
            return parser.parse_file(items, output, *given, **asked)

    def tag_file(self, input: Any, output: Any, *given: Any, **asked: Any) -> Report:
        """As `Parser.tag_file`, and otherwise as `parse_file`."""
        with self._for_files(input, asked.get("source", "auto"), asked.get("encoding", "utf-8")) as (parser, items):
            return parser.tag_file(items, output, *given, **asked)

    def tokenize_file(self, input: Any, output: Any, *given: Any, **asked: Any) -> Report:
        """As `Parser.tokenize_file`, and otherwise as `parse_file`."""
        with self._for_files(input, asked.get("source", "auto"), asked.get("encoding", "utf-8")) as (parser, items):
            return parser.tokenize_file(items, output, *given, **asked)

    def through(self, request: Request, input: Any, output: Any, what: str = "parse") -> Report:
        """As `Parser.through`."""
        with self._for_files(input, request.source, request.encoding) as (parser, items):
            return parser.through(request, items, output, what)

    @contextlib.contextmanager
    def _for_files(self, input: Any, source: str, encoding: str) -> Iterator[tuple[Parser, list[Any]]]:
        """The model for inputs, and these, as far as they have been opened to look at them."""
        items = sources_of(input)
        found: dict[str, tuple[str, Parser]] = {}
        with contextlib.ExitStack() as stack:
            for i, item in enumerate(items):
                kind = kind_by_suffix(item) if source == "auto" else source.partition("/")[0]
                if kind in _ROWS:
                    raise Error(
                        f"'auto' chooses a model for a text or a treebank, and this is {kind}, whose rows may be of "
                        f"several languages: name the model"
                    )
                if isinstance(item, (str, os.PathLike)) and os.fspath(item) != "-":
                    with opened(item, encoding=encoding) as looked_at:
                        text = _text_of(looked_at.look(), kind)
                else:
                    items[i] = stack.enter_context(opened(item, encoding=encoding))
                    text = _text_of(items[i].look(), kind)
                parser = self.choose(text)
                found.setdefault(parser.sha256, (str(item), parser))
            if len(found) > 1:
                named = ", ".join(f"{name} by {os.path.basename(one.path or '')}" for name, one in found.values())
                raise Error(
                    f"the inputs are of several languages, which do not go into one output: {named}. Give a folder of "
                    f"output, for a file each, or call parse_file for each."
                )
            yield next(iter(found.values()))[1] if found else self._opening(self._default), items


def _text_of(head: bytes, kind: str | None) -> str:
    """The words at the beginning of a file: its text, or the forms of a treebank."""
    text = head.decode("utf-8", "ignore")
    if kind in ("text", "lines", "words"):
        return text
    rows = [line.split("\t") for line in text.split("\n") if "\t" in line and line[0] != "#"]
    if kind is None and (not rows or len(rows[0]) < _COLUMNS):
        return text
    return " ".join(row[1] for row in rows if row[0].isdecimal())
