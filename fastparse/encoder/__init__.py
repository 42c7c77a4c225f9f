"""Small neural encoders in bytes: from the ids of words to the scores of moves, labels and tags."""
