from typing import Any

import numpy as np
import numpy.typing as npt

COLUMN_OF: dict[str, str]

def column_of(attribute: str) -> str: ...
def word_values(attribute: str, treebank: Any) -> npt.NDArray[np.uint32]: ...

class Values:
    def __init__(
        self, treebank: Any, attributes: list[tuple[str, ...]], counted: list[str], tags_joined: bool
    ) -> None: ...
    def plant(self, heads: Any, deprels: Any) -> Values: ...

def mirrored_values(values: Values, offsets: Any) -> Values: ...
