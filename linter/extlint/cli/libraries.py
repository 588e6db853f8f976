"""Loads libraries without parts that are expensive and not used by checks."""

from __future__ import annotations

import sys
from importlib import import_module


def load_msgspec() -> None:
    """Loads msgspec with Python's own `typing`, which has everything that it uses from typing_extensions.

    Loading that as well, for older Pythons, takes a tenth of a short run. Other importers still load it.
    """
    if sys.modules.keys().isdisjoint(("msgspec", "typing_extensions")):
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]
        try:
            import_module("msgspec")
        finally:
            del sys.modules["typing_extensions"]
