"""Record batches in, record batches out: the one function behind every engine of this package.

A batch has a row per sentence, with lists of words (`form`) and what is known of them (`upos`, `feats`, ..); or a row
per document, with its `text`. docs/arrow.md has the columns. Needs the extra `arrow`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from fastparse.annotate.annotator import Call
from fastparse.annotate.formats import Reading
from fastparse.annotate.rows import annotated_rows
from fastparse.annotate.stream import in_order
from fastparse.corpus.foreign.sentences import batch_of, conllu_of, schema
from fastparse.corpus.reading import iter_conllu
from fastparse.extras import needed
from fastparse.parser import Parser, opened_once
from fastparse.request import Request

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from fastparse.request import Asked

__all__ = ["Step", "from_conllu", "parse_batch", "parse_batches", "schema", "to_conllu"]

_WORDS = 50_000


def parse_batch(batch: Any, model: Any = None, *, dictionary: bool = False, **asked: Unpack[Asked]) -> Any:
    """Parse the sentences or documents of a record batch.

    Sentences keep their rows and columns, and get `head` and `deprel`; tags and lemmas are filled in where the model
    can and a sentence has none. Documents become sentences, a row each, with the columns of `schema` and the other
    columns of their document. A row that is null, or without words, gets empty lists.

    Args:
        batch: a RecordBatch with a column `form` (or `forms`, `tokens`, `words`): lists of strings, best as
            dictionaries, whose ids are then shared; or with a column `text`: strings.
        model: a Parser; or a name or path as for `load`, of a model that is opened once per process.
        dictionary: whether strings come back as ids into dictionaries.
        asked: beam, threshold, retag, strict, scores and deps, as for `Parser.parse`.

    Raises:
        Error: for columns that are not as described.
    """
    return Step.of("arrow.parse_batch", model, dictionary, **asked)(batch)


def parse_batches(
    batches: Iterable[Any], model: Any = None, *, dictionary: bool = False, **asked: Unpack[Asked]
) -> Iterator[Any]:
    """Parse one batch after the other, lazily and in order; see `parse_batch`.

    Args:
        asked: also threads: batches are parsed beside one another; what comes back does not depend on it.
    """
    step = Step.of("arrow.parse_batches", model, dictionary, **asked)
    threads = step.request.threads
    return map(step, batches) if threads == 1 else in_order(step, iter(batches), threads)


@dataclass(frozen=True)
class Step:
    """What is done to a record batch. It is small, and travels to other processes.

    Attributes:
        parser: opened once in every process, as it is pickled as path and hash.
        request: what is asked for.
        dictionary: as for `parse_batch`.
    """

    parser: Parser
    request: Request
    dictionary: bool = False

    @classmethod
    def of(cls, way: str, model: Any, dictionary: bool = False, **asked: Any) -> Step:
        """For a way in, with what was asked of it by name."""
        request = Request.of(way, **asked)
        parser = opened_once(model)
        parser._annotator.need_decoder()
        parser._annotator.check(request)
        return cls(parser, request, dictionary)

    def __call__(self, batch: Any) -> Any:
        annotator = self.parser._annotator
        call = Call(annotator, self.request)
        reading = Reading(self.request, partial(annotator.need_tokenizer, "column 'text'"), fills=annotator.fills)
        found = annotated_rows(batch, call, reading, dictionary=self.dictionary)
        call.warn()
        return found

    def output_schema(self, given: Any) -> Any:
        """The schema of what comes of batches with a given one."""
        pa = needed("pyarrow", "arrow")
        empty = [pa.array([], field.type) for field in given]
        return self(pa.record_batch(empty, schema=given)).schema


def from_conllu(
    source: Any, *, batch_words: int = _WORDS, format: str = "auto", dictionary: bool = False
) -> Iterator[Any]:
    """CoNLL-U as record batches of `schema`, in bounded memory; `to_conllu` gives its bytes back.

    Args:
        source, format: as for `read_conllu`.
    """
    return map(partial(batch_of, dictionary=dictionary), iter_conllu(source, batch_words, format, "keep"))


def to_conllu(batches: Iterable[Any]) -> Iterator[bytes]:
    """Record batches as CoNLL-U, a piece each.

    Raises:
        Error: if something cannot stand in CoNLL-U: a tab in a form, say.
    """
    return map(conllu_of, batches)
