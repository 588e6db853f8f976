"""Values in TOML syntax."""

from __future__ import annotations

import json
import re

_BARE_KEY = re.compile(r"[\w-]+", re.ASCII)


def toml_value(value: object) -> str:
    """Returns a value on one line of TOML. Supports all JSON values except null."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _string(value)
        case dict():
            return (
                "{"
                + ", ".join(f"{toml_key(str(key))} = {toml_value(each)}" for key, each in value.items())
                + "}"
            )
        case list() | tuple():
            return f"[{', '.join(map(toml_value, value))}]"
        case _:
            return str(value)


def toml_key(key: str) -> str:
    """Returns a key, in quotes where TOML requires them."""
    return key if _BARE_KEY.fullmatch(key) else _string(key)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
