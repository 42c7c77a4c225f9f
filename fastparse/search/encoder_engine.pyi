from typing import Any

from fastparse.encoder.encoder import Encoder
from fastparse.machine.system import System

class EncoderEngine:
    system: System
    encoder: Encoder
    root_label: Any
    inner_label: Any
    def __init__(
        self, system: System, encoder: Encoder, root_label: Any, inner_label: Any, single_root: bool
    ) -> None: ...
    def parse(
        self,
        values: Any,
        offsets: Any,
        first: int,
        last: int,
        beam: int,
        heads: Any,
        labels: Any,
        transitions: Any,
        nanoseconds: Any = None,
        *,
        by_move: Any = None,
        sharing: bool = True,
        threshold: int = 0,
        logs: Any = None,
        steps: Any = None,
    ) -> None: ...
