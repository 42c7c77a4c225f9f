"""What can be concluded about a divisible system, and why.

The propositions are those of section 3.2 of Gómez-Rodríguez and Nivre (2013). A property is "yes" when a proposition
proves it, "no" when a small counterexample refutes it, and "unknown" otherwise. All derivations of a few words are
followed besides, whether a system is divisible or not: they refute properties, and say which class of trees the system
is sound and complete for, "so far" where nothing proves it for longer sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastparse.errors import Error
from fastparse.theory.compose import Composition
from fastparse.theory.coverage import WORDS, Coverage, coverage_of
from fastparse.theory.divisible import twin_of
from fastparse.theory.elementary import BUFFER, empty
from fastparse.theory.exploration import has_own_configurations
from fastparse.theory.invariants import Candidate, follows, invariants
from fastparse.theory.properties import NO, UNKNOWN, YES, Finding
from fastparse.theory.refutation import refute
from fastparse.theory.symbolic import Machine, atom, evaluate
from fastparse.transition_systems.registry import resolve

if TYPE_CHECKING:
    from fastparse.machine.system import System

PROPERTIES = (
    "single_head",
    "no_covered_roots",
    "acyclic",
    "planar",
    "projective",
    "robust",
    "bounded",
    "efficient",
    "linear",
)


@dataclass(frozen=True)
class Analysis:
    """The properties of a system.

    Attributes:
        name: the system's name.
        divisible: whether it is composed of elementary transitions.
        single_head: no word gets two heads.
        no_covered_roots: no word without a head lies under an arc of a final configuration.
        acyclic: arcs form no directed cycle.
        planar: no arcs cross.
        projective: all four.
        robust: a configuration that is not final always has a legal move.
        bounded: no configuration ever recurs.
        efficient: it contains SHIFT, and each move draws an arc, removes a word or shortens the buffer.
        linear: the number of moves is linear in the number of words.
        covers: the class of trees, or the properties of graphs, that the next two are about: the one asked for, else
            the one the system claims, else the one that fits best; "" where nothing was tried.
        sound: every structure that is derived is in that class.
        complete: every structure of that class is derived.
        up_to: the number of words up to which all derivations were followed.
        bound: (a, b) such that no derivation of n >= 1 words has more than a n + b moves; None if unknown.
        invariants: what holds in every reachable configuration, as far as the proofs need it.
    """

    name: str
    divisible: Finding
    single_head: Finding
    no_covered_roots: Finding
    acyclic: Finding
    planar: Finding
    projective: Finding
    robust: Finding
    bounded: Finding
    efficient: Finding
    linear: Finding
    covers: str
    sound: Finding
    complete: Finding
    up_to: int
    bound: tuple[int, int] | None
    invariants: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The findings as plain values."""
        findings = {name: getattr(self, name) for name in ("divisible", *PROPERTIES, "sound", "complete")}
        return {
            "name": self.name,
            **{name: each.to_dict() for name, each in findings.items()},
            "covers": self.covers,
            "up_to": self.up_to,
            "bound": self.bound,
            "invariants": list(self.invariants),
        }

    def __str__(self) -> str:
        lines = [self.name]
        names = ("divisible", *PROPERTIES, "sound", "complete")
        lines += [f"  {name.replace('_', ' '):<18}{getattr(self, name)}" for name in names]
        lines.append(f"  {'covers':<18}{self.covers or 'unknown'}")
        return "\n".join(lines)


def analyse(system: str | System, *, covers: str = "", up_to: int = WORDS, **options: Any) -> Analysis:
    """The properties of a transition system, with reasons.

    Args:
        system: a composed system, or a name; divisible systems of that name are analysed as composed ones.
        covers: the class of trees, one of `fastparse.trees.classes()`, to say of whether the system is sound and
            complete for it; by default the one the system claims, or else the one that fits best.
        up_to: words of the longest sentences of which all derivations are followed: at most 5, 0 for none.
        options: the options of a named system.
    Raises:
        Error: if there is no such class, or the name stands for a pipeline of systems.
    Example:
        >>> analyse("arc-eager").no_covered_roots.reason
        'proposition 1: POP only removes words that have a head, or the root'
    """
    if isinstance(system, str):
        name, written = system, resolve(system, **options)
        twin = twin_of(name, **options)
        if twin is None:
            return _indivisible(written, covers, up_to)
        covers = covers or written.covers
        system = twin
    else:
        name = system.name
        if options:
            raise Error(f"{name!r} has its options already; found {sorted(options)}")
        if system.composition is None:
            if twin_of(name, **system.options) is not None:
                return analyse(name, covers=covers, up_to=up_to, **system.options)
            return _indivisible(system, covers, up_to)
    return _analyse(name, system, covers, up_to)


