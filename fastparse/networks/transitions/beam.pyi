from typing import Any

from fastparse.networks.transitions.states import States

def parse_beam(
    t: States,
    offsets: Any,
    bases: Any,
    heads: Any,
    labels: Any,
    size: int,
    label_weight: float = 1.0,
    temperature: float = 1.0,
) -> None: ...
