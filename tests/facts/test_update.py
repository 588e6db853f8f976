"""The renewal with the newest packages: the pins, the summary, and what happens to stale corrections."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from extlint_facts import command_line, renewal, summary, update
from extlint_facts.corrections.rows import report_stale
from extlint_facts.packages.access import Packages
from extlint_facts.packages.newest import newest_pins, write_pins
from extlint_facts.packages.pin import Pin, pins

ONE = Pin("one", "1.0.0", "sha512-a", "MIT", "2026-01-02")
TWO = Pin("two", "2.0.0", "sha512-b", "MIT", "2026-01-02")
NEWER = Pin("two", "2.1.0", "sha512-c", "MIT", "2026-03-04")


def ask(package: str) -> Mapping[str, str]:
    pin = {"one": ONE, "two": NEWER}[package]
    return {"version": pin.version, "dist.integrity": pin.integrity}


def test_only_newer_packages_are_pinned_again() -> None:
    assert newest_pins([ONE, TWO], "2026-03-04", ask) == [ONE, NEWER]


def test_pins_and_notice_are_written(tmp_path: Path) -> None:
    notice = tmp_path / "NOTICE"
    notice.write_text("one 1.0.0\n  License: MIT.\n\ntwo 2.0.0\n  License: MIT.\n")
    write_pins([ONE, TWO], [ONE, NEWER], tmp_path / "pinned.json", notice)
    assert list(pins(tmp_path / "pinned.json").values()) == [ONE, NEWER]
    assert notice.read_text() == "one 1.0.0\n  License: MIT.\n\ntwo 2.1.0\n  License: MIT.\n"


def facts(*functions: Mapping[str, Any], **keys: Any) -> dict[str, str]:
    namespace = {"namespace": "tabs", "functions": list(functions), **keys}
    return {"chrome/tabs.json": json.dumps({"namespaces": [namespace]}), "chrome/index.json": "{}"}


def test_summary_lists_added_removed_and_changed_members() -> None:
    before = facts({"name": "get"}, {"name": "old"}, types=[{"id": "Tab", "type": "object"}])
    kind = {"id": "Tab", "type": "object", "properties": {"id": {"type": "integer"}}}
    after = facts({"name": "get", "optional": True}, {"name": "new"}, types=[kind])
    lines = list(summary.changes_of_members(before, after))
    assert lines == [
        "## Members of chrome\n",
        "Added (2): `tabs.Tab.id`, `tabs.new`\n",
        "Removed (1): `tabs.old`\n",
        "Changed (1): `tabs.get`\n",
        "## Members of firefox\n",
        "No member was added, removed or changed.\n",
    ]


def test_summary_lists_members_with_other_versions() -> None:
    def compat(members: Mapping[str, Any]) -> dict[str, str]:
        return {"compat/tabs.json": json.dumps({"members": members}), "releases/releases.json": "{}"}

    before = compat({"tabs.get": {"chrome": ["5"]}, "tabs.same": {"chrome": ["5"]}})
    after = compat({"tabs.get": {"chrome": ["6"]}, "tabs.same": {"chrome": ["5"]}, "tabs.new": {}})
    assert list(summary.changes_of_versions(before, after)) == [
        "## Versions that have a member\n",
        "Added (1): `tabs.new`\n",
        "Changed (1): `tabs.get`\n",
    ]


def test_overloads_are_one_member() -> None:
    before, after = facts({"name": "get"}, {"name": "get", "deprecated": True}), facts({"name": "get"})
    assert "Changed (1): `tabs.get`\n" in list(summary.changes_of_members(before, after))


def test_added_type_is_one_entry_in_the_list() -> None:
    kind = {"id": "Tab", "properties": {"id": {"type": "integer"}}}
    assert "Added (2): `tabs.Tab`\n" in list(summary.changes_of_members(facts(), facts(types=[kind])))


def test_long_list_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "MAX_NAMES", 2)
    added = [{"name": name} for name in "abcd"]
    lines = list(summary.changes_of_members(facts(), facts(*added)))
    assert "Added (4): `tabs.a`, `tabs.b` and 2 more\n" in lines


def test_findings_are_compared() -> None:
    assert list(summary.changes_of_findings(["a", "b"], ["b", "c"]))[1:] == ["* new: c", "* gone: a"]
    assert list(summary.changes_of_findings(["a"], ["a"]))[1:] == ["No finding changes.\n"]


def test_answers_of_browsers_show_disagreements_only() -> None:
    answers = {"members": (0, ["same"]), "manifests": (1, ["differs"]), "ask": (2, ["no browser"])}
    text = "\n".join(summary.answers_of_browsers(answers))
    assert "* `members`: agrees" in text
    assert "* `manifests`: disagrees\n\n```\ndiffers\n```" in text
    assert "* `ask`: failed\n\n```\nno browser\n```" in text
    assert "same" not in text


def test_findings_in_examples_name_the_place_and_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update, "EXAMPLES", "examples/read-later")
    found = list(update.findings())
    assert any(each.startswith("chrome: examples/read-later/") for each in found)
    assert any(each.startswith("firefox: examples/read-later/") for each in found)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A schemas package with a file of facts, and a newer package on npm."""
    (tmp_path / "chrome").mkdir()
    (tmp_path / "chrome" / "tabs.json").write_text(facts({"name": "old"})["chrome/tabs.json"])
    monkeypatch.setattr(renewal, "SCHEMAS", tmp_path)
    monkeypatch.setattr(renewal, "DERIVED", ())
    monkeypatch.setattr(renewal, "sources_file", lambda _: {})
    monkeypatch.setattr(command_line, "pins", lambda: {"one": ONE, "two": TWO})
    monkeypatch.setattr(command_line, "newest_pins", lambda old, today: newest_pins(old, today, ask))
    monkeypatch.setattr(update, "findings", lambda: iter(()))
    written: list[list[Pin]] = []
    monkeypatch.setattr(command_line, "write_pins", lambda _, new: written.append(new))
    monkeypatch.setattr(command_line, "written", written, raising=False)
    return tmp_path


