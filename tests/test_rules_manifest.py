"""The rules about the manifest, locale files, and files named in the package."""

from __future__ import annotations

import json

import pytest
from harness import Files, lint, manifest, reported, text_under
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from extlint.text.positions import Position

Reported = list[tuple[str, str]]


def with_required_keys(text: str) -> str:
    """Returns a manifest's text with HEAD replaced by the keys that every manifest requires."""
    return text.replace("HEAD", '"manifest_version": 3, "name": "A", "version": "1"')


def manifest_findings(rule: str, text: str) -> Reported:
    """Returns the findings of a rule in a package with only a manifest."""
    return reported({"manifest.json": text}, [rule])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{HEAD}", id="plain"),
        pytest.param("\ufeff{HEAD}", id="with a byte order mark"),
        pytest.param("// a\n{HEAD /* b */}", id="with comments"),
        pytest.param('{"description": "// no comment", HEAD}', id="with slashes in a string"),
    ],
)
def test_valid_manifest_has_no_findings(text: str) -> None:
    assert reported({"manifest.json": with_required_keys(text)}) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        pytest.param("", Position(1, 1), id="nothing at all"),
        pytest.param("{", Position(1, 2), id="an object that never ends"),
        pytest.param('{\n  "name": "A",\n}', Position(2, 14), id="a comma before the end"),
        pytest.param("{'name': 'A'}", Position(1, 2), id="single quotes"),
        pytest.param('{"name" "A"}', Position(1, 9), id="no colon"),
        pytest.param("{} {}", Position(1, 4), id="a second value"),
        pytest.param('{"name": "A", "version": 1.}', Position(1, 26), id="half a number"),
        pytest.param('{"é": "A" "b"}', Position(1, 11), id="columns are code points"),
    ],
)
def test_manifest_with_invalid_json_is_reported(text: str, place: Position) -> None:
    findings = lint({"manifest.json": text})
    assert [(each.rule, each.span.start) for each in findings] == [("invalid-json", place)]


def test_locale_file_with_invalid_json_is_reported() -> None:
    files: Files = {
        "manifest.json": manifest(default_locale="en"),
        "_locales/en/messages.json": '{"a": {"message": "b",}}',
        "_locales/de/messages.json": '{"a": {"message": "b"}}',
        "_locales/notes.json": "no JSON",
        "data/messages.json": "no JSON",
    }
    assert [(each.rule, each.path) for each in lint(files)] == [("invalid-json", "_locales/en/messages.json")]


@pytest.mark.parametrize(
    ("text", "second", "first"),
    [
        pytest.param('{"a": 1, HEAD, "a": 2}', '"a"', Position(1, 2), id="at the top"),
        pytest.param('{"a": {"b": 1, "b": 2}, HEAD}', '"b"', Position(1, 8), id="deeper"),
        pytest.param('{"a": [{"c": 1, "\\u0063": 2}], HEAD}', '"\\u0063"', Position(1, 9), id="escaped"),
    ],
)
def test_duplicate_key_is_reported_at_the_second_occurrence(text: str, second: str, first: Position) -> None:
    files = {"manifest.json": with_required_keys(text)}
    (finding,) = lint(files, ["duplicate-key"])
    assert text_under(files, finding) == second
    assert [related.span.start for related in finding.related] == [first]


def test_each_repeated_key_is_reported() -> None:
    assert (
        manifest_findings("duplicate-key", '{"a": 1, "a": 2, "a": 3, "b": {"a": 4}}')
        == [("duplicate-key", '"a"')] * 2
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param("{HEAD}", [], id="nothing missing"),
        pytest.param("{}", ["manifest_version", "name", "version"], id="everything missing"),
        pytest.param('{"name": "A", "version": "1"}', ["manifest_version"], id="no manifest_version"),
        pytest.param('{"manifest_version": 2, "version": "1"}', ["name"], id="no name"),
        pytest.param('{"manifest_version": 2, "name": "A"}', ["version"], id="no version"),
        pytest.param('{"manifest_version": null, "name": 1, "version": []}', [], id="odd values are there"),
        pytest.param("[]", [], id="no object: that is the mistake"),
        pytest.param("{", [], id="no JSON: that is the mistake"),
    ],
)
def test_missing_keys_are_reported_at_the_object(text: str, names: list[str]) -> None:
    text = with_required_keys(text)
    findings = lint({"manifest.json": text}, ["missing-key"])
    assert sorted(each.message for each in findings) == [
        f"the manifest is missing the required key `{name}`" for name in names
    ]
    assert {text_under({"manifest.json": text}, each) for each in findings} <= {text}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[]", "an array"),
        ('"a"', "a string"),
        ("5", "a number"),
        ("1.5", "a number"),
        ("true", "a boolean"),
        ("null", "null"),
    ],
)
def test_manifest_that_is_not_an_object_is_reported(text: str, kind: str) -> None:
    findings = lint({"manifest.json": f"\n  {text}"})
    assert [(each.rule, each.span.start) for each in findings] == [("invalid-value", Position(2, 3))]
    assert findings[0].message.endswith(f"this one is {kind}")


