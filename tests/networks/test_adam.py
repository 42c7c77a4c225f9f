"""A step of Adam, number by number."""

import numpy as np
import pytest

from fastparse.learning.networks import layers


@pytest.mark.parametrize("size", [0, 1, 5, 1024, 2500])
def test_a_step_is_that_of_the_textbook(size):
    source, single = np.random.default_rng(size), np.float32
    x, gradient, first, second = source.standard_normal((4, size)).astype(single)
    second, mean = np.abs(second), x + single(1)
    expected = [array.copy() for array in (x, first, second, mean)]
    for step in (1, 2):
        layers.adam(x, gradient, first, second, 0.01, 0.9, 0.95, 0.1, 0.5, step, mean, 0.25)
        e_x, e_first, e_second, e_mean = expected
        g = gradient * single(0.5)
        e_first[:] = single(0.9) * e_first + (single(1) - single(0.9)) * g
        e_second[:] = single(0.95) * e_second + (single(1) - single(0.95)) * g * g
        rate, spread = single(0.01 / (1 - 0.9**step)), single(1 / (1 - 0.95**step))
        e_x[:] = e_x * single(1 - 0.01 * 0.1) - rate * e_first / (np.sqrt(e_second * spread) + single(1e-8))
        e_mean += single(0.25) * (e_x - e_mean)
        for found, wanted in zip((x, first, second, mean), expected, strict=True):
            np.testing.assert_array_equal(found, wanted)
