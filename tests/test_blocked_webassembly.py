"""WebAssembly that the content security policy does not allow: `blocked-webassembly`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from fixing import fixed
from harness import Files, lint, manifest, reported

from extlint.text.formats.csp_policy import with_webassembly

RULES = ("blocked-webassembly",)
PAGE = {"options_ui": {"page": "o.html"}}
WORKER = {"background": {"service_worker": "a.js"}}
CONTENT = {"content_scripts": [{"matches": ["https://a.example/*"], "js": ["a.js"]}]}
CALL = "WebAssembly.instantiate(bytes)"


def files_of(script: str, **keys: object) -> Files:
    """Returns the files of an extension with a script, which runs in a page by default."""
    return {
        "manifest.json": manifest(**(keys or PAGE)),
        "o.html": "<script src=a.js></script>",
        "a.js": script,
    }


def finding_texts(script: str, target: str = "chrome", **keys: object) -> list[str]:
    """Returns the source text of each finding in a script."""
    return [text for _, text in reported(files_of(script, **keys), RULES, target)]


def policy(text: object) -> Mapping[str, object]:
    """Returns the keys of a manifest with a page, and with a policy of pages."""
    return {**PAGE, "content_security_policy": {"extension_pages": text}}


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (CALL, ["WebAssembly.instantiate"]),
        ("WebAssembly.compile(bytes).then(f)", ["WebAssembly.compile"]),
        ("new WebAssembly.Module(bytes)", ["WebAssembly.Module"]),
        ("self.WebAssembly.compileStreaming(fetch('a.wasm'))", ["self.WebAssembly.compileStreaming"]),
        ("const { compile } = WebAssembly; compile(x)", []),
        ("async function load() { await WebAssembly.instantiate(x) } load()", ["WebAssembly.instantiate"]),
        (
            "fetch('a.wasm').then((r) => WebAssembly.instantiateStreaming(r))",
            ["WebAssembly.instantiateStreaming"],
        ),
        (
            "if (typeof WebAssembly.instantiateStreaming === 'function') WebAssembly.instantiateStreaming(x)",
            ["WebAssembly.instantiateStreaming"],
        ),
        ("async function load() { await WebAssembly.instantiate(x) }", []),
        ("WebAssembly.validate(x); new WebAssembly.Memory({ initial: 1 })", []),
        ("WebAssembly.Module.customSections(x, 'a'); x instanceof WebAssembly.Module", []),
        ("typeof WebAssembly.instantiate; f(WebAssembly.instantiate)", []),
        ("const WebAssembly = f(); WebAssembly.instantiate(x)", []),
        ("import { WebAssembly } from './b.js'; WebAssembly.instantiate(x)", []),
        ("x.WebAssembly.instantiate(x); // WebAssembly.instantiate(x)", []),
    ],
)
def test_webassembly_in_a_page(script: str, expected: list[str]) -> None:
    assert finding_texts(script) == expected


@pytest.mark.parametrize(
    "script",
    [
        "try { new WebAssembly.Module(x) } catch { f() }",
        "WebAssembly.instantiate(x).catch(f)",
        "WebAssembly.instantiate(x).then(f).catch(g)",
        "WebAssembly.instantiate(x).then(f, g)",
        "async function load() { try { return await WebAssembly.compile(x) } catch { return f() } } load()",
        "fetch('a.wasm').then((r) => r.blob().then((b) => WebAssembly.compile(b))).catch(f)",
        "fetch('a.wasm').then((r) => WebAssembly.compileStreaming(r)).catch(f)",
    ],
)
def test_handled_failure_of_webassembly(script: str) -> None:
    assert finding_texts(script) == []
    assert finding_texts(f"{script}\n{CALL}") == ["WebAssembly.instantiate"]


@pytest.mark.parametrize(
    ("target", "keys", "is_blocked"),
    [
        ("chrome", PAGE, True),
        ("firefox", PAGE, True),
        ("reference", PAGE, True),
        ("safari", PAGE, False),
        ("chrome", WORKER, True),
        ("chrome", CONTENT, False),
        ("firefox", CONTENT, False),
        ("chrome", {**PAGE, **CONTENT}, True),
        ("chrome", {"sandbox": {"pages": ["o.html"]}}, False),
        ("firefox", {"manifest_version": 2, **PAGE}, False),
        ("firefox", {"manifest_version": 2, **PAGE, "content_security_policy": "script-src 'self'"}, False),
        ("chrome", policy("script-src 'self'; object-src 'self'"), True),
        ("chrome", policy("script-src 'self' 'wasm-unsafe-eval'; object-src 'self'"), False),
        ("firefox", policy("script-src 'self' 'WASM-unsafe-eval'"), False),
        ("chrome", policy("default-src 'self' 'wasm-unsafe-eval'"), False),
        ("chrome", policy("default-src 'wasm-unsafe-eval'; script-src 'self'"), True),
        ("chrome", policy(1), False),
        ("chrome", {**PAGE, "content_security_policy": "script-src 'self' 'wasm-unsafe-eval'"}, False),
        ("chrome", {**PAGE, "content_security_policy": {"sandbox": "sandbox allow-scripts"}}, True),
    ],
)
def test_webassembly_depends_on_target_and_policy(
    target: str, keys: Mapping[str, object], is_blocked: bool
) -> None:
    assert finding_texts(CALL, target, **keys) == ["WebAssembly.instantiate"] * is_blocked


def test_other_manifest_may_allow_webassembly() -> None:
    files = files_of(CALL, **PAGE)
    assert reported({**files, "manifest.dev.json": manifest()}, RULES, "chrome") != []
    other = manifest(content_security_policy={})
    assert reported({**files, "manifest.dev.json": other}, RULES, "chrome") == []


def test_finding_has_message_and_help() -> None:
    (finding,) = lint(files_of(CALL, **PAGE), RULES, "firefox")
    assert finding.message == (
        "`WebAssembly.instantiate` fails: the content security policy does not allow WebAssembly"
    )
    assert finding.help == (
        "add `'wasm-unsafe-eval'` to `script-src` in `content_security_policy.extension_pages`"
    )


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({}, "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'"),
        (
            {"content_security_policy": {"sandbox": "sandbox allow-scripts"}},
            "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'",
        ),
        (
            {"content_security_policy": {"extension_pages": "object-src 'self'; script-src 'self'"}},
            "object-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
        ),
    ],
)
def test_fix_allows_webassembly(keys: Mapping[str, object], expected: str) -> None:
    files = files_of(CALL, **PAGE, **keys)
    after = {**files, **fixed(files, "chrome", unsafe=True, select=RULES)}
    assert expected in after["manifest.json"]
    assert reported(after, RULES, "chrome") == []


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("script-src 'self' ; object-src 'self'", "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'"),
        (
            "script-src-elem 'self'; default-src 'self'",
            "script-src-elem 'self'; default-src 'self' 'wasm-unsafe-eval'",
        ),
        ("script-src 'none'", None),
        ("object-src 'self'", None),
    ],
)
def test_policy_with_webassembly(written: str, expected: str | None) -> None:
    assert with_webassembly(written) == expected
