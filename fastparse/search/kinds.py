"""Kinds of search: what each knows of its system and labels, what its scores are computed from, and what parses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from fastparse.encoder.encoder import Encoder
from fastparse.encoder.inputs import GROUPS, Inputs, Own
from fastparse.encoder.lexicon import Lexicon
from fastparse.encoder.reading import WordReader
from fastparse.errors import Error, ModelFormatError, UnknownNameError
from fastparse.features.attributes import Values
from fastparse.features.templates import (
    AttributeLayout,
    TemplateSet,
    attributes_of,
    plan_of,
    read_templates,
    without,
)  # fmt: skip
from fastparse.model.description import Description, EncoderDescription, SearchDescription
from fastparse.model.seen import TAGS, columns_read
from fastparse.search.easy_first import EasyFirstEngine
from fastparse.search.engine import MAX_BEAM, EncoderEngine, Engine, GraphEngine, Loop, Outcome
from fastparse.search.three_step import MirroredEngine, PassEngine, ThreeStepEngine
from fastparse.transition_systems.registry import ROWS, check_options, resolve
from fastparse.transition_systems.three_step import LEFT, RIGHT
from fastparse.trees.pseudo_projective import LIFTED, ON_PATH, base, deprojectivize_treebank
from fastparse.weights.arrays import Form, arrays_of, tables_from

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.encoder.reading import Words
    from fastparse.features.plan import Plan
    from fastparse.machine.system import System
    from fastparse.weights.table import CompiledTable

__all__ = [
    "FIRST_STEPS", "NOT_LEARNT", "PASSES", "THREE_STEP", "EasyFirst", "EncodedLabels", "EncoderSearch", "GraphSearch",
    "Kind", "Plain", "ThreeStep", "described_steps", "is_beam", "is_count", "kind_of", "moves_of_steps", "of_graphs",
    "require_encodable", "require_searchable",
]  # fmt: skip

THREE_STEP = "three-step"
FIRST_STEPS = ROWS[THREE_STEP].first_steps
PASSES = {"left": LEFT, "right": RIGHT}

# Why some systems have no models.
NOT_LEARNT = {name: row.no_models for name, row in ROWS.items() if row.no_models}

_NO_STATES = ("easy-first", THREE_STEP)  # systems that do not go from state to state


class Kind(Protocol):
    """A search without weights, made once from a description.

    Attributes:
        labels: that parsing gives.
        columns: besides forms, that scores depend on, or would if training had seen something in them.

    Weights are whatever the kind makes of the arrays of a file: tables for linear models.
    """

    labels: EncodedLabels
    columns: frozenset[str]

    @property
    def description(self) -> SearchDescription:
        """What the kind was made from."""
        ...

    @property
    def moves(self) -> tuple[str, ...]:
        """The transitions of parsing, in the order in which they are counted."""
        ...

    def values(self, treebank: Treebank, own: Any = False) -> Any:
        """What scores are computed from, word by word.

        Args:
            own: whether a tagger has said the tags, of all sentences or of each; weights of features read all alike.
        """
        ...

    def weights(self, arrays: Mapping[str, np.ndarray[Any, Any]]) -> Any:
        """The weights in arrays from outside; raises Error if they cannot be used."""
        ...

    def arrays(self, weights: Any) -> dict[str, np.ndarray[Any, Any]]:
        """The arrays `weights` makes the weights of again."""
        ...

    def loop(self, weights: Any) -> Loop:
        """What parses with these weights."""
        ...


def is_count(value: Any) -> bool:
    """Whether a value is a whole number from 1, of Python's or of numpy's."""
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1


def is_beam(value: Any) -> bool:
    """Whether a value can be the size of a beam."""
    return is_count(value) and int(value) <= MAX_BEAM


def kind_of(description: SearchDescription, arrays: Mapping[str, np.ndarray[Any, Any]] | None = None) -> Kind:
    """The kind of search a model was trained for.

    Args:
        arrays: the parser's; of encoders the lexicon among them is read.

    Raises:
        Error: if search cannot do what the description asks.
    """
    if not is_beam(description.beam):
        raise Error(f"'beam' is {description.beam!r}, which it cannot be")
    if isinstance(description, EncoderDescription):
        return EncoderSearch(description, Lexicon.among(arrays or {}))
    assert isinstance(description, Description)
    kinds: dict[str, type[Plain]] = {"easy-first": EasyFirst, THREE_STEP: ThreeStep}
    return kinds.get(description.system, Plain)(description)


# ── systems ──


def require_searchable(system: System, graphs: bool = False) -> None:
    """Raise Error for systems that build no trees, or no graphs, or whose derivations may not end."""
    if system.name in NOT_LEARNT:
        raise Error(f"{system.name!r} has no models: {NOT_LEARNT[system.name]}")
    if graphs and (not system.is_graph or system.name not in ROWS):
        raise Error(f"{system.name!r} has no models of graphs; there are {', '.join(map(repr, of_graphs()))}")
    if system.is_graph and not graphs:
        raise Error(
            f"{system.name!r} builds graphs, not trees: a parser learns them besides trees, with targets='enhanced'"
        )
    if system.composition is not None:
        from fastparse.theory.analysis import analyse

        found = analyse(system).bounded
        if found.value != "yes":
            raise Error(f"{system.name!r} has no models: its derivations may not end ({found.reason})")


def of_graphs() -> list[str]:
    """The names of the systems that are trained for graphs."""
    return [name for name, row in ROWS.items() if row.graphs]


def require_encodable(name: str) -> None:
    """Raise Error for systems whose moves no encoder scores."""
    if name in _NO_STATES:
        raise Error(f"{name!r} has no encoder: choose a system that moves from configuration to configuration")


def moves_of_steps(first: System) -> tuple[str, ...]:
    """The moves of the three-step system with this first step, in the order in which they are counted."""
    passes = {side: resolve(f"{THREE_STEP}/{side}").moves for side in PASSES}
    return (*first.moves, *(f"{side}/{move}" for side, moves in passes.items() for move in moves))


def described_steps(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a three-step system as models hold them: the first step, and what is no default."""
    known = ROWS[THREE_STEP].options
    return {name: options[name] for name in known if name == "projective" or options[name] != known[name][0]}


