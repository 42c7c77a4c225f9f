import numpy as np
import numpy.typing as npt

def projective_heads(heads: npt.ArrayLike, at_once: bool = False) -> list[int]: ...
def projective_treebank(
    heads: npt.ArrayLike, offsets: npt.ArrayLike, at_once: bool = False
) -> npt.NDArray[np.int32]: ...
