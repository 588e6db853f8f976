"""Completion of the names of files, messages, placeholders and rulesets.

In the strings of scripts, an editor offers files, messages and rulesets.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import GET_MESSAGE
from extlint.checking.report_of import Settings
from extlint.manifest.file_keys import FileUse, file_use
from extlint.package.files import Package
from extlint.package.references import folder_of, paths_of
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.services.editor.audience import audience_of
from extlint.services.editor.documents.document import Document, Role
from extlint.services.editor.documents.script_strings import FETCHED, ElementAddress
from extlint.services.editor.documents.scripts import ScriptPart, missing_closers, script_part_at
from extlint.services.editor.documents.text_cursor import Completion
from extlint.services.editor.files import FileKind, Place, file_items
from extlint.services.editor.markup_names import items_in_page, items_in_style_sheet, kind_of_attribute
from extlint.services.editor.messages import key_items, message_items, placeholder_items, reference_items
from extlint.services.editor.script_names import (
    RULESET_FUNCTIONS,
    ScriptName,
    evaluator_for,
    is_relative_to_page,
    name_at,
)
from extlint.text.json.values import Step
from extlint.text.positions import ByteSpan, Position

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


_IMAGE_KEYS = frozenset({"iconUrl", "imageUrl"})
_STYLE_FUNCTIONS = frozenset({"insertCSS", "removeCSS"})
_INJECTING_NAMESPACES = frozenset({"contentScripts", "scripting", "userScripts"})


def items_in_script(document: Document, settings: Settings, at: int) -> Iterator[Completion]:
    """Yields the names that fit in the string of a script around a byte offset of the document."""
    part = script_part_at(document.path, document.data, at)
    found = None if part is None else _name_in(document, part)
    if part is None or found is None:
        return
    span = found.span[0] + part.base, found.span[1] + part.base
    if found.function == GET_MESSAGE:
        yield from message_items(document, span)
    elif found.function in RULESET_FUNCTIONS:
        start, end = document.index.span(*span)
        for name, path in document.rulesets.items():
            yield Completion(name, "ruleset", path, "", start, end, name)
    else:
        yield from _files(document, settings, found, span)


def _name_in(document: Document, part: ScriptPart) -> ScriptName | None:
    """Returns the name in the string at the cursor, which may be yet to be closed, like its brackets."""
    before, after = part.text[: part.offset], part.text[part.offset :]
    closers = missing_closers(part.text, part.offset)
    for added in dict.fromkeys((b"", closers)):
        evaluator = evaluator_for(document, before + added + after, part.base)
        if evaluator is None:
            continue
        with closing(evaluator):
            found = name_at(evaluator, part.offset)
        if found is not None:
            is_closed = not added
            return found if is_closed else replace(found, span=(found.span[0], part.offset))
    return None


def _files(document: Document, settings: Settings, found: ScriptName, span: ByteSpan) -> Iterator[Completion]:
    kind = _kind_of(found)
    if found.is_module or found.is_relative:
        yield from file_items(document, span, FileKind.MODULE if found.is_module else kind, Place.MODULE)
        return
    if found.address is not None:
        yield from _files_of_element(document, found.address, span)
        return
    place, folder = Place.ROOT, ""
    if not found.function:
        place, folder = _place_of_loaded(document)
    elif is_relative_to_page(document, found.function):
        place = Place.SLASH
    yield from file_items(
        document,
        span,
        kind,
        place,
        folder=folder,
        is_without_svg=kind is FileKind.ICON and is_without_svg(document, settings),
    )


def _files_of_element(document: Document, address: ElementAddress, span: ByteSpan) -> Iterator[Completion]:
    kind = kind_of_attribute(address.element, address.attribute)
    if address.element == FETCHED:
        kind = FileKind.ANY
    if kind is not None and not document.is_content_script:
        folders = document.folders_of_pages
        is_in_page = document.role is Role.PAGE
        place = Place.FOLDER if is_in_page or len(folders) == 1 else Place.SLASH if folders else Place.ROOT
        folder = folder_of(document.path) if is_in_page else folders[0] if len(folders) == 1 else ""
        yield from file_items(document, span, kind, place, folder=folder)


def _place_of_loaded(document: Document) -> tuple[Place, str]:
    """Returns the notation of a script that a page or worker loads."""
    worker = document.manifest.get("background", "service_worker")
    name = worker.value if worker is not None and isinstance(worker.value, str) else ""
    if document.path in paths_of(name):
        return Place.FOLDER, folder_of(document.path) or ""
    return (Place.SLASH if any(document.folders_of_pages) else Place.ROOT), ""


def _kind_of(found: ScriptName) -> FileKind:
    """Returns the kind of file that belongs in a string."""
    function = found.function[-1] if found.function else ""
    if function == "getURL":
        return FileKind.ANY
    if function == "setIcon":
        return FileKind.ICON
    if found.key in _IMAGE_KEYS:
        return FileKind.IMAGE
    if function in _STYLE_FUNCTIONS or found.key == "css":
        return FileKind.STYLE
    is_injected = function == "executeScript" or not _INJECTING_NAMESPACES.isdisjoint(found.function[:1])
    return FileKind.SCRIPT if not function or is_injected else FileKind.PAGE


def name_completions(
    package: Package, settings: Settings, path: str, text: str, position: Position
) -> tuple[Completion, ...]:
    """Returns the names that can complete the one at a position.

    These are names of messages in `getMessage("")` and `__MSG_`, of the package's files where one belongs, of
    placeholders in a message, and of rulesets. Empty where something else belongs.
    """
    document = Document(package, path, text)
    at = document.index.offset(position)
    return tuple(_items(document, settings, at))


def _items(document: Document, settings: Settings, at: int) -> Iterator[Completion]:
    yield from reference_items(document, at)
    match document.role:
        case Role.MANIFEST | Role.RULES:
            yield from items_in_json(document, settings, at)
        case Role.MESSAGES:
            yield from placeholder_items(document, at)
            yield from key_items(document, at)
        case Role.PAGE:
            is_script = script_part_at(document.path, document.data, at) is not None
            yield from items_in_script(document, settings, at) if is_script else items_in_page(document, at)
        case Role.SCRIPT:
            yield from items_in_script(document, settings, at)
        case Role.STYLE:
            yield from items_in_style_sheet(document, at)
