"""Determines whether anything in a package may use access to hosts.

Content scripts that the manifest lists require only their own match patterns. Their requests have the access
of the extension only in Firefox, and there only in Manifest V2 (ExtensionContent.sys.mjs of Firefox 153).
Firefox also lets them read what a canvas has of other hosts.
"""

from __future__ import annotations

from collections.abc import Iterable

from extlint.analysis.facts.context import WEB_PAGE_CONTEXTS
from extlint.extension import Extension
from extlint.package.files import UnreadableError
from extlint.package.suffixes import STYLES, has_suffix, is_page
from extlint.project.contexts.html import read_tags
from extlint.project.contexts.words import Words, words_of
from extlint.text.patterns import lazy
from extlint_rules.helpers.permission_uses import REQUESTS, USES, USES_OF_A_TAB, may_read_hidden_fields

_KEYS = """
    chrome_settings_overrides declarative_net_request devtools_page externally_connectable oauth2 user_scripts
""".split()
"""Manifest keys that may use access to hosts."""

_READS = """
    captureStream createImageBitmap createMediaElementSource createPattern cssRules drawImage getImageData
    mozCaptureStream texImage2D toBlob toDataURL
""".split()
"""Words that may each read what an element in a page has of other hosts."""

_APIS = """
    automation browsingData chooseDesktopMedia contentSettings declarativeContent declarativeWebRequest
    dns dom downloads history iconUrl identity imageUrl isAllowedFileSchemeAccess offscreen permissions
    proxy topSites wallpaper webNavigation webview
""".split()
"""More words for members of the API that may each be a use of access to hosts."""

_LOADS = """
    Audio backgroundImage caches createContextualFragment cssText DOMParser FontFace href http https
    iframe Image importScripts innerHTML insertAdjacentHTML insertRule outerHTML Request sendBeacon src
    srcdoc srcset WebSocket WebTransport ws wss
""".split()
"""Words that may each load something from a host."""

_REMOTE = lazy(rb"(?i)(?:https?|wss?):|^\s*//")
_REMOTE_STYLE = lazy(rb"(?i)(?:\burl\(|@import)\s*[\"']?\s*(?:https?:)?//")
_NOT_LOADING = (b"a", b"meta")
"""Elements that load nothing."""


def may_use_hosts(extension: Extension) -> bool:
    """Whether code in a package may require access to hosts, judging by words at any location.

    A script that runs only in web pages does so with its own reads, and in Manifest V2 with its requests.
    """
    words, others = words_of(extension), _outside_of_web_pages(extension)
    loading = [path for path in others if not _is_plain_page(extension, path)]
    requesting = words.texts if extension.manifest_version == 2 else others
    return (
        any(extension.manifest.get(key) is not None for key in _KEYS)
        or _has_any(words, words.texts, _READS)
        or _has_any(words, requesting, REQUESTS)
        or _has_any(words, others, (*USES, *USES_OF_A_TAB, *_APIS))
        or _has_any(words, loading, _LOADS)
        or any(_loads_remote(words, path) for path in others if path not in loading)
        or any(
            _has_remote_style(extension, path) for path in extension.package.paths if has_suffix(path, STYLES)
        )
        or may_read_hidden_fields(extension)
    )


def may_access_active_tab(extension: Extension) -> bool:
    """Whether any code may use access to the host of the active tab, besides reading the fields of the tab.

    The content scripts of Manifest V3 do not count. In Firefox, a click on the button also runs them where no
    user has allowed them, but does so without this permission, too (verified in Firefox 153). Nor do requests
    of content scripts: those to the host of their tab require no access.
    """
    words = words_of(extension)
    return _has_any(words, _outside_of_web_pages(extension), REQUESTS) or any(
        map(words.has, (*USES, *USES_OF_A_TAB))
    )


def _has_any(words: Words, paths: Iterable[str], names: Iterable[str]) -> bool:
    return any(True for path in paths for name in names for _ in words.places_in(path, name))


def _outside_of_web_pages(extension: Extension) -> list[str]:
    """Returns the files with words, except those whose scripts are known to run, and only in web pages."""
    kinds: dict[str, set[object]] = {}
    for script in extension.scripts:
        found = {each.kind for each in (*script.contexts, *script.all_contexts)}
        kinds.setdefault(script.path, set()).update(found or {None})
    return [path for path in words_of(extension).texts if not kinds.get(path, {None}) <= WEB_PAGE_CONTEXTS]


def _is_plain_page(extension: Extension, path: str) -> bool:
    """Whether a file is a page without code of its own."""
    return is_page(path) and not any(script.path == path for script in extension.scripts)


def _has_remote_style(extension: Extension, path: str) -> bool:
    """Whether a style sheet names anything on a host: a font may require access."""
    try:
        return _REMOTE_STYLE.search(extension.package.read(path)) is not None
    except UnreadableError:
        return True


def _loads_remote(words: Words, path: str) -> bool:
    """Whether the markup of a page loads anything from a host."""
    text = words.without_comments(path)
    values = (
        text[start:end]
        for tag in read_tags(text, path)
        if tag.name not in _NOT_LOADING
        for name, (start, end) in tag.attributes.items()
        if not name.startswith(b"xmlns")
    )
    return any(map(_REMOTE.search, values)) or _REMOTE_STYLE.search(text) is not None
