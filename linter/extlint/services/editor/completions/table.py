"""Completion of the text at a position in an editor."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.analysis.values.stack import checking_package
from extlint.checking.report_of import Settings
from extlint.package.files import Package
from extlint.services.editor.audience import audience_of
from extlint.services.editor.completions.configuration_completion import (
    configuration_completions,
    directive_completions,
    is_configuration,
)
from extlint.services.editor.documents.text_cursor import Completion, cursor_at
from extlint.text.positions import Position


@checking_package
def completions(
    package: Package, settings: Settings, path: str, text: str, position: Position
) -> Sequence[Completion]:
    """Returns members of the API, manifest keys, values, and rules in comments: whatever fits at a position.

    `path` is the file's path in the extension, and `text` its text as it is now. Waits for the
    end of a check in another thread.
    """
    cursor = cursor_at(path, text, position)
    in_comment = directive_completions(cursor)
    if in_comment is not None:
        return in_comment
    if is_configuration(path):
        return configuration_completions(cursor)
    audience = audience_of(package, settings)
    if path == package.manifest_path or path in package.variants:
        from extlint.services.editor.completions.json_completion import manifest_completions

        return manifest_completions(audience, cursor)
    if path.endswith(".json"):
        from extlint.services.editor.completions.json_completion import is_ruleset, ruleset_completions

        return ruleset_completions(audience, cursor) if is_ruleset(audience, path) else ()
    from extlint.services.editor.completions.api_completion import api_completions

    return api_completions(audience, cursor)
