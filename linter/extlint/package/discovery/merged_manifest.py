"""The text of a manifest that a build makes: from entry points, written keys and modules.

Each part of a written key has its place in the file of the project, so that findings are reported there.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from extlint.package.discovery.made_manifest import Read, text_of
from extlint.package.files import KeyPlaces
from extlint.text.json.object_literal import COMPUTED, read_objects_with
from extlint.text.json.values import JsonNode, JsonValue, Member
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan

_NOWHERE = (-1, -1)
COMPUTED_MEMBER = Member(_NOWHERE, JsonNode(COMPUTED, _NOWHERE))
"""A member of an object whose key and value are computed."""

_VERSION = "manifest_version"
_REQUIRED: Mapping[str, JsonValue] = {_VERSION: 3, "name": "extension", "version": "1.0"}
"""The keys without which browsers load no extension."""

_JOINED = frozenset(
    {
        *("action", "chrome_url_overrides", "content_scripts", "host_permissions", "permissions"),
        "web_accessible_resources",
    }
)
"""The keys to whose values a framework adds its own. It replaces those of the others."""

KEYS_OF_CODE = frozenset(
    {
        *("action", "background", "chrome_url_overrides", "content_scripts", "devtools_page"),
        *("options_page", "options_ui", "sandbox", "side_panel"),
    }
)
"""The keys that name scripts and pages."""


_ONLY_IN_VERSION_3 = frozenset(
    {"action", "export", "host_permissions", "optional_host_permissions", "side_panel"}
)


class WrittenKeys(Struct, frozen=True):
    """The object with the keys of a manifest, in a file of a project. Positions are in bytes.

    `is_of_version_3` is true if the manifest has this version in each browser.
    """

    path: str
    root: JsonNode
    is_of_version_3: bool = False


def merged_manifest(
    keys: Mapping[str, JsonValue], written: WrittenKeys | None, *, in_version_2: bool = False
) -> tuple[bytes, KeyPlaces | None]:
    """Returns a manifest with the keys that a framework makes, and the places of the written ones.

    Without written keys, any may exist. Names of scripts and pages may be those of the output.
    """
    own = {key: Member(_NOWHERE, _made(value)) for key, value in keys.items()}
    members = {COMPUTED: COMPUTED_MEMBER} if written is None else dict(written.root.members())
    for key, each in members.items():
        if key not in own:
            own[key] = each
        elif key in _JOINED:
            own[key] = Member(each.key, _joined(each.node, own[key].node))
    for key, value in _REQUIRED.items():
        if key not in own or (key == _VERSION and own[key].node.value == COMPUTED):
            own[key] = Member(_NOWHERE, _made(value))
    if in_version_2:
        own = _in_version_2(own)
    writer = _Writer()
    writer.write(JsonNode(own, _NOWHERE))
    text = "".join(writer.parts).encode()
    return text, None if written is None else KeyPlaces(written.path, written.root.span, writer.places)


def _in_version_2(keys: Mapping[str, Member]) -> dict[str, Member]:
    """Returns the keys of Manifest V2 that WXT 0.21 makes of those of Manifest V3."""
    found = {key: each for key, each in keys.items() if key not in _ONLY_IN_VERSION_3}
    found[_VERSION] = Member(_NOWHERE, _made(2))
    if "action" in keys and found.keys().isdisjoint({"browser_action", "page_action"}):
        found["browser_action"] = keys["action"]
    if "background" in keys:
        inner = {key: each for key, each in keys["background"].node.members() if key != "type"}
        found["background"] = Member(keys["background"].key, JsonNode(inner, _NOWHERE))
    hosts, listed = keys.get("host_permissions"), keys.get("permissions")
    if hosts is not None:
        joined = hosts.node if listed is None else _joined(listed.node, hosts.node)
        found["permissions"] = Member(_NOWHERE if listed is None else listed.key, joined)
    resources = keys.get("web_accessible_resources")
    if resources is not None and isinstance(resources.node.value, tuple):
        inside = [(each, each.get("resources")) for each in resources.node.items()]
        items = [item for each, of in inside for item in ((each,) if of is None else of.items())]
        found["web_accessible_resources"] = Member(resources.key, JsonNode((*items,), _NOWHERE))
    policy = keys.get("content_security_policy")
    pages = None if policy is None else policy.node.get("extension_pages")
    if policy is not None and pages is not None:
        found["content_security_policy"] = Member(policy.key, pages)
    return found


def _made(value: JsonValue) -> JsonNode:
    if isinstance(value, dict):
        return JsonNode({key: Member(_NOWHERE, _made(each)) for key, each in value.items()}, _NOWHERE)
    return JsonNode(tuple(map(_made, value)) if isinstance(value, list) else value, _NOWHERE)


def _joined(written: JsonNode, made: JsonNode) -> JsonNode:
    """Returns a list or object with the parts of two, or a placeholder for anything else."""
    if isinstance(written.value, tuple) and isinstance(made.value, tuple):
        known = [each.value for each in written.value]
        return JsonNode((*written.value, *(each for each in made.value if each.value not in known)), _NOWHERE)
    if isinstance(written.value, dict) and isinstance(made.value, dict):
        return JsonNode({**written.value, **made.value}, _NOWHERE)
    return JsonNode(COMPUTED, _NOWHERE) if written.value == COMPUTED else made


class _Writer:
    """Writes JSON in ASCII, in which each character is one byte."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.places: dict[ByteSpan, ByteSpan] = {}
        self._end = 0

    def write(self, node: JsonNode) -> bool:
        """Writes a value, and returns whether all of it is written in the file of the project."""
        start, is_whole = self._end, True
        if isinstance(node.value, dict):
            self._add("{")
            for at, (key, member) in enumerate(node.members()):
                self._add(",\n" if at else "\n")
                self._scalar(key, member.key)
                self._add(": ")
                is_whole &= self.write(member.node)
            self._add("\n}")
        elif isinstance(node.value, tuple):
            self._add("[")
            for at, item in enumerate(node.value):
                self._add(", " if at else "")
                is_whole &= self.write(item)
            self._add("]")
        else:
            return self._scalar(node.plain, node.span)
        return self._placed(start, node.span) if is_whole else False

    def _scalar(self, value: JsonValue, span: ByteSpan) -> bool:
        start = self._end
        self._add(json.dumps(value))
        return value != COMPUTED and self._placed(start, span)

    def _placed(self, start: int, span: ByteSpan) -> bool:
        if span == _NOWHERE:
            return False
        self.places[start, self._end] = span
        return True

    def _add(self, text: str) -> None:
        self.parts.append(text)
        self._end += len(text)


