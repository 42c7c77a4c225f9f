"""Scripts without spaces between words, as Chinese, Japanese and Thai have them, learnt as any other text."""

from __future__ import annotations

import random

import fastparse

LETTERS = [chr(code) for code in range(0x4E00, 0x4E00 + 300)]


def made_treebank(seed: int, sentences: int) -> bytes:
    """Sentences of words of one to three letters, the frequent ones short, that end with a mark and have no space."""
    words = random.Random(1)
    lexicon = sorted({"".join(words.choices(LETTERS, k=words.choice((1, 1, 2, 2, 2, 3)))) for _ in range(400)})
    weights = [1 / (rank + 3) for rank in range(len(lexicon))]
    chance = random.Random(seed)
    lines = []
    for number in range(sentences):
        forms = [*chance.choices(lexicon, weights, k=chance.randint(4, 12)), "。"]
        lines += [f"# sent_id = {number}", f"# text = {''.join(forms)}"]
        for i, form in enumerate(forms, 1):
            lines.append(f"{i}\t{form}\t_\t_\t_\t_\t{i - 1}\t{'root' if i == 1 else 'dep'}\t_\tSpaceAfter=No")
        lines.append("")
    return ("\n".join(lines) + "\n").encode()


def test_words_and_sentences_are_found():
    parser = fastparse.train(fastparse.read_conllu(made_treebank(2, 600)), components=("tokenizer",))
    dev = fastparse.read_conllu(made_treebank(3, 100))
    text = dev.to_text()
    assert " " not in text.replace("\n", "")
    found = fastparse.evaluate(dev, parser.tokenize(text))
    assert found.sentences > 99
    assert found.tokens > 90
    assert parser.tokenize(text).to_text() == text