def proves_single_head(composition: Composition) -> bool:
    """Whether words have at most one head, by proposition 2."""
    runs = composition.runs()
    return _single_head(runs, invariants(runs, composition.stacks))


def _single_head(runs: dict[str, Machine], held: list[Candidate]) -> bool:
    return all(follows(run, ~arc.dependent_has_head, held) for run in runs.values() for arc in run.arcs)


def _analyse(name: str, system: System, covers: str, up_to: int) -> Analysis:
    composition = system.composition
    runs = composition.runs()
    held = invariants(runs, composition.stacks)
    bound = _bound(system, runs, held)
    findings: dict[str, Finding] = {}
    for prop, proof in _proofs(composition, runs, held, bound):
        if proof:
            findings[prop] = Finding("yes", proof)
    counterexamples = refute(system, [prop for prop in PROPERTIES[:-2] if prop not in findings])
    for prop in PROPERTIES[:-2]:
        if prop not in findings:
            counterexample = counterexamples.get(prop)
            findings[prop] = (
                Finding("no", f"for example {counterexample}")
                if counterexample
                else Finding("unknown", "no proposition applies, and no small example refutes it")
            )
    if all(findings[prop].value == "yes" for prop in ("single_head", "no_covered_roots", "acyclic", "planar")):
        findings["projective"] = Finding("yes", "planar and acyclic, with single heads and without covered roots")
    proven = [prop for prop, finding in findings.items() if finding.value == YES]
    coverage = coverage_of(system, covers, up_to, proven)
    stuck = _stuck(runs, held)
    if not _shift(composition, runs):
        findings["efficient"] = Finding("no", "definition 13: there is no unrestricted move [PUSH]")
    elif stuck:
        findings["efficient"] = Finding(
            "no", f"definition 13: {stuck} need not draw an arc, remove a word or shorten the buffer"
        )
    else:
        findings["efficient"] = Finding(
            "yes", "definition 13: SHIFT is unrestricted, and each move draws, removes or shortens"
        )
    if bound:
        findings["linear"] = Finding(
            "yes",
            f"propositions 8 and 9: at most {bound[0]} n {'-' if bound[1] < 0 else '+'} {abs(bound[1])} moves, of at "
            f"most {max(map(len, composition.moves.values()))} elementary transitions each",
        )
    elif findings["bounded"].value == "no":
        findings["linear"] = Finding("no", findings["bounded"].reason)
    else:
        findings["linear"] = Finding("unknown", "propositions 7 to 9 do not apply")
    return Analysis(
        name=name,
        divisible=Finding(
            "yes",
            "its moves are composed of elementary transitions"
            + (f" over {composition.stacks} stacks" if composition.stacks > 1 else ""),
        ),
        bound=bound,
        invariants=tuple(each.text for each in held),
        covers=coverage.covers,
        sound=coverage.sound,
        complete=coverage.complete,
        up_to=coverage.up_to,
        **findings,
    )


