"""Model files: a header and aligned arrays; see docs/format.md.

The layout of the container, little-endian on every machine:

    0     8   magic
    8     4   version of the format
    12    4   zero
    16    8   bytes of the header
    24    8   bytes of the file
    32    32  SHA-256 of everything after the preamble: the model's identity
    64    8   fast checksum of the same bytes, verified whenever a model is loaded
    72    48  zero
    120   8   fast checksum of the preamble up to here
    128   ..  header: JSON in UTF-8, keys sorted, padded with spaces; `arrays` says where they are
    ..        arrays, each at a multiple of 64 bytes, padded with zeros
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import os
import struct
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from fastparse.corpus.files.names import open_regular
from fastparse.corpus.files.output import open_output
from fastparse.errors import ModelFormatError
from fastparse.weights.building import checksum

__all__ = ["MODEL", "VERSION", "Container", "content_of", "read_container", "sha256_of", "write_container"]

VERSION = 4
_FIRST_VERSION = 3  # that is read; still written of what it can say
_SINCE_FOURTH = (".pieces", "lexicon.kinds")  # ends of names of arrays that older versions do not know
_LIST = "$list"  # of strings in a header, which are kept as an array; and the beginning of its name
_LONG_LIST = 256  # strings at least
_BETWEEN = "\n"
_SHARED = 4096  # bytes of an array at least, for one of the same bytes to be kept once
MODEL = b"\x89fastp\r\n"  # a text-mode transfer or an editor changes at least one of these bytes
_PREAMBLE = struct.Struct("<8sIIQQ32sQ48sQ")
_DIGEST, _CHECKSUM = 5, 6  # places among its fields
_ALIGNMENT = 64
_LARGEST_HEADER = 1 << 25  # JSON takes some thirty times its bytes while it is read
_MOST_DIMENSIONS = 8
_DTYPES = {
    "u1": np.uint8, "u2": np.uint16, "u4": np.uint32, "u8": np.uint64, "i2": np.int16, "i4": np.int32, "i8": np.int64,
}  # fmt: skip


@dataclass(frozen=True)
class Container:
    """What a file holds.

    Attributes:
        header: without the table of arrays.
        arrays: read-only.
        sha256: as the file states it, in hexadecimal.
    """

    header: dict[str, Any]
    arrays: dict[str, np.ndarray[Any, Any]]
    sha256: str


def content_of(header: dict[str, Any], arrays: dict[str, np.ndarray[Any, Any]], magic: bytes = MODEL) -> list[bytes]:
    """The bytes of a file in pieces; the same header and arrays give the same bytes."""
    header, lists = _without_lists(header)
    arrays = {**arrays, **lists}
    places: dict[str, dict[str, Any]] = {}
    pieces: list[bytes] = []
    kept: dict[bytes, int] = {}
    version = VERSION if lists or any(name.endswith(_SINCE_FOURTH) for name in arrays) else _FIRST_VERSION
    at = 0
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        code = array.dtype.str.lstrip("<>=|")
        data = array.astype(f"<{code}", copy=False).tobytes()
        if len(data) >= _SHARED and kept.setdefault(data, at) != at:
            begin, version = kept[data], VERSION
            places[name] = {"dtype": code, "shape": list(array.shape), "begin": begin, "end": begin + len(data)}
            continue
        places[name] = {"dtype": code, "shape": list(array.shape), "begin": at, "end": at + len(data)}
        pieces += [data, bytes(-len(data) % _ALIGNMENT)]
        at += len(data) + len(pieces[-1])
    text = json.dumps({**header, "arrays": places}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    head = text.encode("utf-8")
    head += b" " * (-len(head) % _ALIGNMENT)
    body = b"".join([head, *pieces])
    fields = (magic, version, 0, len(head), _PREAMBLE.size + len(body), hashlib.sha256(body).digest(), checksum(body))
    preamble = _PREAMBLE.pack(*fields, bytes(48), 0)[:-8]
    return [preamble, struct.pack("<Q", checksum(preamble)), body]


def _without_lists(value: Any, path: str = _LIST) -> tuple[Any, dict[str, np.ndarray[Any, Any]]]:
    """What a header says with long lists of strings as arrays of bytes, and these by name: the way to each list."""
    if isinstance(value, dict):
        found = {key: _without_lists(item, f"{path}/{key}") for key, item in value.items()}
        lists = {name: array for _, arrays in found.values() for name, array in arrays.items()}
        return {key: item for key, (item, _) in found.items()}, lists
    if isinstance(value, list) and len(value) >= _LONG_LIST and all(isinstance(item, str) for item in value):
        text = _BETWEEN.join(value)
        if text.count(_BETWEEN) == len(value) - 1:
            return {_LIST: path}, {path: np.frombuffer(text.encode("utf-8"), np.uint8)}
    return value, {}


def _with_lists(name: str, value: Any, arrays: dict[str, np.ndarray[Any, Any]]) -> Any:
    """The inverse, of a file's header; takes the lists out of the arrays."""
    if not isinstance(value, dict):
        return value
    if value.keys() != {_LIST}:
        return {key: _with_lists(name, item, arrays) for key, item in value.items()}
    array = arrays.pop(value[_LIST], None) if isinstance(value[_LIST], str) else None
    try:
        if array is not None and array.dtype == np.uint8 and array.ndim == 1:
            return array.tobytes().decode("utf-8").split(_BETWEEN)
    except UnicodeDecodeError:
        pass
    raise _fault(name, f"its header names a list {value[_LIST]!r:.80} that is not there")


