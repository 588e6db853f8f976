"""Calls whose callee does not itself name the member, such as `create(…)` and `(chrome.tabs.create)(…)`.

The conditions around the call count, not only those where the member is named.
"""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

CALL = "CREATE({cookieStoreId: 'a'})"

NAMED = {
    "the member": ("", "chrome.tabs.create"),
    "in parentheses": ("", "(chrome.tabs.create)"),
    "of a sequence": ("", "(0, chrome.tabs.create)"),
    "converted": ("", "(chrome.tabs.create as unknown as (options: object) => Promise<object>)"),
    "of a variable": ("const create = chrome.tabs.create;", "create"),
    "of a converted member": ("const create = chrome.tabs.create as Function;", "create"),
    "of a pattern": ("const {create} = chrome.tabs;", "create"),
    "with another name": ("const {create: open} = chrome.tabs;", "open"),
    "bound": ("const create = chrome.tabs.create.bind(chrome.tabs);", "create"),
    "of an object": ("const api = {create: chrome.tabs.create};", "api.create"),
    "of a function": ("const tabs = () => chrome.tabs.create;", "tabs()"),
}

EXCUSED = {
    "a test of another member": f"if (chrome.contextualIdentities) {CALL};",
    "an early return": f"function f() {{ if (!chrome.contextualIdentities) return; {CALL}; }} f();",
    "an error": f"const api = chrome.contextualIdentities; if (!api) throw new Error('a'); {CALL};",
    "a test in the caller": f"function f() {{ {CALL}; }} if (chrome.contextualIdentities) f();",
    "a conditional expression": f"chrome.contextualIdentities ? {CALL} : CREATE({{}});",
    "the user agent": f"if (navigator.userAgent.includes('Firefox')) {CALL};",
    "a helper": f"const isFirefox = () => navigator.userAgent.includes('Firefox'); isFirefox() && {CALL};",
    "a dead branch": f"if (false) {CALL};",
    "an error handler": f"try {{ {CALL}; }} catch {{ CREATE({{}}); }}",
}

WRONG = {
    "no condition": f"{CALL};",
    "in a function": f"function f() {{ {CALL}; }} f();",
    "a test of the member": f"if (chrome.tabs) {CALL};",
    "the other branch": f"if (chrome.contextualIdentities) CREATE({{}}); else {CALL};",
    "a test of a call before": f"if (chrome.contextualIdentities) CREATE({{}}); {CALL};",
    "one of two callers": f"function f() {{ {CALL}; }} if (chrome.contextualIdentities) f(); f();",
    "the user agent of the target": f"if (navigator.userAgent.includes('Chrome')) {CALL};",
}


def is_reported(source: str) -> bool:
    """Whether the argument is reported that only Firefox accepts."""
    files = {
        "manifest.json": manifest(background={"service_worker": "a.ts"}, permissions=["storage"]),
        "a.ts": source,
    }
    return [each.rule for each in lint(files, ["invalid-argument"], "chrome>=120")] == ["invalid-argument"]


@pytest.mark.parametrize(("declaration", "callee"), NAMED.values(), ids=NAMED)
@pytest.mark.parametrize("source", EXCUSED.values(), ids=EXCUSED)
def test_condition_around_call_counts(source: str, declaration: str, callee: str) -> None:
    assert not is_reported(f"{declaration} {source.replace('CREATE', callee)}")


@pytest.mark.parametrize(("declaration", "callee"), NAMED.values(), ids=NAMED)
@pytest.mark.parametrize("source", WRONG.values(), ids=WRONG)
def test_wrong_call_is_reported(source: str, declaration: str, callee: str) -> None:
    assert is_reported(f"{declaration} {source.replace('CREATE', callee)}")


SEND = "const send = chrome.runtime.sendMessage;"
SHOW = "const {getMessage} = chrome.i18n;"
GET = "const get = chrome.storage.local.get.bind(chrome.storage.local);"
IN_FIREFOX = "if (navigator.userAgent.includes('Firefox'))"

OF_OTHER_RULES = {
    "a lost message": ("lost-message", f"{SEND} send({{a: 1}});", "send"),
    "a lost message in Firefox": ("lost-message", f"{SEND} {IN_FIREFOX} send({{a: 1}});", None),
    "a lost message in a dead branch": ("lost-message", f"{SEND} if (false) send({{a: 1}});", None),
    "a missing message": ("missing-message", f"{SHOW} getMessage('b');", "'b'"),
    "a missing message in Firefox": ("missing-message", f"{SHOW} {IN_FIREFOX} getMessage('b');", None),
    "a callback": ("ignored-callback", f"{GET} get('k', () => f()).then(g);", "() => f()"),
    "a callback in a dead branch": (
        "ignored-callback",
        f"{GET} if (false) get('k', () => f()).then(g);",
        None,
    ),
}


@pytest.mark.parametrize(("rule", "source", "expected"), OF_OTHER_RULES.values(), ids=OF_OTHER_RULES)
def test_conditions_count_for_other_rules(rule: str, source: str, expected: str | None) -> None:
    files = {
        "manifest.json": manifest(
            background={"service_worker": "a.js"}, permissions=["storage"], default_locale="en"
        ),
        "_locales/en/messages.json": '{"a": {"message": "a"}}',
        "a.js": source,
    }
    assert [text for _, text in reported(files, [rule], "chrome>=120")] == (
        [] if expected is None else [expected]
    )
