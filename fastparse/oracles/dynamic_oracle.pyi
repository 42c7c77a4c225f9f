from collections.abc import Iterable, Sequence

from fastparse.configurations.configuration import Configuration

def best_moves(c: Configuration, heads: Sequence[int], moves: Iterable[str] | None = None) -> list[str]: ...

class DynamicOracle: ...
