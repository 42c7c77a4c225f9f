from collections.abc import Mapping

from fastparse.machine.system import System
from fastparse.theory.compose import Composition
from fastparse.theory.symbolic import Clause, Formula, Machine

CODES: dict[str, int]
FACTS: dict[str, int]

class Owner:
    composition: Composition

def address_number(address: str) -> int: ...
def tests_of(clause: Clause) -> list[tuple[int, int, int]]: ...
def build(
    composition: Composition, runs: Mapping[str, Machine], final: Formula, is_graph: bool, buffer_ends: bool
) -> System: ...
