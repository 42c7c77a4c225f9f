"""Headers of answers."""

__all__ = ["SAFE"]

# Nobody keeps an answer, or takes it for something else than it says.
SAFE = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
