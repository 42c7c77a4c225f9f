"""Text to learn from: a treebank's running text as it is, and with other spacing, case and punctuation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import NamedTuple

from fastparse.corpus.surface import SurfaceSentence, SurfaceToken
from fastparse.text.signs import emoji, html_tag, sign

__all__ = ["VARIANTS", "MarkedText", "marked", "paragraphs", "spaces_alone", "varied"]

TOKEN_BEGINS, SENTENCE_BEGINS, HAS_WORDS = 1, 2, 4
Paragraph = list[list[SurfaceToken]]


class MarkedText(NamedTuple):
    """Text in UTF-8, and for every byte the bits above."""

    text: bytes
    marks: bytes


def paragraphs(sentences: Iterable[SurfaceSentence]) -> Iterator[Paragraph]:
    """Sentences by paragraphs."""
    paragraph: Paragraph = []
    for new, tokens in sentences:
        if new and paragraph:
            yield paragraph
            paragraph = []
        paragraph.append(tokens)
    if paragraph:
        yield paragraph


def marked(texts: Iterable[Paragraph], separator: str = " ") -> MarkedText:
    """The text of paragraphs with marks.

    Args:
        texts: where `after` of a token is None, a space follows, and `separator` after the last of a sentence.
        separator: between sentences.
    """
    text, marks = bytearray(), bytearray()
    for paragraph in texts:
        for sentence in paragraph:
            for i, token in enumerate(sentence):
                data = token.text.encode("utf-8")
                if not data:
                    continue
                text += data
                marks.append(TOKEN_BEGINS | (SENTENCE_BEGINS if i == 0 else 0) | (HAS_WORDS if token.words else 0))
                marks += bytes(len(data) - 1)
                after = token.after
                if after is None:
                    after = separator if i == len(sentence) - 1 else " "
                text += after.encode("utf-8")
                marks += bytes(len(text) - len(marks))
        text += b"\n\n"
        marks += b"\0\0"
    return MarkedText(bytes(text), bytes(marks))


def spaces_alone(paragraph: Paragraph) -> Paragraph:
    """The same tokens with single spaces where their treebank has kept white space.

    So there are between sentences, where treebanks are at times without any or have line ends by their making, unless
    it is a script that has hardly any spaces.
    """
    inner = [token.after != "" for sentence in paragraph for token in sentence[:-1]]
    apart = 2 * sum(inner) >= len(inner)
    return [
        [
            token._replace(after=None) if token.after or (apart and i == len(sentence) - 1) else token
            for i, token in enumerate(sentence)
        ]
        for sentence in paragraph
    ]


def _plain(paragraph: Paragraph, random: Random) -> Paragraph:
    return paragraph


def _mapped(paragraph: Paragraph, change: Callable[[str], str]) -> Paragraph:
    """The same tokens with other forms."""
    return [
        [token._replace(form=change(token.form), text=change(token.text), words=tuple(map(change, token.words)))
         for token in sentence]
        for sentence in paragraph
    ]  # fmt: skip


def _lower(paragraph: Paragraph, random: Random) -> Paragraph:
    return _mapped(paragraph, str.lower)


def _capitals(paragraph: Paragraph, random: Random) -> Paragraph:
    return _mapped(paragraph, str.upper)


def _bare(paragraph: Paragraph, random: Random) -> Paragraph:
    """Without marks at the ends of sentences, and with a chance without any that are tokens."""
    everywhere = random.random() < 0.5
    return [_without_marks(sentence, everywhere) for sentence in paragraph]


def _without_marks(sentence: list[SurfaceToken], everywhere: bool) -> list[SurfaceToken]:
    kept: list[SurfaceToken] = []
    for i, token in enumerate(sentence):
        if any(map(str.isalnum, token.text)):
            kept.append(token)
        elif everywhere or all(not any(map(str.isalnum, later.text)) for later in sentence[i:]):
            if kept and token.after != "":
                kept[-1] = kept[-1]._replace(after=token.after)
        else:
            kept.append(token)
    return kept or sentence


def _quotes(paragraph: Paragraph, random: Random) -> Paragraph:
    """With the marks of typography."""
    changed = []
    before: str | None = " "
    for sentence in paragraph:
        tokens = []
        for token in sentence:
            opening = before != ""
            table = {"'": "‘" if opening and len(token.text) == 1 else "’", '"': "“" if opening else "”"}
            form, text = _typographic(token.form, table), _typographic(token.text, table)
            words = tuple(_typographic(word, table) for word in token.words)
            tokens.append(token._replace(form=form, text=text, words=words))
            before = token.after
        changed.append(tokens)
    return changed


def _typographic(form: str, table: dict[str, str]) -> str:
    for mark, better in table.items():
        form = form.replace(mark, better)
    return {"--": "—", "...": "…", "``": "“", "’’": "”"}.get(form, form)


def _spaced(paragraph: Paragraph, random: Random) -> Paragraph:
    """Two spaces after sentences, and now and then elsewhere."""
    often = random.choice((0.0, 0.0, 0.02, 0.2))

    def after(token: SurfaceToken, last: bool) -> str | None:
        if token.after not in (None, " ") or not (last or random.random() < often):
            return token.after
        return "   " if random.random() < often else "  "

    return [
        [token._replace(after=after(token, i == len(sentence) - 1)) for i, token in enumerate(sentence)]
        for sentence in paragraph
    ]


def _lines(paragraph: Paragraph, random: Random) -> Paragraph:
    """Line ends between sentences: all, or some."""
    often = random.choice((0.3, 0.7, 1.0, 1.0))
    return [_ended(sentence, "\n") if random.random() < often else sentence for sentence in paragraph]


def _ended(sentence: list[SurfaceToken], after: str) -> list[SurfaceToken]:
    """The sentence with this white space after it."""
    return [*sentence[:-1], sentence[-1]._replace(after=after)]


_BULLETS = ("-", "-", "*", "*", "•", "–", "1.", "1.", "1)", "")


def _listed(paragraph: Paragraph, random: Random) -> Paragraph:
    """A list: on each line a sentence or the beginning of one, after a bullet or number, or nothing."""
    bullet, marked_ends = random.choice(_BULLETS), random.random() < 0.3
    most = random.choice((3, 5, 8, 1000))  # words
    short = random.randrange(len(paragraph)) if random.random() < 0.5 else -1  # a heading, or words between the items
    changed: Paragraph = []
    number = random.choice((0, 0, 0, 7))
    for i, sentence in enumerate(paragraph):
        tokens = sentence if marked_ends else _without_marks(sentence, False)
        if len(tokens) > most:
            tokens = tokens[: random.randint(1, most)]
            tokens = _without_marks(tokens, False)
        if bullet and i != short:
            number += 1
            tokens = [*_bullet(str(number) if bullet[0] == "1" else bullet[0], bullet[1:]), *tokens]
        changed.append(_ended(tokens, "\n"))
    return changed


def _bullet(first: str, mark: str) -> list[SurfaceToken]:
    tokens = [SurfaceToken(first, first, (), "", "" if mark else None)]
    return [*tokens, SurfaceToken(mark, mark, (), "", None)] if mark else tokens


def _chatted(paragraph: Paragraph, random: Random) -> Paragraph:
    """Messages: emoji at the ends of sentences, often in the place of a mark, now and then without a space before."""
    often, lines, lower = random.choice((0.3, 0.6, 1.0)), random.random() < 0.4, random.random() < 0.4
    changed: Paragraph = []
    for sentence in _lower(paragraph, random) if lower else paragraph:
        tokens = sentence
        if random.random() < often:
            if random.random() < 0.6:
                tokens = _without_marks(tokens, False)
            last = tokens[-1].after
            made = emoji(random)
            n = 1 if made.kind == "emoticon" else random.choice((1, 1, 2, 3))
            space = "" if random.random() < 0.2 and made.kind == "emoji" else None
            tokens = [*tokens[:-1], tokens[-1]._replace(after=space)]
            tokens += [SurfaceToken(made.form, made.form, (), "", "")] * n
            tokens[-1] = tokens[-1]._replace(after=last or None)
        changed.append(_ended(tokens, "\n") if lines else tokens)
    return changed


def _wrapped(paragraph: Paragraph, random: Random) -> Paragraph:
    """Lines of limited length; sentences without a mark at the end have a line end of their own with a chance."""
    width, own = random.randrange(40, 100), random.choice((0.0, 0.0, 0.5, 1.0))
    at = 0
    changed: Paragraph = []
    for sentence in paragraph:
        tokens: list[SurfaceToken] = []
        chunk = 0  # characters since the last space
        for token in sentence:
            if at + chunk + len(token.text) > width and at > 0:
                _end_line(tokens if len(tokens) > 0 else changed[-1] if changed else tokens, chunk)
                at = 0
            chunk += len(token.text)
            tokens.append(token)
            if token.after != "":
                at += chunk + 1
                chunk = 0
        at += chunk
        last = tokens[-1]
        if last.after is None and random.random() < own and last.text[-1].isalnum():
            tokens[-1] = last._replace(after="\n")
            at = 0
        changed.append(tokens)
    return changed


def _end_line(tokens: list[SurfaceToken], chunk: int) -> None:
    """Turn the last space among tokens, before a chunk of so many characters, into a line end."""
    i = len(tokens) - 1
    while i >= 0 and chunk > 0:
        chunk -= len(tokens[i].text)
        i -= 1
    if i >= 0 and tokens[i].after in (None, " "):
        tokens[i] = tokens[i]._replace(after="\n")


_MARKS = (",", ";")  # that stand inside sentences


def _written(paragraph: Paragraph, random: Random) -> Paragraph:
    """With tags of HTML before words, signs in the place of words, and other marks after abbreviations."""
    often = random.choice((0.02, 0.1, 0.2))
    return [_with_signs(sentence, often, random) for sentence in paragraph]


def _with_signs(sentence: list[SurfaceToken], often: float, random: Random) -> list[SurfaceToken]:
    tokens: list[SurfaceToken] = []
    apart = True  # whether a space stands before the token, or nothing
    for token, following in zip(sentence, [*sentence[1:], None], strict=True):
        if apart and random.random() < often:
            alone = token.after != "" or following is None or not any(map(str.isalnum, following.text))
            if random.random() < 0.2:
                text, after = html_tag(random), random.choice(("", " "))
                tokens.append(SurfaceToken(text, text, (), "", after))
            elif alone and not token.words and token.text.isalpha():
                tokens += _set_in(sign(token.text, random).form, token.after, random)
                apart = token.after != ""
                continue
        elif token.text in _MARKS and following is not None and _abbreviated(tokens) and random.random() < 3 * often:
            mark = random.choice(_MARKS)
            token = token._replace(form=mark, text=mark)
        tokens.append(token)
        apart = token.after != ""
    return tokens


def _abbreviated(tokens: list[SurfaceToken]) -> bool:
    """Whether they end in an abbreviation with its period, and no space behind it."""
    return bool(tokens) and len(tokens[-1].text) > 1 and tokens[-1].text[-1] == "." and tokens[-1].after == ""


def _set_in(made: str, after: str | None, random: Random) -> list[SurfaceToken]:
    """It alone, between brackets, or with a mark behind it."""
    before, behind = random.choice((*[("", "")] * 6, ("(", ")"), ("<", ">"), ("", ":"), ("", ",")))
    parts = [part for part in (before, made, behind) if part]
    return [SurfaceToken(part, part, (), "", after if i == len(parts) - 1 else "") for i, part in enumerate(parts)]


LONGEST_VARIED = 40  # sentences of a paragraph in one variant

VARIANTS: dict[str, Callable[[Paragraph, Random], Paragraph]] = {
    "plain": _plain, "lower": _lower, "capitals": _capitals, "bare": _bare, "quotes": _quotes, "spaced": _spaced,
    "lines": _lines, "wrapped": _wrapped, "written": _written, "listed": _listed, "chatted": _chatted,
}  # fmt: skip


def varied(texts: Iterable[Paragraph], random: Random) -> Iterator[Paragraph]:
    """Each paragraph in one of the variants, by chance; long ones in parts, each in its own."""
    for paragraph in texts:
        at = 0
        while at < len(paragraph):
            size = random.randint(3, LONGEST_VARIED) if len(paragraph) > LONGEST_VARIED else len(paragraph)
            variant = VARIANTS[random.choices(list(CHANCES), list(CHANCES.values()))[0]]
            yield variant(paragraph[at : at + size], random)
            at += size


CHANCES = {
    "lower": 2,
    "capitals": 1,
    "bare": 2,
    "quotes": 2,
    "spaced": 2,
    "lines": 4,
    "wrapped": 5,
    "written": 4,
    "listed": 4,
    "chatted": 3,
}
