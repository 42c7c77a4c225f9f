"""Arithmetic of floats that has the same bytes on every machine."""

import math
from fractions import Fraction

import numpy as np
import pytest

from fastparse.encoder import reals

BLOCK = 256  # of the sums over k


@pytest.fixture(autouse=True)
def _the_usual_form_afterwards():
    yield
    reals.use()


def rounded(exact):
    """A fraction as float32, to the nearest, ties to the even one."""
    near = np.float32(float(exact))
    around = [near, np.nextafter(near, np.float32(np.inf)), np.nextafter(near, np.float32(-np.inf))]
    return min(around, key=lambda x: (abs(Fraction(float(x)) - exact), x.view(np.uint32) & 1))


def naive(a, b, start=None):
    """The product as it is defined: number by number, block by block, every step rounded once."""
    out = np.zeros((len(a), b.shape[1]), np.float32) if start is None else start.copy()
    for i in range(len(a)):
        for j in range(b.shape[1]):
            for first in range(0, a.shape[1], BLOCK):
                total = np.float32(0)
                for k in range(first, min(a.shape[1], first + BLOCK)):
                    exact = Fraction(float(a[i, k])) * Fraction(float(b[k, j])) + Fraction(float(total))
                    total = rounded(exact)
                out[i, j] = total if first == 0 and start is None else out[i, j] + total
    return out


def numbers(source, *size):
    return (source.standard_normal(size) * 2.0 ** source.integers(-6, 7, size)).astype(np.float32)


@pytest.mark.parametrize(("rows", "deep", "columns"), [(1, 1, 1), (3, 5, 2), (13, 300, 3), (2, 513, 1), (5, 7, 35)])
@pytest.mark.parametrize("form", reals.forms())
def test_products_are_added_up_in_one_order(form, rows, deep, columns):
    source = np.random.default_rng(rows)
    a, b, start = numbers(source, rows, deep), numbers(source, deep, columns), numbers(source, rows, columns)
    reals.use(form)
    assert reals.product(a, b).tobytes() == naive(a, b).tobytes()
    out = start.copy()
    reals.product(a, b, out, add=True)
    assert out.tobytes() == naive(a, b, start).tobytes()
    reals.product(a, b, out)
    assert out.tobytes() == naive(a, b).tobytes()


@pytest.mark.parametrize("form", reals.forms())
def test_products_of_views(form):
    source = np.random.default_rng(1)
    x, y = numbers(source, 100, 61), numbers(source, 100, 47)
    reals.use("plain")
    expected = reals.product(np.ascontiguousarray(x.T), y)
    reals.use(form)
    assert reals.product(x.T, y).tobytes() == expected.tobytes()
    assert reals.product(y.T, x).T.tobytes() == expected.tobytes()  # each number has the same factors in the same order
    wide = numbers(source, 100, 200)
    wide[:, 3:125:2], wide[::-1, 140:187] = x, y
    assert reals.product(wide[:, 3:125:2].T, wide[::-1, 140:187]).tobytes() == expected.tobytes()


@pytest.mark.parametrize("sizes", [(1, 1, 1), (97, 40, 70), (200, 384, 192), (31, 257, 33), (12, 256, 32), (100, 3, 1)])
def test_all_forms_give_the_same_bytes(sizes):
    source = np.random.default_rng(sum(sizes))
    a, b = numbers(source, *sizes[:2]), numbers(source, *sizes[1:])
    found = set()
    for form in reals.forms():
        reals.use(form)
        found.add(reals.product(a, b).tobytes())
    assert len(found) == 1
    np.testing.assert_allclose(np.frombuffer(found.pop(), np.float32).reshape(len(a), -1), a @ b, rtol=1e-3, atol=0.3)


def test_rounding_is_exact_where_it_is_hard():
    """Sums that lie in the middle between two numbers, or nearly, and numbers near the smallest ones."""
    source = np.random.default_rng(3)
    bits = source.integers(0, 2**32, (4000, 3), dtype=np.uint32)
    bits[::2, :2] &= np.uint32(0xFFFFF000)  # few digits: many ties
    bits[1::4] &= np.uint32(0x9FFFFFFF)  # small ones
    numbers_ = bits.view(np.float32)
    numbers_ = numbers_[np.isfinite(numbers_).all(1) & (np.abs(numbers_) < 1e18).all(1)]
    for c, a, b in numbers_:  # c * 1 + a * b
        exact = Fraction(float(c)) + Fraction(float(a)) * Fraction(float(b))
        for form in reals.forms():
            reals.use(form)
            found = reals.product(np.array([[c, a]]), np.array([[1], [b]], np.float32))[0, 0]
            assert found == rounded(exact), (form, c, a, b)
    tie = np.array([[1, 2**-12, 2**-60]], np.float32)  # 1 + 2**-24 is a tie; what comes after it is not seen any more
    assert reals.product(tie, np.array([[1], [2**-12], [1]], np.float32))[0, 0] == 1


def test_nothing_to_add_up():
    none = np.zeros((3, 0), np.float32)
    out = np.ones((3, 2), np.float32)
    reals.product(none, none.T[:, :2], out, add=True)
    assert (out == 1).all()
    reals.product(none, none.T[:, :2], out)
    assert (out == 0).all()
    assert reals.product(none.T, out).shape == (0, 2)


def test_sizes_must_fit():
    x = np.zeros((2, 3), np.float32)
    for a, b, out in ((x, x, None), (x, x.T, x)):
        with pytest.raises(ValueError, match="numbers"):
            reals.product(a, b, out)


def test_exponentials_and_logarithms():
    source = np.random.default_rng(4)
    x = np.concatenate([source.uniform(-708, 709, 2000), source.uniform(-2, 2, 2000), [0.0, 1.0, -1e-300]])
    exact = np.array([math.exp(value) for value in x])
    np.testing.assert_allclose(reals.exponentials(x), exact, rtol=5e-16)
    y = np.concatenate([exact, source.uniform(0.5, 2, 2000), [1.0, 5e300]])
    np.testing.assert_allclose(reals.logarithms(y), [math.log(value) for value in y], rtol=5e-16)
    assert reals.exponentials([-1e4, 0, 1e4]).tolist()[:2] == [0, 1]
    assert math.isnan(float(reals.exponentials(math.nan)))
    assert float(reals.logarithms(0.0)) == pytest.approx(-708.396)


def test_axes_of_a_symmetric_matrix():
    rows = np.random.default_rng(5).standard_normal((60, 12))
    matrix = rows.T @ rows
    values, axes = reals.axes_of(matrix)
    np.testing.assert_allclose(np.sort(values), np.linalg.eigvalsh(matrix), rtol=1e-10)
    np.testing.assert_allclose(matrix @ axes, axes * values, atol=1e-9)
    np.testing.assert_allclose(axes.T @ axes, np.eye(12), atol=1e-12)
    assert reals.axes_of(np.zeros((3, 3)))[0].tolist() == [0, 0, 0]
