"""Compiled tables of weights against dictionaries: what was put in is found, exactly; what was not gives nothing."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from random import Random

import numpy as np
import pytest

import fastparse
from fastparse.errors import Error
from fastparse.weights.arrays import Form, tables_from
from fastparse.weights.building import bytes_of, places_of, table_fault, table_of
from fastparse.weights.table import CompiledTable, levels
from tests.model.rows import summed

WIDTHS = [(True, w) for w in (1, 3, 4, 5, 12, 13, 28)] + [(False, w) for w in (1, 2, 40, 255, 256, 300, 1000)]


# ── compiled ──


def rounded(row):
    """Weights as a compiled row keeps them: 8 bits, shifted as far as the largest needs, halves away from zero."""
    row = {cls: max(-127 * 64, min(127 * 64, weight)) for cls, weight in row.items()}
    for shift in (0, 2, 4, 6):
        kept = {cls: ((abs(w) + (1 << shift) // 2) >> shift) * (1 if w >= 0 else -1) for cls, w in row.items()}
        if max(map(abs, kept.values())) <= 127:
            return {cls: value << shift for cls, value in kept.items()}
    raise AssertionError(row)


def random_rows(random, width, n, keys=None):
    """Rows of random lengths, with weights of all sizes."""
    rows = {}
    for key in keys or [random.getrandbits(64) for _ in range(n)]:
        size = random.choice((1, 2, 5, 100, 127, 128, 500, 2000, 8000, 8128, 9000, 100_000))
        classes = random.sample(range(width), random.randint(1, min(width, random.choice((1, 3, 28, 400)))))
        rows[key] = {cls: random.randint(-size, size) or 1 for cls in classes}
    return rows


def built(rows, width, moves):
    keys = np.array(list(rows), np.uint64)
    starts = np.cumsum([0, *map(len, rows.values())]).astype(np.int64)
    classes = np.array([cls for row in rows.values() for cls in row], np.int32)
    weights = np.array([weight for row in rows.values() for weight in row.values()], np.int32)
    return table_of(width, moves, keys, starts, classes, weights)


def clustered(random, n):
    """Keys of one bucket, whose upper halves are nearly the same; some differ in nothing else."""
    keys = [(0xFFFFFF00 + i % 200) << 32 | 4 * random.getrandbits(30) for i in range(n)]
    return keys + [key - (40 << 32) for key in keys[: n // 10]]


def check(look, rows, width, random):
    kept = {key: rounded(row) for key, row in rows.items()}
    for key in rows:
        assert look([key]) == summed(kept, [key], width)
    known = list(rows)
    for _ in range(100):
        absent = [random.getrandbits(64) for _ in range(random.randint(0, 40))]
        keys = random.choices(known, k=random.randint(0, 40)) + absent
        random.shuffle(keys)
        assert look(keys) == summed(kept, keys, width)
    most = random.choices(known, k=512)
    assert look(most) == summed(kept, most, width)
    assert look([]) == [0] * width
    # Of a key, bits 2 to 31 are kept; all choose the slot.
    near = {key ^ 1 << bit for key in known[:50] for bit in (2, 9, 24, 31)} - set(known)
    assert all(not any(look([key])) for key in near)


@pytest.mark.parametrize("level", range(3))
@pytest.mark.parametrize("n", [1, 16, 700])
@pytest.mark.parametrize(("moves", "width"), WIDTHS)
def test_compiled_rows_are_found(moves, width, n, level):
    if level >= levels():
        pytest.skip(f"no instructions of level {level} on this machine")
    random = Random(f"{moves} {width} {n}")
    rows = random_rows(random, width, n)
    table = built(rows, width, moves)
    table = CompiledTable(width, moves, table.displacements, table.slots, table.pool, level)
    assert table.level == level
    check(lambda keys: table.sums(keys).tolist(), rows, width, random)


@pytest.mark.parametrize("level", range(3))
@pytest.mark.parametrize(("moves", "width"), [(True, 4), (True, 12), (True, 28), (False, 40), (False, 300)])
@pytest.mark.parametrize("n", [1, 17, 300])
def test_many_looks_at_once(moves, width, n, level):
    """Some of no key, one of as many as may be."""
    if level >= levels():
        pytest.skip(f"no instructions of level {level} on this machine")
    random = Random(f"{moves} {width} {n}")
    rows = random_rows(random, width, 300)
    table = built(rows, width, moves)
    table = CompiledTable(width, moves, table.displacements, table.slots, table.pool, level)
    kept = {key: rounded(row) for key, row in rows.items()}
    jobs = [random.choices(list(rows), k=random.choice((0, 1, 3, 9, 40))) for _ in range(n)]
    jobs[n // 2] = random.choices(list(rows), k=512)
    for job in jobs:
        job[: len(job) // 3] = [random.getrandbits(64) for _ in range(len(job) // 3)]
    assert table.sums_of_jobs(jobs).tolist() == [summed(kept, job, width) for job in jobs]


@pytest.mark.parametrize(("moves", "width"), [(True, 4), (True, 12), (True, 28), (False, 40), (False, 300)])
@pytest.mark.parametrize("n", [17, 40, 120])
def test_keys_of_one_bucket_find_places(moves, width, n):
    random = Random(f"{moves} {width} {n}")
    rows = random_rows(random, width, 0, clustered(random, n))
    rows |= random_rows(random, width, n // 3)
    table = built(rows, width, moves)
    kept = {key: rounded(row) for key, row in rows.items()}
    for key in rows:
        assert table.sums([key]).tolist() == summed(kept, [key], width)
    assert table.sums(list(rows)).tolist() == summed(kept, rows, width)


def test_keys_that_cannot_be_parted_are_refused():
    with pytest.raises(ValueError, match="a key occurs twice"):
        places_of(np.array([8, 8], np.uint64))
    with pytest.raises(ValueError, match="a row without weights"):
        table_of(4, True, np.array([8], np.uint64), [0, 0], [], [])


@pytest.mark.parametrize("n", [0, 1, 2, 1000, 50_000])
def test_places_are_used_once(n):
    keys = np.unique(np.random.default_rng(n).integers(0, 2**64, n, np.uint64))
    displacements, places, n_slots = places_of(keys)
    assert len(set(places.tolist())) == len(keys) == n
    assert not n or places.max() < n_slots < 1.4 * n + 3
    assert len(displacements) < 0.4 * n + 2


@pytest.mark.parametrize(("moves", "width"), WIDTHS)
def test_tables_of_nothing(moves, width):
    table = built({}, width, moves)
    assert table_fault(table) is None
    keys = [0, 1, 2**32, *(Random(1).getrandbits(64) for _ in range(50))]
    assert table.sums(keys).tolist() == [0] * width


@pytest.mark.parametrize(("moves", "width"), WIDTHS)
def test_the_size_of_a_table_is_foretold(moves, width):
    rows = random_rows(Random(width), width, 500)
    starts = np.cumsum([0, *map(len, rows.values())])
    weights = [weight for row in rows.values() for weight in row.values()]
    assert bytes_of(width, moves, starts, weights) == built(rows, width, moves).bytes


def test_levels_this_machine_lacks_are_refused():
    table = built({5: {1: 1}}, 4, True)
    assert table.level == levels() - 1
    for level in (-1, levels()):
        with pytest.raises(ValueError, match="level"):
            CompiledTable(4, True, table.displacements, table.slots, table.pool, level)


@pytest.mark.parametrize("width", [40, 64, 255])
def test_extreme_weights_of_many_rows_do_not_overflow(width):
    keys = list(range(4, 4 + 4 * 300, 4))
    rows = {key: dict.fromkeys(range(width), -127 if key % 8 else 127) for key in keys}
    table = built(rows, width, False)
    largest = [key for key in keys if key % 8 == 0]
    wanted = (largest * 4)[:512]
    assert table.sums(wanted).tolist() == [127 * 512] * width


def test_the_order_of_rows_does_not_show():
    rows = random_rows(Random(4), 12, 300)
    table, twin = built(rows, 12, True), built(dict(reversed(rows.items())), 12, True)
    assert (table.displacements == twin.displacements).all()
    assert (table.slots == twin.slots).all()
    rows = {key: dict(sorted(row.items())) for key, row in random_rows(Random(4), 50, 300).items()}
    table, twin = built(rows, 50, False), built(dict(reversed(rows.items())), 50, False)
    assert (table.slots == twin.slots).all()
    assert (table.pool == twin.pool).all()


# ── from outside ──


def damaged(width, moves, change):
    """A small table of which some bytes are changed."""
    rows = random_rows(Random(width), width, 60)
    table = built(rows, width, moves)
    parts = [np.array(part) for part in (table.displacements, table.slots, table.pool)]
    change(*parts)
    return CompiledTable(width, moves, *parts)


def slot_of_kind(slots, kind):
    """The first slot of labels that leads to such a row."""
    rows = slots.reshape(-1, 8)
    return rows[np.flatnonzero((rows[:, 0] & 3 == kind) & rows.any(axis=1))[0]]


@pytest.mark.parametrize("width", [40, 300])
@pytest.mark.parametrize("kind", [1, 2, 3])
def test_codes_that_lead_nowhere_are_faults(width, kind):
    """In wide tables no row is dense, so that what says it is leads nowhere either."""

    def far(displacements, slots, pool):
        slot_of_kind(slots, kind if width == 40 or kind > 1 else 2)[4:] = 255

    def dense(displacements, slots, pool):
        slot_of_kind(slots, 2)[0] ^= 3

    assert table_fault(damaged(width, False, lambda *parts: None)) is None
    assert "does not lead to a row" in table_fault(damaged(width, False, far))
    if width == 300:
        assert "does not lead to a row" in table_fault(damaged(width, False, dense))


def test_codes_of_large_pools_are_read_whole():
    """Beyond 4,096 pieces the number of a row's first piece takes the third byte of its code."""
    rows, width = 9000, 40
    starts = np.arange(rows + 1, dtype=np.int64) * 4
    classes = np.tile(np.arange(4, dtype=np.int32), rows)
    keys = np.unique(np.random.default_rng(5).integers(1, 2**64, rows, np.uint64))
    table = table_of(width, False, keys, starts, classes, np.ones(4 * rows, np.int32))
    pool = np.array(table.pool)
    assert len(pool) == 16 * rows
    assert table_fault(table) is None
    short = CompiledTable(width, False, table.displacements, table.slots, pool[: 16 * (rows - 1)])
    assert "does not lead to a row" in table_fault(short)


