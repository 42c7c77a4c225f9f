from collections.abc import Mapping

from fastparse.composition.compose import Composition
from fastparse.composition.formulas import Clause, Formula
from fastparse.composition.symbolic import Machine
from fastparse.machine.system import System

CODES: dict[str, int]
FACTS: dict[str, int]

class Owner:
    composition: Composition

def address_number(address: str) -> int: ...
def tests_of(clause: Clause) -> list[tuple[int, int, int]]: ...
def build(
    composition: Composition, runs: Mapping[str, Machine], final: Formula, is_graph: bool, buffer_ends: bool
) -> System: ...
