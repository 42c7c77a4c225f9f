"""The bounds of options: the last value that is taken and the first that is refused."""

import pytest

from fastparse import Error
from fastparse.learning.options import TrainingOptions


@pytest.mark.parametrize(
    ("name", "taken", "refused"),
    [
        ("beam", 1, 0),
        ("iterations", 1, 0),
        ("runs", 1, 0),
        ("seed", 0, -1),
        ("margin", 0, -1),
        ("least_weight", 1, 0),
        ("explore", 0, -0.01),
        ("explore", 1, 1.01),
        ("held_out", 0, -0.01),
        ("held_out", 0.5, 0.51),
        ("scale", 0.01, 0),
        ("scale", 1024, 1025),
        ("max_bytes", 1024, 1023),
        ("max_bytes", None, 2048.0),
        ("max_bytes", None, True),
        ("iterations", 1, 2.0),
        ("folds", 2, 1),
        ("minibatch", 1, 0),
        ("minibatch", None, 2.0),
    ],
)
def test_bounds(name, taken, refused):
    assert getattr(TrainingOptions(encoder=None, **{name: taken}), name) == taken
    with pytest.raises(Error, match=f"^{name}=.*expected a"):
        TrainingOptions(encoder=None, **{name: refused})
