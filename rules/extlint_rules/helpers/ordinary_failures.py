"""Determines the occasions in ordinary use on which calls for tabs and pages fail."""

from __future__ import annotations

from extlint.analysis.facts.context import BACKGROUND_CONTEXTS, ContextKind
from extlint.analysis.facts.events import Origin
from extlint.analysis.facts.script_facts import SENDING, ApiPath, CallSite, Guards, Reference
from extlint.analysis.facts.values import UNKNOWN, ApiResult, ObjectValue, Value, is_nullish, options_of
from extlint.checks.reachability.occasions import occasions_of
from extlint.extension import Extension, Script
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint_rules.helpers.host_access import ACTIVE_TAB, USER_EVENTS, may_access_hosts, uncovered_pages
from extlint_rules.helpers.message_receivers import kinds_of, listener_contexts

_QUERY: ApiPath = ("tabs", "query")
_UPDATED: ApiPath = ("tabs", "onUpdated")
_NAVIGATIONS = frozenset(
    ("webNavigation", name)
    for name in ("onBeforeNavigate", "onCommitted", "onCompleted", "onDOMContentLoaded")
)
_ANY_PAGE = _NAVIGATIONS | {("tabs", "onActivated"), _UPDATED}
"""The events that come for any page, even if the button and the menu are only for some."""

_TABS = _ANY_PAGE | USER_EVENTS | {_QUERY}
_MESSAGES = frozenset(
    {("runtime", name) for name in ("onConnect", "onConnectExternal", "onMessage", "onMessageExternal")}
)
_SENDERS = frozenset((space, name) for space in ("runtime", "tabs") for name in ("connect", "sendMessage"))
_INJECTING = frozenset((space, "executeScript") for space in ("scripting", "tabs"))
_IN_TABS = frozenset({ContextKind.CONTENT_SCRIPT})
_CLOSABLE = frozenset({ContextKind.DEVTOOLS_PAGE, ContextKind.EXTENSION_PAGE})
_UNKNOWN_ORIGINS = frozenset({Origin.SHARED, Origin.UNKNOWN})
_LIMITING = lazy(rb"declarativeContent|documentUrlPatterns|(?:Action|\baction)\s*\??\.\s*(?:disable|show)\b")
"""Code that has the button or a menu item only for some pages."""


def occasion_of_failure(
    extension: Extension, script: Script, call: CallSite, reference: Reference
) -> str | None:
    """Returns when a call fails in ordinary use, as a clause, or None if it may never fail."""
    if call.path == ("runtime", "sendMessage"):
        is_own = len(call.arguments) < 3 or is_nullish(call.arguments[0])
        is_lost = is_own and _may_be_closed(extension, script, call, reference)
        return "while no page that listens is open" if is_lost else None
    if not _is_any_tab(extension, script, call, reference.guards):
        return None
    if call.path == SENDING:
        return "in tabs where no content script listens, such as pages of the browser"
    if not may_access_hosts(extension):
        return None
    is_granted_by_user = ACTIVE_TAB in extension.manifest.permissions
    pages = None if is_granted_by_user else uncovered_pages(extension)
    return f"in tabs with {pages or 'pages of the browser or its store'}"


def _is_any_tab(extension: Extension, script: Script, call: CallSite, guards: Guards) -> bool:
    """Whether a call is certainly for tabs that may show any page."""
    tab = _tab_of(call)
    ids = [] if tab is None else [each for each in options_of(tab) if not is_nullish(each)]
    sources = {each.path for each in ids if isinstance(each, ApiResult)} or {_QUERY}
    if not all(map(_is_id, ids)) or (not sources <= _ANY_PAGE and is_limited(extension)):
        return False
    if any(_is_filtered(extension, each) for each in sources) or (
        guards.open_test and sources & _NAVIGATIONS
    ):
        return False
    occasions = occasions_of(extension, script, call)
    if any(each.event in _MESSAGES for each in occasions) and _any_calls(extension, _IN_TABS, _SENDERS):
        return False
    return _QUERY not in sources or not (
        any(each.path == _QUERY and may_filter(each) for each in script.facts.calls)
        or any(each.origin in _UNKNOWN_ORIGINS for each in occasions)
    )


def _tab_of(call: CallSite) -> Value | None:
    """Returns the id of the tab that a call is for, or None for the active one."""
    first = call.arguments[0] if call.arguments else UNKNOWN
    if call.path[0] == "tabs":
        return None if isinstance(first, ObjectValue) and call.path != SENDING else first
    target = first.fields.get("target") if isinstance(first, ObjectValue) else None
    tab = target.value.fields.get("tabId") if target and isinstance(target.value, ObjectValue) else None
    return UNKNOWN if tab is None else tab.value


def _is_id(value: Value) -> bool:
    """Whether a value is the id of a tab that may show any page."""
    if not isinstance(value, ApiResult) or value.path not in _TABS:
        return False
    return value.steps[-1:] in {("id",), ("tabId",)} or (value.path == _UPDATED and value.index == 0)


def may_filter(call: CallSite) -> bool:
    """Whether a call may ask only for tabs with certain pages."""
    wanted = call.arguments[0] if call.arguments else UNKNOWN
    return (
        not isinstance(wanted, ObjectValue) or wanted.open or not {"title", "url"}.isdisjoint(wanted.fields)
    )


def has_filter(call: CallSite) -> bool:
    """Whether a call that adds a listener may pass a filter, so that the listener gets only some events."""
    return call.open or len(call.arguments) != 1


def _is_filtered(extension: Extension, event: ApiPath) -> bool:
    """Whether some listener of an event may have a filter."""
    return any(
        has_filter(call)
        for script in extension.scripts
        for call in script.facts.calls
        if call.path == (*event, "addListener")
    )


def _may_be_closed(extension: Extension, script: Script, call: CallSite, reference: Reference) -> bool:
    """Whether only pages get a message, on an occasion on which none of them may be open."""
    found, senders = listener_contexts(extension, "onMessage"), kinds_of(extension, script, reference)
    is_background = senders <= BACKGROUND_CONTEXTS
    reached = frozenset() if found is None else found.reachable_by_runtime - senders
    if not (is_background or senders == _IN_TABS) or not reached or not reached <= _CLOSABLE:
        return False
    opening = frozenset() if is_background else _INJECTING
    return any(
        not _any_calls(extension, _CLOSABLE, _SENDERS if each.event in _MESSAGES else opening)
        for each in occasions_of(extension, script, call)
        if each.origin not in _UNKNOWN_ORIGINS
    )


def _any_calls(extension: Extension, kinds: frozenset[ContextKind], paths: frozenset[ApiPath]) -> bool:
    """Whether a script in a context of one of some kinds calls one of some members."""
    return any(
        call.path in paths
        for script in extension.scripts
        if any(each.kind in kinds for each in script.all_contexts or script.contexts)
        for call in script.facts.calls
    )


@query(is_kept=True)
def is_limited(extension: Extension) -> bool:
    """Whether the extension may have its button or a menu item for some pages only."""
    return extension.manifest.get("page_action") is not None or any(
        _LIMITING.search(script.index.text) is not None for script in extension.scripts
    )
