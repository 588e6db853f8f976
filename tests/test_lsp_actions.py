"""Code actions of the language server: their edits, applied as an editor does, and checked again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from language_client import Client, apply, language_server, run
from lsprotocol import types

import extlint

MANIFEST = """{
  "manifest_version": 3,
  "name": "Example",
  "version": "1.0",
  "background": {"service_worker": "worker.js"}
}
"""


def extension(folder: Path, worker: str) -> Path:
    folder.mkdir()
    (folder / "manifest.json").write_text(MANIFEST)
    (folder / "worker.js").write_bytes(worker.encode())
    return folder


def save(edit: types.WorkspaceEdit | None) -> None:
    """Applies an edit to the files on the disk."""
    assert edit is not None
    assert edit.document_changes is not None
    for change in edit.document_changes:
        assert isinstance(change, types.TextDocumentEdit)
        path = Path(change.text_document.uri.removeprefix("file://"))
        edits = [each for each in change.edits if isinstance(each, types.TextEdit)]
        path.write_bytes(apply(path.read_bytes().decode(), edits).encode())


async def first(client: Client, path: Path) -> types.Diagnostic:
    await client.until(lambda: client.diagnostics.get(str(path)))
    return client.diagnostics[str(path)][0]


def rules_after(folder: Path) -> list[str]:
    return [each.rule for each in extlint.check(folder).findings]


def test_fix_at_the_call_site_changes_the_manifest(tmp_path: Path) -> None:
    root = extension(tmp_path / "a", "const 😀x = chrome.storage.local.get('a');\n".replace("😀", ""))
    worker = root / "worker.js"

    async def test() -> None:
        async with language_server(root) as client:
            client.open(worker)
            found = await first(client, worker)
            actions = await client.actions(worker, found)
            action = actions['Add "storage" to "permissions"']
            assert action.is_preferred
            assert action.kind == types.CodeActionKind.QuickFix
            assert list(action.diagnostics or ()) == [found]
            save(action.edit)

    run(test())
    assert json.loads((root / "manifest.json").read_text())["permissions"] == ["storage"]
    assert rules_after(root) == []


def test_safe_fixes_of_a_file_and_of_the_extension(tmp_path: Path) -> None:
    worker_text = "/* 😀 */ chrome.storage.locl.get('a');\r\nchrome.runtime.sendMesage('é');\r\n"
    root = extension(tmp_path / "a", worker_text)
    worker = root / "worker.js"

    async def test() -> None:
        async with language_server(root) as client:
            client.open(worker)
            found = await first(client, worker)
            actions = await client.actions(worker, only=["source.fixAll"])
            (action,) = actions.values()
            assert action.kind == "source.fixAll.extlint"
            save(action.edit)
            assert worker.read_bytes().decode() == worker_text.replace("locl", "local").replace(
                "sendMesage", "sendMessage"
            )
            worker.write_bytes(worker_text.encode())
            assert "Apply all safe fixes in this extension" in await client.actions(worker, found)
            await client.workspace_execute_command_async(
                types.ExecuteCommandParams("extlint.fixAll", [worker.as_uri()])
            )
            (edit,) = client.applied
            save(edit)

    run(test())
    assert rules_after(root) == ["lost-message"]


SUPPRESSED = [
    pytest.param("a.js", "if (a) {\n\tchrome.storage.locl.get();\n}\n", "\t// {}\n", id="script"),
    pytest.param("a.js", "f(`\n${chrome.storage.locl}`);\n", None, id="template"),
    pytest.param(
        "a.jsx", "const a = (\n  <p>\n    {chrome.storage.locl}\n  </p>\n);\n", "    {{/* {} */}}\n", id="JSX"
    ),
    pytest.param(
        "a.html",
        "<script>\r\n  chrome.storage.locl.get();\r\n</script>\r\n",
        "  // {}\r\n",
        id="script of a page",
    ),
]


@pytest.mark.parametrize(("name", "code", "comment"), SUPPRESSED)
def test_comment_that_suppresses(tmp_path: Path, name: str, code: str, comment: str | None) -> None:
    from extlint.services.lsp.code_actions import suppression
    from extlint.services.lsp.documents import Text

    line = code[: code.index("locl")].count("\n") + 1
    edit = suppression(Text(code), name, line, "unknown-api", is_manifest=False)
    if comment is None:
        assert edit is None
        return
    assert edit is not None
    assert edit.new_text == comment.format("extlint-disable-next-line unknown-api -- TODO: give the reason")
    assert edit.range.start == edit.range.end == types.Position(line - 1, 0)


def test_suppression_of_a_second_rule_extends_the_comment(tmp_path: Path) -> None:
    root = extension(tmp_path / "a", "chrome.storage.local.gett('a');\n")
    worker, manifest = root / "worker.js", root / "manifest.json"

    async def test() -> None:
        async with language_server(root) as client:
            await client.until(lambda: len(client.rules(worker)) == 2)
            one, other = client.diagnostics[str(worker)]
            save((await client.actions(worker, one))[f"Suppress {one.code} with a comment"].edit)
            client.changed_on_disk(worker)
            await client.until(lambda: client.rules(worker) == [other.code])
            (other,) = client.diagnostics[str(worker)]
            save((await client.actions(worker, other))[f"Suppress {other.code} with a comment"].edit)

    run(test())
    assert worker.read_text().count("extlint-disable-next-line") == 1
    assert rules_after(root) == []
    assert "permissions" not in manifest.read_text()


def test_actions_of_a_file_in_no_extension(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("chrome.tabs.query();\n")

    async def test() -> None:
        async with language_server(tmp_path) as client:
            client.open(tmp_path / "a.js")
            assert await client.actions(tmp_path / "a.js") == {}

    run(test())
