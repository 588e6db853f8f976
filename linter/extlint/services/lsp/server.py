"""The language server."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterable, Sequence
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from extlint import __version__
from extlint.services.lsp.code_actions import CodeActions, WorkspaceEdits
from extlint.services.lsp.diagnostics import Abilities
from extlint.services.lsp.documents import path_of
from extlint.services.lsp.features import Features
from extlint.services.lsp.protocol import Protocol
from extlint.services.lsp.publishing import ProgressDisplay, Publisher
from extlint.services.lsp.settings import SECTION, Settings, settings_of
from extlint.services.lsp.watching import client_watches, matters, register_watcher, watch
from extlint.services.lsp.workspace import CheckedFolder, Listener, Workspace

_logger = logging.getLogger(__name__)

_SECONDS_BETWEEN_LOOKS = 1.0
"""The time between two looks whether the client still runs, in seconds."""


class Server(LanguageServer):
    """A language server for one client."""

    protocol: Protocol
    workspace_folders: list[str]

    def __init__(self) -> None:
        super().__init__(
            "extlint",
            __version__,
            types.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
            converter_factory=default_converter,
        )
        self.workspace_folders = []
        self.progress_display = ProgressDisplay(self)
        self._defaults = Settings()
        self._settings: dict[str, Settings] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._watch: asyncio.Task[None] | None = None
        self._complaints: set[str] = set()

    def start(self, capabilities: types.ClientCapabilities) -> None:
        """Creates what requires a running event loop."""
        listener = Listener(
            self.progress_display.start,
            self.progress_display.report,
            self.progress_display.end,
            self._checked,
        )
        self.files = Workspace(listener, self.show_error)
        self.publisher = Publisher(self, self.files)
        self.features = Features(self.files, capabilities)
        self.code_actions = CodeActions(self.files, WorkspaceEdits(self.files.documents, capabilities))

    def initialize(self, params: types.InitializeParams) -> None:
        """Uses the parameters of the client."""
        self.start(params.capabilities)
        self.protocol.trace = params.trace or types.TraceValue.Off
        self.files.documents.encoding = self.protocol.workspace.position_encoding or "utf-16"
        self.files.abilities = Abilities.of(params.capabilities)
        self.workspace_folders = list(_folders(params))
        try:
            self._defaults = settings_of(params.initialization_options)
        except ValueError as error:
            self.show_error(str(error))

    async def initialized(self) -> None:
        """Starts to check."""
        capabilities = self.client_capabilities
        if client_watches(capabilities):
            register_watcher(self)
        if self.process_id is not None and os.name == "posix":
            self.in_background(self._exit_with_client(self.process_id))
        await self.configure()

    async def configure(self, sent: object = None) -> None:
        """Asks the client for the settings, and checks the folders whose settings are new.

        `sent` are settings that the client has sent on its own.
        """
        paths = tuple(self.workspace_folders)
        workspace = self.client_capabilities.workspace
        try:
            if workspace is not None and workspace.configuration:
                self._settings = await self._requested_settings(paths)
            elif sent is not None:
                self._defaults = settings_of(sent)
        except ValueError as error:
            self.show_error(str(error))
        self._complaints.clear()
        self.files.configure(paths, lambda path: self._settings.get(path, self._defaults))
        self._watch_disk()

    async def _requested_settings(self, paths: Sequence[str]) -> dict[str, Settings]:
        items = [types.ConfigurationItem(self.files.documents.uri(path), SECTION) for path in paths]
        if not items:
            return {}
        found = await self.workspace_configuration_async(types.ConfigurationParams(items))
        return {
            path: settings_of(each) if each else self._defaults
            for path, each in zip(paths, found, strict=False)
        }

    @property
    def default_settings(self) -> Settings:
        """The settings of folders outside of the workspace."""
        return self._defaults

    def change_folders(self, added: Iterable[str], removed: Iterable[str]) -> None:
        """Adds and removes folders of the workspace."""
        gone = {path_of(each) for each in removed}
        self.workspace_folders = [each for each in self.workspace_folders if each not in gone]
        self.workspace_folders += [path for uri in added if (path := path_of(uri)) is not None]
        self.in_background(self.configure())

    def changed_on_disk(self, paths: Iterable[str]) -> None:
        """Checks the folders in which other programs have changed files."""
        relevant = [path for path in paths if matters(path)]
        for folder in self.files.folders:
            if any(folder.has(path) for path in relevant):
                folder.check()

    def _watch_disk(self) -> None:
        """Watches the folders if the client does not."""
        if client_watches(self.client_capabilities):
            return
        if self._watch is not None:
            self._watch.cancel()
        folders = tuple(self.workspace_folders)

        def start() -> None:
            self.trace(f"watching {', '.join(folders)}")
            self.changed_on_disk(folders)

        self._watch = self.in_background(watch(folders, start, self.changed_on_disk))

    def _checked(self, folder: CheckedFolder) -> None:
        last = folder.last
        if last is not None:
            for complaint in last.complaints:
                self.log(f"{folder.path}: {complaint}", types.MessageType.Warning)
            count = sum(map(len, last.found.values()))
            self.trace(f"checked {folder.path}: {count} diagnostics in {last.seconds * 1000:.0f} ms")
        self.publisher.update()
        workspace = self.client_capabilities.workspace
        if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    def show_error(self, message: str) -> None:
        """Shows an error to the user, once until the settings change."""
        if message not in self._complaints:
            self._complaints.add(message)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"extlint: {message}"))

    def log(self, message: str, level: types.MessageType) -> None:
        """Writes to the log of the client, without repeating itself until the settings change."""
        if message not in self._complaints:
            self._complaints.add(message)
            self.window_log_message(types.LogMessageParams(level, message))

    async def show_uses(self, locations: Sequence[types.Location]) -> None:
        """Shows the locations of a code lens, for a client that has no list of its own for that."""
        window = self.client_capabilities.window
        places = [(each.uri, each.range.start.line + 1) for each in locations]
        if len(places) == 1 and window is not None and window.show_document is not None:
            start = locations[0].range.start
            place = types.Range(start, start)
            params = types.ShowDocumentParams(places[0][0], take_focus=True, selection=place)
            await self.window_show_document_async(params)
        elif places:
            lines = [f"{os.path.basename(path_of(uri) or uri)}:{line}" for uri, line in places]
            message = f"used in {', '.join(lines)}"
            self.window_show_message(types.ShowMessageParams(types.MessageType.Info, message))

    def trace(self, message: str) -> None:
        """Writes to the trace, if the client wants one."""
        _logger.info(message)
        if self.protocol.trace != types.TraceValue.Off:
            self.log_trace(types.LogTraceParams(message))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Logs an error of the server, or a message that it cannot understand."""
        if isinstance(error, ValueError) and source is JsonRpcException:
            self.protocol.refuse_text()
        level = logging.DEBUG if isinstance(error, JsonRpcMethodNotFound) else logging.ERROR
        _logger.log(level, "%s: %s", getattr(source, "__name__", source), error)

    def in_background(self, work: Any) -> asyncio.Task[None]:
        """Runs a coroutine, and keeps it alive."""
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _exit_with_client(self, process: int) -> None:
        """Ends the server when the client has ended without a word, with its streams still open."""
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            try:
                os.kill(process, 0)
            except ProcessLookupError:
                _logger.warning("the client has ended")
                os._exit(1)
            except PermissionError:
                pass

    @property
    def has_shut_down(self) -> bool:
        """Whether the client has requested the end."""
        return self.protocol.has_shut_down

    def stop(self) -> None:
        """Ends all work, before the server exits."""
        for each in self._tasks:
            each.cancel()
        self.files.shut_down()


def _folders(params: types.InitializeParams) -> Iterable[str]:
    """Yields the folders of the workspace, each once."""
    uris = [each.uri for each in params.workspace_folders or ()]
    if not uris and params.root_uri:
        uris = [params.root_uri]
    paths = [path for uri in uris if (path := path_of(uri)) is not None]
    if not uris and params.root_path:
        paths = [os.path.abspath(params.root_path)]
    return dict.fromkeys(paths)
