"""Determines the occasions in ordinary use on which calls for tabs and pages fail."""

from __future__ import annotations

from collections.abc import Mapping

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.occasions import MENU_NAMESPACES, Occasion, Origin
from extlint.analysis.facts.script_facts import ApiPath, CallSite, Reference
from extlint.analysis.facts.values import (
    UNKNOWN,
    ApiResult,
    Kind,
    Literal,
    ObjectValue,
    Value,
    is_nullish,
    options_of,
)
from extlint.checks.reachability.occasions import occasions_of
from extlint.extension import Extension, Script
from extlint.queries.query import query
from extlint_rules.helpers.host_access import may_access_hosts
from extlint_rules.helpers.message_receivers import SINGLETON_KINDS, kinds_of, listener_contexts

SENDING: ApiPath = ("tabs", "sendMessage")
_BROADCASTING: ApiPath = ("runtime", "sendMessage")
_QUERY: ApiPath = ("tabs", "query")
_ACTIVE = Literal(Kind.NULL)
"""The tab of a call that names none."""

_IDS: Mapping[ApiPath, frozenset[tuple[int, tuple[str, ...]]]] = {
    _QUERY: frozenset({(0, ("[]", "id"))}),
    ("action", "onClicked"): frozenset({(0, ("id",))}),
    ("browserAction", "onClicked"): frozenset({(0, ("id",))}),
    ("commands", "onCommand"): frozenset({(1, ("id",))}),
    ("contextMenus", "onClicked"): frozenset({(1, ("id",))}),
    ("menus", "onClicked"): frozenset({(1, ("id",))}),
    ("tabs", "onActivated"): frozenset({(0, ("tabId",))}),
    ("tabs", "onUpdated"): frozenset({(0, ()), (2, ("id",))}),
}
"""The parts of results that are ids of tabs with any page: the index of an argument, and the steps in it."""

_ANY_PAGE = frozenset({("tabs", "onActivated"), ("tabs", "onUpdated")})
"""The events that come for any page, even if the button and the menu are only for some."""

_MESSAGES = frozenset(
    {("runtime", name) for name in ("onConnect", "onConnectExternal", "onMessage", "onMessageExternal")}
)
_SENDERS = frozenset((space, name) for space in ("runtime", "tabs") for name in ("connect", "sendMessage"))
_INJECTING = frozenset((space, "executeScript") for space in ("scripting", "tabs"))
_LIMITING = frozenset(
    (space, name) for space in ("action", "browserAction", "pageAction") for name in ("disable", "show")
)
_FILTERS = frozenset({"title", "url"})
_IN_TABS = frozenset({ContextKind.CONTENT_SCRIPT})
_CLOSABLE = frozenset({ContextKind.DEVTOOLS_PAGE, ContextKind.EXTENSION_PAGE})


def occasion_of_failure(
    extension: Extension, script: Script, call: CallSite, reference: Reference
) -> str | None:
    """Returns when a call fails in ordinary use, as a clause, or None if it may never fail."""
    if call.open:
        return None
    if call.path == _BROADCASTING:
        is_lost = len(call.arguments) < 3 and _may_be_closed(extension, script, call, reference)
        return "while no page that listens is open" if is_lost else None
    if not _is_any_tab(extension, script, call):
        return None
    if call.path == SENDING:
        return "in tabs where no content script listens, such as pages of the browser"
    return "in tabs with pages of the browser or its store" if may_access_hosts(extension) else None


def _is_any_tab(extension: Extension, script: Script, call: CallSite) -> bool:
    """Whether a call is certainly for tabs that may show any page."""
    ids = [each for each in options_of(_tab_of(call)) if not is_nullish(each)]
    if not all(isinstance(each, ApiResult) and _is_id(each) for each in ids):
        return False
    sources = {each.path for each in ids if isinstance(each, ApiResult)} or {_QUERY}
    if not sources <= _ANY_PAGE and _limits_button(extension):
        return False
    if any(each[0] in MENU_NAMESPACES for each in sources) and _limits_menus(extension):
        return False
    occasions = occasions_of(extension, script, call)
    if any(each.event in _MESSAGES for each in occasions) and _any_calls(extension, _IN_TABS, _SENDERS):
        return False
    queries = (each for each in script.facts.calls if each.path == _QUERY)
    return _QUERY not in sources or not (any(map(_may_filter, queries)) or any(map(_is_unknown, occasions)))


def _tab_of(call: CallSite) -> Value:
    """Returns the id of the tab that a call is for, or null for the active one."""
    first = call.arguments[0] if call.arguments else UNKNOWN
    if call.path[0] == "tabs":
        return _ACTIVE if isinstance(first, ObjectValue) and call.path != SENDING else first
    target = first.fields.get("target") if isinstance(first, ObjectValue) else None
    tab = target.value.fields.get("tabId") if target and isinstance(target.value, ObjectValue) else None
    return UNKNOWN if tab is None else tab.value


def _is_id(value: ApiResult) -> bool:
    return (value.index, value.steps) in _IDS.get(value.path, ())


def _may_filter(call: CallSite) -> bool:
    """Whether a call may ask only for tabs with certain pages."""
    wanted = call.arguments[0] if call.arguments else UNKNOWN
    return not isinstance(wanted, ObjectValue) or wanted.open or not _FILTERS.isdisjoint(wanted.fields)


def _is_unknown(occasion: Occasion) -> bool:
    """Whether code may run for any reason: perhaps for the content script in the active tab."""
    return occasion.origin in (Origin.SHARED, Origin.UNKNOWN)


def _may_be_closed(extension: Extension, script: Script, call: CallSite, reference: Reference) -> bool:
    """Whether only pages get a message, on an occasion on which none of them may be open."""
    found, senders = listener_contexts(extension, "onMessage"), kinds_of(extension, script, reference)
    if found is None or not (senders <= SINGLETON_KINDS or senders == {ContextKind.CONTENT_SCRIPT}):
        return False
    is_background = senders <= SINGLETON_KINDS
    reached = found.reachable_by_runtime - (SINGLETON_KINDS if is_background else frozenset())
    if not reached or not reached <= _CLOSABLE:
        return False
    sending = {
        each.event in _MESSAGES for each in occasions_of(extension, script, call) if not _is_unknown(each)
    }
    causes = {True: _SENDERS, False: frozenset() if is_background else _INJECTING}
    return any(not _any_calls(extension, _CLOSABLE, causes[each]) for each in sending)


def _any_calls(extension: Extension, kinds: frozenset[ContextKind], paths: frozenset[ApiPath]) -> bool:
    """Whether a script in a context of one of some kinds calls one of some members."""
    return any(
        call.path in paths
        for script in extension.scripts
        if any(each.kind in kinds for each in script.all_contexts or script.contexts)
        for call in script.facts.calls
    )


@query(is_kept=True)
def _limits_button(extension: Extension) -> bool:
    """Whether the extension has a button that only some pages have."""
    return extension.manifest.get("page_action") is not None or any(
        each.path[:1] == ("declarativeContent",) or each.path in _LIMITING
        for script in extension.scripts
        for each in script.facts.references
    )


@query(is_kept=True)
def _limits_menus(extension: Extension) -> bool:
    """Whether the extension may have menu items for some pages only."""
    return any(b"documentUrlPatterns" in script.index.text for script in extension.scripts)
