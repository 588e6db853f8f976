"""JSON that every reader accepts: ASCII, without lone surrogates, which are invalid Unicode."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


def dump(value: Mapping[str, Any]) -> str:
    """Returns the value on one line of JSON."""
    text = json.dumps(value)
    return text if "\\ud" not in text else json.dumps(_without_surrogates(value))


def array(items: Sequence[str], indent: str = "") -> str:
    """Returns a JSON array of serialized items. Each text has one or more items, or is empty."""
    written = ",\n".join(filter(None, items))
    return f"[\n{written}\n{indent}]" if written else "[]"


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        return {key: _without_surrogates(each) for key, each in value.items()}
    return [_without_surrogates(each) for each in value] if isinstance(value, list) else value
