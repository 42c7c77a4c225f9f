"""Other people's sentences: into columns, and annotated in their own types.

What a thing is, is seen from what it can do; no library is imported. A batch is an iterable of

    pyconll sentences (3.x and 4.x)       head and deprel are set on the same tokens, head as a string
    conllu TokenLists                     head (an integer) and deprel are set on the same tokens
    spaCy Docs                            head and dep are set on the same Doc; a Doc may hold several sentences
    dicts of lists, one per sentence      "head" and "deprel" are set in the same dict
    pairs (forms, upos[, xpos])           give a fastparse Sentence each, since a pair has no place for heads;
    lists of forms or of (form, upos)     so do these
    fastparse Sentences                   give Sentences

or one table: a pandas DataFrame (a row per word; `sent_id`, or a word `id` that starts anew, tells the sentences
apart), or an Arrow table (a row per sentence, columns of lists), which comes back as a new table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from fastparse.corpus.foreign.adapters import ADAPTERS, Adapter, Words
from fastparse.corpus.foreign.tables import TABLES
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error

__all__ = ["annotate", "annotated", "columns_of"]


def columns_of(objects: Any) -> Treebank:
    """The sentences of a batch, or of a table, as a treebank without source bytes.

    Args:
        objects: see above. An iterator would be used up: give a list if you mean to `annotate` it.

    Raises:
        Error: for things that are not sentences, naming which.

    Example:
        >>> columns_of([(["She", "reads"], ["PRON", "VERB"])]).table("upos")
        ['PRON', 'VERB']
    """
    if isinstance(objects, Treebank):
        return objects
    words: list[Words] = []
    table = _table(objects)
    if table is not None:
        words.extend(table.words(objects))
    else:
        for i, item in enumerate(_single(objects)):
            words.extend(_adapter(item, i).words(item))
    return _treebank(words)


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
    result = []
    index = 0
    for i, item in enumerate(_single(objects)):
        adapter = _adapter(item, i)
        n = sum(1 for _ in adapter.words(item)) if adapter.many else 1
        if index + n > len(treebank):
            raise Error(f"the treebank has {len(treebank)} sentences, fewer than the objects: parse the same batch")
        result.append(adapter.annotate(item, [treebank[k] for k in range(index, index + n)]))
        index += n
    if index != len(treebank):
        raise Error(f"the treebank has {len(treebank)} sentences, the objects have {index}: parse the same batch")
    return result


def annotated(
    objects: Iterable[Any], parse: Callable[[Treebank], Treebank], batch_sentences: int = 1000
) -> Iterator[Any]:
    """Objects one by one, annotated by `parse`: lazily, in order, a batch at a time.

    Args:
        objects: any iterable of sentences, also an endless one; or a table, which is yielded once.
        parse: gives the same sentences with heads.
        batch_sentences: how many objects are parsed together.
    """
    if _table(objects) is not None:
        yield annotate(objects, parse(columns_of(objects)))
        return
    iterator = iter(_single(objects))
    while batch := list(islice(iterator, batch_sentences)):
        yield from annotate(batch, parse(columns_of(batch)))


def _table(objects: Any) -> Any | None:
    return next((table for table in TABLES if table.matches(objects)), None)


def _single(objects: Any) -> Iterable[Any]:
    """A Doc given alone is one object, though its tokens can be iterated over."""
    if isinstance(objects, str) or not hasattr(objects, "__iter__"):
        raise Error(f"expected sentences, found {objects!r:.80}: give a list of sentences or a treebank")
    return [objects] if ADAPTERS[0].matches(objects) else objects


def _adapter(item: Any, index: int) -> Adapter:
    for adapter in ADAPTERS:
        if adapter.matches(item):
            return adapter
    raise Error(
        f"item {index} is no sentence: {item!r:.80}. Give pyconll or conllu sentences, spaCy Docs, dicts of lists, or "
        f"pairs (forms, upos)."
    )


def _treebank(words: list[Words]) -> Treebank:
    def column(name: str) -> list[list[Any]] | None:
        if all(getattr(sentence, name) is None for sentence in words):
            return None
        return [
            [None] * len(sentence.forms) if getattr(sentence, name) is None else list(getattr(sentence, name))
            for sentence in words
        ]

    forms = [form for sentence in words for form in sentence.forms]
    offsets = [0]
    for sentence in words:
        offsets.append(offsets[-1] + len(sentence.forms))

    def flat(name: str) -> list[Any] | None:
        nested = column(name)
        if nested is None:
            return None
        for i, (sentence, values) in enumerate(zip(words, nested, strict=True)):
            if len(values) != len(sentence.forms):
                n = len(sentence.forms)
                raise Error(f"sentence {i + 1} has {n} forms but {len(values)} in {name!r}: give one each")
        return [value for values in nested for value in values]

    ids = [sentence.sent_id for sentence in words]
    return Treebank.from_columns(
        forms, flat("upos"), flat("xpos"), flat("feats"), flat("lemmas"), flat("heads"), flat("deprels"),
        offsets=offsets, sent_ids=ids if any(ids) else None,
    )  # fmt: skip
