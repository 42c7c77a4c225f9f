from typing import Any

CELL_FIELDS: dict[tuple[str, str], tuple[int, int]]
PAIR_KINDS: dict[str, int]
POSITION_NAMES: tuple[str, ...]
WORD_FIELDS: dict[str, int]

class Plan:
    n_templates: int
    def __init__(self, groups: Any) -> None: ...
