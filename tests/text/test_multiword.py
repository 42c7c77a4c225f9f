"""Rules of multiword tokens: found from examples, applied with the case of the token."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from fastparse.corpus.surface import surface
from fastparse.text.learning import rule_for
from fastparse.text.tokenizer import Tokenizer
from tests.text.toy import rows

EXAMPLES = {
    "don't": ("do", "n't"), "isn't": ("is", "n't"), "won't": ("wo", "n't"), "hasn't": ("has", "n't"),
    "didn't": ("did", "n't"), "im": ("in", "dem"), "do": ("de", "o"), "abychom": ("aby", "bychom"), "στο": ("σ", "το"),
    "à": ("a", "a"), "dámelo": ("da", "me", "lo"), "zum": ("zu", "dem"),
}  # fmt: skip


@cache
def tokenizer() -> Tokenizer:
    lines = []
    for form, words in EXAMPLES.items():
        for other in ("boat", "tree", "house", "stone") * 2:
            lines += [f"1\t{other}\t_\tX\t_\t_\t0\troot\t_\t_", f"2-{1 + len(words)}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_"]
            lines += [f"{i}\t{word}\t_\tX\t_\t_\t1\tdep\t_\t_" for i, word in enumerate(words, 2)]
            lines += [f"{2 + len(words)}\t.\t_\tX\t_\t_\t1\tdep\t_\t_", ""]
    lines += rows([("plain", " "), ("words", " "), (".", " ")])
    return Tokenizer.train("\n".join(lines).encode(), passes=3, variants=0)


def words_of(text: str) -> tuple[str, ...]:
    ((_, tokens),) = surface(tokenizer().tokenize(text, input="lines"))
    return tokens[0].words


@pytest.mark.parametrize(("form", "words"), EXAMPLES.items())
def test_examples_come_back(form: str, words: tuple[str, ...]):
    assert words_of(form) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't", ("Do", "n't")), ("DON'T", ("DO", "N'T")), ("don’t", ("do", "n’t")), ("Im", ("In", "dem")),
        ("IM", ("IN", "DEM")), ("Do", ("De", "o")), ("À", ("A", "a")), ("Zum", ("Zu", "dem")),
        ("couldn't", ("could", "n't")), ("plain", ()), ("boat", ()), ("n't", ()), ("unseen", ()),
    ],
)  # fmt: skip
def test_case_quotes_and_endings(text: str, words: tuple[str, ...]):
    assert words_of(text) == words


@pytest.mark.parametrize("words", [("one",), (), ("a", ""), ("x",) * 17, ("a", "b" * 70)])
def test_no_rule(words: tuple[str, ...]):
    assert rule_for("form", words) is None


def told_by(cue: str, count: int, seed: int) -> list[tuple[tuple[str, str, str], bool]]:
    """Three words each, the second of random letters and one ending: a cue says whether it stands for two words."""
    random, found = Random(seed), []
    for k in range(count):
        two = k % 2 == 0
        size = random.choice((3, 4) if two else (8, 9)) if cue == "length" else 6
        begin = ("q" if two else "z") if cue == "beginning" else ""
        form = begin + "".join(random.choices("bcdfghklm", k=size - len(begin))) + "ao"
        before = ("we" if two else "you") if cue == "before" else "they"
        after = ("see" if two else "hear") if cue == "after" else "have"
        found.append(((before, form, after), two))
    return found


@pytest.mark.parametrize("cue", ["length", "beginning", "before", "after"])
def test_unseen_tokens_of_one_ending_are_told_apart(cue: str):
    lines = []
    for words, two in told_by(cue, 300, 1):
        parts = [words[1][:-1], "o"] if two else [words[1]]
        lines.append(f"1\t{words[0]}\t_\tX\t_\t_\t0\troot\t_\t_")
        if two:
            lines.append(f"2-3\t{words[1]}\t_\t_\t_\t_\t_\t_\t_\t_")
        lines += [f"{i}\t{word}\t_\tX\t_\t_\t1\tdep\t_\t_" for i, word in enumerate([*parts, words[2]], 2)]
        lines.append("")
    learnt = Tokenizer.train("\n".join(lines).encode(), passes=5, variants=0)
    right = 0
    for words, two in told_by(cue, 100, 2):
        ((_, tokens),) = surface(learnt.tokenize(" ".join(words), input="lines"))
        right += bool(tokens[1].words) == two
    assert right >= 95
