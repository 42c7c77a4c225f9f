"""Every option of a training, once: its default, what it means, which values it takes, how a command line spells it.

The signature and the documentation of `fastparse.train`, the options of `fastparse train` and their help are made from
the fields of `TrainingOptions`; a new option is a field, and a line in `TrainingKeywords` for type checkers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from textwrap import fill
from typing import TYPE_CHECKING, Any, TypedDict

from fastparse.errors import Error, UnknownNameError, did_you_mean

if TYPE_CHECKING:
    import os

__all__ = [
    "FOLDS",
    "MAX_BYTES",
    "TrainingKeywords",
    "TrainingOptions",
    "UnknownOption",
    "documented",
    "meaning_of",
    "with_defaults",
]

FOLDS = 4
MAX_BYTES = 10_000_000  # beyond that most weights matter little
_LINEAR_BEAM, _LINEAR_ROUNDS = 32, 10


class UnknownOption(UnknownNameError, TypeError):
    """An option that does not exist."""


def option(default: Any, meaning: str, **about: Any) -> Any:
    """A field.

    Args:
        meaning: for `help(fastparse.train)` and `fastparse train --help`.
        about: least, most: of numbers, and expected: what these are called in messages; choices: the values there are,
            by how a command line spells them; metavar, flag: as a command line has them; only: "features" for what
            is of weights of features alone; kept: whether the record of a model says it; described: whether the
            description of a model says it.
    """
    return field(default=default, metadata={"meaning": meaning, **about})


def _same(*names: str) -> dict[str, str]:
    return {name: name for name in names}


@dataclass(frozen=True)
class TrainingOptions:
    """Everything that a training can be told besides the treebank.

    Fields that are None by default follow from others: see `beam_size`, `rounds` and `with_defaults`.
    """

    system: Any = option(
        "two-registers", "a transition system (`fastparse systems` lists them), composed or by its name, or auto: "
        "two-registers if it covers at least 95% of the trees, else the system that covers most",
        metavar="NAME", kept=True, described=True,
    )  # fmt: skip
    dev: Any = option(
        None, "a treebank to choose the best round by (labelled attachment over every word with full labels; if the "
        "parser learns from predicted tags, the mean of that with given and with predicted ones); without one the last "
        "round is taken", metavar="DEV",
    )  # fmt: skip
    beam: int | None = option(
        None, "states kept while parsing, and while learning unless there is an encoder; 1 is greedy (default: 32; "
        "with an encoder 4; 1 for systems that are greedy)", metavar="N", least=1, kept=True, described=True,
    )  # fmt: skip
    iterations: int | None = option(
        None, "rounds over the treebank (default: 10; with an encoder 12 to 50, more for small treebanks and half as "
        "many again for the small size with teachers)", metavar="N", least=1, kept=True,
    )  # fmt: skip
    seed: int = option(
        1, "of the order of sentences and of exploration; the same seed gives the same model, byte for byte",
        metavar="N", least=0, kept=True,
    )  # fmt: skip
    outside: str = option(
        "lift", "what becomes of trees the system cannot build: lift their arcs until it can, skip them, or stop",
        choices=_same("lift", "skip", "stop"), kept=True,
    )  # fmt: skip
    single_root: bool | str = option(
        "auto", "give each sentence one root; auto: if at least 99% of the training trees have one",
        choices={"auto": "auto", "yes": True, "no": False}, kept=True, described=True,
    )  # fmt: skip
    pseudo_projective: str | None = option(
        None, "encode lifted arcs in labels: head, path or head+path", metavar="ENCODING",
        choices=_same("head", "path", "head+path"), kept=True, described=True,
    )  # fmt: skip
    templates: str | None = option(
        None, "a set of feature templates, by name or file (default: those for the system)", metavar="NAME|FILE",
        only="features", kept=True,
    )  # fmt: skip
    threads: int = option(
        1, "for parsing DEV and for learning: with a beam, several runs, or encoders (two of them); they change no "
        "byte", metavar="N", least=1,
    )  # fmt: skip
    progress: Any = option(
        None, "called with each report; `print` will do; True shows a bar of tqdm after two seconds", flag=None
    )
    components: Sequence[str] | None = option(
        None, "what to learn, of tokenizer, tagger, lemmatizer and parser (default: all the treebank has data for: a "
        "tokenizer if it tells where there are no spaces, a tagger if it has tags and 1,000 words, a lemmatizer if it "
        "has lemmas, a parser)", metavar="NAME,...",
    )  # fmt: skip
    system_options: Mapping[str, Any] | None = option(
        None, "options of the system, such as oracle=eager for swap", metavar="NAME=VALUE", flag="--option"
    )
    checkpoint: str | os.PathLike[str] | None = option(
        None, "a file that is brought up to date after every round of every component; if it is there, the training "
        "goes on from it", metavar="FILE",
    )  # fmt: skip
    licence: str | None = option(None, "kept in the model: what may be done with it, and whom to name", metavar="TEXT")
    about: str | None = option(
        None, "kept in the model: its language and treebank, such as 'English, UD EWT 2.16'", metavar="TEXT"
    )
    language: str | None = option(
        None, "kept in the model: the code of its language, such as nb; auto and spaCy find the model by it",
        metavar="CODE",
    )  # fmt: skip
    targets: str = option(
        "tree", "what a sentence gets: a tree, or enhanced: the enhanced graph of DEPS besides, by a system of graphs "
        "(2-planar/graph, or the one that `system` names)", choices=_same("tree", "enhanced"), kept=True,
    )  # fmt: skip
    encoder: str | None = option(
        "default", "the size of the neural encoder to learn; none: weights of features instead, less accurate and "
        "quicker to learn, as easy-first and three-step have them in any case; the tagger is of this size, without an "
        "encoder small", choices={"default": "default", "small": "small", "none": None}, open=True, kept=True,
    )  # fmt: skip
    tags: str | None = option(
        None, "what the parser learns from: gold, the treebank's tags, or predicted, those that a tagger says which "
        "has not learnt from the sentence; an encoder learns from both (default: predicted if a tagger is learnt, else "
        "gold)", choices=_same("gold", "predicted"), kept=True,
    )  # fmt: skip
    folds: int = option(
        FOLDS, "parts of the treebank, each tagged for the parser by a tagger that has learnt from the others",
        metavar="N", least=2, kept=True,
    )  # fmt: skip
    vectors: str | os.PathLike[str] | None = option(
        None, "word vectors (text format of word2vec or GloVe, plain or compressed) that an encoder and its tagger "
        "read besides; the model keeps them, about 60 bytes a word", metavar="FILE",
    )  # fmt: skip
    lexicon: str | os.PathLike[str] | None = option(
        None, "what is known of words, for an encoder and its tagger: a text file, plain or compressed, of a word and "
        "columns of what many words share (clusters, frequencies), separated by tabs; the model keeps it, about 5 "
        "bytes a word", metavar="FILE",
    )  # fmt: skip
    vector_words: int | None = option(
        None, "the first N words of the vectors, besides those of the treebank (default: 50000)", metavar="N", least=0
    )
    teachers: int = option(
        0, "with an encoder: learn N networks of the default size first, with other seeds, and from what they hold "
        "probable, too: more accurate at the same speed, N times longer to learn", metavar="N", least=0, kept=True,
    )  # fmt: skip
    runs: int = option(
        1, "learn with N successive seeds and average: more accurate, N times the work", metavar="N", least=1,
        only="features", kept=True,
    )  # fmt: skip
    update: str = option(
        "max-violation", "where beam training learns: where the beam is furthest ahead of the right derivation, or "
        "where it has lost it", choices=_same("max-violation", "early"), only="features", kept=True,
    )  # fmt: skip
    oracle: str = option(
        "dynamic", "greedy learning: also from mistakes, where the system has an oracle for that, or from one "
        "derivation (which one, the system's own option oracle says)", choices=_same("dynamic", "static"),
        only="features", kept=True,
    )  # fmt: skip
    labels: str = option(
        "arcs", "what labels are chosen by: once the arc is drawn, or with the moves, all labels of an arc competing "
        "with them", choices=_same("arcs", "moves"), only="features", kept=True,
    )  # fmt: skip
    minibatch: int | None = option(
        None, "sentences that a beam searches with the same weights while learning, on several threads if there are "
        "(default: 4 from 10,000 trees on, else 1)", metavar="N", least=1, only="features", kept=True,
    )  # fmt: skip
    held_out: float = option(
        0.05, "with a beam and without DEV: the part of the trees that tells how wide the beam has to be, and is not "
        "learnt from; 0: none, it is always whole", metavar="PART", least=0.0, most=0.5,
        expected="a part from 0 to 0.5", only="features", kept=True,
    )  # fmt: skip
    explore: float = option(
        0.9, "greedy learning and encoders: how often a wrong label is followed, and, of systems with a dynamic "
        "oracle, a wrong move; in the first round none is", metavar="PROBABILITY", least=0.0, most=1.0,
        expected="a probability", kept=True,
    )  # fmt: skip
    learnt_beam: int | None = option(
        None, "states of the beams whose mistakes an encoder learns from, too, whatever it parses with; 0: it learns "
        "from single states alone, in less time (default: 4, or 0 where the system has a dynamic oracle)",
        metavar="N", least=0, kept=True,
    )  # fmt: skip
    margin: int = option(
        5, "by how much the right move has to win, the right label, and the right derivation per wrong arc",
        metavar="N", least=0, only="features", kept=True,
    )  # fmt: skip
    scale: float = option(
        4.0, "steps of a weight of 1 when weights are rounded for parsing", metavar="X", least=0.0, most=1024.0,
        expected="a number above 0 and up to 1024", only="features", kept=True,
    )  # fmt: skip
    least_weight: int = option(
        1, "rounded weights below this are dropped", metavar="N", least=1, only="features", kept=True
    )
    max_bytes: int | None = option(
        MAX_BYTES, "of weights: those that matter least are left out, and it is said what that cost; none (on the "
        "command line 0): all are kept", metavar="N", least=1024, none=0, only="features", kept=True,
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Raises UnknownNameError or Error for impossible values."""
        for f in fields(self):
            _check(f.name, getattr(self, f.name), f.default, f.metadata)
        if self.scale <= 0:
            raise Error(f"scale={self.scale!r}: expected {_ABOUT['scale']['expected']}")
        if self.beam is not None or self.learnt_beam is not None:
            self._check_beams()
        if self.encoder is None:
            for name in ("teachers", "vectors", "lexicon"):
                if getattr(self, name):
                    raise Error(f"{name}={getattr(self, name)!r} are of encoders: say encoder='default' or 'small'")
            return
        from fastparse.learning.networks.plans import shape_for

        shape_for(self.encoder)
        for f in fields(self):
            value = getattr(self, f.name)
            if f.metadata.get("only") == "features" and value != f.default:
                raise Error(
                    f"{f.name}={value!r} is for weights of features: say encoder=None to learn these, or leave it out "
                    f"with encoder={self.encoder!r}"
                )

    def _check_beams(self) -> None:
        from fastparse.learning.networks.beams import LARGEST_BEAM
        from fastparse.search.engine import MAX_BEAM

        if self.beam is not None and self.beam > MAX_BEAM:
            raise Error(f"beam={self.beam!r}: expected a number from 1 (greedy) to {MAX_BEAM}")
        if self.learnt_beam is not None:
            if type(self.learnt_beam) is not int or self.learnt_beam not in (0, *range(2, LARGEST_BEAM + 1)):
                raise Error(f"learnt_beam={self.learnt_beam!r}: expected 0 or a number from 2 to {LARGEST_BEAM}")
            if self.encoder is None:
                raise Error(f"learnt_beam={self.learnt_beam!r} is of encoders: say encoder='default' or 'small'")

    @property
    def beam_size(self) -> int:
        """States kept."""
        if self.beam is not None:
            return self.beam
        from fastparse.learning.networks.plans import ENCODER_BEAM

        return _LINEAR_BEAM if self.encoder is None else ENCODER_BEAM

    @property
    def rounds(self) -> int:
        """Rounds over the treebank."""
        return _LINEAR_ROUNDS if self.iterations is None else self.iterations

    def to_dict(self) -> dict[str, Any]:
        """What the record of a model says of them, for JSON: not what its description has, nor what says nothing."""
        left_out = {f.name for f in fields(self) if not f.metadata.get("kept") or f.metadata.get("described")}
        if self.encoder is None:
            left_out.add("encoder")
        else:
            left_out |= {f.name for f in fields(self) if f.metadata.get("only") == "features"}
        if self.targets == "tree":
            left_out.add("targets")
        if self.tags != "predicted":
            left_out |= {"tags", "folds"}
        if not self.teachers:
            left_out.add("teachers")
        if self.learnt_beam is None:
            left_out.add("learnt_beam")
        if self.oracle == "dynamic" or self.beam_size > 1:
            left_out.add("oracle")
        if self.labels == "arcs":
            left_out.add("labels")
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in left_out}


