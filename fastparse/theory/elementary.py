"""The words in which composed systems are written: elementary transitions, addresses, conditions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fastparse.errors import Error

LEFT, RIGHT = "ARC(B0, S0)", "ARC(S0, B0)"
KINDS = ("PUSH", "UNSHIFT", "POP", LEFT, RIGHT, "SWITCH")


@dataclass(frozen=True)
class Address:
    """A place in a configuration: S0 is the stack top, S1 the word below; B0 is the buffer front, B1 the next word."""

    region: str
    depth: int

    def __repr__(self) -> str:
        return f"{self.region}{self.depth}"


@dataclass(frozen=True)
class Region:
    """The stack or the buffer."""

    region: str

    def __repr__(self) -> str:
        return "STACK" if self.region == "S" else "BUFFER"


S0, S1, B0, B1 = Address("S", 0), Address("S", 1), Address("B", 0), Address("B", 1)
STACK, BUFFER = Region("S"), Region("B")


@dataclass(frozen=True)
class Condition:
    """A condition on a configuration; combine conditions with ``&``, ``|`` and ``~``.

    Attributes:
        operator: "and", "or", "not", or the name of an elementary condition.
        arguments: conditions, or the addresses the elementary condition speaks of.
    """

    operator: str
    arguments: tuple[Any, ...] = ()

    def __and__(self, other: Condition) -> Condition:
        return Condition("and", (self, _condition(other)))

    def __or__(self, other: Condition) -> Condition:
        return Condition("or", (self, _condition(other)))

    def __invert__(self) -> Condition:
        return Condition("not", (self,))

    def __bool__(self) -> bool:
        raise TypeError("conditions are combined with &, | and ~, not with 'and', 'or' and 'not'")

    def __repr__(self) -> str:
        if self.operator in ("and", "or"):
            sign = " & " if self.operator == "and" else " | "
            return "(" + sign.join(map(repr, self.arguments)) + ")"
        if self.operator == "not":
            return f"~{self.arguments[0]!r}"
        return f"{self.operator}({', '.join(map(repr, self.arguments))})"

    def to_list(self) -> list[Any]:
        """Plain values that JSON can hold."""
        return [
            self.operator,
            *(each.to_list() if isinstance(each, Condition) else repr(each) for each in self.arguments),
        ]

    @staticmethod
    def from_list(values: Sequence[Any]) -> Condition:
        """What ``to_list`` made."""
        operator, *arguments = values
        if operator in ("and", "or", "not"):
            return Condition(operator, tuple(Condition.from_list(each) for each in arguments))
        if operator not in _ELEMENTARY:
            raise Error(f"there is no condition {operator!r}; there are {', '.join(_ELEMENTARY)}")
        return _ELEMENTARY[operator](*(_place(each) for each in arguments))


def _condition(value: Any) -> Condition:
    if not isinstance(value, Condition):
        raise Error(f"expected a condition such as has_head(S0), found {value!r}")
    return value


def _place(text: str) -> Address | Region:
    if text in ("STACK", "BUFFER"):
        return STACK if text == "STACK" else BUFFER
    if text[:1] in ("S", "B") and text[1:].isdigit():
        return Address(text[0], int(text[1:]))
    raise Error(f"there is no place {text!r} in a configuration; there are S0, S1, B0, B1, STACK and BUFFER")


def _address(value: Any, name: str) -> Address:
    if not isinstance(value, Address):
        raise Error(f"{name}() speaks of S0, S1, B0 or B1, found {value!r}")
    return value


def has_head(place: Address) -> Condition:
    """There is a word at the place, and it has a head."""
    return Condition("has_head", (_address(place, "has_head"),))


def no_head(place: Address) -> Condition:
    """There is a word at the place, and it has no head."""
    return Condition("no_head", (_address(place, "no_head"),))


def is_root(place: Address) -> Condition:
    """The root 0 is at the place."""
    return Condition("is_root", (_address(place, "is_root"),))


def not_root(place: Address) -> Condition:
    """There is a word at the place, and it is not the root 0."""
    return Condition("not_root", (_address(place, "not_root"),))


def connected(left: Address, right: Address) -> Condition:
    """Arcs lead from S0 to B0, in whatever direction each of them points."""
    return Condition("connected", _pair(left, right, "connected"))


def not_connected(left: Address, right: Address) -> Condition:
    """S0 and B0 exist, and are not connected."""
    return Condition("not_connected", _pair(left, right, "not_connected"))


def reaches(ancestor: Address, descendant: Address) -> Condition:
    """Arcs lead from the first place to the second, each from head to dependent; S0 and B0 in either order."""
    _pair(ancestor, descendant, "reaches")
    return Condition("reaches", (ancestor, descendant))


def has_arc(head: Address, dependent: Address) -> Condition:
    """This arc has been drawn; S0 and B0 in either order."""
    _pair(head, dependent, "has_arc")
    return Condition("has_arc", (head, dependent))


def empty(region: Region) -> Condition:
    """There is no word in the stack (STACK) or in the buffer (BUFFER)."""
    return Condition("empty", (_region(region, "empty"),))


def single(region: Region) -> Condition:
    """There is one word in the stack (STACK) or in the buffer (BUFFER)."""
    return Condition("single", (_region(region, "single"),))


def not_switched() -> Condition:
    """The last move was not SWITCH."""
    return Condition("not_switched")


def _pair(left: Any, right: Any, name: str) -> tuple[Address, Address]:
    if {left, right} != {S0, B0}:
        raise Error(f"{name}() compares S0 and B0, found {left!r} and {right!r}")
    return S0, B0


def _region(value: Any, name: str) -> Region:
    if not isinstance(value, Region):
        raise Error(f"{name}() speaks of STACK or BUFFER, found {value!r}")
    return value


_ELEMENTARY: dict[str, Callable[..., Condition]] = {
    function.__name__: function
    for function in (
        has_head,
        no_head,
        is_root,
        not_root,
        connected,
        not_connected,
        reaches,
        has_arc,
        empty,
        single,
        not_switched,
    )
}


@dataclass(frozen=True)
class Operation:
    """An elementary transition, perhaps restricted.

    Attributes:
        kind: one of ``KINDS``.
        argument: for SWITCH, which other stack.
        conditions: what must hold when the step is reached.
    """

    kind: str
    argument: int = 0
    conditions: tuple[Condition, ...] = ()

    def when(self, condition: Condition) -> Operation:
        """The same step, restricted to configurations in which the condition holds."""
        return Operation(self.kind, self.argument, (*self.conditions, _condition(condition)))

    def __call__(self, stack: int) -> Operation:
        """SWITCH(k): the active stack changes places with the k-th of the others."""
        if self.kind != "SWITCH":
            raise Error(f"{self.kind} takes no argument, found {stack!r}")
        return Operation("SWITCH", stack, self.conditions)

    def __repr__(self) -> str:
        text = f"SWITCH({self.argument})" if self.kind == "SWITCH" else self.kind
        return text + "".join(f".when({condition!r})" for condition in self.conditions)

    def to_list(self) -> list[Any]:
        """Plain values that JSON can hold."""
        return [self.kind, self.argument, *(condition.to_list() for condition in self.conditions)]

    @staticmethod
    def from_list(values: Sequence[Any]) -> Operation:
        """What ``to_list`` made."""
        kind, argument, *conditions = values
        if kind not in KINDS:
            raise Error(f"there is no elementary transition {kind!r}; there are {', '.join(KINDS)}")
        return Operation(kind, argument, tuple(map(Condition.from_list, conditions)))


def ARC(head: Address, dependent: Address) -> Operation:
    """An arc between the stack top S0 and the buffer front B0, in either direction."""
    if (head, dependent) == (B0, S0):
        return Operation(LEFT)
    if (head, dependent) == (S0, B0):
        return Operation(RIGHT)
    raise Error(
        f"ARC({head!r}, {dependent!r}): elementary arcs join S0 and B0. An arc between the two topmost stack words is "
        f"[UNSHIFT, ARC(B0, S0), POP, PUSH] or [UNSHIFT, ARC(S0, B0), PUSH, POP]"
    )


PUSH, UNSHIFT, POP = Operation("PUSH"), Operation("UNSHIFT"), Operation("POP")
SWITCH = Operation("SWITCH", 1)
