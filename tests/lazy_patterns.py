"""All lazily compiled patterns of the code."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import extlint
import extlint_rules
from extlint.text.patterns import _Lazy


def lazy_patterns() -> Iterator[tuple[str, _Lazy]]:
    """Yields each pattern with a name: its module, its constant, and its index if the constant is a tuple."""
    for package in (extlint, extlint_rules):
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            if found.name != "extlint.__main__":
                for name, value in vars(import_module(found.name)).items():
                    for at, each in enumerate(value if isinstance(value, tuple) else [value]):
                        if isinstance(each, _Lazy):
                            yield f"{found.name}.{name}-{at}", each
