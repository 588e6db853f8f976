"""The constants of an enumeration, which scripts find as an object in its namespace.

`runtime.OnInstalledReason.CHROME_UPDATE` is `"chrome_update"`. Firefox 153 converts the values to upper case
(Schemas.sys.mjs). Chromium 156 also inserts an underscore between words, and replaces other characters than
letters and digits. `extlint_judge members --compare` compares the names of all constants with both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.schema.engine import Engine
from extlint.schema.types import ChoicesType, StringType, Type
from extlint.text.patterns import lazy

_HUMP = lazy(r"([a-z])([A-Z])")
_NO_LETTER = lazy(r"[^A-Z0-9.]")


def constant_name(value: str, engine: Engine) -> str:
    """Returns the name of the constant for a value: `requestHeaders` is `REQUEST_HEADERS` in Chromium."""
    if engine is Engine.GECKO:
        return value.upper()
    return _NO_LETTER.sub("_", _HUMP.sub(r"\1_\2", value).upper())


def constants(kind: Type, engine: Engine | None, version: int) -> Mapping[str, str]:
    """Returns the values of an enumeration in a manifest version, by the names of their constants.

    For the specification, the names in any browser.
    """
    engines = (Engine.CHROMIUM, Engine.GECKO) if engine is None else (engine,)
    return {constant_name(value, each): value for each in engines for value in values_of(kind, version)}


def values_of(kind: Type, version: int) -> Iterator[str]:
    """Yields the strings of an enumeration in a manifest version."""
    if isinstance(kind, StringType):
        yield from kind.enum or ()
    elif isinstance(kind, ChoicesType):
        for choice in kind.choices:
            if version in choice.versions:
                yield from values_of(choice.type, version)
