"""The systems by name: one row each. Everything that runs over "all systems" reads this table."""

from fastparse.errors import UnknownNameError

# name -> (module, attribute or factory of options, options with their defaults first)
_ROWS: dict[str, tuple[str, dict[str, tuple[object, ...]]]] = {
    "arc-eager": ("fastparse.transition_systems.arc_eager", {}),
}
