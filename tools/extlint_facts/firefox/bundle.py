"""Extracts the schemas from the single script that addons-linter is bundled into."""

from __future__ import annotations

import json
import re

from extlint_facts.ordering import Node

_LITERAL = re.compile(r"JSON\.parse\('((?:[^'\\]|\\.)*)'\)")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}


def documents(script: str) -> dict[str, Node]:
    """Returns the script's schema documents by id: every `JSON.parse('...')` of an object with `$id`."""
    found = (json.loads(_unescaped(literal)) for literal in _LITERAL.findall(script))
    return {each["$id"]: each for each in found if isinstance(each, dict) and "$id" in each}


def _unescaped(literal: str) -> str:
    """Returns the text of a JavaScript string literal."""

    def character(escape: re.Match[str]) -> str:
        code = escape[1]
        return chr(int(code[1:], 16)) if len(code) > 1 else _CHARACTERS.get(code, code)

    return _ESCAPE.sub(character, literal)