def _described_system(described: SearchDescription) -> System:
    """The system a model was trained for; raises Error if it cannot be made."""
    if described.recipe is None:
        return resolve(described.system, **described.options)
    from fastparse.theory.compose import from_recipe

    moves = described.recipe.get("moves")
    if not isinstance(moves, list) or not all(isinstance(m, list) and len(m) == 2 for m in moves):
        raise Error("the recipe has no list of moves")
    system = from_recipe({**described.recipe, "moves": dict(moves)})
    if system.name != described.system:
        raise Error(f"the recipe is of {system.name!r}, not of {described.system!r}")
    return system


# ── labels ──


class EncodedLabels:
    """The labels search knows, and those parsing gives: some say where an arc was lifted from, and it is put back.

    Attributes:
        encoded: whether there is anything to restore.
        names: the labels parsing gives, by id: those search knows, then what they are without marks, if that is new.
    """

    def __init__(self, labels: tuple[str, ...], encoding: str | None) -> None:
        """Args: encoding: "head", "path" or "head+path"; None when labels are plain, and nothing is to be done."""
        self._known, self._encoding, self.encoded = labels, encoding, encoding is not None
        self.names = labels if encoding is None else tuple(dict.fromkeys([*labels, *map(base, labels)]))
        self._number = {label: i for i, label in enumerate(self.names)}
        self._marked = np.array([LIFTED in label or ON_PATH in label for label in labels], np.uint8)

    def restore(self, found: Outcome) -> None:
        """Undo the encoding of the heads and labels of some sentences, in place."""
        if self._encoding is None:
            return
        if found.has_label(self._marked):
            self._restore(found.heads, found.labels, found.offsets)
        if found.tree_heads is not None and found.tree_labels is not None:
            for heads, labels in zip(found.tree_heads, found.tree_labels, strict=True):
                self._restore(heads, labels, found.offsets)

    def _restore(
        self, heads: np.ndarray[Any, Any], labels: np.ndarray[Any, Any], offsets: np.ndarray[Any, Any]
    ) -> None:  # fmt: skip
        assert self._encoding is not None
        words = np.flatnonzero(self._marked[labels])
        for s in np.unique(np.searchsorted(offsets, words, side="right") - 1).tolist():
            part = slice(int(offsets[s]), int(offsets[s + 1]))
            strings = [self._known[i] for i in labels[part].tolist()]
            bounds = [0, len(strings)]
            heads[part], strings = deprojectivize_treebank(heads[part], bounds, strings, self._encoding)
            labels[part] = [self._number[label] for label in strings]


