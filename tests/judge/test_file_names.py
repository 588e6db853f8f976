"""The file names in a manifest that real browsers accept; skipped if none is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from thorough import some

from extlint_judge.browsers.processes import find
from extlint_judge.commands.file_names import OTHERS, PAGE, extlint_outcome, is_false_alarm, probes, verdicts
from extlint_judge.manifests.verdicts import ACCEPTED, REFUSED

SAMPLE = 7
"""One in this many names is tried: every key has at least this many names, so each key is tried."""


def _is_special(key: str, name: str) -> bool:
    return key == "devtools_page" or name == f"/{PAGE}#/"


@pytest.mark.parametrize("browser", some(["firefox", "chromium"], 2))
def test_file_names_accepted_by_the_browser_are_not_reported(browser: str, tmp_path: Path) -> None:
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    tested_probes = [
        each for number, each in enumerate(probes(browser)) if number % SAMPLE == 0 or _is_special(*each[:2])
    ]
    observed = verdicts(browser, command, tmp_path, tested_probes)
    assert [
        (key, name)
        for (key, name, manifest), each in zip(tested_probes, observed, strict=True)
        if is_false_alarm(name, each, extlint_outcome(browser, manifest))
    ] == []
    answers = {
        (key, name): each.outcome for (key, name, _), each in zip(tested_probes, observed, strict=True)
    }
    assert answers["action/default_popup", f"/{PAGE}#/"] == ACCEPTED
    if browser == "chromium":
        assert {answers["devtools_page", name] for name in OTHERS} == {REFUSED}


def test_outcomes_of_extlint() -> None:
    outcomes = {
        (key, name): extlint_outcome("chromium", manifest) for key, name, manifest in probes("chromium")
    }
    assert outcomes["options_page", f"{PAGE}#/x"] == ACCEPTED
    assert outcomes["options_page", "sub/#/x"] == REFUSED