@pytest.mark.parametrize("width", [40, 300])
def test_labels_that_are_not_there_are_faults(width):
    def inside(displacements, slots, pool):
        slot_of_kind(slots, 0)[4:6] = 255

    def sparse(displacements, slots, pool):
        code = int(slot_of_kind(slots, 2)[4:].copy().view("<u4")[0])
        pool[(code >> 4) * 16 : (code >> 4) * 16 + 2] = 255

    for change in (inside, sparse):
        assert "of labels below" in table_fault(damaged(width, False, change))


@pytest.mark.parametrize("header", [(7, 0), (0, 0, 0, 0, 255, 255, 255, 255), (0, 1)])
def test_headers_of_long_rows_are_checked(header):
    def change(displacements, slots, pool):
        at = int(slot_of_kind(slots, 3)[4:].copy().view("<u4")[0]) * 16
        pool[at : at + len(header)] = header

    assert "does not lead to a row" in table_fault(damaged(300, False, change))


def test_any_displacements_and_moves_will_do():
    def change(displacements, slots, pool):
        displacements[:] = 255
        slots[:] = 255

    table = damaged(4, True, change)
    assert table_fault(table) is None
    table.sums(list(range(500)))


@pytest.mark.parametrize(
    ("moves", "sizes", "fault"),
    [(True, (0, 8, 0), "displacements"), (True, (1, 12, 0), "slots"), (True, (1, 0, 0), "slots"),
     (True, (1, 8, 16), "no pool"), (False, (1, 8, 15), "pieces")],
)  # fmt: skip
def test_sizes_are_checked(moves, sizes, fault):
    arrays = dict(zip(("a.displacements", "a.slots", "a.pool"), (np.zeros(n, np.uint8) for n in sizes), strict=True))
    with pytest.raises(Error, match=f"{fault}|missing"):
        tables_from(arrays, (Form("a", 4, moves),))


