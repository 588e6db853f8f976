"""From the pinned packages to every file of facts, and where these differ from those that are there."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from extlint_facts import compat, messages, request_rules, thunderbird
from extlint_facts.chrome.facts import files as chrome_files
from extlint_facts.firefox.facts import files as firefox_files
from extlint_facts.manifests.documents import files as manifest_files
from extlint_facts.packages.access import Packages

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas" / "extlint_schemas"
FOLDERS = ("chrome", "compat", "firefox", "manifests", "messages", "request_rules", "thunderbird")
"""The folders of facts, in which there is nothing else."""

STEPS: tuple[Callable[[Packages], dict[str, str]], ...] = (
    firefox_files,
    chrome_files,
    compat.files,
    thunderbird.files,
)
"""Each reads packages, and gives texts by their paths in the package of the schemas."""

DERIVED: tuple[Callable[[Mapping[str, str]], dict[str, str]], ...] = (
    manifest_files,
    request_rules.files,
    messages.files,
)
"""Each makes further texts of those."""


def facts(packages: Packages) -> dict[str, str]:
    """Every file of facts, as the packages have it, and what is made of them."""
    found = {path: text for step in STEPS for path, text in step(packages).items()}
    return found | {path: text for step in DERIVED for path, text in step(found).items()}


def committed(root: Path) -> dict[str, str]:
    """Every file of facts, as it is now."""
    found = (path for folder in FOLDERS for path in (root / folder).glob("*.json"))
    return {path.relative_to(root).as_posix(): path.read_bytes().decode("utf-8") for path in found}


def differences(there: Mapping[str, str], wanted: Mapping[str, str]) -> Iterator[str]:
    """The lines that go and come, below the path of each file that is not the same."""
    for path in sorted({*there, *wanted}):
        before, after = there.get(path, ""), wanted.get(path, "")
        if before != after:
            changes = difflib.unified_diff(
                before.splitlines(), after.splitlines(), path, path, n=0, lineterm=""
            )
            yield path
            yield from (f"  {line[:200]}" for line in changes if not line.startswith(("---", "+++", "@@")))


def write(root: Path, there: Mapping[str, str], wanted: Mapping[str, str]) -> None:
    """Makes the files of facts what they should be; those that should not be are removed."""
    for path in there.keys() - wanted.keys():
        (root / path).unlink()
    for path, text in wanted.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(text.encode("utf-8"))