def write_container(
    path: str | os.PathLike[str], header: dict[str, Any], arrays: dict[str, np.ndarray[Any, Any]], magic: bytes = MODEL
) -> str:
    """Write a file, whole or not at all, and return its SHA-256."""
    pieces = content_of(header, arrays, magic)
    with open_output(path) as stream:
        for piece in pieces:
            stream.write(piece)
    return sha256_of(pieces)


def sha256_of(pieces: list[bytes]) -> str:
    """The SHA-256 that content of a file states, in hexadecimal."""
    digest: bytes = _PREAMBLE.unpack(pieces[0] + pieces[1])[_DIGEST]
    return digest.hex()


def read_container(path: str | os.PathLike[str], magic: bytes = MODEL, verify: bool = False) -> Container:
    """Read a file into memory of its own: what becomes of the file later is no concern of what was read.

    Time and memory are bounded by the size of the file, whatever stands in it. Devices and pipes are not opened.

    Args:
        magic: what the file must begin with.
        verify: compute the SHA-256 too, which takes a multiple of the time.

    Raises:
        ModelFormatError: for a file that is not of this kind, damaged, or from the future.
        OSError: when it cannot be opened.
    """
    name = os.fspath(path)
    if sys.byteorder != "little":
        raise ModelFormatError(f"{name}: models cannot be used on this processor, whose numbers are big-endian")
    data = _content(name, magic)
    header_size, digest = _read_preamble(name, bytes(data[: _PREAMBLE.size]), len(data), magic)
    body = data[_PREAMBLE.size :]
    if checksum(body) != _PREAMBLE.unpack(data[: _PREAMBLE.size].tobytes())[_CHECKSUM]:
        raise _fault(name, "its checksum is wrong: some of its bytes have been changed")
    if verify and hashlib.sha256(body.data).digest() != digest:
        raise _fault(name, "its SHA-256 is wrong: some of its bytes have been changed")
    header = _read_header(name, bytes(body[:header_size]))
    arrays = _arrays(name, header.pop("arrays", None), body[header_size:])
    return Container(_with_lists(name, header, arrays), arrays, digest.hex())


def _content(name: str, magic: bytes) -> np.ndarray[Any, Any]:
    """All bytes of a file, read-only, aligned to a page."""
    opened = open_regular(name)
    if opened is None:
        raise _fault(name, "it is no file but a device or a pipe")
    with opened as stream:
        size = os.fstat(stream.fileno()).st_size
        if size < _PREAMBLE.size:
            start = stream.read(len(magic)) or b""
            raise _fault(name, f"it has {size} bytes, fewer than any model" if magic.startswith(start) else _FOREIGN)
        start = stream.read(len(magic)) or b""
        if start != magic:
            raise _fault(name, _FOREIGN)
        memory = mmap.mmap(-1, size)
        memory[: len(start)] = start
        at = len(start)
        with memoryview(memory) as whole:
            while at < size and (more := stream.readinto(whole[at:])):
                at += more
        if at < size or stream.read(1):
            raise _fault(name, "it has changed while it was read")
    return np.frombuffer(memoryview(memory).toreadonly(), np.uint8)


