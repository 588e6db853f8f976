"""Diagnostics of the language server, as an editor receives them."""

from __future__ import annotations

import json
from pathlib import Path

from language_client import PULLING, language_server, run
from lsprotocol import types

MANIFEST = {
    "manifest_version": 3,
    "name": "Example",
    "version": "1.0",
    "permissions": ["storage"],
    "background": {"service_worker": "worker.js"},
}


def extension(folder: Path, worker: str = "chrome.storage.local.get('a');\n", **manifest: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps({**MANIFEST, **manifest}, indent=2))
    (folder / "worker.js").write_text(worker)
    return folder


def test_an_edit_of_the_manifest_marks_a_call_in_another_file(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    manifest, worker = root / "manifest.json", root / "worker.js"

    async def test() -> None:
        async with language_server(root) as client:
            text = manifest.read_text()
            client.open(manifest)
            client.change(manifest, 2, text.replace('"storage"', ""))
            await client.until(lambda: client.rules(worker) == ["missing-permission"])
            client.change(manifest, 3, text)
            await client.until(lambda: client.rules(worker) == [])

    run(test())


def test_members_of_a_diagnostic(tmp_path: Path) -> None:
    root = extension(tmp_path / "a", "/* 😀 */ chrome.storage.locl.get();\n", permissions=["storage", "tabs"])
    worker = root / "worker.js"

    async def test() -> None:
        async with language_server(root) as client:
            await client.until(lambda: client.rules(worker) and client.rules(root / "manifest.json"))
            (found,) = client.diagnostics[str(worker)]
            assert found == types.Diagnostic(
                types.Range(types.Position(0, 9), types.Position(0, 28)),
                "`storage.locl` does not exist; did you mean `local`?",
                types.DiagnosticSeverity.Error,
                "unknown-api",
                found.code_description,
                "extlint",
            )
            assert found.code_description is not None
            assert found.code_description.href.endswith("/rules/unknown-api/")
            (unused,) = client.diagnostics[str(root / "manifest.json")]
            assert list(unused.tags or ()) == [types.DiagnosticTag.Unnecessary]

    run(test())


def test_requested_diagnostics_arrive_in_parts(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    worker = root / "worker.js"

    async def test() -> None:
        async with language_server(root, capabilities=PULLING) as client:
            params = types.WorkspaceDiagnosticParams([], partial_result_token="w")
            client.protocol.send_request(types.WORKSPACE_DIAGNOSTIC, params, msg_id="all")
            for version, text in enumerate(("chrome.storage.locl;", "", "chrome.tabs.qurey;"), 1):
                if version == 1:
                    client.open(worker, text)
                else:
                    client.change(worker, version, text)
                await client.until(lambda: len(client.parts) == version)  # noqa: B023
            client.cancel_request(types.CancelParams("all"))
            found = [
                len(item["items"])
                for part in client.parts
                for item in part["items"]
                if item["uri"] == worker.as_uri()
            ]
            assert found == [1, 0, 1]

    run(test())


def test_requested_diagnostics(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    manifest, worker = root / "manifest.json", root / "worker.js"

    async def test() -> None:
        async with language_server(root, capabilities=PULLING) as client:
            client.open(worker)
            assert await client.pull(worker) == []
            client.open(manifest)
            client.change(manifest, 2, manifest.read_text().replace('"storage"', ""))
            await client.until(lambda: client.refreshes)
            (found,) = await client.pull(worker)
            assert found.code == "missing-permission"
            everywhere = await client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams([]))
            assert {each.uri for each in everywhere.items} == {worker.as_uri()}
            assert client.diagnostics == {}

    run(test())
