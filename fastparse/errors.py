"""The exceptions and warnings users meet.

Messages are written where they are raised: what, where, what was expected, what to do.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

__all__ = [
    "ConlluError", "Error", "FastparseWarning", "ModelFormatError", "OracleError", "UnknownNameError", "did_you_mean",
]  # fmt: skip


class Error(ValueError):
    """Any error a user can cause and mend; the base of the others."""


class ConlluError(Error):
    """A treebank file is not what its format says."""


class UnknownNameError(Error):
    """A system, move, option, column, label or model that does not exist."""


class ModelFormatError(Error):
    """A model file is damaged, truncated, foreign or from the future."""


class OracleError(Error):
    """A tree lies outside the class a system can build."""


class FastparseWarning(UserWarning):
    """Something works, but hardly as it was meant: `strict=True`, or --strict, makes it an error."""


def did_you_mean(word: Any, known: Iterable[str]) -> str:
    """A question that names the most similar of the known words, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(str(word), list(known), n=1, cutoff=0.6)
    return f": did you mean {close[0]}?" if close else ""
