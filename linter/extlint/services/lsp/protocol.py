"""The protocol of pygls, with the open documents of extlint, and with answers to all malformed requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
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

    @property
    def has_shut_down(self) -> bool:
        """Whether the client has requested the end."""
        return self._shutdown

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Returns a message as an object. Answers one that is not valid."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise

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
