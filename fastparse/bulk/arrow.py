"""Record batches in, record batches out: the one function behind every engine and file of this package.

A batch has a row per sentence, with lists of words (`form`) and what is known of them (`upos`, `feats`, ..); or a row
per document, with its `text`. docs/arrow.md has the columns. Needs the extra `arrow`.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from fastparse.annotate.components import LEMMATIZER, TAGGER
from fastparse.annotate.stream import in_order, stream_text
from fastparse.bulk.cells import checked, list_array, string_array, treebank_of
from fastparse.bulk.extras import needed
from fastparse.bulk.sentences import batch_of, conllu_of, schema
from fastparse.corpus.reading import iter_conllu, read_conllu
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.opening import opened_once
from fastparse.parser import Parser

__all__ = ["Step", "from_conllu", "parse_batch", "parse_batches", "schema", "to_conllu"]

_FORMS = ("form", "forms", "tokens", "words")
_TEXT = "text"
_TAGS = ("upos", "xpos", "feats")
_WORDS = 50_000


def parse_batch(
    batch: Any, model: Any = None, *, beam: int | None = None, retag: bool = False, dictionary: bool = False
) -> Any:
    """Parse the sentences or documents of a record batch.

    Sentences keep their rows and columns, and get `head` and `deprel`; tags and lemmas are filled in where the model
    can and a sentence has none. Documents become sentences, a row each, with the columns of `schema` and the other
    columns of their document. A row that is null, or without words, gets empty lists.

    Args:
        batch: a RecordBatch with a column `form` (or `forms`, `tokens`, `words`): lists of strings, best as
            dictionaries, whose ids are then shared; or with a column `text`: strings.
        model: a Parser; or a name or path as for `load`, of a model that is opened once per process.
        beam, retag: as for `Parser.parse`.
        dictionary: whether strings come back as ids into dictionaries.

    Raises:
        Error: for columns that are not as described.
    """
    return Step(opened_once(model), beam, retag, dictionary)(batch)


def parse_batches(
    batches: Iterable[Any], model: Any = None, *, threads: int = 1, beam: int | None = None, retag: bool = False,
    dictionary: bool = False,
) -> Iterator[Any]:  # fmt: skip
    """Parse one batch after the other, lazily and in order; see `parse_batch`.

    Args:
        threads: batches are parsed beside one another; what comes back does not depend on it.
    """
    step = Step(opened_once(model), beam, retag, dictionary)
    return map(step, batches) if threads == 1 else in_order(step, iter(batches), threads)


@dataclass(frozen=True)
class Step:
    """What is done to a record batch. It is small, and travels to other processes.

    Attributes:
        parser: opened once in every process, as it is pickled as path and hash.
        beam, retag, dictionary: as for `parse_batch`.
    """

    parser: Parser
    beam: int | None = None
    retag: bool = False
    dictionary: bool = False

    def __call__(self, batch: Any) -> Any:
        forms = _forms_of(checked(batch).schema)
        return self._documents(batch) if forms is None else self._sentences(batch, forms)

    def output_schema(self, given: Any) -> Any:
        """The schema of what comes of batches with a given one."""
        pa = needed("pyarrow", "arrow")
        empty = [pa.array([], field.type) for field in given]
        return self(pa.record_batch(empty, schema=given)).schema

    def _parsed(self, treebank: Treebank) -> Treebank:
        return self.parser.parse(treebank, self.beam, retag=self.retag)

    def _sentences(self, batch: Any, forms: str) -> Any:
        pa = needed("pyarrow", "arrow")
        before = treebank_of(batch, forms)
        after = self._parsed(before)
        changed = {"head": list_array(after.offsets, pa.array(after.heads))}
        for name in (*_filled(self.parser), "deprel"):
            kind = batch.schema.field(name).type if name in batch.schema.names else None
            wanted = schema(dictionary=self.dictionary).field(name).type
            if kind != wanted or name == "deprel" or after.ids(name) is not before.ids(name):
                values = string_array(after.ids(name), after.table(name), dictionary=self.dictionary)
                changed[name] = list_array(after.offsets, values)
        return _replaced(batch, changed, pa)

    def _documents(self, batch: Any) -> Any:
        pa = needed("pyarrow", "arrow")
        tokenizer = self.parser._components.need_tokenizer("column 'text'")
        out = io.BytesIO()
        parents: list[int] = []
        for row, text in enumerate(batch.column(batch.schema.get_field_index(_TEXT)).to_pylist()):
            if not isinstance(text, str):
                if text is None:
                    continue
                raise Error(f"row {row}: column 'text' holds {type(text).__name__}: expected strings")
            data = text.encode("utf-8")
            report = stream_text([(f"row {row}", [data])], out, tokenizer, None)
            parents += [row] * report.sentences
        treebank = self._parsed(read_conllu(out.getvalue(), format="conllu"))
        made = batch_of(treebank, dictionary=self.dictionary)
        if len(made) != len(parents):
            raise Error(f"{len(parents)} sentences became {len(made)} rows: this is a mistake in fastparse, report it")
        rows = pa.array(parents, pa.int64())
        others = [field for field in batch.schema if field.name not in made.schema.names]
        columns = [batch.column(batch.schema.get_field_index(field.name)).take(rows) for field in others]
        return pa.record_batch(
            [*made.columns, *columns], schema=pa.schema([*made.schema, *others], metadata=batch.schema.metadata)
        )


def _forms_of(given: Any) -> str | None:
    """The column of words; None for documents."""
    found = [name for name in _FORMS if name in given.names]
    if not found and _TEXT not in given.names:
        raise Error(
            f"there are neither words (a column {', '.join(map(repr, _FORMS[:-1]))} or {_FORMS[-1]!r}) nor documents "
            f"(a column 'text'): the columns are {', '.join(given.names)}"
        )
    return found[0] if found else None


def _filled(parser: Parser) -> list[str]:
    """The columns that the components before the parser may fill."""
    names = set(parser.components)
    return [*(_TAGS if TAGGER in names else ()), *(["lemma"] if LEMMATIZER in names else [])]


def _replaced(batch: Any, columns: dict[str, Any], pa: Any) -> Any:
    """A batch with other columns: those that are there in their places, new ones behind."""
    arrays, fields = list(batch.columns), list(batch.schema)
    for name, array in columns.items():
        at = batch.schema.get_field_index(name)
        if at < 0:
            arrays.append(array)
            fields.append(pa.field(name, array.type))
        else:
            arrays[at] = array
            fields[at] = pa.field(name, array.type, metadata=batch.schema.field(at).metadata)
    return pa.record_batch(arrays, schema=pa.schema(fields, metadata=batch.schema.metadata))


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