_FOREIGN = "it does not begin as a model file does"


def _read_preamble(name: str, raw: bytes, size: int, magic: bytes) -> tuple[int, bytes]:
    """The length of the header and the SHA-256."""
    found, version, zero, header_size, file_size, digest, _, zeros, own = _PREAMBLE.unpack(raw)
    if found != magic:
        raise _fault(name, _FOREIGN)
    if version > VERSION:
        raise ModelFormatError(
            f"{name}: the file has format {version}, this fastparse reads up to {VERSION}. Install a newer fastparse."
        )
    if own != checksum(raw[:-8]) or version == 0 or zero or any(zeros):
        raise _fault(name, "its first bytes have been changed")
    if version < _FIRST_VERSION:
        raise ModelFormatError(
            f"{name}: the file has format {version}, from before the first release; this fastparse reads "
            f"formats {_FIRST_VERSION} and {VERSION}. Train the model again."
        )
    if file_size != size:
        what = "truncated" if file_size > size else "followed by something else"
        raise _fault(name, f"it should have {file_size} bytes but has {size}: it is {what}")
    if header_size > min(_LARGEST_HEADER, size - _PREAMBLE.size) or header_size % _ALIGNMENT:
        raise _fault(name, f"it cannot have a header of {header_size} bytes")
    return header_size, digest


def _read_header(name: str, raw: bytes) -> dict[str, Any]:
    try:
        header = json.loads(raw.decode("utf-8"), parse_constant=_no_constant)
        if b"\\u" in raw:  # which alone can say half of a surrogate pair
            json.dumps(header, ensure_ascii=False).encode("utf-8")
    except RecursionError:
        raise _fault(name, "its header is nested too deeply") from None
    except ValueError as error:
        raise _fault(name, f"its header is not JSON ({error})") from None
    if not isinstance(header, dict):
        raise _fault(name, "its header is not a JSON object")
    return header


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is no JSON number")


def _arrays(name: str, places: Any, data: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
    """Views of the arrays; they lie one after the other, and nothing else lies between them but zeros.

    An array may be where an earlier one is, if it has the same bytes.
    """
    if not isinstance(places, dict):
        raise _fault(name, "its header has no table of arrays")
    arrays = {}
    earlier: set[tuple[Any, Any]] = set()
    at = 0
    for key in sorted(places):
        place = places[key]
        try:
            dtype, shape, begin, end = place["dtype"], place["shape"], place["begin"], place["end"]
            kind = _DTYPES[dtype]
        except (TypeError, KeyError):
            raise _fault(name, f"its header does not describe the array {key!r} as it must") from None
        sizes: list[Any] = shape if isinstance(shape, list) and len(shape) <= _MOST_DIMENSIONS else [None]
        whole = all(type(value) is int and 0 <= value < 1 << 62 for value in (*sizes, begin, end))
        shared = whole and (begin, end) in earlier
        if not whole or (begin != at and not shared) or end > len(data):
            raise _fault(name, f"the array {key!r} has no possible place or shape")
        n_bytes = np.dtype(kind).itemsize * math.prod(sizes)
        if n_bytes != end - begin or math.prod(max(1, value) for value in sizes) >= 1 << 56:
            raise _fault(name, f"the array {key!r} of shape {shape} does not have {end - begin} bytes")
        if not shared:
            earlier.add((begin, end))
            at = end + -end % _ALIGNMENT
            if at > len(data) or data[end:at].any():
                raise _fault(name, f"what follows the array {key!r} is not padding")
        arrays[key] = data[begin:end].view(np.dtype(kind).newbyteorder("<")).reshape(sizes)
    if at != len(data):
        raise _fault(name, "something follows the last array")
    return arrays


def _fault(name: str, what: str) -> ModelFormatError:
    return ModelFormatError(
        f"{name}: this is not a usable model file: {what}. Copy the file again from where it was trained or downloaded."
    )
