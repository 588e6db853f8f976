"""The README of each tool names all of its modules, and only existing ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[1] / "tools"
PACKAGES = ["extlint_facts", "extlint_fuzz", "extlint_judge", "extlint_pack"]


def package_modules(package: Path) -> set[str]:
    """Returns the modules of a package, except the standard ones, and its subpackages with a slash."""
    named = {path.stem for path in package.glob("*.py")} - {"__init__", "__main__"}
    return named | {f"{path.parent.name}/" for path in package.glob("*/__init__.py")}


def listed_modules(readme: str) -> set[str]:
    """Returns the names in the first column of the last table."""
    rows = readme.rpartition("## What each module is for")[2].splitlines()
    return {
        name for row in rows if row.startswith("| `") for name in re.findall(r"`([^`]+)`", row.split("|")[1])
    }


@pytest.mark.parametrize("name", PACKAGES)
def test_readme_lists_exactly_the_modules(name: str) -> None:
    readme = (TOOLS / name / "README.md").read_text("utf-8")
    assert listed_modules(readme) == package_modules(TOOLS / name)


@pytest.mark.parametrize("name", PACKAGES)
def test_paths_in_the_readme_exist(name: str) -> None:
    readme = (TOOLS / name / "README.md").read_text("utf-8")
    for path in re.findall(r"`((?:tools|schemas)/[\w/.]+)`", readme):
        assert (TOOLS.parent / path).exists(), path
