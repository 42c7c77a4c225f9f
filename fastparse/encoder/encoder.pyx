"""Encoders in bytes: weights packed for a kernel, the set of vector instructions that the byte arithmetic runs on."""

import math
import os

import numpy as np

from libc.math cimport ceil
from libc.stdint cimport uintptr_t
from libc.string cimport memcpy, memset

from fastparse.encoder.packing cimport unpack
from fastparse.machine.state cimport Cell, uint16_t

from fastparse.encoder.arrays import checked, row_limit, stored
from fastparse.errors import UnknownNameError

VARIABLE = "FASTPARSE_KERNEL"
LOG_UNIT = LOG_ONE              # of logarithms of probabilities: so many are 1

cdef enum:
    ALIGNMENT = 64
    OF_MAXOUT = 0               # panels of a dense layer: 16 outputs of each piece
    OF_ROWS = 4                 # 64 outputs
    OF_SUMS = 2                 # 32 outputs

cdef extern from "fastparse/encoder/kernels/kernels.h" nogil:
    enum:
        FP_MOST_FORMS
    int32_t fp_forms(const Form** forms)
    int64_t fp_packed_size(const Form*, const Dense*)
    void fp_pack(const Form*, const Dense*, const int8_t* weights, const int32_t* bias, int32_t outputs, int32_t step,
                 void* packed_weights, int32_t* packed_bias)

cdef const Form* FORMS[FP_MOST_FORMS]
cdef int32_t N_FORMS = fp_forms(FORMS)


def kernels() -> tuple:
    """The forms this machine can run, slowest first; all give the same integers.

    Example:
        >>> kernels()[0]
        'plain'
    """
    cdef int32_t i
    return tuple([FORMS[i].name.decode("ascii") for i in range(N_FORMS)])


def kernel() -> str:
    """The form that encoders made from now on use: the fastest, or what the variable FASTPARSE_KERNEL asks for."""
    wanted = os.environ.get(VARIABLE, "")
    if not wanted:
        return kernels()[len(kernels()) - 1]
    if wanted not in kernels():
        raise UnknownNameError(
            f"{VARIABLE}={wanted!r}: this machine can run {', '.join(kernels())}. Unset the variable for the fastest.")
    return wanted


_chosen = kernel                # where an argument has that name


cdef const Form* form_named(str name) except NULL:
    cdef int32_t i
    for i in range(N_FORMS):
        if FORMS[i].name.decode("ascii") == name:
            return FORMS[i]
    raise UnknownNameError(f"there is no kernel {name!r} on this machine: it can run {', '.join(kernels())}")


cdef int32_t TABLE[LOG_TABLE]
TABLE[:] = [round(LOG_ONE * math.log1p(math.exp(-d / LOG_ONE))) for d in range(LOG_TABLE)]


cdef const int32_t* log_table() noexcept nogil:
    return TABLE


