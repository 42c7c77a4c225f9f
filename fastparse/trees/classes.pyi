from typing import NamedTuple

import numpy as np
import numpy.typing as npt

class TreeClasses(NamedTuple):
    projective: bool
    planar: bool
    planes: int
    crossing_interval: int
    one_endpoint_crossing: bool
    well_nested: bool
    gap_degree: int
    block_degree: int
    edge_degree: int
    covered_root: bool
    def _repr_html_(self) -> str | None: ...

def classes() -> list[str]: ...
def classify(heads: npt.ArrayLike, root_arcs: bool = False) -> TreeClasses: ...
def classify_treebank(heads: npt.ArrayLike, offsets: npt.ArrayLike, root_arcs: bool = False) -> TreeClasses: ...
def contains(heads: npt.ArrayLike, name: str, root_arcs: bool = True) -> bool: ...
def contains_treebank(
    heads: npt.ArrayLike, offsets: npt.ArrayLike, name: str, root_arcs: bool = True
) -> npt.NDArray[np.bool_]: ...
