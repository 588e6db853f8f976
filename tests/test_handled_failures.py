"""Failures of an API that the code which runs a function handles: a promise, a wrapper, an iteration."""

from __future__ import annotations

import pytest
from harness import manifest, reported

EXTRA = "function other() { globalThis.done = true; } "


def is_reported(script: str, module: str = "") -> bool:
    """Whether `sidePanel.setOptions` is reported for Firefox; `USE` stands for a block with it."""
    use = "{ chrome.sidePanel.setOptions({ enabled: true }); }"
    background = {"scripts": ["b.js"], **({"type": "module"} if module else {})}
    described = manifest(background=background, permissions=["tabs"])
    files = {"manifest.json": described, "b.js": EXTRA + script.replace("USE", use), "m.js": module}
    return bool(reported(files, ["unknown-api"], "firefox"))


HANDLED = {
    "a function whose failure is ignored": "async function f() USE f().catch(() => {});",
    "a function with an alternative": "async function f() USE f().catch(() => { other(); });",
    "a handler by its name": "async function f() USE f().catch(other);",
    "the second handler": "async function f() USE f().then(() => {}, () => { other(); });",
    "a handler after others": "async function f() USE f().then(other).finally(other).catch(() => {});",
    "a function that is called at once": "(async () => USE)().catch(() => {});",
    "a callback of a promise": "load().then(() => USE).catch(() => other()); async function load() {}",
    "a callback by its name": "const f = () => USE; Promise.resolve().then(f).catch(() => {});",
    "a callback of the API's promise": "chrome.tabs.query({}).then(() => USE).catch(() => {});",
    "a new promise": "new Promise((done) => { USE done(); }).catch(() => other());",
    "a wrapper": "const safe = (f) => { try { return f(); } catch { return null; } }; safe(() => USE);",
    "a wrapper with arguments": (
        "function safe(f, a) { try { f(a); } catch { other(); } } function open() USE safe(open, 1);"
    ),
    "an iteration": "try { [1, 2].forEach((a) => USE); } catch {}",
    "an iteration that returns": "let a = []; try { a = [1, 2].map((b) => USE); } catch { other(); }",
}

NOT_HANDLED = {
    "a function that is not asynchronous": "function f() USE f().catch(() => {});",
    "a handler that reports": "async function f() USE f().catch((e) => { console.error(e); });",
    "a handler before": "load().catch(() => {}).then(() => USE); async function load() {}",
    "a second handler of the same promise": "load().then(() => USE, () => {}); async function load() {}",
    "another call without a handler": "async function f() USE f().catch(() => {}); f();",
    "a wrapper without a try": "const run = (f) => { f(); }; run(() => USE);",
    "a wrapper that waits": "const run = (f) => { try { setTimeout(f); } catch {} }; run(() => USE);",
    "a wrapper that also waits": (
        "const run = (f) => { try { f(); } catch { setTimeout(f); } }; run(() => USE);"
    ),
    "a timer": "try { setTimeout(() => USE); } catch {}",
    "a listener": "try { chrome.tabs.onCreated.addListener(() => USE); } catch {}",
    "an asynchronous iteration": "try { [1].forEach(async (a) => USE); } catch {}",
}


@pytest.mark.parametrize("script", HANDLED.values(), ids=HANDLED)
def test_handled_failure_is_not_reported(script: str) -> None:
    assert not is_reported(script)


@pytest.mark.parametrize("script", NOT_HANDLED.values(), ids=NOT_HANDLED)
def test_failure_that_nothing_handles_is_reported(script: str) -> None:
    assert is_reported(script)


OF_MODULES = {
    "a try": ("export const run = (f) => { try { return f(); } catch { return null; } };", False),
    "a try in an asynchronous function": (
        "export async function run(f) { try { return await f(); } catch { return null; } }",
        False,
    ),
    "a test": ("export const run = (f) => { if (chrome.sidePanel) f(); };", False),
    "a method": ("export const run = (f) => { tool.run(f); }; const tool = { run(f) { f(); } };", True),
    "neither": ("export const run = (f) => { f(); };", True),
    "a test on one path": (
        "export const run = (f) => { if (chrome.sidePanel) f(); else f(1); };",
        True,
    ),
    "a listener": ("export const run = (f) => { try { addEventListener('x', f); } catch {} };", True),
}


@pytest.mark.parametrize("use", ["run(() => USE);", "const f = () => USE; run(f);"])
@pytest.mark.parametrize(("module", "expected"), OF_MODULES.values(), ids=OF_MODULES)
def test_failure_that_another_module_handles(module: str, expected: bool, use: str) -> None:
    script = f"import {{ run }} from './m.js'; {use}"
    assert is_reported(script, module) is expected
