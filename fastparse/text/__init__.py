"""Running text: from characters to sentences, tokens and words."""
