from collections.abc import Sequence

from fastparse.transition_systems.configuration import Configuration

def best_moves(c: Configuration, heads: Sequence[int]) -> list[str]: ...
