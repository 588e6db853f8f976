"""A check of the language server that fails: those who wait for it get an answer."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from extlint.services.lsp.diagnostics import Abilities
from extlint.services.lsp.session import EditorSession
from extlint.services.lsp.settings import Settings
from extlint.services.lsp.worker import Worker
from extlint.services.lsp.workspace import CheckedFolder, Listener


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (KeyError("x"), "internal error: KeyError: 'x'"),
        (MemoryError(), "not enough memory for a check; raise the limit of the server, or end others"),
    ],
)
def test_failed_check_is_answered(
    error: Exception, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: EditorSession) -> None:
        raise error

    async def complaints() -> list[str]:
        worker = Worker()
        listener = Listener(lambda _: None, lambda _: None, lambda: None, lambda _: None)
        folder = CheckedFolder(str(tmp_path), Settings(), worker, Abilities(), "utf-16", listener)
        folder.check()
        found = await asyncio.wait_for(folder.current(), 60)
        folder.close()
        worker.close()
        return list(found.complaints)

    monkeypatch.setattr(EditorSession, "check_texts", fail)
    assert asyncio.run(complaints()) == [expected]
