"""Treebanks as pyconll sentences: the only module that imports pyconll, so that a change of its interface ends here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["to_pyconll"]


def to_pyconll(treebank: Treebank) -> Any:
    """The sentences of a treebank with all their lines, as the installed pyconll reads them.

    pyconll 3 gives a `Conll`, pyconll 4 a list of sentences. The way back needs no bridge: `corpus.objects.columns_of`
    takes both.

    Example:
        >>> from fastparse import read_conllu
        >>> treebank = read_conllu(b"1\\tGo\\tgo\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n")
        >>> [token.form for token in to_pyconll(treebank)[0]]
        ['Go']
    """
    text = treebank.to_bytes().decode("utf-8").removeprefix("\ufeff")
    import pyconll

    if hasattr(pyconll, "load_from_string"):
        return pyconll.load_from_string(text)
    from pyconll.conllu import conllu

    return conllu.load_from_string(text)
