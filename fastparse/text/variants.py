"""Text to learn from: a treebank's running text as it is, and with other spacing, case and punctuation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import NamedTuple

from fastparse.corpus.surface import SurfaceSentence, SurfaceToken

__all__ = ["VARIANTS", "MarkedText", "marked", "paragraphs", "varied"]

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
    return [
        [*sentence[:-1], sentence[-1]._replace(after="\n") if random.random() < often else sentence[-1]]
        for sentence in paragraph
    ]


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
                text, after = _html_tag(random), random.choice(("", " "))
                tokens.append(SurfaceToken(text, text, (), "", after))
            elif alone and not token.words and token.text.isalpha():
                tokens += _set_in(_sign(token.text, random), token.after, random)
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


# What treebanks have few of, and the web, mail and logs many: signs that are one token each, made up by chance.

_HTML = ("p", "b", "i", "a", "br", "div", "li", "ul", "h1", "h2", "td", "tr", "span", "em", "quote")


def _html_tag(random: Random) -> str:
    return random.choice(("<{}>", "</{}>", "<{}/>")).format(random.choice(_HTML))


def _sign(word: str, random: Random) -> str:
    """A hashtag, handle, address, path, point in time or version, with a word's letters where it has some."""

    def number(most: int, digits: int = 1) -> str:
        return f"{random.randrange(most):0{digits}}"

    day = f"{random.randrange(1950, 2040)}-{number(12, 2)}-{number(31, 2)}"
    time = f"{number(24, 2)}:{number(60, 2)}:{number(60, 2)}"
    low = word.lower()
    return random.choice(
        (
            f"#{word}", f"#{word.capitalize()}{low.capitalize()}", f"#{low}{number(3000)}",
            f"@{low}", f"@{low}_{number(100)}", f"@{word}{number(100)}",
            day, day, f"{day}T{time}Z", time, time, f"{time},{number(1000, 3)}",
            f"~/{low}.md", f"/usr/{low}/{low}.so", f"C:\\{word}\\{low}.txt", f"./{low}.py", f"{low}_{low[:3]}.csv",
            f"https://{low}.org/{low}-{number(90, 2)}", f"http://www.{low}.com/", f"www.{low}.net",
            f"https://{low}.com/{low[:5]}?{low[:1]}={number(90)}",
            f"http://{low}.org/?{low[:3]}={low}&p={number(30)}#{low[:4]}",
            f"{low}@{low[:5]}.com", f"{low}.{low[:4]}@mail.org", f"{low[:6]}{number(900)}...@{low}.com",
            f"v{number(9)}.{number(20)}.{number(9)}", f"{number(255)}.{number(255)}.{number(255)}.{number(255)}",
        )
    )  # fmt: skip


VARIANTS: dict[str, Callable[[Paragraph, Random], Paragraph]] = {
    "plain": _plain, "lower": _lower, "capitals": _capitals, "bare": _bare, "quotes": _quotes, "spaced": _spaced,
    "lines": _lines, "wrapped": _wrapped, "written": _written,
}  # fmt: skip


def varied(paragraph: Paragraph, random: Random) -> Paragraph:
    """One of the variants, by chance."""
    return VARIANTS[random.choices(list(CHANCES), list(CHANCES.values()))[0]](paragraph, random)


CHANCES = {"lower": 2, "capitals": 1, "bare": 2, "quotes": 2, "spaced": 2, "lines": 4, "wrapped": 5, "written": 4}
