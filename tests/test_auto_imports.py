"""Names that WXT imports into scripts: tables of projects, and of texts with the added imports."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from packages import write

from extlint.cli.main import main
from extlint.project.auto_imports import AutoImports

WXT = {"package.json": '{"scripts": {"build": "wxt build"}, "devDependencies": {"wxt": "1"}}'}
USE = "browser.runtime.getURL('a'); window.close();"
STORE = f"export function start() {{ {USE} }}"
CALL = "start();"


@pytest.fixture(autouse=True)
def _in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def reasons(
    files: Mapping[str, str], capsys: pytest.CaptureFixture[str], background: str = CALL
) -> list[str]:
    """Returns why code of a project was not checked, or only in part."""
    (extension,) = checked(files, capsys, background)["extensions"]
    return [each["reason"] for each in extension["unchecked"]]


def checked(files: Mapping[str, str], capsys: pytest.CaptureFixture[str], background: str = CALL) -> Any:
    """Returns the JSON output for a project whose background is a call in the function that WXT runs."""
    write({**WXT, "entrypoints/background.ts": f"export default defineBackground(() => {{ {background} }});"})
    write(files)
    main(["check", "--output-format", "json", "--select", "missing-global,missing-export"])
    return json.loads(capsys.readouterr().out)


FOUND: dict[str, tuple[dict[str, str], str]] = {
    "a function": ({"utils/store.ts": STORE}, CALL),
    "a function in a module of another folder": ({"hooks/store.ts": STORE}, CALL),
    "an index in a folder": ({"composables/store/index.ts": STORE}, CALL),
    "a constant": ({"utils/store.ts": f"export const start = () => {{ {USE} }};"}, CALL),
    "a list": ({"utils/store.ts": f"function begin() {{ {USE} }}\nexport {{ begin as start }};"}, CALL),
    "the default, by the name of its file": (
        {"utils/start-now.ts": f"export default function () {{ {USE} }}"},
        "startNow();",
    ),
    "a function that another module there uses": (
        {"utils/a.ts": "export const first = () => start();", "utils/store.ts": STORE},
        "first();",
    ),
    "a folder of sources": (
        {
            "wxt.config.ts": "export default { srcDir: 'src' }",
            "src/entrypoints/background.ts": f"export default defineBackground(() => {CALL});",
            "src/utils/store.ts": STORE,
        },
        "",
    ),
    "a component": (
        {
            "entrypoints/background.ts": "",
            "entrypoints/popup/index.html": "<script type=module src=./main.ts></script>",
            "entrypoints/popup/main.ts": "import A from './A.vue'; mount(A);",
            "entrypoints/popup/A.vue": f"<script setup>\n{CALL}\n</script>",
            "utils/store.ts": STORE,
        },
        "",
    ),
}


@pytest.mark.parametrize(("files", "background"), FOUND.values(), ids=FOUND.keys())
def test_imported_module_runs(
    files: dict[str, str], background: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reasons(files, capsys, background) == ["generated"]


UNCONNECTED: dict[str, dict[str, str]] = {
    "without imports": {"wxt.config.ts": "export default { imports: false }", "utils/store.ts": STORE},
    "another folder": {"lib/store.ts": STORE},
    "a folder of a folder": {"utils/deep/store.ts": STORE},
    "a name of two modules": {"utils/store.ts": STORE, "hooks/store.ts": STORE},
    "another name": {"utils/store.ts": STORE.replace("start", "begin")},
}


@pytest.mark.parametrize("files", UNCONNECTED.values(), ids=UNCONNECTED.keys())
def test_other_module_does_not(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert reasons(files, capsys) == ["generated", "unconnected"]


def test_finding_in_an_imported_module(capsys: pytest.CaptureFixture[str]) -> None:
    found = checked({"utils/store.ts": f"export const store = 1;\n{STORE}"}, capsys)
    (finding,) = found["findings"]
    assert (finding["path"], finding["start"]["line"]) == ("utils/store.ts", 2)
    assert [each["path"] for each in finding["related"]] == ["entrypoints/background.ts"]


def test_fix_leaves_no_imports_behind() -> None:
    text = "export default defineBackground(() => { chrome.tabs.quary({}); start(); });\n"
    write({**WXT, "entrypoints/background.ts": text, "utils/store.ts": STORE})
    main(["check", "--fix", "--unsafe-fixes", "--select", "unknown-api"])
    assert Path("entrypoints/background.ts").read_text() == text.replace("quary", "query")


START = 'import { start as start } from "./utils/store.ts";'
TEXTS = {
    "a call": (b"start();", START),
    "an element": (b"f(<start />)", START),
    "a property": (b"a.start();", ""),
    "a comment": (b"// start()\nf();", ""),
    "a string": (b"f('start');", ""),
    "a function of its own": (b"function start() {} start();", ""),
    "an import": (b"import { a, start } from './b'; start();", ""),
    "a pattern": (b"const { start } = a; start();", ""),
    "an import by the name of all": (
        b"import { type A, start as go } from '#imports'; go();",
        'import { A as A } from "#imports"; import { start as go } from "./utils/store.ts";',
    ),
}


@pytest.mark.parametrize(("text", "added"), TEXTS.values(), ids=TEXTS.keys())
def test_added_imports(text: bytes, added: str) -> None:
    imports = AutoImports({"start": ("utils/store.ts", "start")})
    found = imports.added_to(text, "a.tsx").decode()
    assert len(found) == len(text) + len(added) + bool(added)
    assert found.endswith(added)
    assert imports.added_to(b"start();", "public/a.js") == b"start();"
    assert imports.added_to(b"start();", "utils/store.ts") == b"start();"
