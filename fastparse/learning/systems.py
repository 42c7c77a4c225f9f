"""Which system to train, and with which templates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastparse import features
from fastparse.errors import Error
from fastparse.search.kinds import NOT_LEARNT, THREE_STEP, require_searchable
from fastparse.theory.derive import count_transitions
from fastparse.transition_systems.registry import ROWS, check_options, resolve, systems

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank
    from fastparse.learning.options import TrainingOptions
    from fastparse.machine.system import System

__all__ = ["family_templates", "system_to_train", "trainable"]

_ENOUGH = 0.95  # of the trees: then the first choice is taken without looking further
_FIRST_CHOICE = max(ROWS, key=lambda name: ROWS[name].preference)


def trainable() -> list[str]:
    """The names of the systems that parsers are trained with; those of graphs are learnt besides."""
    return [name for name in systems() if name not in NOT_LEARNT and not ROWS[name].graphs]


def system_to_train(
    system: Any, system_options: dict[str, Any], treebank: Treebank, options: TrainingOptions
) -> tuple[System, list[str]]:
    """The system, and what to tell the user about the choice; for the three-step system, that of the first step.

    Raises:
        Error: if the system does not train.
    """
    if system != "auto":
        name = system if isinstance(system, str) else system.name
        if name in NOT_LEARNT:
            raise Error(
                f"{name!r} cannot be trained: {NOT_LEARNT[name]}. The systems that train: {', '.join(trainable())}."
            )
        if name == THREE_STEP:
            return _first_step(system_options, options), []
        found = resolve(system, **system_options)
        require_searchable(found)
        if options.beam_size > 1 and found.name in ROWS and not ROWS[found.name].beam:
            raise Error(
                f"{found.name} is greedy: it cannot be trained with a beam of {options.beam_size}, only with beam=1"
            )
        if options.oracle == "static" and found.name == "easy-first":
            raise Error("easy-first learns from every right arc, whatever the order: it has no static oracle")
        if options.labels == "moves" and found.name == "easy-first":
            raise Error("easy-first chooses labels once the arc is drawn: leave out labels='moves'")
        return found, []
    if system_options:
        raise Error("options of a system need its name: system='auto' takes none")
    trees = treebank.select(treebank.trees().nonzero()[0])
    if not len(trees):
        return resolve(_FIRST_CHOICE), []
    share = _coverage(_FIRST_CHOICE, trees)
    if share >= _ENOUGH:
        return resolve(_FIRST_CHOICE), [f"{_FIRST_CHOICE} is trained: it covers {share:.1%} of the trees."]
    able = [name for name in trainable() if not ROWS[name].pipeline and (ROWS[name].beam or options.beam_size == 1)]
    shares = {name: _coverage(name, trees) for name in able}
    best = max(shares, key=lambda name: (shares[name], ROWS[name].preference))
    return resolve(best), [
        f"{best} is trained: it covers {shares[best]:.1%} of the trees, {_FIRST_CHOICE} only {share:.1%} (at least "
        f"{_ENOUGH:.0%} are asked for)."
    ]


def _first_step(system_options: dict[str, Any], options: TrainingOptions) -> System:
    name = check_options(THREE_STEP, system_options)["projective"]
    if options.pseudo_projective:
        raise Error(
            f"{THREE_STEP!r} finds non-projective arcs by itself: train it without "
            f"pseudo_projective={options.pseudo_projective!r}, or train {name!r} with it"
        )
    return resolve(name)


def _coverage(name: str, treebank: Treebank) -> float:
    return float((count_transitions(treebank, name) >= 0).mean())


def family_templates(system: str) -> str:
    """The template set of a system: that of its row, or the one of its name or family, or arc-eager's."""
    if system in ROWS and ROWS[system].templates:
        return ROWS[system].templates
    sets = Path(features.__file__).parent / "sets"
    for name in (system.replace("/", "-"), system.split("/")[0]):
        if (sets / f"{name}.txt").exists():
            return name
    return "arc-eager"