_ABOUT: dict[str, Mapping[str, Any]] = {f.name: f.metadata for f in fields(TrainingOptions)}


def _check(name: str, value: Any, default: Any, about: Mapping[str, Any]) -> None:
    choices = about.get("choices")
    if choices is not None:
        values = list(choices.values())
        if not any(value is each or (isinstance(value, str) and value == each) for each in (*values, default)) and not (
            about.get("open") and isinstance(value, str)
        ):
            raise UnknownNameError(f"{name}={value!r} is unknown: expected {' or '.join(map(repr, values))}")
    elif "most" in about:
        if type(value) not in (int, float) or not about["least"] <= value <= about["most"]:
            raise Error(f"{name}={value!r}: expected {about['expected']}")
    elif "least" in about and name != "learnt_beam":
        free = value is None and (default is None or "none" in about)
        if not free and (type(value) is not int or value < about["least"]):
            raise Error(f"{name}={value!r}: expected a number from {about['least']}")


def with_defaults(given: Mapping[str, Any]) -> TrainingOptions:
    """The options that a user has given, and defaults for the others.

    Raises:
        Error: if there is no such option, naming the one that was probably meant, or its value is impossible.
    """
    for name in given:
        if name not in _ABOUT:
            meant = did_you_mean(name, _ABOUT) or f": the options are {', '.join(_ABOUT)}"
            raise UnknownOption(f"train has no option {name}{meant}")
    if "encoder" not in given:
        from fastparse.search.kinds import require_encodable

        system = given.get("system", TrainingOptions.system)
        try:
            require_encodable(system if isinstance(system, str) else system.name)
        except Error:
            given = {**given, "encoder": None}
    return TrainingOptions(**given)


