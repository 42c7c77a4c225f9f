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
        "sentences": len(gold),
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
