import pytest

import fastparse


@pytest.fixture(scope="package")
def client():
    """A client of a service that all tests share."""
    from .serving import served

    with served(models=("en-fast", "tiny:other-name=en")) as found:
        yield found


@pytest.fixture(scope="package")
def parser():
    """What the service answers with, used without it."""
    return fastparse.load("en-fast")
