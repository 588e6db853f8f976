"""Finds reads of keys that were not requested from a storage area: `(await storage.local.get("a")).b`.

The call of a read decides if it is known, and if no unknown code gets the object, which may add keys to it.
Otherwise all calls in the package do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from extlint.analysis.facts.script_facts import ApiPath, CallSite, FieldRead
from extlint.analysis.facts.values import ApiResult, ArrayValue, Delivery, Kind, Literal, ObjectValue, Value
from extlint.analysis.values.api_results import gets_stored_data
from extlint.extension import Extension, Script
from extlint.queries.query import query
from extlint.text.positions import ByteSpan


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