def _label_masks(described: SearchDescription) -> list[np.ndarray[Any, Any]]:
    """Per label, whether an arc from the root may carry it, and whether another arc may."""
    masks = [np.zeros(len(described.labels), np.uint8) for _ in range(2)]
    for mask, allowed in zip(masks, (described.root_labels, described.inner_labels), strict=True):
        mask[list(allowed)] = 1
    return masks


# ── linear scores ──


class Plain:
    """Greedy search and beams over the transitions of a system; see `Kind`. The other linear kinds begin with it.

    Attributes:
        system: what search runs.
        engine_forms: the tables `engine` reads.
        forms: all tables of the kind.
    """

    graphs: ClassVar[bool] = False

    def __init__(self, description: Description) -> None:
        """Raises Error if the description names no system that search can run, or its templates cannot be read."""
        self.description = description
        self.labels = EncodedLabels(description.labels, description.encoding)
        self.system = self._resolved()
        require_searchable(self.system, self.graphs)
        self._layout = AttributeLayout()
        templates = read_templates(description.templates, "<templates of the model>")
        self.columns = columns_read(attributes_of(templates), description.tags_joined)
        self._plans = self._planned(templates)
        self.engine_forms = (
            Form("moves", len(self.system.moves), True),
            Form("labels", len(description.labels), False),
        )
        self.forms: tuple[Form, ...] = self.engine_forms

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(self.system.moves)

    def values(self, treebank: Treebank, own: Any = False) -> Values:
        return Values(treebank, self._layout.attributes, self._layout.counted, self.description.tags_joined)

    def weights(self, arrays: Mapping[str, np.ndarray[Any, Any]]) -> dict[str, CompiledTable]:
        return tables_from(arrays, self.forms)

    def arrays(self, weights: Mapping[str, CompiledTable]) -> dict[str, np.ndarray[Any, Any]]:
        return arrays_of(weights)

    def loop(self, weights: Mapping[str, Any]) -> Loop:
        return self.engine(weights)

    def engine(self, tables: Mapping[str, Any]) -> Engine:
        """The system with its plans and weights.

        Args:
            tables: of moves and of labels, LearningTables or CompiledTables.
        """
        description = self.description
        parts: list[Any] = [
            *self._plans[:4],
            tables["moves"],
            tables["labels"],
            *_label_masks(description),
            description.single_root,
            description.chosen_by == "moves",
        ]
        return (GraphEngine if self.graphs else Engine)(self.system, *parts)

    def _resolved(self) -> System:
        return _described_system(self.description)

    def _planned(self, templates: TemplateSet) -> list[Plan]:
        """The plans of moves and of labels, each grouped and flat; attributes are laid out in this order."""
        missing = set(self.description.missing)
        moves, labels = without(templates.moves, missing), without(templates.labels, missing)
        return [plan_of(lines, self._layout, share) for lines in (moves, labels) for share in (True, False)]


class EasyFirst(Plain):
    """Greedy, in any order, with the tables of plain search; see `Kind`."""

    def loop(self, weights: Mapping[str, Any]) -> Loop:
        return EasyFirstEngine(self.engine(weights))

    def _resolved(self) -> System:
        if self.description.beam != 1:
            raise Error("easy-first is greedy, it has no beam")
        if self.description.recipe is not None:
            raise Error(f"{self.description.system!r} has a recipe, which it cannot have")
        return super()._resolved()


class GraphSearch(Plain):
    """Graphs beside trees, with the tables of plain search; `values` reads trees, labels by their place in `deprels`.

    Attributes:
        deprels: the labels of trees that training has seen.
    """

    graphs = True

    def __init__(self, description: Description, deprels: Sequence[str]) -> None:
        super().__init__(description)
        self.deprels = tuple(deprels)
        self._number = {label: i for i, label in enumerate(self.deprels)}

    def values(self, treebank: Treebank, own: Any = False) -> Values:
        unknown = len(self.deprels)
        known = np.array([self._number.get(label, unknown) for label in (*treebank.deprel_table, "_")], np.int32)
        return super().values(treebank, own).plant(treebank.heads, known[treebank.deprel_ids])


