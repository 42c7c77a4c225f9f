from typing import Any

import numpy as np

from fastparse.corpus.strings.interning import StringTable
from fastparse.corpus.treebank import Treebank
from fastparse.encoder.inputs import Inputs, Own, Words

class Forms:
    def __init__(self, inputs: Inputs) -> None: ...
    def read(
        self, table: StringTable, used: np.ndarray[Any, Any]
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]: ...

class WordReader:
    def __init__(self, inputs: Inputs) -> None: ...
    def words(self, treebank: Treebank, own: Own = False) -> Words: ...
