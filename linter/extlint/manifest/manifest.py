"""The manifest: its values, their positions, and the versions of browsers that it supports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from posixpath import basename

from extlint.manifest.vendor_keys import (
    for_browser,
    for_every_browser,
    has_sections,
    has_templates,
    may_have_vendor_keys,
)
from extlint.schema.engine import Engine
from extlint.schema.targets import Target, version_of
from extlint.text.json.reader import read_json
from extlint.text.json.values import Document, JsonNode, JsonValue, Member
from extlint.text.nearest import nearest
from extlint.text.placeholders import (
    is_named_template,
    is_template_key,
    is_unquoted_template,
    may_have_templates,
)
from extlint.text.positions import ByteSpan, Span, TextIndex, decode

MANIFEST = "manifest.json"

ALL_URLS = "<all_urls>"
"""The pattern of every host."""

PERMISSIONS = ("permissions", "optional_permissions")
"""The keys that list permissions."""

HOST_PERMISSIONS = ("host_permissions", "optional_host_permissions")
"""The keys that only list patterns of hosts."""

_VERSIONS = frozenset({1, 2, 3})
REQUESTS = (*PERMISSIONS, *HOST_PERMISSIONS)
"""The keys that request something."""


def is_host_pattern(name: str) -> bool:
    """Whether an entry of a list of permissions is a pattern of hosts."""
    return name == ALL_URLS or "://" in name


def key_of_permission(name: str, version: int) -> str:
    """Returns the key that lists a permission: since Manifest V3, hosts have one of their own."""
    return HOST_PERMISSIONS[0] if version == 3 and is_host_pattern(name) else PERMISSIONS[0]


def _is_misspelled_version(key: str) -> bool:
    return nearest(key, ("manifest_version",)) is not None


class Manifest:
    """A manifest, parsed or not: every accessor is safe on any JSON value.

    `path` is the file's path in the package, nearly always `manifest.json`.
    """

    def __init__(
        self, path: str, data: bytes | TextIndex, document: Document, original: Manifest | None = None
    ) -> None:
        """`original` is the manifest before a build, if this one is the build's output."""
        self.path = path
        self.document = document
        self.index = data if isinstance(data, TextIndex) else TextIndex(data)
        self.original = self if original is None else original

    def is_same(self, other: Manifest) -> bool:
        """Whether another manifest is made in the same way from the same text."""
        return self.path == other.path and self.index.text == other.index.text

    def place(self, where: ByteSpan) -> tuple[str, Span]:
        """Returns the path of the file, and the span in it for a byte range."""
        return self.path, self.span(where)

    def span(self, where: ByteSpan) -> Span:
        """Returns the span for a byte range of the manifest's text."""
        return self.index.span(*where)

    def get(self, *path: str | int) -> JsonNode | None:
        """Returns the value at a path of keys and indexes, or None."""
        return None if self.document.root is None else self.document.root.get(*path)

    def strings(self, *path: str | int) -> Iterator[tuple[str, JsonNode]]:
        """Yields the strings of the array at a path, with their nodes."""
        found = self.get(*path)
        for item in () if found is None else found.items():
            if isinstance(item.value, str):
                yield item.value, item

    def members(self, *path: str | int) -> Iterator[tuple[str, Member]]:
        """Yields the members of the object at a path."""
        found = self.get(*path)
        if found is not None:
            yield from found.members()

    @cached_property
    def plain(self) -> JsonValue:
        """The plain value, which must not be mutated, or None if the manifest could not be parsed."""
        return None if self.document.root is None else self.document.root.plain

    @property
    def is_object(self) -> bool:
        """Whether the manifest could be parsed and is an object."""
        return self.document.root is not None and isinstance(self.document.root.value, dict)

    @cached_property
    def has_vendor_keys(self) -> bool:
        """Whether a build keeps keys or sections for some browsers only: `__chrome__action`, `chrome`."""
        return self.original.for_every_browser is not self.original

    @property
    def is_in_sections(self) -> bool:
        """Whether a build merges the manifest from sections: `all`, and one for each browser."""
        return has_sections(self.original.document)

    @cached_property
    def is_template(self) -> bool:
        """Whether a build fills in some part of the manifest."""
        root = self.document.root
        return root is not None and (
            self.is_named_template or (may_have_templates(self.index.text) and has_templates(root))
        )

    @property
    def idle_buttons(self) -> Iterator[tuple[str, Member]]:
        """The keys of buttons that have a title and open no popup.

        None in a manifest without a known version: version 1 has other keys.
        """
        if not self.is_clear:
            return
        for key in ("action",) if self.version == 3 else ("browser_action", "page_action"):
            for name, member in self.members():
                button = member.node.value if name == key else None
                if isinstance(button, dict) and "default_title" in button and "default_popup" not in button:
                    yield name, member

    def may_be_filled_in(self, *keys: str) -> bool:
        """Whether a build fills in the value of one of these keys, or adds keys that may be among them.

        A placeholder elsewhere, as for the version, does not count.
        """
        if not self.is_template:
            return False
        added = [key.rpartition("}}.")[2] for key, _ in self.members() if is_template_key(key)]
        filled = (self.get(key) for key in keys)
        return (
            self.is_named_template
            or any(key in keys or is_template_key(key) for key in added)
            or any(each is not None and has_templates(each) for each in filled)
        )

    @cached_property
    def is_unfilled_template(self) -> bool:
        """Whether the manifest cannot be parsed because of template syntax, which a build fills in."""
        problem, text = self.document.problem, self.index.text
        has_keys = text.lstrip().startswith(b"{") and b'":' in text
        return problem is not None and has_keys and is_unquoted_template(text, problem.span[0])

    @property
    def is_named_template(self) -> bool:
        """Whether its file is named like a template (`manifest_template.json`), in which null is a gap."""
        return is_named_template(basename(self.path))

    def for_target(self, target: Target) -> Manifest:
        """Returns the manifest that a build makes for a target; for the specification, for any browser."""
        if target.is_specification or not self.has_vendor_keys:
            return self.for_every_browser
        return Manifest(self.path, self.index, for_browser(self.document, target.name), self)

    @cached_property
    def for_every_browser(self) -> Manifest:
        """The manifest with its keys for any browser, by their plain names."""
        if self.original is not self:
            return self.original.for_every_browser
        if not may_have_vendor_keys(self.index.text, self.document):
            return self
        document = for_every_browser(self.document)
        return self if document == self.document else Manifest(self.path, self.index, document, self)

    def as_version(self, version: int) -> Manifest:
        """Returns a copy with a different manifest version."""
        copy = Manifest(self.path, self.index, self.document, self.original)
        copy.version = version
        return copy

    @cached_property
    def version(self) -> int:
        """The manifest version: 3 if it states or misspells that, else 2."""
        found = self.get("manifest_version")
        if found is None:
            found = next((each.node for key, each in self.members() if _is_misspelled_version(key)), None)
        value = None if found is None else found.value
        return 3 if value == "3" or (isinstance(value, int | float) and value >= 3) else 2

    @property
    def is_clear(self) -> bool:
        """Whether it is an object that states its version, or a build may add that."""
        found = self.get("manifest_version")
        is_known = found is not None and found.value in (2, 3)
        return is_known or (self.is_object and self.may_be_filled_in("manifest_version"))

    @cached_property
    def is_of_no_version(self) -> bool:
        """Whether it states a version that no browser has had: 0 in the source of a build."""
        found = self.get("manifest_version")
        value = None if found is None else found.value
        return isinstance(value, int) and not isinstance(value, bool) and value not in _VERSIONS

    @cached_property
    def permissions(self) -> frozenset[str]:
        """Every permission that it requests for any browser, even optional ones and patterns of hosts."""
        if self.for_every_browser is not self:
            return self.for_every_browser.permissions
        named = frozenset(name for key in PERMISSIONS for name, _ in self.strings(key))
        hosts = (name for key in HOST_PERMISSIONS for name, _ in self.strings(key))
        return named.union(name for name in hosts if ":" in name or name == ALL_URLS)


