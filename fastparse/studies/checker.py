# mypy: ignore-errors
"""Checks a certificate of `fastparse study certify`. It knows nothing of fastparse: the rules of the systems, the
classes of trees and the search are written here once more, from their definitions.

    python checker.py certificate.txt [--explore 4]

A certificate has all trees of a class, each with a derivation. Checked is that they are all trees of the class and no
others; that each derivation follows the rules, ends with its tree, and keeps to the bound (the system is complete);
and, up to --explore words, following all derivations, that none ends outside the class (it is sound).
"""

import sys
from itertools import combinations, product


class State:
    """A configuration; the tops of its stacks come last, heads are by word."""

    def __init__(self, n, root_on_stack):
        self.stack = (0,) if root_on_stack else ()
        self.other = ()  # the second stack of 2-planar
        self.buffer = tuple(range(1 if root_on_stack else 0, n + 1))
        self.registers = ()
        self.heads = (None,) * (n + 1)
        self.last = -1  # the last word that a CLEAR has left
        self.low = ()  # arcs of words that survived a CLEAR
        self.switched = False

    def but(self, **changes):
        found = State.__new__(State)
        found.__dict__.update({**self.__dict__, "switched": False, **changes})
        return found

    def drawn(self, head, dependent, **changes):
        heads = (*self.heads[:dependent], head, *self.heads[dependent + 1 :])
        return self.but(heads=heads, **changes)

    def may_head(self, head, dependent):
        if dependent == 0 or self.heads[dependent] is not None:
            return False
        while head is not None:
            if head == dependent:
                return False
            head = self.heads[head]
        return True

    def top(self, k=1):
        return self.stack[-k] if len(self.stack) >= k else -1


def between(x, a, b):
    return min(a, b) < x < max(a, b)


def cross(one, other):
    (a, b), (x, y) = sorted(one), sorted(other)
    return a < x < b < y or x < a < y < b


def stack_moves(c, swap=False):
    """Arc-standard, and swap."""
    if c.buffer:
        yield "SHIFT", c.but(stack=(*c.stack, c.buffer[0]), buffer=c.buffer[1:])
    if len(c.stack) > 1:
        t, s = c.stack[-2:]
        if t:
            yield "LEFT-ARC", c.drawn(s, t, stack=(*c.stack[:-2], s))
        yield "RIGHT-ARC", c.drawn(t, s, stack=c.stack[:-1])
        if swap and 0 < t < s:
            yield "SWAP", c.but(stack=(*c.stack[:-2], s), buffer=(t, *c.buffer))


def hybrid_moves(c):
    if c.buffer:
        yield "SHIFT", c.but(stack=(*c.stack, c.buffer[0]), buffer=c.buffer[1:])
        if c.top() > 0:
            yield "LEFT-ARC", c.drawn(c.buffer[0], c.top(), stack=c.stack[:-1])
    if len(c.stack) > 1:
        yield "RIGHT-ARC", c.drawn(c.stack[-2], c.top(), stack=c.stack[:-1])


def eager_moves(c):
    b, s = c.buffer[0], c.top()
    yield "SHIFT", c.but(stack=(*c.stack, b), buffer=c.buffer[1:])
    if s >= 0:
        if c.heads[s] is not None:
            yield "REDUCE", c.but(stack=c.stack[:-1])
        elif s > 0:
            yield "LEFT-ARC", c.drawn(b, s, stack=c.stack[:-1])
        yield "RIGHT-ARC", c.drawn(s, b, stack=(*c.stack, b), buffer=c.buffer[1:])


def planes_moves(c):
    b, s = c.buffer[0], c.top()
    yield "SHIFT", c.but(stack=(*c.stack, b), other=(*c.other, b), buffer=c.buffer[1:])
    if s >= 0:
        yield "REDUCE", c.but(stack=c.stack[:-1])
        if c.may_head(b, s):
            yield "LEFT-ARC", c.drawn(b, s)
        if c.may_head(s, b):
            yield "RIGHT-ARC", c.drawn(s, b)
    if not c.switched:
        yield "SWITCH", c.but(stack=c.other, other=c.stack, switched=True)


