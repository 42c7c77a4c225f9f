"""How a parser itself finds a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastparse.contract import Contract
from fastparse.corpus.foreign.objects import columns_of
from fastparse.corpus.sentence import Sentence
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error

if TYPE_CHECKING:
    from fastparse.theory.derive import Derivation

__all__ = ["Derivations"]


class Derivations(Contract):
    """The part of a Parser that shows its moves."""

    def derivation(
        self, sentence: Any, beam: int | None = None, *, retag: bool = False, threshold: int | None = None
    ) -> Derivation:
        """The moves by which the parser itself finds the tree of a sentence, to step through.

        They lead to the tree of `parse`, but for words that no move gives a head: these get theirs at the end.
        `fastparse.derive` says instead how an oracle would build a tree.

        Args:
            sentence: a Sentence, a Treebank of one, or one of what `parse` takes many of, such as a list of forms.
            beam, retag, threshold: as for `parse`.

        Raises:
            Error: if it is not one sentence; if the parser's system has no moves from configuration to configuration
                (easy-first) or several passes (three-step).

        Example:
            >>> print(fastparse.load().derivation(["She", "reads"]))   # doctest: +SKIP
        """
        from fastparse.theory.derive import Derivation  # nobody who parses needs it

        size = self._checked(beam, 1, retag, threshold)
        if isinstance(sentence, Sentence):
            sentence = sentence.treebank[sentence.index : sentence.index + 1]
        treebank = sentence if isinstance(sentence, Treebank) else columns_of([sentence], annotations=False)
        if len(treebank) != 1:
            raise Error(f"a derivation is of one sentence, found {len(treebank)}: take one, as in treebank[0]")
        ready, own = self._components.prepared(treebank, retag)
        visible = self._components.expectations.visible(ready)
        system, moves = self._components.need_decoder().steps(visible, size, own=own, threshold=threshold)
        return Derivation(system, treebank.n_words, moves)
