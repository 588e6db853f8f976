"""Describes values of JSON and of scripts: strings, numbers, lists, and the locations of values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import isinf, isnan
from typing import Any

from extlint.analysis.facts.values import (
    Api,
    ApiResult,
    ArrayValue,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Union,
    Unknown,
    Value,
)
from extlint.text.patterns import lazy
from extlint.text.wording import listed, quoted, with_article

MAX_TEXT_LENGTH = 40
"""The length above which strings are cut in messages, in code points."""

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def string_text(text: str) -> str:
    """Returns a string in double quotes, cut, with unprintable characters escaped."""
    shown = text if len(text) <= MAX_TEXT_LENGTH else text[: MAX_TEXT_LENGTH - 1] + "…"
    return '"' + "".join(_ESCAPES.get(letter) or _visible(letter) for letter in shown) + '"'


def _visible(letter: str) -> str:
    return letter if letter.isprintable() else f"\\u{{{ord(letter):x}}}"


MAX_NAMES = 10
"""The maximum number of names shown (an enum's values, an object's required properties)."""

MAX_OPTIONS = 4
"""The maximum number of alternatives shown, correct or wrong ones."""

MAX_VALUES = 15
"""The maximum number of manifest values that are listed in full."""

MAX_VALUES_SHOWN = 8
"""The number of values that are listed if there are more than MAX_VALUES."""


def property_names(names: Sequence[str]) -> str:
    """Returns the properties of an object, as a phrase."""
    if not names:
        return "other properties"
    shown = [quoted(name) for name in names[:MAX_NAMES]]
    return ", ".join(shown) + " …" if len(names) > MAX_NAMES else listed(shown, "and")


def enum_text(values: Sequence[str]) -> str:
    """Returns the strings of an enum: `"a" or "b"`, `one of "a", "b" or "c"`; of many, only the first."""
    shown = [string_text(each) for each in values[:MAX_NAMES]]
    if len(values) > MAX_NAMES:
        return f"one of {', '.join(shown)} or {len(values) - MAX_NAMES} others"
    if len(shown) > 2:
        return f"one of {listed(shown, 'or')}"
    return listed(shown, "or") if shown else "one of no values"


def either(phrases: Iterable[str]) -> str:
    """Returns several phrases as one, without duplicates: `a string or a function`."""
    distinct = tuple(dict.fromkeys(phrases))
    if len(distinct) > MAX_OPTIONS:
        distinct = (*distinct[:MAX_OPTIONS], "another value")
    return listed(distinct, "or") if distinct else "another value"


def accepted_values_text(values: Iterable[str], forms: Sequence[str] = ()) -> str | None:
    """Returns the accepted values as a phrase; of many, only the first."""
    every = list(values)
    if len(every) > MAX_VALUES:
        every = [*every[:MAX_VALUES_SHOWN], f"{len(every) - MAX_VALUES_SHOWN} others"]
    every += forms
    return f"it can be {listed(every, 'or')}" if every else None


IDENTIFIER = lazy(r"[A-Za-z_$][A-Za-z0-9_$]*")


def path_text(root: str, path: Sequence[str | int]) -> str:
    """Returns the location that a path leads to from a value named `root`: `options.icons[0]`, in backquotes.

    A root of several words ("argument 2") is not a name and remains outside of the quotes.
    """
    steps = "".join(_step(each) for each in path)
    if IDENTIFIER.fullmatch(root):
        return quoted(root + steps)
    return f"{quoted(steps.removeprefix('.'))} of {root}" if steps else root


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if IDENTIFIER.fullmatch(step) else f"[{string_text(step)}]"


def location_text(steps: Sequence[str | int]) -> str:
    """Returns a location by the key that users know: `matches`, or an item of `matches`."""
    if not steps:
        return "the manifest"
    named = next((step for step in reversed(steps) if isinstance(step, str)), None)
    if named is None:
        return "this item"
    if named.isdecimal() and len(steps) > 1:
        return full_location_text(steps[-2:])
    return quoted(named) if steps[-1] == named else f"an item of {quoted(named)}"


def full_location_text(steps: Sequence[str | int]) -> str:
    """Returns a location by all keys that lead to it: `background.scripts`."""
    return quoted(".".join(step for step in steps if isinstance(step, str)))


def number_text(number: float) -> str:
    """Returns a number approximately as JavaScript writes it."""
    if isnan(number):
        return "NaN"
    if isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if float(number).is_integer() and abs(number) < 1e21:
        return str(int(number))
    return repr(float(number))


def limits_text(least: float, most: float) -> str:
    """Returns a number with two limits as text: `2 or 3`, `from 1 to 10`."""
    return f"{least} or {most}" if most - least == 1 else f"from {least} to {most}"


def range_text(noun: str, least: float | None, most: float | None) -> str:
    """Returns a `noun` with optional limits: `an integer from 1 to 10`, `a number of at least 1`."""
    if least is not None and most is not None:
        return f"{noun} from {number_text(least)} to {number_text(most)}"
    if least is not None:
        return f"{noun} of at least {number_text(least)}"
    return noun if most is None else f"{noun} of at most {number_text(most)}"


def kind_of(value: object) -> str:
    """Returns a noun phrase for a JSON value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "a string" if value else "an empty string"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, Sequence):
        return "a list"
    return "a number"


