"""Compiles a JSON Schema to the source of a Python module."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import fastjsonschema

from extlint_schemas import json_schema, schema_name
from extlint_schemas.compiled import module_name

_HEAD = re.compile(
    r'VERSION = "[^"]+"\n(?:from decimal import Decimal\n)?(?:import re\n)?from fastjsonschema import .*\n'
)
_PATTERN = re.compile(r"re\.compile\(('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")\)")
_RAISE = re.compile(r"raise JsonSchemaValueException\(.*\)$", re.MULTILINE)
_INDENT = re.compile(r"^(?:    )+", re.MULTILINE)


def module_source(name: str) -> str:
    """Returns the source of the module for a schema, by its folder and name, as in a wheel.

    A schema that is an alias of another uses the function of that schema's module.
    """
    other = schema_name(name)
    if other != name:
        return (
            f'"""`{name}.json` is `{other}.json`."""\n'
            f"from extlint_schemas.compiled.{module_name(other)} import validate as validate\n"
        )
    note = f'"""Compiled from `{name}.json` by fastjsonschema {fastjsonschema.VERSION}."""\n'
    return f"{note}{source(json_schema(name))}"


def source(schema: dict[str, Any]) -> str:
    """Returns the source of a module whose `validate` raises `Refused` for values the schema rejects.

    Of the code that fastjsonschema writes, only the decision to accept or reject is preserved. Raises
    ValueError if that code no longer has the lines that are replaced here.
    """
    formats = dict.fromkeys(_formats(schema), _unused)
    text = fastjsonschema.compile_to_code(
        schema, formats=formats, use_default=False, detailed_exceptions=False
    )
    text, replaced = _HEAD.subn("", text)
    if replaced != 1:
        raise ValueError(f"fastjsonschema {fastjsonschema.VERSION} writes other modules than it did")
    text = text.replace("(int, float, Decimal)", "(int, float)")
    text = text.replace("except (JsonSchemaValueException, JsonSchemaValuesException)", "except Refused")
    text = _RAISE.sub("raise Refused", text)
    text = text.replace("REGEX_PATTERNS = {", "REGEX_PATTERNS = Patterns({", 1).replace("\n}\n", "\n})\n", 1)
    text = _PATTERN.sub(r"\1", text)
    text = _INDENT.sub(lambda found: " " * (len(found[0]) // 4), text)
    if re.search(r"JsonSchema|Decimal|re\.compile", text):
        raise ValueError(f"fastjsonschema {fastjsonschema.VERSION} writes other modules than it did")
    return f"from extlint_schemas.compiled.runtime import Patterns, Refused\n{text}"


def _formats(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for each in node:
            yield from _formats(each)
    elif isinstance(node, dict):
        if isinstance(node.get("format"), str):
            yield node["format"]
        for each in node.values():
            yield from _formats(each)


def _unused(text: str) -> bool:
    raise NotImplementedError(text)
