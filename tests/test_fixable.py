"""The fixes declared by rules and their pages: each exists, and tests see no other fix."""

from __future__ import annotations

import json
import re

import pytest
from harness import SENDER, Files, lint, manifest

from extlint.cli.main import main
from extlint.registry import RULES
from extlint.rule import Fixable

WORKER = {"background": {"service_worker": "b.js"}}


def script(text: str, **keys: object) -> Files:
    return {"manifest.json": manifest(**WORKER, **keys), "b.js": text}


def manifest_only(text: str) -> Files:
    return {"manifest.json": text}


SAFELY = {
    "missing-permission": script("chrome.storage.local.get();"),
    "unknown-api": script("chrome.runtime.getManifset();"),
    "wrong-manifest-version": script("f(chrome.extension.getURL('a.html'));"),
    "invalid-argument": script("chrome.tabs.query({ actve: true });"),
    "unknown-result-field": script(
        "chrome.tabs.query({}, (tabs) => f(tabs[0].titel));", permissions=["tabs"]
    ),
    "invalid-json": manifest_only('{"manifest_version": 3, "name": "N", "version": "1",}'),
    "duplicate-key": manifest_only('{"manifest_version": 3, "name": "N", "version": "1", "version": "1"}'),
    "invalid-value": manifest_only(manifest(host_permissions=["https://example.com"])),
    "unknown-key": manifest_only(manifest(permision=["tabs"])),
    "deprecated-key": manifest_only(manifest(manifest_version=2, applications={"gecko": {"id": "a@b.c"}})),
    "unknown-permission": manifest_only(manifest(permissions=["managment"])),
    "missing-element": {
        "manifest.json": manifest(options_page="o.html"),
        "o.html": "<p id=a></p><script src=o.js></script>",
        "o.js": "document.getElementById('#a').remove();",
    },
    "unused-suppression": script("f(); // extlint-disable-line unknown-api"),
}
"""A mistake with a safe fix for each rule that has safe fixes."""

UNSAFELY = {
    "unused-permission": script("f();", permissions=["alarms"]),
    "missing-await": script("(async () => { f(chrome.tabs.query({}).length); })();"),
    "lost-response": {
        **SENDER,
        **script("chrome.runtime.onMessage.addListener((m, s, r) => { fetch(m).then(r); });"),
    },
    "misplaced-import": script("export {};"),
    "blocked-webassembly": script("WebAssembly.compile(f());"),
}
"""The same for rules with unsafe fixes only."""


@pytest.mark.parametrize("name", [*SAFELY, *UNSAFELY])
def test_declared_fix_exists(name: str) -> None:
    files = SAFELY.get(name) or UNSAFELY[name]
    target = "firefox" if name == "deprecated-key" else "chrome"
    fixes = [each.fix for each in lint(files, target=target) if each.rule == name and each.fix is not None]
    assert {each.safe for each in fixes} == {name in SAFELY}


def test_rules_with_fixes_declare_them() -> None:
    declared = {level: [name for name, rule in RULES.items() if rule.fixable is level] for level in Fixable}
    assert sorted(declared[Fixable.SAFELY]) == sorted(SAFELY)
    assert sorted(declared[Fixable.UNSAFELY]) == sorted(UNSAFELY)


@pytest.mark.parametrize("name", RULES)
def test_rule_page_matches_the_declaration(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", name]) == 0
    (sentence,) = re.findall(r"^(.*findings of this rule.*)$", capsys.readouterr().out, re.MULTILINE)
    assert main(["rule", name, "--output-format", "json"]) == 0
    (rule,) = json.loads(capsys.readouterr().out)["rules"]
    assert (
        rule["fixable"] == {False: "no", True: "safely" if name in SAFELY else "unsafely"}["Some" in sentence]
    )
    assert ("with `--fix`," in sentence) == (name in SAFELY)
