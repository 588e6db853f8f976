"""Compiles a JSON Schema to Python, so that a yes or no needs neither a library nor the schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import fastjsonschema

from extlint_facts.manifests.draft import Json

_HEAD = re.compile(
    r'VERSION = "[^"]+"\n(?:from decimal import Decimal\n)?(?:import re\n)?from fastjsonschema import .*\n'
)
_PATTERN = re.compile(r"re\.compile\(('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")\)")
_RAISE = re.compile(r"raise JsonSchemaValueException\(.*\)$", re.MULTILINE)
_INDENT = re.compile(r"^(?:    )+", re.MULTILINE)


def code(schema: Json, note: str) -> str:
    """A module with a function `validate`; it raises `Refused` for a value that the schema refuses.

    Only the yes or no is kept of what fastjsonschema writes. Raises ValueError if that no longer has the
    lines that are replaced here.
    """
    formats = dict.fromkeys(_formats(schema), _unused)
    text = fastjsonschema.compile_to_code(
        schema, formats=formats, use_default=False, detailed_exceptions=False
    )
    text, replaced = _HEAD.subn("", text)
    if replaced != 1:
        raise ValueError("fastjsonschema writes other modules than it did")
    text = text.replace("(int, float, Decimal)", "(int, float)")
    text = text.replace("except (JsonSchemaValueException, JsonSchemaValuesException)", "except Refused")
    text = _RAISE.sub("raise Refused", text)
    text = text.replace("REGEX_PATTERNS = {", "REGEX_PATTERNS = Patterns({", 1).replace("\n}\n", "\n})\n", 1)
    text = _PATTERN.sub(r"\1", text)
    text = _INDENT.sub(lambda found: " " * (len(found[0]) // 4), text)
    if re.search(r"JsonSchema|Decimal|re\.compile", text):
        raise ValueError("fastjsonschema writes other modules than it did")
    imports = "from extlint_schemas.compiled import Patterns, Refused\n"
    return f'"""{note}"""\n{imports}{text}'


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
