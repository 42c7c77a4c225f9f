"""Learning to decide: text to learn from, recorded cases, an averaged perceptron, rules of multiword tokens."""
