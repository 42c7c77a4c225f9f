"""Model files with arrays that cannot be used."""

import numpy as np
import pytest

import fastparse
from fastparse.errors import ModelFormatError
from fastparse.model.storage import write_container


def assert_damage_is_refused(container, names, path):
    """Each of the arrays is left out, of another type, or has a dimension more."""
    for name in names:
        rest = {key: array for key, array in container.arrays.items() if key != name}
        array = container.arrays[name]
        other = np.uint8 if array.dtype != np.uint8 else np.uint64
        for damaged in (rest, rest | {name: array.astype(other)}, rest | {name: np.stack([array, array])}):
            write_container(path, container.header, damaged)
            with pytest.raises(ModelFormatError):
                fastparse.load(path)
