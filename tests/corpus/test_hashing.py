"""The string hash never changes and mixes well; ids are exact."""

import random
import struct

import numpy as np
import pytest

import fastparse
from fastparse.corpus.strings.interning import hash_of

MASK = (1 << 64) - 1


def reference(data: bytes) -> int:
    """The documented definition, in plain Python."""
    h = (0x2545F4914F6CDD1D + 0x9E3779B97F4A7C15 * len(data)) & MASK
    for at in range(0, len(data), 8):
        (chunk,) = struct.unpack("<Q", data[at : at + 8].ljust(8, b"\0"))
        h = (h ^ chunk) * 0xD6E8FEB86659FD93 & MASK
        h ^= h >> 32
    h ^= h >> 29
    h = h * 0xBF58476D1CE4E5B9 & MASK
    h ^= h >> 32
    h = h * 0x94D049BB133111EB & MASK
    return h ^ (h >> 29)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", 0x18EBA69AD8E358BB),
        ("_", 0x7505F43B92F3809E),
        ("NOUN", 0x2BA86CD2096C96EB),
        ("eightby8", 0xDAEBB2F9D27F9E45),
        ("Case=Nom|Number=Sing", 0xB6B191FD7E547597),
        ("\u00e9t\u00e9 \U0001f600", 0x273C5B7404761875),
    ],
)
def test_values_that_model_files_depend_on(text, value):
    assert hash_of(text) == value


@pytest.mark.parametrize("size", [*range(33), 63, 64, 65, 1000])
def test_equals_the_definition_at_every_length(size):
    data = random.Random(size).randbytes(size)
    assert hash_of(data) == reference(data)


@pytest.mark.parametrize("size", [1, 5, 8, 9, 16, 40])
def test_every_input_bit_reaches_every_output_bit(size):
    rng = random.Random(size)
    flips = np.zeros((8 * size, 64))
    for _ in range(200):
        data = rng.randbytes(size)
        before = hash_of(data)
        for bit in range(8 * size):
            other = bytearray(data)
            other[bit >> 3] ^= 1 << (bit & 7)
            change = before ^ hash_of(bytes(other))
            flips[bit] += [(change >> k) & 1 for k in range(64)]
    assert (abs(flips / 200 - 0.5) < 0.25).all()


def test_no_collisions_among_short_strings():
    strings = [f"{a}{b}" for a in range(300) for b in "abcdefghij" * 5]
    assert len({hash_of(s) for s in strings}) == len(set(strings))


def test_ids_are_exact_and_in_order_of_appearance():
    rng = random.Random(7)
    forms = ["x" * rng.randrange(1, 30) + rng.choice("ab") + "y" * rng.randrange(12) for _ in range(20_000)]
    data = "".join(f"1\t{form}\t_\tX\t_\t_\t0\tdep\t_\t_\n\n" for form in forms).encode()
    treebank = fastparse.read_conllu(data)
    assert treebank.table("form") == list(dict.fromkeys(forms))
    assert [treebank.table("form")[i] for i in treebank.ids("form")] == forms
    assert treebank.hashes("form").tolist() == [reference(form.encode()) for form in treebank.table("form")]
