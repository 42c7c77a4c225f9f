"""Dynamic oracles: in any configuration, the moves after which the most arcs can still be drawn."""
