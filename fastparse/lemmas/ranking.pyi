from typing_extensions import disjoint_base

from fastparse.lemmas.scripts import Script

@disjoint_base
class Scripts:
    all: list[Script]
    n: int
    def __init__(self, scripts: list[Script]) -> None: ...

@disjoint_base
class Sums:
    def __init__(self, n: int) -> None: ...