def register_moves(c, k):
    b, s, filled = c.buffer[0] if c.buffer else None, c.top(), c.registers
    arcs = [(head, word) for word, head in enumerate(c.heads) if head is not None]
    covered = [any(between(r, *arc) for arc in arcs) for r in filled]
    locked = False
    if 0 < len(filled) < k and s > filled[-1]:
        of_registers = [arc for arc in arcs if set(arc) & set(filled)]
        locked = any(between(w, *arc) for arc in of_registers for w in c.stack if w >= s)
    if s >= 0 and c.heads[s] is not None:
        yield "REDUCE", c.but(stack=c.stack[:-1])
    if b is not None:
        yield "SHIFT", c.but(stack=(*c.stack, b), buffer=c.buffer[1:])
        if s >= 0 and not locked and not any(between(r, s, b) for r in filled):
            if c.may_head(b, s):
                yield "LEFT-ARC", c.drawn(b, s, stack=c.stack[:-1])
            if c.may_head(s, b):
                yield "RIGHT-ARC", c.drawn(s, b, stack=(*c.stack, b), buffer=c.buffer[1:])
        if b > c.last and len(filled) < k:
            stored = {"buffer": c.buffer[1:], "registers": (*filled, b)}
            yield "STORE" if k == 3 else "STORE(none)", c.but(**stored)
            if k == 2 and filled:
                if c.may_head(b, filled[0]):
                    yield "STORE(left)", c.drawn(b, filled[0], **stored)
                if c.may_head(filled[0], b):
                    yield "STORE(right)", c.drawn(filled[0], b, **stored)
    if not filled:
        return
    kept = {r for r, under in zip(filled, covered, strict=True) if not under}
    between_or_locked = between(s, filled[0], filled[-1]) or (k == 3 and locked and s > filled[-1])
    lost = any(c.heads[r] is None for r in filled if r not in kept)
    if (len(filled) > 1 or b is None) and c.top(2) < filled[0] and not between_or_locked and not lost:
        yield "CLEAR", cleared(c, kept | set(c.stack[-1:]))
    if k == 3:
        for i, j in product(range(len(filled)), repeat=2):
            if i != j and c.may_head(filled[i], filled[j]) and not any(cross((filled[i], filled[j]), a) for a in c.low):
                yield f"REGISTERS({i + 1},{j + 1})", c.drawn(filled[i], filled[j])
    if s < 0 or (len(filled) == k and c.top(2) > filled[-1]):
        return
    for i, r in enumerate(filled):
        low = ()
        if s <= c.last:
            if k == 2 and (i > 0 or covered[0]):
                continue
            if k == 3 and any(cross((s, r), arc) for arc in arcs):
                continue
            low = ((s, r),) if k == 3 else ()
        if any(cross((s, r), arc) for arc in c.low):
            continue
        if c.may_head(r, s) and not any(c.heads[x] == s and between(r, s, x) for x in filled):
            rest = c.stack[:-1] if s < r else c.stack
            yield f"REGISTER({i + 1},to-stack)", c.drawn(r, s, stack=rest, low=c.low + low)
        if c.may_head(s, r) and (c.heads[s] is None or not between(c.heads[s], s, r)):
            yield f"REGISTER({i + 1},to-register)", c.drawn(s, r, low=c.low + low)


def cleared(c, kept):
    last, end = max(kept), c.buffer[0] if c.buffer else len(c.heads)
    back = (last,) if last == end - 1 and last != c.registers[0] else ()
    stack = (*c.stack[:-1], *sorted(kept - set(back)))
    return c.but(stack=stack, buffer=back + c.buffer, registers=(), last=last, low=())


# The name: whether the root begins on the stack, the moves, and how many words may be left on the stack in the end.
SYSTEMS = {
    "arc-standard": (True, stack_moves, 1),
    "swap": (True, lambda c: stack_moves(c, True), 1),
    "hybrid": (True, hybrid_moves, 1),
    "arc-eager": (True, eager_moves, 99),
    "2-planar": (False, planes_moves, 99),
    "two-registers": (False, lambda c: register_moves(c, 2), 99),
    "three-registers": (False, lambda c: register_moves(c, 3), 99),
}


def is_final(c, most):
    return not c.buffer and not c.registers and len(c.stack) <= most


def arcs_of(heads):
    return [(head, word) for word, head in enumerate(heads, 1)]


def is_below(word, above, heads):
    return word == above or (word > 0 and is_below(heads[word - 1], above, heads))


