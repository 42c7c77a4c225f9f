"""Labels that carry words: `nmod:of` is learnt as `nmod:{case}`, and `of` is the word that marks the dependent.

`=` stands for the label that the dependent has in the tree, `^` for that of the word above it in the tree, as conjuncts
have it: most arcs of a graph are those of the tree, or go to other conjuncts.

What is in braces is a slot: the lemma of a word that stands by the dependent, or the value of its feature Case. So
prepositions that training has not seen are put into labels as well. Slots are tried in their order; the first that
holds the text is the one that is learnt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["SAME", "SLOTS", "Slots"]

_KINDS = ("case", "mark", "cc", "advmod", "fixed")
_JOINED = "_"
SAME, _ABOVE = "=", "^"
_OF_TREE = (SAME, _ABOVE)


class Slots:
    """What the slots hold for the words of a treebank, which are counted through all sentences from 0."""

    def __init__(self, treebank: Treebank) -> None:
        sizes = np.diff(treebank.offsets)
        first = np.repeat(treebank.offsets[:-1], sizes)
        heads = treebank.heads
        self._heads = np.where(heads > 0, first + heads - 1, -1).tolist()
        self._whole = [*treebank.deprel_table, "_"]
        table = [label.partition(":")[0] for label in self._whole]
        self._labels, self._label_ids = table, treebank.deprel_ids.tolist()
        self._lemmas: list[str]
        self._lemmas, self._lemma_ids = [*treebank.table("lemma"), "_"], treebank.ids("lemma").tolist()
        self._forms: list[str]
        self._forms, self._form_ids = treebank.table("form"), treebank.ids("form").tolist()
        self._feats, self._feat_ids = [*treebank.table("feats"), "_"], treebank.ids("feats").tolist()
        self._cases: dict[int, str] = {}
        self._below: dict[str, dict[int, list[int]]] = {kind: {} for kind in _KINDS}
        self._conjuncts: dict[int, list[int]] = {}
        for at, label in enumerate(self._label_ids):
            kind = table[label]
            if kind in self._below:
                self._below[kind].setdefault(self._heads[at], []).append(at)
            elif kind == "conj":
                self._conjuncts.setdefault(self._heads[at], []).append(at)

    def fill(self, slot: str, word: int) -> str:
        """What a slot holds for a word; "" for nothing."""
        return SLOTS[slot](self, word) if slot in SLOTS else ""

    def pattern(self, label: str, word: int) -> str:
        """A label with slots in the places of what they hold."""
        if ">" in label:  # through an empty node, of which a parser knows nothing
            return label
        base, rest = self._base(label, word)
        return ":".join([base, *(self._slot_of(part, word) for part in rest)])

    def label(self, pattern: str, word: int) -> str:
        """A label from its pattern; slots that hold nothing are left out."""
        base, *rest = pattern.split(":")
        if base in _OF_TREE:
            base = self._tree_label(word if base == SAME else self._heads[word])
        filled = (self.fill(part[1:-1], word) if part.startswith("{") else part for part in rest)
        return ":".join([base, *filter(None, filled)])

    def _base(self, label: str, word: int) -> tuple[str, list[str]]:
        """What stands for the first parts of a label, and the other parts."""
        for sign, of in ((SAME, word), (_ABOVE, self._heads[word])):
            known = self._tree_label(of)
            if label == known:
                return sign, []
            if known and label.startswith(f"{known}:"):
                return sign, label[len(known) + 1 :].split(":")
        base, *rest = label.split(":")
        return base, rest

    def _tree_label(self, word: int) -> str:
        return self._whole[self._label_ids[word]] if word >= 0 else "root"

    def _slot_of(self, part: str, word: int) -> str:
        for name, held in SLOTS.items():
            if held(self, word) == part:
                return f"{{{name}}}"
        return part

    def _text(self, word: int) -> str:
        lemma = self._lemmas[self._lemma_ids[word]]
        text: str = self._forms[self._form_ids[word]] if lemma in ("_", "") else lemma
        return text.lower().replace(":", "").replace("|", "").replace(" ", _JOINED)

    def _phrase(self, word: int) -> str:
        """The lemma of a word and those of what is fixed to it."""
        rest = self._below["fixed"].get(word)
        return self._text(word) if rest is None else _JOINED.join(map(self._text, (word, *rest)))

    def _first(self, kind: str, word: int) -> str:
        found = self._below[kind].get(word)
        return "" if found is None else self._phrase(found[0])

    def _last(self, kind: str, word: int) -> str:
        found = self._below[kind].get(word)
        return "" if found is None else self._phrase(found[-1])

    def _all(self, kind: str, word: int) -> str:
        found = self._below[kind].get(word)
        return "" if found is None else _JOINED.join(map(self._phrase, found))

    def _above(self, word: int) -> int:
        """The first conjunct of a word that is another one; -1 for others."""
        return self._heads[word] if self._labels[self._label_ids[word]] == "conj" else -1

    def _shared(self, kind: str, word: int) -> str:
        above = self._above(word)
        return "" if above < 0 else self._first(kind, above)

    def _coordinator(self, word: int) -> str:
        """Of a conjunct: that of the next one that has one, or else of the last one before it."""
        above = self._above(word)
        if above < 0:
            return ""
        found = [other for other in self._conjuncts.get(above, ()) if other in self._below["cc"]]
        after = [other for other in found if other > word]
        return self._first("cc", (after or found[::-1])[0]) if found else ""

    def _case(self, word: int) -> str:
        """The feature Case, as labels have it."""
        if word < 0:
            return ""
        feats = self._feats[self._feat_ids[word]]
        at = 0 if feats.startswith("Case=") else feats.find("|Case=") + 1
        return feats[at + 5 :].partition("|")[0].lower() if at or feats.startswith("Case=") else ""

    def _case_of_marker(self, word: int) -> str:
        found = self._below["case"].get(word)
        return "" if found is None else self._case(found[0])


SLOTS: dict[str, Callable[[Slots, int], str]] = {
    "case": lambda slots, word: slots._first("case", word),
    "mark": lambda slots, word: slots._first("mark", word),
    "cc": lambda slots, word: slots._first("cc", word),
    "cases": lambda slots, word: slots._all("case", word),
    "marks": lambda slots, word: slots._all("mark", word),
    "last case": lambda slots, word: slots._last("case", word),
    "last mark": lambda slots, word: slots._last("mark", word),
    "other cc": lambda slots, word: slots._coordinator(word),
    "shared case": lambda slots, word: slots._shared("case", word),
    "shared mark": lambda slots, word: slots._shared("mark", word),
    "Case": lambda slots, word: slots._case(word),
    "marked Case": lambda slots, word: slots._case_of_marker(word),
    "shared Case": lambda slots, word: slots._case(slots._above(word)),
    "advmod": lambda slots, word: slots._first("advmod", word),
}
"""Name -> what it holds for a word. Models name slots, so that none is ever given another meaning."""
