"""Code actions: fixes of findings, comments that suppress them, and all safe fixes at once.

The user completes the reason in a comment that suppresses a finding.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from lsprotocol import types

from extlint.linting.suppression.ignores import suppressing_edits
from extlint.package.files import path_below
from extlint.package.suffixes import COMMENTABLE, has_suffix
from extlint.services.api.results import Finding
from extlint.services.lsp.diagnostics import Found, Texts
from extlint.services.lsp.documents import Documents, Text, path_of
from extlint.services.lsp.workspace import CheckedFolder, Workspace

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


REASON = "TODO: give the reason"
"""The text in place of the reason."""


def suppression(text: Text, path: str, line: int, rule: str, *, is_manifest: bool) -> types.TextEdit | None:
    """Returns the edit that suppresses the findings of a rule that begin in a line, counted from 1.

    Returns None where no comment is possible, and in files that have no such comments.
    """
    if not (is_manifest or has_suffix(path, COMMENTABLE)):
        return None
    data = text.text.encode("utf-8", "surrogatepass")
    edit = suppressing_edits(data, path, {line: (rule,)}, REASON).get(line)
    return None if edit is None else types.TextEdit(text.range(*edit.span), edit.text)


FIX_ALL = types.CodeActionKind.SourceFixAll.value + ".extlint"
"""The kind of the action that applies all safe fixes of a file, which editors can run when they save."""

FIX_EXTENSION = "extlint.fixAll"
"""The command that applies all safe fixes of the extension with a file, whose address is its argument."""


class CodeActions:
    """Finds the code actions of a file."""

    def __init__(self, workspace: Workspace, edits: WorkspaceEdits) -> None:
        self._workspace = workspace
        self._edits = edits

    async def of(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """Returns the actions for a range, once the present text is checked."""
        path = path_of(params.text_document.uri)
        folder = None if path is None else next(self._workspace.with_file(path), None)
        if path is None or folder is None:
            return []
        checked = await folder.current()
        actions: list[types.CodeAction] = []
        if _wants(params.context, types.CodeActionKind.QuickFix.value):
            own = checked.found.get(path, ())
            found = [each for each in own if _touch(each.diagnostic.range, params.range)]
            for each in found:
                actions += self._quick_fixes(each, path, checked.texts)
            everywhere = sum(_is_safely_fixable(each) for file in checked.found.values() for each in file)
            if everywhere > 1 and any(map(_is_safely_fixable, found)):
                actions.append(_fix_extension(params.text_document.uri))
        if params.context.only and _wants(params.context, FIX_ALL):
            edit = await self._fixes(folder, path, checked.texts, whole=False)
            if edit is not None:
                actions.append(types.CodeAction("Apply all safe fixes of extlint", FIX_ALL, edit=edit))
        return actions

    def _quick_fixes(self, found: Found, path: str, texts: Texts) -> Iterator[types.CodeAction]:
        finding = found.finding
        if finding is None:
            return
        edit = self._edits.of_fix(finding, texts)
        if edit is not None and finding.fix is not None:
            title = finding.fix.message[:1].upper() + finding.fix.message[1:]
            yield types.CodeAction(
                title if finding.fix.safe else f"{title} (review the change)",
                types.CodeActionKind.QuickFix,
                [found.diagnostic],
                is_preferred=finding.fix.safe,
                edit=edit,
            )
        comment = self._suppression(finding, path, texts)
        if comment is not None:
            yield types.CodeAction(
                f"Suppress {finding.rule} with a comment",
                types.CodeActionKind.QuickFix,
                [found.diagnostic],
                edit=self._edits.of_edits({path: [comment]}),
            )

    def _suppression(self, finding: Finding, path: str, texts: Texts) -> types.TextEdit | None:
        is_manifest = finding.path.endswith("manifest.json")
        return suppression(texts.of(path), path, finding.start.line, finding.rule, is_manifest=is_manifest)

    async def _fixes(
        self, folder: CheckedFolder, path: str, texts: Texts, *, whole: bool
    ) -> types.WorkspaceEdit | None:
        """Returns the edits of all safe fixes of a file, or of its extension if `whole`, or None."""
        new = await self._workspace.worker.submit(lambda: folder.session.fixed(path, whole=whole))
        encoding = self._workspace.documents.encoding
        after = {each: Text.of_file(data, encoding) for each, data in new.items()}
        return self._edits.of_texts(after, texts) if after else None

    async def fix_extension(self, uri: str) -> types.WorkspaceEdit | None:
        """Returns the edits of all safe fixes of the extension with a file, or None without any."""
        path = path_of(uri)
        folder = None if path is None else next(self._workspace.with_file(path), None)
        if path is None or folder is None:
            return None
        checked = await folder.current()
        return await self._fixes(folder, path, checked.texts, whole=True)


def _fix_extension(uri: str) -> types.CodeAction:
    title = "Apply all safe fixes in this extension"
    command = types.Command(title, FIX_EXTENSION, arguments=[uri])
    return types.CodeAction(title, types.CodeActionKind.QuickFix, command=command)


def _is_safely_fixable(found: Found) -> bool:
    return found.finding is not None and found.finding.fix is not None and found.finding.fix.safe


def _touch(one: types.Range, other: types.Range) -> bool:
    return one.start <= other.end and other.start <= one.end


def _wants(context: types.CodeActionContext, kind: str) -> bool:
    """Whether a client requests actions of a kind. It may name a kind that contains others."""
    if not context.only:
        return True
    return any(kind == each or kind.startswith(f"{each}.") or not each for each in context.only)