def is_tree(heads):
    words = range(1, len(heads) + 1)
    for _ in heads:
        words = [heads[word - 1] if word else 0 for word in words]
    return not any(words)


def is_projective(heads):
    return all(is_below(x, h, heads) for h, w in arcs_of(heads) for x in range(min(h, w) + 1, max(h, w)))


def is_two_planar(heads):
    """Two colours will do for the arcs, where those that cross have different ones."""
    arcs, colour = arcs_of(heads), {}
    for arc in arcs:
        agenda = [arc] if arc not in colour else []
        colour.setdefault(arc, 0)
        while agenda:
            one = agenda.pop()
            for other in arcs:
                if cross(one, other):
                    if other not in colour:
                        colour[other] = 1 - colour[one]
                        agenda.append(other)
                    elif colour[other] == colour[one]:
                        return False
    return True


def is_crossing_interval(heads, k):
    """In each group of crossed arcs that hang together, k words touch them all, and all that leap over their head."""
    arcs = arcs_of(heads)
    groups = []
    for arc in sorted(tuple(sorted(a)) for a in arcs if any(cross(a, b) for b in arcs)):
        if groups and arc[0] <= groups[-1][1]:
            groups[-1] = [groups[-1][0], max(groups[-1][1], arc[1]), [*groups[-1][2], arc]]
        else:
            groups.append([*arc, [arc]])
    leaping = {h for h, w in arcs if h and between(heads[h - 1], h, w)}
    for first, last, inside in groups:
        words = range(first, last + 1)
        needed = leaping & set(words)
        sets = combinations(words, min(k, len(words)))
        if not any(needed <= set(some) and all(set(arc) & set(some) for arc in inside) for some in sets):
            return False
    return True


CLASSES = {
    "all": lambda heads: True,
    "projective": is_projective,
    "2-planar": is_two_planar,
    "2-crossing-interval": lambda heads: is_crossing_interval(heads, 2),
    "3-crossing-interval": lambda heads: is_crossing_interval(heads, 3),
}


def replay(system, heads, moves):
    root_on_stack, following, most = SYSTEMS[system]
    c = State(len(heads), root_on_stack)
    for move in moves:
        c = None if is_final(c, most) else dict(following(c)).get(move)
        if c is None:
            return f"{move} is not legal"
    return None if is_final(c, most) and c.heads[1:] == heads else "it ends elsewhere"


def derivable(system, n):
    """All trees that some derivation ends with."""
    root_on_stack, following, most = SYSTEMS[system]
    seen, agenda, found = set(), [State(n, root_on_stack)], set()
    while agenda:
        c = agenda.pop()
        if is_final(c, most):
            found.add(c.heads[1:])
        elif (key := tuple(sorted(c.__dict__.items()))) not in seen:
            seen.add(key)
            agenda += [after for _, after in following(c)]
    return {heads for heads in found if None not in heads}


def check(lines, explore):
    """Prints a line per block; returns how many are wrong."""
    wrong, n_lines = 0, iter(lines)
    if next(n_lines, "").strip() != "fastparse certificate 1":
        raise SystemExit("this is no certificate")
    for header in n_lines:
        system, n, kind, count, bound, *names = (int(x) if x.isdigit() else x for x in header.split())
        faults, given = [], set()
        for _ in range(count):
            digits, letters = next(n_lines).split()
            given.add(heads := tuple(map(int, digits)))
            fault = replay(system, heads, [names[ord(letter) - 97] for letter in letters])
            if fault or len(letters) > bound:
                faults.append(f"{heads}: {fault or 'longer than the bound'}")
        inside = {h for h in product(range(n + 1), repeat=n) if is_tree(h) and CLASSES[kind](h)}
        if given != inside:
            faults.append(f"{len(given - inside)} trees are not in the class, {len(inside - given)} are missing")
        if n <= explore and derivable(system, n) != inside:
            faults.append("other trees are derived")
        wrong += bool(faults)
        said = faults or ["complete and sound" if n <= explore else "complete"]
        print(f"{system}, {n} words: {count} trees {kind}, {said[0]}", flush=True)
    return wrong


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as certificate:
        sys.exit(check(certificate, int(sys.argv[3]) if "--explore" in sys.argv else 4) > 0)
