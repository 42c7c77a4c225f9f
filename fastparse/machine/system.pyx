"""The Python face of a transition system."""

from fastparse.machine.spec cimport ROOT_IN_BUFFER, ROOT_IN_FOCUS, ROOT_ON_STACK


cdef class System:
    """A transition system: its name, moves and options around the C functions that define it."""

    @staticmethod
    cdef System wrap(const Spec* spec, str name, tuple moves, str covers="", dict options=None, tuple parts=(),
                     dict flags=None, object keep=None):
        cdef System system = System.__new__(System)
        if len(moves) != spec.n_moves:
            raise ValueError(f"{name}: {len(moves)} move names for {spec.n_moves} moves")
        system.spec = spec[0]
        system.name = name
        system.moves = moves
        system.covers = covers
        system.options = {} if options is None else options
        system.parts = parts
        system.keep = keep
        system.flags = {} if flags is None else flags
        return system

    def with_options(self, options: dict) -> System:
        """The same system with these values shown as its options."""
        return System.wrap(&self.spec, self.name, self.moves, self.covers, options, self.parts, self.flags, self.keep)

    def labelled(self, move: str) -> bool:
        """Whether the move comes with a label."""
        return bool(self.spec.labelled >> self.moves.index(move) & 1)

    @property
    def is_graph(self) -> bool:
        """Whether words may have several heads."""
        return bool(self.spec.traits & 2)

    @property
    def has_root(self) -> bool:
        """Whether the root is among the words of a configuration; where it is not, words without a head are its own."""
        return bool(self.spec.traits & (ROOT_IN_BUFFER | ROOT_ON_STACK | ROOT_IN_FOCUS))

    @property
    def composition(self):
        """What a composed system is made of; None for others."""
        return getattr(self.keep, "composition", None)

    def __eq__(self, other):
        if type(other) is not System:
            return NotImplemented
        return (self.name, self.options, self.parts, self.composition) == (
            other.name, other.options, other.parts, other.composition)

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self):
        """Composed systems are pickled as what they are made of; all others have a name."""
        if self.composition is None:
            raise TypeError(f"the system {self.name!r} is not pickled: its name stands for it")
        return self.composition.rebuilding()

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"System({self.name!r}{options})"
