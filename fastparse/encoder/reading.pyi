from typing import Any

import numpy as np

from fastparse.corpus.sheet import Sheet
from fastparse.corpus.strings.interning import StringTable
from fastparse.corpus.treebank import Treebank
from fastparse.encoder.inputs import FIRST as FIRST
from fastparse.encoder.inputs import ROOT as ROOT
from fastparse.encoder.inputs import UNKNOWN as UNKNOWN
from fastparse.encoder.inputs import Inputs, Own

class Words:
    @staticmethod
    def of(ids: np.ndarray[Any, Any], ends: np.ndarray[Any, Any], rows: np.ndarray[Any, Any]) -> Words: ...
    @property
    def ids(self) -> np.ndarray[Any, Any]: ...
    @property
    def ends(self) -> np.ndarray[Any, Any]: ...
    @property
    def rows(self) -> np.ndarray[Any, Any]: ...

class Memory: ...
class Rows: ...

class Forms:
    def __init__(self, inputs: Inputs) -> None: ...
    def read(
        self, table: StringTable, used: np.ndarray[Any, Any]
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]: ...

class WordReader:
    def __init__(self, inputs: Inputs) -> None: ...
    def words(self, treebank: Treebank | Sheet, own: Own = False) -> Words: ...
