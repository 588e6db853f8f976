"""The tree that a release is made from: what must agree before it, and a rehearsal of its tag."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from runpy import run_path

from extlint_release.changelog import ROOT, sections, with_date

_CHECKOUT_VERSION = re.compile(r'^__version__ = "(.+)\.dev0"$', re.MULTILINE)


def version_of(root: Path) -> str:
    """Returns the version of a tree, as the build computes it."""
    version = run_path(str(root / "hatch_version.py"))["version"]()
    assert isinstance(version, str)
    return version


def problems(root: Path) -> Iterator[str]:
    """Yields why a tree cannot be released, as sentences."""
    version = version_of(root)
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        yield f"the commit has no tag of a release: its version is {version}"
        return
    newest = sections((root / "CHANGELOG.md").read_text("utf-8"))[0]
    if newest.version != version:
        yield f"the newest section of CHANGELOG.md is about {newest.version}, and the tag names {version}"
    elif not newest.date:
        yield f"CHANGELOG.md has no date for {version}"
    if not newest.text:
        yield f"CHANGELOG.md says nothing about {newest.version}"
    source = _CHECKOUT_VERSION.findall((root / "linter/extlint/__init__.py").read_text("utf-8"))
    if source != [version]:
        yield f"linter/extlint/__init__.py must say {version}.dev0"
    for name in ("package.json", "package-lock.json"):
        path = root / "editors/vscode" / name
        if json.loads(path.read_text("utf-8"))["version"] != version:
            yield f"editors/vscode/{name} must have the version {version}"


def rehearse_tag(folder: Path, day: date, source: Path = ROOT) -> Path:
    """Clones a tree into a folder, and gives the clone the date and the tag of its next release."""
    clone = folder / "extlint"
    _git(folder, "clone", "--quiet", "--no-tags", str(source), str(clone))
    changelog = clone / "CHANGELOG.md"
    text = with_date(changelog.read_text("utf-8"), day)
    changelog.write_text(text, "utf-8", newline="\n")
    version = sections(text)[0].version
    author = ("-c", "user.name=extlint", "-c", "user.email=extlint@example.com")
    _git(clone, *author, "commit", "--quiet", "--all", "--allow-empty", "--message", f"Add {version}")
    _git(clone, *author, "tag", "--annotate", "--message", version, f"v{version}")
    return clone


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True)
