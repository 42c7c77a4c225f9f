from typing import Any

from typing_extensions import disjoint_base

@disjoint_base
class Columns:
    def release(self) -> dict[str, Any]: ...

def read_block(
    source: bytes,
    begin: int,
    end: int,
    *,
    final: bool,
    max_words: int,
    n_columns: int,
    go_on: bool,
    heads: bool = True,
) -> tuple[dict[str, Any], list[tuple[str, int, int, int, int, int, int]]]: ...
def line_feeds(data: bytes) -> int: ...
