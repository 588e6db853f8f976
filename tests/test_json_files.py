"""The JSON files that browsers read: the allowed contents of each, and the positions of its values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from harness import Files, lint, manifest, reported, text_at
from hypothesis import given
from hypothesis import strategies as st

from extlint.finding import Severity
from extlint.project.contexts.json_files import JsonFile, JsonKind
from extlint.text.json.reader import MAX_DEPTH, read_json
from extlint.text.json.strict_reader import plain_json
from extlint.text.json.values import Step

RULES_MANIFEST = manifest(
    permissions=["declarativeNetRequest"],
    declarative_net_request={"rule_resources": [{"id": "a", "enabled": True, "path": "rules.json"}]},
)
SCHEMA_MANIFEST = manifest(permissions=["storage"], storage={"managed_schema": "schema.json"})
JSON_RULES = ["invalid-json", "duplicate-key"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        pytest.param("[]", None, id="JSON"),
        pytest.param("\ufeff[]", None, id="a byte order mark"),
        pytest.param("// a\n[]", "//", id="a comment to the end of the line"),
        pytest.param("[/* a */]", "/*", id="a comment in between"),
        pytest.param("# a\n[]", "#", id="a comment of another kind"),
        pytest.param("[1,]", ",", id="a comma after the last item"),
        pytest.param(r'["\x41"]', r"\x41", id="an escape that is none of JSON's"),
        pytest.param('["a\nb"]', '"a', id="a line end in a string"),
        pytest.param("[NaN]", "NaN", id="a word that Python reads"),
        pytest.param("[]\x00", "\x00", id="text after the end"),
        pytest.param("", "", id="nothing at all"),
    ],
)
def test_declarative_rules_are_strict_json(text: str, place: str | None) -> None:
    files = {"manifest.json": RULES_MANIFEST, "rules.json": text}
    assert reported(files, JSON_RULES) == ([] if place is None else [("invalid-json", place)])


@pytest.mark.parametrize(
    ("text", "place"),
    [
        pytest.param('{"type": "object"}', None, id="JSON"),
        pytest.param(
            '// a\n{"type": "object", /* b */}', None, id="comments, and a comma after the last member"
        ),
        pytest.param('{"type": object}', "object", id="no value"),
    ],
)
def test_managed_schema_allows_comments_and_trailing_commas(text: str, place: str | None) -> None:
    files = {"manifest.json": SCHEMA_MANIFEST, "schema.json": text}
    assert reported(files, JSON_RULES, "chrome") == ([] if place is None else [("invalid-json", place)])


def test_managed_schema_is_ignored_for_firefox() -> None:
    files: Files = {"manifest.json": SCHEMA_MANIFEST, "schema.json": "no JSON"}
    assert lint(files, JSON_RULES, "firefox") == []


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"manifest.json": RULES_MANIFEST, "rules.json": '[{"a": 1, "a": 2}]'}, id="rules"),
        pytest.param({"manifest.json": SCHEMA_MANIFEST, "schema.json": '{"a": 1, "a": 2}'}, id="schema"),
        pytest.param(
            {"manifest.json": manifest(), "_locales/de/messages.json": '{"a": 1, "a": 2}'}, id="locale"
        ),
    ],
)
def test_duplicate_key_is_reported_in_every_file(files: Files) -> None:
    (finding,) = lint(files, ["duplicate-key"])
    assert finding.path != "manifest.json"
    assert finding.related[0].span < finding.span
    is_locale = finding.path.startswith("_locales/")
    assert finding.severity is (Severity.WARNING if is_locale else Severity.ERROR)


def test_file_listed_twice_is_checked_once() -> None:
    named = [{"id": each, "enabled": True, "path": "rules.json"} for each in "ab"]
    files: Files = {
        "manifest.json": manifest(declarative_net_request={"rule_resources": named}),
        "rules.json": "[",
    }
    assert len(lint(files, ["invalid-json"])) == 1


@pytest.mark.parametrize("kind", JsonKind)
@pytest.mark.parametrize(
    ("steps", "at_key", "expected"),
    [
        pytest.param((), False, '{"é": [10, {"b" : null}], "d": "ü"}', id="the whole"),
        pytest.param(("é",), False, '[10, {"b" : null}]', id="a value"),
        pytest.param(("é",), True, '"é"', id="a key"),
        pytest.param(("é", 1, "b"), False, "null", id="a value further inside"),
        pytest.param(("é", 1, "b"), True, '"b"', id="a key further inside"),
        pytest.param(("é", 0), True, "10", id="an item without a key"),
        pytest.param(("é", 1, "missing"), False, '{"b" : null}', id="a missing key: its object"),
        pytest.param(("é", 7), False, '[10, {"b" : null}]', id="a missing item: its array"),
        pytest.param(("d", "e"), False, '"ü"', id="a path into a string: the string"),
        pytest.param(("d", "e"), True, '"ü"', id="a key in a string: the string"),
    ],
)
def test_position_of_a_path(kind: JsonKind, steps: tuple[Step, ...], at_key: bool, expected: str) -> None:
    text = '{"é": [10, {"b" : null}], "d": "ü"}'
    assert text_at(text, JsonFile("a.json", text.encode(), kind).span_at(steps, at_key=at_key)) == expected


def test_last_duplicate_key_wins() -> None:
    file = JsonFile("a.json", b'{"a": 1, "\\u0061": 2}', JsonKind.RULES)
    assert file.value == {"a": 2}
    assert file.span_at(["a"]).start.column == 20
    assert file.span_at(["a"], at_key=True).start.column == 10


def test_every_path_of_invalid_json_is_at_the_syntax_error() -> None:
    file = JsonFile("a.json", b'{"a": x}', JsonKind.MESSAGES)
    assert file.problem is not None
    assert (file.value, file.node(), file.duplicates) == (None, None, ())
    assert file.span_at(["a"]) == file.span(file.problem.span)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 100_000, id="brackets"),
        pytest.param('{"a":' * 100_000, id="braces"),
        pytest.param("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), id="one level too deep"),
        pytest.param("[" * 900 + "]" * 900, id="as deep as Python reads"),
    ],
)
def test_excessive_nesting_is_reported(text: str) -> None:
    file = JsonFile("rules.json", text.encode(), JsonKind.RULES)
    assert file.problem is not None
    assert f"{MAX_DEPTH} levels deep" in file.problem.message


def test_maximum_nesting_is_accepted() -> None:
    file = JsonFile("a.json", ("[" * MAX_DEPTH + "]" * MAX_DEPTH).encode(), JsonKind.RULES)
    assert file.problem is None
    assert file.span_at([0] * (MAX_DEPTH - 1)).start.column == MAX_DEPTH


def test_number_with_too_many_digits_is_infinite() -> None:
    file = JsonFile("a.json", b"[" + b"1" * 10_000 + b"]", JsonKind.RULES)
    assert file.problem is None
    assert file.value == [float("inf")]


def test_positions_in_large_files_are_found_in_any_order() -> None:
    items = [{"id": number, "name": "é" * number} for number in range(500)]
    text = json.dumps(items, ensure_ascii=False, indent=1)
    file = JsonFile("a.json", text.encode(), JsonKind.RULES)
    for number in (499, 0, 250, 251):
        assert text_at(text, file.span_at([number, "id"])) == str(number)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


def paths(value: Any, before: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """Yields the path of a value, and of every value inside it."""
    yield before
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in inner:
        yield from paths(each, (*before, step))


@given(json_values, st.sampled_from([None, 0, 2]), st.booleans(), st.sampled_from(["", "\ufeff"]))
def test_fast_positions_match_the_full_reader(
    value: Any, indent: int | None, ascii_only: bool, mark: str
) -> None:
    data = (mark + json.dumps(value, indent=indent, ensure_ascii=ascii_only)).encode("utf-8", "replace")
    quick = JsonFile("a.json", data, JsonKind.RULES)
    whole = JsonFile("a.json", data, JsonKind.RULES, read_json(data))
    assert quick.value == whole.value
    for path in paths(whole.value):
        assert quick.node(*path) == whole.node(*path)
        for at_key in (False, True):
            assert quick.span_at(path, at_key=at_key) == whole.span_at(path, at_key=at_key)


fragments = st.lists(
    st.sampled_from(
        """{ } [ ] , : "a" "b\\n" 1 -2.5e3 01 1. true NaN // /*x*/ ' \\ é \\x41 \\ud800 \ufeff""".split()
    ),
    max_size=20,
).map(" ".join)


@given(fragments)
def test_fast_reader_accepts_the_same_texts_as_the_strict_reader(text: str) -> None:
    document = read_json(text.encode(), strict=True)
    found = plain_json(text.encode())
    assert (found is None) == (document.root is None)
    if found is not None and document.root is not None:
        assert found.value == document.root.plain
        assert found.has_duplicates == bool(document.duplicates)


@given(st.binary(max_size=40) | fragments.map(str.encode), st.sampled_from(JsonKind), st.booleans())
def test_arbitrary_bytes_have_a_position_for_any_path(data: bytes, kind: JsonKind, at_key: bool) -> None:
    file = JsonFile("a.json", data, kind)
    for steps in ((), ("a",), (0,), (0, "a"), ("a", 0)):
        start, end = file.span_at(steps, at_key=at_key)
        assert start <= end
    assert file.problem is None or file.value is None