def read_manifest(path: str, data: bytes) -> Manifest:
    """Parses a manifest; a problem of its JSON is in its `document`. Never raises.

    `path` is the file's path in the package. Positions are those of the text as UTF-8.
    """
    text = decode(data)
    return Manifest(path, text, read_json(text))


_ANDROID = ("browser_specific_settings", "gecko_android")
_GECKO = (("browser_specific_settings", "gecko"), ("applications", "gecko"))


def with_supported_versions(target: Target, manifest: Manifest) -> Target:
    """Returns the target with the versions that the manifest states, unless the user states them.

    Firefox reads `strict_min_version` and `strict_max_version`, on Android those of `gecko_android`
    first; Chrome and Edge read `minimum_chrome_version`. In `strict_max_version` a `*` means any number.
    """
    match target.engine:
        case Engine.GECKO:
            places = (_ANDROID, *_GECKO) if target.is_for_android else _GECKO
            lowest = _stated(manifest, places, "strict_min_version")
            highest = _stated(manifest, places, "strict_max_version")
        case Engine.CHROMIUM:
            lowest, highest = _text(manifest, "minimum_chrome_version"), None
        case _:
            return target
    return Target(target.name, target.minimum or version_of(lowest), target.maximum or version_of(highest))


def _stated(manifest: Manifest, places: Iterable[tuple[str, ...]], key: str) -> str | None:
    return next((text for place in places if (text := _text(manifest, *place, key)) is not None), None)


def _text(manifest: Manifest, *path: str) -> str | None:
    found = manifest.get(*path)
    return found.value if found is not None and isinstance(found.value, str) else None


_VERSION_NAMES = (("action", "browser_action"), ("browser_specific_settings", "applications"))
"""Names of the same key in different manifest versions."""

_MAX_KEYS = 1_000
"""The maximum number of keys of an object that are compared with a missing one."""

COMMANDS = {
    "_execute_action": "action",
    "_execute_browser_action": "browser_action",
    "_execute_page_action": "page_action",
    "_execute_sidebar_action": "sidebar_action",
}
"""The commands that browsers handle themselves, with the key of each."""

BUTTON_COMMANDS = {2: "_execute_browser_action", 3: "_execute_action"}
"""The command that activates the extension's button, by manifest version."""


def intended_command(name: str) -> str | None:
    """Returns the browser-defined command that a name misspells, or None."""
    return nearest(name, COMMANDS) if name.startswith("_") else None


def has_key(manifest: Manifest, *path: str) -> bool:
    """Whether a key exists, or one that certainly stands for it: misspelled, or of the other version."""
    actual: list[str] = []
    for key in path:
        there = [name for name, _ in manifest.members(*actual)]
        name = key if key in there else _meant(key, there)
        if name is None:
            return False
        actual.append(name)
    return True


def _meant(key: str, there: Sequence[str]) -> str | None:
    """Returns the existing key that stands for a missing one, or None."""
    names = next((each for each in _VERSION_NAMES if key in each), (key,))
    return next((each for each in there[:_MAX_KEYS] if _may_mean(each, names)), None)


@lru_cache(maxsize=2_000)
def _may_mean(written: str, names: tuple[str, ...]) -> bool:
    """Whether a key is one of these names, or misspells one. Rules ask for the same few keys repeatedly."""
    return written in names or nearest(written, names) is not None
