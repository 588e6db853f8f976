from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.manifest.manifest import Manifest, read_manifest
from extlint.text.positions import Position, Span


def manifest_of(content: str | bytes | dict[str, Any]) -> Manifest:
    text = json.dumps(content) if isinstance(content, dict) else content
    return read_manifest("manifest.json", text.encode() if isinstance(text, str) else text)


def test_values_have_lines_and_columns() -> None:
    manifest = manifest_of('\ufeff{\r\n  // "é"\r\n  "name": "é", "key": [1,\n    {"deep": "x"}]\r\n}')
    name, deep = manifest.get("name"), manifest.get("key", 1, "deep")
    assert name is not None
    assert deep is not None
    assert manifest.span(name.span) == Span(Position(3, 11), Position(3, 14))
    assert manifest.span(deep.span) == Span(Position(4, 14), Position(4, 17))
    assert [manifest.span(member.key).start for _, member in manifest.members()] == [(3, 3), (3, 16)]


def test_utf_16_manifest_has_the_same_lines_and_columns() -> None:
    manifest = manifest_of('{\n"é": "x"}'.encode("utf-16"))
    found = manifest.get("é")
    assert found is not None
    assert manifest.span(found.span) == Span(Position(2, 6), Position(2, 9))
    assert manifest.index.line(2) == '"é": "x"}'


@pytest.mark.parametrize(
    ("content", "version"),
    [
        ({"manifest_version": 3}, 3),
        ({"manifest_version": 3.0}, 3),
        ({"manifest_version": 2}, 2),
        ({"manifest_version": "3"}, 3),
        ({"manifest_version": 4}, 3),
        ({"manifest_verison": 3}, 3),
        ({"manifest_version": [3]}, 2),
        ({}, 2),
        ("[]", 2),
        ("{", 2),
    ],
    ids=str,
)
def test_effective_manifest_version(content: Any, version: int) -> None:
    assert manifest_of(content).version == version


@pytest.mark.parametrize(
    ("content", "permissions"),
    [
        ({"permissions": ["tabs"], "optional_permissions": ["management"]}, ["tabs", "management"]),
        ({"permissions": ["tabs", 1, None, ["x"]]}, ["tabs"]),
        ({"host_permissions": ["<all_urls>"], "optional_host_permissions": ["tabs"]}, ["<all_urls>"]),
        ({"permissions": "tabs"}, []),
        ({"permissions": {"tabs": True}}, []),
        ({}, []),
        ("null", []),
    ],
    ids=str,
)
def test_permissions_include_optional_and_host_permissions(content: Any, permissions: list[str]) -> None:
    assert manifest_of(content).permissions == set(permissions)


@pytest.mark.parametrize(
    ("content", "is_object"),
    [("{}", True), ("[]", False), ("1", False), ("null", False), ("", False), ("{,}", False)],
)
def test_only_a_json_object_is_an_object(content: str, is_object: bool) -> None:
    assert manifest_of(content).is_object == is_object


@pytest.mark.parametrize("content", ["{}", "[[1]]", '"text"', "", "{", '{"a": "b"}'])
@pytest.mark.parametrize("path", [(), ("a",), ("a", "b"), ("a", 0), (0,), (0, 0), (5, "x")], ids=str)
def test_missing_path_returns_nothing(content: str, path: tuple[str | int, ...]) -> None:
    manifest = manifest_of(content)
    assert list(manifest.strings("missing", *path)) == []
    assert list(manifest.members("missing", *path)) == []
    assert manifest.get("missing", *path) is None


@given(st.binary(max_size=80))
def test_arbitrary_bytes_make_a_manifest(data: bytes) -> None:
    manifest = manifest_of(data)
    assert manifest.version in (2, 3)
    assert manifest.permissions == frozenset()
    assert (manifest.document.problem is None) == (manifest.document.root is not None)
