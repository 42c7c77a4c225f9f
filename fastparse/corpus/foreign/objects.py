"""Other people's sentences: into columns, and annotated in their own types.

What a thing is, is seen from what it can do; no library is imported. A batch is an iterable of

    pyconll sentences (3.x and 4.x)       head and deprel are set on the same tokens, head as a string
    conllu TokenLists                     head (an integer) and deprel are set on the same tokens
    spaCy Docs                            head and dep are set on the same Doc; a Doc may hold several sentences
    dicts of lists, one per sentence      "head" and "deprel" are set in the same dict
    pairs (forms, upos), with up to       give a fastparse Sentence each, since a pair has no place for heads;
    xpos, feats and lemmas after them     None stands for a column there is not
    lists of forms, or of (form, upos)    so do these, with xpos, feats and lemma after upos, too
    fastparse Sentences                   give Sentences

one of these alone (but for pairs and lists of words, which are taken for lists of sentences), or one table: a pandas
DataFrame (a row per word; `sent_id`, or a word `id` that starts anew, tells the sentences
apart), or a table of Arrow or polars (the same, or a row per sentence and columns of lists), which comes back as a new
table.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, Protocol

import numpy as np

from fastparse.corpus.columns import checked_cells, checked_sent_ids, head_array
from fastparse.corpus.foreign.adapters import ADAPTERS, ALONE, FORM_NAMES, Adapter
from fastparse.corpus.foreign.gathering import Gatherer
from fastparse.corpus.foreign.lookalikes import refuse_rows, refuse_single_pair
from fastparse.corpus.foreign.tables import TABLES
from fastparse.corpus.sheet import Sheet
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error

__all__ = ["Objects", "annotate", "annotated", "batches_of", "columns_of", "gathered"]

SENTENCES_AT_A_TIME = 500


class ArrowLike(Protocol):
    """A table that cannot be iterated over."""

    @property
    def num_rows(self) -> int: ...


Objects = Iterable[Any] | ArrowLike  # as far as types tell


def columns_of(objects: Any, annotations: bool = True) -> Treebank:
    """The sentences of a batch, or of a table, as a treebank without source bytes.

    Args:
        objects: see above. An iterator would be used up: give a list if you mean to `annotate` it.
        annotations: whether the heads and labels that are there are wanted, too.

    Raises:
        Error: for things that are not sentences, naming which.

    Example:
        >>> columns_of([(["She", "reads"], ["PRON", "VERB"])]).table("upos")
        ['PRON', 'VERB']
    """
    if isinstance(objects, Treebank):
        return objects
    table = _table(objects)
    if table is not None:
        return _columns_of_table(table, objects, annotations)
    items = list(_single(objects))
    sheet = Sheet.of_words(items)
    return _columns(items, _adapters(items), annotations) if sheet is None else Treebank._of_sheet(sheet)


def annotate(objects: Any, treebank: Treebank) -> Any:
    """Set the heads and labels of a treebank in the objects its columns came from.

    Args:
        objects: what `columns_of` was given.
        treebank: the same sentences, parsed.

    Returns:
        The same objects in a list, annotated (a Sentence for those that have no place for heads), or the table.
    """
    table = _table(objects)
    if table is not None:
        return table.annotate(objects, treebank)
    items = list(_single(objects))
    return _annotated(items, _adapters(items), treebank)


Work = Callable[[Treebank], Treebank]


def annotated(
    objects: Any, parse: Work, batch_sentences: int = SENTENCES_AT_A_TIME,
    between: Callable[[Treebank], object] | None = None,
    through: Callable[[Work, Iterator[Treebank]], Iterator[Treebank]] = map,
    notes: Sequence[str] = (),
) -> Iterator[Any]:  # fmt: skip
    """Objects one by one, annotated by `parse`: lazily, in order, a batch at a time.

    Args:
        objects: any iterable of sentences, also an endless one; a sentence alone, or a table, which is yielded once.
        parse: gives the same sentences with heads.
        batch_sentences: how many objects are parsed together.
        between: called with each batch that has been parsed.
        through: calls `parse` with batches, and gives what it makes of them in their order, perhaps ahead of time.
        notes: options whose outcome stands in MISC or DEPS, for which only a Sentence has a place.

    Raises:
        Error: at once, for what can be seen to be no sentences; for the rest when it is met; for objects that have no
            place for the notes.
    """
    return _Annotated(objects, batches_of(objects, batch_sentences), parse, between, through, notes)


class _Annotated(Iterator[Any]):
    """What `annotated` gives: to be iterated over once, and without a length, which `list(...)` has."""

    def __init__(
        self, objects: Any, batches: Iterator[Any], parse: Work, between: Callable[[Treebank], object] | None,
        through: Callable[[Work, Iterator[Treebank]], Iterator[Treebank]], notes: Sequence[str],
    ) -> None:  # fmt: skip
        self._hint = len(objects) if isinstance(objects, Sized) else 0
        self._found = self._through(batches, parse, between, through, notes)

    @staticmethod
    def _through(
        batches: Iterator[Any], parse: Work, between: Callable[[Treebank], object] | None,
        through: Callable[[Work, Iterator[Treebank]], Iterator[Treebank]], notes: Sequence[str],
    ) -> Iterator[Any]:  # fmt: skip
        waiting: deque[Callable[[Treebank], Iterable[Any]]] = deque()  # what brings trees to objects

        def treebanks() -> Iterator[Treebank]:
            for batch in batches:
                columns, back = _taken(batch, notes)
                waiting.append(back)
                yield columns

        for parsed in through(parse, treebanks()):
            if between is not None:
                between(parsed)
            yield from waiting.popleft()(parsed)

    def __next__(self) -> Any:
        return next(self._found)

    def __length_hint__(self) -> int:
        return self._hint

    def __repr__(self) -> str:
        return "<sentences that are parsed as they are asked for: iterate over them once, or make a list(...)>"


def _taken(batch: Any, notes: Sequence[str]) -> tuple[Treebank, Callable[[Treebank], Iterable[Any]]]:
    """The columns of a batch, and what gives its objects when they have been annotated."""
    sheet = Sheet.of_words(batch) if isinstance(batch, list) else None
    if sheet is not None:
        return Treebank._of_sheet(sheet), iter
    table = _table(batch)
    if table is not None:
        _need_place(notes, batch)
        return _columns_of_table(table, batch, False), lambda parsed: [table.annotate(batch, parsed)]
    items = list(_single(batch))
    adapters = _adapters(items)
    for item, adapter in zip(items, adapters, strict=True):
        if not adapter.gives_sentences:
            _need_place(notes, item)
    return _columns(items, adapters, False), lambda parsed: _annotated(items, adapters, parsed)


def _need_place(notes: Sequence[str], item: Any) -> None:
    if notes:
        raise Error(
            f"{', '.join(notes)}: a {type(item).__name__} has no place for it. Give lists of words, pairs or a "
            f"Treebank."
        )


def batches_of(objects: Any, size: int = SENTENCES_AT_A_TIME) -> Iterator[Any]:
    """Sentences in lists of some hundred, as `columns_of` takes them, whatever they come in; or the one table.

    Raises:
        Error: at once, for what can be seen to be no sentences.
    """
    if _table(objects) is not None:
        return iter([objects])
    found = _single(objects)
    if isinstance(found, (list, tuple)) and found and not _is_words(found[0]):
        _adapter(found[0], 0).check(found[0])
    rest = iter(found)
    return iter(lambda: list(islice(rest, size)), [])


def _table(objects: Any) -> Any | None:
    return next((table for table in TABLES if table.matches(objects)), None)


def _single(objects: Any) -> Iterable[Any]:
    """The sentences; one that is given alone is one object, though its tokens can be iterated over.

    Raises:
        Error: for what is no sentences, or has the shape of something else.
    """
    if isinstance(objects, (str, bytes, os.PathLike)):
        raise Error(
            f"expected sentences, found {objects!r:.80}: read_conllu and parse_file read files, parse_text parses "
            f"running text, and [['She', 'reads']] is a list of one sentence"
        )
    if not hasattr(objects, "__iter__"):
        raise Error(f"expected sentences, found {objects!r:.80}: give a list of sentences or a treebank")
    if not (type(objects) is list and objects and _is_words(objects[0])) and any(
        adapter.matches(objects) for adapter in ALONE
    ):
        return [objects]
    refuse_single_pair(objects)
    if isinstance(objects, list):
        refuse_rows(objects)
    return objects  # type: ignore[no-any-return]


def _is_words(item: Any) -> bool:
    """Whether an object looks like a list of words, as most do."""
    return type(item) is list and bool(item) and type(item[0]) is str


def _adapters(items: list[Any]) -> list[Adapter]:
    """Who reads and annotates each object."""
    return [_adapter(item, i) for i, item in enumerate(items)]


def _adapter(item: Any, index: int) -> Adapter:
    for adapter in ADAPTERS:
        if adapter.matches(item):
            return adapter
    if isinstance(item, str):
        hint = "A sentence is a list of words, such as ['She', 'reads']; parse_text takes running text."
    elif isinstance(item, Mapping):
        hint = f"A dict needs its words under one of {', '.join(map(repr, FORM_NAMES))}."
    else:
        hint = "Give pyconll or conllu sentences, spaCy Docs, dicts of lists, lists of words, or pairs (forms, upos)."
    raise Error(f"item {index} is no sentence: {item!r:.80}. {hint}")


def _columns_of_table(table: Any, objects: Any, annotations: bool) -> Treebank:
    into = Gatherer(annotations)
    for words in table.words(objects):
        into.add(words)
    return gathered(into)


def _columns(items: list[Any], adapters: list[Adapter], annotations: bool) -> Treebank:
    into = Gatherer(annotations)
    for adapter, run in _runs(items, adapters):
        adapter.gather_all(run, into)
    return gathered(into)


def _annotated(items: list[Any], adapters: list[Adapter], treebank: Treebank) -> list[Any]:
    result = []
    index = 0
    for adapter, run in _runs(items, adapters):
        n = adapter.count(run)
        if index + n > len(treebank):
            raise Error(f"the treebank has {len(treebank)} sentences, fewer than the objects: parse the same batch")
        result += adapter.annotate_all(run, treebank, index)
        index += n
    if index != len(treebank):
        raise Error(f"the treebank has {len(treebank)} sentences, the objects have {index}: parse the same batch")
    return result


def _runs(items: list[Any], adapters: list[Adapter]) -> Iterator[tuple[Adapter, list[Any]]]:
    """Objects of one kind that follow one another."""
    for adapter, pairs in groupby(zip(adapters, items, strict=True), key=itemgetter(0)):
        yield adapter, [item for _, item in pairs]


def gathered(into: Gatherer) -> Treebank:
    """The sentences that have been gathered."""
    found, heads = into.finish()
    starts = np.zeros(len(into.sizes) + 1, np.int64)
    np.cumsum(into.sizes, out=starts[1:])
    columns = {name: (ids, checked_cells(name, ids, cells, starts)) for name, (ids, cells) in found.items()}
    ids = checked_sent_ids(into.sent_ids, len(starts) - 1) if any(into.sent_ids) else None
    return Treebank._gathered(columns, head_array(heads, int(starts[-1]), nested=False), starts, ids)