@pytest.mark.parametrize(
    ("permissions", "expected"),
    [
        pytest.param('"permissions": ["managment"]', ['"managment"'], id="a letter is missing"),
        pytest.param('"permissions": ["managemnet"]', ['"managemnet"'], id="two letters changed places"),
        pytest.param('"permissions": ["MANAGEMENT"]', ['"MANAGEMENT"'], id="other letter case"),
        pytest.param('"optional_permissions": ["managment"]', ['"managment"'], id="an optional one"),
        pytest.param('"permissions": ["tabs", "management"]', [], id="names of permissions"),
        pytest.param('"permissions": ["wonderful"]', ['"wonderful"'], id="a name that is near nothing"),
        pytest.param('"permissions": ["offscreen", "menus"]', [], id="permissions of one browser"),
        pytest.param('"permissions": ["*://management/*"]', [], id="a match pattern"),
        pytest.param('"permissions": ["<all_urls>", "file:///*"]', [], id="other patterns"),
        pytest.param('"host_permissions": ["managment"]', [], id="a list of hosts"),
        pytest.param('"permissions": "managment"', [], id="no list"),
        pytest.param('"permissions": [1, null, {"managment": 1}, ["managment"]]', [], id="no strings"),
    ],
)
def test_misspelled_permissions_are_reported(permissions: str, expected: list[str]) -> None:
    assert manifest_findings("unknown-permission", with_required_keys("{HEAD, " + permissions + "}")) == [
        ("unknown-permission", text) for text in expected
    ]


def test_misspelled_permission_grants_no_api() -> None:
    files = {
        "manifest.json": manifest(permissions=["managment"], background={"service_worker": "a.js"}),
        "a.js": "browser.management.getAll();",
    }
    assert [each.rule for each in lint(files, ["unknown-permission", "missing-permission"])] == [
        "missing-permission",
        "unknown-permission",
    ]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {"manifest.json": manifest(background={"service_worker": "a.js"}), "a.js": ""}, [], id="all there"
        ),
        pytest.param(
            {"manifest.json": manifest(background={"service_worker": "a.js"})}, ['"a.js"'], id="a worker"
        ),
        pytest.param(
            {"manifest.json": manifest(background={"scripts": ["a.js", "b.js"]}), "a.js": ""},
            ['"b.js"'],
            id="one of two scripts",
        ),
        pytest.param(
            {"manifest.json": manifest(content_scripts=[{"matches": ["<all_urls>"], "js": ["a.js"]}])},
            ['"a.js"'],
            id="a content script",
        ),
        pytest.param({"manifest.json": manifest(icons={"16": "a.png"})}, ['"a.png"'], id="an icon"),
        pytest.param(
            {"manifest.json": manifest(icons={"16": "/a.png"}), "a.png": b""}, [], id="from the root"
        ),
        pytest.param(
            {"manifest.json": manifest(action={"default_popup": "__MSG_popup__"})}, [], id="one per locale"
        ),
    ],
)
def test_missing_files_are_reported_at_their_name(files: Files, expected: list[str]) -> None:
    assert reported(files, ["missing-file"]) == [("missing-file", text) for text in expected]


def test_file_name_in_wrong_case_has_the_actual_name_in_the_message() -> None:
    files: Files = {"manifest.json": manifest(background={"service_worker": "A.js"}), "a.js": ""}
    (finding,) = lint(files)
    assert finding.message == "the package has no file `A.js`, only `a.js`, which differs in letter case"


def test_missing_script_of_a_page_is_reported() -> None:
    page = '<script src="gone.js"></script><script src="there.js"></script>'
    files: Files = {
        "manifest.json": manifest(options_ui={"page": "p/a.html"}),
        "p/a.html": page,
        "p/there.js": "",
    }
    (finding,) = lint(files)
    assert (finding.rule, finding.path) == ("missing-file", "p/a.html")
    assert "gone.js" in text_under(files, finding)


KEYS = [
    "manifest_version",
    "name",
    "version",
    "permissions",
    "background",
    "scripts",
    "action",
    "icons",
    "16",
]

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["managment", "a.js"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS) | st.text(), inner),
    max_leaves=12,
)


@given(ANYTHING)
@settings(max_examples=examples(60))
def test_findings_for_any_manifest_value_have_a_span_in_it(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    files: Files = {"manifest.json": text}
    for finding in lint(files):
        assert finding.span.start <= finding.span.end
        assert text_under(files, finding) in text.decode()


@given(st.binary(max_size=60))
@settings(max_examples=examples(60))
def test_any_bytes_as_manifest_have_few_findings(data: bytes) -> None:
    rules = {finding.rule for finding in lint({"manifest.json": data})}
    assert rules in (
        {"invalid-json"},
        {"invalid-value"},
        {"missing-key"},
        {"missing-key", "unknown-key"},
        {"incomplete-analysis"},
    )
