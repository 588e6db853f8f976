"""Parameters of injected functions, which get only the items of `args`: `callback-parameters`."""

from __future__ import annotations

import pytest
from harness import manifest, reported

PAINT = "(color) => { document.body.style.color = color; }"
CASES: dict[str, tuple[str, list[str]]] = {
    "no args": (f"INJECT({{ target, func: {PAINT} }})", ["color"]),
    "empty args": (f"INJECT({{ target, args: [], func: {PAINT} }})", ["color"]),
    "one item for two": ("INJECT({ target, args: [1], func: (a, b) => a + b })", ["b"]),
    "a function": ("INJECT({ target, func: function (a) { return a; } })", ["a"]),
    "an asynchronous function": ("INJECT({ target, func: async (a) => { await f(a); } })", ["a"]),
    "a method": ("INJECT({ target, func(a) { return a; } })", ["a"]),
    "by its name": ("function paint(c) { f(c); }\nINJECT({ target, func: paint })", ["c"]),
    "by the same name as its key": ("const func = (c) => { f(c); };\nINJECT({ target, func })", ["c"]),
    "also called without it": (
        "function paint(c) { f(c); }\npaint();\nINJECT({ target, func: paint })",
        ["c"],
    ),
    "also called with it": ("function paint(c) { f(c); }\npaint(1);\nINJECT({ target, func: paint })", []),
    "also kept elsewhere": (
        "function paint(c) { f(c); }\nkeep({ paint });\nINJECT({ target, func: paint })",
        [],
    ),
    "a parameter in parts": ("INJECT({ target, func: ({ a }) => a })", ["{ a }"]),
    "awaited": (
        f"async function go() {{ const [r] = await INJECT({{ target, func: {PAINT} }}); }}",
        ["color"],
    ),
    "with an alias of the API": (
        f"const api = chrome;\napi.scripting.executeScript({{ target, func: {PAINT} }})",
        ["color"],
    ),
    "options in a variable": (f"const options = {{ target, func: {PAINT} }};\nINJECT(options)", ["color"]),
    "the callback too": (
        f"INJECT({{ target, args: [1], func: {PAINT} }}, (all, error) => f(error))",
        ["error"],
    ),
    "as many items": (f"INJECT({{ target, args: ['red'], func: {PAINT} }})", []),
    "an item that is computed": (f"INJECT({{ target, args: [color()], func: {PAINT} }})", []),
    "unknown args": (f"INJECT({{ target, args: colors, func: {PAINT} }})", []),
    "items that are spread": (f"INJECT({{ target, args: [...colors], func: {PAINT} }})", []),
    "options that are spread": (f"INJECT({{ ...options, target, func: {PAINT} }})", []),
    "args added later": (f"const o = {{ target, func: {PAINT} }};\no.args = [1];\nINJECT(o)", []),
    "args that may be there": (
        f"const o = {{ target, func: {PAINT} }};\nif (x) o.args = [1];\nINJECT(o)",
        [],
    ),
    "a default": ("INJECT({ target, func: (color = 'red') => f(color) })", []),
    "not read": ("INJECT({ target, func: (color) => f() })", []),
    "assigned": ("INJECT({ target, func: (i) => { for (i = 0; i < 3; i++) f(i); } })", []),
    "expected to be missing": ("INJECT({ target, func: (c) => c === undefined ? 1 : c })", []),
    "arguments": ("INJECT({ target, func: function (a) { return arguments.length && a; } })", []),
    "an unknown function": ("INJECT({ target, func: paint })", []),
    "a bound function": (f"INJECT({{ target, func: ({PAINT}).bind(null, 1) }})", []),
    "files": ("INJECT({ target, files: ['a.js'] })", []),
    "a branch that never runs": (f"if (false) INJECT({{ target, func: {PAINT} }})", []),
}


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize(("target", "root"), [("chrome", "chrome"), ("firefox", "browser")])
def test_parameters_without_args_are_reported(
    source: str, expected: list[str], target: str, root: str
) -> None:
    background = {"service_worker": "b.js", "scripts": ["b.js"]}
    files = {
        "manifest.json": manifest(background=background, permissions=["scripting", "activeTab"]),
        "b.js": source.replace("INJECT", f"{root}.scripting.executeScript"),
    }
    found = reported(files, ["callback-parameters"], target)
    assert found == [("callback-parameters", text) for text in expected]
