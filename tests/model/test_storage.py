"""Model files: what is written comes back, and what was not written so is refused."""

import json
import re
import struct

import numpy as np
import pytest

from fastparse import ModelFormatError
from fastparse.model.storage import MODEL, VERSION, content_of, read_container, write_container
from fastparse.weights.building import checksum, size_fault, table_fault, table_of
from fastparse.weights.table import CompiledTable

HEADER = {"name": "Größe", "numbers": [1, 2.5, None, True]}
ARRAYS = {
    "b": np.arange(70, dtype=np.uint8),
    "a": np.arange(12, dtype=np.int64).reshape(3, 4),
    "empty": np.zeros((0, 7), np.uint32),
}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "model.fp"
    write_container(path, HEADER, ARRAYS)
    return path


def rewritten(path, change):
    """The file with bytes changed and its checksums made right again."""
    data = bytearray(path.read_bytes())
    change(data)
    struct.pack_into("<Q", data, 64, checksum(bytes(data[128:])))
    struct.pack_into("<Q", data, 120, checksum(bytes(data[:120])))
    path.write_bytes(data)


def with_header(path, change):
    """The file with another header, otherwise as it should be."""
    data = path.read_bytes()
    size = struct.unpack_from("<Q", data, 16)[0]
    header = json.loads(data[128 : 128 + size])
    change(header)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 64)
    body = text + data[128 + size :]
    path.write_bytes(data[:16] + struct.pack("<QQ", len(text), 128 + len(body)) + data[32:128] + body)
    rewritten(path, lambda _: None)


def test_what_is_written_comes_back(path):
    container = read_container(path, verify=True)
    assert container.header == HEADER
    assert sorted(container.arrays) == sorted(ARRAYS)
    for name, array in ARRAYS.items():
        found = container.arrays[name]
        assert found.dtype == array.dtype
        assert found.shape == array.shape
        assert (found == array).all()
        assert not found.flags.writeable


def test_arrays_are_aligned_views_of_the_file(path):
    arrays = read_container(path).arrays
    for name in ("a", "b"):
        assert arrays[name].ctypes.data % 64 == 0
        assert not arrays[name].flags.owndata


def test_bytes_do_not_depend_on_the_order_of_dicts(path):
    other = content_of(dict(reversed(HEADER.items())), dict(reversed(ARRAYS.items())))
    assert b"".join(other) == path.read_bytes()


def test_every_changed_byte_is_noticed(path):
    good = path.read_bytes()
    for at in range(len(good)):
        path.write_bytes(good[:at] + bytes([good[at] ^ 0x40]) + good[at + 1 :])
        if 32 <= at < 64:  # the identity itself: covered by the checksum of the preamble
            with pytest.raises(ModelFormatError):
                read_container(path)
            continue
        with pytest.raises(ModelFormatError, match=re.escape(str(path))):
            read_container(path)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 50, 127, 128, 200, -64, -1])
def test_truncated_files_are_refused(path, size):
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(ModelFormatError):
        read_container(path)


def test_what_follows_the_end_is_noticed(path):
    path.write_bytes(path.read_bytes() + b"\0" * 64)
    with pytest.raises(ModelFormatError, match="followed by something else"):
        read_container(path)


@pytest.mark.parametrize("content", [b"", b"1\tGo\tgo\n" * 100, b"PK\x03\x04" * 100, b"\x80\x04\x95" + bytes(500)])
def test_foreign_files_are_refused(path, content):
    path.write_bytes(content)
    with pytest.raises(ModelFormatError, match="not a usable model file"):
        read_container(path)


def test_a_checkpoint_is_no_model(path):
    write_container(path, HEADER, ARRAYS, b"\x89fastc\r\n")
    with pytest.raises(ModelFormatError, match="does not begin"):
        read_container(path, MODEL)


@pytest.mark.parametrize(("step", "advice"), [(1, "newer fastparse"), (-2, "Train the model again")])
def test_files_from_the_future_and_the_past_say_so(path, step, advice):
    def change_version(data):
        data[8] = VERSION + step

    rewritten(path, change_version)
    with pytest.raises(ModelFormatError, match=rf"format {VERSION + step}.*{advice}"):
        read_container(path)


def test_the_sha256_is_checked_on_demand(path):
    def change_identity(data):
        data[40] ^= 1

    rewritten(path, change_identity)
    read_container(path)
    with pytest.raises(ModelFormatError, match="SHA-256"):
        read_container(path, verify=True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("begin", 1), ("begin", -64), ("begin", 64.0), ("end", 10**9), ("end", 2**63), ("end", True), ("end", None),
        ("shape", [71]), ("shape", [-70]), ("shape", [2**62, 4]), ("shape", "70"), ("shape", [70, 1, True]),
        ("dtype", "f8"), ("dtype", "O"), ("dtype", 8), ("dtype", ["u1"]),
    ],
)  # fmt: skip
def test_impossible_arrays_are_refused(path, name, value):
    with_header(path, lambda header: header["arrays"]["b"].__setitem__(name, value))
    with pytest.raises(ModelFormatError, match=r"'b'|'empty'"):
        read_container(path)


