"""`?.` compiled to older syntax tests and guards the same members as the original."""

from __future__ import annotations

import pytest
from harness import manifest, reported

FORMS = {
    "as written": ("", "chrome?.runtime?.reload"),
    "TypeScript": (
        "var _a;",
        "((_a = chrome === null || chrome === void 0 ? void 0 : chrome.runtime) === null || _a === void 0"
        " ? void 0 : _a.reload)",
    ),
    "Babel": (
        "var _chrome;",
        "((_chrome = chrome) === null || _chrome === void 0 || (_chrome = _chrome.runtime) === null"
        " || _chrome === void 0 ? void 0 : _chrome.reload)",
    ),
    "esbuild": (
        "var _a;",
        "((_a = chrome == null ? void 0 : chrome.runtime) == null ? void 0 : _a.reload)",
    ),
    "SWC, minified": ("var o,r;", "(null==(o=chrome)||null==(r=o.runtime)?void 0:r.reload)"),
    "Closure Compiler": ("var a,b;", "((a=chrome)==null?void 0:(b=a.runtime)==null?void 0:b.reload)"),
}
"""The forms of access to `reload`, which is missing in content scripts, with their declarations."""

GUARDED = {
    "if": "if (REACH) chrome.runtime.reload();",
    "!!": "const can = !!REACH; if (can) chrome.runtime.reload();",
    "typeof": "if (typeof REACH === 'function') chrome.runtime.reload();",
    "undefined": "if (REACH !== undefined) chrome.runtime.reload();",
    "&&": "REACH && chrome.runtime.reload();",
    "choice": "send(REACH ? chrome.runtime.reload() : 2);",
    "early exit": "function f() { if (!REACH) return; chrome.runtime.reload(); } f();",
    "stored": "const f = REACH; if (f) f();",
    "something else instead": "const f = REACH || other; f();",
}
CONDITION = (
    "(_chrome = chrome) !== null && _chrome !== void 0 && (_chrome = _chrome.runtime) !== null"
    " && _chrome !== void 0 && _chrome.reload"
)
"""The output of Babel for the same chain in a condition."""

MISTAKES = {
    "the other branch": "if (REACH) send(1); else chrome.runtime.reload();",
    "a negated test": "if (!REACH) chrome.runtime.reload();",
    "another test": "if (REACH) send(1); chrome.runtime.reload();",
}


def missing_members(reach: str, source: str) -> list[str]:
    """Returns the members reported as missing in a content script."""
    declared, expression = FORMS[reach]
    return missing_members_in(f"{declared} {source.replace('REACH', expression)}")


def missing_members_in(source: str) -> list[str]:
    files = {
        "manifest.json": manifest(content_scripts=[{"matches": ["https://a.com/*"], "js": ["c.js"]}]),
        "c.js": source,
    }
    return [text for _, text in reported(files, ["wrong-context"], "chrome")]


@pytest.mark.parametrize("reach", FORMS)
@pytest.mark.parametrize("source", GUARDED.values(), ids=GUARDED.keys())
def test_tested_member_is_not_reported(source: str, reach: str) -> None:
    assert missing_members(reach, source) == []


@pytest.mark.parametrize("reach", FORMS)
@pytest.mark.parametrize("source", MISTAKES.values(), ids=MISTAKES.keys())
def test_unguarded_use_is_reported(source: str, reach: str) -> None:
    assert len(missing_members(reach, source)) == 1


@pytest.mark.parametrize("reach", FORMS)
def test_passed_member_is_reported(reach: str) -> None:
    assert len(missing_members(reach, "send(REACH);")) == 1


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("if (CONDITION) chrome.runtime.reload();", 0),
        ("if (!(CONDITION)) { send(); } else chrome.runtime.reload();", 0),
        ("function f() { if (!(CONDITION)) return; chrome.runtime.reload(); } f();", 0),
        ("if (!(CONDITION)) chrome.runtime.reload();", 1),
        ("if (CONDITION) send(); else chrome.runtime.reload();", 1),
    ],
)
def test_compiled_condition_without_conditional_expression(source: str, count: int) -> None:
    assert len(missing_members_in("var _chrome; " + source.replace("CONDITION", CONDITION))) == count
