"""fastparse: fast and accurate dependency parsing with transition systems of the literature.

Names are loaded when first used, so that ``import fastparse`` is quick and parsing never loads training code.
"""

from __future__ import annotations

import os
from importlib import import_module

from fastparse.errors import (
    ConlluError,
    Error,
    FastparseWarning,
    FileError,
    ModelFormatError,
    OracleError,
    UnknownNameError,
)

__version__ = "0.2.0"

# Public name -> module that defines it.
_HOME = {
    "Configuration": "fastparse.theory.configuration",
    "systems": "fastparse.transition_systems.registry",
    "options": "fastparse.transition_systems.registry",
    "Exploration": "fastparse.theory.exploration",
    "is_derivable": "fastparse.theory.exploration",
    "compose": "fastparse.theory.compose",
    "analyse": "fastparse.theory.analysis",
    "derive": "fastparse.theory.derive",
    "Derivation": "fastparse.theory.derive",
    "count_transitions": "fastparse.theory.derive",
    "read_conllu": "fastparse.corpus.reading",
    "iter_conllu": "fastparse.corpus.reading",
    "Treebank": "fastparse.corpus.treebank",
    "Sentence": "fastparse.corpus.treebank",
    "train": "fastparse.learning.train",
    "load": "fastparse.parser",
    "models": "fastparse.model.finding",
    "Parser": "fastparse.parser",
    "Report": "fastparse.parser",
    "evaluate": "fastparse.evaluation.attachment",
    "Scores": "fastparse.evaluation.attachment",
}

__all__ = [
    "ConlluError",
    "Error",
    "FastparseWarning",
    "FileError",
    "ModelFormatError",
    "OracleError",
    "UnknownNameError",
    "__version__",
    "trees",
    *sorted(_HOME),
]


TYPE_CHECKING = False  # as type checkers take it; the module that has it is most of the time to import this one

if TYPE_CHECKING:  # the same names, for type checkers and editors
    from typing import Any

    from fastparse import trees as trees
    from fastparse.corpus.reading import iter_conllu as iter_conllu
    from fastparse.corpus.reading import read_conllu as read_conllu
    from fastparse.corpus.treebank import Sentence as Sentence
    from fastparse.corpus.treebank import Treebank as Treebank
    from fastparse.evaluation.attachment import Scores as Scores
    from fastparse.evaluation.attachment import evaluate as evaluate
    from fastparse.learning.train import train as train
    from fastparse.model.finding import models as models
    from fastparse.parser import Parser as Parser
    from fastparse.parser import Report as Report
    from fastparse.parser import load as load
    from fastparse.theory.analysis import analyse as analyse
    from fastparse.theory.compose import compose as compose
    from fastparse.theory.configuration import Configuration as Configuration
    from fastparse.theory.derive import Derivation as Derivation
    from fastparse.theory.derive import count_transitions as count_transitions
    from fastparse.theory.derive import derive as derive
    from fastparse.theory.exploration import Exploration as Exploration
    from fastparse.theory.exploration import is_derivable as is_derivable
    from fastparse.transition_systems.registry import options as options
    from fastparse.transition_systems.registry import systems as systems
else:

    def __getattr__(name: str) -> Any:
        if name == "trees":
            value = import_module("fastparse.trees")
        elif name in _HOME:
            value = getattr(import_module(_HOME[name]), name)
        else:
            raise AttributeError(f"module 'fastparse' has no attribute {name!r}")
        import_module("fastparse.display").drawn_by(_drawing)
        globals()[name] = value
        return value


def _drawing() -> object:
    return import_module("fastparse.drawing.notebook")


def __dir__() -> list[str]:
    return sorted(__all__)


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:  # imported from an archive, say
        return []


def _require_compiled(package: str) -> None:
    """Refuse the sources alone, which Python finds first when it is started in their folder."""
    names = _names(package)
    if not names or any(name.startswith("_utilities.") and name.endswith((".so", ".pyd")) for name in names):
        return
    folder = os.path.dirname(package)
    raise ImportError(
        f"{folder} holds the sources of fastparse, which are not compiled there: start Python in another folder to "
        f"use what is installed, or compile them with `pip install -e {folder}`"
    )


def _warn_of_namesake(folder: str) -> None:
    """Warn when an unrelated distribution, called fastparse itself, was installed into the same folder."""
    namesakes = [name for name in _names(folder) if name.startswith("fastparse-")]
    if any(name.endswith((".dist-info", ".egg-info")) for name in namesakes):
        import warnings

        warnings.warn(
            f"{folder} also holds an unrelated distribution called 'fastparse', whose files have the places of ours "
            "(the distribution of this parser is 'fastparse-nlp'). Uninstall both, then install 'fastparse-nlp' again.",
            stacklevel=3,
        )


_package = os.path.dirname(os.path.abspath(__file__))
_require_compiled(_package)
_warn_of_namesake(os.path.dirname(_package))
