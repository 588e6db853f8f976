"""Finds permissions in the manifest that are not used anywhere in the package.

## What it does

Checks each entry of `permissions` that some API of Firefox or Chrome requires, and looks for a use of that
API in every script, page and component of the package. A permission is reported only if nothing can use it
in any browser: every script could be read and followed to its end, and everything that the scripts load is
there, except files that do not exist and that nothing may add. If a script passes the API as an object or
keeps it in one, the name of a member counts as a use, too.

Before a build, the files that it makes may be missing, if their sources are there and no other code of the
project may use the API. So may packages of npm, except those that may use the permission: libraries for
extensions, by their names, and any library if the permission is for a feature that web pages have, too, such
as `notifications` and `clipboardWrite`. The message then says that the sources were searched.

`tabs` is required only for the `url`, `pendingUrl`, `title` and `favIconUrl` of tabs. A tab that is sent,
stored or passed to unknown code may be read there, a listener of `tabs.onUpdated` may act on each change,
and one whose options are not known may block requests, so these count as uses. `optional_permissions` and
`optional_host_permissions` are ignored: users may also grant them without a request, in the settings of the
browser.

`activeTab` is reported if no code injects anything, takes pictures, requests an address outside of content
scripts that may be that of the tab, or reads the address or title of a tab, which the permission `tabs` is
enough for, or if nothing lets a user start the extension in a tab: no button, menus, shortcuts or keyword.
`<all_urls>` is enough to inject and request, but not for pictures: those of `activeTab` may also show pages
of the browser. Listeners of requests to requested hosts do not require it either.

A match pattern is reported if no code injects anything, reads pictures or, without `tabs`, the address of a
tab, and nothing may be loaded from its hosts: the address of each request, element and style outside of
content scripts is known at least up to its host, and that is a different one, as are those of
declarativeNetRequest rules that change requests. Links, and the pictures, scripts and style sheets that a
page names, require no access. A host counts as the same if both may belong to one
organization, because a request may be redirected. Content scripts in the manifest require only their own
`matches`.

## Why is this bad

Users are asked to grant the permission, and the Chrome Web Store rejects extensions that request more than
they use.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Clock",
  "version": "1.0",
  "permissions": ["alarms", "cookies"],
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.alarms.create("hour", { periodInMinutes: 60 });
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Clock",
  "version": "1.0",
  "permissions": ["alarms"],
  "background": {"service_worker": "background.js"}
}
```

```js background.js
chrome.alarms.create("hour", { periodInMinutes: 60 });
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from extlint.analysis.facts.script_facts import ApiPath, CallSite
from extlint.analysis.facts.values import Api, ArrayValue, Literal, Value
from extlint.checks.reachability.closed_world import has_all_code_that_exists
from extlint.extension import Extension
from extlint.finding import Finding, Fix, Related
from extlint.manifest.manifest import ALL_URLS, has_key, is_host_pattern
from extlint.project.contexts.words import words_of
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.text.json.values import JsonNode
from extlint.text.wording import quoted
from extlint_schemas import paths_by_permission

RULE = RULES["unused-permission"]

_KEYS = {
    "declarativeNetRequest": "declarative_net_request",
    "declarativeNetRequestWithHostAccess": "declarative_net_request",
    "fileBrowserHandler": "file_browser_handlers",
    "fileSystemProvider": "file_system_provider_capabilities",
    "identity": "oauth2",
    "input": "input_components",
    "sidePanel": "side_panel",
    "storage": "storage",
    "theme": "theme",
    "ttsEngine": "tts_engine",
    "userScripts": "user_scripts",
}
"""Manifest keys that use a permission without any script."""

_MORE_MEMBERS = {
    "contextMenus": "menus",
    "cookies": "contextualIdentities",
    "menus": "contextMenus",
    "tabs": "desktopCapture.chooseDesktopMedia",
    "webRequestAuthProvider": "webRequest.onAuthRequired",
    "webRequestBlocking": "webRequest.filterResponseData",
    "webRequestFilterResponse": "webRequest.filterResponseData",
}
"""Namespaces and members whose use may require a permission, in addition to those that always do."""

_CLIPBOARD = ("clipboard", "clipboardData", "ClipboardItem", "execCommand")
_SIGNS_OF_USE = {
    "clipboardRead": _CLIPBOARD,
    "clipboardWrite": _CLIPBOARD,
    "contextualIdentities": ("cookieStoreId",),
    "cookies": ("cookieStoreId",),
    "desktopCapture": ("chromeMediaSource", "chromeMediaSourceId"),
    "geolocation": ("geolocation",),
    "notifications": ("Notification", "pushManager", "showNotification", "webkitNotifications"),
    "tabCapture": ("chromeMediaSource", "chromeMediaSourceId"),
    "unlimitedStorage": (
        *("caches", "indexedDB", "localStorage", "openDatabase", "storage"),
        *("requestFileSystem", "webkitIndexedDB", "webkitPersistentStorage", "webkitRequestFileSystem"),
    ),
    "webRequestBlocking": (
        *("ASYNCBLOCKING", "ASYNC_BLOCKING", "BLOCKING"),
        *("asyncBlocking", "blocking"),
    ),
}
"""Words that indicate a use anywhere in the source: values, options, and features of web pages."""

_WITHOUT_API = frozenset(
    {
        *("clipboardRead", "geolocation", "tabs", "unlimitedStorage"),
        *("webRequestAuthProvider", "webRequestBlocking", "webRequestFilterResponse"),
    }
)
"""Permissions that no member of the API requires in any browser, but that have signs of use."""

_OPTIONS = 2
"""The index of the options among the arguments of `webRequest.onBeforeRequest.addListener`."""

_UNCHECKED = frozenset({"background"})
"""Permissions that may be used without any sign of it."""

_HOSTS = "host_permissions"


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each permission that no code uses, at the first of its places in a list."""
    manifest = extension.manifest
    for key in ("permissions", _HOSTS):
        listed = manifest.get(key)
        places: dict[str, list[tuple[int, JsonNode]]] = {}
        for at, node in enumerate(() if listed is None else listed.items()):
            if isinstance(node.value, str):
                places.setdefault(node.value, []).append((at, node))
        for name, ((_, node), *others) in places.items():
            if not _is_checked(extension, name, key) or _is_used(extension, name):
                continue
            searched = _searched(extension, name)
            if searched is not None:
                where = f"{searched}{_reason(extension, name)}"
                again = (Related(*manifest.place(each.span), "it is listed again here") for _, each in others)
                yield RULE.at(
                    *manifest.place(node.span),
                    f"the permission {quoted(name)} is not used anywhere in {where}",
                    help=_help(extension, name, key),
                    related=tuple(again),
                    fix=_fix(extension, key, [at for at, _ in places[name]], name),
                )


