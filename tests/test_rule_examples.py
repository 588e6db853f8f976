"""The examples in each rule's documentation behave as documented.

EXTLINT_SNAPSHOTS=write updates the outputs that the site shows for them.
"""

from __future__ import annotations

import os
import re
import shlex
from base64 import b64decode
from pathlib import Path
from zipfile import ZipFile

import pytest
from harness import Files, lint, manifest
from images import png
from test_cli_snapshots import UPDATE_HINT

from extlint.cli.main import main
from extlint.registry import RULES, load, rules_in
from extlint.rule import When

HEADINGS = ["What it does", "Why is this bad", "Example", "Use instead"]
REFERENCES = "References"

OUTPUTS = Path(__file__).parent.parent / "docs" / "outputs"
"""The folder with a command and its output for each rule's example, as the site shows them."""

ARCHIVE = "extension.zip"
"""The name of an example that is checked as an archive."""

_RULE = re.compile(r" \w+\[([\w-]+)\] ")
"""Matches the rule of a finding in an output."""

_BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def sections(name: str) -> dict[str, str]:
    """Returns the documentation of a rule by heading, with its first line under the empty heading."""
    parts = re.split(r"^## (.+)$", load(name).__doc__ or "", flags=re.MULTILINE)
    return dict(zip(["", *parts[1::2]], [parts[0], *parts[2::2]], strict=True))


def example_files(text: str) -> Files:
    """Returns the files of an example, with a manifest that loads its scripts if it has none."""
    files: dict[str, str | bytes] = {
        name: b64decode(content) if language == "base64" else content
        for language, name, content in _BLOCK.findall(text)
    }
    if '"128": "icon.png"' in text:
        files.setdefault("icon.png", png(128))
    if any(name.endswith("manifest.json") for name in files):
        return files
    keys: dict[str, object] = {}
    if "background.js" in files:
        keys["background"] = {"service_worker": "background.js"}
    if "content.js" in files:
        keys["content_scripts"] = [{"matches": ["https://example.com/*"], "js": ["content.js"]}]
    return {"manifest.json": manifest(**keys), **files}


def documented_target(text: str) -> str:
    """Returns the target that a rule's description names, or the reference target."""
    found = re.search(r"`--target (\w+)`", text)
    return "reference" if found is None else found[1]


@pytest.mark.parametrize("name", RULES)
def test_recommended_replacement_has_no_findings(name: str) -> None:
    files = example_files(sections(name)["Use instead"])
    assert len(files) > 1 or "manifest.json" in sections(name)["Use instead"]
    rules = tuple(each for each, rule in RULES.items() if each == name or not rule.group.only_packed)
    found = lint(files, rules, documented_target(sections(name)["What it does"]))
    messages = "\n".join(f"{each.rule}: {each.message}" for each in found)
    assert not found, f"no rule may report anything about these files:\n{messages}"


@pytest.mark.parametrize("name", RULES)
def test_rule_documentation_has_all_sections(name: str) -> None:
    found = sections(name)
    assert list(found) in (["", *HEADINGS], ["", *HEADINGS, REFERENCES]), "other headings, or another order"
    assert [heading for heading, text in found.items() if not text.strip()] == [], "nothing below them"
    first = found[""].strip()
    assert first.startswith("Finds ")
    assert first.endswith(".")
    assert "\n" not in first


@pytest.mark.parametrize("name", rules_in("stores"))
def test_store_rules_list_their_references(name: str) -> None:
    assert REFERENCES in sections(name)


@pytest.fixture
def example_folder(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which has the files of a rule's example or an archive of them."""
    files = example_files(sections(name)["Example"])
    if RULES[name].requires(When.TOP_FOLDER):
        with ZipFile(tmp_path / ARCHIVE, "w") as archive:
            for path, content in files.items():
                archive.writestr(path, content)
        files = {}
    for path, content in files.items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
    for variable in ("EXTLINT_DEBUG", "FORCE_COLOR", "NO_COLOR", "GITHUB_ACTIONS"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def example_commands(name: str) -> list[str]:
    """Returns commands that may show a rule's example, the most convenient ones first."""
    target = documented_target(sections(name)["What it does"])
    options = ("", f" --select {name}", f" --target {target}", f" --target {target} --select {name}")
    path = f" {ARCHIVE}" if RULES[name].requires(When.TOP_FOLDER) else ""
    return [f"extlint check{path}{each}" for each in options]


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize("name", RULES)
def test_stored_output_matches_the_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    def output(command: str) -> str:
        main(shlex.split(command)[1:])
        return capsys.readouterr().out

    path = OUTPUTS / f"{name}.txt"
    if os.environ.get("EXTLINT_SNAPSHOTS") == "write":
        shown = ((command, output(command)) for command in example_commands(name))
        command, text = next(each for each in shown if set(_RULE.findall(each[1])) == {name})
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"$ {command}\n{text}", "utf-8", newline="\n")
    command, _, text = path.read_text("utf-8").removeprefix("$ ").partition("\n")
    assert text == output(command), UPDATE_HINT
    assert set(_RULE.findall(text)) == {name}, "the example has findings of only its rule"


def test_each_rule_has_a_stored_output() -> None:
    assert sorted(path.stem for path in OUTPUTS.iterdir()) == sorted(RULES)
