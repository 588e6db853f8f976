"""Decides whether an extension may have access to a host, also by `activeTab`.

It gives access to the active tab when a user clicks the button of the extension or an item in its menus, uses
one of its shortcuts, or accepts a suggestion in the address bar, until that tab navigates to another site.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from extlint.analysis.facts.events import TAB_ACCESS_FUNCTIONS, Origin
from extlint.analysis.facts.script_facts import ApiPath, CallSite
from extlint.analysis.facts.values import ArrayValue, FunctionValue, Literal, Value
from extlint.checks.api.manifest_requests import may_grant_active_tab
from extlint.checks.other_manifests import may_have_in_other_manifest
from extlint.checks.reachability.closed_world import has_all_loaded_files, has_all_named_files
from extlint.extension import Extension, Script
from extlint.manifest.manifest import ALL_URLS, REQUESTS
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.wording import listed_with_count, quoted

_LISTS = ("permissions", "host_permissions", "optional_permissions")
ACTIONS_ON_HOSTS = frozenset({"modifyHeaders", "redirect"})
"""The actions of rules for requests that require access to the host of the request; others require none."""

_WEB_SCHEMES = ("*://", "<all_urls>", "http://", "https://", "ws://", "wss://")
NAME = lazy(r"[A-Za-z][A-Za-z.]*")
"""A permission name, as opposed to a match pattern."""


def may_access_hosts(extension: Extension, ignored: Container[str] = ()) -> bool:
    """Whether the manifest requests access to hosts, or anything that may be a match pattern.

    Build tools have keys of their own, such as `{{chrome}}.permissions`. Permissions in `besides` are
    ignored.
    """
    manifest = extension.manifest
    keys = [key for key, _ in manifest.members() if "permission" in key or nearest(key, _LISTS) is not None]
    listed = [(name, key) for key in keys for name, _ in manifest.strings(key)]
    return any(
        "host_permission" in key or name == "activeTab" or not NAME.fullmatch(name)
        for name, key in listed
        if name not in ignored
    ) or has_hosts_of_content_scripts(extension)


def host_patterns(extension: Extension) -> Iterator[str]:
    """Yields the match patterns by which the manifest requests access to hosts, also optional ones."""
    manifest = extension.manifest
    keys = [key for key, _ in manifest.members() if "permission" in key]
    yield from (name for key in keys for name, _ in manifest.strings(key) if not NAME.fullmatch(name))
    scripts = manifest.get("content_scripts") if has_hosts_of_content_scripts(extension) else None
    for at, _ in enumerate(() if scripts is None else scripts.items()):
        yield from (name for name, _ in manifest.strings("content_scripts", at, "matches"))


def uncovered_pages(extension: Extension) -> str | None:
    """Returns the web pages that no host permission covers, as a phrase.

    Returns None if the permissions cover all, none or unknown ones.
    """
    from extlint.manifest.host_patterns import may_match_origin, origins_in

    patterns = sorted({*host_patterns(extension)})
    is_everywhere = all(may_match_origin(patterns, each, related=False) for each in origins_in(ALL_URLS))
    if not patterns or is_everywhere or not has_all_requests(extension):
        return None
    return f"pages other than {listed_with_count([*map(quoted, patterns)])}"


def has_hosts_of_content_scripts(extension: Extension) -> bool:
    """Whether the hosts of content scripts count as requested, as in Firefox's Manifest V3.

    Verified by `extlint_judge host-access`.
    """
    manifest = extension.manifest
    return (
        extension.schemas.engine is Engine.GECKO
        and manifest.version == 3
        and manifest.get("content_scripts") is not None
    )


@query(is_kept=True)
def has_all_requests(extension: Extension) -> bool:
    """Whether the manifest certainly has everything that is requested.

    No other manifest requests anything, and no build adds a file, or all its sources are known.
    """
    if may_have_in_other_manifest(extension, *REQUESTS):
        return False
    is_whole = has_all_loaded_files if extension.scripts else has_all_named_files
    if is_whole(extension):
        return True
    from extlint_rules.helpers.unbuilt_sources import has_all_sources

    return has_all_sources(extension)


def are_web_patterns(value: Value) -> bool:
    """Whether a value is a match pattern for the web, or a list of them that is not empty."""
    if isinstance(value, ArrayValue):
        return bool(value.items) and not value.open and all(map(_is_web_pattern, value.items))
    return _is_web_pattern(value)


def _is_web_pattern(value: Value) -> bool:
    return (
        isinstance(value, Literal) and isinstance(value.value, str) and value.value.startswith(_WEB_SCHEMES)
    )


ACTIVE_TAB = "activeTab"

_BUTTONS = ("action", "browser_action", "page_action")

USER_EVENTS = frozenset(
    {
        *((name, "onClicked") for name in ("action", "browserAction", "pageAction", "contextMenus", "menus")),
        ("commands", "onCommand"),
        ("omnibox", "onInputEntered"),
    }
)
"""Events that are actions of the user."""

_START_EVENTS = frozenset({("runtime", "onInstalled"), ("runtime", "onStartup")})
"""Events before which no user can have interacted with the extension since it was loaded."""

_EVENTS_WITHOUT_USER = _START_EVENTS | {
    ("alarms", "onAlarm"),
    *(("tabs", name) for name in ("onActivated", "onCreated", "onUpdated")),
    *(("webNavigation", name) for name in ("onBeforeNavigate", "onCommitted", "onCompleted")),
    *(("webNavigation", name) for name in ("onDOMContentLoaded", "onHistoryStateUpdated")),
}
"""Events unrelated to the extension's user interface."""

