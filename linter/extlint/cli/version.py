"""The version of extlint, and what decides its findings: Python, the system and the facts about browsers."""

from __future__ import annotations

import platform
from datetime import date

from extlint import __version__
from extlint.text.wording import counted, listed
from extlint_schemas import TARGETS, date_of_facts, newest_releases, versions_of_facts


def describe_version(today: date | None = None) -> str:
    """Returns the lines of `extlint --version --verbose`."""
    day = date_of_facts()
    age = ((today or date.today()) - date.fromisoformat(day)).days
    newest = newest_releases()
    browsers = listed([f"{name} {newest[name]}" for name in TARGETS if name in newest], "and")
    sources = listed([f"{name} {version}" for name, version in versions_of_facts().items()], "and")
    lines = (
        f"extlint {__version__}",
        f"Python {platform.python_version()} on {platform.system()} ({platform.machine()})",
        f"facts about browsers: of {day}, {counted(max(age, 0), 'day')} old, up to {browsers}",
        f"sources of the facts: {sources}",
    )
    return "".join(f"{line}\n" for line in lines)
