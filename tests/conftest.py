"""What holds for all tests."""

from hypothesis import HealthCheck, settings

# Examples may take any time: machines have other work, and debug builds and sanitizers are slow.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
