"""Generates user-supplied schema files."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from extlint_fuzz.case import FOLDER, Case
from extlint_fuzz.generators.data_files import BASE, corrupted
from extlint_fuzz.generators.manifests import around_manifest, random_value


def user_schemas(chance: Random) -> Case:
    """Returns user-supplied schemas, mostly valid, some with odd types and references to URLs."""
    parts = [_namespace(chance) for _ in range(chance.randint(1, 3))]
    data = json.dumps(parts).encode()
    if chance.random() < 0.2:
        data = corrupted(chance, json.dumps(parts if chance.random() < 0.7 else random_value(chance)))
    files = around_manifest(chance, json.dumps({**BASE, "name": "a"}).encode(), **{"a.js": SCRIPT})
    files["schemas/a.json"] = data
    pattern = (
        "schemas/*.json" if chance.random() < 0.9 else chance.choice(("**/*.json", "x", "schemas/a.json"))
    )
    target = chance.choice(("firefox", "chrome", "reference", "firefox,chrome"))
    return Case(files, (FOLDER, "--schemas", pattern, "--target", target), "user schemas")


SCRIPT = b"""
browser.own.run({ a: 1 }); chrome.own.onRun.addListener((a, b) => a.b);
browser.own.run("a").then((x) => x.a.b); browser.own.run(); browser.own.x; browser.own.rn;
const { own } = browser; own.run([1, { a: 2 }]); own.run(() => 1, (r) => r.z); own.inner.run(null);
"""
KINDS: tuple[Any, ...] = (
    *(
        {"type": each}
        for each in ("string", "integer", "object", "array", "function", "any", "number", "boolean")
    ),
    *({"$ref": each} for each in ("T", "U", "tabs.Tab", "own.T")),
    *(
        {"enum": ["a", "b"], "type": "string"},
        {"type": "string", "pattern": "^a+$"},
        {"type": "string", "format": "url"},
    ),
)
ODD_VALUES: tuple[Any, ...] = ("foo", "null", 1, [], {})
ODD_KINDS: tuple[Any, ...] = (
    *({"type": each} for each in ODD_VALUES),
    *(
        {"$ref": each}
        for each in ("http://example.com/a#b", "#/x", "", "T.T.T", "V", "manifest:x", 1, "file:///etc/passwd")
    ),
    *({"enum": each} for each in ([], [1], "a", [{"name": "a"}, {}])),
    *({"type": "string", "pattern": each} for each in ("(", "(a+)+$", "(?i)a", "[", "(?P<a>)", 1)),
)


def _kind(chance: Random, depth: int = 0, *, required: bool = False) -> Any:
    """Returns a type, sometimes odd. It may be optional unless `required` is set."""
    if chance.random() < 0.01:
        return dict(chance.choice(ODD_KINDS))
    number = 2 if chance.random() < 0.5 ** (depth + 1) else 0
    inner = [_kind(chance, depth + 1, required=True) for _ in range(number)]
    if not inner:
        found = dict(chance.choice(KINDS))
    else:
        found = chance.choice(
            (
                {"choices": inner},
                {"type": "array", "items": inner[0], "minItems": chance.choice((0, 1, 2))},
                {"type": "object", "properties": {"a": inner[0]}, "additionalProperties": inner[1]},
                {"type": "object", "properties": {"a": inner[0], "b": {**inner[1], "optional": True}}},
                {"type": "function", "parameters": [{**inner[0], "name": "a"}]},
            )
        )
    return {**found, "optional": True} if not required and chance.random() < 0.3 else found


def _namespace(chance: Random) -> Any:
    """Returns a namespace with parts that are sometimes odd."""
    names = ("own", "own", "tabs", "own.inner", "management")
    parameters = [{"name": name, **_kind(chance)} for name in ("a", "b")[: chance.randint(0, 2)]]
    event = {"name": "onRun", "type": "function", "parameters": [{"name": "a", **_kind(chance)}]}
    returned = _kind(chance, required=True)
    value: dict[str, Any] = {
        "types": [
            {"id": "T", **_kind(chance, required=True)},
            {"id": "U", "type": "object", "properties": {"t": {"$ref": "T"}}},
        ],
        "functions": [
            {
                "name": "run",
                "type": "function",
                "parameters": parameters,
                "returns": returned,
            }
        ],
        "events": [event],
        "properties": {"x": _kind(chance), "y": {"value": 1}},
        "permissions": ["management"],
        "$import": chance.choice(("own", "tabs", "nothing")),
        "allowedContexts": ["content"],
    }
    parts = {key: each for key, each in value.items() if chance.random() < 0.7}
    if chance.random() < 0.3:
        callback = {"name": "callback", "type": "function", "parameters": [{"name": "r", **_kind(chance)}]}
        parts["functions"] = [
            {"name": "run", "type": "function", "async": "callback", "parameters": [callback]}
        ]
    if chance.random() < 0.1:
        parts[chance.choice(sorted(value))] = random_value(chance)
    return {"namespace": chance.choice(names) if chance.random() < 0.95 else random_value(chance), **parts}
