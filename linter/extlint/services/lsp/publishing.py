"""Sends diagnostics to the client, on its request or whenever they change, and the progress of checks."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import Mapping, Sequence

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from extlint.services.lsp.documents import path_of
from extlint.services.lsp.workspace import CheckedFolder, Workspace


class Publisher:
    """Knows which diagnostics the client has.

    A client that requests diagnostics, and that understands when it should request them again, receives them
    only on request. To all others they are pushed, also for files that are not open.
    """

    def __init__(self, server: LanguageServer, workspace: Workspace) -> None:
        self._server = server
        self._workspace = workspace
        self._sent: Mapping[str, Sequence[types.Diagnostic]] = {}
        self._ids: dict[str, tuple[str, Sequence[types.Diagnostic]]] = {}
        self._last_id = 0
        self._changed = asyncio.Event()
        self._answered: dict[str, str] = {}

    @property
    def pulls(self) -> bool:
        """Whether the client requests diagnostics."""
        capabilities = self._server.client_capabilities
        document, workspace = capabilities.text_document, capabilities.workspace
        own = None if workspace is None else workspace.diagnostics
        return (
            document is not None
            and document.diagnostic is not None
            and own is not None
            and bool(own.refresh_support)
        )

    def update(self) -> None:
        """Sends what has changed to the client, after a check."""
        found = self._workspace.diagnostics()
        if not self.pulls:
            self._push(found)
        elif any(self._answered[path] != self._id(path, found.get(path, ())) for path in self._answered):
            self._server.workspace_diagnostic_refresh(None)
        self._sent = found
        self._changed.set()
        self._changed = asyncio.Event()

    def _push(self, found: Mapping[str, Sequence[types.Diagnostic]]) -> None:
        documents = self._workspace.documents
        for path in dict.fromkeys((*found, *self._sent)):
            each = found.get(path, ())
            if each != self._sent.get(path, ()):
                self._server.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(documents.uri(path), list(each), documents.version(path))
                )

    def forget(self, path: str) -> None:
        """Forgets what the client knows about a document that it has closed."""
        self._answered.pop(path, None)

    async def of_document(self, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        """Returns the diagnostics of a document, once its present text is checked."""
        path = path_of(params.text_document.uri) or ""
        for folder in self._workspace.with_file(path):
            await folder.current()
        found = self._workspace.diagnostics().get(path, ())
        number = self._answered[path] = self._id(path, found)
        if number == params.previous_result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(number)
        return types.RelatedFullDocumentDiagnosticReport(list(found), result_id=number)

    async def of_workspace(self, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        """Returns the diagnostics of all files that have changed, as soon as there are any.

        `previous_result_ids` are those that the client knows. If the client accepts partial results, they are
        sent whenever something changes, until it cancels the request: some clients wait for seconds between
        two requests.
        """
        known = {path_of(each.uri) or "": each.value for each in params.previous_result_ids}
        for folder in self._workspace.folders:
            await folder.current()
        while True:
            items = self._changes(known)
            token = params.partial_result_token
            if items and token is None:
                return types.WorkspaceDiagnosticReport(items)
            if items and token is not None:
                part = types.WorkspaceDiagnosticReportPartialResult(items)
                self._server.progress(types.ProgressParams(token, part))
            await self._changed.wait()

    def _changes(self, known: dict[str, str]) -> list[types.WorkspaceDocumentDiagnosticReport]:
        """Returns the diagnostics that are new to the client by file, and adds them to the known ones."""
        found = self._workspace.diagnostics()
        items: list[types.WorkspaceDocumentDiagnosticReport] = []
        for path in dict.fromkeys((*found, *known)):
            each = found.get(path, ())
            number = self._id(path, each)
            if known.get(path, None if each else number) != number:
                known[path] = number
                documents = self._workspace.documents
                items.append(
                    types.WorkspaceFullDocumentDiagnosticReport(
                        documents.uri(path), list(each), documents.version(path), result_id=number
                    )
                )
        return items

    def _id(self, path: str, found: Sequence[types.Diagnostic]) -> str:
        """Returns the identifier of a file's diagnostics, which is a new one whenever they change."""
        number, before = self._ids.get(path, ("", None))
        if before is None or list(before) != list(found):
            self._last_id += 1
            number = str(self._last_id)
            self._ids[path] = number, found
        return number


DELAY = 0.5
"""The time after which a check is shown, in seconds."""


class ProgressDisplay:
    """Shows the check that is running. There is at most one, as there is one worker."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._timer: asyncio.TimerHandle | None = None
        self._token: str | None = None
        self._shown = ""

    @property
    def _is_supported(self) -> bool:
        window = self._server.client_capabilities.window
        return window is not None and bool(window.work_done_progress)

    def start(self, folder: CheckedFolder) -> None:
        """Shows the check of a folder, unless it ends soon."""
        self.end()
        if self._is_supported:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(DELAY, lambda: asyncio.ensure_future(self._begin(folder)))

    async def _begin(self, folder: CheckedFolder) -> None:
        timer, token = self._timer, str(uuid.uuid4())
        try:
            await self._server.work_done_progress.create_async(token)
        except Exception:
            return
        if self._timer is not timer:
            return
        self._token = token
        title = f"extlint: checking {os.path.basename(folder.path) or folder.path}"
        self._server.work_done_progress.begin(token, types.WorkDoneProgressBegin(title, cancellable=False))

    def report(self, message: str) -> None:
        """Shows what is being done."""
        if self._token is not None and message != self._shown:
            self._shown = message
            self._server.work_done_progress.report(self._token, types.WorkDoneProgressReport(message=message))

    def end(self) -> None:
        """Ends the display, after a check."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._token is not None:
            self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd())
            self._server.work_done_progress.tokens.pop(self._token, None)
            self._token = None
