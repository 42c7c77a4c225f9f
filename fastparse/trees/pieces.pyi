class Pieces:
    count: int
