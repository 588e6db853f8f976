"""The protocol of pygls, with the open documents of extlint, and with answers to all malformed requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

_F = TypeVar("_F", bound=Callable[..., Any])

_BEFORE_INITIALIZE = frozenset({types.INITIALIZE, types.EXIT})
_NOT_INITIALIZED = -32002
_INVALID_REQUEST = -32600


class Protocol(LanguageServerProtocol):
    """Answers a request whose parameters are not valid, and one that comes before `initialize`.

    The documents are kept by extlint: pygls also ends lines at characters that editors do not count as line
    ends, such as U+2028.
    """

    _is_initialized = False
    _has_ended = False

    @property
    def has_shut_down(self) -> bool:
        """Whether the client has requested the end."""
        return self._shutdown

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Returns a message as an object. Answers one that is not valid."""
        try:
            if "jsonrpc" in data and not _is_message(data):
                raise JsonRpcInvalidRequest
            return super().structure_message(data)
        except JsonRpcException as found:
            error = JsonRpcInvalidParams() if isinstance(found, JsonRpcInternalError) else found
            if "id" in data and "method" in data:
                number: Any = data["id"] if _is_identifier(data["id"]) else None
                self._send_response(number, error=error.to_response_error())
            raise error from None

    def handle_message(self, message: Any) -> None:
        """Handles a message, unless it comes at a time at which it is not allowed."""
        method = getattr(message, "method", None)
        number = getattr(message, "id", None)
        if method is not None and not self._is_initialized and method not in _BEFORE_INITIALIZE:
            if number is not None:
                self._refuse(number, _NOT_INITIALIZED, "the server is not initialized")
            return
        if self._shutdown and method not in (None, types.EXIT):
            if number is not None:
                self._refuse(number, _INVALID_REQUEST, "the server is shutting down")
            return
        if method == types.INITIALIZE:
            if self._is_initialized:
                self._refuse(number, _INVALID_REQUEST, "the server is already initialized")
                return
            self._is_initialized = True
        super().handle_message(message)

    def refuse_text(self) -> None:
        """Answers a message that is not JSON, so that its sender cannot be known."""
        error = types.ResponseError(types.ErrorCodes.ParseError, "the message is not valid JSON")
        self._send_data(types.ResponseErrorMessage(error=error))

    def _refuse(self, number: Any, code: int, message: str) -> None:
        self._send_response(number, error=types.ResponseError(code, message))

    def _send_data(self, data: Any) -> None:
        """Sends a message, unless the client has ended the session."""
        if not self._has_ended:
            super()._send_data(data)

    def _run_generator(self, future: Any, *, gen: Any, result_future: Any) -> None:
        """Continues a request. Cancels it if its work is cancelled."""
        if future is not None and future.cancelled():
            result_future.cancel()
            return
        super()._run_generator(future, gen=gen, result_future=result_future)

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Any:
        """Calls the server's own function, and cancels all other requests, which removes them."""
        yield self.fm.features[types.SHUTDOWN], args, None
        for number, future in tuple(self._request_futures.items()):
            if number != self.msg_id and not future.done():
                future.cancel()
        self._shutdown = True

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> Any:
        """Ends the server, which sends nothing more."""
        self._has_ended = True
        yield from super().lsp_exit(*args)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Any:
        """Executes a command. Refuses one without the arguments that it requires."""
        params.arguments = params.arguments or []
        return (yield from super().lsp_workspace__execute_command(params))

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Any:
        """Does nothing but call the server's own function."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Any:
        """Does nothing but call the server's own function."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Any:
        """Does nothing but call the server's own function."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None


def _is_message(data: dict[str, Any]) -> bool:
    """Whether the members that each message has are valid."""
    return (
        data["jsonrpc"] == "2.0"
        and isinstance(data.get("method", ""), str)
        and ("id" not in data or _is_identifier(data["id"]))
    )


def _is_identifier(value: object) -> bool:
    return value is None or (isinstance(value, int | str) and not isinstance(value, bool))
