"""Treebanks as pyconll sentences and back: the only module that imports pyconll, whose interface ends here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from fastparse.corpus.conllu.reading import read_conllu
from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["from_pyconll", "to_pyconll"]


def to_pyconll(treebank: Treebank) -> Any:
    """See `Treebank.to_pyconll`."""
    text = treebank.to_bytes().decode("utf-8").removeprefix("\ufeff")
    import pyconll

    if hasattr(pyconll, "load_from_string"):
        return pyconll.load_from_string(text)
    from pyconll.conllu import conllu

    return conllu.load_from_string(text)


def from_pyconll(sentences: Iterable[Any]) -> Treebank:
    """See `Treebank.from_pyconll`."""
    if isinstance(sentences, (str, bytes)) or not isinstance(sentences, Iterable):
        raise Error(f"expected sentences of pyconll, found {sentences!r:.80}; read_conllu reads files and bytes")
    texts = [_text(sentence, number) for number, sentence in enumerate(sentences, 1)]
    return read_conllu("".join(f"{text}\n\n" for text in texts).encode("utf-8"), format="conllu")


def _text(sentence: Any, number: int) -> str:
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
