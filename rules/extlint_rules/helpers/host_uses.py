"""Determines whether anything in a package may use access to a host: by requests to it, or in its tabs.

Content scripts that the manifest lists require only their own match patterns. Their requests have the access
of the extension only in Firefox, and there only in Manifest V2 (ExtensionContent.sys.mjs of Firefox 153).
Firefox also lets them read what a canvas has of other hosts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from extlint.analysis.facts.context import WEB_PAGE_CONTEXTS
from extlint.checks.reachability.possible_loads import unnamed_files
from extlint.extension import Extension
from extlint.manifest.host_patterns import (
    may_match_address,
    requested_host,
)
from extlint.manifest.manifest import is_host_pattern
from extlint.package.files import UnreadableError
from extlint.package.suffixes import STYLES, has_suffix, is_component, is_page
from extlint.project.build_tools import is_generated, is_test_path
from extlint.project.contexts.page_code import read_tags
from extlint.project.contexts.words import Words, words_of
from extlint.project.tools import is_tool_script
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint_rules.helpers.permission_uses import (
    REQUESTS,
    USES,
    USES_OF_A_TAB,
    may_read_hidden_fields,
    requests_tabs,
)
from extlint_rules.helpers.used_members import may_use_any, paths_of

_KEYS = ("chrome_settings_overrides", "user_scripts")
"""Manifest keys that may use access to hosts."""

_READS = """
    captureStream createImageBitmap createMediaElementSource createPattern cssRules drawImage getImageData
    mozCaptureStream texImage2D toBlob toDataURL
""".split()
"""Words that may each read what an element in a page has of other hosts."""

_APIS = paths_of("""
    automation browsingData contentSettings declarativeContent declarativeWebRequest
    desktopCapture.chooseDesktopMedia dns extension.isAllowedFileSchemeAccess offscreen permissions proxy
    topSites wallpaper
""")
"""More members of the API that may each use access to any host.

Downloads, visits, logins and navigations require no host (`extlint_judge host-access`). Nor do developer
tools (verified in Chromium 156, and in the code of Firefox 153).
"""

_WORDS = ("caches", "FontFace", "srcdoc", "webview")
"""Words for features of web pages that may each use access to any host."""

_LOADS = """
    Audio http https iconUrl imageUrl importScripts insertRule Request sendBeacon WebSocket WebTransport ws
    wss
""".split()
"""Words that may each load something from a host, besides the requests."""

_FRAMES = ("embed", "fencedframe", "frame", "iframe", "webview")
_LOADS_OF_FRAMES = """
    backgroundImage createContextualFragment cssText href innerHTML insertAdjacentHTML outerHTML src srcset
""".split()
"""Words for attributes and markup, which may load a page from a host if any code names such an element."""

_REQUESTS_OF_JQUERY = ("get", "getScript", "load", "post")
_LOADS_OF_JQUERY = ("html",)
_JQUERY = lazy(r"(?i)(?:.*/)?jquery(?:[.-]\d[\d.]*\d)?(?:[.-]slim)?(?:[.-]min)?\.js")
_BANNER = lazy(rb"jQuery (?:JavaScript Library )?v\d")
_BANNER_BYTES = 300
"""The first bytes of jQuery, which have its version. It requests what the program passes to its functions."""

MEMBERS_WITH_ACCESS = frozenset((*USES, *USES_OF_A_TAB, *_APIS))
SIGNS_OF_REQUESTS = (*REQUESTS, "$", "jQuery")
SIGNS_OF_ACCESS = (*SIGNS_OF_REQUESTS, *_LOADS, *_READS, *_WORDS)
"""Members and words that may each use access to a host, in code that is not followed."""

_REMOTE = lazy(rb"(?i)^\s*((?:(?:https?|wss?):)?//[^\s,]*)|(?:https?|wss?):[^\s,\"'<>)]*")
_REMOTE_STYLE = lazy(rb"(?i)(?:\burl\(|@import)\s*[\"']?\s*((?:https?:)?//[^\s\"')]*)")
_EMBEDDING = frozenset({b"embed", b"fencedframe", b"frame", b"iframe", b"object", b"webview"})
"""Elements with a document of their own, whose cookies depend on access to its host.

