"""Systems composed of elementary transitions, and what can be proven or refuted of them."""
