"""Completion of the names of files, messages, placeholders and rulesets."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.checking.report_of import Settings
from extlint.editor.completion import Completion
from extlint.editor.document import Document, Role
from extlint.editor.manifest_names import items_in_json
from extlint.editor.markup_names import items_in_page, items_in_style_sheet
from extlint.editor.message_items import key_items, placeholder_items, reference_items
from extlint.editor.script_items import items_in_script
from extlint.editor.script_parts import script_part_at
from extlint.package.files import Package
from extlint.text.positions import Position


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
