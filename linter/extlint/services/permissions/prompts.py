"""The prompts of browsers for the permissions that a manifest requests, and the lookup of one permission.

Which permissions cause a prompt is a fact of the browsers (`extlint_schemas.permission_prompts`). The effects
of host patterns and keys were also verified in Firefox 153 and Chromium 156:

* Both prompt for the hosts of content scripts as for those that are requested.
* A pattern with any host, or any host of a top-level domain (`https://*.com/*`), has the prompt of
  `<all_urls>`, whatever its scheme. Chromium shows no prompt for `file:` addresses.
* `devtools_page` causes a prompt: in Chromium that of `<all_urls>`, in Firefox that of the permission
  `devtools`.
* In Manifest V3, Firefox prompts for hosts when an extension is installed, and never for an update that
  requests more of them.

The ability that a permission grants is a phrase that begins with a verb.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum

from msgspec import Struct

from extlint.checks.manifest_values.known_keys import permissions_of, targets_with_permission
from extlint.manifest.manifest import ALL_URLS, Manifest, is_host_pattern
from extlint.schema.engine import Engine
from extlint.schema.targets import FACTS_OF, browser_name, engine_of
from extlint.schema.validation.browser_differences import VERSIONS
from extlint.services.api_lookup.page import fact, facts_by_value
from extlint.text.positions import START, Span
from extlint.text.wording import listed, quoted
from extlint_schemas import paths_by_permission, permission_prompts


class Kind(Enum):
    """The way something is requested. JSON output has the value."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    CONTENT_SCRIPT = "content script"
    KEY = "key"


class Request(Struct, frozen=True):
    """A permission or host pattern, and its location in the manifest.

    For a manifest key that implies a permission, `name` is the key: `devtools_page`.
    """

    name: str
    kind: Kind
    span: Span

    @property
    def is_host(self) -> bool:
        """Whether it is a host pattern."""
        return is_host_pattern(self.name)


_LISTS = (
    ("permissions", Kind.REQUIRED),
    ("host_permissions", Kind.REQUIRED),
    ("optional_permissions", Kind.OPTIONAL),
    ("optional_host_permissions", Kind.OPTIONAL),
)
_KEYS = ("devtools_page",)
"""Keys for which browsers prompt the user."""


def requests_of(manifest: Manifest) -> Iterator[Request]:
    """Yields everything that a manifest requests, list by list. A name occurs once for each kind."""
    seen: set[tuple[str, Kind]] = set()
    for name, kind, span in _all_requests(manifest):
        if (name, kind) not in seen:
            seen.add((name, kind))
            yield Request(name, kind, span)


def _all_requests(manifest: Manifest) -> Iterator[tuple[str, Kind, Span]]:
    for key, kind in _LISTS:
        for name, node in manifest.strings(key):
            yield name, kind, manifest.span(node.span)
    found = manifest.get("content_scripts")
    for number, _ in enumerate(() if found is None else found.items()):
        for name, node in manifest.strings("content_scripts", number, "matches"):
            yield name, Kind.CONTENT_SCRIPT, manifest.span(node.span)
    for key, member in manifest.members():
        if key in _KEYS:
            yield key, Kind.KEY, manifest.span(member.key)


_EVERY_SITE = "read and change everything on every site"

_ABILITIES: Mapping[str, str] = {
    ALL_URLS: _EVERY_SITE,
    "accessibilityFeatures.modify": "change accessibility settings",
    "accessibilityFeatures.read": "read accessibility settings",
    "bookmarks": "read and change bookmarks",
    "browserSettings": "read and change settings of the browser",
    "browsingData": "delete the history, cookies and other stored data",
    "clipboardRead": "read the clipboard",
    "clipboardWrite": "write to the clipboard",
    "contentSettings": "change what sites may do, such as using the camera",
    "debugger": f"attach the debugger to tabs, and {_EVERY_SITE}",
    "declarativeNetRequest": "block requests of any page",
    "declarativeNetRequestFeedback": "see the addresses of visited pages",
    "desktopCapture": "record the screen",
    "devtools": "read the data of tabs through the developer tools",
    "downloads": "manage downloads",
    "downloads.open": "open downloaded files",
    "favicon": "read the icons of visited sites",
    "find": "read the text of open tabs",
    "geolocation": "find out the location",
    "history": "read and change the browsing history",
    "identity.email": "find out the email address",
    "management": "manage other extensions and themes",
    "nativeMessaging": "exchange messages with other programs",
    "notifications": "show notifications",
    "pkcs11": "provide certificates and keys",
    "privacy": "read and change privacy settings",
    "processes": "see the addresses of visited pages",
    "proxy": "control the proxy of the browser",
    "readingList": "read and change the reading list",
    "sessions": "see recently closed tabs",
    "system.storage": "see and eject storage devices",
    "tabGroups": "see and manage groups of tabs",
    "tabHide": "hide and show tabs",
    "tabs": "see the addresses and titles of tabs",
    "topSites": "see the most visited sites",
    "trialML": "download and run machine learning models",
    "ttsEngine": "read all text that is spoken aloud",
    "userScripts": "run scripts of others on sites",
    "webNavigation": "follow the navigation of tabs",
}


def describe_group(first: str, group: Sequence[str]) -> str:
    """Describes the ability that a group of permissions grants, by the first of them."""
    return _EVERY_SITE if ALL_URLS in group else _ABILITIES.get(first, f"use the permission {quoted(first)}")