_HANDLED = lazy(rb"\s*\.\s*(?:catch|then)\b")


def may_use_active_tab(extension: Extension) -> bool:
    """Whether `activeTab` is the only access to hosts that the manifest requests."""
    return ACTIVE_TAB in extension.manifest.permissions and not may_access_hosts(
        extension, ignored=(ACTIVE_TAB,)
    )


def why_never_granted(extension: Extension, script: Script, call: CallSite) -> str | None:
    """Returns the reason why `activeTab` is not granted when a call is made, as a clause.

    Returns None if it may be.
    """
    if call.path not in TAB_ACCESS_FUNCTIONS:
        return None
    has_interface = _has_user_interface(extension)
    if not may_grant_active_tab(extension.manifest) and not has_interface:
        return "nothing in the manifest lets a user start the extension in a tab"
    events = _events(extension, script, call)
    if not events or _handles_failure(script, call):
        return None
    if events <= _START_EVENTS or (events <= _EVENTS_WITHOUT_USER and not has_interface):
        names = sorted({".".join(each) for each in events})
        return f"no user starts the extension by {' or '.join(f'`{name}`' for name in names)}"
    return None


def _events(extension: Extension, script: Script, call: CallSite) -> frozenset[ApiPath]:
    """Returns the events that trigger a call, or an empty set if it may be made on any other occasion."""
    from extlint.checks.reachability.occasions import occasions_of

    occasions = occasions_of(extension, script, call)
    if any(each.origin is not Origin.EVENT for each in occasions):
        return frozenset()
    return frozenset(each.event for each in occasions)


def _handles_failure(script: Script, call: CallSite) -> bool:
    """Whether the script handles a failure of the call."""
    text = script.index.text
    end = call.arguments_span[1] + script.base
    callbacks = (each.span for each in call.arguments if isinstance(each, FunctionValue))
    return _HANDLED.match(text, end) is not None or any(
        b"lastError" in text[span[0] + script.base : span[1] + script.base]
        for span in callbacks
        if span is not None
    )


@query(is_kept=True)
def _has_user_interface(extension: Extension) -> bool:
    """Whether a user has a reason to start the extension in a tab: a popup, or a listener."""
    manifest = extension.manifest
    return any(manifest.get(key, "default_popup") is not None for key in _BUTTONS) or any(
        path in USER_EVENTS or path[-1] in {"setPopup", "openPopup"} for path in _referenced_paths(extension)
    )


def _referenced_paths(extension: Extension) -> Iterator[ApiPath]:
    return (each.path for script in extension.scripts for each in script.facts.references)