cdef void* room(list owned, int64_t n_bytes) except NULL:
    """Zeros, aligned; they live as long as the list."""
    memory = np.zeros(n_bytes + ALIGNMENT, np.uint8)
    cdef uint8_t[::1] view = memory
    owned.append(memory)
    return <void*>((<uintptr_t>&view[0] + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT)


cdef void* copied(list owned, array) except NULL:
    """Where an array is, if that is aligned, as arrays of files are; or a copy of it. It lives as long as the list."""
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    cdef const uint8_t[::1] view = flat
    cdef void* place
    if len(view) and <uintptr_t>&view[0] % ALIGNMENT == 0 and not flat.flags.writeable:
        owned.append(flat)
        return <void*>&view[0]
    place = room(owned, len(view))
    if len(view):
        memcpy(place, &view[0], len(view))
    return place


cdef class Encoder:
    """An encoder for one kernel, read-only.

    Args:
        arrays: as to_arrays() gives them; see fastparse/encoder/arrays.py.
        where: what messages call them, a file for instance.
        kernel: one of kernels(), by default kernel(); results are the same.

    Raises:
        ModelFormatError: for arrays that are not those of an encoder.
    """

    def __init__(self, arrays, str where="arrays", kernel=None):
        self.kernel = _chosen() if kernel is None else kernel
        self.c.form = form_named(self.kernel)
        self.arrays = checked(arrays, where)
        self.owned = []
        set_layers(self)
        for choice in ("moves", "labels"):
            if f"{choice}.shifts" in self.arrays:
                set_choice(self, choice, &self.c.moves if choice == "moves" else &self.c.labels)
        set_arcs(self)
        for tag in range(self.c.n_tags):
            weights = self.arrays[f"tags.{tag}.weights"]
            self.c.n_values[tag] = len(weights)
            dense(self, &self.c.tags[tag], OF_SUMS, 1, weights, self.arrays[f"tags.{tag}.bias"], 0, 0)

    @classmethod
    def from_arrays(cls, arrays, str where="arrays"):
        """An encoder of arrays that to_arrays() gave."""
        return cls(arrays, where)

    def to_arrays(self) -> dict:
        """The arrays by name, of types that model files have."""
        return stored(self.arrays)

    @property
    def width(self) -> int:
        return self.c.width

    @property
    def n_segments(self) -> int:
        return self.c.n_segments

    @property
    def n_tags(self) -> int:
        return self.c.n_tags


cdef dense(Encoder encoder, Dense* d, int32_t vectors, int32_t taps, weights, bias, int32_t shift, int32_t limit):
    """Packs weights whose last axes are inputs; with OF_MAXOUT the first axis are pieces."""
    cdef int32_t step = LANES
    cdef int32_t outputs = bias.size
    if vectors == OF_MAXOUT:
        vectors, step = len(weights), bias.shape[1]
    weights = np.ascontiguousarray(weights.reshape(outputs, -1))
    cdef const int8_t[:, ::1] w = weights
    cdef const int32_t[::1] b = np.ascontiguousarray(bias).reshape(-1)
    d.taps = taps
    d.width = weights.shape[1] // taps
    d.vectors = vectors
    d.panels = rounded_up(outputs, vectors * LANES) // (vectors * LANES)
    d.shift = shift
    d.limit = limit
    d.weights = room(encoder.owned, fp_packed_size(encoder.c.form, d))
    d.bias = <const int32_t*>room(encoder.owned, d.panels * vectors * LANES * sizeof(int32_t))
    fp_pack(encoder.c.form, d, &w[0, 0], &b[0], outputs, step, <void*>d.weights, <int32_t*>d.bias)


cdef set_layers(Encoder encoder):
    cdef int32_t i
    cdef Segment* segment
    _, encoder.c.width, _, encoder.c.n_segments, encoder.c.n_layers, encoder.c.arc_size, encoder.c.n_tags = (
        encoder.arrays["shape"].tolist())
    for i in range(encoder.c.n_segments):
        segment = &encoder.c.segments[i]
        set_rows(encoder, segment, f"segments.{i}")
        segment.shift = encoder.arrays["segments.shifts"][i]
        encoder.c.inputs += segment.width
    scales = encoder.arrays["layers.scales"]
    for i in range(encoder.c.n_layers + 1):
        name = f"layers.{i - 1}" if i else "input"
        dense(encoder, &encoder.c.layers[i], OF_MAXOUT, 3 if i else 1, encoder.arrays[f"{name}.weights"],
              encoder.arrays[f"{name}.bias"], encoder.arrays["layers.shifts"][i], NORM_LIMIT)
        encoder.c.norms[i].gain = <const float*>copied(encoder.owned, encoder.arrays[f"{name}.norm"][0])
        encoder.c.norms[i].offset = <const float*>copied(encoder.owned, encoder.arrays[f"{name}.norm"][1])
        encoder.c.norms[i].epsilon = scales[0, i]
        encoder.c.norms[i].scale = scales[1, i]
        encoder.c.norms[i].residual = i > 0
        if i:
            encoder.c.dilations[i] = encoder.arrays["layers.dilations"][i - 1]
            encoder.c.reach += encoder.c.dilations[i]


cdef set_rows(Encoder encoder, Segment* segment, str name):
    """A table of embeddings, whole as it is computed with."""
    cdef const uint8_t[:, ::1] codes
    cdef const int8_t[:, :, ::1] pieces
    cdef void* rows
    if name in encoder.arrays:
        segment.n, segment.width = encoder.arrays[name].shape
        segment.rows = <const int8_t*>copied(encoder.owned, encoder.arrays[name])
        return
    codes, pieces = encoder.arrays[f"{name}.codes"].view(np.uint8), encoder.arrays[f"{name}.pieces"]
    segment.n, segment.width = <int32_t>codes.shape[0], <int32_t>(codes.shape[1] * pieces.shape[2])
    rows = room(encoder.owned, <int64_t>segment.n * segment.width)
    segment.rows = <const int8_t*>rows
    if segment.n:
        unpack(&codes[0, 0], segment.n, codes.shape[1], &pieces[0, 0, 0], <int32_t>pieces.shape[2], <int8_t*>rows)


cdef set_choice(Encoder encoder, str name, Choice* c):
    cdef int32_t i
    slots, places, pairs = (encoder.arrays[f"{name}.{part}"] for part in ("slots", "label_places", "distance_pairs"))
    order = np.argsort(slots[:, 1] != 0, kind="stable")
    bias = encoder.arrays[f"{name}.hidden_bias"]
    c.log_factor = LOG_ONE / float(encoder.arrays[f"{name}.scale"][0])
    c.log_span = <int64_t>ceil(LOG_TABLE / c.log_factor)
    for found in (slots[:, 0], places[:, 0], pairs):
        for position in found.reshape(-1).tolist():
            c.positions |= <uint32_t>1 << <uint32_t>position
    slot_shift, c.shift = encoder.arrays[f"{name}.shifts"].tolist()
    c.n_slots, c.n_labels, c.n_pairs, c.hidden = len(slots), len(places), len(pairs), len(bias) // 2
    c.slots = <Place*>room(encoder.owned, c.n_slots * sizeof(Place))
    c.labels = <Place*>room(encoder.owned, c.n_labels * sizeof(Place))
    c.pairs = <Pair*>room(encoder.owned, c.n_pairs * sizeof(Pair))
    for i in range(c.n_slots):
        position, field, delta = slots[order[i]].tolist()
        c.slots[i] = Place(order[i], position, word_offset(field), delta)
    for i in range(c.n_labels):
        c.labels[i] = Place(i, places[i, 0], label_offset(places[i, 1]), 0)
    for i in range(c.n_pairs):
        c.pairs[i] = Pair(pairs[i, 0], pairs[i, 1])
    c.n_own = np.count_nonzero(slots[:, 1] == 0)
    c.n_folded, c.n_folded_labels = min(MOST_FOLDED, c.n_slots - c.n_own), min(MOST_FOLDED, c.n_labels)
    weights = encoder.arrays[f"{name}.slot_weights"][order]
    limit = row_limit(c.n_slots + c.n_labels + c.n_pairs + 1, c.shift)
    dense(encoder, &c.projection, OF_ROWS, 1, weights, np.zeros((c.n_slots, len(bias)), np.int32), slot_shift, limit)
    c.each = <Dense*>room(encoder.owned, c.n_slots * sizeof(Dense))
    for i in range(c.n_slots):
        c.each[i] = c.projection
        c.each[i].panels = c.projection.panels // c.n_slots
        c.each[i].weights = <const char*>c.projection.weights + i * fp_packed_size(encoder.c.form, &c.each[i])
        c.each[i].bias = c.projection.bias + i * len(bias)
    c.projection.panels = c.each[0].panels * c.n_own
    none = encoder.arrays[f"{name}.none"][order]
    label_rows = encoder.arrays[f"{name}.label_rows"]
    c.none = <const int16_t*>copied(encoder.owned, none)
    c.label_rows = <const int16_t*>copied(encoder.owned, label_rows)
    c.n_label_rows = label_rows.shape[1]
    c.distance_rows = <const int16_t*>copied(encoder.owned, encoder.arrays[f"{name}.distance_rows"])
    offset = (ZERO_POINT << c.shift) + ((1 << c.shift) >> 1)
    c.absent = <const int16_t*>copied(
        encoder.owned, sums_of_sets(none[c.n_own:c.n_own + c.n_folded]) + (bias + offset).astype(np.int16))
    c.unlabelled = <const int16_t*>copied(encoder.owned, sums_of_sets(label_rows[:c.n_folded_labels, 0]))
    outputs = encoder.arrays[f"{name}.weights"]
    c.n_outputs = len(outputs)
    dense(encoder, &c.output, OF_SUMS, 1, outputs, encoder.arrays[f"{name}.bias"], 0, 0)


cdef sums_of_sets(rows):
    """The sums of all sets of some rows of int16; number k is that of the rows whose bits are set in k."""
    sums = np.zeros((1, rows.shape[1]), np.int16)
    for row in rows:
        sums = np.concatenate([sums, sums + row])
    return sums


cdef set_arcs(Encoder encoder):
    cdef int32_t i
    if encoder.c.arc_size == 0:
        return
    shifts = encoder.arrays["arcs.shifts"]
    for i in range(2):
        dense(encoder, &encoder.c.arcs[i], OF_ROWS, 1, encoder.arrays["arcs.weights"][i],
              encoder.arrays["arcs.bias"][i], shifts[i], ZERO_POINT - 1)
    encoder.c.arc_factor, encoder.c.arc_shift = shifts[2], shifts[3]


cdef uint8_t word_offset(int field) noexcept:
    """Where a cell keeps the word that a field of arrays.FIELDS names."""
    cdef Cell cell
    cdef int32_t* place = &cell.word
    memset(&cell, 0, sizeof(Cell))
    if field == 1:
        place = &cell.head
    elif field > 1:
        place = &cell.left[field - 2] if field < 4 else &cell.right[field - 4]
    return <uint8_t>(<char*>place - <char*>&cell)


cdef uint8_t label_offset(int field) noexcept:
    """Where a cell keeps the label of the arc to that word."""
    cdef Cell cell
    cdef uint16_t* place = &cell.label
    memset(&cell, 0, sizeof(Cell))
    if field > 1:
        place = &cell.left_label[field - 2] if field < 4 else &cell.right_label[field - 4]
    return <uint8_t>(<char*>place - <char*>&cell)
