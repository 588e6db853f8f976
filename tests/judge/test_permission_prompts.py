"""The recorded permissions that prompt the user."""

from __future__ import annotations

from pathlib import Path

from extlint_judge.queries.permissions import differences
from extlint_judge.query import write_facts
from extlint_schemas import PermissionPrompts


def test_differences_are_listed() -> None:
    known = PermissionPrompts({"history": ("history",)}, {})
    observed = {"groups": {"history": "history topSites"}, "covered": {"tabs": "history"}}
    assert [*differences(observed, known)] == [
        "groups: history: ('history', 'topSites'), and not ('history',)",
        "covered: tabs: ('history',), and not None",
    ]


def test_results_of_the_other_browser_are_preserved(tmp_path: Path) -> None:
    path = tmp_path / "prompts.json"
    write_facts(path, "chrome", {"covered": {}, "groups": {"history": "history topSites"}})
    write_facts(path, "firefox", {"covered": {"tabs": "history"}, "groups": {}})
    assert path.read_text() == (
        '{\n "chrome": {\n  "covered": {},\n  "groups": {\n   "history": "history topSites"\n  }\n },\n'
        ' "firefox": {\n  "covered": {\n   "tabs": "history"\n  },\n  "groups": {}\n }\n}\n'
    )
