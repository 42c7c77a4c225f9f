"""What is asked of a model: the same for all sentences that it works on together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fastparse.server.models import Offer

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.parser import Parser

__all__ = ["Task"]


class Task(NamedTuple):
    """What becomes of sentences.

    Attributes:
        offer: the model.
        tags: "keep" leaves tags and lemmas as they are, "fill" gives them where there are none, as `Parser.parse`
            does, "replace" anew.
        parse: whether they get trees.
        beam: of the search for these; None for the model's own.
    """

    offer: Offer
    tags: str
    parse: bool
    beam: int | None = None

    def done(self, parser: Parser, treebank: Treebank) -> Treebank:
        """The sentences with what was asked for. What becomes of one does not depend on the others."""
        retag = self.tags == "replace"
        if not self.parse:
            return treebank if self.tags == "keep" else parser.tag(treebank, retag=retag)
        parsed = parser.parse(treebank, self.beam, retag=retag)
        if self.tags != "keep":
            return parsed
        return treebank.with_heads(parsed.heads, parsed.deprel_ids, parsed.deprel_table)
