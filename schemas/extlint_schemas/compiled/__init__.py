"""The JSON Schemas compiled to Python, which says yes or no without a library and without the schema.

In an installed extlint they are modules of this package, which `hatch_build.py` adds to the wheel. In a
checkout there are none, and a schema is compiled when it is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

Formats: TypeAlias = Mapping[str, Callable[[str], bool]]
"""Whether a text is of a format, by the format's name."""

Validate: TypeAlias = Callable[[Any, Formats], object]
"""Raises `extlint_schemas.compiled.runtime.Refused` for a value that the schema refuses."""


def module_name(name: str) -> str:
    """The module of this package that a wheel has for a schema: `manifests_firefox_3`."""
    return name.replace("/", "_")


@cache
def validate_function(name: str) -> Validate:
    """The compiled form of a schema by its folder and name, `manifests/firefox_3`.

    Raises FileNotFoundError for a name that no schema has.
    """
    wanted = f"{__name__}.{module_name(name)}"
    try:
        module = import_module(wanted)
    except ModuleNotFoundError as error:
        if error.name != wanted:
            raise
        from extlint_schemas.compiled.first_use import compiled

        return compiled(name)
    found: Validate = module.validate
    return found
