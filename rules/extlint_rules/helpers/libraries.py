"""Permissions that an npm package may use in an extension, by its name, and whether it only builds one."""

from __future__ import annotations

from extlint.extension import Extension
from extlint.manifest.host_patterns import is_of_content_scripts, shares_name
from extlint.manifest.manifest import is_host_pattern
from extlint.project.resolution.project_files import package_name
from extlint.text.patterns import lazy
from extlint_rules.helpers.permission_uses import ACTIVE_TAB

_FOR_EXTENSIONS = lazy(
    r"(?i)(?:^|[^a-z])(?:add-?ons?|bex|chrom|content-?scripts?|crx|extension|extpay|(?:web-?)?ext(?:[^a-z]|$)|firefox"
    r"|mellowtel|mozilla|mv[23]|plasmo|safari|userscript|webext|wext|wxt)|^@?browser[-/]"
    r"|adblock|adguard|cliqz|eyeo|ghostery|inboxsdk|metamask|puppeteer"
)
"""Parts of the names of libraries that may use the API of extensions."""

MESSAGING = "@plasmohq/messaging"
_KNOWN = (
    (lazy(r"wxt|@wxt-dev/.+"), ("favicon", "storage", "unlimitedStorage")),
    (lazy("plasmo"), ("scripting",)),
    (lazy(MESSAGING), ()),
    (lazy("@plasmohq/storage"), ("storage", "unlimitedStorage")),
    (lazy("@tiptap/.+"), ("clipboardRead", "clipboardWrite")),
    (lazy("webext-base-css"), ()),
    (lazy("webext-options-sync"), ("storage",)),
)
"""Libraries for extensions, with the permissions that they may require."""

_RENDERING = lazy(r"(?:p?react|react-dom|svelte|vue)(?:/.+)?")
"""Libraries that only render pages, and use no permission for it."""

_BUILD_DEPENDENCY = lazy(
    r"@types/.+|webextension-polyfill(?:-ts)?|chrome-promise|web-ext"
    r"|(?:@|.*[/-])?(?:webpack|rollup|vite|parcel|babel|eslint)(?:[/-].+)?"
    r"|.*-(?:cli|loader|plugin|types)"
)
"""Packages that only build or check an extension, and the wrapper whose uses are followed."""

_REQUESTING = lazy(
    r"ajax|api|apollo|axios|client|fetch|firebase|got|graphql|http|ky|query|request|rpc|sdk|socket|superagent|supabase"
    r"|swr|urql"
)
"""Parts of the names of libraries that may make requests."""

_OF_WEB_PAGES = frozenset(
    {"clipboardRead", "clipboardWrite", "geolocation", "notifications", "unlimitedStorage"}
)
"""Permissions for features of web pages, which any library may use."""

_WORD = lazy(r"[a-z0-9]+")


def may_use(extension: Extension, library: str, permission: str) -> bool:
    """Whether code in a library may require a permission, by the name in an import."""
    name = package_name(library)
    for names, permissions in _KNOWN:
        if names.fullmatch(name):
            return permission in permissions
    if is_for_extensions(library):
        return True
    if _RENDERING.fullmatch(library):
        return False
    if permission == "storage":
        return permission in name
    if permission in _OF_WEB_PAGES:
        return True
    is_host = is_host_pattern(permission)
    if is_host and not is_of_content_scripts(extension.manifest, permission):
        return True
    if is_host and any(shares_name(permission, each) for each in _WORD.findall(name.lower())):
        return True
    return (is_host or permission == ACTIVE_TAB) and _REQUESTING.search(name) is not None


def is_known(library: str) -> bool:
    """Whether it is known which permissions a library for extensions may require."""
    return any(names.fullmatch(package_name(library)) for names, _ in _KNOWN)


def is_for_extensions(library: str) -> bool:
    """Whether a library may use the API of extensions, by the name in an import."""
    is_for_build = _BUILD_DEPENDENCY.fullmatch(package_name(library)) is not None
    return not is_for_build and _FOR_EXTENSIONS.search(library) is not None
