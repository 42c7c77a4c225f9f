class StaticOracle:
    variants: tuple[str, ...]

class DynamicOracle: ...
