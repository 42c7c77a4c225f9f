"""What a learner takes back: its own state, and none that does not fit together."""

import numpy as np
import pytest

from fastparse.learning.linear import PlainRecipe
from fastparse.learning.options import TrainingOptions
from fastparse.learning.preparation import Account
from fastparse.transition_systems.registry import resolve
from tests.toy import toy


@pytest.fixture(scope="module")
def recipe():
    return PlainRecipe(
        toy()[:5], resolve("arc-eager"), TrainingOptions(system="arc-eager", beam=1, encoder=None), Account()
    )


def state(classes, n_features=1):
    """Weights of one feature, or of several that have as many each."""
    n = len(classes) // n_features
    moves = {
        "keys": np.arange(1, n_features + 1, dtype=np.uint64),
        "counts": np.full(n_features, n, np.int32),
        "classes": np.array(classes, np.int32),
        "weights": np.arange(1, len(classes) + 1, dtype=np.int32),
        "drift": np.arange(7, len(classes) + 7, dtype=np.int64),
    }
    empty = {name: array[:0] for name, array in moves.items()}
    return {f"{table}.{name}": a for table, own in (("moves", moves), ("labels", empty)) for name, a in own.items()}


@pytest.mark.parametrize("classes", [[0], [3], [0, 3], [2, 1], [1, 1]])
def test_it_goes_on_from_its_state(recipe, classes):
    learner = recipe.learner(recipe.options)
    given = state(classes, 2 if classes == [1, 1] else 1)
    learner.restore(given)
    found = learner.state()
    assert found.keys() == given.keys()
    for name in given:
        assert sorted(found[name].tolist()) == sorted(given[name].tolist()), name
    rows = zip(found["moves.classes"].tolist(), found["moves.weights"].tolist(), strict=True)
    assert sorted(rows) == sorted(zip(classes, range(1, len(classes) + 1), strict=True))


@pytest.mark.parametrize("classes", [[-1], [4], [0, 4], [-1, 3]])
def test_classes_that_there_are_not(recipe, classes):
    assert len(recipe.system.moves) == 4
    with pytest.raises(ValueError, match="moves do not fit together"):
        recipe.learner(recipe.options).restore(state(classes))


@pytest.mark.parametrize("name", ["classes", "weights", "drift"])
def test_arrays_of_other_lengths(recipe, name):
    given = state([0, 1])
    given[f"moves.{name}"] = given[f"moves.{name}"][:1]
    with pytest.raises(ValueError, match="moves do not fit together"):
        recipe.learner(recipe.options).restore(given)
