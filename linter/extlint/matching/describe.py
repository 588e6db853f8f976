"""Values, types and places in the words of messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isinf, isnan

from extlint.matching.environment import Environment
from extlint.schema.types import (
    AnyType,
    ArrayType,
    BinaryType,
    BooleanType,
    ChoicesType,
    FunctionType,
    NullType,
    NumberType,
    ObjectType,
    RefType,
    StringType,
    Type,
)
from extlint.script.facts.values import (
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
    options_of,
)
from extlint.text.patterns import lazy
from extlint.text.wording import listed, quoted, with_article

MAX_TEXT_LENGTH = 40
"""Longer strings are cut in messages, in code points."""

MAX_NAMES = 10
"""Of more names than this (an enum's values, an object's required properties) the first are shown."""

MAX_OPTIONS = 4
"""Of more ways to be wrong or right than this the first are shown."""

_IDENTIFIER = lazy(r"[A-Za-z_$][A-Za-z0-9_$]*")


def _string_text(text: str, longest: int = MAX_TEXT_LENGTH) -> str:
    """A string in double quotes, cut, with what cannot be shown escaped."""
    shown = text if len(text) <= longest else text[: longest - 1] + "…"
    return '"' + "".join(_ESCAPES.get(letter) or _visible(letter) for letter in shown) + '"'


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _visible(letter: str) -> str:
    return letter if letter.isprintable() else f"\\u{{{ord(letter):x}}}"


def number_text(number: float) -> str:
    """A number as JavaScript writes it, or nearly so."""
    if isnan(number):
        return "NaN"
    if isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if float(number).is_integer() and abs(number) < 1e21:
        return str(int(number))
    return repr(float(number))


def path_text(root: str, path: Sequence[str | int]) -> str:
    """The place that a path leads to from a value named `root`: `options.icons[0]`, in back quotes.

    A root of several words ("argument 2") is no name and stands outside of the quotes.
    """
    steps = "".join(_step(each) for each in path)
    if _IDENTIFIER.fullmatch(root):
        return quoted(root + steps)
    return f"{quoted(steps.removeprefix('.'))} of {root}" if steps else root


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if _IDENTIFIER.fullmatch(step) else f"[{_string_text(step)}]"


def described_value(value: Value) -> str:
    """What a value is, as far as that is known: `the string "yes"`, `an empty object`."""
    match value:
        case Unknown() | Api() | ApiResult():
            return "this value"
        case Literal():
            return _literal(value)
        case Typed(kind=kind):
            return _kind_text(kind)
        case ObjectValue(fields=fields, open=is_open):
            return f"an object with {_names(tuple(fields))}" if fields or is_open else "an empty object"
        case ArrayValue(items=items, open=is_open):
            return "an array" if items or is_open else "an empty array"
        case FunctionValue(is_class=is_class):
            return "a class" if is_class else "a function"
        case InstanceValue(class_name=name, builtin=builtin):
            return _instance(name) if builtin else f"an instance of {quoted(name)}"
        case Union(options=options):
            return either(map(described_value, options))


def _literal(value: Literal) -> str:
    match value:
        case Literal(kind=Kind.STRING, value=str(text)):
            return f"the string {_string_text(text)}"
        case Literal(kind=Kind.BOOLEAN, value=bool(flag)):
            return "true" if flag else "false"
        case Literal(kind=Kind.NUMBER, value=float() | int() as number):
            return f"the number {number_text(number)}"
    return _kind_text(value.kind)


def _kind_text(kind: Kind) -> str:
    """Some value of a kind: `a string`, `null`."""
    return kind.value if kind in (Kind.NULL, Kind.UNDEFINED) else with_article(kind.value)


def _instance(name: str) -> str:
    if not _IDENTIFIER.fullmatch(name):
        return "an object"
    return f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"


def described_type(kind: Type, env: Environment, depth: int = 0) -> str:
    """What a type takes: `a boolean`, `one of "a" or "b"`, `an integer of at least 1`."""
    target = env.resolve(kind)
    match target:
        case None | RefType() | AnyType():
            return "another value"
        case NullType():
            return "null"
        case BooleanType(enum=(flag,)):
            return "true" if flag else "false"
        case BooleanType():
            return "a boolean"
        case NumberType():
            return _number_type(target)
        case StringType(enum=enum):
            return "a string" if enum is None else enum_text(enum)
        case BinaryType():
            return "an ArrayBuffer or a view of one"
        case ArrayType(items=items):
            return "an array" + _of_items(env.resolve(items))
        case FunctionType():
            return "a function"
        case ObjectType(is_instance_of=str(name)):
            return _instance(name)
        case ObjectType(properties=properties):
            required = tuple(
                name for name, each in properties.items() if not each.optional and not each.unsupported
            )
            return f"an object with {_names(required)}" if required else "an object"
        case ChoicesType():
            return either(alternatives(target, env, depth))


def _of_items(kind: Type | None) -> str:
    match kind:
        case StringType():
            return " of strings"
        case NumberType(integer=integer):
            return " of integers" if integer else " of numbers"
        case ObjectType(is_instance_of=None):
            return " of objects"
    return ""


def alternatives(kind: Type, env: Environment, depth: int = 0) -> list[str]:
    """What a type takes, a phrase for each choice."""
    target = env.resolve(kind)
    if not isinstance(target, ChoicesType):
        return [described_type(kind, env, depth)]
    if depth >= MAX_OPTIONS:
        return ["one of several values"]
    return [phrase for choice in target.choices for phrase in alternatives(choice.type, env, depth + 1)]


def _number_type(kind: NumberType) -> str:
    noun = "an integer" if kind.integer else "a number"
    if kind.minimum is not None and kind.maximum is not None:
        return f"{noun} from {number_text(kind.minimum)} to {number_text(kind.maximum)}"
    if kind.minimum is not None:
        return f"{noun} of at least {number_text(kind.minimum)}"
    if kind.maximum is not None:
        return f"{noun} of at most {number_text(kind.maximum)}"
    return noun


def enum_text(values: Sequence[str]) -> str:
    """The strings of an enum: `"a" or "b"`, `one of "a", "b" or "c"`; of many only the first."""
    shown = [_string_text(each) for each in values[:MAX_NAMES]]
    if len(values) > MAX_NAMES:
        return f"one of {', '.join(shown)} or {len(values) - MAX_NAMES} others"
    if len(shown) > 2:
        return f"one of {listed(shown, 'or')}"
    return listed(shown, "or") if shown else "one of no values"


def either(phrases: Iterable[str]) -> str:
    """Several phrases as one, each once: `a string or a function`."""
    distinct = tuple(dict.fromkeys(phrases))
    if len(distinct) > MAX_OPTIONS:
        distinct = (*distinct[:MAX_OPTIONS], "another value")
    return listed(distinct, "or") if distinct else "another value"


def _names(names: Sequence[str]) -> str:
    if not names:
        return "other properties"
    shown = [quoted(name) for name in names[:MAX_NAMES]]
    return ", ".join(shown) + " …" if len(names) > MAX_NAMES else listed(shown, "and")


def nearest_of(value: Value, strings: Sequence[str]) -> str | None:
    """The string that was probably meant by a literal one."""
    from extlint.text.nearest import meant

    texts = [each.value for each in options_of(value) if isinstance(each, Literal)]
    found = {near for text in texts if isinstance(text, str) and (near := meant(text, strings))}
    return found.pop() if len(found) == 1 else None
