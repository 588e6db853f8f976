"""JSON Schemas compiled to Python, which accepts or rejects values without a library or the schema.

In an installed extlint they are modules of this package, which `hatch_build.py` adds to the wheel. In a
checkout these modules are missing, and a schema is compiled on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

Formats: TypeAlias = Mapping[str, Callable[[str], bool]]
"""Whether a text matches a format, by the format's name."""

Validate: TypeAlias = Callable[[Any, Formats], object]
"""Raises `extlint_schemas.compiled.runtime.Refused` for a value that the schema rejects."""


def module_name(name: str) -> str:
    """Returns the name of the module for a schema in a wheel: `manifests_firefox_3`."""
    return name.replace("/", "_")


@cache
def validate_function(name: str) -> Validate:
    """Returns the compiled form of a schema by its folder and name, `manifests/firefox_3`.

    Raises FileNotFoundError if no schema has the name.
    """
    qualified_name = f"{__name__}.{module_name(name)}"
    try:
        module = import_module(qualified_name)
    except ModuleNotFoundError as error:
        if error.name != qualified_name:
            raise
        from extlint_schemas.compiled.first_use import load_compiled

        return load_compiled(name)
    found: Validate = module.validate
    return found