def _reason(extension: Extension, name: str) -> str:
    """Returns why a permission is unused although something in the package looks like a use."""
    from extlint_rules.helpers.active_tab_uses import may_inject, requests_all_addresses
    from extlint_rules.helpers.permission_uses import ACTIVE_TAB

    if name != ACTIVE_TAB or not requests_all_addresses(extension) or not may_inject(extension):
        return ""
    return f", because {quoted(ALL_URLS)} gives the same access"


def _help(extension: Extension, name: str, key: str) -> str:
    found = f"remove it from {quoted(key)}"
    if is_host_pattern(name) and extension.manifest.get("content_scripts") is not None:
        return f"{found}: content scripts require only their own {quoted('matches')}"
    return found


def _searched(extension: Extension, name: str) -> str | None:
    """Returns where a permission is certainly not used, in the words of messages, or None if it may be."""
    if has_all_code_that_exists(extension):
        return "the package"
    from extlint_rules.helpers.libraries import is_for_extensions
    from extlint_rules.helpers.unbuilt_sources import is_unused_in_sources, libraries

    keys = (_KEYS[name],) if name in _KEYS else ()
    if not is_unused_in_sources(extension, name, _members(name), _signs(name), keys):
        return None
    sources, found = "the sources of the package", libraries(extension)
    if not found or any(map(is_for_extensions, found)):
        return sources
    return f"{sources}, which import no library for extensions"


