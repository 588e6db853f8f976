"""Tests before a place in generators that compilers emit as state machines."""

from __future__ import annotations

import pytest
from harness import lint, manifest

QUERY = "chrome.tabGroups.query({})"
STATES = (
    ("regenerator", "for (;;) switch (x.prev = x.next)", "x.next = %s; break", 'return x.abrupt("return")'),
    ("Babel", "while (1) switch (x.p = x.n)", "x.n = %s; break", "return x.a(2)"),
    ("Babel without try", "while (1) switch (x.n)", "x.n = %s; break", "return x.a(2)"),
    ("TypeScript", "switch (x.label)", "return [3 /*break*/, %s]", "return [2 /*return*/]"),
)


def found(switch: str, cases: str, arguments: str = "") -> list[str]:
    """Returns the rules that report something in a generator with these cases."""
    script = f"make(function (x) {{ {switch} {{ {cases} }} }}{arguments})"
    keys = manifest(permissions=["tabs"], background={"service_worker": "a.js"})
    return [
        each.rule for each in lint({"manifest.json": keys, "a.js": script}, ["missing-permission"], "chrome")
    ]


CASES = {
    "behind a jump": (f"case 0: if (chrome.tabGroups) {{ GO1 }} END; case 1: {QUERY}; END;", False),
    "after a jump elsewhere": (
        f"case 0: if (!chrome.tabGroups) {{ GO2 }} case 1: {QUERY}; case 2: END;",
        False,
    ),
    "after the end": (f"case 0: if (!chrome.tabGroups) {{ END }} GO1; case 1: {QUERY}; END;", False),
    "cases later": (
        f"case 0: if (!chrome.tabGroups) {{ END }} GO1; case 1: f(); GO2; case 2: g(); case 3: {QUERY}; END;",
        False,
    ),
    "in a loop": (
        "case 0: if (!chrome.tabGroups) { END } GO1;"
        f"case 1: if (!f()) {{ GO3 }} {QUERY}; GO2; case 2: g(); GO1; case 3: {QUERY}; END;",
        False,
    ),
    "a function in a case": (
        f"case 0: if (!chrome.tabGroups) {{ END }} GO1; case 1: f(() => {QUERY}); END;",
        False,
    ),
    "two ways": (f"case 0: if (chrome.tabGroups) {{ GO1 }} f(); case 1: {QUERY}; END;", True),
    "the other way": (f"case 0: if (chrome.tabGroups) {{ GO2 }} END; case 1: {QUERY}; case 2: END;", True),
    "a test of something else": (f"case 0: if (!f()) {{ END }} GO1; case 1: {QUERY}; END;", True),
    "a later test": (
        f"case 0: f(); GO1; case 1: {QUERY}; GO2; case 2: if (!chrome.tabGroups) {{ END }} END;",
        True,
    ),
    "no known way": (f"case 0: if (!chrome.tabGroups) {{ END }} END; case 9: {QUERY}; END;", True),
}


@pytest.mark.parametrize("form", STATES, ids=[each[0] for each in STATES])
@pytest.mark.parametrize(("cases", "is_reported"), CASES.values(), ids=CASES)
def test_tests_before_a_case(form: tuple[str, str, str, str], cases: str, is_reported: bool) -> None:
    _, switch, jump, end = form
    for label in "0123":
        cases = cases.replace(f"GO{label}", jump % label)
    assert found(switch, cases.replace("END", end)) == ["missing-permission"] * is_reported


@pytest.mark.parametrize(
    ("cases", "is_reported"),
    [
        (f"case 0: if (!chrome.tabGroups) return [2]; return [4, f()]; case 1: {QUERY}; return [2];", False),
        (f"case 0: return chrome.tabGroups ? [4, f()] : [2]; case 1: {QUERY}; return [2];", False),
        (f"case 0: return chrome.tabGroups ? [3, 1] : [3, 2]; case 1: {QUERY}; case 2: return [2];", False),
        (
            f"case 0: if (!chrome.tabGroups) return [2]; x.trys.push([0, 1, , 2]); f(); return [3, 2];"
            f"case 1: {QUERY}; return [3, 2]; case 2: {QUERY}; return [2];",
            False,
        ),
        (
            f"case 0: x.trys.push([0, 1, , 2]); if (!chrome.tabGroups) return [2]; return [3, 2];"
            f"case 1: {QUERY}; return [3, 2]; case 2: return [2];",
            True,
        ),
        (f"case 0: return [4, f()]; case 1: {QUERY}; return [2];", True),
    ],
)
def test_tests_before_a_case_of_typescript(cases: str, is_reported: bool) -> None:
    assert found("switch (x.label)", cases) == ["missing-permission"] * is_reported


@pytest.mark.parametrize(
    ("cases", "is_reported"),
    [
        (f"if (!chrome.tabGroups) return x.a(2); x.p = 1; return f(); case 2: x.p = 2; {QUERY};", False),
        (f"x.p = 1; if (!chrome.tabGroups) return x.a(2); return f(); case 2: x.p = 2; {QUERY};", True),
        (f"x.n = chrome.tabGroups ? 2 : 3; break; case 2: {QUERY}; case 3: return x.a(2);", False),
        (f"if (chrome.tabGroups) return x.a(3, 2); return x.a(2); case 2: {QUERY};", False),
    ],
)
def test_tests_before_a_case_of_babel(cases: str, is_reported: bool) -> None:
    switch = "while (1) switch (x.p = x.n)"
    tries = ", f, null, [[1, 2]]" if "x.p = 1" in cases else ""
    assert found(switch, f"case 0: {cases}", tries) == ["missing-permission"] * is_reported
