"""How libraries are loaded that would load much which no check uses."""

from __future__ import annotations

import sys
from importlib import import_module


def load_msgspec() -> None:
    """Loads msgspec with Python's own `typing`, which has all that it takes of typing_extensions.

    To load that as well, for older Pythons, takes a tenth of a short run. Whoever else imports it gets it.
    """
    if sys.modules.keys().isdisjoint(("msgspec", "typing_extensions")):
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]
        try:
            import_module("msgspec")
        finally:
            del sys.modules["typing_extensions"]
