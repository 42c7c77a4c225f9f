"""Made-up signs that the web, mail and logs have many of, and treebanks few: each is one token."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

__all__ = ["Sign", "emoji", "html_tag", "sign"]

_HTML = ("p", "b", "i", "a", "br", "div", "li", "ul", "h1", "h2", "td", "tr", "span", "em", "quote")
_EMOJI = (
    "😀", "😂", "🤣", "😊", "😍", "🥰", "😘", "😎", "🤔", "😢", "😭", "😡", "😱", "🙄",
    "🙏", "👍", "👎", "👏", "💪", "👀", "🔥", "✨", "🎉", "💯", "❤️", "💙", "💔", "🌱",
    "🌞", "☀️", "⭐", "⚡", "❄️", "✅", "❌", "⚠️", "➡️", "🚀", "✈️", "🚲", "🏠", "🍕",
    "☕", "🍺", "🎂", "⚽", "🎸", "📷", "📖", "💻", "📌", "⏰", "🐱", "🐶", "🌍", "🎓",
    "👍🏽", "👩‍💻", "🤷‍♀️", "🇪🇺",
)  # fmt: skip
_EMOTICONS = (":)", ":-)", ":(", ":-(", ":D", ";)", ";-)", ":P", "xD", "<3", ":/", "^^")


class Sign(NamedTuple):
    """A made-up token.

    Attributes:
        kind: "hashtag", "handle", "address", "path", "time", "version", "emoji" or "emoticon".
        form: what it looks like.
    """

    kind: str
    form: str


def html_tag(random: Random) -> str:
    return random.choice(("<{}>", "</{}>", "<{}/>")).format(random.choice(_HTML))


def emoji(random: Random) -> Sign:
    """An emoji, now and then an emoticon."""
    return (
        Sign("emoticon", random.choice(_EMOTICONS)) if random.random() < 0.3 else Sign("emoji", random.choice(_EMOJI))
    )


def sign(word: str, random: Random) -> Sign:
    """A hashtag, handle, address, path, point in time or version, with a word's letters where it has some."""

    def number(most: int, digits: int = 1) -> str:
        return f"{random.randrange(most):0{digits}}"

    day = f"{random.randrange(1950, 2040)}-{number(12, 2)}-{number(31, 2)}"
    time = f"{number(24, 2)}:{number(60, 2)}:{number(60, 2)}"
    low = word.lower()
    kinds = (
        ("hashtag", (f"#{word}", f"#{word.capitalize()}{low.capitalize()}", f"#{low}{number(3000)}")),
        ("handle", (f"@{low}", f"@{low}_{number(100)}", f"@{word}{number(100)}")),
        ("time", (day, day, f"{day}T{time}Z", time, time, f"{time},{number(1000, 3)}")),
        ("path", (f"~/{low}.md", f"/usr/{low}/{low}.so", f"C:\\{word}\\{low}.txt", f"./{low}.py",
                  f"{low}_{low[:3]}.csv")),
        ("address", (
            f"https://{low}.org/{low}-{number(90, 2)}", f"http://www.{low}.com/", f"www.{low}.net",
            f"https://{low}.com/{low[:5]}?{low[:1]}={number(90)}",
            f"http://{low}.org/?{low[:3]}={low}&p={number(30)}#{low[:4]}",
            f"{low}@{low[:5]}.com", f"{low}.{low[:4]}@mail.org", f"{low[:6]}{number(900)}...@{low}.com",
        )),
        ("version", (f"v{number(9)}.{number(20)}.{number(9)}", f"{number(20)}.{number(20)}.{number(9)}")),
        ("time", (f"{number(255)}.{number(255)}.{number(255)}.{number(255)}",)),
    )  # fmt: skip
    return random.choice([Sign(kind, form) for kind, forms in kinds for form in forms])
