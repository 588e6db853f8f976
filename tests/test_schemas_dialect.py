"""The JSON Schema of the dialect: the schemas it accepts, and the problems it reports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from extlint.schema.validation.schema_files import check_dialect
from extlint_schemas import TARGETS, schema_files

SCHEMA = """\
[
  {
    "namespace": "api",
    "defaultContexts": ["content"],
    "types": [
      {"id": "Box", "type": "object", "properties": {"size": {"type": "integer", "minimum": 1}}},
      {"id": "Color", "type": "string", "enum": ["red", {"name": "blue"}]},
      {"$extend": "Id", "choices": [{"type": "string"}]}
    ],
    "functions": [
      {
        "name": "paint",
        "type": "function",
        "async": "done",
        "unsupported": true,
        "permissions": ["paint"],
        "parameters": [
          {"name": "box", "choices": [{"$ref": "Box"}, {"type": "string", "maxLength": 3}], "optional": true},
          {"name": "done", "type": "function", "parameters": []}
        ]
      }
    ],
    "events": [{"name": "onDone", "type": "function", "parameters": [{"name": "why", "type": "any"}]}],
    "properties": {"MAX": {"value": 20}, "name": {"type": "string"}}
  }
]
"""


def reported(text: str) -> list[str]:
    return [str(problem).removeprefix("api.json:") for problem in check_dialect(text.encode(), "api.json")]


def test_valid_schema_has_no_problems() -> None:
    assert reported(SCHEMA) == []


@pytest.mark.parametrize("target", [TARGETS[0], "safari"])
def test_handwritten_schemas_are_valid(target: str) -> None:
    assert schema_files(target)
    for path in map(Path, schema_files(target)):
        assert check_dialect(path.read_bytes(), path.name) == []


@pytest.mark.parametrize(
    ("right", "wrong", "expected"),
    [
        pytest.param(
            '"optional": true',
            '^"optinal": true',
            "/0/functions/0/parameters/0: `optinal` is not a key of a parameter; did you mean `optional`?",
            id="a misspelled key of a parameter",
        ),
        pytest.param(
            '"permissions"',
            '^"permission"',
            "/0/functions/0: `permission` is not a key of a function; did you mean `permissions`?",
            id="a misspelled key of a function",
        ),
        pytest.param(
            '"namespace"',
            '^"Namespace"',
            "/0: `Namespace` is not a key of a namespace; did you mean `namespace`?",
            id="a misspelled key that is required is one mistake",
        ),
        pytest.param(
            '"type": "object"',
            '^"tpye": "object"',
            "/0/types/0: `tpye` is not a key of a named type; did you mean `type`?",
            id="a misspelled type key is one mistake",
        ),
        pytest.param(
            '"choices": [{"type": "string"}]',
            '^"choice": [{"type": "string"}]',
            "/0/types/2: `choice` is not a key of an extension of a type; did you mean `choices`?",
            id="a misspelled key of an extension",
        ),
        pytest.param(
            '"minimum": 1',
            '^"maxLength": 1',
            "/0/types/0/properties/size: `maxLength` is not a key of a number",
            id="a key of another kind of type",
        ),
        pytest.param(
            '"minimum": 1',
            '^"allowedContexts": []',
            "/0/types/0/properties/size: `allowedContexts` is not a key of a property",
            id="a key of another role",
        ),
        pytest.param(
            '"minimum": 1',
            '^"maximal": 1',
            "/0/types/0/properties/size: `maximal` is not a key of a property; did you mean `maximum`?",
            id="a misspelled key of a kind of type",
        ),
        pytest.param(
            '{"name": "blue"}',
            '{^"nam": "blue"}',
            "/0/types/1/enum/1: `nam` is not a key of a value of an enum; did you mean `name`?",
            id="a misspelled key of an enum's value",
        ),
        pytest.param(
            '{"$ref": "Box"}',
            '{"$ref": "Box", ^"type": "object"}',
            "/0/functions/0/parameters/0/choices/0: `type` is not a key of a reference",
            id="a reference that is also a type",
        ),
        pytest.param(
            '"type": "integer", "minimum": 1',
            '"type": ^"integr", "minimum": 1',
            '/0/types/0/properties/size/type: `type` cannot be "integr"; did you mean "integer"?',
            id="a misspelled type",
        ),
        pytest.param(
            '{"$ref": "Box"}',
            "^{}",
            "/0/functions/0/parameters/0/choices/0: "
            "a value requires `type`, `$ref`, `choices` or `isInstanceOf`",
            id="an empty choice: only that branch is reported",
        ),
        pytest.param(
            '"maxLength": 3',
            '"maxLength": ^"3"',
            "/0/functions/0/parameters/0/choices/1/maxLength: `maxLength` must be a whole number",
            id="a mistake in the second of two choices",
        ),
        pytest.param(
            '{\n        "name": "paint",',
            "^{",
            "/0/functions/0: a function requires `name`",
            id="a function without a name",
        ),
        pytest.param(
            '"events": [{"name": "onDone", "type": "function"',
            '"events": [{"name": "onDone", "type": ^"event"',
            '/0/events/0/type: `type` must be "function"',
            id="an event of another type",
        ),
        pytest.param(
            '"unsupported": true',
            '"unsupported": ^"true"',
            "/0/functions/0/unsupported: `unsupported` must be true or false",
            id="a string for a boolean",
        ),
        pytest.param(
            '"permissions": ["paint"]',
            '"permissions": ^"paint"',
            "/0/functions/0/permissions: `permissions` must be a list",
            id="a permission that is not in a list",
        ),
        pytest.param(
            '["paint"]',
            '^["paint", "paint"]',
            "/0/functions/0/permissions: `permissions` has the same item twice",
            id="a permission twice",
        ),
        pytest.param(
            '["paint"]',
            '[^""]',
            "/0/functions/0/permissions/0: this must not be empty",
            id="an empty permission",
        ),
        pytest.param(
            '["content"]',
            '[^"contents"]',
            '/0/defaultContexts/0: this cannot be "contents"; did you mean "content"?',
            id="a misspelled context",
        ),
        pytest.param(
            '["content"]',
            '[^"background"]',
            '/0/defaultContexts/0: this cannot be "background"; it can be "addon_parent_only", '
            '"content", "content_only", "devtools", "devtools_only", "offscreen" or "user_script"',
            id="an unknown context",
        ),
        pytest.param(
            '"minimum": 1',
            '"optional": ^"yes"',
            '/0/types/0/properties/size/optional: `optional` cannot be "yes"; '
            'it can be true, false or "omit-key-if-missing"',
            id="a string where true and false are accepted too",
        ),
        pytest.param(
            '"async": "done"',
            '"async": ^"box"',
            "/0/functions/0: `async` must name the last parameter, not `box`",
            id="async names another parameter than the last",
        ),
        pytest.param(
            '"async": "done"',
            '"async": ^false',
            "/0/functions/0/async: `async` must be true",
            id="async is false",
        ),
        pytest.param(
            '"enum": ["red", {"name": "blue"}]',
            '"enum": ^[]',
            "/0/types/1/enum: `enum` must not be empty",
            id="an enum without values",
        ),
        pytest.param(
            '{"size": {"type": "integer", "minimum": 1}}',
            '^["size"]',
            "/0/types/0/properties: `properties` must be an object",
            id="a list of properties",
        ),
        pytest.param(
            '"maxLength": 3',
            '"maxLength": ^-3',
            "/0/functions/0/parameters/0/choices/1/maxLength: `maxLength` must be at least 0",
            id="a negative length",
        ),
        pytest.param(
            '"namespace": "api",',
            '"namespace": "api", ^"namespace": "api",',
            "/: duplicate key `namespace`",
            id="a key twice",
        ),
    ],
)
def test_mistake_is_reported_once_at_its_position(right: str, wrong: str, expected: str) -> None:
    """The mark `^` precedes the expected position."""
    assert right in SCHEMA
    text = SCHEMA.replace(right, wrong, 1)
    line, column = (
        text[: text.index("^")].count("\n") + 1,
        text.index("^") - text.rfind("\n", 0, text.index("^")),
    )
    assert reported(text.replace("^", "")) == [f"{line}:{column}: {expected}"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("[]", ["1:1: /: the file must not be empty"], id="no namespace"),
        pytest.param('{"namespace": "api"}', ["1:1: /: the file must be a list"], id="no list"),
        pytest.param("[3]", ["1:2: /0: this must be an object"], id="a number for a namespace"),
        pytest.param(
            '[{"namespace": "a", "functions": [{"name": "a"}]}]',
            [
                "1:35: /0/functions/0: a function requires `parameters`",
                "1:35: /0/functions/0: a function requires `type`",
            ],
            id="two keys that are missing",
        ),
        pytest.param(
            '[{"namespace": 3, "types": [{}]}]',
            [
                "1:16: /0/namespace: `namespace` must be a string",
                "1:29: /0/types/0: a named type requires `id`",
                "1:29: /0/types/0: a named type requires `type`, `$ref`, `choices` or `isInstanceOf`",
            ],
            id="several mistakes in the order of the text",
        ),
    ],
)
def test_file_must_be_a_list_of_namespaces(text: str, expected: list[str]) -> None:
    assert reported(text) == expected


@pytest.mark.parametrize(
    "text",
    [b"", b"[", b"\xff", b"[" * 100_000, b'[{"namespace": "api"}] x'],
    ids=["empty", "cut off", "not UTF-8", "nested without end", "something after the end"],
)
def test_invalid_json_is_one_problem(text: bytes) -> None:
    (problem,) = check_dialect(text, "api.json")
    assert problem.pointer == ""
    assert problem.message


def test_json_pointer_is_escaped() -> None:
    text = '[{"namespace": "api", "properties": {"a/b~c": {}}}]'
    assert [problem.pointer for problem in check_dialect(text.encode(), "api.json")] == [
        "/0/properties/a~1b~0c"
    ]


# The browsers' own test schemas, if they are available.

CASES = Path(__file__).resolve().parents[2] / "shared" / "conformance" / "dialect"

requires_cases = pytest.mark.skipif(not CASES.is_dir(), reason="the conformance cases are not here")

INVENTED_CONTEXTS = "firefox_allowed_contexts.json"
"""The Firefox tests of contexts, which use invented names (`test_zero`) that no browser has."""

CALL_BY_CALL = "promise"
"""The key by which adapted cases mark signatures that allow promises. Chromium does not define it."""


def read(name: str) -> Any:
    return json.loads((CASES / name).read_bytes())


def firefox_schemas() -> Iterator[Any]:
    for path in sorted(CASES.glob("firefox_*.json")):
        for name, namespaces in (json.loads(path.read_bytes()).get("schemas") or {}).items():
            yield pytest.param(path.name, namespaces, id=f"{path.stem} {name}")


@requires_cases
@pytest.mark.parametrize(("file", "namespaces"), list(firefox_schemas()))
def test_schemas_from_firefox_tests_are_valid(file: str, namespaces: object) -> None:
    problems = check_dialect(json.dumps(namespaces).encode(), file)
    contexts = [each for each in problems if "Contexts/" in each.pointer]
    assert problems == (contexts if file == INVENTED_CONTEXTS else [])


@requires_cases
def test_types_from_chromium_tests_are_valid() -> None:
    cases = read("chromium_argument_spec.json")
    types = [*cases["types"], *({"id": name, **node} for name, node in cases["specs"].items())]
    text = json.dumps([{"namespace": "api", "types": types}])
    assert reported(text) == []


@requires_cases
def test_signatures_from_chromium_tests_are_valid() -> None:
    cases = read("chromium_api_signature.json")
    functions = [{"name": name, "type": "function", **node} for name, node in cases["signatures"].items()]
    for node in functions:
        node.get("returns_async", {}).pop(CALL_BY_CALL, None)
    text = json.dumps([{"namespace": "api", "types": cases["types"], "functions": functions}])
    assert reported(text) == []
