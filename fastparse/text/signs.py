"""What treebanks have few of, and the web, mail and logs many: signs that are one token each, made up by chance."""

from __future__ import annotations

from random import Random

__all__ = ["html_tag", "sign"]

_HTML = ("p", "b", "i", "a", "br", "div", "li", "ul", "h1", "h2", "td", "tr", "span", "em", "quote")


def html_tag(random: Random) -> str:
    return random.choice(("<{}>", "</{}>", "<{}/>")).format(random.choice(_HTML))


def sign(word: str, random: Random) -> str:
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
