"""Finds uses of the address or title of a tab that fail in tabs which the extension may not access.

Without the permission `tabs`, Firefox 153 and Chromium 156 hide these fields for pages of the browser, and
for sites that no host permission covers. Events of tabs come for all of them (`extlint_judge host-access`
verifies this).
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import BACKGROUND_CONTEXTS
from extlint.analysis.facts.events import Origin
from extlint.analysis.facts.script_facts import ApiPath, CallSite, FailureHandling, FieldRead
from extlint.analysis.facts.values import UNKNOWN, ApiResult, Delivery
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.calls.required_permissions import HIDDEN_FIELDS, TABS
from extlint.checks.other_manifests import may_have_in_other_manifest
from extlint.checks.reachability.occasions import occasions_at
from extlint.extension import Extension, Script
from extlint.manifest.manifest import REQUESTS
from extlint.project.rewritten_keys import may_add_request
from extlint.text.patterns import lazy
from extlint_rules.helpers.hidden_tab_fields import hosts_decide, may_show
from extlint_rules.helpers.host_access import (
    ACTIVE_TAB,
    may_access_hosts,
    may_use_active_tab,
    uncovered_pages,
)
from extlint_rules.helpers.ordinary_failures import has_filter, is_limited, may_filter

_ANY_TAB = frozenset({("tabs", "onCreated"), ("tabs", "onUpdated")})
_CLICKS = frozenset({("action", "onClicked"), ("browserAction", "onClicked"), ("commands", "onCommand")})
_GIVING = _ANY_TAB | _CLICKS
"""The events that give their listeners a tab, or what has changed in it."""

_EVENTS = _ANY_TAB | {("tabs", "onActivated"), ("tabs", "onHighlighted"), ("windows", "onFocusChanged")}
_QUERY = ("tabs", "query")
_ASKING = frozenset({("tabs", "get"), _QUERY})
_FIELDS = frozenset((name,) for name in HIDDEN_FIELDS)
_MAX_BYTES_BEFORE = 60
_BEFORE = lazy(rb"\bnew\s+URL\(\s*[\w$]+(?:\[0\])?!?\.$")
_AFTER = lazy(rb"!?\s*\)")
"""The code around an address that is parsed, which fails if it is undefined: `new URL(tab.url)`."""


def failing_reads(extension: Extension, script: Script) -> Iterator[tuple[str, FieldRead]]:
    """Yields the name of each such field, and the first place in a script that reads it and fails."""
    kinds = {each.kind for each in script.contexts}
    if not kinds or not kinds <= BACKGROUND_CONTEXTS or not hosts_decide(extension):
        return
    if not may_access_hosts(extension):
        return
    seen: set[tuple[ApiPath, int, tuple[str, ...]]] = set()
    for read in script.facts.field_reads:
        steps = read.of.steps if read.of.steps[-1:] in _FIELDS else _steps_if_parsed(script, read)
        field = (read.of.path, read.of.index, steps)
        if steps and field not in seen and _fails(extension, script, read):
            seen.add(field)
            yield steps[-1], read


def _steps_if_parsed(script: Script, read: FieldRead) -> tuple[str, ...]:
    """Returns the steps to an address that is parsed, or an empty tuple."""
    text, start, end = script.index.text, read.span[0] + script.base, read.span[1] + script.base
    is_parsed = (
        read.name == "url"
        and _BEFORE.search(text, max(0, start - _MAX_BYTES_BEFORE), start) is not None
        and _AFTER.match(text, end) is not None
    )
    return (*read.of.steps, read.name) if is_parsed else ()


def _fails(extension: Extension, script: Script, read: FieldRead) -> bool:
    return (
        not _is_tested(script, read)
        and _is_of_any_tab(extension, script, read)
        and not may_show(extension, script, read.guards)
        and not unavailabilities_of(extension, read.of.path, script.contexts)
        and not may_have_in_other_manifest(extension, *REQUESTS)
        and not may_add_request(extension, (TABS,))
    )


def _is_tested(script: Script, read: FieldRead) -> bool:
    """Whether a condition may hold only for some tabs, or the failure is handled."""
    guards = read.guards
    return (
        (read.tested or read.of_tested or read.replaced)
        or (guards.open_test or guards.unknown or guards.failure >= FailureHandling.REPORTED)
        or any(
            each.of.path == read.of.path and each.of.steps[-1:] in _FIELDS
            for each in script.facts.comparisons
        )
    )


def _is_of_any_tab(extension: Extension, script: Script, read: FieldRead) -> bool:
    """Whether a value is certainly of a tab that may show any page."""
    has_clicks = ACTIVE_TAB not in extension.manifest.permissions and not is_limited(extension)
    events = _EVENTS | _CLICKS if has_clicks else _EVENTS
    if read.of.path in _GIVING & events:
        return read.of.delivery is Delivery.LISTENER and _listens_always(script, read.of.path)
    if read.of.path not in _ASKING or read.of.delivery is Delivery.RETURN:
        return False
    if not all(_asks_for_any(each) for each in script.facts.calls if each.path == read.of.path):
        return False
    occasions = occasions_at(extension, script, read.span)
    return bool(occasions) and all(
        each.event in events and _listens_always(script, each.event) for each in occasions
    )


def _asks_for_any(call: CallSite) -> bool:
    """Whether a call asks for tabs that may show any page."""
    asked = call.arguments[0] if call.arguments else UNKNOWN
    if call.path == _QUERY:
        return not may_filter(call)
    return isinstance(asked, ApiResult) and asked.path in _EVENTS | _CLICKS


def _listens_always(script: Script, event: ApiPath) -> bool:
    """Whether a script listens to an event of every tab from its start."""
    references = script.facts.references_of_calls
    adding = [each for each in script.facts.calls if each.path == (*event, "addListener")]
    return bool(adding) and all(
        not has_filter(each)
        and not references[each.callee].guards.conditional
        and all(occasion.origin is Origin.LOAD for occasion in each.occasions)
        for each in adding
    )


def pages_without_fields(extension: Extension) -> str:
    """Returns the pages for which the fields are undefined, as a phrase."""
    if may_use_active_tab(extension):
        return "where no user starts the extension"
    return f"for {uncovered_pages(extension) or 'pages of the browser'}"
