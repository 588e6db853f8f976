"""Code of pages that their content security policy blocks: `inline-script` and `remote-script`."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256

import pytest
from harness import Files, lint, manifest, reported
from packages import package_in

from extlint.checker import check_package
from extlint.schema.targets import target_of
from extlint.text.formats.csp_policy import allows_attributes, allows_text, may_allow_address

RULES = ("inline-script", "remote-script")
CODE = "run()"
REMOTE = "https://a.example/x.js"
LOCAL = "http://localhost:8080/x.js"
HASH = f"'sha256-{b64encode(sha256(CODE.encode()).digest()).decode()}'"


def found(page: str, target: str = "firefox,chrome", **keys: object) -> list[str]:
    """Returns the source text of each finding in the popup page, merged across browsers."""
    version = keys.get("manifest_version", 3)
    action = "action" if version == 3 else "browser_action"
    files = {
        "manifest.json": manifest(**{action: {"default_popup": "popup.html"}, **keys}),
        "popup.html": page,
    }
    return [text for _, text in reported(files, RULES, target)]


@pytest.mark.parametrize(
    ("page", "blocked"),
    [
        pytest.param(f"<script>{CODE}</script>", ["<script>"], id="an inline script"),
        pytest.param(f"<script type=module>{CODE}</script>", ["<script type=module>"], id="an inline module"),
        pytest.param(
            '<script type="importmap">{}</script>', ['<script type="importmap">'], id="an import map"
        ),
        pytest.param("<SCRIPT>\n\n  run()\n</script>", ["<SCRIPT>"], id="at its start tag"),
        pytest.param("<script> \n </script>", [], id="an empty script"),
        pytest.param("<script>/* a\nb */ // c\n<!-- d\n</script>", [], id="only comments"),
        pytest.param('<script type="text/template">{{x}}</script>', [], id="no script"),
        pytest.param('<script type="application/ld+json">{}</script>', [], id="data"),
        pytest.param('<script src="a.js">run()</script>', [], id="a file"),
        pytest.param('<button onclick="run()">', [CODE], id="an event handler"),
        pytest.param("<body ONLOAD=run()>", [CODE], id="without quotes, in capital letters"),
        pytest.param('<svg onload="run()">', [CODE], id="an event handler in SVG"),
        pytest.param('<img src="a.png" onerror="run()">', [CODE], id="an event handler of what is loaded"),
        pytest.param('<ng-include onload="run()">', [], id="an attribute that a framework reads"),
        pytest.param('<div ng-include="a" onload="run()">', [], id="an event that never occurs"),
        pytest.param('<ng-include onclick="run()">', [CODE], id="an event that occurs at any element"),
        pytest.param('<p on="x" onto="y" online2="z" data-onclick="run()">', [], id="attributes of others"),
        pytest.param('<p onclick="" @click="run()" v-on:click="run()">', [], id="nothing to run"),
        pytest.param('<a href="javascript:run()">', ["javascript:run()"], id="an address"),
        pytest.param(
            '<a href=" JavaScript:run()">', ["JavaScript:run()"], id="an address as browsers read it"
        ),
        pytest.param('<form action="javascript:run()">', ["javascript:run()"], id="a form"),
        pytest.param('<a href="javascript:void(0)"><a href="javascript:;"><a href="#">', [], id="idle"),
        pytest.param('<!-- <p onclick="run()"> -->', [], id="in a comment"),
        pytest.param('<template><p onclick="run()"></template>', [], id="in a template"),
        pytest.param('<textarea><p onclick="run()"></textarea>', [], id="in a text"),
        pytest.param('<script src="https://a.example/x.js"></script>', [REMOTE], id="remote"),
        pytest.param("<script src=//a.example/x.js></script>", ["//a.example/x.js"], id="without a scheme"),
        pytest.param(f'<script src="{LOCAL}"></script>', [LOCAL], id="this machine"),
        pytest.param('<link href="https://a.example/x.css">', [], id="a style sheet"),
    ],
)
def test_blocked_code_in_pages(page: str, blocked: list[str]) -> None:
    assert found(page) == blocked


@pytest.mark.parametrize(
    ("keys", "is_reported"),
    [
        ({"content_security_policy": {"extension_pages": "script-src 'self' http://localhost:8080"}}, False),
        ({"content_security_policy": {"extension_pages": "script-src 'self' http://localhost:*"}}, False),
        ({"content_security_policy": {"extension_pages": "object-src 'self'"}}, False),
        ({"content_security_policy": {"extension_pages": "script-src 'self'"}}, True),
        ({"content_security_policy": {"sandbox": "script-src 'self' http://localhost:8080"}}, True),
        (
            {"manifest_version": 2, "content_security_policy": "script-src 'self' http://localhost:8080"},
            False,
        ),
        ({"manifest_version": 2}, True),
    ],
)
def test_local_development_server(keys: dict[str, object], is_reported: bool) -> None:
    assert bool(found(f'<script src="{LOCAL}"></script>', "firefox", **keys)) is is_reported


def test_development_manifest_allows_local_server() -> None:
    files = {
        "manifest.json": manifest(action={"default_popup": "popup.html"}),
        "popup.html": f'<script type="module" src="{LOCAL}"></script>',
        "manifest.dev.json": manifest(content_security_policy={}),
    }
    assert reported(files, RULES, "chrome") == []
    assert reported({**files, "manifest.dev.json": manifest()}, RULES, "chrome") != []


ALL = f"<script>{CODE}</script><p onclick='{CODE}'><script src=https://a.example/x.js></script>"


@pytest.mark.parametrize("target", ["firefox", "chrome", "edge", "firefox_android"])
@pytest.mark.parametrize(
    "policy",
    [
        f"script-src 'self' 'unsafe-inline' {HASH}",
        "script-src 'self' https://a.example",
        "script-src 'self'; script-src-elem * 'unsafe-inline'; script-src-attr 'unsafe-inline'",
    ],
)
def test_policy_cannot_allow_code_in_manifest_v3(target: str, policy: str) -> None:
    assert len(found(ALL, target, content_security_policy={"extension_pages": policy})) == 3


@pytest.mark.parametrize(
    ("policy", "blocked"),
    [
        (None, ["<script>", CODE, "https://a.example/x.js"]),
        (f"script-src 'self' {HASH}", [CODE, "https://a.example/x.js"]),
        ("script-src 'self' https://a.example", ["<script>", CODE]),
        ("script-src 'self' 'unsafe-inline'", ["<script>", CODE, "https://a.example/x.js"]),
    ],
)
def test_policy_may_allow_code_in_manifest_v2(policy: str | None, blocked: list[str]) -> None:
    keys = {} if policy is None else {"content_security_policy": policy}
    assert found(ALL, "firefox", manifest_version=2, **keys) == blocked


@pytest.mark.parametrize(
    ("policy", "blocked"),
    [
        (None, ["https://a.example/x.js"]),
        ("sandbox allow-scripts; script-src 'self'", ["<script>", CODE, "https://a.example/x.js"]),
        ("sandbox allow-scripts; script-src 'unsafe-inline' https:", []),
        ("sandbox allow-scripts", []),
    ],
)
def test_sandboxed_pages(policy: str | None, blocked: list[str]) -> None:
    keys = {} if policy is None else {"content_security_policy": {"sandbox": policy}}
    assert found(ALL, "chrome", sandbox={"pages": ["popup.html"]}, **keys) == blocked


PAGE = "<p onclick='run()'>"


@pytest.mark.parametrize(
    ("files", "is_found"),
    [
        pytest.param({"manifest.json": manifest(options_ui={"page": "a.html"})}, True, id="options"),
        pytest.param({"manifest.json": manifest(devtools_page="a.html")}, True, id="developer tools"),
        pytest.param(
            {
                "manifest.json": manifest(background={"scripts": ["b.js"], "service_worker": "b.js"}),
                "b.js": 'chrome.tabs.create({url: "a.html"});',
            },
            True,
            id="a page that a call opens",
        ),
        pytest.param(
            {
                "manifest.json": manifest(options_ui={"page": "b.html"}),
                "b.html": '<iframe src="a.html"></iframe>',
            },
            True,
            id="a frame",
        ),
        pytest.param({"manifest.json": manifest()}, False, id="a page that nothing opens"),
        pytest.param(
            {
                "manifest.json": manifest(
                    web_accessible_resources=[{"resources": ["a.html"], "matches": ["https://example.com/*"]}]
                )
            },
            False,
            id="a page that content scripts may read",
        ),
        pytest.param(
            {
                "manifest.json": manifest(
                    background={"scripts": ["b.js"], "service_worker": "b.js"},
                    web_accessible_resources=[{"resources": ["a.html"], "matches": ["*://*/*"]}],
                ),
                "b.js": 'chrome.tabs.create({url: chrome.runtime.getURL("a.html")});',
            },
            True,
            id="a page that web pages and a call open",
        ),
        pytest.param(
            {
                "manifest.json": manifest(
                    options_ui={"page": "b.html"},
                    web_accessible_resources=[{"resources": ["a.html"], "matches": ["*://*/*"]}],
                ),
                "b.html": '<iframe src="a.html"></iframe>',
            },
            True,
            id="a frame that web pages may open",
        ),
        pytest.param(
            {
                "manifest.json": manifest(options_ui={"page": "b.html"}),
                "b.html": '<script src="b.js"></script>',
                "b.js": 'fetch("a.html").then(async (it) => { text.innerHTML = await it.text(); });',
            },
            False,
            id="a page that a script reads",
        ),
    ],
)
def test_only_reachable_pages_are_reported(files: Files, is_found: bool) -> None:
    assert bool(lint({**files, "a.html": PAGE}, RULES, "chrome")) is is_found


@pytest.mark.parametrize(
    ("version", "is_reported"),
    [
        pytest.param("", False, id="none"),
        pytest.param('"manifest_version": 1,', False, id="1"),
        pytest.param('"manifest_version": 2,', True, id="2"),
        pytest.param('"manifest_version": "3",', True, id="3 as a text"),
        pytest.param('"manifest_versoin": 3,', True, id="a misspelled key"),
    ],
)
def test_manifest_without_a_version_has_no_policy(version: str, is_reported: bool) -> None:
    keys = '"browser_action": {"default_popup": "a.html"}, "action": {"default_popup": "a.html"}'
    text = f'{{{version} "name": "a", "version": "1", {keys}}}'
    assert bool(lint({"manifest.json": text, "a.html": PAGE}, RULES, "chrome")) is is_reported


def test_code_depends_on_the_target() -> None:
    assert found(ALL, "safari") == []
    assert len(found(ALL, "reference")) == 3


def test_messages() -> None:
    page = f"<script>{CODE}</script>{PAGE}<a href='javascript:run()'><script src=//a.example></script>"
    files = {"manifest.json": manifest(action={"default_popup": "popup.html"}), "popup.html": page}
    assert [each.message for each in lint(files, RULES, "chrome")] == [
        "this script does not run: the content security policy blocks inline scripts",
        "`onclick` does nothing: the content security policy blocks inline event handlers",
        "`href` does nothing: the content security policy blocks `javascript:` addresses",
        "`//a.example` is not loaded: the content security policy blocks scripts of other hosts",
    ]


def test_utf_16_page() -> None:
    text = "<p onclick='run()'>"
    page = b"\xff\xfe" + text.encode("utf-16-le")
    files: Files = {"manifest.json": manifest(action={"default_popup": "popup.html"}), "popup.html": page}
    (finding,) = lint(files, RULES, "chrome")
    assert finding.span.start.column == text.index("run") + 1


def test_bundlers_may_extract_inline_modules() -> None:
    files = {
        "e/manifest.json": manifest(action={"default_popup": "popup.html"}),
        "e/popup.html": "<script type=module>import './main.js'</script><p onclick='run()'>",
        "package.json": json.dumps({"devDependencies": {"vite": "5"}}),
    }
    target = target_of("chrome")
    assert target is not None
    found = check_package(package_in(files, "e/"), [target], RULES).findings
    assert [each.message.partition(" ")[0] for each in found] == ["`onclick`"]


@pytest.mark.parametrize(
    ("policy", "text", "attributes", "remote"),
    [
        ("script-src 'self'", False, False, False),
        ("default-src 'self'", False, False, False),
        ("img-src 'self'", True, True, True),
        ("default-src *; script-src 'none'", False, False, False),
        ("script-src 'unsafe-inline'", True, True, False),
        ("script-src 'UNSAFE-INLINE' 'sha256-AAAA'", False, False, False),
        ("script-src 'nonce-abc'", True, False, False),
        ("script-src 'unsafe-hashes'", False, True, False),
        ("script-src-attr 'unsafe-inline'; script-src 'self'", False, True, False),
        ("script-src-elem 'unsafe-inline'; script-src 'self'", True, False, False),
        (f"script-src {HASH}", True, False, False),
        (f"script-src {HASH.replace('+', '-').replace('/', '_')}", True, False, False),
        ("script-src https:", False, False, True),
        ("script-src https://a.example:8443/x/", False, False, True),
        ("script-src *.a.example", False, False, False),
        ("script-src *.example", False, False, True),
        ("script-src https://b.example", False, False, False),
    ],
)
def test_code_allowed_by_policy(policy: str, text: bool, attributes: bool, remote: bool) -> None:
    assert allows_text(policy, CODE) is text
    assert allows_attributes(policy) is attributes
    assert may_allow_address(policy, "https://a.example/x.js") is remote
