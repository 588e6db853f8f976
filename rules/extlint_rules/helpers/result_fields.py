"""Finds fields that only some results have: of maps, stored keys and windows, or assigned by scripts.

    storage.onChanged.addListener((changes) => show(changes.newValue));

The listener gets an object with a change for each key: `changes.color.newValue`.

The call of a read decides if it is known, and if no unknown code gets the object, which may add keys to it.
Otherwise all calls in the package do.

Without `populate`, windows have no `tabs` in Chromium 156 and Firefox 153 (`extlint_judge refused-calls`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.script_facts import ApiPath, CallSite, FieldRead
from extlint.analysis.facts.values import (
    OBJECT_MEMBERS,
    ApiResult,
    ArrayValue,
    Delivery,
    FunctionValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Value,
)
from extlint.analysis.values.api_results import gets_stored_data
from extlint.checks.calls.types import ITEM, fields_of, is_map, possible_types
from extlint.extension import Extension, Script
from extlint.queries.query import query
from extlint.schema.types import NullType, ObjectType
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, encode_name
from extlint.text.word_search import word_occurrences

_ANY_KEY = "key"


def is_field_of_values(extension: Extension, read: FieldRead) -> bool:
    """Whether an object has nothing but a value for each key, and each value has the field that is read."""
    types = [each for each in possible_types(extension, read.of) if not isinstance(each.type, NullType)]
    if not types or read.name in OBJECT_MEMBERS:
        return False
    if not all(isinstance(each.type, ObjectType) and is_map(each.type, _ANY_KEY) for each in types):
        return False
    values = possible_types(extension, replace(read.of, steps=(*read.of.steps, _ANY_KEY)))
    return bool(values) and all(
        isinstance(each.type, ObjectType) and read.name in (fields_of(extension, each) or ())
        for each in values
    )


_ASSIGNED = lazy(rb"\s*(?:(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)?=(?![=>])|\+\+|--)")
_IN_BRACKETS = lazy(rb"\[\s*[\"'`]\Z")
_CLOSED = lazy(rb"[\"'`]\s*\]")
_MEMBER = lazy(rb"\.\s*#?\Z")
_OF_PAGE = lazy(
    rb"(?<![\w$.])(?:window\s*\.\s*)?(?:document(?:\s*\.\s*(?:body|documentElement|head))?|location|window)\s*\.\s*\Z"
)
"""An object of the page, which the API never returns."""

_CHANGED = lazy(rb"(?:\+\+|--)[\w$.]*\.\Z")
_COPIED = lazy(
    rb"\b(?:assign|assignIn|defaults|defineProperty|defineProperties|extend|merge)\s*\([^;]{0,400}\Z"
)
_BYTES_BEFORE = 450
_PROTOTYPE = rb"(?:(?:globalThis|self|window)\s*\.\s*)?\b(?:Array|Number|String)\s*\.\s*prototype\b(?!\s*\.)"
_ALIAS = lazy(rb"(?<![\w$])([\w$]{1,60})\s*=\s*" + _PROTOTYPE + rb"(?!\s*\[)")
_UNKNOWN_KEYS = (
    rb"(?:\.\.\.\s*)?(?!(?:async|class|false|function|null|true|undefined|void)\b)[A-Za-z_$]"
    rb"|\{(?:[^{}()]{0,400},)?\s*\.\.\."
)
"""The beginning of an argument other than a literal whose keys are all in the text."""

_COPYING_CALL = rb"\b(?:assign|assignIn|defaults|extend|merge|mixin)\s*"
_MIN_DISTINCT_NAME = 3
"""The minimum number of bytes of an alias that hardly names anything else, as names in minified code do."""


def is_property_assigned(extension: Extension, name: str) -> bool:
    """Whether some script assigns to a property of this name, or passes it to a copying function.

    The object may reach that code in ways that no analysis follows. Properties of the page do not count.
    """
    known = _cached_results(extension)
    if name not in known:
        texts = {script.path: script.index.text for script in extension.scripts}.values()
        word = encode_name(name)
        known[name] = any(
            _is_assigned(text, at, at + len(word))
            for text in texts
            for at in word_occurrences(text, word, 0, len(text))
        )
    return known[name]


def is_added_to_builtins(extension: Extension, name: str) -> bool:
    """Whether all arrays, strings or numbers may have such a member, which the package copies to them.

    Some script passes `Array.prototype` or another of these to a call together with an object whose keys
    are elsewhere (`Object.assign(Array.prototype, Enumerable)`), or assigns members whose names it computes,
    and the name is written somewhere, not only as a member that is read.
    """
    texts = {script.path: script.index.text for script in extension.scripts}.values()
    word = encode_name(name)
    return _extends_builtins(extension) and any(
        _MEMBER.search(text, max(0, at - _BYTES_BEFORE), at) is None
        for text in texts
        for at in word_occurrences(text, word, 0, len(text))
    )


@query
def _extends_builtins(extension: Extension) -> bool:
    return any(_copies_to_builtins(script.index.text) for script in extension.scripts)


def _copies_to_builtins(text: bytes) -> bool:
    if b"prototype" not in text:
        return False
    aliases = {match[1] for match in _ALIAS.finditer(text)}
    distinct = [_PROTOTYPE, *(re.escape(each) for each in aliases if len(each) >= _MIN_DISTINCT_NAME)]
    short = [re.escape(each) for each in aliases if len(each) < _MIN_DISTINCT_NAME]
    forms = [rb"[(,]\s*(?:%b)\s*,\s*(?:%b)" % (b"|".join(distinct), _UNKNOWN_KEYS)]
    forms.append(rb"(?<![\w$.])(?:%b)\s*\[\s*[A-Za-z_$][^\]\n]{0,80}\]\s*=(?!=)" % b"|".join(distinct))
    if short:
        forms.append(rb"%b\(\s*(?:%b)\s*,\s*(?:%b)" % (_COPYING_CALL, b"|".join(short), _UNKNOWN_KEYS))
    return any(re.search(form, text) is not None for form in forms)


def _is_assigned(text: bytes, start: int, end: int) -> bool:
    before = text[max(0, start - _BYTES_BEFORE) : start]
    if _ASSIGNED.match(text, end) is not None and _MEMBER.search(before) is not None:
        return _OF_PAGE.search(before) is None
    closed = _CLOSED.match(text, end)
    if closed is not None and _ASSIGNED.match(text, closed.end()) is not None:
        return _IN_BRACKETS.search(before) is not None
    return _CHANGED.search(before) is not None or _COPIED.search(before) is not None


@query
def _cached_results(_extension: Extension) -> dict[str, bool]:
    """The results cached so far, by name."""
    return {}


class UnrequestedRead(Struct, frozen=True):
    """A read of a key that was not requested, and the keys that were.

    If `in_package`, no call in the package requests it, or else its own call does not.
    """

    read: FieldRead
    requested: frozenset[str]
    in_package: bool


def reads_of_unrequested_keys(extension: Extension, script: Script) -> Iterator[UnrequestedRead]:
    """Yields the reads in a script of keys that their call, or no call in the package, requests."""
    reads = [read for read in script.facts.field_reads if _is_stored(read.of)]
    if not reads:
        return
    own = _keys_by_call(script)
    for read in reads:
        keys = _requested_keys(extension).get(read.of.path)
        if keys and read.name not in keys:
            yield UnrequestedRead(read, keys, in_package=True)
            continue
        keys = None if read.of.call is None else own.get(read.of.call)
        if keys and read.name not in keys:
            yield UnrequestedRead(read, keys, in_package=False)


def _keys_by_call(script: Script) -> Mapping[ByteSpan, frozenset[str] | None]:
    """Returns the requested keys by call, for the calls whose result does not escape."""
    escaped = {each.call for each in script.facts.escaped_results if not each.steps}
    return {
        call.span: _keys_of(call)
        for call in script.facts.calls
        if gets_stored_data(call.path) and call.span not in escaped
    }


def _is_stored(result: ApiResult) -> bool:
    """Whether a result is the object with the stored values."""
    is_object = not result.steps and result.delivery is not Delivery.RETURN
    return is_object and gets_stored_data(result.path)


@query(is_of_package=True)
def _requested_keys(extension: Extension) -> Mapping[ApiPath, frozenset[str] | None]:
    """The requested keys by `storage.AREA.get`, or None if some are unknown."""
    found: dict[ApiPath, frozenset[str] | None] = {}
    for script in extension.scripts:
        facts = script.facts
        found.update((path, None) for path in facts.passed_on if gets_stored_data(path))
        for call in facts.calls:
            if gets_stored_data(call.path):
                keys, before = _keys_of(call), found.get(call.path, frozenset())
                found[call.path] = None if keys is None or before is None else before | keys
    return found


def _keys_of(call: CallSite) -> frozenset[str] | None:
    """Returns the keys that a call requests, or None if they are not all known or it requests everything."""
    if call.open or not call.arguments:
        return None
    requested = call.arguments[0]
    if isinstance(requested, ObjectValue):
        return None if requested.open else frozenset(requested.fields)
    if isinstance(requested, ArrayValue):
        items = frozenset(map(_text, requested.items))
        return (
            None if requested.open or None in items else frozenset(each for each in items if each is not None)
        )
    text = _text(requested)
    return None if text is None else frozenset({text})


def _text(value: Value) -> str | None:
    is_text = isinstance(value, Literal) and value.kind is Kind.STRING
    return str(value.value) if is_text and isinstance(value, Literal) else None


_GETTING: frozenset[ApiPath] = frozenset(
    ("windows", name) for name in ("get", "getAll", "getCurrent", "getLastFocused")
)
_KEY = "populate"


def reads_of_missing_tabs(extension: Extension, script: Script) -> Iterator[FieldRead]:
    """Yields the reads of `tabs` in a script from windows whose function no call asks for tabs."""
    for read in script.facts.field_reads:
        if read.name == "tabs" and _is_window(read.of) and read.of.path not in _populating(extension):
            yield read


def _is_window(result: ApiResult) -> bool:
    steps = (ITEM,) if result.path[-1] == "getAll" else ()
    return result.path in _GETTING and result.steps == steps and result.delivery is not Delivery.RETURN


@query(is_of_package=True)
def _populating(extension: Extension) -> frozenset[ApiPath]:
    """Returns the functions that may be asked for tabs somewhere in the package."""
    found: set[ApiPath] = set()
    for script in extension.scripts:
        facts = script.facts
        found |= facts.passed_on
        found.update(call.path for call in facts.calls if call.path in _GETTING and _may_populate(call))
    return _GETTING & found


def _may_populate(call: CallSite) -> bool:
    return call.open or any(map(_may_ask_for_tabs, call.arguments))


def _may_ask_for_tabs(argument: Value) -> bool:
    match argument:
        case ObjectValue(fields=fields, open=is_open):
            value = fields[_KEY].value if _KEY in fields else None
            return is_open if value is None else not (isinstance(value, Literal) and value.value is False)
        case Typed(kind=kind):
            return kind is Kind.OBJECT
    return not isinstance(argument, FunctionValue | Literal | ApiResult)
