"""Finds names of files in a manifest that Chrome reads literally, and other browsers as URLs.

Each of these keys was verified in Chromium 156, in Manifest V3. In names of icons, content scripts
and others it ignores a hash, but does not decode `%20`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from extlint.extension import Extension
from extlint.manifest.file_keys import file_references
from extlint.package.references import paths_of, without_query
from extlint.project.builds import build_reads_manifest
from extlint.schema.engine import Engine
from extlint.text.json.values import JsonNode

_ICONS = ("/icons/", "/action/default_icon/")
_ICON = "/action/default_icon"
_CONTENT_SCRIPTS = "/content_scripts/"
_RULES = "/declarative_net_request/"
_SCHEMA = "/storage/managed_schema"


class LiteralName(Struct, frozen=True):
    """A name that Chrome cannot resolve, although the package contains the intended file.

    `rejected_part` is the part of the name that Chrome does not accept, or None if it searches for a file of
    that name.
    """

    name: str
    node: JsonNode
    intended_path: str
    rejected_part: str | None


def literal_names(extension: Extension) -> Iterator[LiteralName]:
    """Yields the names in the manifest that Chrome cannot resolve, although the package contains the file."""
    if extension.target.engine is not Engine.CHROMIUM or extension.manifest_version != 3:
        return
    if build_reads_manifest(extension):
        return
    for each in file_references(extension.manifest):
        refused = _rejected_part(each.pointer, each.name)
        if refused is None and not _is_escaped(each.pointer, each.name):
            continue
        found = next((path for path in paths_of(each.name) if path in extension.package), None)
        if found is not None and (refused is not None or found not in _literal_path(each.name)):
            yield LiteralName(each.name, each.node, found, refused)


def _rejected_part(pointer: str, name: str) -> str | None:
    is_icon = _is_icon(pointer)
    is_data = pointer.startswith(_RULES) or pointer == _SCHEMA
    marks = "?" if is_icon else "?#" if is_data else ""
    mark = next((each for each in marks if each in name), None)
    if mark is None and (is_icon or is_data) and ".." in name.split("/"):
        return ".."
    return "/" if mark is None and pointer == _SCHEMA and name.startswith("/") else mark


def _is_escaped(pointer: str, name: str) -> bool:
    is_literal = _is_icon(pointer) or pointer.startswith((_CONTENT_SCRIPTS, _RULES))
    return is_literal and "%" in name


def _is_icon(pointer: str) -> bool:
    return pointer.startswith(_ICONS) or pointer == _ICON


def _literal_path(name: str) -> tuple[str, ...]:
    """Returns the path that a name refers to if its escapes are not decoded."""
    return paths_of(without_query(name).replace("%", "%25"))[:1]