def run(file: Path) -> Result:
    return CliRunner().invoke(command_line.main, ["update", "--summary", str(file)])


def test_update_writes_facts_and_summary(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def step(packages: Packages) -> dict[str, str]:
        assert packages.pin("two").version == "2.1.0"
        return facts({"name": "new"})

    monkeypatch.setattr(renewal, "STEPS", (step,))
    result = run(checkout / "summary.md")
    assert result.exit_code == 0
    text = (checkout / "summary.md").read_text()
    assert "| two | 2.0.0 | 2.1.0 |" in text
    assert "| one |" not in text
    assert "Added (1): `tabs.new`" in text
    assert '"new"' in (checkout / "chrome" / "tabs.json").read_text()
    assert [each.version for each in command_line.written[0]] == ["1.0.0", "2.1.0"]  # type: ignore[attr-defined]


def test_stale_corrections_are_the_text_of_an_issue(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def step(_: Packages) -> dict[str, str]:
        report_stale("there is no tabs.one")
        report_stale("there is no tabs.two")
        return facts({"name": "new"})

    monkeypatch.setattr(renewal, "STEPS", (step,))
    result = run(checkout / "summary.md")
    assert result.exit_code == command_line.STALE
    text = (checkout / "summary.md").read_text()
    assert "* there is no tabs.one\n* there is no tabs.two\n" in text
    assert '"old"' in (checkout / "chrome" / "tabs.json").read_text()
    assert command_line.written == []  # type: ignore[attr-defined]


def test_nothing_changes_without_newer_packages(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_line, "newest_pins", lambda old, _: list(old))
    result = run(checkout / "summary.md")
    assert (result.exit_code, result.stdout) == (0, "The pinned packages are the newest ones.\n")
    assert not (checkout / "summary.md").exists()
