"""Treebanks as other libraries have them, and back: functions that import a library when they are called."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["Exchange"]

_COLUMNS = ("form", "lemma", "upos", "xpos", "feats")


class Exchange:
    """The part of a Treebank that other libraries know."""

    __slots__ = ()

    @classmethod
    def from_objects(cls, objects: Any) -> Treebank:
        """The sentences of other libraries, with the heads and labels they have.

        Args:
            objects: sentences of pyconll or conllu, spaCy's Docs and Spans, dicts of lists, lists of words, pairs; a
                table of pandas, polars or Arrow; a document of udapi. See `fastparse.corpus.foreign.objects`.

        Raises:
            Error: for things that are not sentences, naming which.

        Example:
            >>> from fastparse import Treebank
            >>> Treebank.from_objects([(["She", "reads"], ["PRON", "VERB"])])
            <Treebank of 1 sentence, 2 words>
        """
        from fastparse.corpus.foreign.objects import columns_of
        from fastparse.corpus.reading import read_conllu

        if hasattr(objects, "bundles") and hasattr(objects, "to_conllu_string"):  # udapi
            return read_conllu(objects.to_conllu_string().encode("utf-8"), format="conllu")
        return columns_of(objects)

    @classmethod
    def from_pyconll(cls, sentences: Iterable[Any]) -> Treebank:
        """The sentences of pyconll (3 or 4) with all their lines: comments, ranges, empty nodes, every column.

        Args:
            sentences: what pyconll loads, or any of its sentences in an iterable.

        Raises:
            Error: for things that are not sentences of pyconll, naming which.
            ConlluError: if what they write is no CoNLL-U.

        Example:
            >>> import pyconll
            >>> from fastparse import Treebank
            >>> text = "1\\tGo\\tgo\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n"
            >>> Treebank.from_pyconll(pyconll.load_from_string(text))
            <Treebank of 1 sentence, 1 word>
        """
        return _from_pyconll(sentences)

    def to_pyconll(self: Any) -> Any:
        """The sentences as the installed pyconll reads them, with all their lines and the heads and labels of now.

        Returns:
            A `Conll` of pyconll 3, a list of sentences of pyconll 4.

        Example:
            >>> from fastparse import Treebank
            >>> treebank = Treebank.from_columns(forms=["Go"], heads=[0], deprels=["root"])
            >>> [token.form for token in treebank.to_pyconll()[0]]
            ['Go']
        """
        return _to_pyconll(self)

    def to_conllu(self: Any) -> Any:
        """The sentences as TokenLists of conllu, with the heads and labels of now."""
        return _library("conllu").parse(self.to_bytes().decode("utf-8").removeprefix("\ufeff"))

    def to_udapi(self: Any) -> Any:
        """The sentences as a Document of udapi, with the heads and labels of now."""
        document = _library("udapi.core.document").Document()
        document.from_conllu_string(self.to_bytes().decode("utf-8").removeprefix("\ufeff"))
        return document

    def to_pandas(self: Any) -> Any:
        """A DataFrame of pandas with a row per word: sent_id, id, form, lemma, upos, xpos, feats, head, deprel.

        Sentences without a sent_id have their number. `Parser.parse` and `from_objects` take such a table.
        """
        return _library("pandas").DataFrame(_rows(self))

    def to_polars(self: Any) -> Any:
        """The same as a DataFrame of polars."""
        return _library("polars").DataFrame({name: list(values) for name, values in _rows(self).items()})

    def to_arrow(self: Any) -> Any:
        """A table of Arrow with a row per sentence: sent_id, and columns of lists."""
        arrow = _library("pyarrow")
        starts = arrow.array(np.asarray(self.offsets, np.int32))
        flat = _rows(self)
        ids = _sent_ids(self)
        columns = {
            name: arrow.ListArray.from_arrays(starts, arrow.array(flat[name])) for name in (*_COLUMNS, "head", "deprel")
        }
        return arrow.table({"sent_id": ids, **columns})


def _rows(treebank: Treebank) -> dict[str, Any]:
    """The columns of a table with a row per word."""
    sizes = np.diff(treebank.offsets)
    strings = {name: np.array(treebank.table(name), object)[treebank.ids(name)] for name in _COLUMNS}
    first = np.repeat(treebank.offsets[:-1], sizes)
    return {
        "sent_id": np.repeat(np.array(_sent_ids(treebank), object), sizes),
        "id": np.arange(treebank.n_words) - first + 1,
        **strings,
        "head": np.array(treebank.heads),
        "deprel": np.array(treebank.deprels, object),
    }


def _sent_ids(treebank: Treebank) -> list[str]:
    """A name per sentence, no two the same: sent_ids, or numbers."""
    found = [sentence.sent_id for sentence in treebank]
    names = [name for name in found if name is not None]
    if len(set(names)) == len(found):
        return names
    return [str(number) for number in range(1, len(found) + 1)]


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise Error(f"this needs {package}, which is not installed: pip install {package}") from None


def _to_pyconll(treebank: Treebank) -> Any:
    """See `Treebank.to_pyconll`."""
    text = treebank.to_bytes().decode("utf-8").removeprefix("\ufeff")
    import pyconll

    if hasattr(pyconll, "load_from_string"):
        return pyconll.load_from_string(text)
    from pyconll.conllu import conllu

    return conllu.load_from_string(text)


def _from_pyconll(sentences: Iterable[Any]) -> Treebank:
    """See `Treebank.from_pyconll`."""
    from fastparse.corpus.reading import read_conllu

    if isinstance(sentences, (str, bytes)) or not isinstance(sentences, Iterable):
        raise Error(f"expected sentences of pyconll, found {sentences!r:.80}; read_conllu reads files and bytes")
    texts = [_text_of(sentence, number) for number, sentence in enumerate(sentences, 1)]
    return read_conllu("".join(f"{text}\n\n" for text in texts).encode("utf-8"), format="conllu")


def _text_of(sentence: Any, number: int) -> str:
    """The lines of a sentence: pyconll 3 has them at the sentence, pyconll 4 at the format."""
    if hasattr(sentence, "conll") and not hasattr(sentence, "form"):  # its tokens have both
        text = sentence.conll()
    elif hasattr(sentence, "tokens") and hasattr(sentence, "meta"):
        from pyconll.conllu import conllu

        text = conllu.serialize_sentence(sentence)
    else:
        raise Error(
            f"item {number} is no sentence of pyconll: {sentence!r:.80}. Give a list of its sentences (a single one "
            f"in a list), or other sentences to fastparse.Parser.parse as they are."
        )
    return str(text).rstrip("\n")
