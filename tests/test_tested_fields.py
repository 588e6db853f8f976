"""Tested fields, which may be another browser's: only near misses of known fields are reported."""

from __future__ import annotations

import pytest
from harness import lint, manifest

FILES = {"manifest.json": manifest(permissions=["tabs"], background={"service_worker": "a.js"})}


def is_reported(body: str, field: str, target: str = "chrome") -> bool:
    """Whether the field of a tab that replaces F in a body is reported."""
    source = f"chrome.tabs.get(1, (tab) => {{ {body.replace('F', field)} }})"
    return bool(lint({**FILES, "a.js": source}, ["unknown-result-field"], target))


TESTED = {
    "in a condition": "if (tab.F) use()",
    "not there": "if (!tab.F) return",
    "one of two": "if (!tab.F || !tab.F.url) return; use(tab.id)",
    "typeof": "if (typeof tab.F !== 'undefined') use()",
    "undefined": "use(tab.F === undefined)",
    "null": "if (tab.F != null) use()",
    "a fallback": "use(tab.F ?? 1)",
    "a fallback for whatever is empty": "use(tab.F || 1)",
    "an optional chain with a fallback": "use(tab.F?.url ?? 1)",
    "in brackets": "use(tab['F'] ?? 1)",
    "a pattern with a default": "const { F = 1 } = tab; use(F)",
    "a pattern by another name": "const { F: own = 1 } = tab; use(own)",
    "after a test": "if (tab.F) use(tab.F)",
    "after a test in an expression": "tab.F && use(tab.F)",
    "after a choice": "use(tab.F ? tab.F : 1)",
    "after an early return": "if (!tab.F) return; use(tab.F)",
    "after an early end of a case": "switch (x) { case 1: if (!tab.F) break; use(tab.F) }",
    "after in": "if ('F' in tab) use(tab.F)",
    "after typeof": "if (typeof tab.F === 'string') use(tab.F)",
    "kept, and tested": "const own = tab.F; if (own) use(own)",
    "kept, and tested by a return": "const own = tab.F; if (!own) return; use(own)",
    "taken out, and tested": "const { F } = tab; if (F) use(F)",
}


@pytest.mark.parametrize("body", TESTED.values(), ids=TESTED.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_tested_field_is_reported_only_if_misspelled(body: str, target: str) -> None:
    assert not is_reported(body, "frobnicated", target)
    assert is_reported(body, "pinnned", target)


@pytest.mark.parametrize("test", ["tab.hasOwnProperty('F')", "Object.hasOwn(tab, 'F')"])
def test_field_under_a_has_own_property_test_is_not_reported(test: str) -> None:
    assert not is_reported(f"if ({test}) use(tab.F)", "frobnicated")


NOT_TESTED = {
    "read": "use(tab.F)",
    "a part of it": "use(tab.F.url)",
    "another one is tested": "if (tab.id) use(tab.F)",
    "where it is not there": "if (!tab.F) use(tab.F.url)",
    "compared with a value": "use(tab.F === 'x')",
    "compared with true": "if (tab.F === true) use()",
    "compared with false": "if (tab.F === false) use()",
    "not false": "if (x && tab.F != false) use()",
    "kept, and compared with false": "const own = tab.F; if (own === false) use()",
    "before the test": "use(tab.F); if (other) use(tab.id)",
    "in a try": "try { use(tab.F) } catch {}",
    "kept, and used": "const own = tab.F; use(own)",
    "kept, and used without a test too": "const own = tab.F; if (own) use(own); use(own)",
    "taken out": "const { F } = tab; use(F)",
    "after a test of another object's other field": "if ('id' in other) use(tab.F)",
}


@pytest.mark.parametrize("body", NOT_TESTED.values(), ids=NOT_TESTED.keys())
def test_untested_field_is_reported(body: str) -> None:
    assert is_reported(body, "frobnicated")
    assert is_reported(body, "pinnned")


def test_field_of_another_browser_is_not_reported() -> None:
    source = "chrome.tabs.get(1, (tab) => use(tab.cookieStoreId));"
    background = {"service_worker": "a.js", "scripts": ["a.js"]}
    for keys, count in (({}, 1), ({"background": background}, 0)):
        files = {
            "manifest.json": manifest(**{"background": {"service_worker": "a.js"}, **keys}),
            "a.js": source,
        }
        assert len(lint(files, ["unknown-result-field"], "chrome")) == count
