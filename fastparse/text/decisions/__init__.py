"""What is decided about a unit, with which features: gaps between characters, ends of sentences, words of tokens."""
