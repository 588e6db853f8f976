"""Hover: the facts about the name at a position in an editor."""

from __future__ import annotations

from msgspec import Struct

from extlint.analysis.values.stack import checking_package
from extlint.checking.report_of import Settings
from extlint.package.files import Package
from extlint.services.editor.audience import audience_of
from extlint.services.editor.documents.text_cursor import cursor_at
from extlint.text.positions import Position


class Hover(Struct, frozen=True):
    """A text in Markdown about the part of a document from `start` up to `end`."""

    start: Position
    end: Position
    markdown: str


@checking_package
def hover(package: Package, settings: Settings, path: str, text: str, position: Position) -> Hover | None:
    """Returns what is known about the name of the API, the manifest key or the permission at a position.

    `path` is the file's path in the extension, and `text` its text as it is now. Waits for the
    end of a check in another thread.
    """
    cursor = cursor_at(path, text, position)
    audience = audience_of(package, settings)
    if path == package.manifest_path or path in package.variants:
        from extlint.services.editor.manifest_hover import hover_in_manifest

        found = hover_in_manifest(audience, cursor)
    else:
        from extlint.services.editor.script_hover import hover_in_script

        found = hover_in_script(audience, cursor)
    if found is None:
        return None
    (start, end), markdown = found
    return Hover(cursor.position(start), cursor.position(end), markdown)
