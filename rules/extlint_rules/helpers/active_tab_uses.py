"""Determines whether anything in a package may use access to the host of the active tab."""

from __future__ import annotations

from extlint.analysis.facts.script_facts import ApiPath, CallSite
from extlint.analysis.facts.values import ArrayValue, Literal, ObjectValue
from extlint.checks.reachability.closed_world import may_be_named
from extlint.extension import Extension
from extlint.manifest.host_patterns import (
    ANY_NAME,
    Origin,
    may_match_address,
    may_match_origin,
    origins_in,
    requested_host,
    sites_of_content_scripts,
)
from extlint.manifest.manifest import ALL_URLS
from extlint.schema.engine import Engine
from extlint_rules.helpers.host_uses import (
    outside_of_web_pages,
    requested,
    requested_hosts,
)
from extlint_rules.helpers.permission_uses import REQUESTS, USES, USES_OF_A_TAB
from extlint_rules.helpers.used_members import may_use_any, paths_of

_OF_ALL_HOSTS = frozenset(
    paths_of("""
    contentScripts cookies declarativeNetRequest scripting tabs.executeScript tabs.insertCSS tabs.removeCSS
    userScripts webRequest
""")
)
"""Uses of access to hosts for which `<all_urls>` is enough. Pictures may also show pages of the browser."""

_WEB_REQUEST = ("webRequest",)


def may_access_active_tab(extension: Extension) -> bool:
    """Whether any code may use access to the host of the active tab, besides reading the fields of the tab.

    The content scripts of Manifest V3 do not count. In Firefox, a click on the button also runs them where no
    user has allowed them, but does so without this permission, too (verified in Firefox 153). Nor do requests
    of content scripts: those to the host of their tab require no access.

    `<all_urls>` gives the same access. Where a user withholds it, a click gives it, too (verified in Chromium
    156; ext-tabs-base.js of Firefox 153).
    """
    uses = {*USES, *USES_OF_A_TAB}
    if requests_all_addresses(extension):
        uses -= _OF_ALL_HOSTS
    if _listens_only_to_requested_hosts(extension):
        uses -= {_WEB_REQUEST}
    return may_use_any(extension, uses) or any(
        _may_require_tab(extension, each)
        for each in requested(extension, outside_of_web_pages(extension), REQUESTS)
    )


def _listens_only_to_requested_hosts(extension: Extension) -> bool:
    """Whether every listener of requests has a known filter, which the host permissions cover."""
    calls, events = set[ApiPath](), set[ApiPath]()
    for script in extension.scripts:
        facts = script.facts
        events |= {each.path[:2] for each in (*facts.references, *facts.possible_references)}
        calls |= {call.path[:2] for call in facts.calls if call.path[-1] == "addListener"}
        if not all(_is_covered(extension, call) for call in facts.calls if call.path[0] == _WEB_REQUEST[0]):
            return False
    events = {each for each in events if each[0] == _WEB_REQUEST[0] and len(each) > 1}
    return events <= calls and not may_be_named(extension, _WEB_REQUEST)


def _is_covered(extension: Extension, call: CallSite) -> bool:
    """Whether a call adds a listener of requests to requested hosts."""
    options = call.arguments[1] if call.path[-1] == "addListener" and len(call.arguments) > 1 else None
    field = options.fields.get("urls") if isinstance(options, ObjectValue) and not call.open else None
    if field is None or not isinstance(field.value, ArrayValue) or field.value.open:
        return False
    hosts = requested_hosts(extension)
    origins = [
        [*origins_in(str(each.value))] if isinstance(each, Literal) else [] for each in field.value.items
    ]
    return all(origins) and all(
        may_match_origin(hosts, one, related=False) for each in origins for one in each
    )


def may_inject(extension: Extension) -> bool:
    """Whether code may use access that `<all_urls>` and `activeTab` both give."""
    return may_use_any(extension, _OF_ALL_HOSTS)


def requests_all_addresses(extension: Extension) -> bool:
    """Whether the manifest requests `<all_urls>`, outside of Safari, which asks users for each site."""
    return extension.target.engine is not Engine.WEBKIT and ALL_URLS in requested_hosts(extension)


def _requests_every_site(extension: Extension) -> bool:
    hosts = [each for each in requested_hosts(extension) if any(origins_in(each))]
    sites = (Origin("http", f"{ANY_NAME}.example", "80"), Origin("https", f"{ANY_NAME}.example", "443"))
    return all(may_match_origin(hosts, each, related=False) for each in sites)


def _may_require_tab(extension: Extension, address: str) -> bool:
    """Whether a request may be to the host of the active tab, and no host permission allows it.

    One to a known host is so only if content scripts are for this host: the extension is then for its pages.
    """
    host = requested_host(address)
    if not host:
        return host is None and not _requests_every_site(extension)
    if may_match_origin(requested_hosts(extension), Origin("https", host, "443"), related=False):
        return False
    return any(may_match_address(each, address) for each in sites_of_content_scripts(extension.manifest))
