class StaticOracle:
    variants: tuple[str, ...]
