"""The files that an editor offers in a manifest, and in a file of declarativeNetRequest rules."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from extlint.checking.report_of import Settings
from extlint.manifest.file_keys import FileUse, file_use
from extlint.schema.engine import Engine
from extlint.schema.targets.request import engine_of
from extlint.services.editor.audience import audience_of
from extlint.services.editor.documents.completion import Completion
from extlint.services.editor.documents.document import Document, Role
from extlint.services.editor.files import FileKind, Place, file_items
from extlint.text.json.values import Step

_KINDS = {FileUse.SCRIPT: FileKind.SCRIPT, FileUse.PAGE: FileKind.PAGE, FileUse.IMAGE: FileKind.ICON}
_OTHER_KINDS = {
    "css": FileKind.STYLE,
    "dictionaries": FileKind.DICTIONARY,
    "path": FileKind.JSON,
    "managed_schema": FileKind.JSON,
    "schema": FileKind.JSON,
    "stylesheet": FileKind.STYLE,
}
_RESOURCES = "web_accessible_resources"
_EXTENSION_PATH = ("action", "redirect", "extensionPath")


def items_in_json(document: Document, settings: Settings, at: int) -> Iterator[Completion]:
    """Yields the files that fit at a byte offset of a manifest or a file of rules."""
    place = document.place_in_json(at)
    if place is None or place.at_key:
        return
    steps = place.value_steps
    kind = _kind_in_rules(steps) if document.role is Role.RULES else kind_in_manifest(steps)
    token = place.token
    if kind is None or (token is not None and token.kind != "string"):
        return
    span = (at, at)
    if token is not None:
        span = token.start + 1, max(token.end - 1 if token.is_closed else token.end, token.start + 1)
    written = frozenset(_decoded(each) for each in place.container.strings)
    own = frozenset() if token is None else frozenset({_decoded(token.content)})
    yield from file_items(
        document,
        span,
        kind,
        Place.SLASH if document.role is Role.RULES else Place.ROOT,
        quote=_quoted if token is None else _quoted_inside,
        without=written - own,
        is_without_svg=kind is FileKind.ICON and is_without_svg(document, settings),
    )


def kind_in_manifest(steps: Sequence[Step]) -> FileKind | None:
    """Returns the kind of file that a value of a manifest names, or None."""
    use = file_use(steps)
    if use is FileUse.OTHER:
        return next((_OTHER_KINDS[each] for each in reversed(steps) if each in _OTHER_KINDS), None)
    if use is not None:
        return _KINDS[use]
    is_list = len(steps) in (2, 4) and isinstance(steps[-1], int)
    return FileKind.ANY if is_list and steps[0] == _RESOURCES and "matches" not in steps else None


def is_without_svg(document: Document, settings: Settings) -> bool:
    """Whether no target accepts SVG as an icon: all of them are based on Chromium."""
    names = audience_of(document.package, settings).names
    return bool(names) and all(engine_of(each) is Engine.CHROMIUM for each in names)


def _kind_in_rules(steps: Sequence[Step]) -> FileKind | None:
    return FileKind.ANY if tuple(steps[1:]) == _EXTENSION_PATH else None


def _decoded(text: str) -> str:
    return text.encode("latin-1", "replace").decode("utf-8", "replace")


def _quoted(path: str) -> str:
    return json.dumps(path, ensure_ascii=False)


def _quoted_inside(path: str) -> str:
    return _quoted(path)[1:-1]
