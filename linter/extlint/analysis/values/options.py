"""Options of values: tests of them, and values composed of them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from extlint.analysis.facts.values import (
    UNKNOWN,
    Api,
    ArrayValue,
    ObjectValue,
    Union,
    Value,
    is_nullish,
    options_of,
    union_of,
)


def api_of(value: Value) -> Api | None:
    """Returns the API member that every option of a value is, except null and undefined, or None."""
    found: Api | None = None
    for option in options_of(value):
        if is_nullish(option):
            continue
        if not isinstance(option, Api) or (found is not None and found.path != option.path):
            return None
        found = found or option
    return found


def members_of_choice(value: Value) -> list[Api]:
    """Returns the API members that a value may be, if there are several, or one that has a stand-in."""
    options = [each for each in options_of(value) if not is_nullish(each)]
    found = [each for each in options if isinstance(each, Api)]
    if len(options) < 2 or not all(each.path for each in found):
        return []
    is_certain = len(found) == len(options) or all(each.has_stand_in for each in found)
    return found if is_certain else []


def uncertain_members(value: Value) -> list[Api]:
    """Returns the API members that a value may be if it may also be something else, apart from nothing."""
    options = [each for each in options_of(value) if not is_nullish(each)]
    found = [each for each in options if isinstance(each, Api)]
    return found if len(found) < len(options) else []


def choice_of(*values: Value) -> Value:
    """Returns the union of values between which an expression chooses.

    A value used in place of the API has its members: it is a stand-in for the API.
    """
    union = union_of(values)
    options = [each for each in options_of(union) if not is_nullish(each)]
    if sum(isinstance(each, Api) for each in options) in (0, len(options)):
        return union
    return union_of(
        replace(each, has_stand_in=True) if isinstance(each, Api) else each for each in options_of(union)
    )


def any_part(value: Value) -> Value:
    """Returns any array item or object property that is completely known and holds only the API.

    UNKNOWN for everything else.
    """
    match value:
        case ArrayValue(items=parts, open=False):
            pass
        case ObjectValue(fields=fields, open=False):
            parts = tuple(each.value for each in fields.values())
        case _:
            return UNKNOWN
    is_api = parts and all(isinstance(option, Api) for part in parts for option in options_of(part))
    return union_of(parts) if is_api else UNKNOWN


def carries_api(value: Value) -> bool:
    """Whether some option of a value is a member of the API."""
    return any(isinstance(option, Api) for option in options_of(value))


def is_root(value: Value) -> bool:
    """Whether a value is a root of the API."""
    return isinstance(value, Api) and not value.path


def join(*values: Value) -> Value:
    """Returns the union of several values."""
    if len(values) == 1 and not isinstance(values[0], Union):
        return values[0]
    return union_of(values)


def without_options(value: Value, unwanted: Callable[[Value], bool]) -> Value:
    """Returns the value without the options that satisfy a test."""
    return union_of(option for option in options_of(value) if not unwanted(option))
