"""A text divided into tokens, words and sentences in more than one way, as CoNLL-U."""

import random
from dataclasses import dataclass, field, replace

UPOS, XPOS = ["NOUN", "VERB", "DET", "_"], ["x", "y", "_"]
FEATS = ["_", "Case=Nom", "Case=Nom|Foo=Bar", "Foo=Bar", "Number=Sing|Case=Nom", "Case=Nom|Number=Sing"]
LEMMAS = ["_", "a", "b"]
LABELS = ["nsubj", "nsubj:pass", "obj", "case", "det", "aux:pass", "cc", "punct", "conj", "_"]
SPACES = [" ", "\u00a0", "\u2009", "\u3000"]


@dataclass
class Word:
    form: str
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"
    lemma: str = "_"
    head: int = 0
    label: str = "root"


@dataclass
class Token:
    """A word, or a multiword token of several (or one: it has a line of its own all the same)."""

    form: str
    words: list[Word]
    multiword: bool = False


@dataclass
class Sentence:
    tokens: list[Token] = field(default_factory=list)
    empty_node: bool = False

    @property
    def words(self):
        return [word for token in self.tokens for word in token.words]


def conllu(sentences):
    lines = []
    for number, sentence in enumerate(sentences, 1):
        lines.append(f"# sent_id = {number}")
        if sentence.empty_node:
            lines.append("0.1\tnothing" + "\t_" * 8)
        place = 0
        for token in sentence.tokens:
            if token.multiword:
                lines.append(f"{place + 1}-{place + len(token.words)}\t{token.form}" + "\t_" * 7 + "\tSpaceAfter=No")
            for word in token.words:
                place += 1
                cells = place, word.form, word.lemma, word.upos, word.xpos, word.feats, word.head, word.label, "_", "_"
                lines.append("\t".join(map(str, cells)))
                if sentence.empty_node and place == 1:
                    lines.append("1.1\tghost" + "\t_" * 8)
        lines.append("")
    return "".join(line + "\n" for line in lines)


def sentences_of(path):
    """The sentences of a CoNLL-U file."""
    sentences, sentence, covered = [], Sentence(), 0
    for line in path.read_text(encoding="utf-8").split("\n"):
        cells = line.split("\t")
        if len(cells) == 10 and "-" in cells[0]:
            sentence.tokens.append(Token(cells[1], [], True))
            covered = int(cells[0].split("-")[1])
        elif len(cells) == 10 and cells[0].isdigit():
            word = Word(cells[1], cells[3], cells[4], cells[5], cells[2], int(cells[6]), cells[7])
            if int(cells[0]) > covered:
                sentence.tokens.append(Token(cells[1], []))
            sentence.tokens[-1].words.append(word)
        elif not line.strip() and sentence.tokens:
            sentences.append(sentence)
            sentence, covered = Sentence(), 0
    return sentences


def retokenized(rng, sentences, rate=0.05):
    """The same text with tokens split, joined and made of other words here and there, and sentences joined."""
    made = [Sentence()]
    for sentence in sentences:
        if made[-1].tokens and rng.random() > rate:
            made.append(Sentence())
        for token in sentence.tokens:
            copy = Token(token.form, [replace(word) for word in token.words], token.multiword)
            tokens, chance = made[-1].tokens, rng.random()
            if chance < rate and len(token.form) > 1 and " " not in token.form:
                cut = rng.randint(1, len(token.form) - 1)
                forms = token.form[:cut], token.form[cut:]
                if rng.random() < 0.5:
                    tokens += [Token(form, [replace(token.words[0], form=form)]) for form in forms]
                    continue
                copy.words, copy.multiword = [replace(token.words[0], form=form) for form in forms], True
            elif chance > 1 - rate and tokens:
                copy.form = tokens.pop().form + " " + token.form
                copy.words, copy.multiword = [replace(token.words[0], form=copy.form)], False
            tokens.append(copy)
    for sentence in made:
        words = sentence.words
        roots = [word for word in words if word.head == 0] or words[:1]
        for place, word in enumerate(words, 1):
            # Any tree will do, if many heads are right.
            word.head = word.head if 0 < word.head < place else max(0, place - 1) if word is not roots[0] else 0
        for word in words[1:]:
            word.head = word.head or 1
    return made


