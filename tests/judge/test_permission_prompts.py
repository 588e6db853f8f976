"""The permissions that real browsers prompt the user for; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint.schema.targets.request import FACTS_OF
from extlint_judge.browsers.processes import ENGINES, find
from extlint_judge.commands.permission_prompts import differences, observe, write_facts
from extlint_schemas import PermissionPrompts, permission_prompts


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_recorded_prompts_match_the_browser(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    observed = observe(browser, command, tmp_path)
    assert [*differences(observed, permission_prompts(FACTS_OF[ENGINES[browser]]))] == []


def test_differences_are_listed() -> None:
    known = PermissionPrompts({"history": ("history",)}, {})
    observed = PermissionPrompts({"history": ("history", "topSites")}, {"tabs": ("history",)})
    assert [*differences(observed, known)] == [
        "groups: history: ('history', 'topSites'), and not ('history',)",
        "covered: tabs: ('history',), and not None",
    ]


def test_results_of_the_other_browser_are_preserved(tmp_path: Path) -> None:
    path = tmp_path / "prompts.json"
    write_facts(path, "chrome", PermissionPrompts({"history": ("history", "topSites")}, {}))
    write_facts(path, "firefox", PermissionPrompts({}, {"tabs": ("history",)}))
    assert path.read_text() == (
        '{\n "chrome": {\n  "covered": {},\n  "groups": {\n   "history": "history topSites"\n  }\n },\n'
        ' "firefox": {\n  "covered": {\n   "tabs": "history"\n  },\n  "groups": {}\n }\n}\n'
    )
