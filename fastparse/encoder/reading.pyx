"""Reading of words for search: each word with its tags is looked up once, however often it occurs.

The rows are those that `inputs.Reader` finds.
"""

import numpy as np

from libc.stdint cimport int32_t
from libc.string cimport memcpy

from fastparse.corpus.strings.index import distinct_triples
from fastparse.encoder.forms import Forms
from fastparse.encoder.inputs import FIRST, ROOT, Words, feature_strings


cdef class WordReader:
    """Turns columns into ids. It never changes, so threads may share it."""

    cdef object forms
    cdef dict tag, feature      # rows by string, without those of what a tagger says
    cdef bint own
    cdef Py_ssize_t most_features

    def __init__(self, inputs):
        """Args: inputs: an `Inputs`."""
        self.forms = Forms(inputs)
        self.tag = {string: i + FIRST for i, string in enumerate(inputs.tag)}
        self.feature = {string: i + FIRST for i, string in enumerate(inputs.feature)}
        self.own, self.most_features = inputs.own, inputs.most_features

    def words(self, treebank, own=False):
        """The words of a treebank as `Words`.

        Args:
            own: see `Inputs.rows`.
        """
        sizes = np.diff(np.asarray(treebank.offsets, np.int64))
        form, upos, xpos, feats = (
            np.ascontiguousarray(treebank.ids(name), np.int32) for name in ("form", "upos", "xpos", "feats"))
        said = np.repeat(np.broadcast_to(np.asarray(own, np.int32), len(sizes)), sizes)
        tags, of_tags = distinct_triples(upos, xpos, 2 * feats + said)
        kinds, of_kinds = distinct_triples(form, tags, np.zeros_like(tags))
        forms, of_forms = distinct_triples(form[of_kinds], *np.zeros((2, len(of_kinds)), np.int32))
        form_ids, form_ends = self.forms.read(treebank.cells("form")[1], form[of_kinds[of_forms]])
        tag_ids, tag_ends = self.read_tags(
            (treebank.table("upos"), upos[of_tags].tolist()), (treebank.table("xpos"), xpos[of_tags].tolist()),
            (treebank.table("feats"), feats[of_tags].tolist()), said[of_tags].tolist())
        rows = np.zeros(len(form) + len(sizes), np.int32)
        words = np.ones(len(rows), bool)
        words[np.cumsum(sizes + 1) - sizes - 1] = False
        rows[words] = kinds + 1
        ids, ends = joined(form_ids, form_ends, forms, tag_ids, tag_ends, tags[of_kinds])
        return Words(ids, ends, rows)

    cdef read_tags(self, upos, xpos, feats, list own):
        """Rows of the root, then of some combinations, each a table of strings and places in it; and their ends."""
        cdef list ids = [ROOT, ROOT], ends = [1, 2]
        cdef Py_ssize_t i
        for i in range(len(own)):
            more = len(self.tag) if self.own and own[i] else 0
            for mark, (table, places) in (("u", upos), ("x", xpos)):
                row = self.tag.get(mark + table[places[i]])
                if row is not None:
                    ids.append(row + more)
            ends.append(len(ids))
            more = len(self.feature) if self.own and own[i] else 0
            for string in feature_strings(feats[0][feats[1][i]])[:self.most_features]:
                row = self.feature.get(string)
                if row is not None:
                    ids.append(row + more)
            ends.append(len(ids))
        return np.array(ids, np.int32), np.array(ends, np.int32).reshape(-1, 2)


def joined(const int32_t[::1] form_ids, const int32_t[:, ::1] form_ends, const int32_t[::1] forms,
           const int32_t[::1] tag_ids, const int32_t[:, ::1] tag_ends, const int32_t[::1] tags):
    """Rows of the root, then of words made of a form and tags: the first and the last two of four groups.

    Returns:
        The ids, and where those of a word and group end.
    """
    cdef Py_ssize_t n = forms.shape[0] + 1, i, f, t, at = 0
    cdef int32_t begin, size
    sizes = (np.diff(form_ends[:, 1], prepend=0)[np.concatenate(([0], np.asarray(forms) + 1))]
             + np.diff(tag_ends[:, 1], prepend=0)[np.concatenate(([0], np.asarray(tags) + 1))])
    ids_, ends_ = np.empty(int(sizes.sum()), np.int32), np.empty((n, 4), np.int32)
    cdef int32_t[::1] ids = ids_
    cdef int32_t[:, ::1] ends = ends_
    for i in range(n):
        f, t = (forms[i - 1] + 1, tags[i - 1] + 1) if i else (0, 0)
        begin = form_ends[f - 1, 1] if f else 0
        size = form_ends[f, 1] - begin
        memcpy(&ids[at], &form_ids[begin], size * sizeof(int32_t))
        ends[i, 0], ends[i, 1] = <int32_t>at + form_ends[f, 0] - begin, <int32_t>at + size
        at += size
        begin = tag_ends[t - 1, 1] if t else 0
        size = tag_ends[t, 1] - begin
        if size:
            memcpy(&ids[at], &tag_ids[begin], size * sizeof(int32_t))
        ends[i, 2], ends[i, 3] = <int32_t>at + tag_ends[t, 0] - begin, <int32_t>at + size
        at += size
    return ids_, ends_
