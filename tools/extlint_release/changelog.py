"""The sections of the changelog: one for each version, the newest first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from runpy import run_path

ROOT = Path(__file__).resolve().parents[2]
UNRELEASED = "unreleased"

_HEADING = re.compile(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d|unreleased)\)$", re.MULTILINE)


@dataclass(frozen=True)
class Section:
    """The changes of a version. The date is empty before its release."""

    version: str
    date: str
    text: str


def sections(changelog: str) -> list[Section]:
    """Returns the sections of a changelog. Raises ValueError if a heading has another form."""
    found = list(_HEADING.finditer(changelog))
    wrong = set(re.findall(r"^## .*$", changelog, re.MULTILINE)) - {each[0] for each in found}
    if wrong:
        raise ValueError(f"a heading of the changelog names no version and date: {min(wrong)}")
    ends = [*(each.start() for each in found[1:]), len(changelog)]
    return [
        Section(each[1], "" if each[2] == UNRELEASED else each[2], changelog[each.end() : end].strip())
        for each, end in zip(found, ends, strict=True)
    ]


def notes(changelog: str, version: str) -> str:
    """Returns the notes of a release, in Markdown, with links that work outside the repository."""
    text = next((each.text for each in sections(changelog) if each.version == version), "")
    if not text:
        raise ValueError(f"the changelog says nothing about {version}")
    with_absolute_links = run_path(str(ROOT / "hatch_readme.py"))["with_absolute_links"]
    return f"{with_absolute_links(text, version)}\n"


def with_date(changelog: str, day: date) -> str:
    """Returns a changelog whose newest section is released on a day, if it is not released yet."""
    if sections(changelog)[0].date:
        return changelog
    return changelog.replace(f"({UNRELEASED})", f"({day.isoformat()})", 1)
