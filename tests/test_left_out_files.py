"""Files next to the manifest that a build leaves out of the package."""

from __future__ import annotations

import json

import pytest
from harness import manifest
from packages import package_in

from extlint.checker import check_package
from extlint.schema.targets.request import Target

MANIFEST = "{ from: 'public/manifest.json' }"
PAGE = '<button onclick="run()">x</button><script src="done.js"></script>'
OPENED = "chrome.tabs.create({ url: chrome.runtime.getURL('done.html') });"


def reported(
    config: str,
    *,
    keys: dict[str, object] | None = None,
    dependency: str = "webpack",
    build: str = "webpack",
    others: dict[str, str] | None = None,
) -> list[str]:
    """Returns the paths with findings in a project that copies files from `public`."""
    files = {
        "public/manifest.json": manifest(background={"service_worker": "background.js"}, **keys or {}),
        "public/background.js": OPENED,
        "public/done.html": PAGE,
        "public/done.js": "chrome.tabs.nope();",
        "package.json": json.dumps(
            {"devDependencies": {dependency: "1", "webpack": "5"}, "scripts": {"build": build}}
        ),
        "webpack.config.js": config,
        **(others or {}),
    }
    found = check_package(
        package_in(files, "public/"), [Target("chrome")], ["inline-script", "unknown-api"]
    ).findings
    return sorted({each.path for each in found})


def copying(*patterns: str, more: str = "") -> str:
    return f"""
    const CopyPlugin = require('copy-webpack-plugin');
    module.exports = {{
      entry: {{ background: './public/background.js' }},
      plugins: [new CopyPlugin({{ patterns: [{", ".join(patterns)}] }}), {more}],
    }};
    """


BOTH = ["done.html", "done.js"]


@pytest.mark.parametrize(
    ("config", "paths"),
    [
        pytest.param(copying(MANIFEST), [], id="only the manifest"),
        pytest.param(copying(MANIFEST, "{ from: 'public/icon.png' }"), [], id="other files"),
        pytest.param(copying(MANIFEST, "{ from: 'public/done.html' }"), BOTH, id="the page"),
        pytest.param(copying(MANIFEST, "{ from: 'public/*.html' }"), BOTH, id="a pattern"),
        pytest.param(copying(MANIFEST, "{ from: '*.html', context: 'public' }"), BOTH, id="a context"),
        pytest.param(copying(MANIFEST, "{ from: '*/*.{css,html}' }"), BOTH, id="alternatives"),
        pytest.param(copying(MANIFEST, "{ from: path.resolve(__dirname, 'public') }"), BOTH, id="the folder"),
        pytest.param(copying("{ from: 'public' }"), BOTH, id="only the folder"),
        pytest.param(
            copying(MANIFEST, more="...['done'].map((n) => new Page({ template: `public/${n}.html` }))"),
            BOTH,
            id="its name",
        ),
        pytest.param("module.exports = { entry: './public/background.js' };", BOTH, id="nothing is copied"),
    ],
)
def test_pages_that_no_build_copies_are_not_checked(config: str, paths: list[str]) -> None:
    assert reported(config) == paths


def test_page_in_the_manifest_counts_as_copied() -> None:
    assert reported(copying(MANIFEST), keys={"action": {"default_popup": "done.html"}}) == BOTH


def test_commands_and_tools_may_copy_the_folder() -> None:
    assert reported(copying(MANIFEST), build="webpack && cp -r public/* dist") == BOTH
    assert reported(copying(MANIFEST), build="webpack && cd dist && zip -r ../a.zip *") == []
    assert reported(copying(MANIFEST), dependency="vite") == BOTH
    copying_program = {"scripts/build.js": "require('fs').cpSync('public', 'dist')"}
    assert reported(copying(MANIFEST), others=copying_program) == BOTH
    other_program = {"scripts/query.js": "const fs = require('fs'); select('public', fs)"}
    assert reported(copying(MANIFEST), others=other_program) == []
