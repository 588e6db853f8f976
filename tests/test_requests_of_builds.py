"""Access that the manifest of a build does not request: tables of sources and other files."""

from __future__ import annotations

import json

import pytest
from harness import Files, manifest
from packages import package_in

from extlint.checker import check_package
from extlint.schema.targets import target_of

HOSTS, FIELDS = "missing-host-permission", "missing-permission"
INJECT = "chrome.scripting.executeScript({target: {tabId: 1}, files: ['c.js']})"
READ = "chrome.tabs.onUpdated.addListener((id, { url }) => f(url))"
USES = {
    "an injection": (INJECT, HOSTS),
    "the cookies of a site": ("chrome.cookies.get({url: u, name: 'a'}, f)", HOSTS),
    "a field of tabs": (READ, FIELDS),
    "tabs that are found by an address": ("chrome.tabs.query({url: '*://*/*'}, f)", FIELDS),
}


def reported(source: str, others: Files, **keys: object) -> list[str]:
    """Returns the rules of what is reported in a project in which a bundler makes the background script."""
    background = {"service_worker": "background.bundle.js"}
    own = manifest(background=background, permissions=["cookies", "scripting"], **keys)
    config = {"scripts": {"build": "webpack"}, "dependencies": {"react": "18"}}
    files = {"package.json": json.dumps(config), "src/manifest.json": own, "src/background.ts": source}
    target = target_of("chrome")
    assert target is not None
    report = check_package(package_in({**files, "src/c.js": "", **others}, "src/"), [target], [HOSTS, FIELDS])
    return [each.rule for each in report.findings]


@pytest.mark.parametrize(("source", "rule"), USES.values(), ids=USES.keys())
def test_source_is_reported(source: str, rule: str) -> None:
    assert reported(source, {}) == [rule]
    assert reported(f"import React from 'react'; import './a'; {source}", {"src/a.ts": ""}) == [rule]


COPY = "new CopyPlugin({ patterns: [{ from: 'src/manifest.json' %s }] })"
OTHERS: dict[str, tuple[Files, bool]] = {
    "a build that copies the manifest": ({"webpack.config.js": COPY % ""}, True),
    "a build that writes another key": (
        {"webpack.config.js": COPY % ", transform: (data) => g({ ...parse(data), version_name: v })"},
        True,
    ),
    "a build that requests something": (
        {"webpack.config.js": COPY % ", transform: (data) => g({ ...parse(data), host_permissions: h })"},
        False,
    ),
    "a build that extends the list": (
        {"scripts/build.js": "manifest = read('manifest.json'); manifest.permissions.push(more)"},
        False,
    ),
    "a part of the manifest": ({"src/manifest-chrome.json": '{"host_permissions": ["*://*/*"]}'}, False),
}


@pytest.mark.parametrize(("others", "is_reported"), OTHERS.values(), ids=OTHERS.keys())
@pytest.mark.parametrize("source", [INJECT, READ])
def test_manifest_must_be_final(source: str, others: Files, is_reported: bool) -> None:
    assert bool(reported(source, others)) == is_reported


UNKNOWN: dict[str, tuple[str, dict[str, object]]] = {
    "a script without a source": ("", {"content_scripts": [{"matches": ["https://*/*"], "js": ["d.js"]}]}),
    "a module that is missing": ("import './missing'; ", {}),
    "a library that nothing names": ("import 'unknown'; ", {}),
    "a page that is missing": ("open(chrome.runtime.getURL('missing.html')); ", {}),
}


@pytest.mark.parametrize(("start", "keys"), UNKNOWN.values(), ids=UNKNOWN.keys())
@pytest.mark.parametrize("source", [INJECT, READ])
def test_all_sources_must_be_known(source: str, start: str, keys: dict[str, object]) -> None:
    assert reported(start + source, {}, **keys) == []
