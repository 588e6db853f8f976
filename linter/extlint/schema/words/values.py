"""Describes values: of JSON, and of scripts as far as they are known."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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
from extlint.schema.words.lists import either, property_names
from extlint.schema.words.locations import IDENTIFIER
from extlint.schema.words.numbers import number_text
from extlint.schema.words.strings import string_text
from extlint.text.wording import quoted, with_article


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