def divided(rng, text, multiword, cut=0.5, end=0.2):
    """Sentences that have the characters of a text.

    Args:
        rng: an instance of random.Random.
        text: a list of pieces. Tokens do not go beyond a piece.
        multiword: the share of multiword tokens; a number, or one for each piece.
        cut, end: how often a token ends after a character (a number, or one for each piece), a sentence after a token.
    """
    sentences = [Sentence()]
    rates, cuts = (of if isinstance(of, list) else [of] * len(text) for of in (multiword, cut))
    for piece, rate, cut in zip(text, rates, cuts, strict=True):
        start = 0
        for at in range(1, len(piece) + 1):
            if at < len(piece) and rng.random() > cut:
                continue
            if sentences[-1].tokens and rng.random() < end:
                sentences.append(Sentence())
            sentences[-1].tokens.append(_token(rng, piece[start:at], rate))
            start = at
    for sentence in sentences:
        sentence.empty_node = rng.random() < 0.1
        annotate(rng, sentence.words)
    return sentences


def _token(rng, form, multiword):
    spaced = rng.choice(SPACES).join(form) if rng.random() < 0.1 else form
    if rng.random() >= multiword:
        return Token(spaced, [Word(spaced)])
    if rng.random() < 0.5:
        forms = list(form)
    else:
        forms = [rng.choice("abAB ") + rng.choice(["", "", "b"]) for _ in range(rng.randint(1, 4))]
        forms = [form if form.strip() else "a " for form in forms]
    return Token(spaced, [Word(form.swapcase() if rng.random() < 0.2 else form) for form in forms], True)


def annotate(rng, words):
    """Tags and a tree; words that are often the same get the same."""
    order = rng.sample(range(1, len(words) + 1), len(words))
    for place, number in enumerate(order):
        word = words[number - 1]
        word.upos, word.xpos, word.feats = rng.choice(UPOS[:2]), rng.choice(XPOS), rng.choice(FEATS)
        word.lemma, word.label = rng.choice(LEMMAS), rng.choice(LABELS)
        near = [other for other in order[:place] if abs(other - number) < 3]
        word.head = rng.choice(near or order[:place]) if place else 0
        word.label = word.label if place else "root"


def pair(seed, synchronous=False, share=0.5):
    """Two divisions of a text.

    Args:
        seed: of everything.
        synchronous: whether all words of a multiword token's span lie inside it, and what stands before a span has
            been aligned. The official scorer may take words into a span that stick out of it, or stand before it.
        share: how many of the annotations of the second are those of the first, where words have the same place.
    """
    rng = random.Random(seed)
    text = ["".join(rng.choice("abABäİ字") for _ in range(rng.randint(1, 9))) for _ in range(rng.randint(1, 8))]
    if synchronous:
        gold, other = _synchronous(rng, text)
    else:
        rate = rng.choice([0.0, 0.2, 0.6])
        gold, other = (divided(rng, text, rate, rng.choice([0.3, 0.7, 1]), rng.choice([0.05, 0.3])) for _ in range(2))
        if rng.random() < 0.3:
            gold, other = (divided(random.Random(seed + 1), text, rate, 0.7) for _ in range(2))
    for ours, theirs in zip(gold, other, strict=False):
        for word, copy in zip(ours.words, theirs.words, strict=False):
            if rng.random() < share:
                copy.upos, copy.xpos, copy.feats, copy.lemma = word.upos, word.xpos, word.feats, word.lemma
                copy.label = word.label if (word.label == "root") == (copy.head == 0) else copy.label
    return gold, other


def _synchronous(rng, pieces):
    """Pieces that both have as tokens, as multiword tokens, or one as a single multiword token; between them an x."""
    text, rates, cuts = [], [[], []], [[], []]
    for piece in pieces:
        text += ["x", piece]
        one, other = rng.choice([(0, 0), (1, 1), (1, 0), (0, 1)])
        for side, rate in enumerate((one, other)):
            rates[side] += [0, rate]
            cuts[side] += [1, 0 if rate and one != other else rng.choice([0.3, 0.7, 1])]
    return [divided(rng, text, rate, cut) for rate, cut in zip(rates, cuts, strict=True)]
