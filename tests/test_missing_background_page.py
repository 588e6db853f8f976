"""Uses of a background page that does not exist: `missing-background-page`."""

from __future__ import annotations

import pytest
from harness import manifest, reported

RULES = ("missing-background-page",)
WORKER = {"background": {"service_worker": "b.js"}}
SCRIPTS = {"background": {"scripts": ["b.js"]}}
CALL = "chrome.extension.getBackgroundPage()"


def found(script: str, target: str = "chrome", **keys: object) -> list[str]:
    """Returns the source text of each finding in the script of a page."""
    files = {
        "manifest.json": manifest(options_ui={"page": "a.html"}, **keys),
        "a.html": "<script src=a.js></script>",
        "a.js": script,
        "b.js": "",
    }
    return [text for _, text in reported(files, RULES, target)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param(f"{CALL}.run()", ["run"], id="at once"),
        pytest.param(f"const b = {CALL}; b.run()", ["run"], id="by a variable"),
        pytest.param(f"const {{ run }} = {CALL};", ["run"], id="by a pattern"),
        pytest.param(
            "chrome.runtime.getBackgroundPage(b => b.run())", ["chrome.runtime.getBackgroundPage"], id="asked"
        ),
        pytest.param(f"const b = {CALL}; if (b) b.run()", [], id="tested"),
        pytest.param(f"const b = {CALL}; if (!b) throw 1; b.run()", [], id="tested before"),
        pytest.param(f"{CALL}?.run()", [], id="an optional chain"),
        pytest.param(f"const {{ run }} = {CALL} || {{}}", [], id="an empty object instead"),
        pytest.param(f"({CALL} || {{}}).run", [], id="a property of an empty object instead"),
        pytest.param(f"try {{ {CALL}.run() }} catch {{ f() }}", [], id="caught"),
        pytest.param(f"f({CALL})", [], id="passed to another function"),
    ],
)
def test_uses_in_extension_pages(script: str, expected: list[str]) -> None:
    assert found(script, "chrome", **WORKER) == expected


@pytest.mark.parametrize(
    ("target", "keys", "is_reported"),
    [
        ("chrome", WORKER, True),
        ("chrome", {}, True),
        ("chrome", SCRIPTS, True),
        ("edge", WORKER, True),
        ("chrome<=138", {**SCRIPTS, "manifest_version": 2}, False),
        ("chrome<=138", {"manifest_version": 2}, True),
        ("chrome<=138", {"manifest_version": 2, "app": {"background": {"scripts": ["b.js"]}}}, False),
        ("chrome<=138", {"manifest_version": 2, "app": {"launch": {"local_path": "a.html"}}}, True),
        ("chrome", {"manifest_version": None, "background_page": "b.html"}, False),
        ("firefox", {"manifest_version": 1, "background_page": "b.html"}, False),
        ("chrome", {"background_page": "b.html"}, True),
        ("firefox", SCRIPTS, False),
        ("firefox", {**SCRIPTS, "manifest_version": 2}, False),
        ("firefox", {"background": {"page": "b.html"}}, False),
        ("firefox", {}, True),
        ("firefox", {"manifest_version": 2}, True),
        ("safari", WORKER, False),
        ("reference", WORKER, True),
        ("reference", SCRIPTS, False),
    ],
)
def test_finding_depends_on_target_and_manifest(
    target: str, keys: dict[str, object], is_reported: bool
) -> None:
    assert bool(found(f"{CALL}.run()", target, **keys)) is is_reported


def test_promise_of_null_is_reported_for_firefox() -> None:
    assert found("browser.runtime.getBackgroundPage().then(b => b.run())", "firefox") == ["run"]


GET = "chrome.runtime.getBackgroundPage(b => b.run())"


@pytest.mark.parametrize("use", [GET, f"{CALL}.run()"])
@pytest.mark.parametrize(
    ("files", "is_reported"),
    [
        pytest.param({"a.js": "USE"}, True, id="when the page loads"),
        pytest.param({"a.js": "function f() { USE } f()"}, True, id="in a function that is called"),
        pytest.param({"a.js": "function f() { USE }"}, False, id="in a function that nothing calls"),
        pytest.param({"a.js": "function f() { USE } function g() { USE } g()"}, True, id="in one of two"),
        pytest.param({"c.js": "USE"}, False, id="in a script that nothing loads"),
        pytest.param({"a.js": "import './c.js'", "c.js": "USE"}, True, id="in one that is imported"),
        pytest.param({"a.js": "import './d.js'", "c.js": "USE"}, True, id="in one of an unbuilt package"),
    ],
)
def test_code_of_another_manifest_is_not_reported(use: str, files: dict[str, str], is_reported: bool) -> None:
    package = {
        "manifest.json": manifest(options_ui={"page": "a.html"}, **WORKER),
        "a.html": "<script type=module src=a.js></script>",
        "b.js": "",
        **{name: f"import './b.js'; {text.replace('USE', use)}" for name, text in files.items()},
    }
    assert bool(reported(package, RULES, "chrome")) is is_reported
