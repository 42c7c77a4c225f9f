"""Tree classes by their definitions: brute force, nothing clever, nothing shared with the package.

A tree is `heads`: heads[i - 1] is the head of word i, 0 the root. Arcs are (head, dependent).
"""

from itertools import combinations, pairwise, product


def all_trees(n):
    """Every tree of n words, as tuples of heads."""
    for heads in product(range(n + 1), repeat=n):
        if is_tree(heads):
            yield heads


def is_tree(heads):
    for word in range(1, len(heads) + 1):
        seen = set()
        while word != 0:
            if word in seen or not 1 <= word <= len(heads):
                return False
            seen.add(word)
            word = heads[word - 1]
    return True


def arcs(heads, root_arcs=True):
    return [(h, m) for m, h in enumerate(heads, 1) if root_arcs or h != 0]


def cross(e, f):
    (a, b), (c, d) = sorted(e), sorted(f)
    return a < c < b < d or c < a < d < b


def crossed_arcs(heads, root_arcs=True):
    """Those that cross another."""
    every = arcs(heads, root_arcs)
    return [e for e in every if any(cross(e, f) for f in every)]


def ancestors(heads, word):
    """The word, its head, the head's head, ..., 0."""
    found = [word]
    while word != 0:
        word = heads[word - 1]
        found.append(word)
    return found


def subtree(heads, word):
    return [v for v in range(len(heads) + 1) if word in ancestors(heads, v)]


def inside(e):
    return range(min(e) + 1, max(e))


def nonprojective_arcs(heads):
    return [(h, m) for h, m in arcs(heads) if any(h not in ancestors(heads, k) for k in inside((h, m)))]


def is_projective(heads):
    return not nonprojective_arcs(heads)


def is_planar(heads, root_arcs=False):
    return not crossed_arcs(heads, root_arcs)


def fewest_planes(heads, root_arcs=False):
    """Smallest k for which some assignment of k planes to the crossed arcs has no crossing within a plane."""
    crossed = crossed_arcs(heads, root_arcs)
    conflicts = [(i, j) for i, j in combinations(range(len(crossed)), 2) if cross(crossed[i], crossed[j])]
    k = 1
    while not _colourable(len(crossed), conflicts, k):
        k += 1
    return k


def _colourable(n, conflicts, k):
    earlier = [[i for i, j in conflicts if j == v] for v in range(n)]

    def extend(colours):
        v = len(colours)
        if v == n:
            return True
        allowed = set(range(k)) - {colours[u] for u in earlier[v]}
        return any(extend([*colours, c]) for c in allowed if c <= max(colours, default=-1) + 1)

    return extend([])


def crossing_intervals(heads):
    """[(left, right, crossed arcs)]: closed spans of crossed arcs, united as long as two share a point."""
    groups = [(min(e), max(e), [e]) for e in crossed_arcs(heads)]
    while True:
        for (a, b, e), (c, d, f) in combinations(groups, 2):
            if max(a, c) <= min(b, d):
                groups.remove((a, b, e))
                groups.remove((c, d, f))
                groups.append((min(a, c), max(b, d), e + f))
                break
        else:
            return sorted(groups)


def reaches_over_its_head(heads, word):
    """Whether the word has a child on the far side of its own head."""
    return word != 0 and any(heads[word - 1] in inside((h, m)) for h, m in arcs(heads) if h == word)


def explains(heads, interval, vertices):
    left, right, crossed = interval
    return all(set(e) & set(vertices) for e in crossed) and all(
        v in vertices for v in range(left, right + 1) if reaches_over_its_head(heads, v)
    )


def valid_pairs(heads, interval):
    left, right, _ = interval
    return [pair for pair in combinations(range(left, right + 1), 2) if explains(heads, interval, pair)]


def crossing_interval_degree(heads):
    """Smallest k so that every crossing interval is explained by k of its vertices."""
    intervals = crossing_intervals(heads)
    k = 0
    while not all(
        any(explains(heads, i, chosen) for chosen in combinations(range(i[0], i[1] + 1), min(k, i[1] - i[0] + 1)))
        for i in intervals
    ):
        k += 1
    return k


def is_one_endpoint_crossing(heads):
    every = arcs(heads)
    for e in every:
        crossing = [f for f in every if cross(e, f)]
        if crossing and not set.intersection(*(set(f) for f in crossing)):
            return False
    return True


def is_well_nested(heads):
    """No two disjoint subtrees interleave as u ... v ... u ... v."""
    subtrees = [set(subtree(heads, v)) for v in range(len(heads) + 1)]
    for s, t in combinations(subtrees, 2):
        if s & t:
            continue
        owners = ["s" if p in s else "t" for p in sorted(s | t)]
        if 1 + sum(a != b for a, b in pairwise(owners)) >= 4:
            return False
    return True


def gap_degree(heads):
    return max(
        sum(b - a > 1 for a, b in pairwise(words))
        for words in (sorted(subtree(heads, v)) for v in range(len(heads) + 1))
    )


def edge_degree(heads):
    """Most connected components strictly inside an arc whose root is not dominated by the arc's head."""
    return max((_pieces(heads, h, m) for h, m in arcs(heads)), default=0)


def _pieces(heads, head, dependent):
    span = inside((head, dependent))
    roots = [k for k in span if heads[k - 1] not in span]
    return sum(head not in ancestors(heads, k) for k in roots)


def has_covered_root(heads):
    words = arcs(heads, root_arcs=False)
    return any(h == 0 and any(m in inside(e) for e in words) for h, m in arcs(heads))
