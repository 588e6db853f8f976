"""Finds the documentation page of an API, and the versions of the browsers that have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from extlint.schema.engine import Engine
from extlint.targets.request import CHROME, FIREFOX
from extlint_schemas import stored, support

_MDN = "https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/API/"
_CHROME = "https://developer.chrome.com/docs/extensions/reference/api/"
_CHROME_OF_OLD = "https://developer.chrome.com/docs/extensions/mv2/reference/"
"""Chrome's pages of the namespaces that exist only in Manifest V2."""

_ANCHORS = {"enum": "type", "event": "event", "function": "method", "property": "property", "type": "type"}
_PAGES_OF_TYPES = frozenset({("storage", "StorageArea")})
"""The types with a page of their own on Chrome's site."""

_ON_ONE_PAGE = "privacy"
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
    def described(self) -> tuple[str, ...]:
        """The names after the namespace in the documentation, such as `StorageArea` and `get`."""
        within = self.way if self.owner is None else (self.owner,)
        return (*within, *([self.name] if self.name else ()))


def versions(place: Subject, manifest_version: int) -> Mapping[str, list[str] | bool]:
    """Returns the support in each browser, if known: `[added]`, `[added, removed]` or false."""
    known = support(place.path[0], manifest_version)
    described = ".".join((place.namespace, *place.described))
    found = known.get(".".join(place.path)) or known.get(described) or {}
    return {browser: each for browser, each in found.items() if each is not True}


def documentation(engine: Engine | None, kind: str, place: Subject, ended: bool) -> str | None:
    """Returns the address of the page about a subject, or None if no such page exists.

    `is_mv2_only` is true if its namespace does not exist in Manifest V3.
    Links to Chrome's own documentation for Chromium, else to MDN, which has pages for Firefox.
    Source: the forms of the two sites' addresses, and the addresses in @mdn/browser-compat-data 8.1.9.
    """
    return _chrome(kind, place, ended) if engine is Engine.CHROMIUM else _mdn(kind, place)


def _mdn(kind: str, place: Subject) -> str | None:
    namespace = "menus" if place.namespace == "contextMenus" else place.namespace
    known = support(namespace.partition(".")[0])
    path = (*namespace.split("."), *place.described)
    if kind == "property" and place.owner is not None:
        path = path[:-1]
    if not isinstance(known.get(".".join(path), {}).get(FIREFOX), list):
        return None
    if place.path[0] == _ON_ONE_PAGE:
        path = path[:2]
    return _MDN + "/".join(path)


def _chrome(kind: str, place: Subject, ended: bool) -> str | None:
    page = place.namespace.split(".")
    within = list(place.described)
    if page == ["manifest"] or place.namespace not in stored(CHROME):
        return None
    if page[0] == _ON_ONE_PAGE:
        page, within = page[:1], page[1:] + within
    if (place.namespace, place.owner) in _PAGES_OF_TYPES:
        page = [*page, str(place.owner)]
    elif place.owner is not None:
        kind, within = "type", [place.owner]
    anchor = _ANCHORS.get(kind, "property")
    return (_CHROME_OF_OLD if ended else _CHROME) + "/".join(page) + _fragment(anchor, within)


def _fragment(anchor: str, names: Sequence[str]) -> str:
    return f"#{anchor}-{'-'.join(names)}" if names else ""
