"""Finds reads of keys that no call requested from a storage area: `(await storage.local.get("a")).b`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.extension import Extension, Script, once_per_package
from extlint.script.facts.script_facts import ApiPath, CallSite, FieldRead
from extlint.script.facts.values import ApiResult, ArrayValue, Delivery, Kind, Literal, ObjectValue, Value

_PATH_LENGTH = 3
_NAMESPACE, _GET = "storage", "get"


def reads_of_unrequested_keys(
    extension: Extension, script: Script
) -> Iterator[tuple[FieldRead, frozenset[str]]]:
    """Yields the reads in a script of keys that no call in the package requests, with the requested keys."""
    requested: Mapping[ApiPath, frozenset[str] | None] | None = None
    for read in script.facts.field_reads:
        if _is_stored(read.of):
            requested = _requested_keys(extension) if requested is None else requested
            keys = requested.get(read.of.path)
            if keys and read.name not in keys:
                yield read, keys


def _is_stored(result: ApiResult) -> bool:
    """Whether a result is the object with the stored values."""
    return _is_get(result.path) and not result.steps and result.delivery is not Delivery.RETURN


def _is_get(path: ApiPath) -> bool:
    return len(path) == _PATH_LENGTH and path[0] == _NAMESPACE and path[-1] == _GET


@once_per_package
def _requested_keys(extension: Extension) -> Mapping[ApiPath, frozenset[str] | None]:
    """The requested keys by `storage.AREA.get`, or None if some are unknown."""
    found: dict[ApiPath, frozenset[str] | None] = {}
    for script in extension.scripts:
        facts = script.facts
        called = {call.callee for call in facts.calls}
        for reference in facts.references:
            if _is_get(reference.path) and reference.span not in called and not reference.only_tested:
                found[reference.path] = None
        for choice in facts.ambiguous_references:
            found.update((each.path, None) for each in choice.references if _is_get(each.path))
        for call in facts.calls:
            if _is_get(call.path):
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
