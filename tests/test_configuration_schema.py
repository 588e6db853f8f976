"""The JSON Schema of configurations accepts and rejects the same values as extlint."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from jsonschema import Draft7Validator
from test_configuration_keys import ENTRIES, MISTAKES, VALUES

from extlint.linting.configuration.configuration import Configuration
from extlint.linting.configuration.keys import KEYS, configuration_schema

VALIDATOR = Draft7Validator(configuration_schema())

VALID = (
    "",
    ENTRIES,
    'target = "chrome>=120, firefox >= 115 <= 130"\nselect = []\nignore = ""',
    'target = ["reference", "edge<=130.5"]\nschemas = "api/**"\nfail-level = "info"',
    'select = ["uses", " missing-key,stores, "]\nextend-select = "uses,"\ngitignore = true',
    '[[extension]]\nmanifest = "m.json"\nroot = "src"\nper-file-ignores = {"*.js" = ["uses"]}',
)

INVALID = (
    "x = 1",
    'target = "chrom"',
    'target = "chrome>120"',
    'target = "chrome 120"',
    'select = "uses missing-key"',
    'ignore = ["uses", "missing-ky"]',
    'fail-level = "warn"',
    "select = [1]",
    "schemas = {}",
)


@pytest.mark.parametrize("text", [*VALUES, *VALID])
def test_valid_configuration_is_accepted(text: str) -> None:
    assert [each.message for each in VALIDATOR.iter_errors(tomllib.loads(text))] == []


@pytest.mark.parametrize("text", [*MISTAKES, *INVALID])
def test_invalid_configuration_is_rejected(text: str) -> None:
    assert not VALIDATOR.is_valid(tomllib.loads(text))


def test_schema_is_valid_and_describes_each_key() -> None:
    Draft7Validator.check_schema(VALIDATOR.schema)
    schema: Any = VALIDATOR.schema
    entry = schema["properties"]["extension"]["items"]["properties"]
    for properties in (schema["properties"], entry):
        assert all(each["description"] for each in properties.values())
    assert list(schema["properties"]) == list(KEYS)
    assert {key.name for key in KEYS.values() if key.in_entries} < {*entry}


def test_each_key_has_a_configuration_field() -> None:
    assert {key.field for key in KEYS.values()} == {*Configuration.__struct_fields__} - {
        "file",
        "folder",
        "layers",
    }
