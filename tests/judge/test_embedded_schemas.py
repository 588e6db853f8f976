"""Chromium's own schemas, found in its executable and stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import BrowserError
from extlint_judge.commands.embedded_schemas import FILE
from extlint_judge.embedded_schemas import EmbeddedSchemas, differences, find_namespaces, read, to_text

ALARMS = (
    b'{"namespace":"alarms","description":"Do it later.","functions":[{"name":"get","deprecated":"No.",'
    b'"parameters":[{"type":"string","name":"name","optional":true,"description":"Which."}],'
    b'"returns_async":{"name":"callback","parameters":[{"$ref":"alarms.Alarm","name":"alarm"}]}}],'
    b'"types":[{"id":"alarms.Alarm","type":"object","properties":{"name":{"name":"name","type":"string"}}}],'
    b'"properties":{},"platforms":null}'
)
KEPT = {
    "namespace": "alarms",
    "types": [{"id": "alarms.Alarm", "type": "object", "properties": {"name": {"type": "string"}}}],
    "functions": [
        {
            "name": "get",
            "parameters": [{"name": "name", "type": "string", "optional": True}],
            "returns_async": {
                "name": "callback",
                "parameters": [{"name": "alarm", "$ref": "alarms.Alarm"}],
            },
        }
    ],
}


def test_schema_is_extracted_without_descriptions() -> None:
    data = b'\x7fELF\0{"namespace":"\0\0\xff' + ALARMS + b'\0{"dependencies":["a"],"namespace":"b"}\0\0'
    assert find_namespaces(data) == {"alarms": KEPT, "b": {"namespace": "b"}}


def test_executable_without_schemas_is_an_error() -> None:
    with pytest.raises(BrowserError, match="no schemas"):
        find_namespaces(b"\x7fELF\0\0")


def test_schemas_round_trip(tmp_path: Path) -> None:
    schemas = EmbeddedSchemas("chromium", "156.0", (KEPT, {"namespace": "b"}))
    path = tmp_path / "chromium.json"
    path.write_text(to_text(schemas))
    assert read(path) == schemas


def test_differences_name_the_changed_parts() -> None:
    before = EmbeddedSchemas("chromium", "1", (KEPT,))
    after = EmbeddedSchemas(
        "chromium", "2", ({**KEPT, "functions": [{"name": "set"}], "types": [{"id": "alarms.Alarm"}]},)
    )
    lines = list(differences(before, after))
    assert [line.partition(":")[0] for line in lines] == [
        "alarms functions get is gone",
        "alarms functions set is new",
        "alarms types alarms.Alarm is another",
    ]
    assert list(differences(before, before)) == []


def test_committed_schemas_are_complete_and_without_descriptions() -> None:
    committed = read(FILE)
    names = {each["namespace"] for each in committed.namespaces}
    assert {"tabs", "scripting", "runtime", "omnibox"} <= names
    assert len(names) >= 60
    assert to_text(committed) == FILE.read_text()
    assert 'description":"' not in FILE.read_text()
