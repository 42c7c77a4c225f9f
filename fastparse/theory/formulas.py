"""Propositional formulas in disjunctive normal form: small ones, decided exactly.

An atom is a fact about one address of a configuration, such as ("head", "S0"). Addresses are S0, S1, .. from the top of
the stack and B0, B1, .. from the front of the buffer. Facts about a word and its left neighbour (the stack is read from
bottom to top, and the buffer follows) belong to the address of the right one of the two.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fastparse.errors import Error

MOST_CLAUSES = 2048
Atom = tuple[str, str]
Clause = frozenset[tuple[Atom, bool]]

# Facts, in the order of the bits in which the compiled program keeps them.
FACTS = ("exists", "head", "root", "joined", "arc-right", "arc-left", "reach-right", "reach-left")


@dataclass(frozen=True)
class Formula:
    """A disjunction of clauses, each a conjunction of literals without contradictions. No clause contains another."""

    clauses: frozenset[Clause]

    def __and__(self, other: Formula) -> Formula:
        _require_small(len(self.clauses) * len(other.clauses))
        return _reduced(
            left | right for left in self.clauses for right in other.clauses if not _contradict(left, right)
        )

    def __or__(self, other: Formula) -> Formula:
        _require_small(len(self.clauses) + len(other.clauses))
        return _reduced(self.clauses | other.clauses)

    def __invert__(self) -> Formula:
        result = TRUE
        for clause in self.clauses:
            result &= _reduced(frozenset({(atom, not value)}) for atom, value in clause)
        return result

    @property
    def atoms(self) -> set[Atom]:
        """The atoms that occur."""
        return {atom for clause in self.clauses for atom, _ in clause}


def _require_small(n_clauses: int) -> None:
    """Raise Error for a formula that takes long: the normal form of n alternatives of n facts has n ** n clauses."""
    if n_clauses > MOST_CLAUSES:
        raise Error(
            f"a condition of a composed system has more than {MOST_CLAUSES:,} alternatives when it is written out: say "
            f"it with fewer `or` inside of `and`"
        )


def _contradict(left: Clause, right: Clause) -> bool:
    return any((atom, not value) in right for atom, value in left)


def _reduced(clauses: Iterable[Clause]) -> Formula:
    kept: list[Clause] = []
    for clause in sorted(set(clauses), key=len):
        if not any(other <= clause for other in kept):
            kept.append(clause)
    return Formula(frozenset(kept))


TRUE = Formula(frozenset({frozenset()}))
FALSE = Formula(frozenset())


def atom(fact: str, address: str = "") -> Formula:
    """The formula that holds when the fact does."""
    return Formula(frozenset({frozenset({((fact, address), True)})}))


def satisfiable(formulas: Iterable[Formula]) -> bool:
    """Whether all the formulas can hold together."""
    result = TRUE
    for formula in sorted(formulas, key=lambda each: len(each.clauses)):
        result &= formula
        if result == FALSE:
            return False
    return True
