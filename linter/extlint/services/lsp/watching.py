"""Learns of files that other programs change: from the client, or by watching the disk."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Iterable

from lsprotocol import types
from pygls.lsp.server import LanguageServer

_logger = logging.getLogger(__name__)

_IGNORED = frozenset({".git", ".hg", ".svn", "__pycache__", ".mypy_cache", ".ruff_cache", ".venv"})
"""Folders whose changes never matter. A change in `node_modules` may, as extensions load files from it."""

TIMEOUT = 200
"""The timeout of a wait for changes, in milliseconds."""


def client_watches(capabilities: types.ClientCapabilities) -> bool:
    """Whether the client can be asked to report changes on the disk."""
    workspace = capabilities.workspace
    own = None if workspace is None else workspace.did_change_watched_files
    return own is not None and bool(own.dynamic_registration)


def register_watcher(server: LanguageServer) -> None:
    """Asks the client to report all changes on the disk."""
    everything = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher("**/*")])
    registration = types.Registration("extlint-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, everything)
    server.client_register_capability(types.RegistrationParams([registration]))


def matters(path: str) -> bool:
    """Whether a change of a file may change findings."""
    return _IGNORED.isdisjoint(path.split(os.sep))


async def watch(
    folders: Iterable[str], on_start: Callable[[], None], on_change: Callable[[Iterable[str]], None]
) -> None:
    """Watches folders until it is cancelled, and calls `on_change` with the paths that have changed.

    `on_start` is called once every later change will be noticed.
    """
    try:
        from watchfiles import awatch
    except ImportError:
        _logger.warning("files that other programs change are not noticed: install watchfiles")
        return
    existing = [each for each in folders if os.path.isdir(each)]
    if not existing:
        return
    try:
        is_started = False
        async for changes in awatch(
            *existing,
            watch_filter=lambda _, path: matters(path),
            step=50,
            debounce=200,
            rust_timeout=TIMEOUT,
            yield_on_timeout=True,
        ):
            if not is_started:
                is_started = True
                on_start()
            if changes:
                on_change([path for _, path in changes])
    except asyncio.CancelledError:
        raise
    except Exception:
        _logger.exception("cannot watch the disk")
