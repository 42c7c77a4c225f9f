"""The exceptions and warnings users meet.

Messages are written where they are raised: what, where, what was expected, what to do.
"""

__all__ = ["ConlluError", "Error", "FastparseWarning", "ModelFormatError", "OracleError", "UnknownNameError"]


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
