"""How msgspec is loaded: without what it, and Python's `uuid`, load for other uses than those of a check."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any


def load_msgspec() -> None:
    """Loads msgspec. What no check uses is loaded if somebody asks for it, to save a tenth of a short run.

    Of typing_extensions msgspec takes only what Python's own `typing` has, too. Whoever imports one of these
    modules afterwards gets it.
    """
    if "msgspec" in sys.modules:
        return
    with ExitStack() as stand_ins:
        stand_ins.enter_context(_in_place_of("typing_extensions", None))
        for each in (_Platform("platform"), _Later("msgspec.inspect"), _JsonSchemas("msgspec._json_schema")):
            stand_ins.enter_context(_in_place_of(each.__name__, each))
        import_module("msgspec")


@contextmanager
def _in_place_of(name: str, module: ModuleType | None) -> Iterator[None]:
    """Has imports get another module, or none, unless the real one is loaded."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = module  # type: ignore[assignment]
    try:
        yield
    finally:
        if sys.modules.get(name) is module:
            del sys.modules[name]


class _Later(ModuleType):
    """Stands for a module that is loaded when something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


class _Platform(_Later):
    """Python's `uuid` asks it for the name of the system."""

    def system(self) -> str:
        """What `platform.system` says."""
        return os.uname().sysname if sys.platform == "linux" else str(self.__getattr__("system")())


class _JsonSchemas(_Later):
    """The module `msgspec.json` takes two functions of it."""

    @property
    def schema(self) -> Callable[..., Any]:
        """What `msgspec.json.schema` is."""
        return lambda *given, **named: self.__getattr__("schema")(*given, **named)

    @property
    def schema_components(self) -> Callable[..., Any]:
        """What `msgspec.json.schema_components` is."""
        return lambda *given, **named: self.__getattr__("schema_components")(*given, **named)
