"""The stable string hash, for Python."""


def hash_of(text: str | bytes) -> int:
    """The 64-bit hash of a byte string, or of a text in UTF-8.

    Example:
        >>> hash_of("dog") == hash_of(b"dog")
        True
    """
    cdef bytes data = text.encode("utf-8") if isinstance(text, str) else bytes(text)
    return hash_bytes(<const unsigned char*>data, len(data))
