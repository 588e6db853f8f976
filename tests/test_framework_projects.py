"""Projects whose build makes the manifest, before that: the made manifest, and the check of their code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from packages import write

from extlint.cli.main import main
from extlint.package.discovery.frameworks import made_files

WXT = {"package.json": '{"scripts": {"build": "wxt build"}, "devDependencies": {"wxt": "1"}}'}
PLASMO = {"package.json": '{"scripts": {"build": "plasmo build"}, "dependencies": {"plasmo": "1"}}'}
ADVICE = "a build makes the manifest, so only the code was checked: run `npm run build`, then check "


@pytest.fixture(autouse=True)
def _in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def made(files: Mapping[str, str]) -> dict[str, Any]:
    """Returns the made manifest without the keys that all have, or an empty object without one."""
    found = made_files(files.keys(), lambda path: files[path].encode()).files
    keys = json.loads(found.get("manifest.json", b"{}"))
    hidden = ("manifest_version", "name", "version", "{{computed}}")
    return {key: value for key, value in keys.items() if key not in hidden}


def content_script(path: str, *matches: str, **more: str) -> dict[str, Any]:
    return {"content_scripts": [{"matches": [*matches], "js": [path], **more}]}


def opened(*paths: str) -> dict[str, Any]:
    """Returns the key for pages that only code opens."""
    return {"web_accessible_resources": [{"resources": [*paths], "matches": ["<all_urls>"]}]}


def side_panel(path: str) -> dict[str, Any]:
    keys = {"side_panel": {"default_path": path}, "sidebar_action": {"default_panel": path}}
    return {**keys, "permissions": ["sidePanel"]}


def background(path: str) -> dict[str, Any]:
    return {"background": {"service_worker": path, "type": "module"}}


BUTTON: dict[str, Any] = {"action": {}}
"""The key that Plasmo adds to each manifest."""

MADE: Mapping[str, tuple[dict[str, str], dict[str, Any]]] = {
    "a background": (WXT | {"entrypoints/background.ts": ""}, background("entrypoints/background.ts")),
    "a background in a folder": (
        WXT | {"entrypoints/background/index.ts": "", "entrypoints/background/menu.ts": ""},
        background("entrypoints/background/index.ts"),
    ),
    "a source folder": (
        WXT | {"wxt.config.ts": "defineConfig({ srcDir: 'app' })", "app/entrypoints/background.js": ""},
        background("app/entrypoints/background.js"),
    ),
    "another folder of entry points": (
        WXT | {"wxt.config.js": 'x({ srcDir: "src", entrypointsDir: "in" })', "src/in/background.js": ""},
        background("src/in/background.js"),
    ),
    "pages": (
        WXT | {"entrypoints/popup.html": "", "entrypoints/newtab/index.html": "", "entrypoints/x.html": ""},
        {
            "action": {"default_popup": "entrypoints/popup.html"},
            "chrome_url_overrides": {"newtab": "entrypoints/newtab/index.html"},
            **opened("entrypoints/x.html"),
        },
    ),
    "pages in a sandbox": (
        WXT | {"entrypoints/sandbox.html": "", "entrypoints/a.sandbox/index.html": ""},
        {"sandbox": {"pages": ["entrypoints/a.sandbox/index.html", "entrypoints/sandbox.html"]}},
    ),
    "side panels": (
        WXT | {"entrypoints/b.sidepanel.html": "", "entrypoints/a.sidepanel/index.html": ""},
        side_panel("entrypoints/a.sidepanel/index.html") | opened("entrypoints/b.sidepanel.html"),
    ),
    "a side panel with the usual name": (
        WXT | {"entrypoints/sidepanel.html": "", "entrypoints/a.sidepanel.html": ""},
        side_panel("entrypoints/sidepanel.html") | opened("entrypoints/a.sidepanel.html"),
    ),
    "a configuration without the package": (
        {"package.json": "{}", "wxt.config.ts": "", "entrypoints/background.ts": ""},
        background("entrypoints/background.ts"),
    ),
    "a folder that is only in a comment": (
        WXT | {"wxt.config.ts": "  // srcDir: 'src',\n", "entrypoints/background.ts": ""},
        background("entrypoints/background.ts"),
    ),
    "a page and its script": (
        WXT | {"entrypoints/options/index.html": "", "entrypoints/options/index.ts": ""},
        {"options_ui": {"page": "entrypoints/options/index.html"}},
    ),
    "a content script": (
        WXT
        | {
            "entrypoints/a.content.ts": (
                "export default defineContentScript({ matches: ['*://a.b/*'], runAt: 'document_start',\n"
                "// world: 'MAIN',\n main() { inject({ world: 'MAIN' }); } });"
            )
        },
        content_script("entrypoints/a.content.ts", "*://a.b/*", run_at="document_start"),
    ),
    "a content script with a computed pattern": (
        WXT | {"entrypoints/content/index.tsx": "defineContentScript({ matches: [A, 'https://b/*'] })"},
        content_script("entrypoints/content/index.tsx", "<all_urls>"),
    ),
    "a background of Plasmo": (
        PLASMO | {"background.ts": "", "background/menu.ts": ""},
        background("background.ts") | BUTTON,
    ),
    "handlers of messages": (
        PLASMO | {"src/background/messages/a/ping.ts": "", "src/background/ports/b.ts": ""},
        background(".plasmo/static/background/index.ts") | BUTTON,
    ),
    "pages of Plasmo without a key": (
        PLASMO | {"tabs/a.tsx": "", "tabs/b/index.tsx": "", "sandboxes/c.tsx": "", "sandbox.ts": ""},
        {"sandbox": {"pages": ["sandbox.html", "sandboxes/c.html"]}} | opened("tabs/a.html") | BUTTON,
    ),
    "components": (
        PLASMO | {"popup.vue": "", "contents/a.svelte": ""},
        {"action": {"default_popup": "popup.html"}} | content_script("contents/a.svelte", "<all_urls>"),
    ),
    "files for other browsers and tests": (
        PLASMO | {"popup.firefox.tsx": "", "contents/a.ts": "", "contents/a.test.ts": ""},
        content_script("contents/a.ts", "<all_urls>") | BUTTON,
    ),
    "a template of a page": (
        PLASMO | {"popup.html": "", "popup.tsx": ""},
        {"action": {"default_popup": ".plasmo/popup.html"}},
    ),
    "a pattern that looks like the start of a comment": (
        PLASMO
        | {
            "content.ts": (
                "export const config: A = {\n matches: ['https://a/*'],\n // run_at: 'document_end',\n"
                " run_at: 'document_start' }\n/** Comment */"
            )
        },
        content_script("content.ts", "https://a/*", run_at="document_start") | BUTTON,
    ),
    "sources of Plasmo": (
        PLASMO | {"src/popup.tsx": "", "src/devtools.html": ""},
        {"devtools_page": "src/devtools.html", "action": {"default_popup": "src/popup.html"}},
    ),
    "a content script of Plasmo": (
        PLASMO | {"contents/a.ts": 'export const config: A = {\n matches: ["https://a/*"], world: "MAIN" }'},
        content_script("contents/a.ts", "https://a/*", world="MAIN")
        | {"permissions": ["scripting"]}
        | BUTTON,
    ),
    "a content script without settings": (
        PLASMO | {"content.tsx": "fetch('https://a/', { world: 'MAIN' })"},
        content_script("content.tsx", "<all_urls>") | BUTTON,
    ),
    "a module of CRXJS": (
        {
            "package.json": "{}",
            "manifest.config.ts": (
                "export default defineManifest({ manifest_version: 3, name: a.b, permissions: ['tabs'],\n"
                "background: { service_worker: 'src/background.ts' }, action: { icon: A } })"
            ),
            "src/background.ts": "",
        },
        {
            "background": {"service_worker": "src/background.ts"},
            "action": {"icon": "{{computed}}"},
            "permissions": ["tabs"],
        },
    ),
    "a module of another program": (
        {
            "package.json": "{}",
            "src/manifest.js": "const m = { manifest_version: 2, options_page: './o.html' }; write(m);",
            "o.html": "",
        },
        {"options_page": "./o.html"},
    ),
    "a module that names only files of the output": (
        {"manifest.ts": "export const m = { manifest_version: 3, options_page: 'o.html' }", "src/o.html": ""},
        {"options_page": "o.html"},
    ),
    "a module that names no script or page": ({"manifest.ts": "export default { manifest_version: 3 }"}, {}),
    "a configuration with a manifest": (
        {"vite.config.ts": "const m = defineManifest({ manifest_version: 3, devtools_page: 'd.html' });"},
        {"devtools_page": "d.html"},
    ),
    "a module with a manifest of each version": (
        {
            "manifest.ts": (
                "const a = { manifest_version: 2, options_page: 'a.html' };\n"
                "const b = { manifest_version: 3, options_page: 'b.html' }; export default x ? a : b;"
            )
        },
        {"options_page": "b.html"},
    ),
    "a module with another object": (
        {"manifest.js": "module.exports = { name: 'a', start_url: 'o.html' }", "o.html": ""},
        {},
    ),
    "no entry points": (WXT | {"entrypoints/utils.ts": ""}, {}),
    "another framework": ({"package.json": '{"dependencies": {"vite": "1"}}', "background.ts": ""}, {}),
    "no project": ({"background.ts": "", "entrypoints/background.ts": ""}, {}),
    "broken settings": ({"package.json": "[", "background.ts": ""}, {}),
}


@pytest.mark.parametrize(("files", "expected"), MADE.values(), ids=MADE.keys())
def test_made_manifest(files: Mapping[str, str], expected: Mapping[str, Any]) -> None:
    assert made(files) == expected


def test_made_page_loads_its_script() -> None:
    files = {**PLASMO, "src/popup.tsx": ""}
    found = made_files(files.keys(), lambda path: files[path].encode()).files
    assert found["src/popup.html"] == b'<!doctype html><script type="module" src="popup.tsx"></script>'


def test_made_background_loads_handlers() -> None:
    files = {**PLASMO, "background/index.ts": "", "background/messages/ping.ts": ""}
    found = made_files(files.keys(), lambda path: files[path].encode()).files
    assert found[".plasmo/static/background/index.ts"].decode() == (
        'import "../../../background/index.ts";\n'
        'import handler0 from "../../../background/messages/ping.ts";\n'
        "chrome.runtime.onConnect.addListener((port) => "
        "{ const it = JSON.parse(port.name); handler0(it, it); });"
    )


BACKGROUND = """export default defineBackground(() => {
  browser.alarms.create("poll", { periodInMinute: 5 });
  localStorage.setItem("a", "b");
});
"""
METHOD = (
    "export default defineBackground({ type: 'module', main() { start(); } });\nconst start = () => alert(1);"
)


def test_code_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    write({**WXT, "entrypoints/background.ts": BACKGROUND})
    assert main(["check", "--output-format", "concise"]) == 1
    assert capsys.readouterr().out == (
        "entrypoints/background.ts:2:35: error[invalid-argument] [*] unknown property `periodInMinute`\n"
        "entrypoints/background.ts:3:3: error[missing-global] `localStorage` does not exist in a service "
        "worker\n"
        "Found 2 errors in 1 extension (3 files).\n"
        "[*] 1 can be fixed with --fix\n"
        "checked for chrome: WXT builds for it by default\n"
        f"{ADVICE}.output/chrome-mv3\n"
    )


OUTPUTS = {
    "a name of the output": ({"src/sw.ts": "alert(1);"}, "background: { service_worker: 'sw.js' }"),
    "a name below the output": (
        {"src/background/main.ts": "alert(1);"},
        "background: { service_worker: 'dist/background/index.mjs' }",
    ),
    "a page from the folder of sources": (
        {"src/options/o.html": '<script type="module" src="a.ts"></script>', "src/options/a.ts": "alert(1);"},
        "options_page: 'options/o.html', background: { service_worker: 'src/options/a.ts' }",
    ),
}


@pytest.mark.parametrize(("files", "keys"), OUTPUTS.values(), ids=OUTPUTS.keys())
def test_sources_of_outputs_are_checked(
    files: Mapping[str, str], keys: str, capsys: pytest.CaptureFixture[str]
) -> None:
    module = f"const m: A.B | C = {{ manifest_version: 3, {keys} }};\nexport default m;"
    write({"package.json": "{}", "src/manifest.ts": module, **files})
    assert main(["check"]) == 1
    assert "`alert` does not exist" in capsys.readouterr().out


def test_pages_of_other_projects_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    keys = (
        "action: { default_popup: 'popup/index.html' }, background: { service_worker: 'background.iife.js' },"
        "content_scripts: [{ matches: ['https://a.example/*'], js: ['content/index.iife.js'] }]"
    )
    folders = ("", "chrome-extension/", "pages/popup/", "pages/content/")
    write({f"{folder}package.json": "{}" for folder in folders})
    write(
        {
            "chrome-extension/manifest.js": f"export default merge({{ manifest_version: 3, {keys} }}, MORE);",
            "chrome-extension/vite.config.mts": (
                "export default { build: { lib: {\n formats: ['iife'],\n"
                " entry: resolve(__dirname, 'lib/background/index.ts'),\n name: 'background' } } }"
            ),
            "chrome-extension/lib/background/index.ts": "alert(1);",
            "pages/popup/index.html": '<script type="module" src="/src/index.tsx"></script>',
            "pages/popup/src/index.tsx": "chrome.tabs.getAll();",
            "pages/content/src/index.ts": "chrome.tabs.query({});",
        }
    )
    assert main(["check", "--output-format", "concise"]) == 1
    out = capsys.readouterr().out
    assert "chrome-extension/lib/background/index.ts:1:1: error[missing-global]" in out
    assert "pages/popup/src/index.tsx:1:1: error[unknown-api]" in out
    assert "pages/content/src/index.ts:1:1: error[wrong-context]" in out
    assert "in 1 extension" in out


def test_innermost_project_has_the_manifest(capsys: pytest.CaptureFixture[str]) -> None:
    module = "export default { manifest_version: 3, background: { service_worker: 'bg.ts' } };"
    files = {"package.json": "{}", "packages/a/package.json": "{}", "packages/a/manifest.ts": module}
    write({**files, "packages/a/bg.ts": "alert(1);"})
    assert main(["check"]) == 1
    out = capsys.readouterr().out
    assert "packages/a/bg.ts:1:1" in out.replace("-->", "")
    assert "1 extension" in out


PAGE_WITH_ALIAS = (
    '<script type="module" src="/pages/a.js"></script><script type="module" src="~/pages/b.ts"></script>'
)
FOUND = {
    "the method of an entry point": (WXT | {"entrypoints/background.ts": METHOD}, "`alert` does not exist"),
    "an imported function": (
        WXT | {"entrypoints/background.ts": f"import {{ defineBackground }} from '#imports';\n{METHOD}"},
        "`alert` does not exist",
    ),
    "a content script": (
        WXT
        | {
            "entrypoints/content.ts": (
                "export default defineContentScript({ matches: ['https://a.example/*'],\n"
                " main() { chrome.tabs.query({}); } });"
            )
        },
        "`tabs.query` is not available in a content script",
    ),
    "what version 3 removed": (
        WXT | {"entrypoints/background.ts": "browser.browserAction.setBadgeText({ text: 'a' });"},
        "`browserAction` was removed in Manifest V3",
    ),
    "the script of a page": (
        PLASMO | {"src/popup.tsx": "export default () => <b onClick={() => chrome.tabs.getAll()}/>;"},
        "`tabs.getAll` does not exist",
    ),
    "a handler of messages": (
        PLASMO
        | {
            "background/messages/ping.ts": "const f: A = async (a, b) => b.send(alert(1));\nexport default f;"
        },
        "`alert` does not exist",
    ),
    "a page that only code opens": (
        PLASMO | {"tabs/a.tsx": "chrome.tabs.getAll();", "popup.tsx": ""},
        "`tabs.getAll` does not exist",
    ),
    "the script of a page from the folder of sources": (
        WXT
        | {
            "wxt.config.ts": "defineConfig({ srcDir: 'src' })",
            "src/entrypoints/popup.html": PAGE_WITH_ALIAS,
            "src/pages/a.js": "chrome.tabs.getAll();",
            "src/pages/b.ts": "",
        },
        "`tabs.getAll` does not exist",
    ),
    "a sandbox": (
        WXT
        | {
            "entrypoints/a.sandbox.html": "<script src='./lib/a.ts'></script>",
            "entrypoints/background.ts": "",
            "entrypoints/lib/a.ts": "chrome.storage.local.get('a');",
        },
        "`storage.local` is not available in a sandboxed page",
    ),
}


@pytest.mark.parametrize(("files", "expected"), FOUND.values(), ids=FOUND.keys())
def test_mistakes_are_found(
    files: Mapping[str, str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(files)
    assert main(["check"]) == 1
    out = capsys.readouterr().out
    assert expected in out
    assert "manifest.json" not in out
    assert "not built" not in out


SILENT = {
    "no permission": WXT | {"entrypoints/background.ts": "chrome.alarms.create('a', { when: 1 });"},
    "a function of the script": WXT
    | {"entrypoints/background.ts": "const defineBackground = (f) => {}; defineBackground(() => alert(1));"},
    "a file of the public folder": WXT
    | {"entrypoints/content.ts": "document.body.append(Object.assign(new Image(), { src: url('/a.png') }))"},
    "a script next to the sources": PLASMO
    | {"src/contents/a.ts": "export {};", "background.ts": "chrome.runtime.nothing();"},
    "a command for the button that the build makes": PLASMO
    | {
        "package.json": json.dumps(
            {"dependencies": {"plasmo": "1"}, "manifest": {"commands": {"_execute_action": {}}}}
        ),
        "background.ts": "chrome.action.onClicked.addListener(() => {});",
    },
    "a virtual page": WXT | {"entrypoints/background.ts": "chrome.tabs.create({ url: '/settings.html' });"},
    "keys that the build may add": WXT
    | {
        "entrypoints/background.ts": "export default defineBackground(() => {"
        " browser.commands.onCommand.addListener((name) => { if (name === 'mute') mute(); });"
        " browser.runtime.onMessage.addListener(() => {"
        " browser.permissions.request({permissions: ['tabs'], origins: ['https://a.example/*']}); }); });"
    },
}


@pytest.mark.parametrize("files", SILENT.values(), ids=SILENT.keys())
def test_nothing_else_is_reported(files: Mapping[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    write(files)
    assert main(["check"]) == 0
    assert capsys.readouterr().out.startswith("No findings in the checked part of 1 extension")


def test_one_file_of_a_project(capsys: pytest.CaptureFixture[str]) -> None:
    write(
        {f"apps/ext/{path}": text for path, text in {**WXT, "entrypoints/background.ts": BACKGROUND}.items()}
    )
    write({"apps/ext/readme.md": "", "other/a.js": ""})
    assert main(["check", "apps/ext/entrypoints/background.ts"]) == 1
    assert "unknown property `periodInMinute`" in capsys.readouterr().out
    assert main(["check", "other/a.js"]) == 2
    assert "belongs to no extension" in capsys.readouterr().err


def test_built_extension_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    write({**WXT, "entrypoints/background.ts": BACKGROUND})
    write({".output/chrome-mv3/manifest.json": '{"manifest_version": 3, "name": "a", "version": "1"}'})
    assert main(["check"]) == 0
    assert "1 extension (1 file)" in capsys.readouterr().out


STALE = '{"manifest_version": 2, "name": "a", "version": "1", "background": {"scripts": ["old.js"]}}'


def test_remnant_is_not_the_manifest(capsys: pytest.CaptureFixture[str]) -> None:
    write({**WXT, "wxt.config.ts": "", "entrypoints/background.ts": BACKGROUND, "manifest.json": STALE})
    assert main(["check"]) == 1
    out = capsys.readouterr().out
    assert "entrypoints/background.ts:2:35: error" in out
    assert "old.js" not in out
    main(["check", "manifest.json"])
    assert "old.js" in capsys.readouterr().out


def test_manifest_that_the_configuration_reads(capsys: pytest.CaptureFixture[str]) -> None:
    config = "import keys from './manifest.json'; export default defineConfig({ manifest: keys });"
    write({**WXT, "wxt.config.ts": config, "entrypoints/background.ts": BACKGROUND, "manifest.json": STALE})
    main(["check"])
    assert "WXT builds for it by default" not in capsys.readouterr().out


def test_archive_of_sources(capsys: pytest.CaptureFixture[str]) -> None:
    with ZipFile("sources.zip", "w") as archive:
        for path, text in {**WXT, "entrypoints/background.ts": BACKGROUND}.items():
            archive.writestr(path, text)
    assert main(["check", "sources.zip"]) == 1
    out = capsys.readouterr().out
    assert "sources.zip/entrypoints/background.ts:2:35: error" in out
    assert "a build makes the manifest" in out


def test_fixes_leave_no_manifest_behind() -> None:
    write({**WXT, "entrypoints/background.ts": BACKGROUND})
    main(["check", "--fix", "--unsafe-fixes"])
    assert "periodInMinutes" in Path("entrypoints/background.ts").read_text()
    assert not Path("manifest.json").exists()


def test_permissions_require_the_manifest(capsys: pytest.CaptureFixture[str]) -> None:
    write({**WXT, "entrypoints/background.ts": BACKGROUND})
    assert main(["permissions"]) == 2
    assert "WXT makes it; run `npm run build`, then check .output/chrome-mv3" in capsys.readouterr().err


def test_configuration_of_a_project(capsys: pytest.CaptureFixture[str]) -> None:
    write({**WXT, "entrypoints/background.ts": BACKGROUND})
    assert main(["config"]) == 0
    assert "contains no extension" not in capsys.readouterr().out


def test_other_projects_are_not_read() -> None:
    def read(path: str) -> bytes:
        raise AssertionError(path)

    assert not made_files({"package.json", "src/index.ts", "test/background.ts"}, read).files
