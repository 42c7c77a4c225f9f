"""What a model says of itself besides its weights: data, and the checks of data from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from fastparse.errors import Error

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "LARGEST_THRESHOLD",
    "USUAL_CONFIDENCE",
    "USUAL_TREE_CONFIDENCE",
    "Description",
    "EncoderDescription",
    "SearchDescription",
    "description_from",
]

LARGEST_THRESHOLD = 1 << 28
_LARGEST_NUMBER = 1e3  # of a fit
_MOST_LABELS = 65_000  # label ids are 16 bits wide, and some of them mean "none"


def _strings(value: Any) -> bool:
    # Of ten thousand strings their types are known sooner than whether each is one.
    return isinstance(value, list) and all(issubclass(kind, str) for kind in set(map(type, value)))


def _labels(value: Any) -> bool:
    return _strings(value) and not any(mark in label for label in value for mark in "\t\n\r")


def _ids(value: Any) -> bool:
    return isinstance(value, list) and all(type(item) is int for item in value)


def _number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < _LARGEST_NUMBER


def _inputs(value: Any) -> bool:
    numbers = {"longest_affix", "most_grams", "most_features"}
    codes = {"codes"} & value.keys() if isinstance(value, dict) else set()  # of models with a lexicon
    return (
        isinstance(value, dict)
        and value.keys() == {*_GROUPS, *numbers, *codes, "own"}
        and all(_strings(value[group]) and len(set(value[group])) == len(value[group]) for group in _GROUPS)
        and all(type(value[name]) is int and 0 <= value[name] <= _MOST_PARTS for name in numbers | codes)
        and isinstance(value["own"], bool)
    )


_GROUPS = ("form", "affix", "tag", "feature")
_MOST_PARTS = 100  # of a word: longer affixes or more features than these are not read

USUAL_TREE_CONFIDENCE = (-0.1, 0.65, 0.8, 0.1, -0.45)  # the same of trees
USUAL_CONFIDENCE = (0.4, 0.55, 0.2, 0.8)  # about what models have been found to ask for

# What is accepted under each name.
_CHECKS: dict[str, Callable[[Any], bool]] = {
    "system": lambda value: isinstance(value, str),
    "options": lambda value: isinstance(value, dict),
    "templates": lambda value: isinstance(value, str),
    "missing": _strings,
    "tags_joined": lambda value: isinstance(value, bool),
    "labels": _labels,
    "root_labels": _ids,
    "inner_labels": _ids,
    "single_root": lambda value: isinstance(value, bool),
    "beam": lambda value: type(value) is int and value >= 1,
    "threshold": lambda value: type(value) is int and 0 <= value <= LARGEST_THRESHOLD,
    "recipe": lambda value: value is None or isinstance(value, dict),
    "encoding": lambda value: value in (None, "head", "path", "head+path"),
    "encoder": lambda value: isinstance(value, str),
    "inputs": _inputs,
    "chosen_by": lambda value: value in ("arcs", "moves"),
    "confidence": lambda value: isinstance(value, list) and len(value) == 4 and all(map(_number, value)),
    "tree_confidence": lambda value: isinstance(value, list) and len(value) == 5 and all(map(_number, value)),
}


@dataclass(frozen=True, kw_only=True)
class SearchDescription:
    """The choices a model was trained with that search must repeat, whatever gives the scores.

    What search makes of them, and whether it can, is told by `fastparse.search.kinds`.

    Attributes:
        system: the name of the transition system.
        options: its options; of the three-step system, {"projective": the name of the system of the first step}.
        labels: dependency labels by id.
        root_labels: ids that an arc from the root may carry.
        inner_labels: ids that other arcs may carry.
        single_root: whether the root gets exactly one child.
        beam: of training, and of parsing unless another one is asked for.
        threshold: states of a beam that score less than the best by more than this are left out; 0 keeps all of them.
        encoding: of pseudo-projective labels; None when labels are plain.
        recipe: of a composed system, which `system` is the name of; None for those with a row in the registry. Its
            moves are a list of pairs, since their order matters.
    """

    system: str
    options: dict[str, Any]
    labels: tuple[str, ...]
    root_labels: tuple[int, ...]
    inner_labels: tuple[int, ...]
    single_root: bool
    beam: int
    threshold: int = 0
    encoding: str | None = None
    recipe: dict[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}

    def summary(self) -> dict[str, Any]:
        """`to_dict` without what is too long to be read."""
        return self.to_dict()

    @classmethod
    def from_dict(cls, found: Any) -> Self:
        """The inverse of `to_dict`, for values from outside.

        Raises:
            Error: saying which value is not what it must be.
        """
        if not isinstance(found, dict):
            raise Error("the description is not an object")
        names = [f.name for f in fields(cls)]
        for name in names:
            if name not in found or not _CHECKS[name](found[name]):
                raise Error(f"{name!r} is {found.get(name)!r:.80}, which it cannot be")
        n = len(found["labels"])
        if not 1 <= n <= _MOST_LABELS or len(set(found["labels"])) != n:
            raise Error(f"there are {n} labels, or some are there twice")
        for name in ("root_labels", "inner_labels"):
            if not all(0 <= i < n for i in found[name]):
                raise Error(f"{name!r} names a label that is not one of {n}")
        values: dict[str, Any] = {name: tuple(v) if isinstance(v := found[name], list) else v for name in names}
        return cls(**values)


@dataclass(frozen=True, kw_only=True)
class Description(SearchDescription):
    """Of a model whose scores are sums of weights of features.

    Attributes:
        templates: the text of the template file.
        missing: word attributes the training treebank does not have; templates leave them out.
        tags_joined: whether `tag` is UPOS and XPOS together.
        chosen_by: what labels are chosen by: "arcs", once the arc is drawn, or "moves", as parts of them.
    """

    templates: str
    missing: tuple[str, ...]
    tags_joined: bool
    chosen_by: str = "arcs"

    @classmethod
    def from_dict(cls, found: Any) -> Self:
        return super().from_dict({"chosen_by": "arcs", **found} if isinstance(found, dict) else found)

    def to_dict(self) -> dict[str, Any]:
        """Without what is as in models that do not say it."""
        values = super().to_dict()
        if self.chosen_by == "arcs":
            del values["chosen_by"]
        return values


@dataclass(frozen=True, kw_only=True)
class EncoderDescription(SearchDescription):
    """Of a model whose scores an encoder gives.

    Attributes:
        encoder: the name of its size.
        inputs: the strings that have embeddings, see `fastparse.encoder.inputs.Inputs`.
        confidence, tree_confidence: what makes true probabilities of the encoder's, of arcs and of trees, see
            `fastparse.search.confidence`.
    """

    encoder: str
    inputs: dict[str, Any]
    confidence: tuple[float, ...] = USUAL_CONFIDENCE
    tree_confidence: tuple[float, ...] = USUAL_TREE_CONFIDENCE

    @classmethod
    def from_dict(cls, found: Any) -> Self:
        usual = {"confidence": list(USUAL_CONFIDENCE), "tree_confidence": list(USUAL_TREE_CONFIDENCE)}
        return super().from_dict({**usual, **found} if isinstance(found, dict) else found)

    def summary(self) -> dict[str, Any]:
        counted = {name: len(value) if isinstance(value, list) else value for name, value in self.inputs.items()}
        return {**self.to_dict(), "inputs": counted}


def description_from(found: Any) -> SearchDescription:
    """The description in a model file, of either kind.

    Raises:
        Error: saying which value is not what it must be.
    """
    kind = EncoderDescription if isinstance(found, dict) and "encoder" in found else Description
    return kind.from_dict(found)
