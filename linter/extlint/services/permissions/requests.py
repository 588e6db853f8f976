"""The permissions and hosts that a manifest requests."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from msgspec import Struct

from extlint.manifest.manifest import Manifest, is_host_pattern
from extlint.text.positions import Span


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
