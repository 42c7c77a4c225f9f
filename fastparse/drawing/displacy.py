"""Sentences as spaCy's displaCy draws them: displacy.render(to_displacy(sentence), style="dep", manual=True)."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["to_displacy", "to_json"]


def to_displacy(sentence: Any) -> dict[str, list[dict[str, Any]]]:
    """Words and arcs of a sentence; the arc from the root is left out, as displaCy does.

    Args:
        sentence: with forms, heads and deprels; upos if it has some.

    Example:
        >>> from fastparse import Treebank
        >>> treebank = Treebank.from_columns(["She", "reads"], heads=[2, 0], deprels=["nsubj", "root"])
        >>> to_displacy(treebank[0])["arcs"]
        [{'start': 0, 'end': 1, 'label': 'nsubj', 'dir': 'left'}]
    """
    words = [{"text": form, "tag": tag} for form, tag in zip(sentence.forms, sentence.upos, strict=True)]
    arcs = [
        {
            "start": min(head, word) - 1,
            "end": max(head, word) - 1,
            "label": label,
            "dir": "left" if word < head else "right",
        }
        for word, (head, label) in enumerate(zip(sentence.heads, sentence.deprels, strict=True), 1)
        if head > 0
    ]
    return {"words": words, "arcs": arcs}


def to_json(sentence: Any) -> str:
    """The same as a line of JSON."""
    return json.dumps(to_displacy(sentence), ensure_ascii=False) + "\n"
