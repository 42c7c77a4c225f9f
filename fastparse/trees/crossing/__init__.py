"""Which arcs of a tree cross, the intervals and planes they make, and anchors where no arc would cross."""
