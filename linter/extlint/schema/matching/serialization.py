"""The values that do not survive copying: in messages, in storage, and to and from injected functions.

Chrome copies most of them as JSON does, where an object of a built-in class is empty. Firefox clones objects,
and refuses those that it cannot clone. It waits for a promise that is the entire response. Verified in
Chromium 156 and Firefox 153 by `extlint_judge serialization`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from msgspec import Struct

from extlint.analysis.facts.values import (
    ArrayValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Value,
    options_of,
    union_of,
)
from extlint.schema.matching.bases import BINARY, ERRORS, TYPED_ARRAYS, bases
from extlint.schema.matching.call import CallProblem
from extlint.schema.matching.environment import Environment, Path
from extlint.schema.words.values import described_value, path_text
from extlint.text.positions import ByteSpan

_FUNCTIONS = frozenset({"function", "symbol"})


class Copy(Enum):
    """The ways in which browsers copy values."""

    MESSAGE = "a message"
    RESPONSE = "a response"
    LOCAL = "an item of `storage.local`"
    SESSION = "an item of `storage.session`"
    SYNC = "an item of `storage.sync`"
    ARGUMENTS = "an argument of an injected function"
    RESULT = "the result of an injected function"
    FILE_RESULT = "the result of an injected file"


_SENT = (Copy.MESSAGE, Copy.RESPONSE)
_REFUSING_FUNCTIONS = (*_SENT, Copy.FILE_RESULT)
"""The copies of functions that are not parts of objects fail."""

_STORED = (Copy.LOCAL, Copy.SESSION, Copy.SYNC)
_NAMES: Mapping[Copy, str] = {
    Copy.MESSAGE: "message",
    Copy.RESPONSE: "the response",
    **dict.fromkeys(_STORED, "items"),
    Copy.ARGUMENTS: "args",
    Copy.RESULT: "the result of the function",
    Copy.FILE_RESULT: "the result",
}
"""The names of the copied values in messages."""


class _Effect(Enum):
    """The effects of a copy on a value that does not survive it."""

    EMPTY = "is an empty object"
    LEFT_OUT = "is left out"
    REFUSED = "is refused"


class _Fate(Struct, frozen=True):
    """The classes of objects that are copied without their content, and those that are refused.

    `functions` is the effect on functions in objects. With `awaits`, the browser waits for a promise, and
    copies what fulfills it.
    """

    empty: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()
    functions: _Effect = _Effect.LEFT_OUT
    awaits: bool = False


_BUFFERS = BINARY - TYPED_ARRAYS
_WEAK = frozenset({"WeakMap", "WeakRef", "WeakSet"})
_DATA = frozenset({"Blob", "File", "FormData", "Map", "RegExp", "Set"})
_OTHER = _WEAK | {
    *("AbortController", "Element", "Headers", "Promise", "Request", "Response", "URLSearchParams")
}
_IN_JSON = _DATA | _OTHER | ERRORS
_IN_VALUES = _IN_JSON | {"Date", "NodeList", "URL"}
_NOT_CLONED = _OTHER | {"NodeList", "Proxy", "URL"}
_AWAITED = frozenset({"Promise"})

_CHROMIUM: Mapping[Copy, _Fate] = {
    **dict.fromkeys(_SENT, _Fate(_IN_JSON | _BUFFERS)),
    Copy.LOCAL: _Fate(_IN_VALUES, BINARY),
    Copy.SESSION: _Fate(_IN_VALUES),
    Copy.SYNC: _Fate(_IN_VALUES, BINARY),
    Copy.ARGUMENTS: _Fate(_IN_VALUES, BINARY),
    **dict.fromkeys((Copy.RESULT, Copy.FILE_RESULT), _Fate(_IN_VALUES - _AWAITED)),
}
_GECKO: Mapping[Copy, _Fate] = {
    Copy.MESSAGE: _Fate(refused=_NOT_CLONED, functions=_Effect.REFUSED),
    Copy.RESPONSE: _Fate(refused=_NOT_CLONED, functions=_Effect.REFUSED, awaits=True),
    Copy.LOCAL: _Fate(refused=_NOT_CLONED | {"FormData"}, functions=_Effect.REFUSED),
    Copy.SESSION: _Fate(refused=_NOT_CLONED, functions=_Effect.REFUSED),
    Copy.SYNC: _Fate(_IN_JSON | _BUFFERS),
    Copy.ARGUMENTS: _Fate(_IN_JSON | _BUFFERS, TYPED_ARRAYS),
    Copy.RESULT: _Fate(refused=_NOT_CLONED - _AWAITED | {"FormData"}),
    Copy.FILE_RESULT: _Fate(refused=_NOT_CLONED - _AWAITED | {"FormData"}),
}
_CLONED = _Fate(refused=_NOT_CLONED | {"FormData"}, functions=_Effect.REFUSED)
"""Messages in Chrome if the manifest asks for clones."""

_ADVICE: Mapping[str, str] = {
    **dict.fromkeys(ERRORS, "use its `message`"),
    **dict.fromkeys(BINARY, "convert it to an array of numbers"),
    **dict.fromkeys(("Blob", "File"), "convert it to text, such as a `data:` URL"),
    **dict.fromkeys(
        ("Element", "NodeList"), "read its text or markup in the page, for example with `textContent`"
    ),
    **dict.fromkeys(("FormData", "Headers", "Map", "URLSearchParams"), "use `Object.fromEntries`"),
    **dict.fromkeys(("Request", "Response"), "read its content first, for example with `text()`"),
    "Date": "use `getTime()`",
    "Promise": "wait for it first, with `await`",
    "Proxy": "copy what is in it",
    "RegExp": "use its `source`",
    "Set": "convert it to an array: `[...set]`",
    "URL": "use its `href`",
}


def copy_problems(copy: Copy, value: Value, env: Environment) -> Iterator[CallProblem]:
    """Yields the certain losses of a copied value, and the reasons for which it is refused.

    A problem is at the innermost part of the source that is inside of the value's own.
    """
    fate = _fate(copy, env)
    for part, steps, place, is_own in _parts(value, (), value.span, value.span, True):
        effect = _effect(fate, part, env, is_own or copy in (Copy.RESULT, Copy.FILE_RESULT))
        if fate.awaits and not steps and _classes(part) == _AWAITED:
            continue
        if effect is _Effect.LEFT_OUT and copy in _REFUSING_FUNCTIONS and not steps:
            effect = _Effect.REFUSED
        if effect is not None:
            yield _problem(copy, effect, part, steps, place)


def _fate(copy: Copy, env: Environment) -> _Fate:
    if env.is_gecko:
        return _GECKO[copy]
    return _CLONED if copy in _SENT and env.clones_messages else _CHROMIUM[copy]


def _effect(fate: _Fate, value: Value, env: Environment, is_own: bool) -> _Effect | None:
    """Returns the effect of a copy on a value, or None if it survives or that is unknown.

    A value that may be null survives if it is. With `is_own`, it is written where it is copied: only then are
    functions meant to survive.
    """
    options = [each for each in options_of(value) if not _is_nullish(each)]
    names = _classes(value)
    if names and names <= fate.refused:
        return _Effect.REFUSED
    if names and names <= fate.empty:
        return _Effect.EMPTY
    is_function = bool(options) and bases(union_of(options), env) <= _FUNCTIONS
    if is_function and (is_own or fate.functions is _Effect.REFUSED):
        return fate.functions
    return None


def _classes(value: Value) -> frozenset[str]:
    """Returns the built-in classes of a value that is not null, with an empty text for anything else."""
    options = [each for each in options_of(value) if not _is_nullish(each)]
    return frozenset(
        each.class_name if isinstance(each, InstanceValue) and each.builtin else "" for each in options
    )


def _is_nullish(value: Value) -> bool:
    return isinstance(value, Literal) and value.kind in (Kind.NULL, Kind.UNDEFINED)


def _problem(copy: Copy, effect: _Effect, value: Value, path: Path, span: ByteSpan | None) -> CallProblem:
    where = path_text(_NAMES[copy], path)
    options = [each for each in options_of(value) if not _is_nullish(each)]
    noun = described_value(union_of(options))
    names = (each.class_name for each in options if isinstance(each, InstanceValue))
    help = next((_ADVICE[each] for each in names if each in _ADVICE), None)
    refusal = f"does not preserve {noun}"
    if effect is _Effect.REFUSED:
        message = f"{where} must be a value that can be serialized, not {noun}"
        return CallProblem("invalid-argument", span, message, refusal, help, is_of_copy=True)
    verb = "is stored" if copy in _STORED else "arrives"
    what = "is left out" if effect is _Effect.LEFT_OUT else f"{verb} as an empty object"
    message = f"{where} is {noun}, which {what}"
    return CallProblem("invalid-argument", span, message, refusal, help, is_ignored=True, is_of_copy=True)


def _parts(
    value: Value, path: Path, place: ByteSpan | None, whole: ByteSpan | None, is_own: bool
) -> Iterator[tuple[Value, Path, ByteSpan | None, bool]]:
    """Yields a value and the values that it certainly contains, each with its path and place.

    The last item is true if the value is written in the source of the outermost one, `whole`.
    """
    if _is_within(value.span, whole):
        place = value.span
    yield value, path, place, is_own
    if isinstance(value, ObjectValue):
        for key, field in value.fields.items():
            if not field.maybe_absent:
                is_here = _is_within(field.key, whole)
                where = field.key if is_here else place
                yield from _parts(field.value, (*path, key), where, whole, is_here)
    elif isinstance(value, ArrayValue):
        for at, item in enumerate(value.items):
            yield from _parts(item, (*path, at), place, whole, _is_within(item.span, whole))


def _is_within(inner: ByteSpan | None, outer: ByteSpan | None) -> bool:
    return inner is not None and outer is not None and outer[0] <= inner[0] and inner[1] <= outer[1]
