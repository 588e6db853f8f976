"""Validates JSON values: with compiled schemas first, and explains the mistakes of a rejected value."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from extlint.schema.validation.mistake import Mistake, Steps
from extlint.text.formats.registry import problem
from extlint.text.json.values import JsonValue
from extlint_schemas import json_schema
from extlint_schemas.compiled import validate_function
from extlint_schemas.compiled.runtime import Refused


class _Formats(dict[str, Callable[[str], bool]]):
    """Whether a text matches a format, by the format's name."""

    def __missing__(self, name: str) -> Callable[[str], bool]:
        self[name] = lambda text: problem(name, text) is None
        return self[name]


_FORMATS = _Formats()


class Validator:
    """A schema of `extlint_schemas` by its folder and name: `manifests/firefox_3`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def accepts(self, value: JsonValue) -> bool:
        """Whether a value has no mistakes."""
        validate = validate_function(self.name)
        try:
            validate(value, _FORMATS)
        except Refused:
            return False
        return True

    def mistakes(self, value: JsonValue, top: Steps = ()) -> tuple[Mistake, ...]:
        """Returns the mistakes of a value, one for each location, or an empty tuple if the schema accepts it.

        `top` is the path of the value in its file.
        """
        if self.accepts(value):
            return ()
        from extlint.schema.validation.explain import explain

        return explain(json_schema(self.name), value, top)


@cache
def validator(name: str) -> Validator:
    """Returns the validator for a schema, always the same object."""
    return Validator(name)
