"""Projects whose build makes the manifest, before that, in editors and programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from language_client import language_server, run
from packages import write

import extlint

WXT = {"package.json": '{"scripts": {"build": "wxt build"}, "devDependencies": {"wxt": "1"}}'}
BACKGROUND = "export default defineBackground(() => {\n  browser.tabs.getAll();\n});\n"
PROJECT = {**WXT, "entrypoints/background.ts": BACKGROUND}


def test_open_files_of_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(PROJECT)
    background, content = (tmp_path / "entrypoints" / name for name in ("background.ts", "a.content.ts"))

    async def test() -> None:
        async with language_server(tmp_path) as client:
            client.open(background)
            await client.until(lambda: client.rules(background) == ["unknown-api"])
            client.change(background, 2, BACKGROUND.replace("getAll()", "query({})"))
            await client.until(lambda: client.rules(background) == [])
            client.open(content, "export default defineContentScript({ main() { chrome.tabs.query({}); } });")
            await client.until(lambda: client.rules(content) == ["wrong-context"])
            assert not client.diagnostics.get(str(tmp_path / "manifest.json"))

    run(test())


def test_findings_of_the_api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write({f"apps/{name}/{path}": text for name in "ab" for path, text in PROJECT.items()})
    report = extlint.check("apps")
    assert [each.message for each in report.findings] == ["`tabs.getAll` does not exist"] * 2
