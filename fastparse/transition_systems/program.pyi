from collections.abc import Mapping

from fastparse.transition_systems.compose import Composition
from fastparse.transition_systems.formulas import Clause, Formula
from fastparse.transition_systems.symbolic import Machine
from fastparse.transition_systems.system import System

CODES: dict[str, int]
FACTS: dict[str, int]

class Owner:
    composition: Composition

def address_number(address: str) -> int: ...
def tests_of(clause: Clause) -> list[tuple[int, int, int]]: ...
def build(
    composition: Composition, runs: Mapping[str, Machine], final: Formula, is_graph: bool, buffer_ends: bool
) -> System: ...
