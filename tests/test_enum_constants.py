"""Constants of API enumerations: their values in arguments and comparisons, and unknown constants."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported, text_under

RULES = ("unknown-api", "invalid-argument", "impossible-comparison")
SEND = "chrome.webRequest.onBeforeSendHeaders.addListener(f, { urls: ['<all_urls>'] }, "
SENDING = "chrome.webRequest.OnBeforeSendHeadersOptions"
EXECUTE = "chrome.scripting.executeScript({ target: { tabId: 1 }, func: f, world: "
INSTALLED = "chrome.runtime.onInstalled.addListener(({ reason }) => { if (reason === "

VALID = {
    "an item of a list": ("chrome", f"{SEND}[{SENDING}.REQUEST_HEADERS, {SENDING}.EXTRA_HEADERS])"),
    "Firefox's spelling": ("firefox", f"{SEND}[{SENDING}.REQUESTHEADERS, {SENDING}.BLOCKING])"),
    "a key": ("chrome", f"{EXECUTE}chrome.scripting.ExecutionWorld.MAIN }})"),
    "one of two": ("chrome", f"{EXECUTE}a ? chrome.scripting.ExecutionWorld.MAIN : 'ISOLATED' }})"),
    "a key of rules": (
        "chrome",
        "const { RuleActionType: A, ResourceType: T } = chrome.declarativeNetRequest;"
        "chrome.declarativeNetRequest.updateDynamicRules({ addRules: [{ id: 1,"
        " action: { type: A.UPGRADE_SCHEME }, condition: { resourceTypes: [T.MAIN_FRAME] } }] })",
    ),
    "a comparison": ("chrome", f"{INSTALLED}chrome.runtime.OnInstalledReason.CHROME_UPDATE) f() }})"),
    "a case": (
        "firefox",
        "browser.runtime.onInstalled.addListener(({ reason }) => {"
        " switch (reason) { case browser.runtime.OnInstalledReason.BROWSER_UPDATE: f() } })",
    ),
    "a comparison for another browser": (
        "firefox",
        f"{INSTALLED}chrome.runtime.OnInstalledReason.CHROME_UPDATE) f() }})",
    ),
    "an optional key for another browser": (
        "firefox",
        "chrome.tabs.query({ status: chrome.tabs.TabStatus.UNLOADED })",
    ),
    "a list without what is missing": ("firefox", f"{SEND}[{SENDING}.EXTRA_HEADERS].filter(Boolean))"),
    "a list that is filled": (
        "firefox",
        f"const l = ['blocking']; if ({SENDING}.hasOwnProperty('EXTRA_HEADERS'))"
        f" l.push({SENDING}.EXTRA_HEADERS); {SEND}l)",
    ),
    "a list that is filled after a test": (
        "firefox",
        f"const l = ['blocking'], e = {SENDING}.EXTRA_HEADERS; if (e) l.push(e); {SEND}l)",
    ),
    "another one in its place": ("firefox", f"{SEND}[{SENDING}.EXTRA_HEADERS || 'blocking'])"),
    "a test": ("chrome", "f('COMPLET' in chrome.tabs.TabStatus, !chrome.tabs.TabStatus.COMPLETE)"),
    "all of them": ("chrome", "f(Object.values(chrome.webRequest.ResourceType))"),
    "a part of its text": ("chrome", "f(chrome.tabs.TabStatus.COMPLETE.length)"),
    "an inherited object method": ("chrome", "f(chrome.tabs.TabStatus.hasOwnProperty('COMPLETE'))"),
    "one whose name is computed": ("chrome", "f(chrome.tabs.TabStatus[name])"),
}

INVALID = {
    "in no browser": (
        *("chrome", f"{INSTALLED}chrome.runtime.OnInstalledReason.INSTALLED) f() }})", "unknown-api"),
        *("chrome.runtime.OnInstalledReason.INSTALLED", "did you mean `INSTALL`?"),
    ),
    "misspelled in a test": (
        *("chrome", "f(!chrome.tabs.TabStatus.COMPLET)", "unknown-api"),
        *("chrome.tabs.TabStatus.COMPLET", "did you mean `COMPLETE`?"),
    ),
    "in small letters": (
        *("firefox", "chrome.tabs.query({ status: chrome.tabs.TabStatus.complete })", "unknown-api"),
        *("chrome.tabs.TabStatus.complete", "did you mean `COMPLETE`?"),
    ),
    "taken out": (
        *("chrome", "const { TabStatus: T } = chrome.tabs; f(T.COMPLETED)", "unknown-api"),
        *("T.COMPLETED", "did you mean `COMPLETE`?"),
    ),
    "Firefox's spelling": (
        *("chrome", f"{SEND}[{SENDING}.REQUESTHEADERS])", "invalid-argument", f"{SENDING}.REQUESTHEADERS"),
        "did you mean `REQUEST_HEADERS`?",
    ),
    "Chrome's spelling": (
        *("firefox", f"{SEND}[{SENDING}.REQUEST_HEADERS])", "invalid-argument", f"{SENDING}.REQUEST_HEADERS"),
        "did you mean `REQUESTHEADERS`?",
    ),
    "of another enumeration": (
        *("chrome", f"{EXECUTE}chrome.tabs.TabStatus.COMPLETE }})", "invalid-argument"),
        *("chrome.tabs.TabStatus.COMPLETE", 'must be "ISOLATED" or "MAIN", not the string "complete"'),
    ),
    "of another enumeration, in a list": (
        *("firefox", f"{SEND}[chrome.webRequest.ResourceType.IMAGE])", "invalid-argument"),
        *("chrome.webRequest.ResourceType.IMAGE", 'not the string "image"'),
    ),
    "of another enumeration, compared": (
        *("chrome", f"{INSTALLED}chrome.tabs.TabStatus.COMPLETE) f() }})", "impossible-comparison"),
        *("chrome.tabs.TabStatus.COMPLETE", 'never the string "complete"'),
    ),
}

CHROME_CONSTANT = "chrome.runtime.ContextType.OFFSCREEN_DOCUMENT"
CALL = "chrome.runtime.getContexts({ contextTypes: [WHAT] })"
FOR_ANOTHER_BROWSER = {
    "code that nothing calls": {"b.js": f"export function f() {{ {CALL} }}"},
    "a test of the constant": {"b.js": f"if ({CHROME_CONSTANT}) {{ {CALL} }}"},
    "a test by the caller": {"b.js": f"function f() {{ {CALL} }} if ({CHROME_CONSTANT}) f()"},
    "a manifest for the other browser": {
        "b.js": f"onclick = () => {CALL}",
        "manifest.chrome.json": manifest(background={"service_worker": "b.js"}),
    },
    "a constant that the package adds": {"b.js": f"{CALL}; f({{ OFFSCREEN_DOCUMENT: 'TAB' }})"},
    "a `catch`": {"b.js": f"try {{ {CALL} }} catch {{}}"},
}
FOR_THIS_BROWSER = {
    "no test": {"b.js": CALL},
    "a browser that is asked for elsewhere": {"b.js": f"{CALL}; f(navigator.userAgent)"},
    "a function that is called": {"b.js": f"onclick = () => {CALL}"},
    "a test of something else": {"b.js": f"if (chrome.tabs.TabStatus) {{ {CALL} }}"},
}
IN_NO_BROWSER = {
    "near the constant": ("chrome.runtime.ContextType.OFFSCREEN_DOCUMEN", "unknown-api"),
    "of another enumeration": ("chrome.tabs.TabStatus.COMPLETE", "invalid-argument"),
    "text": ("'OFFSCREEN'", "invalid-argument"),
}


@pytest.mark.parametrize(("target", "source"), VALID.values(), ids=VALID.keys())
def test_valid_constants(target: str, source: str) -> None:
    assert reported(files(source, target), RULES, target) == []


@pytest.mark.parametrize(("target", "source", "rule", "place", "says"), INVALID.values(), ids=INVALID.keys())
def test_invalid_constants(target: str, source: str, rule: str, place: str, says: str) -> None:
    package = files(source, target)

    (found,) = lint(package, RULES, target)

    assert (found.rule, text_under(package, found)) == (rule, place)
    assert says in f"{found.message}; {found.help}"


@pytest.mark.parametrize("scripts", FOR_ANOTHER_BROWSER.values(), ids=FOR_ANOTHER_BROWSER.keys())
def test_constant_of_another_browser_is_excused(scripts: dict[str, str]) -> None:
    assert rules_for_argument(scripts, CHROME_CONSTANT) == []


@pytest.mark.parametrize("scripts", FOR_THIS_BROWSER.values(), ids=FOR_THIS_BROWSER.keys())
def test_missing_constant_is_reported(scripts: dict[str, str]) -> None:
    assert rules_for_argument(scripts, CHROME_CONSTANT) == ["invalid-argument"]


@pytest.mark.parametrize(("argument", "rule"), IN_NO_BROWSER.values(), ids=IN_NO_BROWSER.keys())
@pytest.mark.parametrize("scripts", FOR_ANOTHER_BROWSER.values(), ids=FOR_ANOTHER_BROWSER.keys())
def test_argument_invalid_in_every_browser_is_reported(
    scripts: dict[str, str], argument: str, rule: str
) -> None:
    assert rules_for_argument(scripts, argument) == [rule]


def test_uncalled_code_may_pass_value_of_another_browser() -> None:
    assert rules_for_argument({"b.js": f"export function f() {{ {CALL} }}"}, "'OFFSCREEN_DOCUMENT'") == []
    assert rules_for_argument({"b.js": f"onclick = () => {CALL}"}, "'OFFSCREEN_DOCUMENT'") == [
        "invalid-argument"
    ]


def rules_for_argument(scripts: dict[str, str], argument: str) -> list[str]:
    """Returns the rules that report a Firefox package whose scripts pass an argument."""
    package = {name: text.replace("WHAT", argument) for name, text in scripts.items()}
    background = {"manifest.json": manifest(background={"scripts": ["b.js"]})}
    return [found.rule for found in lint({**background, **package}, RULES, "firefox")]


def test_reference_target_knows_constants_of_all_browsers() -> None:
    source = "f(chrome.management.ExtensionType.THEME, chrome.management.ExtensionType.EXTENTION)"
    found = reported(files(source, "chrome"), RULES)
    assert found == [("unknown-api", "chrome.management.ExtensionType.EXTENTION")]


@pytest.mark.parametrize(
    ("target", "name"), [("chrome", "BLOCKING"), ("chrome", "ASYNC_BLOCKING"), ("firefox", "BLOCKING")]
)
def test_constant_counts_as_use_of_permission(target: str, name: str) -> None:
    source = f"chrome.webRequest.onAuthRequired.addListener(f, {{}}, [o.OnAuthRequiredOptions.{name}])"
    source = f"const o = chrome.webRequest; {source}"
    assert reported(files(source, target), ["unused-permission"], target) == []


def files(source: str, target: str) -> dict[str, str]:
    background = {"service_worker": "b.js"} if target == "chrome" else {"scripts": ["b.js"]}
    permissions = ["webRequest", "webRequestBlocking"]
    return {"manifest.json": manifest(background=background, permissions=permissions), "b.js": source}