def _proofs(
    composition: Composition, runs: dict[str, Machine], held: list[Candidate], bound: tuple[int, int] | None
) -> Iterator[tuple[str, str]]:
    """Properties with what proves them; "" where nothing does."""
    arcs = [(run, arc) for run in runs.values() for arc in run.arcs]
    if _single_head(runs, held):
        yield "single_head", "proposition 2: arcs only enter words without a head"
    if all(follows(run, pop.has_head | atom("root", pop.address), held) for run in runs.values() for pop in run.pops):
        yield "no_covered_roots", "proposition 1: POP only removes words that have a head, or the root"
    if all(follows(run, ~arc.joined, held) for run, arc in arcs):
        yield "acyclic", "proposition 3: arcs only join words that are not connected"
    elif (composition.stacks == 1 or composition.single_head is False) and all(
        follows(run, ~arc.reaches_back, held) for run, arc in arcs
    ):
        yield "acyclic", "no arc is drawn to a word from which arcs lead to its head"
    if composition.stacks == 1:
        yield "planar", "proposition 4: every divisible system with one stack is planar"
    if evaluate(composition.final) == evaluate(empty(BUFFER)) and _shift(composition, runs):
        yield "robust", "proposition 5: SHIFT is legal while there is a buffer"
    if not _stuck(runs, held):
        if any(run.switches for run in runs.values()):
            yield (
                "bounded",
                "propositions 6 and 11: each move draws an arc, removes a word or shortens the buffer, but for SWITCH, "
                "which never comes twice in a row",
            )
        else:
            yield "bounded", "proposition 6: each move draws an arc, removes a word or shortens the buffer"


def _shift(composition: Composition, runs: dict[str, Machine]) -> bool:
    """Whether the elementary SHIFT is a move."""
    return any(
        [step.kind for step in composition.moves[move]] == ["PUSH"] and run.precondition == atom("exists", "B0")
        for move, run in runs.items()
    )


def _stuck(runs: dict[str, Machine], held: list[Candidate]) -> str:
    """A move that may make no progress in the sense of proposition 6, or ""."""
    for move, run in runs.items():
        if run.switches:
            if not follows(run, ~atom("switched"), held):
                return move
        elif not run.arcs and not run.pops and run.pushes <= run.unshifts:
            return move
    return ""


def _bound(system: System, runs: dict[str, Machine], held: list[Candidate]) -> tuple[int, int] | None:
    """The linear bound of proposition 8 with its constants.

    With w words, the root included, there are at most n arcs under single heads, else 4 w - 6 per stack (lemma 4; none
    for one word), and w removals per stack. Each of these moves may lengthen the buffer, by g at most; all others
    shorten it.
    """
    if _stuck(runs, held):
        return None
    composition = system.composition
    extra, k = 0 if composition.root == "absent" else 1, composition.stacks
    arcs = (4 * k, k * max(4 * extra - 6, -4)) if system.is_graph else (1, 0)
    longest_growth = max(0, *(run.unshifts - run.pushes for run in runs.values()))
    if not any(run.arcs for run in runs.values()):
        arcs = (0, 0)
    pops = (k, k * extra) if any(run.pops for run in runs.values()) else (0, 0)
    active = arcs[0] + pops[0], arcs[1] + pops[1]
    slope = (1 + longest_growth) * active[0] + 1
    offset = (1 + longest_growth) * active[1] + (extra if composition.root == "buffer" else 0)
    if composition.root == "stack" and any(run.unshifts for run in runs.values()):
        offset += 1
    if any(run.switches for run in runs.values()):
        slope, offset = 2 * slope, 2 * offset + 1
    return slope, offset


def _indivisible(system: System, covers: str, up_to: int) -> Analysis:
    """What small examples refute, and which class the derivations of a few words make."""
    findings = dict.fromkeys(PROPERTIES, Finding(UNKNOWN, "the propositions are about divisible systems"))
    if has_own_configurations(system):
        other = Finding(UNKNOWN, "it is a pass over a tree that is there, and derives what that tree allows")
        coverage = Coverage("", 0, (), (), other, other)
    else:
        coverage = coverage_of(system, covers, up_to)
        for prop, counterexample in refute(system, PROPERTIES[:-2]).items():
            findings[prop] = Finding(NO, f"for example {counterexample}")
    return Analysis(
        name=system.name,
        divisible=Finding(NO, "its moves and their restrictions are not composed of elementary ones"),
        bound=None,
        invariants=(),
        covers=coverage.covers,
        sound=coverage.sound,
        complete=coverage.complete,
        up_to=coverage.up_to,
        **findings,
    )
