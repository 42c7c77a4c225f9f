"""Systems that build trees whose arcs cross."""
