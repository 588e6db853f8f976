"""Loads libraries: msgspec without parts that checks do not use, and those of extras, if installed."""

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


def can_load(*libraries: str) -> bool:
    """Whether libraries of an extra are installed. Loads them; raises the error of a broken one."""
    try:
        for each in libraries:
            import_module(each)
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in libraries:
            raise
        return False
    return True


def missing_library(user: str, libraries: str, extra: str) -> str:
    """Returns the sentence about a command or an option whose libraries are not installed."""
    return f'{user} requires {libraries}, which the extra `{extra}` installs: pip install "extlint[{extra}]"'
