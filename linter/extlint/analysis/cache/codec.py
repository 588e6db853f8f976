"""Encodes results as bytes.

Decoding runs nothing that they name: it creates only structures and enums of extlint.
"""

from __future__ import annotations

import pickle
from enum import Enum
from importlib import import_module
from io import BytesIO
from typing import Any

from msgspec import Struct

from extlint.analysis.facts.other_scripts import NO_EXPORTS

_OURS = "extlint."


class _Reader(pickle.Unpickler):
    """Creates plain data, and structures and enums of modules of extlint."""

    def find_class(self, module_name: str, name: str) -> Any:
        """Returns a structure, an enum, or a function that returns an enum member.

        Raises UnpicklingError for anything else.
        """
        if (module_name, name) == ("builtins", "getattr"):
            return _member
        if module_name.startswith(_OURS) and not module_name.endswith("__main__"):
            found = getattr(import_module(module_name), name, None)
            if found is NO_EXPORTS or (isinstance(found, type) and issubclass(found, Struct | Enum | tuple)):
                return found
        raise pickle.UnpicklingError(f"{module_name}.{name} is not a structure of extlint")


def _member(kind: object, name: str) -> Enum:
    """Returns the member of an enum by its name.

    Python before 3.11.4 pickles members as attributes of their class.
    """
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind.__members__[name]
    raise pickle.UnpicklingError(f"{kind!r} is not an enum")


def encoded(answer: object) -> bytes | None:
    """Returns a result as bytes.

    Returns None if it cannot be stored: it is too deep or contains objects that are not data.
    """
    try:
        return pickle.dumps(answer, protocol=pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, RecursionError, TypeError, AttributeError):
        return None


def decoded(data: bytes) -> Any:
    """Returns the result encoded in some bytes, or None if they are invalid."""
    try:
        return _Reader(BytesIO(data)).load()
    except Exception:
        return None
