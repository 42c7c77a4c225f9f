"""Treebanks made in memory, CoNLL-U text for them, and parses that are wrong here and there."""

import os
import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from fastparse import Treebank

TREEBANKS = Path(os.environ.get("FASTPARSE_TREEBANKS", Path(__file__).parents[3] / "shared" / "data"))


@dataclass
class Tree:
    forms: list[str]
    heads: list[int]
    labels: list[str]


def beginning_of(language, sentences, folder):
    """A file with the first sentences of the development set of a language, or with all of them (None)."""
    source = TREEBANKS / language / "dev.conllu"
    if not source.is_file():
        pytest.skip(f"no {source}")
    if sentences is None:
        return source
    path = folder / source.name
    path.write_text("\n\n".join(source.read_text(encoding="utf-8").split("\n\n")[:sentences]) + "\n\n", "utf-8")
    return path


def treebank_of(trees):
    """Trees as a treebank."""
    return Treebank.from_columns(
        forms=[tree.forms for tree in trees],
        heads=[tree.heads for tree in trees],
        deprels=[tree.labels for tree in trees],
        sent_ids=[f"s{number}" for number in range(1, len(trees) + 1)],
    )


def conllu(trees):
    """Trees as CoNLL-U."""
    blocks = []
    for number, tree in enumerate(trees, 1):
        lines = [f"# sent_id = s{number}"]
        for word, (form, head, label) in enumerate(zip(tree.forms, tree.heads, tree.labels, strict=True), 1):
            lines.append(f"{word}\t{form}\t_\tX\t_\t_\t{head}\t{label}\t_\t_")
        blocks.append("\n".join(lines) + "\n\n")
    return "".join(blocks)


def trees_of(path):
    """The trees of a CoNLL-U file: words only."""
    trees, tree = [], Tree([], [], [])
    for line in path.read_text(encoding="utf-8").split("\n"):
        columns = line.split("\t")
        if len(columns) == 10 and columns[0].isdigit():
            tree.forms.append(columns[1])
            tree.heads.append(int(columns[6]))
            tree.labels.append(columns[7])
        elif not line.strip() and tree.forms:
            trees.append(tree)
            tree = Tree([], [], [])
    return trees


def random_tree(rng, n, forms, labels):
    """A tree with one child of the root."""
    order = rng.sample(range(1, n + 1), n)
    heads = [0] * n
    for place, word in enumerate(order[1:], 1):
        heads[word - 1] = rng.choice(order[:place])
    chosen = ["root" if head == 0 else rng.choice(labels) for head in heads]
    return Tree([rng.choice(forms) for _ in range(n)], heads, chosen)


def perturbed(tree, rng, rate, labels):
    """The tree with about `rate` of its heads and labels changed; still a tree with one child of the root."""
    n, heads, chosen = len(tree.forms), list(tree.heads), list(tree.labels)
    for word in range(1, n + 1):
        if heads[word - 1] != 0 and rng.random() < rate:
            head = rng.randint(1, n)
            if head != word and not _above(heads, word, head):
                heads[word - 1] = head
        if rng.random() < rate:
            chosen[word - 1] = rng.choice(labels)
    if n > 1 and rng.random() < rate:
        root, other = heads.index(0) + 1, rng.randint(1, n)
        if other != root:
            heads[other - 1], heads[root - 1] = 0, other
            for word in _cycle(heads, root):
                heads[word - 1] = other if word != other else 0
    return Tree(tree.forms, heads, chosen)


def _above(heads, word, start):
    """Whether `word` is `start` or above it."""
    while start not in (0, word):
        start = heads[start - 1]
    return start == word


def _cycle(heads, start):
    seen, word = set(), start
    while word != 0 and word not in seen:
        seen.add(word)
        word = heads[word - 1]
    return seen if word != 0 else set()


def random_trees(seed, count=40, longest=25):
    """A gold treebank and a function that makes parses of it."""
    rng = random.Random(seed)
    forms = ["a", "b", "Wort", ",", ".", "...", "«", "$", "+", "a.", "-", "don't", "、"]
    labels = ["nsubj", "nsubj:pass", "obj", "punct", "case", "acl:relcl", "acl", "conj", "root", "dep"]
    return [random_tree(rng, rng.randint(1, longest), forms, labels) for _ in range(count)], labels


def parse_of(trees, seed, rate=0.2, labels=("nsubj", "punct", "obl", "obl:tmod")):
    rng = random.Random(seed)
    return [perturbed(tree, rng, rate, list(labels)) for tree in trees]
