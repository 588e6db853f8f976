"""A client of the language server, for tests: it sends what editors send, and waits for answers."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar, cast
from unittest.mock import patch

from lsprotocol import types
from packed_program import COMMAND
from processes import Popen
from pygls.lsp.client import LanguageClient

TIMEOUT = 60
"""The time after which a test that waits for the server fails, in seconds."""

_T = TypeVar("_T")

PUSHED = types.ClientCapabilities(
    text_document=types.TextDocumentClientCapabilities(
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
            related_information=True,
            code_description_support=True,
            tag_support=types.ClientDiagnosticsTagOptions(list(types.DiagnosticTag)),
        )
    ),
    workspace=types.WorkspaceClientCapabilities(
        workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
        configuration=True,
    ),
)
"""An editor to which diagnostics are pushed."""

PULLING = types.ClientCapabilities(
    text_document=types.TextDocumentClientCapabilities(
        diagnostic=types.DiagnosticClientCapabilities(),
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
            related_information=True, code_description_support=True
        ),
    ),
    workspace=types.WorkspaceClientCapabilities(
        diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True),
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
    ),
)
"""An editor that requests diagnostics."""


class Client(LanguageClient):
    """An editor. `diagnostics` has what was pushed, by the path of the file."""

    def __init__(self) -> None:
        super().__init__("test client", "1")
        self.diagnostics: dict[str, Sequence[types.Diagnostic]] = {}
        self.versions: dict[str, int | None] = {}
        self.logged: list[str] = []
        self.shown: list[str] = []
        self.settings: dict[str, Any] = {}
        self.traced: list[str] = []
        self.applied: list[types.WorkspaceEdit] = []
        self.refreshes = 0
        self.steps: list[str] = []
        self.parts: list[Any] = []
        self.errors: list[str] = []
        self._events = asyncio.Condition()

    async def until(self, condition: Callable[[], object]) -> None:
        """Waits until a condition holds, which is tested after each message of the server."""
        async with self._events:
            await asyncio.wait_for(self._events.wait_for(condition), TIMEOUT)

    async def notice(self) -> None:
        """Tests the conditions again."""
        async with self._events:
            self._events.notify_all()

    def rules(self, path: str | Path) -> list[str]:
        """Returns the rules of a file's diagnostics."""
        return [str(each.code) for each in self.diagnostics.get(str(path), ())]

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Remembers an error, such as a message that cannot be understood."""
        self.errors.append(f"{source}: {error}")

    def open(self, path: Path, text: str | None = None, version: int = 1) -> None:
        """Opens a file, with the text on the disk by default."""
        text = path.read_bytes().decode() if text is None else text
        item = types.TextDocumentItem(path.as_uri(), "javascript", version, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, path: Path, version: int, *changes: types.TextDocumentContentChangeEvent | str) -> None:
        """Changes an open file. A string is its whole text."""
        events = [
            types.TextDocumentContentChangeWholeDocument(each) if isinstance(each, str) else each
            for each in changes
        ]
        item = types.VersionedTextDocumentIdentifier(version=version, uri=path.as_uri())
        self.text_document_did_change(types.DidChangeTextDocumentParams(item, events))

    def close(self, path: Path) -> None:
        """Closes a file without saving it."""
        item = types.TextDocumentIdentifier(path.as_uri())
        self.text_document_did_close(types.DidCloseTextDocumentParams(item))

    def changed_on_disk(self, *paths: Path) -> None:
        """Reports that other programs have changed files."""
        events = [types.FileEvent(path.as_uri(), types.FileChangeType.Changed) for path in paths]
        self.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))

    async def pull(self, path: Path) -> list[types.Diagnostic]:
        """Requests the diagnostics of a file."""
        item = types.TextDocumentIdentifier(path.as_uri())
        found = await self.text_document_diagnostic_async(types.DocumentDiagnosticParams(item))
        assert isinstance(found, types.RelatedFullDocumentDiagnosticReport)
        return list(found.items)

    async def actions(
        self, path: Path, diagnostic: types.Diagnostic | None = None, only: Sequence[str] | None = None
    ) -> Mapping[str, types.CodeAction]:
        """Requests the code actions at a diagnostic, or at the start, by their titles."""
        start = types.Position(0, 0)
        place = types.Range(start, start) if diagnostic is None else diagnostic.range
        found = await self.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(path.as_uri()),
                place,
                types.CodeActionContext([] if diagnostic is None else [diagnostic], only),
            )
        )
        # lsprotocol reads an action with a command as a command, which also has a title.
        return {each.title: cast("types.CodeAction", each) for each in found or ()}


def _with_handlers(client: Client) -> Client:
    async def publish(params: types.PublishDiagnosticsParams) -> None:
        path = params.uri.removeprefix("file://")
        client.diagnostics[path] = params.diagnostics
        client.versions[path] = params.version
        await client.notice()

    async def log(params: types.LogMessageParams) -> None:
        client.logged.append(params.message)
        await client.notice()

    async def trace(params: types.LogTraceParams) -> None:
        client.traced.append(params.message)
        await client.notice()

    async def show(params: types.ShowMessageParams) -> None:
        client.shown.append(params.message)
        await client.notice()

    def register(_params: types.RegistrationParams) -> None:
        return None

    def configuration(params: types.ConfigurationParams) -> list[Any]:
        return [client.settings.get((each.scope_uri or "").removeprefix("file://")) for each in params.items]

    async def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        client.applied.append(params.edit)
        await client.notice()
        return types.ApplyWorkspaceEditResult(applied=True)

    async def refresh(_params: None) -> None:
        client.refreshes += 1
        await client.notice()

    def create(_params: types.WorkDoneProgressCreateParams) -> None:
        return None

    async def progress(params: types.ProgressParams) -> None:
        value = params.value or {}
        if "items" in value:
            client.parts.append(value)
        else:
            client.steps.append(str(value.get("kind")))
        await client.notice()

    handlers: dict[str, Callable[..., Any]] = {
        types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: publish,
        types.WINDOW_LOG_MESSAGE: log,
        types.LOG_TRACE: trace,
        types.WINDOW_SHOW_MESSAGE: show,
        types.CLIENT_REGISTER_CAPABILITY: register,
        types.WORKSPACE_CONFIGURATION: configuration,
        types.WORKSPACE_APPLY_EDIT: apply,
        types.WORKSPACE_DIAGNOSTIC_REFRESH: refresh,
        types.WINDOW_WORK_DONE_PROGRESS_CREATE: create,
        types.PROGRESS: progress,
    }
    for name, handler in handlers.items():
        client.feature(name)(handler)
    return client


@asynccontextmanager
async def language_server(
    *roots: Path,
    capabilities: types.ClientCapabilities = PUSHED,
    settings: Mapping[str, Any] | None = None,
    options: object = None,
    trace: types.TraceValue = types.TraceValue.Off,
    arguments: Sequence[str] = (),
) -> AsyncIterator[Client]:
    """Starts a server on folders, and ends it properly. `settings` are those of each folder."""
    client = _with_handlers(Client())
    client.settings.update(settings or {})
    with patch.object(subprocess, "Popen", Popen):
        await client.start_io(*COMMAND, "lsp", *arguments)
    folders = [types.WorkspaceFolder(each.as_uri(), each.name) for each in roots]
    await asyncio.wait_for(
        client.initialize_async(
            types.InitializeParams(
                capabilities,
                workspace_folders=folders or None,
                initialization_options=options,
                trace=trace,
            )
        ),
        TIMEOUT,
    )
    client.initialized(types.InitializedParams())
    process = client._server
    assert process is not None
    try:
        yield client
        await asyncio.wait_for(client.shutdown_async(None), TIMEOUT)
        client.exit(None)
        assert await asyncio.wait_for(process.wait(), TIMEOUT) == 0
    finally:
        if process.returncode is None:
            process.kill()
        await client.stop()  # type: ignore[no-untyped-call]


def run(test: Coroutine[Any, Any, _T]) -> _T:
    """Runs a test that talks to a server."""
    return asyncio.run(test)


def apply(text: str, edits: Sequence[types.TextEdit]) -> str:
    """Returns a text after edits, as an editor applies them. Positions are in UTF-16."""
    lines = text.splitlines(keepends=True)

    def offset(position: types.Position) -> int:
        before = sum(map(len, lines[: position.line]))
        line = lines[position.line] if position.line < len(lines) else ""
        units = line.encode("utf-16-le")[: 2 * position.character]
        return before + len(units.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda each: (each.range.start, each.range.end), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text
