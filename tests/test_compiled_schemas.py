"""JSON Schemas compiled to Python: they accept the same values, are compiled once and never stale."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

import extlint_schemas
from extlint_schemas import json_schema_names
from extlint_schemas.compiled import compiler, first_use, validate_function
from extlint_schemas.compiled.runtime import Refused

NAME = "messages/chrome"
VALID = {"a": {"message": "b"}}
INVALID = {"a": {"message": 1}}
PACKAGE = Path(extlint_schemas.__file__).parent


def accepts(name: str, value: Any) -> bool:
    """Whether the compiled form of a schema accepts a value. It is read from the cache or compiled."""
    try:
        first_use.load_compiled(name)(value, {})
    except Refused:
        return False
    return True


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns the names of the compiled schemas, starting with an empty cache."""
    names: list[str] = []

    def counted(name: str) -> str:
        names.append(name)
        return source(name)

    source = compiler.module_source
    monkeypatch.setattr(compiler, "module_source", counted)
    monkeypatch.setattr(first_use, "CACHE", str(tmp_path / "made" / "cache"))
    return names


def cache_file() -> Path:
    (path,) = Path(first_use.CACHE).iterdir()
    return path


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, "a"),
        ({"type": "string"}, 1),
        ({"type": "integer"}, 1.0),
        ({"type": "integer"}, True),
        ({"type": "number", "minimum": 2}, 1.5),
        ({"enum": ["a", "b"]}, "b"),
        ({"enum": ["a", "b"]}, "c"),
        ({"enum": [0]}, False),
        ({"type": "string", "pattern": "^a'\"+$"}, "a'\""),
        ({"type": "string", "pattern": "^a'\"+$"}, "b"),
        ({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, ["a", "a"]),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, None),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, []),
        ({"type": "object", "required": ["a"], "properties": {"a": {}}}, {}),
        ({"type": "object", "properties": {"a": {}}, "additionalProperties": False}, {"b": 1}),
        ({"type": "object", "properties": {"a": {"default": 1}}, "required": ["a"]}, {}),
        ({"if": {"type": "string"}, "then": {"enum": ["a"]}, "else": {"type": "null"}}, "b"),
        ({"definitions": {"a": {"type": "string"}}, "items": {"$ref": "#/definitions/a"}}, ["a", 1]),
    ],
)
def test_compiled_schema_accepts_the_same_values(schema: dict[str, Any], value: object) -> None:
    module: dict[str, Any] = {}
    exec(compiler.source(schema), module)
    try:
        module["validate"](value, {})
        is_accepted = True
    except Refused:
        is_accepted = False
    assert is_accepted == Draft7Validator(schema).is_valid(value)


@pytest.mark.parametrize("name", json_schema_names())
def test_each_schema_can_be_compiled(name: str) -> None:
    with pytest.raises(Refused):
        validate_function(name)([], {})


def test_unknown_schema_name_raises() -> None:
    with pytest.raises(FileNotFoundError):
        validate_function("manifests/netscape_3")


def test_schema_is_compiled_once(compiled: list[str]) -> None:
    assert (accepts(NAME, VALID), accepts(NAME, INVALID)) == (True, False)
    assert (accepts(NAME, VALID), accepts(NAME, INVALID)) == (True, False)
    assert compiled == [NAME]


def test_changed_schema_is_compiled_again(compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert not accepts(NAME, "text")
    monkeypatch.setattr(first_use, "json_schema_texts", lambda _: (b'{"type": "string"}',))
    monkeypatch.setattr(compiler, "json_schema", lambda _: {"type": "string"})
    assert accepts(NAME, "text")
    assert compiled == [NAME, NAME]
    cache_file()


def test_schema_is_compiled_again_for_another_compiler_version(
    compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    accepts(NAME, VALID)
    monkeypatch.setattr(first_use, "_version", lambda: b"VERSION = '99.0'\n")
    accepts(NAME, VALID)
    accepts(NAME, VALID)
    assert compiled == [NAME, NAME]
    cache_file()


def test_version_is_that_of_installed_library() -> None:
    import fastjsonschema

    assert fastjsonschema.VERSION.encode() in first_use._version()


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda content: content[:8], id="no code"),
        pytest.param(lambda content: content[: len(content) // 2], id="half"),
        pytest.param(lambda content: content[:8] + b"i\x01\x00\x00\x00", id="a number"),
        pytest.param(lambda content: b"\0" * len(content), id="nothing but zeros"),
    ],
)
def test_damaged_cache_file_is_compiled_again(compiled: list[str], damage: Any) -> None:
    accepts(NAME, VALID)
    whole = cache_file().read_bytes()
    cache_file().write_bytes(damage(whole))
    assert (accepts(NAME, VALID), accepts(NAME, INVALID)) == (True, False)
    assert compiled == [NAME, NAME]
    assert cache_file().read_bytes() == whole


def test_unwritable_cache_compiles_every_time(compiled: list[str]) -> None:
    Path(first_use.CACHE).parent.write_text("a file is where the folder would be")
    assert (accepts(NAME, VALID), accepts(NAME, INVALID)) == (True, False)
    assert compiled == [NAME, NAME]


PROGRAM = """
import sys
from extlint_schemas import json_schema_names
from extlint_schemas.compiled import validate_function
for name in json_schema_names():
    validate_function(name)
print("fastjsonschema" in sys.modules)
"""


def test_concurrent_processes_share_the_cache(tmp_path: Path) -> None:
    package = tmp_path / PACKAGE.name
    cache = Path(first_use.CACHE).name
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", cache))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment, stdout=subprocess.PIPE)

    together = [start() for _ in range(3)]
    assert {each.communicate()[0].strip() for each in together} <= {b"True", b"False"}
    files = sorted((package / "compiled" / cache).iterdir())
    assert {path.suffix for path in files} == {".pyc"}
    later = start()
    assert later.communicate()[0].strip() == b"False"
    assert {each.returncode for each in (*together, later)} == {0}
    assert sorted((package / "compiled" / cache).iterdir()) == files
