"""Explains in a sentence why a value is rejected: the value, the accepted ones, and the nearest of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jsonschema.exceptions import ValidationError
from msgspec.structs import replace

from extlint.schema.validation.mistake import Mistake, Scalar, Steps
from extlint.schema.validation.schema_path import is_comment
from extlint.schema.words.formats import (
    example_help,
    not_a_valid,
    pattern_description,
    title,
    title_with_article,
)
from extlint.schema.words.types import json_types
from extlint.schema.words.values import (
    accepted_values_text,
    kind_of,
    limits_text,
    location_text,
    quoted_scalar,
    quoted_text,
)
from extlint.text.formats.registry import problem
from extlint.text.nearest import suggest_name
from extlint.text.wording import listed, must_be, quoted

MAX_LENGTH_SHOWN = 60
"""The maximum length of a text that a message repeats, in code points."""


class Sentences:
    """The sentences of an explanation, for a manifest or another file."""

    def wrong_value(self, error: ValidationError, steps: Steps) -> Mistake:
        """Returns the mistake of a value that a keyword of the schema rejects."""
        return _wrong_value(error, steps)

    def missing(self, error: ValidationError, steps: Steps, keys: Sequence[str]) -> Mistake:
        """Returns the mistake of an object that requires a key, or one of several."""
        shown = listed([*map(quoted, keys)], "or")
        verb = "is missing the required key" if error.validator == "required" else "requires"
        return Mistake("missing-key", steps, f"{location_text(steps)} {verb} {shown}", missing=tuple(keys))

    def rejected_key(
        self,
        errors: Sequence[ValidationError],
        steps: Steps,
        holder: Mapping[str, Any],  # noqa: ARG002
    ) -> Mistake:
        """Returns the mistake of a key that the schema parts listing an object's keys reject."""
        return self.wrong_value(errors[0], steps)

    def may_be_misspelled(self, key: str) -> bool:
        """Whether an unknown key may be a misspelling of a known one."""
        return not is_comment(key)


SENTENCES = Sentences()


def _wrong_value(error: ValidationError, steps: Steps) -> Mistake:
    limit: Any = error.validator_value
    value: Any = error.instance
    schema: Any = error.schema
    match error.validator:
        case "type":
            message = must_be(location_text(steps), json_types(limit), kind_of(value))
            return _invalid(steps, message, _unquoted(value, limit))
        case "enum":
            return _not_in_enum(value, limit, steps)
        case "format":
            return wrong_format(str(limit), value, steps)
        case "pattern" if "format" in schema:
            return wrong_format(schema["format"], value, steps)
    return _invalid(steps, _beyond_limit(error, location_text(steps)))


MAX_NUMBER_LENGTH = 20
"""The maximum length of a text that is parsed as a number."""


def _unquoted(value: object, names: str | Sequence[str]) -> bool | int | None:
    """Returns the number, true or false in a quoted text, if a value of that type is expected, or None."""
    if not isinstance(value, str) or len(value) > MAX_NUMBER_LENGTH:
        return None
    if value in ("true", "false"):
        return value == "true" if "boolean" in names else None
    is_number = value.isascii() and value.isdecimal() and not (value.startswith("0") and value != "0")
    return int(value) if is_number and ("integer" in names or "number" in names) else None


def _invalid(
    steps: Steps, message: str, suggestion: Scalar | None = None, accepted: str | None = None
) -> Mistake:
    return Mistake("invalid-value", steps, message, suggestion=suggestion, accepted=accepted)


def _beyond_limit(error: ValidationError, what: str) -> str:
    limit: Any = error.validator_value
    value: Any = error.instance
    schema: Any = error.schema
    match error.validator:
        case "minimum" | "maximum" if {"minimum", "maximum"} <= schema.keys():
            return must_be(what, limits_text(schema["minimum"], schema["maximum"]), quoted_scalar(value))
        case "minimum" | "exclusiveMinimum":
            return must_be(what, f"at least {limit}", quoted_scalar(value))
        case "maximum" | "exclusiveMaximum":
            return must_be(what, f"at most {limit}", quoted_scalar(value))
        case "minItems" | "minProperties" | "minLength" if limit == 1:
            return f"{what} must not be empty"
        case "minItems":
            return f"{what} must have at least {limit} items"
        case "maxItems":
            return f"{what} must have at most {limit} items"
        case "maxLength":
            return f"{what} must have at most {limit} characters"
        case "uniqueItems":
            return f"{what} contains the same item twice"
        case "pattern":
            return _wrong_pattern(error, what)
    return (
        f"{what} cannot be {quoted_scalar(value) if isinstance(value, str | int | float) else kind_of(value)}"
    )


def _wrong_pattern(error: ValidationError, what: str) -> str:
    schema: Any = error.schema
    value: Any = error.instance
    is_long = len(value) > MAX_LENGTH_SHOWN
    words = _pattern_words(schema)
    if words is None:
        return f"{what} cannot be {'this text' if is_long else quoted_scalar(value)}"
    return f"{what} must be {words}" if is_long else must_be(what, words, quoted_scalar(value))


def _pattern_words(schema: Mapping[str, Any]) -> str | None:
    return schema.get("x-expected") or pattern_description(schema["pattern"])


def _not_in_enum(value: object, allowed: Sequence[object], steps: Steps) -> Mistake:
    names = [each for each in allowed if isinstance(each, str)]
    near = suggest_name(value, names) if isinstance(value, str) else None
    if near is None and len(allowed) == 1:
        return _invalid(steps, must_be(location_text(steps), quoted_scalar(allowed[0]), quoted_scalar(value)))
    return _invalid(
        steps,
        f"{location_text(steps)} cannot be {quoted_scalar(value)}",
        near,
        accepted_values_text(map(quoted_scalar, allowed)),
    )


def wrong_format(name: str, text: str, steps: Steps) -> Mistake:
    """Returns the mistake of a text with the wrong format; a policy, which may be long, is not repeated."""
    why = problem(name, text)
    if "csp" in name.split("-"):
        what = f"invalid {title(name)}"
    else:
        what = f"{quoted_text(text)} is {not_a_valid(name)}"
        if not text:
            return replace(_invalid(steps, what), help=example_help(name))
    suggestion = None if why is None else why.suggestion
    mistake = _invalid(steps, what if why is None else f"{what}: {why.message}", suggestion)
    return mistake if suggestion is not None else replace(mistake, help=example_help(name))


def no_choice_matches(error: ValidationError, steps: Steps) -> Mistake:
    """Returns the mistake of a value that matches none of several choices."""
    choices: Any = error.validator_value
    value: Any = error.instance
    what = location_text(steps)
    allowed = [each for each in choices if "not" not in each]
    types = [each["type"] for each in allowed if "type" in each]
    if not isinstance(value, str) or (types and "string" not in types):
        return _invalid(steps, must_be(what, json_types(types), kind_of(value)))
    names = [name for each in allowed for name in each.get("enum", ()) if isinstance(name, str)]
    formats = [each["format"] for each in allowed if "format" in each]
    near = suggest_name(value, names)
    if near is None and len(formats) == 1:
        return wrong_format(formats[0], value, steps)
    forms = [title_with_article(name) for name in formats]
    forms += filter(None, (_pattern_words(each) for each in allowed if "pattern" in each))
    can_be = accepted_values_text(map(quoted_scalar, names), forms)
    return _invalid(steps, f"{what} cannot be {quoted_scalar(value)}", near, can_be)
