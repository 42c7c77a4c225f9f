"""Scores computed word by word from their definitions."""

import unicodedata

CONTENT = {
    "acl", "advcl", "advmod", "amod", "appos", "ccomp", "compound", "conj", "csubj", "dep", "discourse",
    "dislocated", "expl", "fixed", "flat", "goeswith", "iobj", "list", "nmod", "nsubj", "nummod", "obj", "obl",
    "orphan", "parataxis", "reparandum", "root", "vocative", "xcomp",
}  # fmt: skip


def counts(form, convention):
    if convention != "conllx":
        return True
    return not all(unicodedata.category(character).startswith("P") for character in form)


def compared(label, convention):
    return label.split(":")[0] if convention == "ud" else label


def words(gold, parse, convention):
    """(sentence, word, gold tree, parsed tree) of every word that counts."""
    for number, (tree, other) in enumerate(zip(gold, parse, strict=True)):
        for word in range(1, len(tree.forms) + 1):
            if counts(tree.forms[word - 1], convention):
                yield number, word, tree, other


def right_head(word, tree, other):
    return tree.heads[word - 1] == other.heads[word - 1]


def right_label(word, tree, other, convention):
    return compared(tree.labels[word - 1], convention) == compared(other.labels[word - 1], convention)


def share(values):
    values = list(values)
    return 100 * sum(values) / len(values) if values else 0.0


def scores(gold, parse, convention):
    """uas, las, la, clas, exact, exact_labelled."""
    heads, labels, both, gold_content, parse_content, right_content = [], [], [], 0, 0, 0
    bad, bad_labelled = set(), set()
    for number, word, tree, other in words(gold, parse, convention):
        head, label = right_head(word, tree, other), right_label(word, tree, other, convention)
        heads.append(head)
        labels.append(label)
        both.append(head and label)
        if tree.labels[word - 1].split(":")[0] in CONTENT:
            gold_content += 1
            right_content += head and label
        parse_content += other.labels[word - 1].split(":")[0] in CONTENT
        if not head:
            bad.add(number)
        if not (head and label):
            bad_labelled.add(number)
    content = gold_content + parse_content
    return {
        "uas": share(heads),
        "las": share(both),
        "la": share(labels),
        "clas": 200 * right_content / content if content else 0.0,
        "exact": share(number not in bad for number in range(len(gold))),
        "exact_labelled": share(number not in bad_labelled for number in range(len(gold))),
        "words": len(heads),
        "n_sentences": len(gold),
        "convention": convention,
    }


def crossed(tree):
    """Words whose arc crosses another arc of the tree."""
    arcs = {word: sorted((head, word)) for word, head in enumerate(tree.heads, 1) if head >= 0}
    return {word for word, (a, b) in arcs.items() if any(a < c < b < d or c < a < d < b for c, d in arcs.values())}


def nonprojective(tree):
    """Words whose arc spans a word that is not below its head."""
    found = set()
    for word, head in enumerate(tree.heads, 1):
        if head <= 0:  # the root is above every word
            continue
        below = {head}
        while True:
            more = {child for child, parent in enumerate(tree.heads, 1) if parent in below} | below
            if more == below:
                break
            below = more
        if not set(range(min(head, word) + 1, max(head, word))) <= below:
            found.add(word)
    return found


def group(gold, parse, convention, key):
    """For each group: words, la, uas, las, predicted words, precision; `key(tree, word)` names a word's groups."""
    members, predictions = {}, {}
    for _, word, tree, other in words(gold, parse, convention):
        head, label = right_head(word, tree, other), right_label(word, tree, other, convention)
        for name in key(tree, word):
            members.setdefault(name, []).append((label, head, head and label))
        for name in key(other, word):
            predictions.setdefault(name, []).append(head and label)
    rows = {}
    for name in members.keys() | predictions.keys():
        inside, outside = members.get(name, []), predictions.get(name, [])
        shares = [share(column) for column in zip(*inside, strict=True)] if inside else [None] * 3
        rows[name] = (len(inside), *shares, len(outside), share(outside) if outside else None)
    return rows


def visible(form):
    """A form without its spaces."""
    return "".join(character for character in form if unicodedata.category(character) != "Zs")


def spans(sentences):
    """(start, end, word, is multiword) of all words, in characters; words have .form."""
    at, found = 0, []
    for sentence in sentences:
        for token in sentence.tokens:
            end = at + len(visible(token.form))
            found += [(at, end, word, token.multiword) for word in token.words]
            at = end
    return found


