"""`try` statements of asynchronous functions, compiled to the cases of a `switch`."""

from __future__ import annotations

import pytest
from harness import lint, manifest

USE = "chrome.identity.getProfileUserInfo()"

SHAPES = {
    "Babel": (
        "wrap(function (c) { for (;;) switch (c.prev = c.next) {"
        "case 0: BEFORE; c.prev = 1, c.next = 3; return BLOCK;"
        "case 3: c.next = 8; break;"
        "case 6: c.prev = 6; c.t0 = c.catch(1); HANDLER;"
        'case 8: AFTER; case "end": return c.stop() } }, run, null, [[1, 6]])',
        "c.t0",
        'return c.abrupt("return", VALUE)',
    ),
    "Babel, minified": (
        "wrap((function (c) { for (;;) switch (c.prev = c.next) {"
        "case 0: return BEFORE, c.prev = 1, c.next = 3, BLOCK;"
        "case 3: c.next = 8; break;"
        "case 6: c.prev = 6, c.t0 = c.catch(1); HANDLER;"
        'case 8: AFTER; case "end": return c.stop() } }), run, null, [[1, 6]])',
        "c.t0",
        'return c.abrupt("return", VALUE)',
    ),
    "Babel since 7.27": (
        "w(function (c) { while (1) switch (c.p = c.n) {"
        "case 0: BEFORE; c.p = 1; c.n = 2; return BLOCK;"
        "case 2: c.n = 4; break;"
        "case 3: c.p = 3; t = c.v; HANDLER;"
        "case 4: AFTER; return c.a(2) } }, run, null, [[1, 3]])",
        "t",
        "return c.a(2, VALUE)",
    ),
    "TypeScript": (
        "generator(this, function (c) { switch (c.label) {"
        "case 0: BEFORE; c.label = 1; case 1: c.trys.push([1, 3, , 4]); return [4 /*yield*/, BLOCK];"
        "case 2: c.sent(); return [3 /*break*/, 4];"
        "case 3: e_1 = c.sent(); HANDLER; return [3 /*break*/, 4];"
        "case 4: AFTER; return [2 /*return*/] } })",
        "e_1",
        "return [2 /*return*/, VALUE]",
    ),
}

RECOVERING = {
    "another value": "RETURN null",
    "a value after a message": "console.error(ERROR.message); RETURN null",
    "something else": "render()",
}

ONLY_REPORTING = {
    "a message": "console.error('failed', ERROR)",
    "the error": "throw ERROR",
    "nothing": "",
}


def is_reported(shape: str, **parts: str) -> bool:
    """Whether a missing permission is reported in a function of a shape with these parts."""
    code, error, returned = SHAPES[shape]
    for name in ("BEFORE", "BLOCK", "HANDLER", "AFTER"):
        code = code.replace(name, parts.get(name.lower(), "g()"))
    for value in ("null", "g()"):
        code = code.replace(f"RETURN {value}", returned.replace("VALUE", value))
    script = f"function run() {{ var t, e_1; return {code.replace('ERROR', error)} }} run();"
    files = {
        "manifest.json": manifest(background={"service_worker": "a.js"}, permissions=["identity"]),
        "a.js": script,
    }
    return bool(lint(files, ["missing-permission"], "chrome"))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("handler", RECOVERING.values(), ids=RECOVERING.keys())
def test_recovering_handler_suppresses_the_finding(shape: str, handler: str) -> None:
    assert not is_reported(shape, block=USE, handler=handler)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("handler", ONLY_REPORTING.values(), ids=ONLY_REPORTING.keys())
def test_reporting_handler_keeps_the_finding(shape: str, handler: str) -> None:
    assert is_reported(shape, block=USE, handler=handler)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("place", ["before", "handler", "after"])
def test_code_outside_the_try_block_is_reported(shape: str, place: str) -> None:
    if (shape, place) != ("Babel, minified", "before"):  # there both are in one statement
        assert is_reported(shape, **{place: USE})
