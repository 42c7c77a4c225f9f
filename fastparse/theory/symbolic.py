"""What a composed move does to any configuration: its elementary transitions carried out on addresses.

Stack and buffer form one line of words, .. S1 S0 | B0 B1 .., with a cursor between S0 and B0. PUSH and UNSHIFT move
the cursor, POP removes the word left of it, an arc joins the words beside it. No arc ever spans a word of the line,
since the words between its ends have been removed before. Hence a path between two words of the line passes through all
words of the line between them, and facts about neighbours tell everything: if u, w, v are neighbours and w is removed,
then u and v are connected exactly if u, w and w, v are, and u reaches v exactly if it reaches w and w reaches v.

Facts are combined by small propositional formulas in disjunctive normal form, which are decided exactly. An atom is a
fact about one address of a configuration, such as ("head", "S0"). Addresses are S0, S1, .. from the top of the stack
and B0, B1, .. from the front of the buffer. Facts about a word and its left neighbour (the stack is read from bottom to
top, and the buffer follows) belong to the address of the right one of the two.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from fastparse.errors import Error
from fastparse.theory.elementary import LEFT, RIGHT, Address, Condition, Operation, Region

MOST_CLAUSES = 2048
Atom = tuple[str, str]
Clause = frozenset[tuple[Atom, bool]]

# Facts, in the order of the bits in which the compiled program keeps them.
FACTS = ("exists", "head", "root", "joined", "arc-right", "arc-left", "reach-right", "reach-left")


@dataclass(frozen=True)
class Formula:
    """A disjunction of clauses, each a conjunction of literals without contradictions. No clause contains another."""

    clauses: frozenset[Clause]

    def __and__(self, other: Formula) -> Formula:
        _require_small(len(self.clauses) * len(other.clauses))
        return _reduced(
            left | right for left in self.clauses for right in other.clauses if not _contradict(left, right)
        )

    def __or__(self, other: Formula) -> Formula:
        _require_small(len(self.clauses) + len(other.clauses))
        return _reduced(self.clauses | other.clauses)

    def __invert__(self) -> Formula:
        result = TRUE
        for clause in self.clauses:
            result &= _reduced(frozenset({(atom, not value)}) for atom, value in clause)
        return result

    @property
    def atoms(self) -> set[Atom]:
        """The atoms that occur."""
        return {atom for clause in self.clauses for atom, _ in clause}


def _require_small(n_clauses: int) -> None:
    """Raise Error for a formula that takes long: the normal form of n alternatives of n facts has n ** n clauses."""
    if n_clauses > MOST_CLAUSES:
        raise Error(
            f"a condition of a composed system has more than {MOST_CLAUSES:,} alternatives when it is written out: say "
            f"it with fewer `or` inside of `and`"
        )


def _contradict(left: Clause, right: Clause) -> bool:
    return any((atom, not value) in right for atom, value in left)


def _reduced(clauses: Iterable[Clause]) -> Formula:
    kept: list[Clause] = []
    for clause in sorted(set(clauses), key=len):
        if not any(other <= clause for other in kept):
            kept.append(clause)
    return Formula(frozenset(kept))


TRUE = Formula(frozenset({frozenset()}))
FALSE = Formula(frozenset())


def atom(fact: str, address: str = "") -> Formula:
    """The formula that holds when the fact does."""
    return Formula(frozenset({frozenset({((fact, address), True)})}))


def satisfiable(formulas: Iterable[Formula]) -> bool:
    """Whether all the formulas can hold together."""
    result = TRUE
    for formula in sorted(formulas, key=lambda each: len(each.clauses)):
        result &= formula
        if result == FALSE:
            return False
    return True


# ── moves ──


# Facts about a word and its left neighbour.
LINKS = ("joined", "arc-right", "arc-left", "reach-right", "reach-left")
DEEPEST = 16


@dataclass
class Drawn:
    """An arc in a run, and what is known when it is drawn, before its own restrictions."""

    head: str
    dependent: str
    dependent_has_head: Formula
    joined: Formula
    reaches_back: Formula
    already: Formula


@dataclass
class Popped:
    """A word that a run removes, and whether it has a head then."""

    address: str
    has_head: Formula


@dataclass
class Machine:
    """A configuration of addresses in the course of one move."""

    stacks: int = 1
    graph: bool = False  # whether it is said that words may have several heads
    stack: list[str] = field(default_factory=list)
    buffer: list[str] = field(default_factory=list)
    precondition: Formula = TRUE
    depth: int = 0
    width: int = 0
    headed: set[str] = field(default_factory=set)
    links: dict[str, dict[str, Formula]] = field(default_factory=dict)
    arcs: list[Drawn] = field(default_factory=list)
    pops: list[Popped] = field(default_factory=list)
    pushes: int = 0
    unshifts: int = 0
    switches: int = 0
    started: bool = False

    def twin(self) -> Machine:
        """A copy whose places can be looked at without changing this one."""
        return replace(self, stack=[*self.stack], buffer=[*self.buffer], headed={*self.headed}, links={**self.links})

    def at(self, region: str, depth: int) -> str:
        """The address, in the configuration at the start, of what is now at this place."""
        words = self.stack if region == "S" else self.buffer
        while len(words) <= depth:
            if region == "S":
                words.append(f"S{self.depth}")
                self.depth += 1
            else:
                words.append(f"B{self.width}")
                self.width += 1
            if max(self.depth, self.width) > DEEPEST:
                raise Error(f"a move reaches {words[-1]}; {DEEPEST} words of the stack and of the buffer are the most")
        return words[depth]

    def has_head(self, address: str) -> Formula:
        """Whether a word has a head now."""
        return TRUE if address in self.headed else atom("head", address)

    def link(self, right: str) -> dict[str, Formula]:
        """The facts about a word and its left neighbour."""
        if right not in self.links:
            if self.stacks > 1 and right != "B0":
                raise Error("with several stacks, conditions on arcs compare S0 and B0 as they are before PUSH and POP")
            self.links[right] = {name: atom(name, right) for name in LINKS}
        return self.links[right]

    def require(self, formula: Formula) -> None:
        """A restriction on the configurations in which the move can be made."""
        self.precondition &= formula

    def value(self, condition: Condition) -> Formula:
        """What a condition means here, as a formula on the configuration at the start."""
        operator, arguments = condition.operator, condition.arguments
        if operator == "and":
            return self.value(arguments[0]) & self.value(arguments[1])
        if operator == "or":
            return self.value(arguments[0]) | self.value(arguments[1])
        if operator == "not":
            return ~self.value(arguments[0])
        if operator == "not_switched":
            return ~atom("switched")
        if isinstance(arguments[0], Region):
            region = arguments[0].region
            first = atom("exists", self.at(region, 0))
            if operator == "empty":
                return ~first
            return first & ~atom("exists", self.at(region, 1))
        if len(arguments) == 1:
            return self._about_word(operator, arguments[0])
        return self._about_pair(operator, arguments)

    def _about_word(self, operator: str, place: Address) -> Formula:
        address = self.at(place.region, place.depth)
        if operator == "has_head":
            return self.has_head(address)
        if operator == "no_head":
            return atom("exists", address) & ~self.has_head(address)
        if operator == "is_root":
            return atom("root", address)
        return atom("exists", address) & ~atom("root", address)

    def _about_pair(self, operator: str, places: tuple[Address, ...]) -> Formula:
        left, right = self.at("S", 0), self.at("B", 0)
        if operator == "connected":
            return self.link(right)["joined"]
        if operator == "not_connected":
            return atom("exists", left) & atom("exists", right) & ~self.link(right)["joined"]
        if operator == "reaches" and self.stacks > 1 and not self.graph:
            raise Error(
                "reaches() needs a single stack, or single_head=False; with several stacks and single heads, "
                "connected() is enough"
            )
        direction = "right" if places[0].region == "S" else "left"
        return self.link(right)[("reach-" if operator == "reaches" else "arc-") + direction]

    def step(self, operation: Operation, single_head: bool, acyclic: bool) -> None:
        """Carries out an elementary transition."""
        for condition in operation.conditions:
            self.require(self.value(condition))
        kind = operation.kind
        if kind == "PUSH":
            word = self.at("B", 0)
            self.require(atom("exists", word))
            self.stack.insert(0, self.buffer.pop(0))
            self.pushes += 1
            if self.stacks > 1:
                self.links = {}
                self.started = True
        elif kind == "UNSHIFT":
            self.require(atom("exists", self.at("S", 0)))
            self.buffer.insert(0, self.stack.pop(0))
            self.unshifts += 1
        elif kind == "POP":
            self._pop()
        elif kind in (LEFT, RIGHT):
            self._arc(kind == LEFT, single_head, acyclic)
        else:
            self.switches += 1

    def _pop(self) -> None:
        word = self.at("S", 0)
        self.require(atom("exists", word))
        self.pops.append(Popped(word, self.has_head(word)))
        self.stack.pop(0)
        if self.stacks > 1:
            self.links = {}
            self.started = True
            return
        right = self.at("B", 0)
        here, gone = self.link(right), self.link(word)
        self.links[right] = {name: FALSE if name.startswith("arc") else here[name] & gone[name] for name in LINKS}
        del self.links[word]

    def _arc(self, to_left: bool, single_head: bool, acyclic: bool) -> None:
        left, right = self.at("S", 0), self.at("B", 0)
        head, dependent = (right, left) if to_left else (left, right)
        self.require(atom("exists", left) & atom("exists", right) & ~atom("root", dependent))
        if self.stacks > 1 and self.started:
            raise Error("with several stacks, an arc comes before PUSH and POP in its move")
        link = self.link(right)
        direction, back = ("left", "right") if to_left else ("right", "left")
        already = link[f"arc-{direction}"]
        drawn = Drawn(head, dependent, self.has_head(dependent), link["joined"], link[f"reach-{back}"], already)
        if single_head:
            self.require(~drawn.dependent_has_head)
        else:
            self.require(~already)
        if acyclic:
            joined = single_head or (self.stacks > 1 and not self.graph)
            self.require(~(drawn.joined if joined else drawn.reaches_back))
        self.arcs.append(drawn)
        self.headed.add(dependent)
        self.links[right] = {**link, "joined": TRUE, f"arc-{direction}": TRUE, f"reach-{direction}": TRUE}


def run(
    operations: tuple[Operation, ...],
    restrictions: tuple[Condition, ...],
    stacks: int,
    single_head: bool,
    acyclic: bool,
    graph: bool = False,
) -> Machine:
    """The machine after a move."""
    machine = Machine(stacks, graph)
    for condition in restrictions:
        machine.require(machine.value(condition))
    for operation in operations:
        machine.step(operation, single_head, acyclic)
    return machine


def evaluate(condition: Condition) -> Formula:
    """A condition on a configuration as it is."""
    return Machine().value(condition)