def documented() -> str:
    """The options as the `Args` of a docstring have them."""
    lines = (f"{name}: {meaning_of(name)}." for name in _ABOUT)
    indents: dict[str, Any] = {"initial_indent": " " * 8, "subsequent_indent": " " * 12}
    return "\n".join(fill(line, 112, break_on_hyphens=False, **indents) for line in lines)


def meaning_of(name: str) -> str:
    """What an option means, and its default."""
    about, default = _ABOUT[name], getattr(TrainingOptions, name)
    meaning: str = about["meaning"]
    if "(default" in meaning or default is None:
        return meaning
    spelt = {value: text for text, value in about.get("choices", {}).items()}
    return f"{meaning} (default: {spelt.get(default, default)})"


class TrainingKeywords(TypedDict, total=False):
    """The options of `fastparse.train` that are given by name alone, for type checkers."""

    components: Sequence[str] | None
    system_options: Mapping[str, Any] | None
    checkpoint: str | os.PathLike[str] | None
    licence: str | None
    about: str | None
    language: str | None
    targets: str
    encoder: str | None
    tags: str | None
    folds: int
    vectors: str | os.PathLike[str] | None
    lexicon: str | os.PathLike[str] | None
    vector_words: int | None
    teachers: int
    runs: int
    update: str
    oracle: str
    labels: str
    minibatch: int | None
    held_out: float
    explore: float
    learnt_beam: int | None
    margin: int
    scale: float
    least_weight: int
    max_bytes: int | None
