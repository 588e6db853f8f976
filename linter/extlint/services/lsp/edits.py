"""Edits of the workspace for fixes, and for texts that a check has changed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from lsprotocol import types

from extlint.package.files import path_below
from extlint.services.api.results import Finding
from extlint.services.lsp.diagnostics import Texts
from extlint.services.lsp.documents import Documents
from extlint.services.lsp.positions import Text

MAX_COMPARED_LINES = 20_000
"""The maximum number of lines that are compared to find the changed ones; else one edit replaces all."""


class WorkspaceEdits:
    """Builds edits of the workspace in the form that the client understands."""

    def __init__(self, documents: Documents, capabilities: types.ClientCapabilities) -> None:
        self._documents = documents
        workspace = capabilities.workspace
        own = None if workspace is None else workspace.workspace_edit
        self._with_versions = own is not None and bool(own.document_changes)

    def of_fix(self, finding: Finding, texts: Texts) -> types.WorkspaceEdit | None:
        """Returns the edits of a finding's fix, or None without a fix."""
        if finding.fix is None:
            return None
        edits: dict[str, list[types.TextEdit]] = {}
        for each in finding.fix.edits:
            path = os.path.abspath(path_below(finding.extension, each.path))
            start, end = (each.start.line, each.start.column), (each.end.line, each.end.column)
            edits.setdefault(path, []).append(types.TextEdit(texts.of(path).range(start, end), each.text))
        return self.of_edits(edits)

    def of_texts(self, after: Mapping[str, Text], texts: Texts) -> types.WorkspaceEdit:
        """Returns the edits that change files into new texts, by absolute path."""
        return self.of_edits({path: changes(texts.of(path), text) for path, text in after.items()})

    def of_edits(self, edits: Mapping[str, Sequence[types.TextEdit]]) -> types.WorkspaceEdit:
        """Returns edits by absolute path as an edit of the workspace."""
        if not self._with_versions:
            return types.WorkspaceEdit({self._documents.uri(path): each for path, each in edits.items()})
        return types.WorkspaceEdit(
            document_changes=[
                types.TextDocumentEdit(
                    types.OptionalVersionedTextDocumentIdentifier(
                        self._documents.uri(path), self._documents.version(path)
                    ),
                    list(each),
                )
                for path, each in edits.items()
            ]
        )


def changes(before: Text, after: Text) -> list[types.TextEdit]:
    """Returns the edits that change a text into another, one for each group of changed lines."""
    old, new = before.text.splitlines(keepends=True), after.text.splitlines(keepends=True)
    if max(len(old), len(new)) > MAX_COMPARED_LINES:
        return [types.TextEdit(types.Range(types.Position(0, 0), before.end), after.text)]
    edits = []
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            place = types.Range(before.position(starts[first]), before.position(starts[last]))
            edits.append(types.TextEdit(place, "".join(new[start:end])))
    return edits
