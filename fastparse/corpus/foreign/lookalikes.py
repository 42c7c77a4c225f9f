"""Shapes that look right and are not: refused with the right shape, instead of being parsed as something else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from fastparse.errors import Error

__all__ = ["check_names", "refuse_rows", "refuse_single_pair", "refuse_words"]

# The tags of Universal Dependencies; X is left out, since it is a word as well.
_TAGS = frozenset({
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM",
    "VERB",
})  # fmt: skip
_MOST_COLUMNS = 5
_NEAR = 0.7
# Names that are not near what they stand for.
_ALIASES = {"tag": "upos", "tags": "upos", "pos_tags": "upos", "pos_tag": "upos", "postag": "upos", "token": "tokens"}


def refuse_single_pair(objects: Any) -> None:
    """Raise Error for (forms, tags) given as if it were a list of sentences."""
    if not isinstance(objects, (tuple, list)) or not 2 <= len(objects) <= _MOST_COLUMNS:
        return
    sizes = {len(column) if _is_strings(column) else -1 for column in objects}
    if len(sizes) != 1 or not sizes.isdisjoint({0, -1}):
        return
    if _are_tags(objects[1]) and not _are_tags(objects[0]):
        raise Error(
            f"this looks like the columns of one sentence, forms {list(objects[0])!r:.60} and tags "
            f"{list(objects[1])!r:.60}, but a list of sentences is expected: give [(forms, tags)], a list of one pair"
        )


def refuse_rows(batch: Sequence[Any]) -> None:
    """Raise Error for sentences that are rows of a form and its tags, instead of sentences."""
    if batch and all(_is_row(item) for item in batch):
        words = ", ".join(f"({row[0]!r}, {row[1]!r})" for row in batch[:3])
        raise Error(
            f"this looks like the words of one sentence, each with its tag, the first {tuple(batch[0])!r:.60}; but a "
            f"list of sentences is expected: give [[{words}{', ...' if len(batch) > 3 else ''}]], a list of a list of "
            f"tuples, or [(forms, tags)]"
        )


def refuse_words(columns: Sequence[Any]) -> None:
    """Raise Error for columns that are rows of a form and its tags: words that should be tuples in a list."""
    if all(_is_row(column) for column in columns):
        words = ", ".join(f"({row[0]!r}, {row[1]!r})" for row in columns[:3])
        raise Error(
            f"this looks like the words of a sentence, each with its tag, the first {columns[0]!r:.60}, where columns "
            f"(forms, tags) are expected: make the words tuples, [{words}{', ...' if len(columns) > 3 else ''}]"
        )


def check_names(names: Iterable[Any], known: Mapping[str, Sequence[str]], what: str) -> None:
    """Raise Error for a name that is almost that of a column which is missing.

    Args:
        known: the names of each column.
        what: has these names.
    """
    given = [name for name in names if isinstance(name, str)]
    column = {name: key for key, spelled in known.items() for name in spelled}
    there = {column[name] for name in given if name in column}
    for name in given:
        if name in column:
            continue
        near = [_ALIASES[name]] if name in _ALIASES else get_close_matches(name.lower(), column, n=1, cutoff=_NEAR)
        if near and column[near[0]] not in there:
            raise Error(
                f"{what} has {name!r}, which is no name of a column: did you mean {near[0]!r}? (Names that are read: "
                f"{', '.join(column)}.)"
            )


def _is_strings(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def _are_tags(column: Sequence[str]) -> bool:
    return all(item in _TAGS or item == "X" for item in column) and any(item in _TAGS for item in column)


def _is_row(item: Any) -> bool:
    return _is_strings(item) and 2 <= len(item) <= _MOST_COLUMNS and item[1] in _TAGS and item[0] not in _TAGS
