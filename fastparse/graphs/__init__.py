"""Enhanced graphs beside trees: labels that carry words, and what draws the arcs."""
