"""Choosing a script for a form by the sum of weights, and by whether its lemma is known."""

import numpy

from libc.stdint cimport int16_t, int32_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc

from fastparse.corpus.strings.index cimport Index
from fastparse.lemmas.evidence cimport hash_text, lemma_key
from fastparse.lemmas.scripts cimport edited

cdef enum:
    UNTOUCHED = -0x7FFFFFFF
    CHOICES = 8                 # scripts whose lemmas are looked at, best first


cdef class Scripts:
    def __init__(self, list scripts not None):
        self.all = scripts
        self.n = <int32_t>len(scripts)
        self.before = [script.before for script in scripts]
        self.after = [script.after for script in scripts]
        self.cases = numpy.array([script.case for script in scripts], numpy.int32)
        self.strips = numpy.array(
            [size for script in scripts for size in (script.strip_before, script.strip_after)], numpy.int32
        )

    cdef str lemma(self, int32_t script, str form, str lowered):
        """What a script makes of a form, or None."""
        return edited(
            form, lowered, self.cases[script], self.strips[2 * script], self.before[script],
            self.strips[2 * script + 1], self.after[script],
        )


cdef class Sums:
    def __cinit__(self, int32_t n):
        cdef int32_t i
        self.n = n
        self.scores = <int32_t*>malloc((n + 1) * sizeof(int32_t))
        self.touched = <int32_t*>malloc((n + 1) * sizeof(int32_t))
        if self.scores == NULL or self.touched == NULL:
            raise MemoryError(f"cannot allocate scores of {n} scripts")
        for i in range(n):
            self.scores[i] = UNTOUCHED

    def __dealloc__(self):
        free(self.scores)
        free(self.touched)

    cdef void add(self, int32_t script, int32_t weight) noexcept nogil:
        if self.scores[script] == UNTOUCHED:
            self.scores[script] = 0
            self.touched[self.n_touched] = script
            self.n_touched += 1
        self.scores[script] += weight

    cdef void add_row(self, const uint16_t* scripts, const int16_t* weights, int32_t size) noexcept nogil:
        """Add a row of weights; each of its scripts is below n."""
        cdef int32_t i, n_touched = self.n_touched
        cdef int32_t* scores = self.scores
        for i in range(size):
            if scores[scripts[i]] == UNTOUCHED:
                scores[scripts[i]] = 0
                self.touched[n_touched] = scripts[i]
                n_touched += 1
            scores[scripts[i]] += weights[i]
        self.n_touched = n_touched

    cdef void clear(self) noexcept nogil:
        cdef int32_t i
        for i in range(self.n_touched):
            self.scores[self.touched[i]] = UNTOUCHED
        self.n_touched = 0

    cdef int best(self, int32_t* chosen) noexcept nogil:
        """The best scripts, at most CHOICES, best first; of equals the one with the lower id. Their number."""
        cdef int32_t i, script, score
        cdef int n = 0, at
        for i in range(self.n_touched):
            script = self.touched[i]
            score = self.scores[script]
            at = n
            while at and (self.scores[chosen[at - 1]] < score
                          or self.scores[chosen[at - 1]] == score and chosen[at - 1] > script):
                if at < CHOICES:
                    chosen[at] = chosen[at - 1]
                at -= 1
            if at < CHOICES:
                chosen[at] = script
                n += n < CHOICES
        return n


cdef str choose(
    Sums sums, Scripts scripts, str form, str lowered, uint64_t upos, Index known, int32_t bonus, uint64_t own,
    Choice* choice
):
    """The lemma with the best score, None if no script fits; clears the sums.

    Args:
        sums: the scores.
        scripts: all scripts.
        form: the form.
        lowered: the same in lower case.
        upos: the hash of its tag.
        known: from lemma keys to the number of forms that have the lemma.
        bonus: what a known lemma adds to a score.
        own: the key of a lemma that one of these forms does not count for; 0 for none.
        choice: the script that was chosen is put here.
    """
    cdef int32_t chosen[CHOICES]
    cdef int n = sums.best(chosen), i
    cdef int32_t score, best = UNTOUCHED, is_known
    cdef uint64_t key
    cdef str lemma, found = None
    choice.script = -1
    choice.known = 0
    for i in range(n):
        score = sums.scores[chosen[i]]
        if best != UNTOUCHED and score + max(bonus, 0) <= best:
            break
        lemma = scripts.lemma(chosen[i], form, lowered)
        if lemma is None:
            continue
        key = lemma_key(hash_text(lemma), upos)
        is_known = known.get(key) - (key == own) > 0
        if is_known:
            score += bonus
        if best == UNTOUCHED or score > best:
            best = score
            found = lemma
            choice.script = chosen[i]
            choice.known = is_known
    sums.clear()
    return found
