"""The version of a source tree: that of its Git tag, or one from the changelog if Git knows no tag.

A tree without tags may be a shallow clone of a release, or an archive of one: then the newest section of the
changelog has a date. Otherwise that section says `unreleased`, and names the version that comes next.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent

_SECTION = re.compile(r"^## (\S+) \((\d{4}-\d\d-\d\d|unreleased)\)$", re.MULTILINE)


def newest_section(changelog: str) -> tuple[str, bool]:
    """Returns the version of the newest section of a changelog, and whether the section has a date."""
    found = _SECTION.search(changelog)
    if found is None:
        raise ValueError("the changelog has no section like: ## 1.2.0 (2026-01-31)")
    return found[1], found[2] != "unreleased"


def version_of(tag: str, commit: str, changelog: str) -> str:
    """Returns the version of a tree. The tag of its commit, and the commit, may be empty."""
    if tag:
        return tag.removeprefix("v")
    version, released = newest_section(changelog)
    if released:
        return version
    return f"{version}.dev0+g{commit}" if commit else f"{version}.dev0"


def _git(*arguments: str) -> str:
    """The output of Git in this tree. Empty if Git is missing or fails, or if the tree is not a clone."""
    if not (ROOT / ".git").exists():  # Git would look for a repository that surrounds the tree
        return ""
    try:
        found = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return found.stdout.strip() if found.returncode == 0 else ""


def version() -> str:
    """Returns the version of this tree."""
    tag = _git("describe", "--exact-match", "--tags", "--match", "v[0-9]*")
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    return version_of(tag, _git("rev-parse", "--short=8", "HEAD"), changelog)
