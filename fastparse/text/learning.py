"""Learning a tokenizer from a treebank."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

import numpy as np

from fastparse.corpus.surface import SurfaceSentence, SurfaceToken
from fastparse.errors import Error
from fastparse.text.cases import DECISIONS, Cases, averages, learn, shuffle
from fastparse.text.decisions import WeightTable, form_key, suffix_key
from fastparse.text.engine import FIRST_END_FEATURES, KINDS, LONGEST_ENDING, RULE_END, RULE_WORDS, SHAPES, Engine
from fastparse.text.units import Characters
from fastparse.text.variants import MarkedText, marked, paragraphs, spaces_alone, varied

__all__ = ["Dictionary", "EngineLearner", "lexicon_arrays", "rule_for"]

JOIN, SPLIT, ASK = range(3)
SCALE = 64  # of averaged weights, before they are rounded
MARGIN = {"gap": 30, "end": 8, "words": 8}  # a case is learnt from unless its sum is further from wrong than this
SMALLEST = {"gap": 1, "end": 40, "words": 1}  # weight that is kept
LEAST = {"gap": 0.5, "end": 1.5, "words": 0.5}  # features of fewer cases for each copy of the text are left out
LARGE = 10000  # sentences of a treebank that learns the rare features of ends of sentences, too
RUNS = 2  # perceptrons whose weights are averaged, each with cases in another order
RARE = 2  # forms that do not occur more often are treated as unknown while words are learnt


class EngineLearner:
    """Learns an engine, pass by pass over the cases of its decisions.

    Attributes:
        sizes: cases of each decision and run, which are learnt one after the other in each pass.
    """

    def __init__(self, sentences: list[SurfaceSentence], passes: int = 10, seed: int = 1, variants: int = 2) -> None:
        """See `Tokenizer.train`."""
        if not sentences:
            raise Error("no sentences to learn a tokenizer from: give a treebank that has some")
        self._passes, self._done = passes, 0
        self._characters = characters = Characters.of_unicode()
        texts = list(paragraphs(sentences))
        random = Random(seed)
        flat = [spaces_alone(paragraph) for paragraph in texts]
        plain = variants // 2  # the more variants, the more often the text as it is, lest it be outweighed
        corpora = [marked(texts), *[marked(flat)] * plain]
        corpora += [marked(varied(flat, random)) for _ in range(variants)]
        empty = WeightTable(np.zeros(1, np.uint64), 0)
        no_words = lexicon_arrays({}, {})
        ask = np.full(KINDS * KINDS, ASK, np.uint8)
        first = Engine(characters, ask, ask, np.full(SHAPES * SHAPES * 2, ASK, np.uint8), (empty,) * 3, no_words, 0)
        self._certain = gaps, spaces, ends = certain_tables(first, corpora)
        dictionary = Dictionary(characters, (token for sentence in sentences for token in sentence.tokens))
        suffixes = dictionary.suffixes()
        learning = lexicon_arrays(dictionary.entries(RARE, suffixes), suffixes)
        self._lexicon = lexicon_arrays(dictionary.entries(0, suffixes), suffixes)
        second = Engine(characters, gaps, spaces, ends, (empty,) * 3, learning, 0)
        cases = Cases()
        for corpus in corpora:
            second.record(corpus.text, corpus.marks, cases)
        least = {**LEAST, "end": 0.0} if len(sentences) > LARGE else LEAST
        self._cases = {name: common(*cases.arrays(name), least[name] * len(corpora)) for name in DECISIONS}
        self._runs = [_Run(name, *self._cases[name], seed + run) for name in DECISIONS for run in range(RUNS)]
        self.sizes = np.array([len(run.answers) for run in self._runs])

    @property
    def clock(self) -> int:
        """Passes that have been learnt."""
        return self._done

    @clock.setter
    def clock(self, now: int) -> None:
        if not 0 <= now <= self._passes:
            raise ValueError(f"{now} passes of {self._passes}")
        for run in self._runs:
            run.shuffle(now - self._done)
        self._done = now

    def pieces(self, number: int) -> list[np.ndarray[Any, Any]]:
        return [np.array([run]) for run in range(len(self._runs))]

    def learn(self, order: np.ndarray[Any, Any], iteration: int, at: int) -> None:
        for run in order.tolist():
            self._runs[run].learn(iteration)
        if at + len(order) == len(self._runs):
            self._done = iteration

    def state(self) -> dict[str, np.ndarray[Any, Any]]:
        return {
            f"{number}.{name}": array.copy()
            for number, run in enumerate(self._runs)
            for name, array in (("weights", run.weights), ("drift", run.drift))
        }

    def restore(self, state: Mapping[str, np.ndarray[Any, Any]]) -> None:
        for number, run in enumerate(self._runs):
            for name, array in (("weights", run.weights), ("drift", run.drift)):
                found = state[f"{number}.{name}"]
                if found.shape != array.shape or found.dtype != array.dtype:
                    raise ValueError(f"the {name} of the tokenizer have another shape")
                array[:] = found

    def engine(self) -> Engine:
        """What has been learnt."""
        tables = []
        least = 0
        for place, name in enumerate(DECISIONS):
            rows, answers, keys = self._cases[name]
            if len(answers):
                sums = sum(run.averages(self._done) for run in self._runs[place * RUNS : (place + 1) * RUNS])
                scaled = np.rint(sums * (SCALE / RUNS)).astype(np.int64)
                weights, bias = scaled[:-1], int(scaled[-1])
                weights[-1] = 0
            else:
                weights, bias = np.zeros(len(keys) + 1, np.int64), -1
            if name == "end":
                least = least_sum(rows, weights, bias)
            kept = np.flatnonzero(np.abs(weights[: len(keys)]) >= SMALLEST[name])
            tables.append(WeightTable.build(keys[kept], weights[kept], bias))
        return Engine(self._characters, *self._certain, tuple(tables), self._lexicon, least)


class _Run:
    """A perceptron of one decision."""

    def __init__(self, name: str, rows: Any, answers: Any, keys: Any, seed: int) -> None:
        self.rows, self.answers, self._margin = rows, answers, MARGIN[name]
        self.weights, self.drift = np.zeros(len(keys) + 2, np.int32), np.zeros(len(keys) + 2, np.int64)
        self._order = np.arange(len(answers), dtype=np.int64)
        self._random = np.array([seed * 2 + 1], np.uint64)

    def shuffle(self, passes: int) -> None:
        for _ in range(passes):
            shuffle(self._order, self._random)

    def learn(self, number: int) -> None:
        """A pass, from 1."""
        self.shuffle(1)
        if len(self.answers):
            clock = 1 + (number - 1) * len(self.answers)
            learn(self.rows, self.answers, self._order, self.weights, self.drift, clock, self._margin)

    def averages(self, passes: int) -> Any:
        return averages(self.weights, self.drift, 1 + passes * len(self.answers))


def common(rows: Any, answers: Any, keys: Any, least: float) -> tuple[Any, Any, Any]:
    """Cases whose features are numbered anew: those of fewer cases than `least` share the number after the last."""
    counts = np.bincount(rows.reshape(-1), minlength=len(keys))
    kept = counts >= least
    numbers = np.full(len(keys), kept.sum(), np.int32)
    numbers[kept] = np.arange(kept.sum(), dtype=np.int32)
    return numbers[rows], answers, keys[kept]


def certain_tables(engine: Engine, corpora: list[MarkedText]) -> tuple[Any, Any, Any]:
    """Which gaps and ends are certain: those that have been seen often, and hardly ever otherwise."""
    gaps: Any = 0
    spaces: Any = 0
    ends: Any = 0
    for corpus in corpora:
        found = engine.count(corpus.text, corpus.marks)
        gaps, spaces, ends = gaps + found[0], spaces + found[1], ends + found[2]
    joined, split = gaps[..., 0], gaps[..., 1]
    total = joined + split
    gap_states = np.full(total.shape, ASK, np.uint8)
    gap_states[(total >= 30) & (split * 1000 <= total)] = JOIN
    gap_states[(total >= 30) & (joined * 1000 <= total)] = SPLIT
    joined, split = spaces[..., 0], spaces[..., 1]
    space_states = np.where(joined * 1000 > joined + split, ASK, SPLIT).astype(np.uint8)
    on, ended = ends[..., 0], ends[..., 1]
    end_states = np.where((on + ended >= 30) & (ended * 2000 < on), JOIN, ASK).astype(np.uint8)
    return gap_states.reshape(-1), space_states.reshape(-1), end_states.reshape(-1)


def least_sum(rows: Any, weights: Any, bias: int) -> int:
    """A sum that the first features of every recorded end of a sentence exceed."""
    least = 1 << 20
    for part in range(0, len(rows), 1 << 16):
        found = weights[rows[part : part + (1 << 16)]]
        first = found[:, :FIRST_END_FEATURES].sum(axis=1) + bias
        ends = first[first + found[:, FIRST_END_FEATURES:].sum(axis=1) > 0]
        least = min(least, int(ends.min(initial=least)))
    return least - 1


# Which tokens are multiword tokens, and by which rules they are taken apart.

Rule = tuple[tuple[int, int, str], ...]  # of each word: from, to, what follows; `to` is RULE_END for the end
Lexicon = tuple[Any, Any, Any, Any, int, int]

SELDOM = 0.35  # a form that is a multiword token in a smaller part of its cases is taken for a word
RARE_ENDING = 0.3  # the same of words with an ending
IS_TOKEN, IS_WORDS, MAY_BE_WORDS = range(3)


def rule_for(form: str, words: tuple[str, ...]) -> Rule | None:
    """The rule that makes these words of this form, both folded; None if there is none that can be stored.

    The first word is a beginning of the form and an ending of its own; the others are ends of the form, or words of
    their own.
    """
    n = len(form)
    if not 2 <= len(words) <= RULE_WORDS or n > 100 or not all(words):
        return None
    rule: list[tuple[int, int, str]] = []
    if "".join(words) == form:
        at = 0
        for i, word in enumerate(words):
            rule.append((at - n if i else 0, at + len(word) - n if i < len(words) - 1 else RULE_END, ""))
            at += len(word)
        return tuple(rule)
    shared = 0
    while shared < min(n, len(words[0])) and form[shared] == words[0][shared]:
        shared += 1
    rule.append((0, shared - n, words[0][shared:]) if shared < n else (0, RULE_END, words[0][shared:]))
    for i, word in enumerate(words[1:], 2):
        whole = i == len(words) and len(word) < n and form.endswith(word) and len(word) > 1
        rule.append((-len(word), RULE_END, "") if whole else (0, 0, word))
    if any(len(literal.encode()) > 60 for _, _, literal in rule):
        return None
    return tuple(rule)


class Dictionary:
    """Counts of forms and how they are taken apart, from the tokens of a treebank."""

    def __init__(self, characters: Characters, tokens: Iterable[SurfaceToken]) -> None:
        self.forms: dict[str, Counter[Rule | None]] = defaultdict(Counter)
        folded: dict[str, str] = {}
        for token in tokens:
            form = folded.get(token.text)
            if form is None:
                form = folded[token.text] = characters.fold(token.text)
            rule = rule_for(form, tuple(characters.fold(word) for word in token.words)) if token.words else None
            self.forms[form][rule] += 1

    def suffixes(self) -> dict[str, tuple[Rule, int]]:
        """Endings of words with a rule and whether it always applies; for words that are not in the dictionary."""
        rules: dict[str, Counter[Rule | None]] = defaultdict(Counter)
        for form, counts in self.forms.items():
            rule = max(counts, key=lambda rule: (counts[rule], rule is None, str(rule)))
            for size in range(1, min(LONGEST_ENDING, len(form) - 1) + 1):
                rules[form[-size:]][rule] += 1
        chosen = {}
        for suffix, counts in rules.items():
            total = sum(counts.values())
            found = [rule for rule in counts if rule is not None and _fits(rule, len(suffix))]
            if not found:
                continue
            best = max(found, key=lambda rule: (counts[rule], str(rule)))
            if counts[best] < 2 or counts[best] < RARE_ENDING * total:
                continue
            always = counts[best] == total and total >= 5
            chosen[suffix] = (best, IS_WORDS if always else MAY_BE_WORDS)
        return chosen

    def entries(self, rare: int, suffixes: dict[str, tuple[Rule, int]]) -> dict[str, tuple[Rule | None, int]]:
        """What is known of forms; those that do not occur more often than `rare` are left to their endings."""
        chosen: dict[str, tuple[Rule | None, int]] = {}
        for form, counts in self.forms.items():
            total = sum(counts.values())
            found = [rule for rule in counts if rule is not None]
            ends = any(form[-size:] in suffixes for size in range(1, min(LONGEST_ENDING, len(form) - 1) + 1))
            if total <= rare and (ends or not found):
                continue
            if not found:
                if ends:
                    chosen[form] = (None, IS_TOKEN)
                continue
            best = max(found, key=lambda rule: (counts[rule], str(rule)))
            share = sum(counts[rule] for rule in found) / total
            if share < SELDOM:
                chosen[form] = (None, IS_TOKEN)
            else:
                chosen[form] = (best, IS_WORDS if share > 0.98 else MAY_BE_WORDS)
        return chosen


def _fits(rule: Rule, size: int) -> bool:
    """Whether a rule looks at no more characters from the end than a suffix has, and needs no whole form."""
    places = [place for begin, end, _ in rule for place in (begin, end) if place != RULE_END]
    return min(places) < 0 and -min(places) <= size and all(place <= 0 for place in places)


def lexicon_arrays(entries: dict[str, tuple[Rule | None, int]], suffixes: dict[str, tuple[Rule, int]]) -> Lexicon:
    """The arrays of the compiled lexicon: keys, values, rules, starts, the longest suffix, and
    the last characters of suffixes as bits."""
    numbers: dict[Rule, int] = {}
    values: dict[int, int] = {}
    for key_of, table in ((form_key, entries), (suffix_key, suffixes)):
        for text, (rule, state) in sorted(table.items()):
            number = 0 if rule is None else numbers.setdefault(rule, len(numbers))
            values.setdefault(key_of(text), number << 2 | state)
    size = 1
    while size < 2 * len(values) + 2:
        size *= 2
    keys, slots = np.zeros(size, np.uint64), np.zeros(size, np.int32)
    for key, value in values.items():
        at = (key >> 1) & (size - 1)
        while keys[at]:
            at = (at + 1) & (size - 1)
        keys[at], slots[at] = key, value
    encoded = [_encoded(rule) for rule in numbers]
    starts = np.zeros(len(encoded) + 1, np.int32)
    np.cumsum([len(rule) for rule in encoded], out=starts[1:])
    longest = max(map(len, suffixes), default=0)
    last = 0
    for suffix in suffixes:
        last |= 1 << (ord(suffix[-1]) & 63)
    return keys, slots, np.frombuffer(b"".join(encoded), np.uint8), starts, longest, last


def _encoded(rule: Rule) -> bytes:
    pieces = [bytes([len(rule)])]
    for begin, end, literal in rule:
        pieces.append(bytes([begin & 255, end & 255]))
        for variant in (literal, literal[:1].upper() + literal[1:], literal.upper()):
            data = variant.encode()
            pieces.append(bytes([len(data)]) + data)
    return b"".join(pieces)
