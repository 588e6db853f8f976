"""The browser that the scripts of a project build for with WXT or Plasmo, and what is made for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from packages import write

from extlint.cli.main import main
from extlint.package.discovery.frameworks import firefox_build, made_files


def project(framework: str, *scripts: str, **files: str) -> dict[str, str]:
    """Returns the files of a project with scripts: `build`, `build1` and so on."""
    names = {f"build{at or ''}": each for at, each in enumerate(scripts)}
    background = "entrypoints/background.ts" if framework == "wxt" else "background.ts"
    keys = {"scripts": names, "dependencies": {framework: "1"}}
    return {"package.json": json.dumps(keys), background: "chrome.runtime.getManifest();", **files}


VERSION_3 = {"wxt.config.ts": "export default defineConfig({ manifestVersion: 3 });"}

BUILDS: Mapping[str, tuple[dict[str, str], str, str]] = {
    "Plasmo": (project("plasmo", "plasmo build"), "chrome", "build/chrome-mv3-prod"),
    "Plasmo for Firefox": (
        project("plasmo", "plasmo build --target=firefox-mv3 --verbose"),
        "firefox",
        "build/firefox-mv3-prod",
    ),
    "Plasmo for both": (
        project("plasmo", "plasmo build --target=chrome-mv3 && plasmo build --target=firefox-mv3"),
        "chrome",
        "build/chrome-mv3-prod",
    ),
    "Plasmo for Firefox in another script": (
        project("plasmo", "plasmo build", "plasmo build --target=firefox-mv3"),
        "chrome",
        "build/chrome-mv3-prod",
    ),
    "Plasmo for Firefox in Manifest V2": (
        project("plasmo", "plasmo build --target=firefox-mv2"),
        "chrome",
        "build/firefox-mv2-prod",
    ),
    "an option that Plasmo does not read": (
        project("plasmo", "plasmo build --target firefox-mv3"),
        "chrome",
        "build/chrome-mv3-prod",
    ),
    "WXT for Firefox": (
        project("wxt", "wxt build -b firefox --mv3", "tsc && wxt zip --browser=firefox --mv3"),
        "firefox",
        ".output/firefox-mv3",
    ),
    "WXT for Firefox by the configuration": (
        project("wxt", "wxt build -b firefox") | VERSION_3,
        "firefox",
        ".output/firefox-mv3",
    ),
    "WXT for Firefox in Manifest V2": (
        project("wxt", "wxt build -b firefox"),
        "firefox",
        ".output/firefox-mv2",
    ),
    "WXT for both": (
        project("wxt", "wxt build", "wxt build -b firefox --mv3"),
        "chrome",
        ".output/chrome-mv3",
    ),
    "WXT for both, and the README says so": (
        project("wxt", "wxt build", "wxt build -b firefox", **{"README.md": "`npm run build:firefox`"}),
        "chrome and firefox",
        ".output/chrome-mv3",
    ),
    "Plasmo for both, and the README says so": (
        project("plasmo", "plasmo build", "plasmo build --target=firefox-mv3", README="about:debugging"),
        "chrome and firefox",
        "build/chrome-mv3-prod",
    ),
    "WXT for both, with settings for Firefox": (
        project("wxt", "wxt zip", "wxt zip -b firefox")
        | {
            "wxt.config.ts": "export default { manifest: { browser_specific_settings: "
            "{ gecko: { id: 'a@b.example', data_collection_permissions: { required: ['none'] } } } } };"
        },
        "chrome and firefox",
        ".output/chrome-mv3",
    ),
    "WXT for both, by the commands of a template": (
        project("wxt", "wxt build", "wxt build -b firefox", **{"README.md": "Not for Firefox yet"}),
        "chrome",
        ".output/chrome-mv3",
    ),
    "WXT for Edge": (project("wxt", "wxt build --browser edge"), "chrome", ".output/edge-mv3"),
}


@pytest.mark.parametrize(("files", "browser", "output"), BUILDS.values(), ids=BUILDS.keys())
def test_browser_and_output(
    files: Mapping[str, str],
    browser: str,
    output: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write(files)
    assert main(["check"]) == 0
    printed = capsys.readouterr().out
    assert f"checked for {browser}: " in printed
    assert printed.endswith(f", then check {output}\n")


def manifest_of(files: Mapping[str, str], path: str = "manifest.json") -> dict[str, object]:
    made: dict[str, object] = json.loads(
        made_files(files.keys(), lambda path: files[path].encode()).files[path]
    )
    return made


def test_manifest_for_firefox() -> None:
    pages = {"sidepanel.tsx": "", "sandbox.tsx": ""}
    settings = {"gecko": {"id": "a@b.example"}, "gecko_android": {}}
    files = project("plasmo", "plasmo build --target=firefox-mv3", **pages)
    files["package.json"] = json.dumps(
        json.loads(files["package.json"]) | {"manifest": {"browser_specific_settings": settings}}
    )
    made = manifest_of(files)
    assert made["background"] == {"scripts": ["background.ts"], "type": "module"}
    assert made["sidebar_action"] == {"default_panel": "sidepanel.html"}
    assert made["browser_specific_settings"] == {"gecko": settings["gecko"]}
    assert made.keys().isdisjoint({"permissions", "sandbox", "side_panel"})


def test_manifest_by_wxt_has_one_background() -> None:
    made = manifest_of(project("wxt", "wxt build -b firefox") | VERSION_3)
    assert made["background"] == {"scripts": ["entrypoints/background.ts"], "type": "module"}


def test_manifest_v2_by_wxt() -> None:
    config = """export default defineConfig({ manifest: {
      action: { default_title: "Save" },
      permissions: ["tabs"],
      host_permissions: ["https://a.example/*"],
      optional_host_permissions: ["https://b.example/*"],
      web_accessible_resources: [{ resources: ["a.png"], matches: ["<all_urls>"] }, "b.png"],
      content_security_policy: { extension_pages: "script-src 'self'" },
    } });"""
    pages = {"entrypoints/popup.html": "", "entrypoints/tour.html": "", "wxt.config.ts": config}
    made = manifest_of(project("wxt", "wxt build -b firefox", **pages))
    del made["name"], made["version"]
    assert made == {
        "manifest_version": 2,
        "background": {"scripts": ["entrypoints/background.ts"]},
        "browser_action": {"default_title": "Save", "default_popup": "entrypoints/popup.html"},
        "permissions": ["tabs", "https://a.example/*"],
        "web_accessible_resources": ["a.png", "b.png", "entrypoints/tour.html"],
        "content_security_policy": "script-src 'self'",
    }


BOTH = project(
    "wxt",
    "wxt build",
    "wxt build -b firefox",
    **{
        "README.md": "wxt build -b firefox",
        "entrypoints/a.content.ts": "defineContentScript({ include: ['firefox'], matches: [] });",
        "entrypoints/b.content.ts": "defineContentScript({ exclude: ['firefox'], matches: [] });",
        "entrypoints/c.content.ts": "const all = { exclude: ['firefox', 'x'] };",
        "entrypoints/popup.html": "",
        "entrypoints/history.html": """<!-- a\n<meta name="manifest.exclude" content="['chrome']"> -->""",
        "entrypoints/newtab.html": """<meta name="manifest.exclude" content="['chrome', ...]">""",
        "entrypoints/options.html": """<meta name="manifest.exclude" content="['chrome', 'edge']">""",
        "entrypoints/background.ts": "defineBackground({ persistent: false, main: chrome.action.enable });",
    },
)


def test_manifest_for_each_browser() -> None:
    made, for_firefox = manifest_of(BOTH), manifest_of(BOTH, "manifest.firefox.json")
    assert made["manifest_version"] == 3
    assert for_firefox["manifest_version"] == 2
    assert made["background"] == {"service_worker": "entrypoints/background.ts", "type": "module"}
    assert for_firefox["background"] == {"scripts": ["entrypoints/background.ts"], "persistent": False}
    assert "options_ui" not in made
    assert made["chrome_url_overrides"] == for_firefox["chrome_url_overrides"]
    assert for_firefox["options_ui"] == {"page": "entrypoints/options.html"}


@pytest.mark.parametrize(("path", "names"), [("manifest.json", "bc"), ("manifest.firefox.json", "ac")])
def test_scripts_for_each_browser(path: str, names: str) -> None:
    made = json.dumps(manifest_of(BOTH, path)["content_scripts"])
    assert [each for each in "abc" if f"entrypoints/{each}.content.ts" in made] == [*names]


def test_findings_in_each_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(BOTH)
    assert main(["check"]) == 1
    printed = capsys.readouterr().out
    assert "[wrong-manifest-version] `action` requires Manifest V3 (firefox)" in printed
    write({"entrypoints/background.ts": "if (import.meta.env.CHROME) { chrome.action.enable(); }"})
    assert main(["check"]) == 0
    use = "defineBackground(() => { chrome.%s.addListener(() => { chrome.action.enable(); }); });"
    write({"entrypoints/background.ts": use % "runtime.onStartup"})
    assert main(["check"]) == 1
    shared = "defineBackground(async () => { %schrome.runtime.onMessage.addListener(show); }); "
    show = "function show() { chrome.action.enable(); }"
    write({"entrypoints/background.ts": shared % "" + show})
    assert main(["check"]) == 0
    write({"entrypoints/background.ts": shared % "await chrome.storage.local.get(null); show(); " + show})
    assert main(["check"]) == 1


VERSIONS = {
    "by default": ("", "wxt build -b firefox", 2),
    "without a configuration": (None, "wxt build -b firefox", 2),
    "by the configuration": ("manifestVersion: 3", "wxt build -b firefox", 3),
    "by the other version": ("manifestVersion: 2", "wxt build -b firefox", 2),
    "by the command": ("manifestVersion: 3", "wxt build -b firefox --mv2", 2),
    "by code": ("manifestVersion: version", "wxt build -b firefox", None),
    "by another file": ("...common", "wxt build -b firefox", None),
    "two versions": ("", "wxt build -b firefox && wxt build -b firefox --mv3", None),
    "another browser": ("", "wxt build -b firefox && wxt build", None),
}


@pytest.mark.parametrize(("config", "script", "version"), VERSIONS.values(), ids=VERSIONS.keys())
def test_manifest_version_for_firefox(config: str | None, script: str, version: int | None) -> None:
    files = project("wxt", script)
    if config is not None:
        files["wxt.config.ts"] = f"export default defineConfig({{ {config} }});"
    build = firefox_build(files.keys(), lambda path: files[path].encode())
    assert (None if build is None else build.version) == version
    assert manifest_of(files)["manifest_version"] == (version or 3)
