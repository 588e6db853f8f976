"""The constants of an enumeration, which scripts find as an object in its namespace.

`runtime.OnInstalledReason.CHROME_UPDATE` is `"chrome_update"`. Firefox 153 writes the values in capitals
(Schemas.sys.mjs); Chromium 156 also puts an underscore where words meet and for what is no letter or digit.
`extlint_judge members --compare` asks both for the names of all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.schema.engine import Engine
from extlint.schema.types import ChoicesType, StringType, Type
from extlint.text.patterns import lazy

_HUMP = lazy(r"([a-z])([A-Z])")
_NO_LETTER = lazy(r"[^A-Z0-9.]")


def constant(value: str, engine: Engine) -> str:
    """The name of the constant for a value: `requestHeaders` is `REQUEST_HEADERS` in Chromium."""
    if engine is Engine.GECKO:
        return value.upper()
    return _NO_LETTER.sub("_", _HUMP.sub(r"\1_\2", value).upper())


def constants(kind: Type, engine: Engine | None, version: int) -> Mapping[str, str]:
    """The values of an enumeration in a manifest version, by the names of their constants.

    For the specification, by those that any browser has.
    """
    engines = (Engine.CHROMIUM, Engine.GECKO) if engine is None else (engine,)
    return {constant(value, each): value for each in engines for value in values_of(kind, version)}


def values_of(kind: Type, version: int) -> Iterator[str]:
    """The strings of an enumeration in a manifest version."""
    if isinstance(kind, StringType):
        yield from kind.enum or ()
    elif isinstance(kind, ChoicesType):
        for choice in kind.choices:
            if version in choice.versions:
                yield from values_of(choice.type, version)
