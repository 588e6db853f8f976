"""Why one value is refused, in a sentence: what is there, what can be, and the nearest right thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jsonschema.exceptions import ValidationError

from extlint.formats.registry import problem
from extlint.near import nearest
from extlint.validation.mistake import Steps
from extlint.validation.words import (
    SHOWN_VALUES,
    between,
    kind_of,
    no_such,
    place,
    shown,
    some,
    title,
    unquoted,
    written,
)
from extlint.wording import did_you_mean, kinds, listed

MOST_SHOWN = 60
"""A message repeats a text that is no longer than this, in code points."""


def wrong_value(error: ValidationError, steps: Steps) -> str:
    """Why a value is refused by the keyword of the schema that an error is about."""
    limit: Any = error.validator_value
    value: Any = error.instance
    schema: Any = error.schema
    what = place(steps)
    match error.validator:
        case "type":
            bare = did_you_mean(unquoted(value, limit))
            return f"{what} must be {kinds(limit)}, and this is {kind_of(value)}{bare}"
        case "enum":
            return _not_listed(value, limit, what)
        case "format":
            return no_format(str(limit), value)
        case "minimum" | "maximum" if {"minimum", "maximum"} <= schema.keys():
            return (
                f"{what} must be {between(schema['minimum'], schema['maximum'])}, and this is {shown(value)}"
            )
        case "minimum" | "exclusiveMinimum":
            return f"{what} must be at least {limit}, and this is {shown(value)}"
        case "maximum" | "exclusiveMaximum":
            return f"{what} must be at most {limit}, and this is {shown(value)}"
        case "minItems" | "minProperties" | "minLength" if limit == 1:
            return f"{what} must not be empty"
        case "minItems":
            return f"{what} must have at least {limit} items"
        case "maxItems":
            return f"{what} must have at most {limit} items"
        case "maxLength":
            return f"{what} must have at most {limit} characters"
        case "uniqueItems":
            return f"{what} has the same item twice"
        case "pattern":
            return _unlike_pattern(error, what)
    return f"{what} cannot be {shown(value) if isinstance(value, str | int | float) else kind_of(value)}"


def _unlike_pattern(error: ValidationError, what: str) -> str:
    schema: Any = error.schema
    value: Any = error.instance
    is_long = len(value) > MOST_SHOWN
    if "x-expected" not in schema:
        return f"{what} cannot be {'this text' if is_long else shown(value)}"
    return f"{what} must be {schema['x-expected']}" + ("" if is_long else f", and this is {shown(value)}")


def _not_listed(value: object, allowed: Sequence[object], what: str) -> str:
    names = [each for each in allowed if isinstance(each, str)]
    near = nearest(value, names) if isinstance(value, str) else None
    if near is not None:
        return f"{what} cannot be {shown(value)}{did_you_mean(near)}"
    if len(allowed) == 1:
        return f"{what} must be {shown(allowed[0])}, and this is {shown(value)}"
    if len(allowed) > SHOWN_VALUES:
        return f"{what} cannot be {shown(value)}"
    return f"{what} cannot be {shown(value)}; it can be {listed([shown(each) for each in allowed], 'or')}"


def no_format(name: str, text: str) -> str:
    """Why a text is not of a format; a policy, which may be long, is not repeated."""
    why = problem(name, text)
    if "csp" in name.split("-"):
        what = f"this {title(name)} is wrong"
    else:
        what = f"{written(text)} is {no_such(name)}"
        if not text:
            return what
    return what if why is None else f"{what}: {why.message}{did_you_mean(why.suggestion)}"


def none_of(error: ValidationError, steps: Steps) -> str:
    """That a value is none of several things."""
    choices: Any = error.validator_value
    value: Any = error.instance
    what = place(steps)
    allowed = [each for each in choices if "not" not in each]
    types = [each["type"] for each in allowed if "type" in each]
    if not isinstance(value, str) or (types and "string" not in types):
        return f"{what} must be {kinds(types)}, and this is {kind_of(value)}"
    names = [name for each in allowed for name in each.get("enum", ()) if isinstance(name, str)]
    formats = [each["format"] for each in allowed if "format" in each]
    near = nearest(value, names)
    if near is not None:
        return f"{what} cannot be {shown(value)}{did_you_mean(near)}"
    if len(formats) == 1:
        return no_format(formats[0], value)
    can_be = [shown(name) for name in names] if len(names) <= SHOWN_VALUES else []
    can_be += [some(name) for name in formats]
    return f"{what} cannot be {shown(value)}" + (f"; it can be {listed(can_be, 'or')}" if can_be else "")
