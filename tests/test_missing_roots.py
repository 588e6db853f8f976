"""Tests of `chrome` and `browser` themselves, which the target decides, and code that runs without them."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest

RULES = ["missing-global", "unknown-api", "wrong-context"]
WORKER = {"service_worker": "b.js"}


def reported(script: str, target: str, files: Files | None = None, **background: object) -> list[str]:
    """Returns the rules of the findings in a script of the background."""
    package = {"manifest.json": manifest(background=background or WORKER), "b.js": script, **(files or {})}
    return [each.rule for each in lint(package, RULES, target)]


DEAD = {
    "typeof": "if (typeof chrome === 'undefined') USE",
    "typeof of an object": "if (typeof chrome !== 'object') USE",
    "null": "if (chrome == null) USE",
    "undefined": "if (globalThis.chrome === undefined) USE",
    "a negation": "if (!globalThis.chrome) USE",
    "in": "if (!('chrome' in globalThis)) USE",
    "a choice": "const api = typeof chrome !== 'undefined' ? chrome : USE",
    "a default": "const api = globalThis.chrome ?? USE",
    "a default of both": "const api = self.browser || self.chrome || USE",
    "an early end": "function f() { if (typeof chrome !== 'undefined') return chrome; return USE } f()",
    "a constant": "const isChrome = typeof chrome !== 'undefined'; if (!isChrome) USE",
    "a variable": "const api = chrome; if (!api) USE",
    "a parameter": "(function (api) { if (!api) USE })(chrome)",
    "a caller": "function f() { USE } if (typeof chrome === 'undefined') f()",
    "a member, too": "if (typeof chrome === 'undefined' || !chrome.runtime) USE",
    "another browser": "if (typeof browser !== 'undefined' && typeof chrome === 'undefined') USE",
    "a failed assignment": "try { browser = chrome } catch { USE }",
    "a failed assignment to the global object": "try { self.browser = chrome } catch { USE }",
    "a failed declaration": "try { var api = chrome } catch (e) { USE }",
    "a failed namespace": "let api; try { api = chrome.action } catch { USE }",
    "a failed test": "let api; try { api = typeof chrome === 'object' ? chrome : null } catch { USE }",
    "a failed return": "const f = () => { try { return chrome } catch (e) { return USE } }; f()",
    "nothing that fails": "let a; try { a = 1 } catch { USE }",
}
LIVE = {
    "then": "if (typeof chrome !== 'undefined') USE",
    "another type": "if (typeof chrome !== 'function') USE",
    "a variable that may be empty": "let api; if (x) api = chrome; if (!api) USE",
    "a variable that is set there": ("let api; function f() { if (!api) { api = chrome; USE } } f()"),
    "a property that is set there": "if (!self.api) { self.api = chrome; USE }",
    "the root of an old browser": "if (!self.msBrowser) USE",
    "after": "let api; try { api = chrome } catch { f() } USE",
    "a failed call": "let api; try { api = f() } catch { USE }",
    "a failed member of a namespace": "let api; try { api = chrome.action.nope.x } catch { USE }",
    "a failed global": "let api; try { api = window.chrome } catch { USE }",
    "a constant": "const api = 1; try { api = chrome } catch { USE }",
    "a variable that is declared later": "try { api = chrome } catch { USE } let api",
    "strict code": "'use strict'; try { api = chrome } catch { USE }",
}


@pytest.mark.parametrize("script", DEAD.values(), ids=DEAD.keys())
def test_code_without_chrome_never_runs(script: str) -> None:
    assert reported(script.replace("USE", "window.foo"), "chrome") == []
    assert reported(script.replace("USE", "chrome.nope.create()"), "chrome") == []
    assert reported(script.replace("USE", "chrome.nope.create()"), "firefox", scripts=["b.js"]) == []


@pytest.mark.parametrize("script", LIVE.values(), ids=LIVE.keys())
def test_code_with_chrome_is_reported(script: str) -> None:
    assert "missing-global" in reported(script.replace("USE", "window.foo"), "chrome")


@pytest.mark.parametrize(
    ("target", "expected"), [("firefox", []), ("chrome", ["unknown-api"]), ("reference", ["unknown-api"])]
)
def test_code_without_browser_never_runs_in_firefox(target: str, expected: list[str]) -> None:
    script = "let api; try { api = browser } catch { chrome.menus.create() }"
    assert reported(script, target, scripts=["b.js"]) == expected


IN_WORKER = {"p.html": "<script src=p.js></script>", "p.js": "new Worker('w.js')"}


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("if (typeof chrome !== 'undefined') chrome.runtime.getURL('x')", []),
        ("if (self.chrome) chrome.runtime.getURL('x')", []),
        ("if (typeof chrome === 'undefined') window.foo", ["missing-global"]),
        ("try { self.api = chrome.runtime } catch { window.foo }", ["missing-global"]),
        ("chrome.runtime.getURL('x')", ["wrong-context"]),
        ("if (x) chrome.runtime.getURL('x')", ["wrong-context"]),
    ],
)
def test_workers_have_no_root(script: str, expected: list[str]) -> None:
    files = {
        "manifest.json": manifest(background=WORKER, action={"default_popup": "p.html"}),
        "b.js": "",
        "w.js": script,
        **IN_WORKER,
    }
    assert [each.rule for each in lint(files, RULES, "chrome")] == expected


def test_page_may_have_chrome_without_the_api() -> None:
    scripts = [{"matches": ["https://*/*"], "js": ["c.js"], "world": "MAIN"}]
    use = "if (window.chrome) chrome.storage.local.get('a')"
    files = {"manifest.json": manifest(content_scripts=scripts, permissions=["storage"]), "c.js": use}
    assert [each.rule for each in lint(files, RULES, "chrome")] == ["wrong-context"]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("if (typeof chrome === 'undefined') chrome.nope.create()", []),
        ("if (!globalThis.chrome) chrome.nope.create()", []),
        ("if (!window.chrome) chrome.nope.create()", ["unknown-api"]),
        ("if (!self.chrome) chrome.nope.create()", ["unknown-api"]),
    ],
)
def test_page_of_a_content_script_has_no_root_in_firefox(script: str, expected: list[str]) -> None:
    scripts = [{"matches": ["https://*/*"], "js": ["c.js"]}]
    files = {"manifest.json": manifest(content_scripts=scripts), "c.js": script}
    assert [each.rule for each in lint(files, RULES, "firefox")] == expected
    assert [each.rule for each in lint(files, RULES, "chrome")] == []
