"""What a parser has seen of the columns of its treebank, kept in the model: what it may expect of its input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.errors import Error
from fastparse.features.attributes import column_of
from fastparse.model.description import Description, EncoderDescription, SearchDescription
from fastparse.model.profile import packed, profile_of

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = [
    "TAGS", "Seen", "columns_read", "record_of", "record_of_text", "seen_by", "usual_forms", "values_of",
]  # fmt: skip

TAGS = ("upos", "xpos", "feats")
READABLE = (*TAGS, "lemma")  # columns that words may lack
_MOST_VALUES = 2000  # of a column; where there are more, unknown ones are no news
_OFTEN = 2  # times that a form occurs which a network has a row for
_USUAL_KNOWN = 0.8  # of the words, of models that do not say
_USUAL_SHARE = {"upos": 1.0, "xpos": 1.0, "lemma": 1.0, "feats": 0.3}  # of models that do not say


@dataclass(frozen=True)
class Seen:
    """What training had in one column.

    Attributes:
        share: of the words that had something there; 0: the column was empty.
        values: the tags, or the features (`Case=Nom`), that occurred; None if that is not known.
    """

    share: float
    values: frozenset[str] | None = None

    def knows(self, column: str, string: str) -> bool:
        """Whether a cell of the column holds nothing that is not among the values, which are known."""
        known = self.values or frozenset()
        return string in known or all(value in known for value in values_of(column, string))


def values_of(column: str, string: str) -> Iterable[str]:
    """What a cell holds: nothing, a tag, or features."""
    if string in ("_", ""):
        return ()
    return string.split("|") if column == "feats" else (string,)


def record_of(treebank: Treebank) -> dict[str, Any]:
    """What the model says of the columns of the treebank it learns from, for JSON."""
    found: dict[str, Any] = {}
    for column in READABLE:
        table = treebank.table(column)
        counts = np.bincount(np.asarray(treebank.ids(column)), minlength=len(table)).tolist()
        values: set[str] = set()
        filled = 0
        for string, n in zip(table, counts, strict=True):
            held = values_of(column, string) if n else ()
            filled += n if held else 0
            values.update(held if column in TAGS else ())
        found[column] = {"share": round(filled / max(1, treebank.n_words), 4)}
        if column in TAGS and len(values) <= _MOST_VALUES:
            found[column]["values"] = sorted(values)
    return found


def columns_read(attributes: Iterable[str], tags_joined: bool = False) -> frozenset[str]:
    """The columns besides forms that word attributes are computed from.

    Args:
        attributes: as templates name them.
        tags_joined: whether `tag` is UPOS and XPOS together.
    """
    names = set(attributes)
    found = {column_of(name) for name in names}
    if "tag" in names and tags_joined:
        found.add("xpos")
    return frozenset(found & set(READABLE))


def seen_by(description: SearchDescription, read: frozenset[str], record: Mapping[str, Any]) -> dict[str, Seen]:
    """What a parser has seen of each column that it reads; as much as can be told, of models that do not say.

    Args:
        read: the columns that its scores depend on, or would if training had seen something in them.

    Raises:
        Error: if what the record says cannot be.
    """
    said = record.get("columns")
    if said is None:
        return _derived(description, read)
    if not isinstance(said, dict) or not all(_sound(said.get(column)) for column in READABLE):
        raise Error("'columns' of the parser's record is not what it must be")
    found = {}
    for column in READABLE:
        if column in read:
            values = said[column].get("values")
            found[column] = Seen(said[column]["share"], None if values is None else frozenset(values))
    return found


def _sound(said: Any) -> bool:
    if not isinstance(said, dict) or not isinstance(said.get("share"), (int, float)) or not 0 <= said["share"] <= 1:
        return False
    values = said.get("values", [])
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _derived(description: SearchDescription, read: frozenset[str]) -> dict[str, Seen]:
    if isinstance(description, EncoderDescription):
        tags = description.inputs["tag"]
        values = {
            "upos": frozenset(tag[1:] for tag in tags if tag[0] == "u"),
            "xpos": frozenset(tag[1:] for tag in tags if tag[0] == "x"),
            "feats": frozenset(description.inputs["feature"]),
        }
        return {
            column: Seen(_USUAL_SHARE[column] if values[column] else 0.0, values[column]) for column in sorted(read)
        }
    assert isinstance(description, Description)
    empty = {column_of(name) for name in description.missing}
    return {column: Seen(0.0 if column in empty else _USUAL_SHARE[column]) for column in sorted(read)}


def record_of_text(treebank: Treebank) -> dict[str, Any]:
    """What the model says of the text it learns from, for JSON: by what its language is known.

    `known` is the share of the words with letters whose forms occur often enough in the rest of the treebank; about as
    many of other texts of the language are known. `profile` is that of `fastparse.model.profile`.
    """
    table = treebank.table("form")
    counts = np.bincount(np.asarray(treebank.ids("form")), minlength=len(table)).tolist()
    times = dict(zip(table, counts, strict=True))
    words = known = 0
    for form, n in times.items():
        if n and any(map(str.isalpha, form)):
            small = form.lower()
            words += n
            known += n if n > _OFTEN or (small != form and times.get(small, 0) >= _OFTEN) else 0
    return {"known": round(known / max(1, words), 3), "profile": packed(profile_of(treebank.to_text()))}


def usual_forms(description: SearchDescription, record: Mapping[str, Any]) -> tuple[list[str], float] | None:
    """The forms that a model knows, and the share of the words of a usual text that have one; None if it cannot tell.

    Raises:
        Error: if what the record says cannot be.
    """
    said = record.get("text", {})
    known = said.get("known", _USUAL_KNOWN) if isinstance(said, dict) else None
    if not isinstance(known, (int, float)) or not 0 <= known <= 1:
        raise Error("'text' of the parser's record is not what it must be")
    if not isinstance(description, EncoderDescription):
        return None
    return description.inputs["form"], known
