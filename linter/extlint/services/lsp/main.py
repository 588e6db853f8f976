"""Connects the features of the server to the messages of the protocol."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from extlint.services.lsp.code_actions import FIX_ALL, FIX_EXTENSION
from extlint.services.lsp.documents import path_of
from extlint.services.lsp.features import SHOW_USES, TRIGGERS
from extlint.services.lsp.server import Server

_logger = logging.getLogger(__name__)

_COLLECTION = (700, 10, 10)
"""The usual thresholds of Python's garbage collection. The higher one of short runs triples the memory."""

MAX_MESSAGE_BYTES = 256 * 1024 * 1024
"""Bytes of the longest message."""

MAX_HEADER_BYTES = 65_536
"""Bytes of a header that are read at once."""

_MALFORMED = ("Unable to deserialize message", "Unable to handle message")
"""Starts of the records of pygls about a message, each with a traceback; the server logs one line itself."""


def run_server(log_level: str, log_file: str | None) -> bool:
    """Serves a client on standard input and output until it ends.

    Returns whether the client requested the end, rather than just ending.

    Raises OSError if the file for the log cannot be written.
    """
    logging.basicConfig(
        filename=log_file,
        level=log_level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        force=True,
    )
    if log_level != "debug":
        logging.getLogger("pygls").setLevel(logging.ERROR)  # it warns of late cancellations and the like
        for name in ("pygls.protocol.json_rpc", "pygls.server"):
            logging.getLogger(name).addFilter(_is_of_server)
    gc.set_threshold(*_COLLECTION)
    server = create_server()
    with _streams() as (reading, writing):
        server.start_io(_Input(reading), writing)  # type: ignore[arg-type]
    return server.has_shut_down


def _is_of_server(record: logging.LogRecord) -> bool:
    """Whether a record of pygls is about an error of the server, and not about a message."""
    error = record.exc_info[1] if record.exc_info else None
    return not (str(record.msg).startswith(_MALFORMED) or isinstance(error, JsonRpcException))


class _Input:
    """A stream of messages that ends before a message that is too long, as nothing after it can be read."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        """Returns the next header, or a part of it if it is long."""
        return self._stream.readline(MAX_HEADER_BYTES)

    def read(self, size: int) -> bytes:
        """Returns a message, or nothing if it is too long."""
        if size > MAX_MESSAGE_BYTES:
            _logger.error("a message of %s bytes is too long", size)
            return b""
        return self._stream.read(size)


@contextmanager
def _streams() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Yields the streams of the protocol. Until the end of the block, standard output is standard error.

    So nothing that any code prints can become part of the protocol.
    """
    own = os.dup(1)
    reading, writing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(own), "wb")
    os.dup2(2, 1)
    try:
        yield reading, writing
    finally:
        os.dup2(own, 1)
        os.close(own)


def create_server() -> Server:
    """Returns a server with all features."""
    server = Server()
    _add_lifecycle(server)
    _add_documents(server)
    _add_code_actions(server)
    _add_features(server)
    return server


def _add_lifecycle(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        ls.initialize(params)
        if ls.publisher.pulls:
            _add_pulls(ls)

    @server.feature(types.INITIALIZED)
    async def initialized(ls: Server, _params: types.InitializedParams) -> None:
        await ls.initialized()

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: Server, _params: None) -> None:
        ls.stop()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def change_configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
        await ls.configure(params.settings)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def change_folders(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
        ls.change_folders(
            (each.uri for each in params.event.added), (each.uri for each in params.event.removed)
        )

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def change_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        ls.changed_on_disk(path for each in params.changes if (path := path_of(each.uri)) is not None)


def _add_documents(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def open_document(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        document = ls.files.documents.open(params.text_document)
        if document is not None:
            ls.files.open(document, ls.default_settings)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def change_document(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        document = ls.files.documents.change(params.text_document, params.content_changes)
        if document is not None:
            ls.files.update(document)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def save_document(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        document = ls.files.documents.of(params.text_document.uri)
        if document is not None:
            ls.changed_on_disk([document.path])

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def close_document(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        path = ls.files.documents.close(params.text_document.uri)
        if path is not None:
            ls.publisher.forget(path)
            ls.files.close(path)


def _add_code_actions(server: Server) -> None:
    kinds = [types.CodeActionKind.QuickFix, FIX_ALL]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(kinds))
    async def code_actions(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        return await ls.code_actions.of(params)

    @server.command(FIX_EXTENSION)
    async def fix_extension(ls: Server, uri: str) -> None:
        edit = await ls.code_actions.fix_extension(uri)
        if edit is not None:
            label = "Apply all safe fixes of extlint"
            await ls.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, label))


def _add_features(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        return await ls.features.hover(params)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(TRIGGERS))
    async def complete(ls: Server, params: types.CompletionParams) -> types.CompletionList | None:
        return await ls.features.complete(params)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def define(
        ls: Server, params: types.DefinitionParams
    ) -> Sequence[types.LocationLink] | Sequence[types.Location] | None:
        return await ls.features.define(params)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def links(ls: Server, params: types.DocumentLinkParams) -> Sequence[types.DocumentLink] | None:
        return await ls.features.links(params)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def lenses(ls: Server, params: types.CodeLensParams) -> Sequence[types.CodeLens] | None:
        return await ls.features.lenses(params)

    @server.command(SHOW_USES)
    async def show_uses(
        ls: Server, _uri: str, _position: types.Position, locations: list[types.Location]
    ) -> None:
        await ls.show_uses(locations)


def _add_pulls(server: Server) -> None:
    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True)

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def diagnostics(
        ls: Server, params: types.DocumentDiagnosticParams
    ) -> types.DocumentDiagnosticReport:
        return await ls.publisher.of_document(params)

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def all_diagnostics(
        ls: Server, params: types.WorkspaceDiagnosticParams
    ) -> types.WorkspaceDiagnosticReport:
        return await ls.publisher.of_workspace(params)
