"""Which classes a tree belongs to: the record of one tree, membership by class name, and both over whole treebanks."""

import re
from typing import NamedTuple

import numpy as np

from fastparse.display import Pictured
from fastparse.errors import Error, UnknownNameError

from libc.stdint cimport int32_t, int64_t, uint8_t

from fastparse.trees.crossing cimport interval_degree, is_planar, is_projective, mark_crossed
from fastparse.trees.degrees cimport edge_degree, gap_degree, has_covered_root, is_one_endpoint_crossing, is_well_nested
from fastparse.trees.planes cimport COLOURING_NO_MEMORY, UNDECIDED, colour_fewest, colour_two
from fastparse.trees.tree cimport Tree, TreeOwner, area, as_heads, as_offsets

_NAMES = (
    "projective",
    "planar",
    "2-planar",
    "3-planar",
    "2-crossing-interval",
    "3-crossing-interval",
    "1-endpoint-crossing",
    "well-nested",
    "gap-degree-1",
    "well-nested-gap-degree-1",
    "all",
)

cdef enum:
    N_FIELDS = 10           # of TreeRecord and of TreeClasses, in the same order

cdef struct TreeRecord:
    int32_t projective, planar, planes, crossing_interval, one_endpoint_crossing, well_nested
    int32_t gap_degree, block_degree, edge_degree, covered_root


class TreeClasses(NamedTuple):
    """What `classify` says of a tree; in `classify_treebank`, an array per field."""

    projective: bool
    planar: bool
    planes: int
    crossing_interval: int
    one_endpoint_crossing: bool
    well_nested: bool
    gap_degree: int
    block_degree: int
    edge_degree: int
    covered_root: bool

    _repr_html_ = Pictured._repr_html_


cdef int classify_tree(Tree* t, bint root_arcs, TreeRecord* out) noexcept nogil:
    """Fill the whole record; return 0 or MEMBER_NO_MEMORY.

    O(n log n + crossings), and what colour_fewest adds above two planes. Uses areas 0 to 15.
    Everything but planar and planes counts arcs from 0.
    """
    cdef int32_t* crossed = area(t, 13)
    cdef bint well_nested
    out.projective = is_projective(t)
    if out.projective:
        out.planar = True
        out.planes = 1
        out.crossing_interval = 0
        out.one_endpoint_crossing = True
        out.well_nested = True
        out.gap_degree = 0
        out.block_degree = 1
        out.edge_degree = 0
        out.covered_root = False
        return 0
    mark_crossed(t, True, crossed)
    out.crossing_interval = interval_degree(t, crossed)
    # Classes within classes: 2-crossing-interval, 1-endpoint-crossing, 2-planar (Pitler & McDonald, 2015).
    out.one_endpoint_crossing = out.crossing_interval <= 2 or is_one_endpoint_crossing(t, crossed)
    out.gap_degree = gap_degree(t)
    out.block_degree = out.gap_degree + 1
    out.edge_degree = edge_degree(t, &well_nested)
    out.well_nested = well_nested
    out.covered_root = has_covered_root(t)
    out.planar = not root_arcs and is_planar(t, False)
    if out.planar:
        out.planes = 1
    elif out.one_endpoint_crossing:
        out.planes = 2
    else:
        out.planes = colour_fewest(t, root_arcs, area(t, 14), area(t, 15))
        if out.planes == COLOURING_NO_MEMORY:
            return MEMBER_NO_MEMORY
    return 0


cdef int in_class(Tree* t, const TreeClass* c) noexcept nogil:
    """1 inside, 0 outside, UNDECIDED_MEMBER or MEMBER_NO_MEMORY. O(n log n) but for more than two planes.

    Uses areas 0 to 15.
    """
    cdef int32_t planes, n_components = 0
    cdef int32_t* crossed = area(t, 13)
    if c.kind == ALL_TREES or is_projective(t):
        return True
    if c.kind == PROJECTIVE:
        return False
    if c.kind == WELL_NESTED:
        return is_well_nested(t)
    if c.kind == GAP_DEGREE:
        return gap_degree(t) <= c.k
    if c.kind == WELL_NESTED_GAP_DEGREE:
        return is_well_nested(t) and gap_degree(t) <= c.k
    if c.kind == K_PLANAR and c.k == 1:
        return is_planar(t, c.root_arcs)
    if c.kind == K_PLANAR and c.k == 2:
        return colour_two(t, c.root_arcs, area(t, 14), area(t, 15), &n_components) <= 2
    if c.kind != K_PLANAR:
        mark_crossed(t, True, crossed)
        if c.kind == K_CROSSING_INTERVAL:
            return interval_degree(t, crossed) <= c.k
        return is_one_endpoint_crossing(t, crossed)
    planes = colour_fewest(t, c.root_arcs, area(t, 14), area(t, 15))
    if planes == COLOURING_NO_MEMORY:
        return MEMBER_NO_MEMORY
    if planes == UNDECIDED:
        return UNDECIDED_MEMBER
    return planes <= c.k


cdef TreeClass class_named(object name, bint root_arcs) except *:
    """The class a name stands for.

    The number k may be any number in "k-planar", "k-crossing-interval", "gap-degree-k", "well-nested-gap-degree-k".
    """
    cdef TreeClass c
    c.k = 0
    c.root_arcs = root_arcs
    if name == "all":
        c.kind = ALL_TREES
    elif name == "projective":
        c.kind = PROJECTIVE
    elif name == "planar":
        c.kind = K_PLANAR
        c.k = 1
    elif name == "1-endpoint-crossing":
        c.kind = ONE_ENDPOINT_CROSSING
    elif name == "well-nested":
        c.kind = WELL_NESTED
    else:
        form = re.fullmatch(
            r"([1-9][0-9]{0,6})-(planar|crossing-interval)|(gap-degree|well-nested-gap-degree)-([0-9]{1,7})", str(name)
        )
        if form is None:
            raise UnknownNameError(
                f"unknown tree class {name!r}; expected one of {', '.join(_NAMES)} (or another number in these)"
            )
        c.k = int(form[1] or form[4])
        c.kind = {
            "planar": K_PLANAR,
            "crossing-interval": K_CROSSING_INTERVAL,
            "gap-degree": GAP_DEGREE,
            "well-nested-gap-degree": WELL_NESTED_GAP_DEGREE,
        }[form[2] or form[3]]
    return c


