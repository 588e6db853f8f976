"""Manifests that a build completes: missing parts prove nothing, but wrong values are reported."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from harness import Files, lint

from extlint.checker import check_package
from extlint.manifest.vendor_keys import vendor_key
from extlint.package.files import Package
from extlint.schema.targets import Target
from extlint.text.placeholders import (
    is_named_template,
    is_placeholder,
    is_replaced,
    is_template,
    is_unquoted_template,
)

SCRIPT = "chrome.alarms.create({ periodInMinutes: 1 });"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{name}}", True),
        ("{{chrome}}.name", True),
        ("{{#if chrome}}", True),
        ("Tool ${version}", True),
        ("<%= version %>", True),
        ("{% if chrome %}", True),
        ("%VERSION%", True),
        ("%PACKAGE.NAME%", True),
        ("https://%site-name%/", True),
        ("a%E3%82%AF%AB", False),
        ("@VERSION@", True),
        ("/* @echo meta.version */", True),
        ("https://<!-- @echo HOST -->/", True),
        ("__VERSION__", True),
        ("v__BUILD_NUMBER__", True),
        ("__version__", True),
        ("$VERSION", True),
        ("0.1.8.$COMMIT_HASH", True),
        ("$start-url$", True),
        ("https://$host$/*", True),
        ("{version}", True),
        ("<name>", True),
        ("<injected from package.json>", True),
        ("X.X.X.99999", True),
        ("x.y.z", True),
        ("1.x", False),
        ("1.0x", False),
        ("v1.0", False),
        ("x.com", False),
        ("<all_urls>", False),
        ("<all_url>", False),
        ("<all>", False),
        ("<b>Bold</b>", False),
        ("Controls for <video> elements", False),
        ("Jane <jane@example.org>", False),
        ("__MSG_name__", False),
        ("__MSG_first__ and __MSG_second__", False),
        ("__MSG_@@extension_id__", False),
        ("{d10d0bf8-f5b5-c8b4-a8b2-2b9879e08c5d}", False),
        ("$schema", False),
        ("Costs 5 $ or 100 %", False),
        ("From $5 to $10", False),
        ("From $US to $CA", False),
        ("*://*.example.org/*", False),
        ("tool@example.org", False),
        ("https://example.org/*@me", False),
        ("/* a comment */", False),
        ("https://example.org/__path__/a", False),
        ("50%-100%", False),
    ],
)
def test_template_text_is_recognized(text: str, expected: bool) -> None:
    assert is_template(text) == expected
    assert not expected or (is_replaced(text) and is_placeholder(text))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("js/*.js", True), ("[hash].js", True), ("${name}.js", True), ("a<b>.js", True), ("a.js", False)],
)
def test_file_placeholder_is_recognized(name: str, expected: bool) -> None:
    assert is_placeholder(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("manifest_template.json", True),
        ("manifest.tpl.json", True),
        ("manifest.json.tmpl", True),
        ("manifest.json.in", True),
        ("manifest.json", False),
        ("manifest.templates-pro.json", False),
    ],
)
def test_template_file_name_is_recognized(name: str, expected: bool) -> None:
    assert is_named_template(name) == expected


@pytest.mark.parametrize("target", ["chrome", "firefox"])
@pytest.mark.parametrize(
    ("keys", "wrong"),
    [
        ({"version": "X.X.X.9"}, {"version": "1.0x.9"}),
        ({"version": "<from package.json>"}, {"version": "<"}),
        ({"homepage_url": "/* @echo meta.homepage */"}, {"homepage_url": "/* meta.homepage */"}),
        ({"host_permissions": ["https://<host>/*"]}, {"host_permissions": ["https:/<host>/*", "htps://a/*"]}),
        (
            {"web_accessible_resources": [{"resources": ["a"], "matches": ["*://<a>/*"]}]},
            {"web_accessible_resources": [{"resources": ["a"], "matches": ["<all_url>"]}]},
        ),
    ],
    ids=["letters X", "all of a version", "a directive", "a host", "a pattern"],
)
def test_placeholder_value_is_not_reported(
    keys: Mapping[str, object], wrong: Mapping[str, object], target: str
) -> None:
    rules = ("invalid-value", "unknown-permission")
    assert lint(package_files({**COMPLETE, **keys}), rules, target) == []
    assert lint(package_files({**COMPLETE, **wrong}), rules, target) != []


@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_null_is_a_placeholder_in_a_template_file(target: str) -> None:
    text = json.dumps({"manifest_version": 3, "name": None, "version": "1", "icons": ["a.png"]})
    rules = ("invalid-value",)

    def finding_offsets(name: str) -> list[int]:
        package = Package("test", {name: lambda: text.encode()}, name)
        found = check_package(package, [Target(target)], rules).findings
        return [each.span.start.column - 1 for each in found]

    assert finding_offsets("manifest_template.json") == [text.index("[")]
    assert finding_offsets("manifest.json") == [text.index("null"), text.index("[")]


@pytest.mark.parametrize(
    ("key", "name", "vendors"),
    [
        ("__chrome__action", "action", {"chrome"}),
        ("__chrome|firefox__action", "action", {"chrome", "firefox"}),
        ("__dev__name", "name", {"dev"}),
        ("__chrome__$schema", "$schema", {"chrome"}),
        ("{{chrome}}.action", "action", {"chrome"}),
        ("chromium:action", "action", {"chromium"}),
    ],
)
def test_vendor_key_has_name_and_vendors(key: str, name: str, vendors: set[str]) -> None:
    found = vendor_key(key)
    assert found is not None
    assert found.name == name
    assert set(found.vendors) == vendors


@pytest.mark.parametrize("key", ["action", "__action", "__comment__", "_chrome_", "{{mode}}.action", "a:b"])
def test_other_key_is_not_a_vendor_key(key: str) -> None:
    assert vendor_key(key) is None


def package_files(keys: Mapping[str, object], script: str = SCRIPT) -> Files:
    return {"manifest.json": json.dumps(keys), "background.js": script}


COMPLETE = {
    "manifest_version": 3,
    "name": "Test",
    "version": "1.0",
    "background": {"service_worker": "background.js"},
}


@pytest.mark.parametrize(
    ("rule", "keys"),
    [
        pytest.param("missing-key", {"manifest_version": 3, "name": "Test"}, id="a key"),
        pytest.param("missing-file", {**COMPLETE, "icons": {"16": "a.png"}}, id="a file"),
    ],
)
@pytest.mark.parametrize(
    "template",
    [
        {"{{mode}}.host_permissions": []},
        {"description": "${description}"},
        {"short_name": "%NAME%"},
        {"optional_permissions": ["{{optional}}"]},
        {"{{#each keys}}": 1},
    ],
    ids=lambda each: next(iter(each)),
)
def test_template_may_omit_required_parts(
    rule: str, keys: dict[str, object], template: dict[str, object]
) -> None:
    tool = {"release.sh": "sed -i s/A/B/ manifest.json"}
    assert [each.rule for each in lint({**package_files({**keys}), **tool}, (rule,), "chrome")] == [rule]
    assert lint({**package_files({**keys, **template}), **tool}, (rule,), "chrome") == []


FILLED = {
    "a placeholder among the permissions": ({"optional_permissions": ["{{optional}}"]}, "missing-permission"),
    "a key for some mode": ({"{{mode}}.host_permissions": []}, "missing-permission"),
    "a loop over keys": ({"{{#each keys}}": 1}, "missing-permission"),
    "any command": ({"commands": {"{{name}}": {}, "a": {"description": "A"}}}, "unhandled-command"),
}
FILLED_ELSEWHERE = {
    "the version": ({"version": "x.x.x"}, "missing-permission"),
    "the version, and a file": ({"version": "x.x.x", "icons": {"16": "a.png"}}, "missing-file"),
    "a key for a browser, and a file": (
        {"{{chrome}}.minimum_chrome_version": "120", "icons": {"16": "a.png"}},
        "missing-file",
    ),
    "the description": ({"description": "${description}"}, "missing-permission"),
    "the name, and a use": (
        {"short_name": "%NAME%", "permissions": ["alarms", "cookies"]},
        "unused-permission",
    ),
    "another key for some mode": ({"{{mode}}.author": "A"}, "missing-permission"),
    "a key for a browser": (
        {"{{chrome}}.minimum_chrome_version": "120", "commands": {"a": {"description": "A"}}},
        "unhandled-command",
    ),
    "the name, and a command": (
        {"short_name": "%NAME%", "commands": {"a": {"description": "A"}}},
        "unhandled-command",
    ),
    "the name, and a key inside another": (
        {"short_name": "%NAME%", "content_scripts": [{"js": ["background.js"]}]},
        "missing-key",
    ),
}


@pytest.mark.parametrize(("keys", "rule"), FILLED.values(), ids=FILLED.keys())
def test_placeholder_excuses_the_key_that_it_fills(keys: dict[str, object], rule: str) -> None:
    assert lint(package_files({**COMPLETE, **keys}), (rule,), "chrome") == []


@pytest.mark.parametrize(("keys", "rule"), FILLED_ELSEWHERE.values(), ids=FILLED_ELSEWHERE.keys())
def test_placeholder_elsewhere_excuses_nothing(keys: dict[str, object], rule: str) -> None:
    found = lint(package_files({**COMPLETE, **keys}), (rule,), "chrome")
    assert [each.rule for each in found] == [rule]


@pytest.mark.parametrize(
    "keys",
    [
        {"$schema": "https://example.org/schema.json"},
        {"__comment__": "A"},
        {"name": "__MSG_name__", "default_locale": "en"},
        {"description": "For 5 $, or {a, b}: 100 %"},
    ],
    ids=lambda each: next(iter(each)),
)
def test_missing_part_of_a_plain_manifest_is_reported(keys: dict[str, object]) -> None:
    found = lint(package_files({**COMPLETE, **keys}), ("missing-permission",), "chrome")
    assert [each.rule for each in found] == ["missing-permission"]


@pytest.mark.parametrize("target", ["reference", "chrome", "firefox"])
@pytest.mark.parametrize(
    ("keys", "rule"),
    [
        pytest.param({"permisions": ["alarms"]}, "unknown-key", id="a misspelled key"),
        pytest.param({"permissions": ["alrams"]}, "unknown-permission", id="a misspelled permission"),
        pytest.param({"icons": ["a.png"]}, "invalid-value", id="a list for an object"),
    ],
)
def test_mistake_in_a_template_is_reported(keys: dict[str, object], rule: str, target: str) -> None:
    for template in ({"{{mode}}.author": "A"}, {"__chrome|firefox__author": "A"}, {"author": "%AUTHOR%"}):
        assert rule in {
            each.rule for each in lint(package_files({**COMPLETE, **keys, **template}), None, target)
        }


@pytest.mark.parametrize(
    "prefix", ["__chrome__", "__chrome|opera__", "{{chrome}}.", "chrome:", "chromium:", "__prod__"]
)
@pytest.mark.parametrize("target", ["chrome", "firefox", "reference"])
def test_permission_under_a_vendor_key_is_requested(prefix: str, target: str) -> None:
    rules = ("missing-permission",)
    assert lint(package_files({**COMPLETE, f"{prefix}permissions": ["alarms"]}), rules, target) == []
    other = package_files({**COMPLETE, f"{prefix}permissions": ["tabs"]})
    assert [each.rule for each in lint(other, rules, target)] == ["missing-permission"]


def test_permission_with_a_vendor_prefix_is_requested() -> None:
    files = package_files({**COMPLETE, "permissions": ["{{chrome}}.alarms", "{{firefox}}.menus"]})
    assert lint(files, ("missing-permission", "unknown-permission", "invalid-value"), "chrome") == []
    wrong = package_files({**COMPLETE, "permissions": ["{{chrome}}.alrams"]})
    assert [each.rule for each in lint(wrong, ("unknown-permission",), "chrome")] == ["unknown-permission"]


@pytest.mark.parametrize(
    ("key", "target", "expected"),
    [
        ("__chrome__icons", "chrome", True),
        ("__chrome__icons", "firefox", False),
        ("__chrome|firefox__icons", "firefox", True),
        ("{{firefox}}.icons", "firefox", True),
        ("{{firefox}}.icons", "chrome", False),
        ("firefox:icons", "firefox_android", True),
        ("__edge__icons", "edge", True),
        ("__edge__icons", "chrome", False),
        ("__safari__icons", "reference", False),
    ],
)
def test_vendor_value_is_checked_only_for_its_browser(key: str, target: str, expected: bool) -> None:
    found = lint(package_files({**COMPLETE, key: ["a.png"]}), ("invalid-value", "unknown-key"), target)
    assert [each.rule for each in found] == ["invalid-value"] * expected


@pytest.mark.parametrize(("target", "expected"), [("chrome", ["invalid-value"]), ("firefox", [])])
def test_null_of_a_vendor_key_removes_the_plain_key(target: str, expected: list[str]) -> None:
    keys = {"$schema": "https://example.com/", "__firefox__$schema": None, "__safari__$schema": None}
    files = package_files({**COMPLETE, **keys, "icons": ["a.png"], "__firefox__icons": None})
    assert [each.rule for each in lint(files, ("invalid-value", "unknown-key"), target)] == expected


def test_vendor_key_overrides_the_plain_key() -> None:
    keys = {"manifest_version": 3, "name": "A", "version": "1", "__firefox__manifest_version": 2}
    background = {"background": {"service_worker": "a.js"}, "__firefox__background": {"scripts": ["b.js"]}}
    files = {
        "manifest.json": json.dumps({**keys, **background}),
        "a.js": "chrome.browserAction.onClicked.addListener(() => {});",
        "b.js": "browser.action.onClicked.addListener(() => {});",
    }
    rules = ("wrong-manifest-version", "invalid-value", "unknown-key")
    assert [each.path for each in lint(files, rules, "chrome")] == ["a.js"]
    assert [each.path for each in lint(files, rules, "firefox")] == ["b.js"]


def test_finding_for_a_vendor_key_is_at_its_value() -> None:
    text = '{"manifest_version": 3, "name": "A", "version": "1", "__chrome__icons": 5}'
    (found,) = lint({"manifest.json": text}, ("invalid-value",), "chrome")
    assert text[found.span.start.column - 1 : found.span.end.column - 1] == "5"


def test_placeholder_manifest_version_is_unknown() -> None:
    script = "chrome.browserAction.onClicked.addListener(() => {});"
    rules = ("wrong-manifest-version",)
    assert lint(package_files({**COMPLETE, "manifest_version": "{{version}}"}, script), rules, "chrome") == []
    assert len(lint(package_files({**COMPLETE, "author": "{{author}}"}, script), rules, "chrome")) == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"name": "A", {{#if chrome}} "key": "a" {{/if}} }', id="a block"),
        pytest.param('{"name": "A", "version": <%= version %>}', id="a value"),
        pytest.param('{"name": "A", "manifest_version": ${manifest}}', id="a variable"),
        pytest.param('{"name": "A", "manifest_version": __MV__}', id="a constant"),
    ],
)
def test_non_json_template_is_not_invalid_json(text: str) -> None:
    assert [each.rule for each in lint({"manifest.json": text})] == ["incomplete-analysis"]
    broken = text.replace('"name": ', '"name" ')
    assert [each.rule for each in lint({"manifest.json": broken})] == ["invalid-json"]


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [(b"{{a}}", 0, True), (b"{{a}}", 1, True), (b'{"a" 1}', 5, False), (b'{"a": $}', 6, False)],
)
def test_unquoted_template_is_recognized_at_an_offset(text: bytes, at: int, expected: bool) -> None:
    assert is_unquoted_template(text, at) == expected
