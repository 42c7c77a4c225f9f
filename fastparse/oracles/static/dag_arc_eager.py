"""The oracle of arc-eager for graphs is that of planar graphs: what is in between has its head when it has to go."""

from fastparse.oracles.static_oracle.planar_graph import ORACLE

__all__ = ["ORACLE"]