def multiword_spans(*sides):
    """The smallest spans that hold multiword tokens of either side whole."""
    merged = []
    for start, end in sorted({(start, end) for side in sides for start, end, _, multiword in side if multiword}):
        if merged and start < merged[-1][1]:
            merged[-1][1] = max(end, merged[-1][1])
        else:
            merged.append([start, end])
    return merged


def key(entry):
    _, _, word, multiword = entry
    return (word.form if multiword else visible(word.form)).lower()


def longest_common(gold, other):
    """Places of the longest common subsequence of two lists."""
    if not gold or not other:
        return []
    if key(gold[0]) == key(other[0]):
        return [(0, 0), *((g + 1, o + 1) for g, o in longest_common(gold[1:], other[1:]))]
    without_gold = [(g + 1, o) for g, o in longest_common(gold[1:], other)]
    without_other = [(g, o + 1) for g, o in longest_common(gold, other[1:])]
    return without_gold if len(without_gold) >= len(without_other) else without_other


def same_words(gold_sentences, other_sentences):
    """Pairs of places of the words that are the same, by the definition."""
    gold, other = spans(gold_sentences), spans(other_sentences)
    inside, pairs = multiword_spans(gold, other), []
    for start, end in inside:
        places = [[i for i, (a, b, *_) in enumerate(side) if start <= a and b <= end] for side in (gold, other)]
        chosen = longest_common([gold[i] for i in places[0]], [other[i] for i in places[1]])
        pairs += [(places[0][g], places[1][o]) for g, o in chosen]
    by_span = {(start, end): place for place, (start, end, *_) in enumerate(other)}
    for place, (start, end, *_) in enumerate(gold):
        if (start, end) in by_span and not any(start < last and first < end for first, last in inside):
            pairs.append((place, by_span[start, end]))
    return sorted(pairs)


def task_counts(gold, other):
    """(right, gold, predicted) of each measure of the shared task."""
    words = [[word for sentence in side for word in sentence.words] for side in (gold, other)]
    pairs = same_words(gold, other)
    same = {id(words[1][o]): words[0][g] for g, o in pairs}
    parents = {}
    for side in (gold, other):
        for sentence in side:
            for word in sentence.words:
                parents[id(word)] = sentence.words[word.head - 1] if word.head else None

    def label(word):
        return word.label.split(":")[0]

    def feats(word):
        return sorted(feat for feat in word.feats.split("|") if feat.split("=")[0] in ("Case", "Number"))

    def right_head(g, o):
        above, other_above = parents[id(g)], parents[id(o)]
        if above is None or other_above is None:
            return above is other_above
        return same.get(id(other_above)) is above

    def right(g, o):
        return right_head(g, o) and label(g) == label(o)

    def below(word, side):
        found = [w for w in side if parents[id(w)] is word and label(w) in ("aux", "cop", "mark", "det", "case", "cc")]
        return found

    def same_below(g, o):
        ours, theirs = below(g, words[0]), below(o, words[1])
        return len(ours) == len(theirs) and all(
            same.get(id(b)) is a and label(a) == label(b) and a.upos == b.upos and feats(a) == feats(b)
            for a, b in zip(ours, theirs, strict=True)
        )

    def lemma(g, o):
        return g.lemma in ("_", o.lemma)

    def tags(g, o):
        return g.upos == o.upos and feats(g) == feats(o)

    def count(test, content=False):
        chosen = [(words[0][g], words[1][o]) for g, o in pairs]
        sizes = [[word for word in side if not content or label(word) in CONTENT] for side in words]
        return (sum(test(g, o) and (not content or label(g) in CONTENT) for g, o in chosen), *map(len, sizes))

    return {
        "word_f1": count(lambda g, o: True),
        "upos": count(lambda g, o: g.upos == o.upos),
        "xpos": count(lambda g, o: g.xpos == o.xpos),
        "feats": count(lambda g, o: feats(g) == feats(o)),
        "all_tags": count(lambda g, o: tags(g, o) and g.xpos == o.xpos),
        "lemmas": count(lemma),
        "uas": count(right_head),
        "las": count(right),
        "clas": count(right, True),
        "mlas": count(lambda g, o: right(g, o) and tags(g, o) and same_below(g, o), True),
        "blex": count(lambda g, o: right(g, o) and lemma(g, o), True),
    }
