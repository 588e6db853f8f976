"""Manifest keys that a build keeps for some browsers only, and those that only Thunderbird reads.

webextension-toolbox and wext-manifest write `__chrome|opera__action` and `__dev__name`, the plugins for Vite
`{{firefox}}.action`, and Extension.js `chromium:action`. The value of such a key replaces that of the plain
name; null removes it.

Quasar merges sections, `{"all": …, "chrome": …, "firefox": …}`: the common one, and that of the browser. It
joins their lists and objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial, reduce

from msgspec import Struct

from extlint.schema.targets import CHROME, EDGE, FIREFOX, FIREFOX_ANDROID
from extlint.text.json.values import Document, JsonNode, Member
from extlint.text.patterns import lazy
from extlint.text.placeholders import is_template, is_template_key

VENDORS = ("brave", "chrome", "chromium", "edge", "firefox", "gecko", "opera", "safari", "thunderbird")
"""The browsers for which such keys are kept."""

_COMMON = frozenset({"all", "base", "common", "shared"})
"""Names of sections that a build merges into the manifest of each browser."""

_SECTIONS = _COMMON.union(VENDORS)
_MODES = frozenset({"dev", "development", "prod", "production"})
_ALIASES = {
    FIREFOX_ANDROID: frozenset({"firefox", "gecko"}),
    FIREFOX: frozenset({"firefox", "gecko"}),
    CHROME: frozenset({"chrome", "chromium"}),
    EDGE: frozenset({"edge", "chromium"}),
}
_NAME = f"(?:{'|'.join((*VENDORS, *sorted(_MODES)))})"
_KEY = lazy(
    rf"(?:__(?P<bars>{_NAME}(?:\|{_NAME})*)__|\{{\{{(?P<braces>{_NAME}(?:\|{_NAME})*)\}}\}}\."
    rf"|(?P<colon>{'|'.join(VENDORS)}):)(?P<key>[\w$].*)"
)
_IN_BYTES = lazy(
    rf'"(?:__{_NAME}(?:__|\|)|\{{\{{{_NAME}(?:\}}|\|)|(?:{"|".join(VENDORS)}):\w)'.encode(),
    needs=tuple(
        f'"{mark}'.encode() for name in (*VENDORS, *_MODES) for mark in (f"__{name}", "{{" + name, f"{name}:")
    ),
)


class VendorKey(Struct, frozen=True):
    """The plain name of a key or of a list item, and the browsers for which a build keeps it."""

    name: str
    vendors: frozenset[str]

    def is_for(self, browser: str) -> bool:
        """Whether a build keeps it for a browser (`chrome`). The modes of a build apply to every browser."""
        return bool(self.vendors & (_ALIASES.get(browser, frozenset({browser})) | _MODES))


def vendor_key(text: str) -> VendorKey | None:
    """Parses a key that a build keeps for some browsers; returns None for any other key."""
    found = _KEY.fullmatch(text)
    if found is None:
        return None
    named = found["bars"] or found["braces"] or found["colon"]
    return VendorKey(found["key"], frozenset(named.split("|")))


def may_have_vendor_keys(text: bytes, document: Document) -> bool:
    """Whether a manifest may contain such a key, or consists of sections; this is fast."""
    return has_sections(document) or _IN_BYTES.search(text) is not None


def has_sections(document: Document) -> bool:
    """Whether a manifest consists of sections."""
    return document.root is not None and bool(_sections(document.root))


def for_browser(document: Document, browser: str) -> Document:
    """Returns the manifest that a build makes for a browser: its own keys by their plain names only."""
    root = document.root
    return (
        document
        if root is None
        else Document(_filtered(_assembled(root, browser), browser), document.duplicates, document.problem)
    )


def for_every_browser(document: Document) -> Document:
    """Returns the manifest with all keys by their plain names, joining the values of several.

    Only lists and objects are joined. The items of a plain list keep their indexes.
    """
    root = document.root
    if root is None:
        return document
    return Document(_joined(_assembled(root)), document.duplicates, document.problem)


def vendors_in(node: JsonNode) -> frozenset[str]:
    """Returns the browsers that keys anywhere in a value name."""
    value = node.value
    if isinstance(value, tuple):
        return frozenset().union(*map(vendors_in, value))
    if not isinstance(value, Mapping):
        return frozenset()
    marks = (mark.vendors for mark in map(vendor_key, value) if mark is not None)
    named = frozenset().union(_sections(node), *marks, *(vendors_in(each.node) for each in value.values()))
    return named - _MODES - _COMMON


def has_templates(node: JsonNode) -> bool:
    """Whether a key or a string anywhere in a value is a template."""
    value = node.value
    if isinstance(value, str):
        return is_template(value)
    if isinstance(value, Mapping):
        return any(is_template_key(key) or has_templates(member.node) for key, member in value.items())
    return isinstance(value, tuple) and any(has_templates(item) for item in value)


def _sections(root: JsonNode) -> dict[str, JsonNode]:
    """Returns the sections of a manifest by name, or nothing if it does not consist of sections only."""
    value = root.value
    if not isinstance(value, Mapping) or not value.keys() <= _SECTIONS:
        return {}
    found = {name: member.node for name, member in value.items()}
    is_manifest = any(each.get("manifest_version") is not None for each in found.values())
    return found if is_manifest and all(isinstance(each.value, Mapping) for each in found.values()) else {}


def _assembled(root: JsonNode, browser: str | None = None) -> JsonNode:
    """Returns the manifest that a build merges from sections for one browser, or for all of them.

    A section replaces texts and numbers of the common one. Edge has that of Chrome, if it has none.
    """
    sections = _sections(root)
    common = [each for name, each in sections.items() if name in _COMMON]
    own = _sections_of(sections, browser)
    if browser == EDGE and not own:
        own = _sections_of(sections, CHROME)
    return reduce(partial(_merged, replaces=browser is not None), [*common, *own]) if common or own else root


def _sections_of(sections: Mapping[str, JsonNode], browser: str | None) -> list[JsonNode]:
    names = frozenset(VENDORS) if browser is None else _ALIASES.get(browser, frozenset({browser}))
    return [each for name, each in sections.items() if name in names]


def _filtered(node: JsonNode, browser: str) -> JsonNode:
    value = node.value
    if isinstance(value, tuple):
        marked = ((item, _mark(item)) for item in value)
        items = ((item, mark) for item, mark in marked if mark is None or mark.is_for(browser))
        return JsonNode(
            tuple(_without_mark(_filtered(item, browser), mark) for item, mark in items), node.span
        )
    if not isinstance(value, Mapping):
        return node
    members: dict[str, Member] = {}
    browser_members: list[tuple[str, Member]] = []
    for key, member in value.items():
        mark = vendor_key(key)
        if mark is None:
            members[key] = Member(member.key, _filtered(member.node, browser))
        elif mark.is_for(browser):
            browser_members.append((mark.name, member))
    for name, member in browser_members:
        if member.node.value is None:
            members.pop(name, None)
        else:
            members[name] = Member(member.key, _filtered(member.node, browser))
    return JsonNode(members, node.span)


def _joined(node: JsonNode) -> JsonNode:
    value = node.value
    if isinstance(value, tuple):
        return JsonNode(tuple(_without_mark(_joined(item), _mark(item)) for item in value), node.span)
    if not isinstance(value, Mapping):
        return node
    members = {
        key: Member(each.key, _joined(each.node)) for key, each in value.items() if not vendor_key(key)
    }
    for name, member in _marked(value):
        own, other = members.get(name), _joined(member.node)
        members[name] = (
            Member(member.key, other) if own is None else Member(own.key, _merged(own.node, other))
        )
    return JsonNode(members, node.span)


def _merged(own: JsonNode, other: JsonNode, *, replaces: bool = False) -> JsonNode:
    """Merges two lists or objects. Of any other two values, `other` wins if `replaces` is true."""
    if isinstance(own.value, tuple) and isinstance(other.value, tuple):
        return JsonNode((*own.value, *other.value), own.span)
    if isinstance(own.value, Mapping) and isinstance(other.value, Mapping):
        members = dict(own.value)
        for name, member in other.value.items():
            there = members.get(name)
            node = member.node if there is None else _merged(there.node, member.node, replaces=replaces)
            members[name] = member if there is None or node is member.node else Member(there.key, node)
        return JsonNode(members, own.span)
    return other if replaces else own


def _marked(value: Mapping[str, Member]) -> Iterator[tuple[str, Member]]:
    for key, member in value.items():
        mark = vendor_key(key)
        if mark is not None and member.node.value is not None:
            yield mark.name, member


def _mark(item: JsonNode) -> VendorKey | None:
    """Returns the mark of an item that is a string; only the plugins for Vite mark those."""
    text = item.value
    return vendor_key(text) if isinstance(text, str) and text.startswith("{{") else None


def _without_mark(item: JsonNode, mark: VendorKey | None) -> JsonNode:
    return item if mark is None else JsonNode(mark.name, item.span)


NAME = "Thunderbird"

KEYS = frozenset(
    {
        "calendar_item_action",
        "calendar_item_details",
        "calendar_provider",
        "cloud_file",
        "compose_action",
        "compose_scripts",
        "message_display_action",
        "message_display_scripts",
    }
)
"""Keys at the top of the manifest."""

_BUTTON_KEYS = frozenset({"allowed_spaces", "default_label", "default_windows", "type"})
INNER_KEYS = {"action": _BUTTON_KEYS, "browser_action": _BUTTON_KEYS}
"""Keys inside of keys that browsers also read."""

PERMISSIONS = frozenset(
    {
        "accountsFolders",
        "accountsIdentities",
        "accountsRead",
        "addressBooks",
        "compose",
        "compose.save",
        "compose.send",
        "messagesDelete",
        "messagesImport",
        "messagesModify",
        "messagesModifyPermanent",
        "messagesMove",
        "messagesRead",
        "messagesTags",
        "messagesTagsList",
        "messagesUpdate",
        "messengerSettings",
        "sensitiveDataUpload",
    }
)
"""Names in lists of permissions."""


def key_paths() -> Iterator[tuple[str, ...]]:
    """Yields the paths of the keys that only Thunderbird reads."""
    yield from ((key,) for key in sorted(KEYS))
    yield from ((key, inner) for key, within in INNER_KEYS.items() for inner in sorted(within))
