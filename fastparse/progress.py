"""Progress bars, in terminals and notebooks: those of tqdm, which appear after two seconds."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from fastparse.errors import Error

__all__ = ["Progress", "reporter", "words_of"]

Progress = bool | Callable[[Any], object] | None
_SECONDS_BEFORE = 2


def words_of(report: Any) -> int:
    """What a bar counts of a report of words."""
    words: int = report.words
    return words


def reporter(progress: Progress, words: Callable[[Any], int] | None = None) -> Callable[[Any], object] | None:
    """What is to be called with each report.

    Args:
        progress: such a function; True for a bar, which is gone when nobody refers to the function any more; False and
            None for nothing.
        words: how many are done, by a report, which may also have a `share` of all; without it the bar has the text of
            the reports alone.

    Raises:
        Error: if a bar is asked for, and tqdm is not installed.
    """
    if not isinstance(progress, bool):
        return progress
    if not progress:
        return None
    try:
        tqdm = import_module("tqdm.auto").tqdm
    except ImportError:
        raise Error("progress=True needs tqdm, which is not installed: pip install tqdm, or give a function") from None
    # As tqdm has it, None is: on terminals and in notebooks, not in files and pipes.
    bar = tqdm(unit=" words", unit_scale=True, delay=_SECONDS_BEFORE, disable=None)

    def show(report: Any) -> None:
        if words is None:
            bar.set_description_str(str(report), refresh=False)
            bar.update(0)
            bar.refresh()
        else:
            if report.share:
                bar.total = round(words(report) / report.share)
            bar.update(words(report) - bar.n)

    return show
