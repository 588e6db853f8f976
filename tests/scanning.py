"""Scans for tests: stores of small packages, and the rows about them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile, ZipInfo

from forked_modules import FORK_MODULES
from processes import environment, extlint_command, run
from pyarrow import parquet

from extlint.services.scan.tables import MEASURED

GOOD = {"manifest.json": json.dumps({"manifest_version": 3, "name": "Good", "version": "1.2"})}
BAD = {
    "manifest.json": json.dumps(
        {
            "manifest_version": 3,
            "name": "__MSG_title__",
            "version": "1.0",
            "default_locale": "en",
            "permissions": ["storage", "bookmarks"],
            "optional_permissions": ["history"],
            "host_permissions": ["https://a.example/*"],
            "background": {"service_worker": "worker.js"},
        }
    ),
    "worker.js": "chrome.storage.local.get(1);\nchrome.tabs.qery({});\nchrome.history.search({text: ''});\n",
    "_locales/en/messages.json": json.dumps({"title": {"message": "Bad one"}}),
}


def write_archive(path: Path, files: Mapping[str, str | bytes]) -> None:
    """Writes a package with these files: the same bytes each time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(ZipInfo(name), content)


def write_store(folder: Path, count: int = 6) -> None:
    """Writes good and bad packages."""
    for number in range(count):
        write_archive(folder / f"{number}.zip", BAD if number % 2 else GOOD)


def run_extlint(*arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """Runs extlint in a process of its own, after statements that may change it, such as kill it."""
    own = environment(TMPDIR=str(Path.cwd()))
    return run([*extlint_command(before), *arguments], env=own, capture_output=True, text=True)


def scan(*arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a scan into the folder `out`, with shards of about two packages."""
    before = FORK_MODULES + before
    return run_extlint("scan", *arguments, "--output", "out", "--shard-size", "2", before=before)


def rows(table: str, folder: str = "out") -> list[dict[str, Any]]:
    """Returns the rows of a table, sorted, without measurements."""
    found: list[dict[str, Any]] = []
    for file in sorted(Path(folder, table).glob("*.parquet")):
        found += parquet.read_table(file).to_pylist()
    kept = [{key: value for key, value in row.items() if key not in MEASURED} for row in found]
    return sorted(kept, key=json.dumps)


def all_rows() -> list[list[dict[str, Any]]]:
    """Returns the rows of both tables."""
    return [rows("packages"), rows("findings")]