def _fix(extension: Extension, key: str, places: Sequence[int], name: str) -> Fix | None:
    """Returns the fix that removes the permission. It is unsafe, because there may be an undetected use.

    None if it is listed twice in a row at the end, where both share a comma.
    """
    from extlint.linting.fixes import manifest_fixes

    fixes, message = manifest_fixes(extension), f'Remove "{name}" from "{key}"'
    found = [] if fixes is None else [fixes.remove((key, at), message, safe=False) for at in places]
    edits = tuple(edit for each in found if each is not None for edit in each.edits)
    if not edits or any(one.span.end > other.span.start for one, other in pairwise(edits)):
        return None
    return Fix(False, edits, message)


def _is_checked(extension: Extension, name: str, key: str) -> bool:
    from extlint_rules.helpers.permission_uses import ACTIVE_TAB

    if is_host_pattern(name):
        return _is_valid_pattern(extension, name)
    is_known = name in _WITHOUT_API or name == ACTIVE_TAB or name in paths_by_permission()
    return key != _HOSTS and name not in _UNCHECKED and is_known


def _is_valid_pattern(extension: Extension, pattern: str) -> bool:
    """Whether the target accepts a pattern of hosts. If not, that is a mistake of its own."""
    from extlint.text.formats.match_pattern import chrome_host_permission_2, firefox

    engine = extension.target.engine
    in_firefox = engine is not Engine.CHROMIUM and firefox(pattern) is None
    return in_firefox or (engine is not Engine.GECKO and chrome_host_permission_2(pattern) is None)


def _is_used(extension: Extension, name: str) -> bool:
    from extlint_rules.helpers.active_tab_uses import may_access_active_tab
    from extlint_rules.helpers.host_uses import may_use_host
    from extlint_rules.helpers.permission_uses import (
        ACTIVE_TAB,
        may_get_active_tab,
        may_read_hidden_fields,
        requests_tabs,
    )
    from extlint_rules.helpers.used_members import may_use_any

    if is_host_pattern(name):
        return may_use_host(extension, name)
    if name == ACTIVE_TAB:
        return may_get_active_tab(extension) and (
            may_access_active_tab(extension)
            or (not requests_tabs(extension) and may_read_hidden_fields(extension))
        )
    key = _KEYS.get(name)
    words = words_of(extension)
    return (
        (key is not None and has_key(extension.manifest, key))
        or may_use_any(extension, _members(name))
        or any(map(words.has, _signs(name)))
        or (name == "tabs" and may_read_hidden_fields(extension))
        or (name == "webRequestBlocking" and any(map(_may_block, _calls(extension))))
    )


def _members(permission: str) -> frozenset[ApiPath]:
    from extlint_rules.helpers.host_uses import MEMBERS_WITH_ACCESS
    from extlint_rules.helpers.permission_uses import ACTIVE_TAB
    from extlint_rules.helpers.used_members import paths_of

    if permission == ACTIVE_TAB or is_host_pattern(permission):
        return MEMBERS_WITH_ACCESS
    return (
        paths_by_permission().get(permission, frozenset()).union(paths_of(_MORE_MEMBERS.get(permission, "")))
    )


def _signs(permission: str) -> Sequence[str]:
    from extlint_rules.helpers.host_uses import SIGNS_OF_ACCESS, SIGNS_OF_REQUESTS
    from extlint_rules.helpers.permission_uses import ACTIVE_TAB

    if permission == ACTIVE_TAB:
        return SIGNS_OF_REQUESTS
    return SIGNS_OF_ACCESS if is_host_pattern(permission) else _SIGNS_OF_USE.get(permission, ())


def _calls(extension: Extension) -> Iterator[CallSite]:
    return (call for script in extension.scripts for call in script.facts.calls)


def _may_block(call: CallSite) -> bool:
    """Whether a call adds a `webRequest` listener whose options are not all known."""
    if call.path[0] != "webRequest" or call.path[-1] != "addListener":
        return False
    options = call.arguments[_OPTIONS : _OPTIONS + 1]
    return call.open or not all(map(_is_known, options))


def _is_known(options: Value) -> bool:
    if isinstance(options, ArrayValue):
        return not options.open and all(isinstance(each, Literal | Api) for each in options.items)
    return isinstance(options, Literal)