@pytest.mark.parametrize("arrays", [None, [], 7, {"b": None}, {"b": {}}, {}])
def test_impossible_tables_of_arrays_are_refused(path, arrays):
    with_header(path, lambda header: header.__setitem__("arrays", arrays))
    with pytest.raises(ModelFormatError):
        read_container(path)


@pytest.mark.parametrize("text", [b"[]", b"{", b'{"a":NaN}', b"[" * 60_000, b'{"a":"\xff"}', b"null"])
def test_impossible_headers_are_refused(path, text):
    data = path.read_bytes()
    text += b" " * (-len(text) % 64)
    path.write_bytes(data[:16] + struct.pack("<QQ", len(text), 128 + len(text)) + data[32:128] + text)
    rewritten(path, lambda _: None)
    with pytest.raises(ModelFormatError):
        read_container(path)


def test_a_header_larger_than_the_file_is_refused(path):
    rewritten(path, lambda data: struct.pack_into("<Q", data, 16, 1 << 40))
    with pytest.raises(ModelFormatError, match="header"):
        read_container(path)


def test_a_failed_write_leaves_the_old_file(path):
    before = path.read_bytes()
    with pytest.raises(TypeError):
        write_container(path, {"not JSON": {1, 2}}, ARRAYS)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


# ── tables ──


def labels_table(width=5, n=40, seed=3):
    """A table of labels with random rows."""
    random = np.random.default_rng(seed)
    keys = random.integers(1, 2**63, n, dtype=np.uint64)
    counts = np.where(np.arange(n) % 5 == 0, width // 2, random.integers(1, min(4, width), n))
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    classes = np.concatenate([random.permutation(width)[:count] for count in counts]).astype(np.int32)
    return table_of(width, False, keys, starts, classes, random.integers(1, 100, len(classes)).astype(np.int32))


@pytest.mark.parametrize("width", [5, 255, 256, 257, 1000])
def test_tables_as_they_are_built_are_sound(width):
    assert table_fault(labels_table(width)) is None


@pytest.mark.parametrize("width", [5, 300])
def test_labels_outside_are_found(width):
    table = labels_table(width)
    fewer = CompiledTable(1 if width < 256 else 257, False, table.displacements, table.slots, table.pool)
    assert "label" in table_fault(fewer)


@pytest.mark.parametrize("width", [50, 300])
def test_rows_outside_the_pool_are_found(width):
    table = labels_table(width)
    for kept in (0, 16, len(table.pool) - 16):
        shorter = CompiledTable(width, False, table.displacements, table.slots, table.pool[:kept])
        assert "does not lead to a row" in table_fault(shorter)


@pytest.mark.parametrize("size", [1, 7, 9, 65])
def test_slots_of_odd_sizes_are_found(size):
    assert "slots" in size_fault(4, True, 1, size, 0)


def test_large_arrays_of_the_same_bytes_are_there_once(tmp_path):
    path = tmp_path / "model.fp"
    many = np.arange(5000, dtype=np.uint16)
    arrays = {
        "a": many,
        "b": many[:1000],
        "c": many.view(np.uint8),
        "d": many.reshape(50, 100),
        "e": many[:1000].copy(),
    }
    write_container(path, HEADER, arrays)
    assert path.stat().st_size < 1.5 * many.nbytes
    assert path.read_bytes()[8] == VERSION
    found = read_container(path, verify=True).arrays
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_files_are_of_the_first_version_that_can_say_them(path, tmp_path):
    assert path.read_bytes()[8] == VERSION - 1
    for name in ("segments.0.pieces", "tagger/lexicon.kinds"):
        write_container(tmp_path / name.replace("/", "-"), HEADER, {name: ARRAYS["b"]})
        assert (tmp_path / name.replace("/", "-")).read_bytes()[8] == VERSION


@pytest.mark.parametrize("place", [{"begin": 64, "end": 128}, {"begin": 0, "end": 64}, {"begin": 8, "end": 96}])
def test_arrays_may_not_overlap_otherwise(path, place):
    def change(header):
        header["arrays"]["b"] |= place

    with_header(path, change)
    with pytest.raises(ModelFormatError):
        read_container(path)


def test_long_lists_of_strings_are_arrays_of_bytes(tmp_path):
    path, strings = tmp_path / "model.fp", [f"wört{i}" for i in range(1000)]
    header = {"a": {"strings": strings, "same": list(strings)}, "b": ["x", "y\n"], "c": ["\n"] * 300, "d": [1] * 300}
    write_container(path, header, ARRAYS)
    found = read_container(path, verify=True)
    assert found.header == header
    assert found.arrays.keys() == ARRAYS.keys()
    assert path.read_bytes()[8] == VERSION
    assert path.read_bytes().count("wört999".encode()) == 1

    for wrong in ({"$list": "nothing"}, {"$list": ["$list/a/strings"]}, {"$list": "a"}, {"$list": 7}):
        write_container(path, header, ARRAYS)
        with_header(path, lambda header, wrong=wrong: header["a"].update(strings=wrong))
        with pytest.raises(ModelFormatError, match="list"):
            read_container(path)
    write_container(path, header, ARRAYS)
    at = path.read_bytes().index("wört".encode())
    rewritten(path, lambda data: data.__setitem__(at + 1, 0xFF))
    with pytest.raises(ModelFormatError, match="list"):
        read_container(path)
