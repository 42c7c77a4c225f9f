"""What a model does with running text that is at hand as strings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, overload

from fastparse.annotate.counted import Counted, words_of
from fastparse.annotate.expectations import Watch
from fastparse.annotate.stream import Report, Transform, stream_text
from fastparse.contract import Contract
from fastparse.corpus.derived import joined
from fastparse.errors import Error
from fastparse.progress import Progress, reporter

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["Texts"]


class Texts(Contract):
    """The part of a Parser that takes strings."""

    @overload  # a string is an iterable of strings as well, but comes first
    def parse_text(  # type: ignore[overload-overlap]
        self,
        text: str,
        threads: int = 1,
        *,
        beam: int | None = None,
        strict: bool = False,
        progress: Progress = None,
    ) -> Treebank: ...
    @overload
    def parse_text(
        self,
        text: Iterable[str],
        threads: int = 1,
        *,
        beam: int | None = None,
        strict: bool = False,
        progress: Progress = None,
    ) -> Iterator[Treebank]: ...
    def parse_text(
        self, text: Any, threads: int = 1, *, beam: int | None = None, strict: bool = False, progress: Progress = None
    ) -> Any:
        """Parse running text: the sentences, tokens and trees that the model finds in it.

        Args:
            text: a string; or an iterable of strings, each a document.
            threads, beam, strict, progress: as for `parse`; of documents, each is told of when it is done.

        Returns:
            A treebank, whose `to_text` is the text; for an iterable an iterator of treebanks, one per document.

        Raises:
            Error: if the model has no tokenizer or no parser.
        """
        size = self._checked(beam, threads)
        self._components.need_tokenizer()
        watch = Watch(strict)
        transform = partial(self._parsed, beam=size, watch=watch)
        if isinstance(text, str):
            found = self._from_text(text, transform, threads, reporter(progress, words_of))
            watch.warn()
            return found
        if not isinstance(text, Iterable) or isinstance(text, bytes):
            raise _no_text(text)
        counted = Counted(lambda found: found, progress)
        return self._documents(text, transform, threads, watch, counted)

    def tokenize(self, text: str, threads: int = 1, *, input: str = "text", offsets: bool = False) -> Treebank:
        """The sentences, tokens and words of a text, with forms alone.

        Args:
            input: "text"; "lines", where every line is a sentence; "words", where besides tokens stand between spaces.
            offsets: whether to write TokenRange, the place of every token in characters, into MISC.
        """
        return self._from_text(text, None, threads, input=input, offsets=offsets)

    def _documents(
        self, texts: Iterable[str], transform: Transform, threads: int, watch: Watch, counted: Counted
    ) -> Iterator[Treebank]:
        for text in texts:
            found = self._from_text(text, transform, threads)
            watch.warn()
            yield counted(found)

    def _from_text(
        self, text: str, transform: Transform | None, threads: int, tell: Callable[[Report], object] | None = None,
        **options: Any,
    ) -> Treebank:  # fmt: skip
        if not isinstance(text, str):
            raise _no_text(text)
        tokenizer = self._components.need_tokenizer()
        if transform is None and threads == 1:
            return tokenizer.treebank(text, **options)
        data = text.encode("utf-8", "surrogatepass")
        parts: list[Treebank | None] = []

        def told(report: Report) -> None:
            assert tell is not None
            report.share = report.bytes_read / len(data)
            tell(report)

        stream_text(
            [("the text", [data])], None, tokenizer, transform, threads=threads, progress=told if tell else None,
            written=lambda batch: parts.append(batch.treebank), **options,
        )  # fmt: skip
        return joined([part for part in parts if part is not None])


def _no_text(found: Any) -> Error:
    return Error(f"expected a text, found {found!r:.80}: give a string, or read a file with parse_file")
