"""Edits of JSON texts: only the value changes, not the layout, comments or anything else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from extlint.manifest.edits.json_editor import JsonEditor
from extlint.text.json.reader import read_json
from extlint.text.json.values import JsonNode, JsonValue, Step
from extlint.text.positions import TextEdit

Operation = Callable[[JsonEditor, JsonNode], Sequence[TextEdit]]


def apply_operation(text: str, operation: Operation) -> str:
    data = text.encode()
    root = read_json(data).root
    assert root is not None
    for start, end, new in sorted(operation(JsonEditor(data, root), root), reverse=True):
        data = data[:start] + new.encode() + data[end:]
    assert read_json(data).root is not None
    return data.decode()


def node_at(root: JsonNode, *steps: Step) -> JsonNode:
    found = root.get(*steps)
    assert found is not None
    return found


def append(*steps: Step, value: JsonValue = "x") -> Operation:
    return lambda editor, root: editor.append(node_at(root, *steps), value)


def add(name: str, value: JsonValue, *steps: Step, after: str | None = None) -> Operation:
    return lambda editor, root: editor.add(node_at(root, *steps), name, value, after)


def remove(*steps: Step) -> Operation:
    def operation(editor: JsonEditor, root: JsonNode) -> Sequence[TextEdit]:
        *outer, last = steps
        container = node_at(root, *outer)
        part = container.value[last] if isinstance(container.value, dict) else node_at(root, *steps)
        return editor.remove(container, part)

    return operation


APPENDED = {
    "on one line": ('["a", "b"]', '["a", "b", "x"]'),
    "minified": ('["a","b"]', '["a","b","x"]'),
    "one item": ('{"l": ["a"]}', '{"l": ["a", "x"]}'),
    "one item, minified": ('{"l":["a"]}', '{"l":["a","x"]}'),
    "blanks inside": ('[ "a", "b" ]', '[ "a", "b", "x" ]'),
    "empty": ("[]", '["x"]'),
    "blank": ("[  ]", '["x"]'),
    "on lines": ('[\n  "a",\n  "b"\n]', '[\n  "a",\n  "b",\n  "x"\n]'),
    "with tabs": ('[\n\t"a"\n]', '[\n\t"a",\n\t"x"\n]'),
    "with CRLF": ('[\r\n  "a"\r\n]\r\n', '[\r\n  "a",\r\n  "x"\r\n]\r\n'),
    "empty lines": ("[\n]", '[\n  "x"\n]'),
    "empty lines, nested": ('{\n    "l": [\n    ]\n}', '{\n    "l": [\n        "x"\n    ]\n}'),
    "commas first": ('[\n  "a"\n, "b"\n]', '[\n  "a"\n, "b", "x"\n]'),
    "two in a line": ('[\n  "a", "b",\n  "c", "d"\n]', '[\n  "a", "b",\n  "c", "d", "x"\n]'),
    "a comment after the last item": ('[\n  "a" // first\n]', '[\n  "a", // first\n  "x"\n]'),
    "a comment in its line": ('["a" /* first */]', '["a", "x" /* first */]'),
    "a comment on the next line": ('[\n  "a"\n  // no more\n]', '[\n  "a",\n  "x"\n  // no more\n]'),
    "only a comment": ("[\n  // none\n]", '[\n  "x"\n  // none\n]'),
    "only a comment on the same line": ("[/* none */]", '["x" /* none */]'),
    "a byte order mark": ('\ufeff["a"]', '\ufeff["a", "x"]'),
}


@pytest.mark.parametrize(("text", "expected"), APPENDED.values(), ids=APPENDED.keys())
def test_item_is_appended(text: str, expected: str) -> None:
    inner: tuple[Step, ...] = ("l",) if '"l"' in text else ()
    assert apply_operation(text, append(*inner)) == expected


REMOVED = {
    "the first": ('["a", "b"]', (0,), '["b"]'),
    "the last": ('["a", "b"]', (1,), '["a"]'),
    "the only one": ('[ "a" ]', (0,), "[]"),
    "the only one, on lines": ('[\n  "a"\n]', (0,), "[]"),
    "the first line": ('[\n  "a",\n  "b"\n]', (0,), '[\n  "b"\n]'),
    "the last line": ('[\n  "a",\n  "b"\n]', (1,), '[\n  "a"\n]'),
    "CRLF": ('[\r\n  "a",\r\n  "b",\r\n  "c"\r\n]', (1,), '[\r\n  "a",\r\n  "c"\r\n]'),
    "with a comment about it": ('[\n  "a", // first\n  "b"\n]', (0,), '[\n  // first\n  "b"\n]'),
    "after a comment": ('[\n  "a", // first\n  "b"\n]', (1,), '[\n  "a" // first\n]'),
    "after a comment, CRLF": ('[\r\n  "a", // first\r\n  "b"\r\n]', (1,), '[\r\n  "a" // first\r\n]'),
    "the only item before a comment": ('[\n  "a" // first\n]', (0,), "[\n   // first\n]"),
    "at the end of a line": ('["a", "b",\n "c"]', (1,), '["a",\n "c"]'),
    "commas first": ('[ "a"\n, "b"\n, "c"\n]', (2,), '[ "a"\n, "b"\n]'),
    "an object of several lines": ('[\n  {\n    "a": 1\n  },\n  2\n]', (0,), "[\n  2\n]"),
    "a member": ('{"a": 1, "b": 2}', ("a",), '{"b": 2}'),
    "a member on lines": ('{\n  "a": 1,\n  "b": 2\n}', ("b",), '{\n  "a": 1\n}'),
    "next to a duplicate key": ('{"a": 1, "a": 2, "b": 3}', ("b",), '{"a": 1, "a": 2}'),
}


@pytest.mark.parametrize(("text", "steps", "expected"), REMOVED.values(), ids=REMOVED.keys())
def test_item_or_member_is_removed(text: str, steps: tuple[Step, ...], expected: str) -> None:
    assert apply_operation(text, remove(*steps)) == expected


LINES = '{\n  "a": 1, // first\n  "b": ["c"]\n}\n'
OPEN = '{\n\t"l": [\n\t\t"a"\n\t]\n}'
ADDED = {
    "at the end": ('{"a": 1}', add("k", True), '{"a": 1, "k": true}'),
    "minified": ('{"a":1}', add("k", ["v", "w"]), '{"a":1,"k":["v","w"]}'),
    "to nothing": ("{}", add("k", 1), '{"k": 1}'),
    "after another": ('{"a": 1, "b": 2}', add("k", "v", after="a"), '{"a": 1, "k": "v", "b": 2}'),
    "on a line": (LINES, add("k", ["v"]), LINES.replace('["c"]', '["c"],\n  "k": ["v"]')),
    "after a comment": (LINES, add("k", "v", after="a"), LINES.replace("first\n", 'first\n  "k": "v",\n')),
    "after a key that is not there": ('{"a": 1}', add("k", 2, after="z"), '{"a": 1, "k": 2}'),
    "a list on lines": (OPEN, add("k", ["v"]), OPEN[:-2] + ',\n\t"k": [\n\t\t"v"\n\t]\n}'),
    "an object on lines": (
        '{\n  "a": 1\n}',
        add("k", {"l": {"m": "n"}}),
        '{\n  "a": 1,\n  "k": {\n    "l": {\n      "m": "n"\n    }\n  }\n}',
    ),
    "with the colon of the others": ('{"a" : 1}', add("k", 2), '{"a" : 1, "k" : 2}'),
    "a text that JSON escapes": ("{}", add('"', "é\u2028\ud800"), '{"\\"": "\\u00e9\\u2028\\ud800"}'),
}


@pytest.mark.parametrize(("text", "operation", "expected"), ADDED.values(), ids=ADDED.keys())
def test_member_is_added(text: str, operation: Operation, expected: str) -> None:
    assert apply_operation(text, operation) == expected


def test_value_and_key_are_replaced() -> None:
    text = '{\n  "a": "b", // c\n  "d": 1\n}'
    assert apply_operation(
        text, lambda editor, root: editor.replace(node_at(root, "a"), "é")
    ) == text.replace("b", "é")
    assert apply_operation(
        text, lambda editor, root: editor.rename(dict(root.members())["a"], "z")
    ) == text.replace('"a"', '"z"')


# Arbitrary texts

_SPACES = st.text(" \t", max_size=3)
_COMMENTS = st.sampled_from(["// a, b", "/* ] */", "/*\n}*/", "//", "/***/"])


@st.composite
def _gaps(draw: st.DrawFn, line_end: str) -> str:
    """Returns white space and comments, as allowed between any two tokens."""
    parts = []
    for _ in range(draw(st.integers(0, 2))):
        kind = draw(st.integers(0, 3))
        comment = draw(_COMMENTS).replace("\n", line_end) if kind == 3 else ""
        end = line_end if kind in (1, 2) or comment.startswith("//") else ""
        parts.append(draw(_SPACES) + comment + end)
    return "".join(parts) + draw(_SPACES)


@st.composite
def _texts(draw: st.DrawFn) -> tuple[str, JsonValue]:
    """Returns a JSON value in an arbitrary layout, with the parsed value."""
    scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
    value: Any = draw(
        st.recursive(
            st.lists(scalars, max_size=4) | st.dictionaries(st.text(max_size=4), scalars, max_size=4),
            lambda inner: (
                st.lists(inner | scalars, max_size=4)
                | st.dictionaries(st.text(max_size=4), inner | scalars, max_size=4)
            ),
            max_leaves=8,
        )
    )
    line_end: str = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    gap = _gaps(line_end)

    def written(value: JsonValue) -> str:
        if isinstance(value, dict):
            parts = [
                f"{json.dumps(key)}{draw(gap)}:{draw(gap)}{written(each)}" for key, each in value.items()
            ]
            return "{" + (",".join(f"{draw(gap)}{each}{draw(gap)}" for each in parts) or draw(gap)) + "}"
        if isinstance(value, list):
            parts = [written(each) for each in value]
            return "[" + (",".join(f"{draw(gap)}{each}{draw(gap)}" for each in parts) or draw(gap)) + "]"
        return json.dumps(value, ensure_ascii=draw(st.booleans()))

    mark = draw(st.sampled_from(["", "\ufeff"]))
    return f"{mark}{draw(gap)}{written(value)}{draw(gap)}", value


def _containers(value: JsonValue, *steps: Step) -> list[tuple[Step, ...]]:
    inner: list[tuple[Step, JsonValue]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    own = [steps] if isinstance(value, dict | list) else []
    return own + [path for step, each in inner for path in _containers(each, *steps, step)]


def _comments(text: str) -> list[str]:
    strings_or_comments = re.finditer(r'"(?:[^"\\]|\\.)*"|//[^\r\n]*|/\*.*?\*/', text, re.DOTALL)
    return [each[0].rstrip() for each in strings_or_comments if each[0][0] == "/"]


@settings(max_examples=examples(60), deadline=None)
@given(_texts(), st.data())
def test_arbitrary_edit_of_arbitrary_text(written: tuple[str, JsonValue], data: st.DataObject) -> None:
    text, value = written
    steps = data.draw(st.sampled_from(_containers(value)))
    expected = json.loads(json.dumps(value))
    container = expected
    for step in steps:
        container = container[step]
    new: Any = data.draw(st.sampled_from(["x", ["y"], {"z": [1, {}]}]))
    is_list = isinstance(container, list)
    if container and data.draw(st.booleans()):
        at = data.draw(st.sampled_from(range(len(container)) if is_list else sorted(container)))
        keeps_comments = is_list and not isinstance(container[at], dict | list)
        del container[at]
        operation = remove(*steps, at)
    elif is_list:
        keeps_comments = True
        container.append(new)
        operation = append(*steps, value=new)
    else:
        keeps_comments = True
        after = data.draw(st.sampled_from([None, *container]))
        container["new key"] = new
        operation = add("new key", new, *steps, after=after)
    result = apply_operation(text, operation)
    document = read_json(result.encode())
    assert document.root is not None
    assert document.root.plain == expected
    if keeps_comments:
        assert _comments(result) == _comments(text)
    assert ("\r\n" in result) <= ("\r\n" in text)
    assert result.startswith("\ufeff") == text.startswith("\ufeff")
