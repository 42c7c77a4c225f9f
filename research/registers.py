"""Do k registers build the trees of k-crossing intervals, and nothing else? Every tree is asked, by search.

    python -m research.registers --registers 3 --words 5 [--sampled 7 --trees 2000]

The class: crossed arcs are grouped into intervals of the sentence; in each there are k words such that every crossed
arc ends at one of them, and every word with a child beyond its own head is one of them (Pitler and McDonald 2015). With
two registers the system is `two-registers`; with more it is the obvious one after it:

    SHIFT, REDUCE       as with two; REDUCE needs a head
    LEFT-ARC, RIGHT-ARC between the top of the stack and the front; no register lies between the two. While a register
                        is empty, not for a top that a register's arc has passed over to the right of all registers (the
                        lock)
    STORE               the front, if it lies behind what the last CLEAR has left, becomes the last register that is
                        filled, with any arcs between it and the others; unlocks
    REGISTER            an arc between a register and the top of the stack. The top lies left of what the last CLEAR has
                        left only if the register is the first and not covered. Once all are filled, the arc passes over
                        no word of the stack to the right of them. No word but a register gets a child beyond its own
                        head. A dependent on the left of its register is popped
    CLEAR               with two registers or more, or an empty buffer. All of the stack lies left of them, only the top
                        may lie right of them, unless it is under the lock. What is not covered goes back to the stack,
                        the last word to the front

A tree is derivable if some derivation ends with all of its arcs. Only arcs of the tree are drawn, and what leaves the
configuration must have all of its arcs, so that the answer is exact and found quickly.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

Heads = tuple[int, ...]


class State(NamedTuple):
    """A configuration.

    Attributes:
        stack: words, increasing.
        front: the first word of the buffer.
        registers: those that are filled.
        covered: a bit for each register that lies under an arc.
        built: a bit for each word that has its head.
        last: the last word that the last CLEAR has left.
        lock: the last word of the stack that a register's arc has spanned, while a register is empty.
    """

    stack: tuple[int, ...] = ()
    front: int = 0
    registers: tuple[int, ...] = ()
    covered: int = 0
    built: int = 0
    last: int = -1
    lock: int = -1


class Search:
    """The derivations of one tree."""

    def __init__(self, heads: Heads, k: int) -> None:
        self.n, self.k, self.heads = len(heads), k, (0, *heads)
        self.arcs_at = [0] * (self.n + 1)  # bits of the dependents of all arcs at a word
        for dependent, head in enumerate(heads, start=1):
            self.arcs_at[dependent] |= 1 << dependent
            self.arcs_at[head] |= 1 << dependent

    def derivable(self) -> bool:
        """Whether some derivation ends with the tree."""
        whole = (1 << self.n + 1) - 2
        seen, agenda = {State()}, [State()]
        while agenda:
            c = agenda.pop()
            if c.front > self.n and not c.registers and c.built == whole:
                return True
            for after in self.after(c):
                if after not in seen:
                    seen.add(after)
                    agenda.append(after)
        return False

    def after(self, c: State) -> Iterator[State]:
        """The configurations after each move."""
        if c.stack and c.stack[-1] and c.built >> c.stack[-1] & 1 and self.done(c.stack[-1], c.built):
            yield c._replace(stack=c.stack[:-1])
        if c.front <= self.n:
            yield c._replace(stack=(*c.stack, c.front), front=c.front + 1)
            yield from self.arcs(c)
            if c.front > c.last and len(c.registers) < self.k:
                yield from self.stores(c)
        if c.registers:
            yield from self.clears(c)
            if c.stack:
                for place in range(len(c.registers)):
                    yield from self.register_arcs(c, place)

    def done(self, word: int, built: int) -> bool:
        return not self.arcs_at[word] & ~built

    def open(self, c: State, head: int, dependent: int) -> bool:
        """Whether this is an arc of the tree that has not been drawn."""
        return dependent > 0 and self.heads[dependent] == head and not c.built >> dependent & 1

    def arcs(self, c: State) -> Iterator[State]:
        if not c.stack or (c.registers and (c.stack[-1] < c.registers[-1] or self.locked(c))):
            return
        top = c.stack[-1]
        if self.open(c, c.front, top) and self.done(top, c.built | 1 << top):
            yield c._replace(stack=c.stack[:-1], built=c.built | 1 << top)
        if self.open(c, top, c.front):
            yield c._replace(stack=(*c.stack, c.front), front=c.front + 1, built=c.built | 1 << c.front)

    def locked(self, c: State) -> bool:
        return len(c.registers) < self.k and c.stack[-1] <= c.lock

    def stores(self, c: State) -> Iterator[State]:
        possible = [
            (register, dependent)
            for register in c.registers
            for head, dependent in ((c.front, register), (register, c.front))
            if self.open(c, head, dependent)
        ]
        for size in range(len(possible) + 1):
            for chosen in combinations(possible, size):
                covered, built = c.covered, c.built
                for register, dependent in chosen:
                    covered |= self.between(c, register, c.front)
                    built |= 1 << dependent
                yield c._replace(
                    front=c.front + 1, registers=(*c.registers, c.front), covered=covered, built=built, lock=-1
                )

    def between(self, c: State, a: int, b: int) -> int:
        """The registers between two words, as bits."""
        return sum(1 << place for place, register in enumerate(c.registers) if min(a, b) < register < max(a, b))

    def clears(self, c: State) -> Iterator[State]:
        first, last = c.registers[0], c.registers[-1]
        if len(c.registers) < 2 and c.front <= self.n:
            return
        if (len(c.stack) > 1 and c.stack[-2] > first) or (c.stack and first < c.stack[-1] < last):
            return
        if c.stack and c.stack[-1] > last and self.locked(c):
            return
        left = [register for place, register in enumerate(c.registers) if not c.covered >> place & 1]
        if not all(self.done(register, c.built) for register in set(c.registers) - set(left)):
            return
        back = sorted({*c.stack[-1:], *left})
        survivor = back[-1]
        front = c.front
        if survivor == front - 1 and survivor != first:
            back, front = back[:-1], survivor
        yield State((*c.stack[:-1], *back), front, (), 0, c.built, survivor, -1)

    def register_arcs(self, c: State, place: int) -> Iterator[State]:
        register, top, right_of_all = c.registers[place], c.stack[-1], c.stack[-1] > c.registers[-1]
        if top <= c.last and (place > 0 or c.covered & 1):
            return
        second = c.stack[-2] if len(c.stack) > 1 else -1
        lock = c.lock
        if len(c.registers) == self.k:
            if second > c.registers[-1]:
                return
        elif right_of_all and second > c.registers[-1]:
            lock = max(lock, second)
        covered = c.covered | self.between(c, register, top)
        if self.open(c, top, register) and not self.leaps(c, top, register):
            yield c._replace(covered=covered, built=c.built | 1 << register, lock=lock)
        if self.open(c, register, top):
            built = c.built | 1 << top
            children = [r for r in c.registers if r and c.built >> r & 1 and self.heads[r] == top]
            if any(min(top, child) < register < max(top, child) for child in children):
                return
            if top > register:
                yield c._replace(covered=covered, built=built, lock=lock)
            elif self.done(top, built):
                yield c._replace(stack=c.stack[:-1], covered=covered, built=built)

    def leaps(self, c: State, head: int, child: int) -> bool:
        """Whether the head has a head of its own between itself and the child."""
        if not c.built >> head & 1 or head == 0:
            return False
        return min(head, child) < self.heads[head] < max(head, child)


def in_class(heads: Heads, k: int) -> bool:
    """Whether a tree has k-crossing intervals, by trying all sets of k words in each."""
    n = len(heads)
    arcs = [(min(head, word), max(head, word)) for word, head in enumerate(heads, start=1)]
    crossed = [a for a in arcs if any(a[0] < b[0] < a[1] < b[1] or b[0] < a[0] < b[1] < a[1] for b in arcs)]
    intervals: list[tuple[int, int]] = []
    for first, last in sorted(crossed):
        if intervals and first <= intervals[-1][1]:
            intervals[-1] = (intervals[-1][0], max(intervals[-1][1], last))
        else:
            intervals.append((first, last))
    children = [[word for word in range(1, n + 1) if heads[word - 1] == head] for head in range(n + 1)]
    leaping = {
        word
        for word in range(1, n + 1)
        if any(min(word, child) < heads[word - 1] < max(word, child) for child in children[word])
    }
    for first, last in intervals:
        inside = [arc for arc in crossed if first <= arc[0] and arc[1] <= last]
        needed = {word for word in leaping if first <= word <= last}
        words = sorted({word for arc in inside for word in arc} | needed)
        sets = combinations(words, min(k, len(words)))
        if not any(needed <= {*chosen} and all({*arc} & {*chosen} for arc in inside) for chosen in sets):
            return False
    return True


def is_tree(heads: Heads) -> bool:
    """Whether every word is below the root."""
    for word in range(1, len(heads) + 1):
        steps = 0
        while word and steps <= len(heads):
            word, steps = heads[word - 1], steps + 1
        if word:
            return False
    return True


def trees(n: int) -> Iterator[Heads]:
    """All trees of n words."""
    return filter(is_tree, product(range(n + 1), repeat=n))


def random_trees(n: int, number: int, seed: int) -> Iterator[Heads]:
    """So many trees, all equally likely."""
    source = random.Random(seed)
    while number:
        heads = tuple(source.randint(0, n) for _ in range(n))
        if is_tree(heads):
            number -= 1
            yield heads


def asked(some: Iterator[Heads], k: int) -> tuple[list[int], list[Heads], list[Heads]]:
    """How many trees there are, in the class and derivable; those derivable alone, and those in the class alone."""
    counts, unsound, missing = [0, 0, 0], [], []
    for heads in some:
        inside, built = in_class(heads, k), Search(heads, k).derivable()
        counts = [counts[0] + 1, counts[1] + inside, counts[2] + built]
        if built and not inside:
            unsound.append(heads)
        if inside and not built:
            missing.append(heads)
    return counts, unsound, missing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--registers", type=int, default=3, metavar="K")
    parser.add_argument("--words", type=int, default=5, metavar="N", help="all trees of up to so many (default: 5)")
    parser.add_argument("--sampled", type=int, nargs="*", default=[], metavar="N", help="random trees of so many")
    parser.add_argument("--trees", type=int, default=2000, help="of each size that is sampled (default: 2000)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    some = [(n, trees(n)) for n in range(1, options.words + 1)]
    some += [(n, random_trees(n, options.trees, options.seed)) for n in options.sampled]
    print("| words | trees | in the class | derivable | derivable alone | in the class alone |")
    print("|---|---:|---:|---:|---|---|")
    for n, these in some:
        counts, *wrong = asked(these, options.registers)
        cells = [f"{count:,}" for count in counts] + [f"{len(found):,} {found[:1] or ''}".strip() for found in wrong]
        print(f"| {n} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
