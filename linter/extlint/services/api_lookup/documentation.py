"""Finds the documentation page of an API, and the versions of the browsers that have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from extlint.schema.engine import Engine
from extlint.schema.targets import CHROME, FIREFOX
from extlint_schemas import namespace_loaders, support

_MDN = "https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/API/"
_CHROME = "https://developer.chrome.com/docs/extensions/reference/api/"
_CHROME_MV2 = "https://developer.chrome.com/docs/extensions/mv2/reference/"
"""Chrome's pages of the namespaces that exist only in Manifest V2."""

_ANCHORS = {"enum": "type", "event": "event", "function": "method", "property": "property", "type": "type"}
_TYPES_WITH_PAGE = frozenset({("storage", "StorageArea")})
"""The types with a page of their own on Chrome's site."""

_SINGLE_PAGE_NAMESPACE = "privacy"
"""The namespace whose nested namespaces share its page."""


class Subject(Struct, frozen=True):
    """The documented position of a name; `way` are the names between its namespace and the name.

    In `storage.local.get` these are `local`; `owner` is the type that describes the members of such an object
    (`StorageArea`), if it is in the same namespace.
    """

    namespace: str
    way: tuple[str, ...] = ()
    name: str = ""
    owner: str | None = None

    @property
    def path(self) -> tuple[str, ...]:
        """The names from the root to the subject."""
        return (*self.namespace.split("."), *self.way, *([self.name] if self.name else ()))

    @property
    def documented_path(self) -> tuple[str, ...]:
        """The names after the namespace in the documentation, such as `StorageArea` and `get`."""
        within = self.way if self.owner is None else (self.owner,)
        return (*within, *([self.name] if self.name else ()))


def versions(subject: Subject, manifest_version: int) -> Mapping[str, list[str] | bool]:
    """Returns the support in each browser, if known: `[added]`, `[added, removed]` or false."""
    known = support(subject.path[0], manifest_version)
    described = ".".join((subject.namespace, *subject.documented_path))
    found = known.get(".".join(subject.path)) or known.get(described) or {}
    return {browser: each for browser, each in found.items() if each is not True}


def documentation(engine: Engine | None, kind: str, subject: Subject, is_mv2_only: bool) -> str | None:
    """Returns the address of the page about a subject, or None if no such page exists.

    `is_mv2_only` is true if its namespace does not exist in Manifest V3.
    Links to Chrome's own documentation for Chromium, else to MDN, which has pages for Firefox.
    Source: the forms of the two sites' addresses, and the addresses in @mdn/browser-compat-data 8.1.9.
    """
    return _chrome(kind, subject, is_mv2_only) if engine is Engine.CHROMIUM else _mdn(kind, subject)


def _mdn(kind: str, subject: Subject) -> str | None:
    namespace = "menus" if subject.namespace == "contextMenus" else subject.namespace
    known = support(namespace.partition(".")[0])
    path = (*namespace.split("."), *subject.documented_path)
    if kind == "property" and subject.owner is not None:
        path = path[:-1]
    if not isinstance(known.get(".".join(path), {}).get(FIREFOX), list):
        return None
    if subject.path[0] == _SINGLE_PAGE_NAMESPACE:
        path = path[:2]
    return _MDN + "/".join(path)


def _chrome(kind: str, subject: Subject, is_mv2_only: bool) -> str | None:
    page = subject.namespace.split(".")
    within = list(subject.documented_path)
    if page == ["manifest"] or subject.namespace not in namespace_loaders(CHROME):
        return None
    if page[0] == _SINGLE_PAGE_NAMESPACE:
        page, within = page[:1], page[1:] + within
    if (subject.namespace, subject.owner) in _TYPES_WITH_PAGE:
        page = [*page, str(subject.owner)]
    elif subject.owner is not None:
        kind, within = "type", [subject.owner]
    anchor = _ANCHORS.get(kind, "property")
    return (_CHROME_MV2 if is_mv2_only else _CHROME) + "/".join(page) + _fragment(anchor, within)


def _fragment(anchor: str, names: Sequence[str]) -> str:
    return f"#{anchor}-{'-'.join(names)}" if names else ""
