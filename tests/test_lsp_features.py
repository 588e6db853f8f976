"""Hovers, completion, definitions, links and code lenses, as an editor receives them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from language_client import PULLING, Client, language_server, run
from lsprotocol import types

MANIFEST = """{
  "manifest_version": 3,
  "name": "__MSG_name__",
  "version": "1.0",
  "default_locale": "en",
  "permissions": ["storage", "tabs"],
  "background": {"service_worker": "worker.js"}
}
"""
MESSAGES = '{"name": {"message": "Example"}}\n'
WORKER = """/* 😀 */ chrome.storage.local.get("a");
chrome.runtime.getURL("page.html");
"""

_T = TypeVar("_T")


def extension(folder: Path) -> Path:
    (folder / "_locales/en").mkdir(parents=True)
    (folder / "manifest.json").write_text(MANIFEST)
    (folder / "_locales/en/messages.json").write_text(MESSAGES)
    (folder / "worker.js").write_text(WORKER)
    (folder / "page.html").write_text("<p>\n")
    return folder


def at(
    path: Path, text: str, marked: str, inside: int = 1
) -> tuple[types.TextDocumentIdentifier, types.Position]:
    """Returns the position in a file at which a text begins, and so many UTF-16 units further."""
    before = text[: text.index(marked)]
    line = before.count("\n")
    units = len(before.rpartition("\n")[2].encode("utf-16-le")) // 2
    return types.TextDocumentIdentifier(path.as_uri()), types.Position(line, units + inside)


def present(value: _T | None) -> _T:
    assert value is not None
    return value


def test_hover(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")

    async def test() -> None:
        async with language_server(root) as client:
            client.open(root / "worker.js")
            place = at(root / "worker.js", WORKER, "local.get")
            found = present(await client.text_document_hover_async(types.HoverParams(*place)))
            assert isinstance(found.contents, types.MarkupContent)
            assert found.contents.kind == types.MarkupKind.Markdown
            assert "storage.local" in found.contents.value
            assert "**Permission:** storage" in found.contents.value
            outside = at(root / "worker.js", WORKER, "/*")
            assert await client.text_document_hover_async(types.HoverParams(*outside)) is None

    run(test())


async def completed(client: Client, path: Path, text: str, marked: str, inside: int) -> types.CompletionList:
    found = await client.text_document_completion_async(
        types.CompletionParams(*at(path, text, marked, inside))
    )
    assert isinstance(found, types.CompletionList)
    return found


def test_completion(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    worker, manifest = root / "worker.js", root / "manifest.json"

    async def test() -> None:
        async with language_server(root) as client:
            text = "/* 😀 */ chrome.storage.\nfoo();\nchrome.i18n.getMessage('');\n"
            client.open(worker, text)
            members = {
                each.label: each for each in (await completed(client, worker, text, "storage.", 8)).items
            }
            assert {"local", "sync", "session"} <= set(members)
            edit = members["local"].text_edit
            assert isinstance(edit, types.TextEdit)
            assert edit.range == types.Range(types.Position(0, 24), types.Position(0, 24))
            (name,) = [
                each
                for each in (await completed(client, worker, text, "('", 2)).items
                if not each.label.startswith("@@")
            ]
            assert (name.label, name.detail) == ("name", "Example")
            asked = MANIFEST.replace('"tabs"', '"tabs", ""')
            client.open(manifest, asked)
            permissions = {each.label for each in (await completed(client, manifest, asked, '""', 1)).items}
            assert {"alarms", "cookies"} <= permissions
            assert not {"storage", "tabs"} & permissions

    run(test())


def test_definitions_and_links(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    worker, manifest = root / "worker.js", root / "manifest.json"

    async def test() -> None:
        async with language_server(root, capabilities=PULLING) as client:
            client.open(worker)
            client.open(manifest)

            async def target(path: Path, text: str, marked: str) -> tuple[str, int]:
                params = types.DefinitionParams(*at(path, text, marked))
                places = present(await client.text_document_definition_async(params))
                assert isinstance(places, Sequence)
                (found,) = places
                assert isinstance(found, types.Location)
                return found.uri, found.range.start.character

            assert await target(worker, WORKER, "page.html") == ((root / "page.html").as_uri(), 0)
            assert await target(manifest, MANIFEST, "worker.js") == (worker.as_uri(), 0)
            assert await target(manifest, MANIFEST, "__MSG_name") == (
                (root / "_locales/en/messages.json").as_uri(),
                MESSAGES.index('"name"'),
            )
            item = types.TextDocumentIdentifier(manifest.as_uri())
            links = present(await client.text_document_document_link_async(types.DocumentLinkParams(item)))
            assert worker.as_uri() in [each.target for each in links]

    run(test())


def test_code_lenses(tmp_path: Path) -> None:
    root = extension(tmp_path / "a")
    manifest = root / "manifest.json"

    async def test() -> None:
        async with language_server(root) as client:
            await client.until(lambda: client.rules(manifest))
            client.open(manifest)
            item = types.TextDocumentIdentifier(manifest.as_uri())
            lenses = present(await client.text_document_code_lens_async(types.CodeLensParams(item)))
            assert [present(each.command).title for each in lenses] == ["1 use", "no use found"]
            used = present(lenses[0].command)
            assert present(used.arguments)[2] == [
                {
                    "uri": (root / "worker.js").as_uri(),
                    "range": {"start": {"line": 0, "character": 9}, "end": {"line": 0, "character": 33}},
                }
            ]
            await client.workspace_execute_command_async(
                types.ExecuteCommandParams(used.command, used.arguments)
            )
            await client.until(lambda: client.shown == ["used in worker.js:1"])

    run(test())


def test_requests_about_files_of_no_extension(tmp_path: Path) -> None:
    path = tmp_path / "a.js"
    path.write_text(WORKER)

    async def test() -> None:
        async with language_server(tmp_path) as client:
            place = at(path, WORKER, "local")
            assert await client.text_document_hover_async(types.HoverParams(*place)) is None
            client.open(path)
            assert await client.text_document_hover_async(types.HoverParams(*place)) is None
            assert await client.text_document_completion_async(types.CompletionParams(*place)) is None
            item = types.TextDocumentIdentifier(path.as_uri())
            assert await client.text_document_code_lens_async(types.CodeLensParams(item)) is None

    run(test())
