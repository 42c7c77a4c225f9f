"""What holds in every configuration of a composed system, by induction over its moves.

Propositions 1 to 3 of Gómez-Rodríguez and Nivre (2013) ask whether elementary transitions are applied to certain
configurations. Often no restriction says so, but the moves never lead to others: in arc-eager, the buffer front
never has a head. Such invariants are found here by starting from a list of candidates and dropping, until nothing
changes, each that some move may break while all the others hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from fastparse.theory.symbolic import Atom, Formula, Machine, atom, satisfiable


@dataclass(frozen=True)
class Candidate:
    """A statement about every word of the stack, or of the buffer, or about its front.

    Attributes:
        text: the statement.
        where: "stack", "front" (the first word of the buffer), "behind" (the others of the buffer).
        says: the statement for one word, from whether it has a head, whether it is joined to its left neighbour, and
            whether that one has a head.
    """

    text: str
    where: tuple[str, ...]
    says: Callable[[Formula, Formula, Formula], Formula]


CANDIDATES = (
    Candidate("words of the stack have no head", ("stack",), lambda head, joined, left: ~head),
    Candidate("words of the buffer have no head", ("front", "behind"), lambda head, joined, left: ~head),
    Candidate("words of the buffer behind its front have no head", ("behind",), lambda head, joined, left: ~head),
    Candidate("stack top and buffer front are not connected", ("front",), lambda head, joined, left: ~joined),
    Candidate("neighbours in the buffer are not connected", ("behind",), lambda head, joined, left: ~joined),
    Candidate("neighbours in the stack are not connected", ("stack",), lambda head, joined, left: ~joined),
    *(
        Candidate(f"if {pair} are connected, the {side} one has a head", (where,), says)
        for pair, where in (("neighbours in the stack", "stack"), ("stack top and buffer front", "front"))
        for side, says in (
            ("right", lambda head, joined, left: ~joined | head),
            ("left", lambda head, joined, left: ~joined | left),
            ("right or left", lambda head, joined, left: ~joined | head | left),
        )
    ),
)


def invariants(runs: Mapping[str, Machine], stacks: int) -> list[Candidate]:
    """The candidates that hold in all reachable configurations."""
    if stacks > 1:
        return []
    held = list(CANDIDATES)
    while True:
        broken = [each for each in held if any(_breaks(machine, each, held) for machine in runs.values())]
        if not broken:
            return held
        held = [each for each in held if each not in broken]


def follows(machine: Machine, formula: Formula, held: Iterable[Candidate]) -> bool:
    """Whether a formula holds in every reachable configuration in which the move can be made."""
    wanted = ~formula
    return not satisfiable([machine.precondition, wanted, *_known(machine, wanted, held)])


def _breaks(machine: Machine, candidate: Candidate, held: list[Candidate]) -> bool:
    """Whether the candidate may fail after the move, though all of held held before."""
    return any(not follows(machine, after, held) for after in _afterwards(machine, candidate))


def _afterwards(machine: Machine, candidate: Candidate) -> Iterable[Formula]:
    """What the candidate says after the move, one formula per word that the move may have touched."""
    # One word more on either side: every touched word gets its left neighbour, and the word that was the front is seen.
    machine = machine.twin()
    machine.at("S", len(machine.stack))
    machine.at("B", len(machine.buffer))
    line = [*reversed(machine.stack), *machine.buffer]
    cursor = len(machine.stack)
    for place, word in enumerate(line):
        if place == 0:
            continue
        where = "stack" if place < cursor else "front" if place == cursor else "behind"
        if where not in candidate.where:
            continue
        # What is said of a word holds only where there is one, and a left neighbour for what is said of both.
        says = candidate.says(machine.has_head(word), machine.link(word)["joined"], machine.has_head(line[place - 1]))
        yield ~atom("exists", word) | says


def _known(machine: Machine, wanted: Formula, held: Iterable[Candidate]) -> list[Formula]:
    """What the invariants say about the words that matter, in the configuration before the move."""
    return [
        formula
        for address in _addresses(machine.precondition.atoms | wanted.atoms)
        for formula in _about(address, held)
    ]


def _addresses(atoms: set[Atom]) -> list[str]:
    return sorted({address for _, address in atoms if address})


def _about(address: str, held: Iterable[Candidate]) -> Iterable[Formula]:
    region, depth = address[0], int(address[1:])
    where = "stack" if region == "S" else "front" if depth == 0 else "behind"
    left = f"S{depth + 1}" if region == "S" else "S0" if depth == 0 else f"B{depth - 1}"
    # Facts hold only of words that exist, and 0 has no head.
    for fact in ("head", "root", "joined"):
        yield ~atom(fact, address) | atom("exists", address)
    yield ~atom("root", address) | ~atom("head", address)
    for each in held:
        if where in each.where:
            yield each.says(atom("head", address), atom("joined", address), atom("head", left))
