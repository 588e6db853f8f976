"""Generates every file of facts from the pinned packages, and compares them with the existing files."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from extlint_facts import compat, messages, releases, request_rules, thunderbird
from extlint_facts.chrome.facts import files as chrome_files
from extlint_facts.corrections.rows import collecting_stale
from extlint_facts.firefox.facts import files as firefox_files
from extlint_facts.manifests.documents import files as manifest_files
from extlint_facts.packages.access import Packages
from extlint_facts.sources import FILE, FOLDERS, sources_file

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas" / "extlint_schemas"
STEPS: tuple[Callable[[Packages], dict[str, str]], ...] = (
    firefox_files,
    chrome_files,
    compat.files,
    releases.files,
    thunderbird.files,
)
"""The steps that read packages and return texts, by their paths in the schemas package."""

DERIVED: tuple[Callable[[Mapping[str, str]], dict[str, str]], ...] = (
    manifest_files,
    request_rules.files,
    messages.files,
)
"""The steps that generate further texts from those."""


def facts(packages: Packages) -> dict[str, str]:
    """Returns every file of facts: those read from packages, and those derived from them.

    Raises StaleCorrectionError with a line for each stale correction.
    """
    with collecting_stale():
        found = {path: text for step in STEPS for path, text in step(packages).items()}
        derived = {path: text for step in DERIVED for path, text in step(found).items()}
    return found | derived | sources_file(packages.pins)


def committed(root: Path) -> dict[str, str]:
    """Returns the current contents of every file of facts."""
    found = [path for folder in FOLDERS for path in (root / folder).glob("*.json")]
    found += root.glob(FILE)
    return {path.relative_to(root).as_posix(): path.read_bytes().decode("utf-8") for path in found}


def differences(there: Mapping[str, str], expected: Mapping[str, str]) -> Iterator[str]:
    """Yields the removed and added lines, below the path of each file that differs."""
    for path in sorted({*there, *expected}):
        before, after = there.get(path, ""), expected.get(path, "")
        if before != after:
            changes = difflib.unified_diff(
                before.splitlines(), after.splitlines(), path, path, n=0, lineterm=""
            )
            yield path
            yield from (f"  {line[:200]}" for line in changes if not line.startswith(("---", "+++", "@@")))


def write(root: Path, there: Mapping[str, str], expected: Mapping[str, str]) -> None:
    """Writes the files of facts, and removes obsolete ones."""
    for path in there.keys() - expected.keys():
        (root / path).unlink()
    for path, text in expected.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(text.encode("utf-8"))
