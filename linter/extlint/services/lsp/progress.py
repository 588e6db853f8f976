"""Shows the progress of checks that take long enough for the user to wonder."""

from __future__ import annotations

import asyncio
import os
import uuid

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from extlint.services.lsp.folder import CheckedFolder

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
