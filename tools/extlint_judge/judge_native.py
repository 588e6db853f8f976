"""Compares the schemas that Chromium checks arguments by with those of extlint_facts/chromium.json.

Usage: `python -m extlint_judge native [--write]`. Where there is no Chromium it does nothing, and says so.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import extlint_facts
from extlint_judge.browsers import BrowserError, find, version_of
from extlint_judge.native_schemas import NativeSchemas, differences, native_schemas, read, to_text
from extlint_schemas import stored

FILE = Path(extlint_facts.__file__).with_name("chromium.json")

SHOWN = 60
"""So many differences are shown."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if they differ, unless they are written; 2 if the browser fails."""
    parser = argparse.ArgumentParser(description="Compares Chromium's own schemas with those written down.")
    parser.add_argument("--write", action="store_true", help="write them down")
    options = parser.parse_args(arguments)
    command = find("chromium")
    if command is None:
        print("judge_native: there is no chromium, so nothing is compared")
        return 0
    wanted = frozenset(stored("chrome")) - {"manifest"}
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            found = native_schemas(command, version_of(command), wanted, Path(folder))
    except BrowserError as error:
        print(f"judge_native: {error}", file=sys.stderr)
        return 2
    lines = list(differences(read(FILE) if FILE.is_file() else NativeSchemas("", "", ()), found))
    print(f"chromium {found.version}: {len(found.namespaces)} namespaces, {len(lines)} differences")
    for line in lines[:SHOWN]:
        print(f"  {line[:300]}")
    if options.write:
        FILE.write_bytes(to_text(found).encode())
        return 0
    return 1 if lines else 0
