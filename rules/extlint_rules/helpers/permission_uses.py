"""Finds possible uses of access to hosts, of the active tab, and of tab fields that require a permission."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.script_facts import CallSite
from extlint.analysis.facts.values import ArrayValue, ObjectValue
from extlint.checks.api.manifest_requests import may_grant_active_tab
from extlint.extension import Extension
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.text.patterns import isolated_word_offsets

ACTIVE_TAB = "activeTab"

_PANELS = ("edge_side_panel", "side_panel", "sidebar_action")
_ACTIONS = """
    browserAction captureVisibleTab contextMenus declarativeContent executeScript insertCSS menus omnibox
    onClicked onCommand openPopup pageAction removeCSS scripting sidePanel sidebarAction
""".split()
"""Words that may each relate to a user action on the active tab, or to a call that requires one."""

_KEYS = """
    chrome_settings_overrides content_scripts declarative_net_request devtools_page externally_connectable
    oauth2 side_panel sidebar_action user_scripts web_accessible_resources
""".split()
"""Manifest keys that may use access to hosts."""

_USES = """
    ajax axios captureTab captureVisibleTab contentScripts cookies debugger declarativeNetRequest
    executeScript fetch getJSON insertCSS pageCapture removeCSS scripting tabCapture userScripts webRequest
    XMLHttpRequest
""".split()
"""Words that may each be a use of access to the host of a tab or another one."""

_USES_OF_A_TAB = """
    addHostAccessRequest detectLanguage getMediaStreamId getTargetElement linkUrl onShown pageUrl
    selectionText srcUrl
""".split()
"""More words that may each be a use of access to the host of a tab, besides the fields of tabs."""

_USES_OF_HOSTS = """
    browsingData chooseDesktopMedia contentSettings declarativeContent declarativeWebRequest dns dom downloads
    EventSource favIconUrl history href http https identity iframe Image importScripts offscreen pendingUrl
    permissions proxy Request sendBeacon src title topSites url urls webNavigation WebSocket WebTransport
    webview ws wss
""".split()
"""More words that may each be a use of access to hosts."""


def may_access_active_tab(extension: Extension) -> bool:
    """Whether any code may use access to the host of the active tab, besides reading the fields of the tab.

    The content scripts of Manifest V3 do not count. In Firefox, a click on the button also runs them where no
    user has allowed them, but does so without this permission, too (verified in Firefox 153).
    """
    return any(map(words_of(extension).has, (*_USES, *_USES_OF_A_TAB)))


def may_get_active_tab(extension: Extension) -> bool:
    """Whether a user action may give an extension access to the active tab.

    If no action does, a call that requires it is a different mistake.
    """
    manifest = extension.manifest
    return (
        may_grant_active_tab(manifest)
        or any(manifest.get(key) is not None for key in _PANELS)
        or any(map(words_of(extension).has, _ACTIONS))
    )


def may_use_hosts(extension: Extension) -> bool:
    """Whether code in a package may require access to hosts, judging by words at any location."""
    manifest = extension.manifest
    return any(manifest.get(key) is not None for key in _KEYS) or any(
        map(words_of(extension).has, (*_USES, *_USES_OF_HOSTS))
    )


_FIELDS = (b"url", b"title", b"urls", b"pendingUrl", b"favIconUrl")
_BEFORE_PROPERTIES = frozenset(b".[{,;'\"`")
_SPACE_BYTES = 64
"""The number of bytes before a name that are first searched for a character other than a space."""

_FILTERED = (("tabs", "query"), ("tabs", "onUpdated", "addListener"))
"""Calls whose arguments filter tabs by these fields."""


def reads_tab_fields(extension: Extension) -> bool:
    """Whether the name of such a field occurs where it may be a property that is read.

    A property in the arguments of an API call (`tabs.create({url})`) is not read.
    """
    in_arguments: set[tuple[str, int]] = set()
    for script in extension.scripts:
        keys = _keys_in_arguments(extension, *script.location)
        in_arguments.update((script.path, at + script.base) for at in keys)
    words = words_of(extension)
    return any(
        (path, at) not in in_arguments and _may_be_property(text, at)
        for path, (text, _) in words.texts.items()
        for field in _FIELDS
        for at in isolated_word_offsets(field, text)
    )


def _may_be_property(text: bytes, at: int) -> bool:
    """Whether the name at an offset may be a property's: it starts a line or follows a punctuation mark."""
    length = _SPACE_BYTES
    while not (stem := text[max(0, at - length) : at].rstrip()) and length < at:
        length *= 2
    space = text[max(0, at - length) + len(stem) : at]
    return not stem or stem[-1] in _BEFORE_PROPERTIES or b"\n" in space


@query(is_kept=True, is_of_package=True)
def _keys_in_arguments(extension: Extension, path: str, base: int) -> frozenset[int]:
    return frozenset(at for call in extension.facts_at(path, base).calls for at in _argument_keys(call))


def _argument_keys(call: CallSite) -> Iterator[int]:
    """Yields the positions of the object keys in the arguments of a call."""
    if call.path in _FILTERED:
        return
    waiting = [*call.arguments]
    while waiting:
        value = waiting.pop()
        if isinstance(value, ArrayValue):
            waiting += value.items
        elif isinstance(value, ObjectValue):
            yield from (field.key[0] for field in value.fields.values() if field.key is not None)
            waiting += [field.value for field in value.fields.values()]