def describe_host(pattern: str) -> str:
    """Describes the ability that a host pattern grants: `https://*.example.com/*`."""
    host = pattern.partition("://")[2].partition("/")[0]
    if host.startswith("*."):
        return f"read and change everything on {host[2:]} and its subdomains"
    return f"read and change everything on {host}"


ONE_SITE = "https://example.com/*"
"""The pattern that represents all single-site patterns in the facts."""


def prompts_at_installation(engine: Engine, requests: Iterable[Request]) -> tuple[str, ...]:
    """Returns the prompts at installation, each as a phrase that begins with a verb, sorted."""
    return tuple(sorted(_phrases(engine, requests)))


def prompts_at_update(
    engine: Engine, version: int, before: Iterable[Request], after: Iterable[Request]
) -> tuple[str, ...]:
    """Returns the prompts before an update can run. `version` is that of the new manifest."""
    old, new = list(before), list(after)
    if engine is Engine.GECKO and version >= 3:
        new = [each for each in new if not each.is_host]
    return tuple(sorted(_phrases(engine, [*old, *new]) - _phrases(engine, old)))


def prompt_for(engine: Engine, request: Request) -> str | None:
    """Returns the prompt that one request causes, or None."""
    return next(iter(_phrases(engine, [request], include_optional=True)), None)


def _phrases(engine: Engine, requests: Iterable[Request], *, include_optional: bool = False) -> set[str]:
    facts = permission_prompts(FACTS_OF[engine])
    first_of = {name: first for first, names in facts.groups.items() for name in names}
    relevant_requests = [each for each in requests if include_optional or each.kind is not Kind.OPTIONAL]
    requested_groups = {
        first_of[name] for each in relevant_requests for name in _names(engine, each) if name in first_of
    }
    shown = {name for name in requested_groups if requested_groups.isdisjoint(facts.covered.get(name, ()))}
    phrases = {describe_group(name, facts.groups[name]) for name in shown - {ONE_SITE}}
    if ONE_SITE in shown:
        phrases |= {
            describe_host(each.name) for each in relevant_requests if ONE_SITE in _names(engine, each)
        }
    return phrases


def _names(engine: Engine, request: Request) -> Iterator[str]:
    """Yields the names in the facts that a request corresponds to."""
    if request.kind is Kind.KEY:
        yield "devtools" if engine is Engine.GECKO else ALL_URLS
    elif not request.is_host:
        yield request.name
    elif is_every_site(request.name):
        yield ALL_URLS
    elif not request.name.startswith("file:"):
        yield ONE_SITE


def is_every_site(pattern: str) -> bool:
    """Whether a host pattern has the prompt for all sites."""
    if pattern == ALL_URLS:
        return True
    scheme, _, rest = pattern.partition("://")
    host = rest.partition("/")[0]
    return scheme != "file" and (host == "*" or (host.startswith("*.") and "." not in host[2:]))


LISTS = ("permissions", "optional_permissions")


class KnownPermission(Struct, frozen=True):
    """A permission: the manifest lists that accept it, by target, and the members that require it, sorted.

    `prompts` has the user prompt of each target. Targets without a prompt are missing.
    """

    name: str
    lists: Mapping[str, tuple[str, ...]]
    members: tuple[str, ...]
    prompts: Mapping[str, str]


def known_permissions(targets: Sequence[str]) -> tuple[str, ...]:
    """Returns the permissions that any of these targets accepts, sorted."""
    schemas = (f"manifests/{target}_{version}" for target in targets for version in VERSIONS)
    return tuple(sorted({name for each in schemas for key in LISTS for name in permissions_of(each, key)}))


def find_permission(name: str, targets: Sequence[str]) -> KnownPermission | None:
    """Returns a permission by its name, or None if it is unknown to all of these targets."""
    lists: dict[str, tuple[str, ...]] = {}
    prompts: dict[str, str] = {}
    for target in targets:
        taking = tuple(key for key in LISTS if target in targets_with_permission(name, key))
        if not taking:
            continue
        lists[target] = taking
        engine = engine_of(target)
        if engine is not None and engine in FACTS_OF:
            prompt = prompt_for(engine, Request(name, Kind.REQUIRED, START))
            prompts |= {} if prompt is None else {target: prompt}
    if not lists:
        return None
    members = tuple(sorted(".".join(path) for path in paths_by_permission().get(name, ())))
    return KnownPermission(name, lists, members, prompts)


def permission_page(permission: KnownPermission) -> str:
    """Returns all facts about one permission."""
    return "\n".join([f"the permission {permission.name}", "", *_facts(permission)]) + "\n"


def _facts(permission: KnownPermission) -> Iterator[str]:
    return (fact(*each) for each in permission_facts(permission))


def permission_facts(permission: KnownPermission) -> Iterator[tuple[str, str]]:
    """Yields everything known about a permission, each fact with a label."""
    yield "Targets", ", ".join(map(browser_name, permission.lists))
    yield from facts_by_value(
        "Lists", {target: listed(keys, "and") for target, keys in permission.lists.items()}
    )
    if permission.members:
        yield "Gives", ", ".join(permission.members)
    phrases = {target: f"to {phrase}" for target, phrase in permission.prompts.items()}
    silent = (
        target for target in permission.lists if engine_of(target) in FACTS_OF and target not in phrases
    )
    phrases |= dict.fromkeys(silent, "nothing")
    yield from facts_by_value("Asks users", phrases)