# ── without vectors ──

WRAPPER = """
#include "fastparse/weights/kernels/kernels.h"
void look(const uint8_t *displacements, uint32_t buckets, const uint8_t *slots, uint32_t places, const uint8_t *pool,
          uint32_t pieces, int32_t slot_bytes, int32_t width, int moves, const uint64_t *keys, int32_t n,
          int32_t *out) {
    const FpCompiled t = {displacements, slots, pool, buckets, places, pieces, slot_bytes, width};
    const int32_t ends[1] = {n};
    const FpSums form = fp_choose(moves, slot_bytes, fp_level());
    form.add_jobs(&t, keys, ends, 1, out, 0);
    form.add(&t, keys, n, out);
}
int vectors(void) { return FP_VECTORS; }
"""


@pytest.fixture(scope="module", params=["plain", "vectors"])
def kernels(request, tmp_path_factory):
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("kernels")
    source, library = folder / "look.c", folder / "look.so"
    source.write_text(WRAPPER)
    root = Path(fastparse.__file__).parents[1]
    flags = ["-DFASTPARSE_PORTABLE"] if request.param == "plain" else []
    subprocess.run(
        [compiler, "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", *flags, f"-I{root}", "-o",
         str(library), str(source)], check=True,
    )  # fmt: skip
    loaded = ctypes.CDLL(str(library))
    assert loaded.vectors() == (request.param == "vectors")
    return loaded


@pytest.mark.parametrize(("moves", "width"), WIDTHS)
def test_plain_and_vectorised_kernels(kernels, moves, width):
    random = Random(f"{moves} {width}")
    rows = random_rows(random, width, 0, clustered(random, 40)) | random_rows(random, width, 300)
    table = built(rows, width, moves)
    slot_bytes = 8 if not moves or width <= 4 else 16 if width <= 12 else 32
    parts = [np.array(part) for part in (table.displacements, table.slots, table.pool)]
    units = (1, slot_bytes, 16)

    def look(keys):
        wanted, out = np.array(keys, np.uint64), np.zeros(width + 32, np.int32)
        places = [
            value
            for part, unit in zip(parts, units, strict=True)
            for value in (ctypes.c_void_p(part.ctypes.data), ctypes.c_uint32(len(part) // unit))
        ]
        kernels.look(
            *places, slot_bytes, width, int(moves), ctypes.c_void_p(wanted.ctypes.data), len(keys),
            ctypes.c_void_p(out.ctypes.data),
        )  # fmt: skip
        assert not out[(width + 31) // 32 * 32 :].any()
        return (out[:width] // 2).tolist()

    kept = {key: rounded(row) for key, row in rows.items()}
    for _ in range(200):
        keys = random.choices(list(rows), k=random.randint(1, 60)) + [random.getrandbits(64) for _ in range(60)]
        assert look(keys) == summed(kept, keys, width) == table.sums(keys).tolist()
