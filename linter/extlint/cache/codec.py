"""Answers as bytes. Nothing that they name is run: they make structures and enums of extlint alone."""

from __future__ import annotations

import pickle
from enum import Enum
from importlib import import_module
from io import BytesIO
from typing import Any

from msgspec import Struct

from extlint.script.facts.imports import NO_EXPORTS

_OURS = "extlint."


class _Reader(pickle.Unpickler):
    """Makes plain data, and structures and enums of modules of extlint."""

    def find_class(self, module_name: str, name: str) -> Any:
        """A structure, an enum, or what makes a member of one. Raises UnpicklingError for all else."""
        if (module_name, name) == ("builtins", "getattr"):
            return _member
        if module_name.startswith(_OURS) and not module_name.endswith("__main__"):
            found = getattr(import_module(module_name), name, None)
            if found is NO_EXPORTS or (isinstance(found, type) and issubclass(found, Struct | Enum | tuple)):
                return found
        raise pickle.UnpicklingError(f"{module_name}.{name} is not a structure of extlint")


def _member(kind: object, name: str) -> Enum:
    """The member of an enum by its name: Python before 3.11.4 keeps members as attributes of their class."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind.__members__[name]
    raise pickle.UnpicklingError(f"{kind!r} is not an enum")


def encoded(answer: object) -> bytes | None:
    """An answer as bytes; None for one that cannot be kept, as it is too deep or holds what is no data."""
    try:
        return pickle.dumps(answer, protocol=pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, RecursionError, TypeError, AttributeError):
        return None


def decoded(data: bytes) -> Any:
    """The answer in some bytes; None if they hold none."""
    try:
        return _Reader(BytesIO(data)).load()
    except Exception:
        return None
