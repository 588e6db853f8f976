"""What holds for all tests: how slow the machine is decides nothing."""

from hypothesis import HealthCheck, settings

settings.register_profile("any machine", suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