_MODULE = lazy(r"(?:[\w-]+/){0,2}(?:manifest(?:\.config)?|vite\.config)\.[cm]?[jt]s")
MAX_MODULE = 200_000
"""The length in characters of a module that is read."""

MANIFEST_VERSION, _NEWEST = "manifest_version", 3


def is_manifest_module(path: str) -> bool:
    """Whether a file has the name of a module that contains a manifest."""
    return _MODULE.fullmatch(path) is not None


def module_with_entry_points(paths: Collection[str], read: Read) -> str | None:
    """Returns the path of a module with a manifest that names scripts or pages, or None."""
    modules = sorted(filter(is_manifest_module, paths), key=lambda path: (path.count("/"), path))
    return next((path for path in modules if len(entry_points_in(path, read)) > 1), None)


def entry_points_in(path: str, read: Read) -> dict[str, Any]:
    """Returns the version in a module that contains a manifest, and the keys for entry points.

    Of several manifests, one in Manifest V3 counts.
    """
    objects = read_objects_with(text_of(read, path)[:MAX_MODULE], MANIFEST_VERSION)
    found = max(objects, key=lambda each: each.get(MANIFEST_VERSION) == _NEWEST, default={})
    return {key: value for key, value in found.items() if key in KEYS_OF_CODE or key == MANIFEST_VERSION}
