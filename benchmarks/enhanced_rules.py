"""The rival of learnt graphs: the usual rules of enhancement, over the trees of a treebank.

    python benchmarks/enhanced_rules.py TREES.conllu -o OUT.conllu [--copy] [--gold GOLD.conllu]

The rules are those of the guidelines of Universal Dependencies: labels with the words that mark a dependent (case,
mark, cc), heads and subjects that conjuncts share, antecedents of relative pronouns, and subjects of xcomp. With --copy
the tree is all there is. With --gold the result is scored.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import fastparse

MARKED = {"nmod": ("case",), "obl": ("case",), "acl": ("mark", "case"), "advcl": ("mark", "case"), "conj": ("cc",)}
SUBJECTS = ("nsubj", "nsubj:pass", "csubj", "csubj:pass")
RELATIVE = {"which", "who", "that", "whom", "whose", "where", "when", "die", "dat", "wie", "wat", "který", "jenž", "co"}
CASED = ("cs", "sk", "ru", "uk")


class Tree:
    """A sentence, and what its rules ask."""

    def __init__(self, sentence: fastparse.Sentence, case: bool) -> None:
        self.words = list(sentence)
        self.case = case
        self.children: dict[int, list[int]] = defaultdict(list)
        for word in self.words:
            self.children[word.head].append(word.id)

    def label(self, word: int) -> str:
        return self.words[word - 1].deprel

    def base(self, word: int) -> str:
        return self.label(word).partition(":")[0]

    def text(self, word: int) -> str:
        fixed = [child for child in self.children[word] if self.base(child) == "fixed"]
        lemmas = [self.words[i - 1].lemma if self.words[i - 1].lemma != "_" else self.words[i - 1].form
                  for i in (word, *fixed)]  # fmt: skip
        return "_".join(lemmas).lower()

    def marks(self, word: int, kinds: tuple[str, ...]) -> str:
        for kind in kinds:
            found = [child for child in self.children[word] if self.base(child) == kind]
            if found:
                return self.text(found[0])
        return ""

    def enhanced(self, word: int, label: str, marked: int | None = None) -> str:
        """A label with the words that mark the dependent, or the first conjunct."""
        base = label.partition(":")[0]
        if base not in MARKED or label in ("acl:relcl", "nmod:poss", "obl:tmod", "obl:npmod", "nmod:tmod"):
            return label
        mark = self.marks(word, MARKED[base]) or (self.marks(marked, MARKED[base]) if marked else "")
        if base == "conj" and not mark:
            later = [w for w in self.children[self.words[word - 1].head] if w > word and self.base(w) == "conj"]
            mark = next((m for m in (self.marks(w, ("cc",)) for w in later) if m), "")
        parts = [label, mark]
        if self.case and base in ("nmod", "obl"):
            parts.append(next((f[5:].lower() for f in self.words[word - 1].feats.split("|") if f[:5] == "Case="), ""))
        return ":".join(filter(None, parts))

    def graph(self) -> set[tuple[int, int, str]]:
        arcs = {(w.head, w.id, self.enhanced(w.id, w.deprel)) for w in self.words}
        for w in self.words:
            if self.base(w.id) == "conj" and w.head:
                first = self.words[w.head - 1]
                if first.deprel != "root":
                    arcs.add((first.head, w.id, self.enhanced(w.id, first.deprel, first.id)))
                own = any(self.label(child) in SUBJECTS for child in self.children[w.id])
                if not own and w.upos in ("VERB", "ADJ", "NOUN", "AUX") and first.upos in ("VERB", "AUX", w.upos):
                    arcs |= {(w.id, s, self.label(s)) for s in self.children[first.id] if self.label(s) in SUBJECTS}
            if w.deprel == "acl:relcl" and w.head:
                for child in self.children[w.id]:
                    one = self.words[child - 1]
                    if one.lemma.lower() in RELATIVE or "PronType=Rel" in one.feats:
                        arcs.discard((w.id, child, self.enhanced(child, one.deprel)))
                        arcs |= {(w.head, child, "ref"), (w.id, w.head, self.enhanced(child, one.deprel))}
                        break
            if w.deprel == "xcomp" and w.head:
                siblings = self.children[w.head]
                found = [s for s in siblings if self.base(s) in ("obj", "iobj")]
                found = found or [s for s in siblings if self.label(s) in SUBJECTS]
                arcs |= {(w.id, s, "nsubj:xsubj") for s in found[:1]}
        return {arc for arc in arcs if arc[0] != arc[1]}


def enhanced(treebank: fastparse.Treebank, copy: bool = False, case: bool = False) -> fastparse.Treebank:
    """The treebank with DEPS by rules."""
    cells: list[str] = []
    for sentence in treebank:
        tree = Tree(sentence, case)
        of: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for head, word, label in {(w.head, w.id, w.deprel) for w in tree.words} if copy else tree.graph():
            of[word].append((head, label))
        cells += ["|".join(f"{head}:{label}" for head, label in sorted(of[w.id])) or "_" for w in tree.words]
    number: dict[str, int] = {}
    ids = [number.setdefault(cell, len(number)) for cell in cells]
    return treebank.with_columns(deps=(ids, list(number)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees")
    parser.add_argument("-o", "--output")
    parser.add_argument("--gold")
    parser.add_argument("--copy", action="store_true", help="the tree, and nothing else")
    parser.add_argument("--case", action="store_true", help="labels end with the feature Case, as in Czech")
    args = parser.parse_args()
    found = enhanced(fastparse.read_conllu(args.trees), args.copy, args.case)
    if args.output:
        found.write(args.output)
    if args.gold:
        scores = fastparse.evaluate(args.gold, found)
        print(f"LAS {scores.las:.2f}  ELAS {scores.elas:.2f}  EULAS {scores.eulas:.2f}  arcs {scores.graph_arcs:.2f}")


if __name__ == "__main__":
    main()