class ThreeStep(Plain):
    """A projective tree by plain search, then two passes over it; see `Kind`.

    Attributes:
        system: of the first step.
        engine_forms: the tables of the first step.
        forms: these, then those of the passes.
        mirrored: whether the first step goes through sentences from right to left.
        labelled: whether PUT chooses the label that a word waits under.
    """

    def __init__(self, description: Description) -> None:
        super().__init__(description)
        self.forms = (*self.engine_forms, *self.pass_forms("left"), *self.pass_forms("right"))

    @property
    def moves(self) -> tuple[str, ...]:
        """The transitions of the first step, then those of the passes."""
        return moves_of_steps(self.system)

    def pass_forms(self, side: str) -> tuple[Form, ...]:
        """The tables of the "left" or "right" pass: in favour of PUT, in favour of DIST, and of the labels of PUT."""
        labels = (Form(f"{side}.label", len(self.description.labels), False),) if self.labelled else ()
        return Form(f"{side}.put", 1, True), Form(f"{side}.dist", 1, True), *labels

    def loop(self, weights: Mapping[str, Any]) -> Loop:
        left, right = (self.pass_engine(side, weights) for side in PASSES)
        return ThreeStepEngine(self.engine(weights), left, right, self.mirrored)

    def first_step(self, weights: Mapping[str, Any]) -> Loop:
        """What parses as far as the anchors."""
        engine = self.engine(weights)
        return MirroredEngine(engine) if self.mirrored else engine

    def pass_engine(self, side: str, tables: Mapping[str, Any]) -> PassEngine:
        """The "left" or "right" pass with weights."""
        put, dist = self._plans[4:]
        return PassEngine(side, put, dist, *(tables[form.name] for form in self.pass_forms(side)))

    def _resolved(self) -> System:
        described = self.description
        given = described.options
        try:
            if "projective" not in given or given.keys() - ROWS[THREE_STEP].options or described.recipe is not None:
                raise UnknownNameError("an option")
            steps = check_options(THREE_STEP, given)
        except UnknownNameError:
            raise Error(f"the options of {described.system!r} are {given!r}, which they cannot be") from None
        self.mirrored, self.labelled = steps["direction"] == "right-to-left", steps["put"] == "label"
        return resolve(steps["projective"])

    def _planned(self, templates: TemplateSet) -> list[Plan]:
        """The plans of the first step, then those of put and of dist."""
        own = super()._planned(templates)
        missing = set(self.description.missing)
        return own + [
            plan_of(without(lines, missing), self._layout, False) for lines in (templates.put, templates.dist)
        ]


# ── scores of an encoder ──


class EncoderSearch:
    """Greedy search and beams over the transitions of a system; see `Kind`. Weights are an `Encoder`.

    Attributes:
        system: what search runs.
    """

    def __init__(self, description: EncoderDescription, lexicon: Lexicon | None = None) -> None:
        """Raises Error if the description names no system that search can run with an encoder."""
        self.description, self.lexicon = description, lexicon
        self.labels = EncodedLabels(description.labels, description.encoding)
        require_encodable(description.system)
        self.system = _described_system(description)
        require_searchable(self.system)
        inputs = Inputs.from_dict(description.inputs, lexicon)
        # One that knows no tags at all is meant to do without.
        self.columns = frozenset(TAGS if inputs.tag or inputs.feature else ())
        self._reader = WordReader(inputs)

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(self.system.moves)

    def values(self, treebank: Treebank, own: Own = False) -> Words:
        return self._reader.words(treebank, own)

    def weights(self, arrays: Mapping[str, np.ndarray[Any, Any]]) -> Encoder:
        own = {name: array for name, array in arrays.items() if not name.startswith("lexicon.")}
        try:
            encoder = Encoder(own, "the encoder")
        except ModelFormatError as error:
            raise Error(str(error)) from error
        if encoder.n_segments != len(GROUPS):
            raise Error(f"the encoder has {encoder.n_segments} tables of embeddings, not {len(GROUPS)}")
        self.loop(encoder)
        return encoder

    def arrays(self, weights: Encoder) -> dict[str, np.ndarray[Any, Any]]:
        return weights.to_arrays() | ({} if self.lexicon is None else self.lexicon.arrays())

    def loop(self, weights: Encoder) -> Loop:
        root, inner = _label_masks(self.description)
        return EncoderEngine(self.system, weights, root, inner, self.description.single_root)
