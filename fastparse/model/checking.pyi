from typing import Any

from fastparse.model.compiled import CompiledTable

FULLEST: float

def checksum(data: Any) -> int: ...
def table_fault(table: CompiledTable) -> str | None: ...
