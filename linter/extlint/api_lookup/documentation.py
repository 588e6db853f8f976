"""Where people read of an API, and which versions of the browsers have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from extlint.schema.engine import Engine
from extlint.targets.request import CHROME, FIREFOX
from extlint_schemas import stored, support

_MDN = "https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/API/"
_CHROME = "https://developer.chrome.com/docs/extensions/reference/api/"
_CHROME_OF_OLD = "https://developer.chrome.com/docs/extensions/mv2/reference/"
"""The pages of what ended with manifest version 2 as a whole."""

_ANCHORS = {"enum": "type", "event": "event", "function": "method", "property": "property", "type": "type"}
_PAGES_OF_TYPES = frozenset({("storage", "StorageArea")})
"""The types that have a page of their own on Chrome's site."""

_ON_ONE_PAGE = "privacy"
"""The namespace whose nested ones have no pages of their own."""


class Subject(Struct, frozen=True):
    """Where a name is described: `way` is what leads to it in its namespace.

    In `storage.local.get` the way is `local`; `owner` is the type that describes the members of such
    an object (`StorageArea`), where it is of the same namespace.
    """

    namespace: str
    way: tuple[str, ...] = ()
    name: str = ""
    owner: str | None = None

    @property
    def path(self) -> tuple[str, ...]:
        """The names from the root to it."""
        return (*self.namespace.split("."), *self.way, *([self.name] if self.name else ()))

    @property
    def described(self) -> tuple[str, ...]:
        """The names behind the namespace under which documentation has it: `StorageArea`, `get`."""
        within = self.way if self.owner is None else (self.owner,)
        return (*within, *([self.name] if self.name else ()))


def versions(place: Subject, manifest_version: int) -> Mapping[str, list[str] | bool]:
    """For each browser that something is known of: `[added]`, `[added, removed]`, or false."""
    known = support(place.path[0], manifest_version)
    described = ".".join((place.namespace, *place.described))
    found = known.get(".".join(place.path)) or known.get(described) or {}
    return {browser: each for browser, each in found.items() if each is not True}


def documentation(engine: Engine | None, kind: str, place: Subject, ended: bool) -> str | None:
    """The address of the page about something; None if there is no such page.

    `ended` is true if its namespace is not there in manifest version 3.
    Chrome's own documentation for what Chrome has, else MDN, which has pages of what Firefox has.
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
