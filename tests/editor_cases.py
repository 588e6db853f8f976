"""Documents with `|` as the cursor, and the answers to it, for the tests of `extlint.services.editor`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from packages import package_of

from extlint.checking.report_of import Settings
from extlint.finding import Severity
from extlint.linting.configuration.usage_error import parse_targets
from extlint.package.files import Package
from extlint.project.target_detection.choice import chosen_by_option
from extlint.schema.model import NO_USER_SCHEMAS
from extlint.services.editor.completion import completions
from extlint.services.editor.documents.text_cursor import Completion
from extlint.services.editor.hover import Hover, hover
from extlint.text.positions import Position

BOTH = ("firefox", "chrome")


def settings(targets: Sequence[str] = BOTH) -> Settings:
    """Returns the settings of a user who names these targets."""
    choice = chosen_by_option(parse_targets(targets)) if targets else None
    return Settings(choice, (), NO_USER_SCHEMAS, Severity.ERROR)


def extension(manifest: Mapping[str, Any] | str | None = None) -> Package:
    """Returns a package with a manifest only, given as its value or its text."""
    content = {"manifest_version": 3, "name": "a", "version": "1"} if manifest is None else manifest
    return package_of({"manifest.json": content if isinstance(content, str) else json.dumps(content)})


def at_cursor(marked: str) -> tuple[str, Position]:
    """Returns a text without its `|`, and the position of that."""
    before, mark, after = marked.partition("|")
    assert mark
    lines = before.replace("\r\n", "\n").split("\n")
    return before + after, Position(len(lines), len(lines[-1]) + 1)


def items_at(
    marked: str, path: str = "a.js", targets: Sequence[str] = BOTH, manifest: Mapping[str, Any] | None = None
) -> dict[str, Completion]:
    """Returns the completions at the cursor, by their labels. The document may be the manifest itself."""
    text, position = at_cursor(marked)
    package = extension(text if path == "manifest.json" else manifest)
    found = completions(package, settings(targets), path, text, position)
    by_label = {each.label: each for each in found}
    assert len(by_label) == len(found)
    return by_label


def completed(marked: str, label: str, path: str = "a.js", targets: Sequence[str] = BOTH) -> str:
    """Returns the text after the item with this label was chosen, with `|` after what it inserts."""
    text, _ = at_cursor(marked)
    item = items_at(marked, path, targets)[label]
    lines = text.splitlines(keepends=True) or [""]
    start, end = (sum(map(len, lines[: each.line - 1])) + each.column - 1 for each in (item.start, item.end))
    return f"{text[:start]}{item.insert}|{text[end:]}"


def hover_at(
    marked: str, path: str = "a.js", targets: Sequence[str] = BOTH, manifest: Mapping[str, Any] | None = None
) -> Hover | None:
    """Returns what is shown at the cursor. The document may be the manifest itself."""
    text, position = at_cursor(marked)
    package = extension(text if path == "manifest.json" else manifest)
    return hover(package, settings(targets), path, text, position)
