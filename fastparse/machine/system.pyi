from typing import Any

class System:
    name: str
    moves: tuple[str, ...]
    covers: str
    options: dict[str, Any]
    parts: tuple[str, ...]
    def with_options(self, options: dict[str, Any]) -> System: ...
    def labelled(self, move: str) -> bool: ...
    @property
    def is_graph(self) -> bool: ...
    @property
    def composition(self) -> Any: ...
