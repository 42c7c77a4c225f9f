"""Models as a service: UDPipe's REST protocol, streams, and a page to look at trees."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True)
class Limits:
    """What clients may ask of a service.

    Attributes:
        bytes: of the body of a request; streams may have any number.
        seconds: for the work on a request; streams may take any time.
        patience: seconds that a client may take for the next piece of a body, or to take the next piece of its answer.
        requests: at a time; more get 503.
        per_client: of them from one address; more get 429.
        all_bytes: of bodies that are worked on at a time; more get 503.
        rate: bytes a second with which a body has to come, beyond the patience; 0 for any.
        grace: seconds in which requests may end that have begun when the service stops.
    """

    bytes: int = 16 << 20
    seconds: float = 60.0
    patience: float = 20.0
    requests: int = 256
    per_client: int = 128
    all_bytes: int = 1 << 27
    rate: int = 1000
    grace: float = 30.0