def classes():
    """Names of the tree classes, for `contains` and `lift`; other numbers work too ("4-planar", "gap-degree-2")."""
    return list(_NAMES)


def classify(heads, root_arcs=False):
    """The classes and degrees of a tree.

    Args:
        heads: heads[i - 1] is the head of word i, 0 the root.
        root_arcs: whether `planar` and `planes` count the arcs from 0. Everything else always does.

    Returns:
        A TreeClasses record. `planes` is the smallest number of planes, or -1 when it is above 2 and the search for
        it gave up (only dense trees of hundreds of words); `crossing_interval` is the smallest k, 0 for projective
        trees.

    Raises:
        Error: not a tree.

    Example:
        >>> classify([3, 0, 2]).crossing_interval
        2
    """
    cdef const int32_t[::1] view = as_heads(heads)
    cdef TreeRecord r
    _fill(TreeOwner(), &view[0] if view.shape[0] else NULL, <int32_t> view.shape[0], None, root_arcs, &r)
    return TreeClasses(
        bool(r.projective), bool(r.planar), r.planes, r.crossing_interval, bool(r.one_endpoint_crossing),
        bool(r.well_nested), r.gap_degree, r.block_degree, r.edge_degree, bool(r.covered_root),
    )


def classify_treebank(heads, offsets, root_arcs=False):
    """`classify` of every sentence of a treebank: a TreeClasses record of arrays, one entry per sentence.

    Args:
        heads: the heads of all words.
        offsets: sentence s has the words offsets[s]:offsets[s + 1].
        root_arcs: as in `classify`.
    """
    cdef const int32_t[::1] view = as_heads(heads)
    cdef const int64_t[::1] bounds = as_offsets(offsets, view.shape[0])
    cdef TreeOwner owner = TreeOwner()
    cdef TreeRecord r
    cdef const int32_t* fields = <const int32_t*> &r
    cdef int64_t s, count = bounds.shape[0] - 1
    cdef int32_t i
    table = np.zeros((N_FIELDS, count), dtype=np.int32)
    cdef int32_t[:, ::1] out = table
    for s in range(count):
        _fill(
            owner, &view[bounds[s]] if bounds[s + 1] > bounds[s] else NULL, <int32_t> (bounds[s + 1] - bounds[s]), s,
            root_arcs, &r,
        )
        for i in range(N_FIELDS):
            out[i, s] = fields[i]
    return TreeClasses(*(table[i].astype(np.bool_) if i in (0, 1, 4, 5, 9) else table[i] for i in range(N_FIELDS)))


cdef int _fill(
    TreeOwner owner, const int32_t* heads, int32_t n, object sentence, bint root_arcs, TreeRecord* out
) except -1:
    """The record of one tree."""
    cdef int status
    owner.load(heads, n, sentence)
    with nogil:
        status = classify_tree(&owner.tree, root_arcs, out)
    if status == MEMBER_NO_MEMORY:
        raise MemoryError("no memory for the crossings of a tree")
    return 0


def contains(heads, name, root_arcs=True):
    """Whether a tree belongs to a class.

    Args:
        heads: heads[i - 1] is the head of word i, 0 the root.
        name: one of `classes()`.
        root_arcs: whether the planar classes count the arcs from 0, as the systems that build such trees do ("planar"
            is then the same as "projective"). Say False for the classes of the literature, over arcs between words.

    Raises:
        Error: not a tree, or (k-planar for k > 2) one the search for planes gave up on.

    Example:
        >>> contains([3, 0, 2], "2-crossing-interval")
        True
    """
    return bool(_contains(heads, None, name, root_arcs)[0])


def contains_treebank(heads, offsets, name, root_arcs=True):
    """`contains` of every sentence of a treebank: an array of truth values.

    Sentence s has the words offsets[s]:offsets[s + 1].
    """
    return _contains(heads, offsets, name, root_arcs)


cdef object _contains(object heads, object offsets, object name, bint root_arcs):
    cdef TreeClass c = class_named(name, root_arcs)
    cdef const int32_t[::1] view = as_heads(heads)
    cdef const int64_t[::1] bounds = as_offsets(offsets, view.shape[0])
    cdef TreeOwner owner = TreeOwner()
    cdef int64_t s, count = bounds.shape[0] - 1
    cdef int inside
    answers = np.zeros(count, dtype=np.bool_)
    cdef uint8_t[::1] out = answers.view(np.uint8)
    for s in range(count):
        owner.load(
            &view[bounds[s]] if bounds[s + 1] > bounds[s] else NULL,
            <int32_t> (bounds[s + 1] - bounds[s]),
            None if offsets is None else s,
        )
        with nogil:
            inside = in_class(&owner.tree, &c)
        if inside == MEMBER_NO_MEMORY:
            raise MemoryError("no memory for the crossings of a tree")
        if inside == UNDECIDED_MEMBER:
            raise Error(
                f"whether this tree of {owner.tree.n} words is {name} could not be decided: too many of its arcs cross"
            )
        out[s] = inside
    return answers
