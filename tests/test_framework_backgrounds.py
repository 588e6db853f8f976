"""The backgrounds of manifests that builds make: whether they certainly end when they are idle."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import mkdtemp

import pytest
from packages import write

from extlint.cli.main import main

MENU = 'chrome.contextMenus.create({ id: "save", title: "Save" });'
ENTRY = {"entrypoints/background.ts": f"export default defineBackground(() => {{ {MENU} }});"}
MODULE = """
export default {{
  manifest_version: 3, name: "Save", version: "1.0", permissions: ["contextMenus"],
  background: {{ service_worker: "src/background.ts", type: "module" }}, {}
}};
"""


def of_wxt(config: str = "", script: str = "wxt build", **files: str) -> dict[str, str]:
    keys = {"scripts": {"build": script}, "devDependencies": {"wxt": "0.20.17"}}
    written = config if "manifest:" in config else f"manifest: {{ permissions: ['contextMenus'] }}, {config}"
    named = {"wxt.config.ts": f"export default defineConfig({{ {written} }});"}
    return {"package.json": json.dumps(keys), **named, **ENTRY, **files}


def of_plasmo(script: str = "plasmo build", **keys: object) -> dict[str, str]:
    keys = {"permissions": ["contextMenus"], **keys}
    table = {"scripts": {"build": script}, "dependencies": {"plasmo": "1"}, "manifest": keys}
    return {"package.json": json.dumps(table), "background.ts": MENU}


def of_module(rest: str = "") -> dict[str, str]:
    return {"package.json": "{}", "manifest.config.ts": MODULE.format(rest), "src/background.ts": MENU}


KNOWN: Mapping[str, tuple[dict[str, str], str]] = {
    "WXT": (of_wxt(), "chrome"),
    "a function with unknown keys": (
        of_wxt("manifest: ({ mode }) => ({ ...keysOf(mode), permissions: ['contextMenus'] })"),
        "chrome",
    ),
    "the version": (of_wxt("manifestVersion: 3"), "chrome"),
    "the version in Firefox": (of_wxt("manifestVersion: 3"), "firefox"),
    "a module without keys": (of_wxt("modules: ['@wxt-dev/module-react']"), "chrome"),
    "Firefox in Manifest V2": (of_wxt(script="wxt build && wxt build -b firefox --mv2"), "chrome"),
    "Plasmo": (of_plasmo(), "chrome"),
    "a manifest in a module": (of_module(), "chrome"),
}

UNKNOWN: Mapping[str, tuple[dict[str, str], str]] = {
    "another version": (of_wxt("manifestVersion: 2"), "chrome"),
    "a computed version": (of_wxt("manifestVersion: version"), "chrome"),
    "a build in Manifest V2": (of_wxt(script="wxt build --mv2"), "chrome"),
    "Firefox by default": (of_wxt(), "firefox"),
    "a hook": (of_wxt("hooks: { 'build:manifestGenerated': change }"), "chrome"),
    "a module that may change keys": (of_wxt("modules: ['@other/module']"), "chrome"),
    "a module of the project": (of_wxt(**{"modules/change.ts": ""}), "chrome"),
    "a configuration that is computed": (of_wxt("...common"), "chrome"),
    "a configuration elsewhere": (of_wxt() | {"wxt.config.ts": "export default config;"}, "chrome"),
    "Plasmo in Manifest V2": (of_plasmo("plasmo build --target=chrome-mv2"), "chrome"),
    "Plasmo with another background": (of_plasmo(background={"persistent": True}), "chrome"),
    "Plasmo with other keys in some browsers": (of_plasmo(overrides={"chrome": {}}), "chrome"),
    "a module with unknown keys": (of_module("...rest"), "chrome"),
    "a module in Firefox": (of_module(), "firefox"),
}


Found = Callable[[Mapping[str, str], str], str]


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Found:
    """Returns what a check of the files of a project prints for a browser."""

    def check(files: Mapping[str, str], browser: str) -> str:
        monkeypatch.chdir(mkdtemp(dir=tmp_path))
        write(files)
        main(["check", "--target", browser, "--output-format", "concise"])
        return capsys.readouterr().out

    return check


@pytest.mark.parametrize(("files", "browser"), KNOWN.values(), ids=KNOWN.keys())
def test_menu_of_a_known_background_is_reported(files: Mapping[str, str], browser: str, found: Found) -> None:
    assert "[duplicate-menu]" in found(files, browser)


@pytest.mark.parametrize(("files", "browser"), UNKNOWN.values(), ids=UNKNOWN.keys())
def test_menu_of_an_unknown_background_is_not_reported(
    files: Mapping[str, str], browser: str, found: Found
) -> None:
    assert "[duplicate-menu]" not in found(files, browser)


def test_page_of_the_background_in_firefox_is_not_judged(found: Found) -> None:
    popup = "chrome.runtime.getBackgroundPage((page) => page.show());"
    files = of_wxt(
        **{"entrypoints/popup.html": '<script src="./popup.ts"></script>', "entrypoints/popup.ts": popup}
    )
    assert "[missing-background-page]" not in found(files, "firefox")
    assert "[missing-background-page]" in found(files, "chrome")
