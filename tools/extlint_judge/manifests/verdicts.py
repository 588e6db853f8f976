"""The verdict of a browser on a manifest when it loads the extension."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any

from msgspec import Struct

from extlint_judge.extensions import PNG

ACCEPTED, WARNED, REFUSED = "accepted", "warned", "refused"


class Verdict(Struct, frozen=True):
    """A verdict: `outcome` is one of three constants, `texts` the browser's messages, errors first."""

    outcome: str
    texts: tuple[str, ...] = ()


def verdict(errors: list[str], warnings: list[str]) -> Verdict:
    """Returns the verdict for a list of errors and one of warnings."""
    if errors:
        return Verdict(REFUSED, (*errors, *warnings))
    return Verdict(WARNED, tuple(warnings)) if warnings else Verdict(ACCEPTED)


_PATH = re.compile(r"/?(?:[\w-]+/)*[\w-]+\.[a-z]\w{1,4}", re.ASCII)
_SCHEMA = b'{"type": "object", "properties": {"judge": {"type": "string"}}}'
_CONTENTS = {".json": b"[]", ".html": b"<!doctype html>", ".png": PNG}


def write_extension(manifest: Any, folder: Path) -> None:
    """Writes a manifest or its text, and every file that it seems to name, into a folder.

    Everything else is removed from the folder.
    """
    rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in _strings(manifest) if not isinstance(manifest, str) else ():
        if _PATH.fullmatch(name):
            path = folder / name.lstrip("/")
            path.parent.mkdir(parents=True, exist_ok=True)
            content = _SCHEMA if "schema" in name else _CONTENTS.get(path.suffix, b"")
            path.write_bytes(content)
    locale = manifest.get("default_locale") if isinstance(manifest, dict) else None
    if isinstance(locale, str) and re.fullmatch(r"[\w-]+", locale):
        messages = folder / "_locales" / locale / "messages.json"
        messages.parent.mkdir(parents=True)
        messages.write_text('{"judge": {"message": "judge"}}', encoding="utf-8")
    text = manifest if isinstance(manifest, str) else json.dumps(manifest)
    (folder / "manifest.json").write_bytes(text.encode())


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for each in value:
                yield from _strings(each)
        case dict():
            for each in value.values():
                yield from _strings(each)
