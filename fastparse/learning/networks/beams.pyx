"""How a network learns from the trees that a beam finds.

The probability of a way to a tree is the product of those of its moves. Loss: the mistakes of the beam's trees in the
mean, each weighed by the share of its way in the probabilities of all of them. Its gradient makes moves likelier that
lead to better trees than the others in the beam, from where the ways part.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport free, realloc

from fastparse.encoder.reals cimport exp, log
from fastparse.features.plan cimport N_POSITIONS, locate
from fastparse.machine.arena cimport arena_close, arena_open, arena_reserve, arena_start, state_start
from fastparse.machine.spec cimport Spec
from fastparse.machine.state cimport Arena, Cell, History, NONE, State
from fastparse.learning.networks.states cimport Scores
from fastparse.learning.networks.transitions cimport Transitions, best_of
from fastparse.search.beam cimport legal_moves

cdef enum:
    STAY = NONE                 # what a final state does

cdef double LEAST = 1e-30       # smaller probabilities count as this

LARGEST_BEAM = MOST_STATES


cdef class Beams(Transitions):
    """Transitions that learn from beams, too."""

    def __cinit__(self, *_):
        arena_open(&self.shared)

    def __dealloc__(self):
        arena_close(&self.shared)
        free(self.steps)
        free(self.tree)

    def learn_from_beams(self, const int64_t[::1] bases, const int32_t[::1] sizes, const int32_t[::1] heads,
                         const int32_t[::1] labels, int size, double weight):
        """Adds the gradients of the mistakes that beams make.

        Args:
            bases, sizes: the row of each sentence's root in the batch, and its words.
            heads, labels: of each row of the batch: the row of its head, and its label.
            size: states of a beam.
            weight: of a mistake: a wrong head, or a wrong label.
        Returns:
            The mistakes in the mean, summed over sentences, and those of the most probable trees.
        """
        cdef Py_ssize_t j
        cdef double mistakes[2]
        cdef int done = 0
        require_size(size)
        mistakes[0] = mistakes[1] = 0
        with nogil:
            for j in range(bases.shape[0]):
                if sizes[j] and done == 0:
                    done = self.learn_trees(bases[j], sizes[j], &heads[0], &labels[0], size, weight, mistakes)
        if done < 0:
            raise MemoryError
        return mistakes[0], mistakes[1]

    def ways(self, int64_t base, int n, int size) -> list:
        """What a beam finds for one sentence: the share of each way, its tree's heads, and their labels."""
        cdef Way ways[MOST_STATES]
        cdef int32_t i, found
        cdef list trees = []
        require_size(size)
        found = self.find(base, n, size, ways)
        if found < 0:
            raise MemoryError
        for i in range(found):
            if self.follow(base, n, &ways[i], 0, 0) < 0:
                raise MemoryError
            trees.append((ways[i].share, [self.tree[k] for k in range(n)], [self.tree[n + k] for k in range(n)]))
        return trees

    cdef int learn_trees(self, int64_t base, int32_t n, const int32_t* heads, const int32_t* labels, int32_t size,
                         double weight, double* mistakes) noexcept nogil:
        cdef Way ways[MOST_STATES]
        cdef double mean = 0, by
        cdef int32_t i, k, apart, found = self.find(base, n, size, ways)
        if found <= 0:
            return found
        for i in range(found):
            if self.follow(base, n, &ways[i], 0, 0) < 0:
                return -1
            ways[i].mistakes = 0
            for k in range(n):
                if base + self.tree[k] != heads[base + 1 + k] or self.tree[n + k] != labels[base + 1 + k]:
                    ways[i].mistakes += 1
            mean += ways[i].share * ways[i].mistakes
        mistakes[0] += mean
        mistakes[1] += ways[0].mistakes
        # In states that all ways have in common what they gain and lose is 0 in sum.
        apart = common_steps(ways, found)
        for i in range(found):
            by = weight * ways[i].share * (ways[i].mistakes - mean)
            if by != 0 and self.follow(base, n, &ways[i], apart, by) < 0:
                return -1
        return 0

    cdef int follow(self, int64_t base, int32_t n, const Way* way, int32_t apart, double by) noexcept nogil:
        """Makes the moves of a way, to read off its tree or to learn from it.

        Args:
            apart, by: from this step on, adds the gradient of the sum of the logarithms of its moves' probabilities,
                `by` times; 0: nothing is learnt, and the tree is read.
        """
        cdef const Spec* spec = self.spec
        cdef State c
        cdef Scores s
        cdef uint32_t legal
        cdef int32_t t, m
        cdef double found[32]
        cdef float wrong[32]
        if arena_start(&self.arena, spec, n, True) < 0:
            return -1
        state_start(&c, spec, &self.arena)
        for t in range(way.length):
            if by != 0 and t >= apart:
                legal = legal_moves(&self.rules, &self.arena, &c)
                if legal & (legal - 1):
                    self.probabilities(&self.arena, base, &c, legal, &s, found)
                    for m in range(spec.n_moves):
                        wrong[m] = <float>(by * ((m == way.steps[t].move) - found[m])) if legal >> m & 1 else 0
                    self.learn_state(base, &s, wrong, 0)
            spec.apply(spec, &self.arena, &c, way.steps[t].move, way.steps[t].label)
        if by == 0:
            self.read_tree(&self.arena, &c, base, self.tree, self.tree + n)
        return 0

    cdef int32_t find(self, int64_t base, int32_t n, int32_t size, Way* ways) noexcept nogil:
        """The ways of a beam, the most probable first; how many there are, or -1 without memory."""
        cdef State states[MOST_STATES]
        cdef double logs[MOST_STATES]
        cdef double sum = 0
        cdef int64_t steps = 0
        cdef int32_t i, t, entry, found = self.search(base, n, size, states, logs)
        cdef Step* at
        for i in range(found):
            steps += states[i].length
        if found < 0 or self.make_room_for(steps, n) < 0:
            return -1
        at = self.steps
        for i in range(found):
            ways[i].steps, ways[i].length = at, states[i].length
            entry = states[i].history
            for t in reversed(range(states[i].length)):
                at[t] = Step(self.shared.history[entry].move, self.shared.history[entry].label)
                entry = self.shared.history[entry].previous
            at += states[i].length
            ways[i].share = exp(logs[i] - logs[0])
            sum += ways[i].share
        for i in range(found):
            ways[i].share /= sum
        return found

    cdef int make_room_for(self, int64_t steps, int32_t n) noexcept nogil:
        cdef void* larger
        if steps > self.step_room:
            larger = realloc(self.steps, 2 * steps * sizeof(Step))
            if larger == NULL:
                return -1
            self.steps, self.step_room = <Step*>larger, 2 * steps
        if n > self.tree_room:
            larger = realloc(self.tree, <size_t>4 * n * sizeof(int32_t))
            if larger == NULL:
                return -1
            self.tree, self.tree_room = <int32_t*>larger, 2 * n
        return 0

    cdef int32_t search(self, int64_t base, int32_t n, int32_t size, State* states, double* logs) noexcept nogil:
        """The final states of a beam with the logarithms of their probabilities, the best first; ties go to the better
        parent, then to the lower move.

        Returns:
            How many there are: none if all ways end before the tree is whole; -1 without memory.
        """
        cdef const Spec* spec = self.spec
        cdef Arena* a = &self.shared
        cdef State others[MOST_STATES]
        cdef double other_logs[MOST_STATES]
        cdef int32_t parents[MOST_STATES]
        cdef int32_t moves[MOST_STATES]
        cdef double found[32]
        cdef int32_t n_states = 1, n_others, i, m
        cdef uint32_t legal
        cdef bint moved = True
        cdef Scores s
        if arena_start(a, spec, n, False) < 0:
            return -1
        state_start(&states[0], spec, a)
        logs[0] = 0
        while moved and n_states:
            if arena_reserve(a, spec, size) < 0:
                return -1
            n_others, moved = 0, False
            for i in range(n_states):
                if spec.is_final(spec, a, &states[i]):
                    n_others = put(other_logs, parents, moves, n_others, size, logs[i], i, STAY)
                    continue
                legal = legal_moves(&self.rules, a, &states[i])
                self.probabilities(a, base, &states[i], legal, &s, found)
                for m in range(spec.n_moves):
                    if legal >> m & 1:
                        moved = True
                        n_others = put(other_logs, parents, moves, n_others, size, logs[i] + log(found[m] + LEAST),
                                       i, m)
            for i in range(n_others):
                others[i] = states[parents[i]]
                if moves[i] != STAY:
                    self.make(base, &others[i], moves[i])
            for i in range(n_others):
                states[i], logs[i] = others[i], other_logs[i]
            n_states = n_others
        return n_states

    cdef void make(self, int64_t base, State* c, int32_t move) noexcept nogil:
        """Makes a move in the shared arena, with the best label, and writes it down."""
        cdef Arena* a = &self.shared
        cdef History* entry = &a.history[a.n_history]
        cdef int32_t label = 0, head = NONE, dependent = NONE
        if self.spec.labelled >> move & 1:
            self.spec.arc(self.spec, a, c, move, &head, &dependent)
            label = self.best_label(base, a.cells[head].word, a.cells[dependent].word)
        entry.previous, entry.move, entry.label = c.history, <short>move, <unsigned short>label
        c.history = a.n_history
        c.length += 1
        a.n_history += 1
        self.spec.apply(self.spec, a, c, move, label)

    cdef void probabilities(self, const Arena* a, int64_t base, const State* c, uint32_t legal, Scores* s,
                            double* found) noexcept nogil:
        """Of the moves of a state, 0 of those that are not legal. s: its scores, if several moves are."""
        cdef const Cell* at[N_POSITIONS]
        cdef int32_t m
        cdef double sum = 0, top
        if legal & (legal - 1) == 0:
            for m in range(self.spec.n_moves):
                found[m] = legal >> m & 1
            return
        locate(self.spec, a, c, at)
        self.score(a, base, at, legal, c, 0, 0, s)
        top = s.move[best_of(s, self.spec.n_moves, legal)]
        for m in range(self.spec.n_moves):
            found[m] = exp(s.move[m] - top) if legal >> m & 1 else 0
            sum += found[m]
        for m in range(self.spec.n_moves):
            found[m] /= sum


cdef int require_size(int size) except -1:
    if not 1 <= size <= MOST_STATES:
        raise ValueError(f"a beam of {size}: expected 1 to {MOST_STATES}")
    return 0


cdef inline int32_t common_steps(const Way* ways, int32_t n) noexcept nogil:
    """Moves that all ways begin with."""
    cdef int32_t i, t, common = ways[0].length
    for i in range(1, n):
        common = min(common, ways[i].length)
        for t in range(common):
            if ways[i].steps[t].move != ways[0].steps[t].move:
                common = t
                break
    return common


cdef inline int32_t put(double* logs, int32_t* parents, int32_t* moves, int32_t n, int32_t size, double log_,
                        int32_t parent, int32_t move) noexcept nogil:
    """Keeps the `size` best in order, what came first before what is as good; how many there are."""
    cdef int32_t i
    if n == size:
        if log_ <= logs[n - 1]:
            return n
        n -= 1
    i = n
    while i > 0 and logs[i - 1] < log_:
        logs[i], parents[i], moves[i] = logs[i - 1], parents[i - 1], moves[i - 1]
        i -= 1
    logs[i], parents[i], moves[i] = log_, parent, move
    return n + 1