def kind_with_items(value: object) -> str:
    """Returns a noun phrase for a JSON value and its items: `a list of strings`."""
    if isinstance(value, Sequence) and value and all(isinstance(each, str) for each in value):
        return "a string" if isinstance(value, str) else "a list of strings"
    return kind_of(value)


def quoted_scalar(value: Any) -> str:
    """Returns a scalar in JSON syntax, in code quotes; a string without its own quotes."""
    return quoted(json.dumps(value, ensure_ascii=False)) if not isinstance(value, str) else quoted(value)


def quoted_text(text: str) -> str:
    """Returns a text in code quotes, or a description if nothing in it is visible."""
    if not text:
        return "an empty string"
    return "a blank string" if text.isspace() else quoted(text)


def described_value(value: Value) -> str:
    """Returns a description of a value, as far as it is known: `the string "yes"`, `an empty object`."""
    match value:
        case Unknown() | Api() | ApiResult():
            return "this value"
        case Literal():
            return _literal(value)
        case Typed(kind=kind):
            return _kind_text(kind)
        case ObjectValue(fields=fields, open=is_open):
            return (
                f"an object with {property_names(tuple(fields))}" if fields or is_open else "an empty object"
            )
        case ArrayValue(items=items, open=is_open):
            return "an array" if items or is_open else "an empty array"
        case FunctionValue(is_class=is_class):
            return "a class" if is_class else "a function"
        case InstanceValue(class_name=name, builtin=builtin):
            return instance_of(name) if builtin else f"an instance of {quoted(name)}"
        case Union(options=options):
            kinds = {each.kind for each in options if isinstance(each, Typed)}
            return either(
                described_value(each)
                for each in options
                if not isinstance(each, Literal) or each.kind not in kinds
            )


def _literal(value: Literal) -> str:
    match value:
        case Literal(kind=Kind.STRING, value=str(text)):
            return f"the string {string_text(text)}"
        case Literal(kind=Kind.BOOLEAN, value=bool(flag)):
            return "true" if flag else "false"
        case Literal(kind=Kind.NUMBER, value=float() | int() as number):
            return f"the number {number_text(number)}"
    return _kind_text(value.kind)


def _kind_text(kind: Kind) -> str:
    """Returns a phrase for any value of a kind: `a string`, `null`."""
    return kind.value if kind in (Kind.NULL, Kind.UNDEFINED) else with_article(kind.value)


def instance_of(class_name: str) -> str:
    """Returns a phrase for an instance of a class: `an ArrayBuffer`, or `an object` if it is not a name."""
    if not IDENTIFIER.fullmatch(class_name):
        return "an object"
    return f"{'an' if class_name[0] in 'AEIOaeio' else 'a'} {class_name}"
