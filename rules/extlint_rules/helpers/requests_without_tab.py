"""Finds calls for the tab of a request that may belong to no tab: the id is -1 then.

Verified in Chromium 156 and Firefox 153 (`extlint_judge refused-calls`).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.script_facts import ApiPath, CallSite
from extlint.analysis.facts.values import ApiResult, ArrayValue, Literal, ObjectValue
from extlint.checks.availability.unguarded_references import unguarded_calls_in
from extlint.extension import Extension, Script

_TAB = "tabId"
_OF_TABS = frozenset({"action", "browserAction", "pageAction", "scripting", "sidePanel", "tabs"})
_FRAMES = frozenset({"main_frame", "sub_frame"})
"""The types of requests that belong to a tab."""


def calls_without_tab(extension: Extension, script: Script) -> Iterator[tuple[CallSite, ApiResult]]:
    """Yields the calls in a script for such a tab, each with the id."""
    for reference, call in unguarded_calls_in(extension, script):
        if call.path[0] in _OF_TABS and not reference.guards.conditional and not call.is_caught:
            for value in _tab_ids(call):
                if value.span is not None and _may_have_no_tab(script, value.path):
                    yield call, value


def _tab_ids(call: CallSite) -> Iterator[ApiResult]:
    """Yields the ids of the tabs of requests that a call gets."""
    for argument in call.arguments[:1]:
        fields = argument.fields if isinstance(argument, ObjectValue) else {}
        target = fields["target"].value if "target" in fields else None
        if isinstance(target, ObjectValue):
            fields = target.fields
        values = (fields[_TAB].value,) if _TAB in fields else (argument,)
        for value in values:
            if isinstance(value, ApiResult) and value.path[0] == "webRequest" and value.steps == (_TAB,):
                yield value


def _may_have_no_tab(script: Script, event: ApiPath) -> bool:
    """Whether all listeners that a script adds to an event get requests without a tab."""
    adding = [call for call in script.facts.calls if call.path == (*event, "addListener")]
    return bool(adding) and all(map(_gets_requests_without_tab, adding))


def _gets_requests_without_tab(call: CallSite) -> bool:
    if call.open or len(call.arguments) < 2:
        return False
    wanted = call.arguments[1]
    if not isinstance(wanted, ObjectValue) or wanted.open or not {_TAB, "windowId"}.isdisjoint(wanted.fields):
        return False
    if "types" not in wanted.fields:
        return True
    types = wanted.fields["types"].value
    return (
        isinstance(types, ArrayValue)
        and not types.open
        and any(isinstance(each, Literal) and each.value not in _FRAMES for each in types.items)
    )
