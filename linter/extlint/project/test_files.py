"""Which scripts belong to the tests of a project, by their names."""

from __future__ import annotations

from extlint.extension import Script
from extlint.text.patterns import lazy

_TEST_FILE = lazy(
    r"(?:^|/)(?:tests?|__tests__|__mocks__|mocks?|specs?|e2e)/|[.\-_](?:test|spec|mock)s?\.\w+$"
)


def is_of_tests(script: Script) -> bool:
    """Whether a script is one that only tests load, by its name."""
    return not script.contexts and is_named_as_test(script.path)


def is_named_as_test(path: str) -> bool:
    """Whether a file is one of tests, by its name or that of a folder."""
    return _TEST_FILE.search(path.lower()) is not None
