"""The examples in the documentation of each rule do what the documentation says."""

from __future__ import annotations

import re
from base64 import b64decode

import pytest
from harness import Files, lint, manifest
from images import png

from extlint.registry import RULES, load, rules_in

HEADINGS = ["What it does", "Why is this bad", "Example", "Use instead"]
REFERENCES = "References"

_BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def sections(name: str) -> dict[str, str]:
    """The documentation of a rule by heading; its first line has the heading ``."""
    parts = re.split(r"^## (.+)$", load(name).__doc__ or "", flags=re.MULTILINE)
    return dict(zip(["", *parts[1::2]], [parts[0], *parts[2::2]], strict=True))


def files_in(text: str) -> Files:
    """The files that an example shows, with a manifest that loads its scripts if it shows none."""
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


def target_in(text: str) -> str:
    """The target that the text says a rule is for, if it does."""
    found = re.search(r"`--target (\w+)`", text)
    return "reference" if found is None else found[1]


@pytest.mark.parametrize("name", RULES)
def test_the_example_is_a_mistake(name: str) -> None:
    rules = list(RULES) if RULES[name].needs_findings else [name]
    findings = lint(files_in(sections(name)["Example"]), rules, target_in(sections(name)["What it does"]))
    assert {finding.rule for finding in findings} == {name}


@pytest.mark.parametrize("name", RULES)
def test_what_to_use_instead_is_right(name: str) -> None:
    files = files_in(sections(name)["Use instead"])
    assert len(files) > 1 or "manifest.json" in sections(name)["Use instead"]
    rules = tuple(each for each, rule in RULES.items() if each == name or not rule.group.only_packed)
    found = lint(files, rules, target_in(sections(name)["What it does"]))
    messages = "\n".join(f"{each.rule}: {each.message}" for each in found)
    assert not found, f"no rule may report anything about these files:\n{messages}"


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_documented(name: str) -> None:
    found = sections(name)
    assert list(found) in (["", *HEADINGS], ["", *HEADINGS, REFERENCES]), "other headings, or another order"
    assert [heading for heading, text in found.items() if not text.strip()] == [], "nothing below them"
    first = found[""].strip()
    assert first.startswith("Finds ")
    assert first.endswith(".")
    assert "\n" not in first


@pytest.mark.parametrize("name", rules_in("stores"))
def test_a_rule_about_stores_says_where_it_was_read(name: str) -> None:
    assert REFERENCES in sections(name)
