"""Small neural networks that read the words of a sentence: their numbers in float32, and how they learn."""
