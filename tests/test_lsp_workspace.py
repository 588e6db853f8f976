"""The folders of the workspace: their configurations, settings and files on the disk."""

from __future__ import annotations

import json
from pathlib import Path

from language_client import PUSHED, language_server, run
from lsprotocol import types

WORKER = "browser.storage.local.get('a');\nchrome.offscreen.hasDocument();\n"


def extension(folder: Path, worker: str = WORKER, *permissions: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    manifest = {
        "manifest_version": 3,
        "name": "Example",
        "version": "1.0",
        "permissions": list(permissions),
        "background": {"service_worker": "worker.js"},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2))
    (folder / "worker.js").write_text(worker)
    return folder


def test_each_folder_has_its_configuration(tmp_path: Path) -> None:
    one, other = extension(tmp_path / "one"), extension(tmp_path / "other")
    (one / "extlint.toml").write_text('target = ["chrome"]\nignore = ["missing-permission"]\n')
    (other / "extlint.toml").write_text('target = ["chrome"]\nselect = ["missing-permission"]\n')

    async def test() -> None:
        async with language_server(one, other) as client:
            await client.until(lambda: client.rules(other / "worker.js"))
            assert set(client.rules(other / "worker.js")) == {"missing-permission"}
            assert "missing-permission" not in client.rules(one / "worker.js")

    run(test())


def test_several_extensions_in_one_folder(tmp_path: Path) -> None:
    for name in ("one", "other", "build/copy"):
        extension(tmp_path / name)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("build/\n")

    async def test() -> None:
        async with language_server(tmp_path) as client:
            await client.until(lambda: client.rules(tmp_path / "other/worker.js"))
            assert client.rules(tmp_path / "one/worker.js")
            assert not client.rules(tmp_path / "build/copy/worker.js")

    run(test())


def test_mistake_in_the_configuration(tmp_path: Path) -> None:
    root = extension(tmp_path / "a", "")
    configuration = root / "extlint.toml"
    configuration.write_text('target = ["chrome"]\nselct = ["x"]\n')

    async def test() -> None:
        async with language_server(root) as client:
            await client.until(lambda: client.diagnostics.get(str(configuration)))
            (found,) = client.diagnostics[str(configuration)]
            assert found.message == "no such key: selct; did you mean select?"
            assert found.range == types.Range(types.Position(1, 0), types.Position(1, 5))
            client.open(configuration, 'target = ["chrome"]\n[per-file-ignores]\n"b.js" = ["uses"]\n', 2)
            await client.until(lambda: "matches no file" in client.diagnostics[str(configuration)][0].message)
            client.change(configuration, 3, 'target = ["chrome"]\n')
            await client.until(lambda: not client.diagnostics[str(configuration)])

    run(test())


def test_settings_of_the_editor(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    worker = root / "worker.js"

    async def test() -> None:
        settings = {str(root): {"targets": ["firefox"], "select": ["unknown-api"], "ignore": None, "own": 1}}
        async with language_server(root, settings=settings) as client:
            await client.until(lambda: client.rules(worker) == ["unknown-api"])
            client.open(worker)
            client.settings[str(root)] = {"enable": False}
            client.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
            await client.until(lambda: client.rules(worker) == [])
            client.settings[str(root)] = {"select": ["nothing"]}
            client.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
            await client.until(lambda: client.shown)
            assert client.shown == [
                f"extlint: cannot check {root}: no such rule: nothing; extlint rule lists all rules"
            ]

    run(test())


def test_settings_of_an_editor_that_only_sends_them(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    worker = root / "worker.js"
    simple = types.ClientCapabilities()

    async def test() -> None:
        options = {"targets": ["firefox"], "select": ["unknown-api"]}
        async with language_server(root, capabilities=simple, options=options) as client:
            await client.until(lambda: client.rules(worker) == ["unknown-api"])
            sent = {"extlint": {"targets": ["chrome"], "select": ["missing-permission"]}}
            client.workspace_did_change_configuration(types.DidChangeConfigurationParams(sent))
            await client.until(lambda: client.rules(worker) == ["missing-permission"] * 2)
            client.workspace_did_change_configuration(types.DidChangeConfigurationParams({"select": 3}))
            await client.until(lambda: client.shown)
            assert client.shown == [
                "extlint: the settings of extlint are not valid: Expected `array`, got `int` - at `$.select`"
            ]

    run(test())


def test_folders_come_and_go(tmp_path: Path) -> None:
    one, other = extension(tmp_path / "one"), extension(tmp_path / "other")

    def folder(path: Path) -> types.WorkspaceFolder:
        return types.WorkspaceFolder(path.as_uri(), path.name)

    async def test() -> None:
        async with language_server(one) as client:
            await client.until(lambda: client.rules(one / "worker.js"))
            event = types.WorkspaceFoldersChangeEvent([folder(other)], [folder(one)])
            client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
            await client.until(lambda: client.rules(other / "worker.js"))
            await client.until(lambda: not client.rules(one / "worker.js"))

    run(test())


def test_document_outside_of_the_workspace(tmp_path: Path) -> None:
    one, other = extension(tmp_path / "one", ""), extension(tmp_path / "other")

    async def test() -> None:
        async with language_server(one) as client:
            client.open(other / "worker.js")
            await client.until(lambda: client.rules(other / "worker.js"))
            client.close(other / "worker.js")
            await client.until(lambda: not client.rules(other / "worker.js"))

    run(test())


def test_files_on_the_disk(tmp_path: Path) -> None:
    root = extension(tmp_path / "a", "importScripts('b.js');\n")
    part = root / "b.js"
    part.write_text(WORKER)

    async def test() -> None:
        async with language_server(root) as client:
            await client.until(lambda: client.rules(part))
            part.unlink()
            client.changed_on_disk(part)
            await client.until(lambda: not client.rules(part) and client.rules(root / "worker.js"))
            part.write_text("")
            client.changed_on_disk(part)
            await client.until(lambda: not client.rules(root / "worker.js"))

    run(test())


def test_own_watcher_if_the_client_has_none(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    worker = root / "worker.js"
    publish = types.PublishDiagnosticsClientCapabilities()
    capabilities = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(publish_diagnostics=publish)
    )

    async def test() -> None:
        trace = types.TraceValue.Messages
        async with language_server(root, capabilities=capabilities, trace=trace) as client:
            await client.until(lambda: client.rules(worker))
            await client.until(lambda: any("watching" in each for each in client.traced))
            worker.write_text("")
            await client.until(lambda: not client.rules(worker))

    run(test())


def test_workspace_without_an_extension(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("chrome.tabs.query();\n")

    async def test() -> None:
        async with language_server(tmp_path, capabilities=PUSHED) as client:
            await client.until(lambda: client.logged)
            assert client.diagnostics == {}
            assert client.shown == []
            extension(tmp_path)
            client.changed_on_disk(tmp_path / "manifest.json")
            await client.until(lambda: client.rules(tmp_path / "worker.js"))

    run(test())
