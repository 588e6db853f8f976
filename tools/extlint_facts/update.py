"""Renews the facts with the newest packages, and describes the result: what the scheduled workflow runs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from extlint_facts import renewal, summary
from extlint_facts.packages.pin import Pin

ROOT = Path(__file__).resolve().parents[2]

EXAMPLES = "examples"
"""The folder with the extensions whose findings are compared."""

QUESTIONS = tuple(
    (command, "--browser", browser, *options)
    for browser in ("chromium", "firefox")
    for command, *options in (("members", "--compare"), ("manifests",), ("refused-calls",))
)
"""The questions to browsers, as arguments of `extlint_judge`."""


def findings() -> Iterator[str]:
    """Yields the findings in the examples for each browser, in a process that reads the present facts."""
    for target in ("chrome", "firefox"):
        done = _run("-m", "extlint", "check", EXAMPLES, "--target", target, "--output-format", "json")
        for each in json.loads(done.stdout)["findings"]:
            place = f"{each['extension']}/{each['path']}:{each['start']['line']}"
            yield f"{target}: {place}: {each['rule']}: {each['message']}"


def ask_browsers() -> dict[str, tuple[int, list[str]]]:
    """Returns the exit code and the output of each question to the installed browsers."""
    answers = {}
    for question in QUESTIONS:
        done = _run("tools/extlint_judge", *question)
        answers[" ".join(question)] = done.returncode, (done.stdout + done.stderr).splitlines()
    return answers


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)


def apply(before: Mapping[str, str], after: Mapping[str, str], old: Sequence[Pin], new: Sequence[Pin]) -> str:
    """Writes renewed facts, and returns their summary in Markdown."""
    known = list(findings())
    renewal.write(renewal.SCHEMAS, before, after)
    sections = (
        summary.changes_of_packages(old, new),
        summary.changes_of_members(before, after),
        summary.changes_of_versions(before, after),
        summary.changes_of_files(before, after),
        summary.changes_of_findings(known, findings()),
    )
    return "\n".join(line for section in sections for line in section) + "\n"
