"""The keys of a manifest that name files, and the uses of these files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from msgspec import Struct

from extlint.analysis.facts.context import ContextKind
from extlint.manifest.manifest import Manifest
from extlint.queries.query import cached_method
from extlint.text.json.values import JsonNode


class FileUse(Enum):
    """The use of a file that a manifest names."""

    SCRIPT = "script"
    PAGE = "page"
    IMAGE = "image"
    OTHER = "other"


class FileReference(Struct, frozen=True):
    """A reference to a file in a manifest: the name, the use of the file, and the location.

    `pointer` is the JSON pointer of the value. `kind` is the context of the script or of the page's scripts,
    or None for other files.
    """

    name: str
    use: FileUse
    kind: ContextKind | None
    pointer: str
    node: JsonNode


_EACH_ITEM = "[]"
_EACH_MEMBER = "*"
_EACH_SIZE = "#"
_SCRIPTS = {
    "background/scripts/[]": ContextKind.BACKGROUND,
    "background/service_worker": ContextKind.SERVICE_WORKER,
    "content_scripts/[]/js/[]": ContextKind.CONTENT_SCRIPT,
    "user_scripts/api_script": ContextKind.CONTENT_SCRIPT,
    "experiment_apis/*/parent/script": ContextKind.UNKNOWN,
    "experiment_apis/*/child/script": ContextKind.UNKNOWN,
}
_PAGES = {
    "background/page": ContextKind.BACKGROUND,
    "action/default_popup": ContextKind.EXTENSION_PAGE,
    "browser_action/default_popup": ContextKind.EXTENSION_PAGE,
    "page_action/default_popup": ContextKind.EXTENSION_PAGE,
    "options_page": ContextKind.EXTENSION_PAGE,
    "options_ui/page": ContextKind.EXTENSION_PAGE,
    "side_panel/default_path": ContextKind.EXTENSION_PAGE,
    "sidebar_action/default_panel": ContextKind.EXTENSION_PAGE,
    "chrome_url_overrides/*": ContextKind.EXTENSION_PAGE,
    "devtools_page": ContextKind.DEVTOOLS_PAGE,
    "protocol_handlers/[]/uriTemplate": ContextKind.EXTENSION_PAGE,
    "file_handlers/[]/action": ContextKind.EXTENSION_PAGE,
    "input_components/[]/options_page": ContextKind.EXTENSION_PAGE,
    "input_components/[]/input_view": ContextKind.EXTENSION_PAGE,
    "mime_types_handler/*/handler_url": ContextKind.EXTENSION_PAGE,
    "sandbox/pages/[]": ContextKind.SANDBOX,
}
CODE_PATHS = (*_SCRIPTS, *_PAGES)
"""The paths of the names of scripts and pages: `[]` is any index, `*` any key."""

_IMAGES = (
    "icons/*",
    "icon_variants/[]/#",
    "action/default_icon",
    "action/default_icon/*",
    "action/icon_variants/[]/#",
    "action/theme_icons/[]/light",
    "action/theme_icons/[]/dark",
    "browser_action/default_icon",
    "browser_action/default_icon/*",
    "browser_action/theme_icons/[]/light",
    "browser_action/theme_icons/[]/dark",
    "page_action/default_icon",
    "page_action/default_icon/*",
    "sidebar_action/default_icon",
    "sidebar_action/default_icon/*",
    "chrome_settings_overrides/search_provider/favicon_url",
    "theme/images/*",
    "theme/images/*/#",
    "theme/images/*/[]",
    "dark_theme/images/*",
    "dark_theme/images/*/[]",
)
_OTHERS = (
    "content_scripts/[]/css/[]",
    "declarative_net_request/rule_resources/[]/path",
    "storage/managed_schema",
    "dictionaries/*",
    "experiment_apis/*/schema",
    "theme_experiment/stylesheet",
)
"""Web accessible resources are not included, because they are patterns."""


def file_use(steps: Sequence[str | int]) -> FileUse | None:
    """Returns the use of the file that a value at a path of keys and indexes names, or None."""
    for use, patterns in (
        (FileUse.SCRIPT, _SCRIPTS),
        (FileUse.PAGE, _PAGES),
        (FileUse.IMAGE, _IMAGES),
        (FileUse.OTHER, _OTHERS),
    ):
        if any(_matches(steps, pattern.split("/")) for pattern in patterns):
            return use
    return None


def _matches(steps: Sequence[str | int], pattern: Sequence[str]) -> bool:
    return len(steps) == len(pattern) and all(
        isinstance(step, int) if part == _EACH_ITEM else _is_key(step, part)
        for step, part in zip(steps, pattern, strict=True)
    )


def _is_key(step: str | int, part: str) -> bool:
    if part == _EACH_SIZE:
        return isinstance(step, str) and (step == "any" or step.isdecimal())
    return isinstance(step, str) and part in (step, _EACH_MEMBER)


@cached_method
def file_references(manifest: Manifest) -> Sequence[FileReference]:
    """Returns every string of a manifest that names a file, whatever the manifest contains."""
    return tuple(_all_names(manifest))


def content_scripts(manifest: Manifest) -> Iterator[tuple[int, FileReference]]:
    """Yields the names of scripts in `content_scripts`, each with the index of its entry."""
    for each in file_references(manifest):
        match each.pointer.split("/"):
            case ["", "content_scripts", entry, "js", _]:
                yield int(entry), each


def _all_names(manifest: Manifest) -> Iterator[FileReference]:
    for pattern, kind in _SCRIPTS.items():
        for pointer, node in _strings(manifest, pattern):
            yield _reference(pointer, node, FileUse.SCRIPT, _script_kind(manifest, pointer, kind))
    for pattern, kind in _PAGES.items():
        for pointer, node in _strings(manifest, pattern):
            yield _reference(pointer, node, FileUse.PAGE, kind)
    for use, patterns in ((FileUse.IMAGE, _IMAGES), (FileUse.OTHER, _OTHERS)):
        for pattern in patterns:
            for pointer, node in _strings(manifest, pattern):
                yield _reference(pointer, node, use, None)
    for pointer, node in _strings(manifest, "dictionaries/*"):
        stem, _, suffix = str(node.value).rpartition(".")
        if suffix == "dic":
            yield FileReference(f"{stem}.aff", FileUse.OTHER, None, pointer, node)


def accessible_resources(manifest: Manifest) -> Iterator[tuple[str, JsonNode]]:
    """Yields the names and patterns of files that web pages may load, in either manifest version."""
    for pattern in ("web_accessible_resources/[]", "web_accessible_resources/[]/resources/[]"):
        for _, node in _strings(manifest, pattern):
            yield str(node.value), node


def _reference(pointer: str, node: JsonNode, use: FileUse, kind: ContextKind | None) -> FileReference:
    return FileReference(str(node.value), use, kind, pointer, node)


def _script_kind(manifest: Manifest, pointer: str, kind: ContextKind) -> ContextKind:
    if kind is not ContextKind.CONTENT_SCRIPT or not pointer.startswith("/content_scripts/"):
        return kind
    world = manifest.get("content_scripts", int(pointer.split("/")[2]), "world")
    if world is None or world.value == "ISOLATED":
        return kind
    return ContextKind.MAIN_WORLD if world.value == "MAIN" else ContextKind.UNKNOWN


def _strings(manifest: Manifest, pattern: str) -> Iterator[tuple[str, JsonNode]]:
    root = manifest.document.root
    for pointer, node in () if root is None else _below(root, pattern.split("/"), ""):
        if isinstance(node.value, str):
            yield pointer, node


def _below(node: JsonNode, steps: list[str], pointer: str) -> Iterator[tuple[str, JsonNode]]:
    """Yields the values at a path below a node, with their pointers."""
    if not steps:
        yield pointer, node
        return
    for key, child in _children(node, steps[0]):
        yield from _below(child, steps[1:], f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}")


def _children(node: JsonNode, step: str) -> Iterator[tuple[str, JsonNode]]:
    if step == _EACH_ITEM:
        for index, item in enumerate(node.items()):
            yield str(index), item
    elif step in (_EACH_MEMBER, _EACH_SIZE):
        for key, member in node.members():
            if _is_key(key, step):
                yield key, member.node
    elif found := node.get(step):
        yield step, found