Style sheets, scripts and pictures in pages require no access.
"""

_HOSTS = "host_permissions"
_ANY_ADDRESS = "\0"
"""The address of a request whose address is not known."""

_SCHEME = lazy(r"[a-z-]+:")
_AROUND_NAME = lazy(r"\A(?:\.{0,2}/)*|[?#\0][\s\S]*\Z")
"""The text around the name of a file in a relative address."""


def may_use_host(extension: Extension, pattern: str) -> bool:
    """Whether code in a package may require access to the hosts of a match pattern.

    A script that runs only in web pages does so with its own reads, and in Manifest V2 with its requests. The
    permission `tabs` is enough to read the fields of tabs. Of pictures, only those of the browser itself
    require access.
    """
    if _may_use_any_host(extension):
        return True
    if pattern.startswith("chrome:"):
        return words_of(extension).has(pattern.split("/")[2])
    return any(may_match_address(pattern, each) for each in _loaded_addresses(extension))


@query(is_kept=True)
def _may_use_any_host(extension: Extension) -> bool:
    words, manifest = words_of(extension), extension.manifest
    others = outside_of_web_pages(extension)
    return (
        any(manifest.get(key) is not None for key in _KEYS)
        or _has_any(words, words.texts, _READS)
        or _has_any(words, others, _WORDS)
        or may_use_any(extension, MEMBERS_WITH_ACCESS, others)
        or (not requests_tabs(extension) and may_read_hidden_fields(extension))
    )


@query(is_kept=True)
def _loaded_addresses(extension: Extension) -> frozenset[str]:
    """Returns the addresses of everything that code, pages and rules may load, except that of web pages."""
    words, others = words_of(extension), outside_of_web_pages(extension)
    found = set[str]()
    if extension.manifest.get("declarative_net_request") is not None:
        from extlint_rules.helpers.request_rule_hosts import addresses_of_rules

        found |= addresses_of_rules(extension)
    if extension.manifest_version == 2:
        of_web_pages = words.texts.keys() - others - _jquery(extension)
        found |= requested(extension, of_web_pages, REQUESTS, are_files=False)
    found |= requested(extension, others, REQUESTS)
    frames = _LOADS_OF_FRAMES if _has_any(words, others, _FRAMES) else ()
    found |= requested(extension, others, (*_LOADS, *frames), are_files=False)
    for path in filter(is_page, others):
        found |= _addresses_in_markup(words, path)
    for path in extension.package.paths:
        if has_suffix(path, STYLES):
            found |= _addresses_in_style(extension, path)
    return frozenset(found)


def requested_hosts(extension: Extension) -> list[str]:
    """Returns the match patterns in the key that browsers read in this version of the manifest."""
    key = "permissions" if extension.manifest_version == 2 else _HOSTS
    return [name for name, _ in extension.manifest.strings(key) if is_host_pattern(name)]


def _has_any(words: Words, paths: Iterable[str], names: Iterable[str]) -> bool:
    return any(True for path in paths for name in names for _ in words.places_in(path, name))


def outside_of_web_pages(extension: Extension) -> frozenset[str]:
    """Returns the files with words, except jQuery and those that are known to run only elsewhere, or never.

    They run in web pages, or outside of the extension: its tests, and what builds it and may list its hosts.
    """
    kinds: dict[str, set[object]] = {}
    for script in extension.scripts:
        found = {each.kind for each in (*script.contexts, *script.all_contexts)}
        if found or not (is_test_path(script.path) or is_tool_script(script)):
            kinds.setdefault(script.path, set()).update(found or {None})
        else:
            kinds.setdefault(script.path, set())
    others = words_of(extension).texts.keys() - _jquery(extension) - _in_unused_folders(extension)
    return frozenset(path for path in others if not kinds.get(path, {None}) <= WEB_PAGE_CONTEXTS)


@query(is_kept=True)
def _in_unused_folders(extension: Extension) -> frozenset[str]:
    """Returns the files with code in folders, such as those of libraries, from which nothing is loaded."""
    unnamed = unnamed_files(extension)
    used = {path.partition("/")[0] for path in words_of(extension).texts.keys() - unnamed}
    return frozenset(path for path in unnamed if "/" in path and path.partition("/")[0] not in used)


@query(is_kept=True)
def _jquery(extension: Extension) -> frozenset[str]:
    return frozenset(
        path
        for path, (text, _) in words_of(extension).texts.items()
        if _JQUERY.fullmatch(path) and _BANNER.search(text, 0, _BANNER_BYTES)
    )


def requested(
    extension: Extension, paths: Collection[str], names: Iterable[str], *, are_files: bool = True
) -> frozenset[str]:
    """Returns the addresses of requests at some words in files. Code that is not read may request any.

    `are_files` is true if relative addresses must be those of files in the package.
    """
    words, scripts = words_of(extension), extension.scripts
    if _has_any(words, paths, ("XMLHttpRequest",)):
        names = (*names, "open")
    if _jquery(extension):
        more = _LOADS_OF_JQUERY if "innerHTML" in names else ()
        names = (*names, *_REQUESTS_OF_JQUERY, *more)
    found = set[str]()
    for path in paths:
        present = tuple(each for each in names if _has_any(words, (path,), (each,)))
        own = [each for each in scripts if each.path == path] if present else []
        if present and not is_page(path) and (not own or is_component(path)):
            return frozenset({_ANY_ADDRESS})
        for each in own:
            if is_generated(each):
                return frozenset({_ANY_ADDRESS})
            found |= extension.searches.requested_addresses(each, present)
            if _ANY_ADDRESS in found or (are_files and not all(_may_be_meant(extension, at) for at in found)):
                return frozenset({_ANY_ADDRESS})
    return frozenset(found)


def _may_be_meant(extension: Extension, address: str) -> bool:
    """Whether an address leads to a host, or to a file of the package.

    Any other relative address may have a base that users have to fill in.
    """
    if requested_host(address) != "" or _SCHEME.match(address):
        return True
    name = _AROUND_NAME.sub("", address)
    is_begun = address.endswith(_ANY_ADDRESS)
    return any(name in each if is_begun else each.endswith(name) for each in extension.package.paths)


def _addresses_in_markup(words: Words, path: str) -> set[str]:
    """Returns the addresses on hosts that the markup of a page loads, and that may require access."""
    text = words.without_comments(path)
    values = (
        text[start:end]
        for tag in read_tags(text, path)
        if tag.name in _EMBEDDING
        for name, (start, end) in tag.attributes.items()
        if not name.startswith(b"xmlns")
    )
    found = {(each[1] or each[0]) for value in values for each in _REMOTE.finditer(value)}
    return {each.decode("utf-8", "replace") for each in found.union(_REMOTE_STYLE.findall(text))}


def _addresses_in_style(extension: Extension, path: str) -> set[str]:
    """Returns the addresses on hosts that a style sheet names: a font may require access."""
    try:
        text = extension.package.read(path)
    except UnreadableError:
        return {_ANY_ADDRESS}
    return {each.decode("utf-8", "replace") for each in _REMOTE_STYLE.findall(text)}
