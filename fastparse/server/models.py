"""The models that a service has: their names, and which of them are open."""

from __future__ import annotations

import os
import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastparse.errors import Error
from fastparse.model.finding import DEFAULT, find, installed
from fastparse.parser import load
from fastparse.server.guard import Refused

if TYPE_CHECKING:
    from fastparse.parser import Parser

__all__ = ["Models", "Offer"]

_ENGLISH = re.compile(r"eng|english(-ewt)?(-ud-[0-9.]{1,20}(-[0-9]{1,20})?)?")


@dataclass(frozen=True)
class Offer:
    """A model that can be asked for.

    Attributes:
        name: the first of its names, which answers give.
        path: of its file.
        components: what it can do.
        bytes: of its file, and about as many of memory while it is open.
        about, licence: as the model says; empty if it does not.
        system: of its parser; empty if it has none.
    """

    name: str
    path: str
    components: tuple[str, ...]
    bytes: int
    about: str
    licence: str
    system: str

    def need(self, component: str) -> None:
        """Raises Refused if the model lacks a component."""
        if component not in self.components:
            raise Refused(400, f"the model {self.name!r} has no {component}: it has {', '.join(self.components)}")


class Models:
    """Models by name. They are opened when they are asked for, and those used longest ago closed for others.

    Threads may share it. A model in use stays in memory until its work is done.

    Args:
        given: as -m has them: a name or path, which may have names before it, "english:eng=my.fp"; none for all that
            have a name. The first one, or "en" where all are meant, answers requests that name none.
        most_bytes: that open models may have together; the one in use is always open.

    Raises:
        Error: if there is no such model, it cannot be used, or two have one name.
    """

    def __init__(self, given: Sequence[str] = (), most_bytes: int = 1 << 30) -> None:
        self.offers: dict[str, Offer] = {}
        self._named: dict[str, Offer] = {}
        self._most_bytes = most_bytes
        self._open: OrderedDict[str, Parser] = OrderedDict()
        self._lock = threading.Lock()
        for text in given or installed():
            names, path = _names_and_path(text)
            parser = load(path)
            offer = _offer(names[0], path, parser)
            if offer.name in self.offers:
                raise Error(f"two models are called {offer.name!r}: give one of them another name, NAME={text}")
            self.offers[offer.name] = offer
            for name in names:
                self._named[name] = offer
            self._keep(offer, parser)
        if not self.offers:
            raise Error("there is no model to serve: name one with -m")
        self._add_prefixes()
        bundled = {os.path.realpath(one.path): name for name, one in installed().items() if one.package == "fastparse"}
        ours = {bundled.get(os.path.realpath(offer.path)): offer for offer in reversed(self.offers.values())}
        self._english = ours.get("en") or ours.get("en-fast")
        self.default = self.offers[DEFAULT if not given and DEFAULT in self.offers else next(iter(self.offers))]

    def _add_prefixes(self) -> None:
        """As in UDPipe's service, "english-ewt" is also "english", unless that is another model's."""
        for name, offer in list(self._named.items()):
            parts = name.split("-")
            for n in range(len(parts) - 1, 0, -1):
                self._named.setdefault("-".join(parts[:n]), offer)

    def named(self, name: str | None) -> Offer:
        """The model of a name; that of no name, or of an empty one, is the default.

        What UDPipe calls its English models is the English one that comes with fastparse, if no other has that name.

        Raises:
            Refused: if there is none.
        """
        if not name:
            return self.default
        offer = self._named.get(name) or (self._english if _ENGLISH.fullmatch(name) else None)
        if offer is None:
            raise Refused(400, f"the requested model {name!r:.200} does not exist: there are {', '.join(self.offers)}")
        return offer

    def parser(self, offer: Offer) -> Parser:
        """The model, opened if it is not open.

        Raises:
            Refused: if its file is not there any more, or is damaged.
        """
        with self._lock:
            parser = self._open.get(offer.name)
            if parser is not None:
                self._open.move_to_end(offer.name)
                return parser
            try:
                parser = load(offer.path)
            except (Error, OSError):
                raise Refused(503, f"the model {offer.name!r} cannot be opened any more") from None
            self._keep(offer, parser)
            return parser

    def _keep(self, offer: Offer, parser: Parser) -> None:
        self._open[offer.name] = parser
        while len(self._open) > 1 and self.open_bytes > self._most_bytes:
            self._open.popitem(last=False)

    @property
    def n_open(self) -> int:
        """Models that are open."""
        return len(self._open)

    @property
    def open_bytes(self) -> int:
        """Of the files of models that are open."""
        return sum(self.offers[name].bytes for name in list(self._open))


def _names_and_path(text: str) -> tuple[list[str], str]:
    before, equals, after = text.rpartition("=")
    if equals and not os.path.exists(text):
        names = [name for name in before.split(":") if name]
        if not names:
            raise Error(f"{text!r}: expected NAME=MODEL, found no name")
        return names, find(after)
    path = find(text)
    return [os.path.basename(text).removesuffix(".fp") or text], path


def _offer(name: str, path: str, parser: Parser) -> Offer:
    info = parser.info
    return Offer(
        name, path, parser.components, os.path.getsize(path), str(info.get("about") or ""),
        str(info.get("licence") or ""), str(info.get("system") or ""),
    )  # fmt: skip
