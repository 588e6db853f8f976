"""The functions that return promises in the real Firefox; skipped if it is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from extlint_judge.browsers.processes import find
from extlint_judge.commands.promises import ERROR, disagreements, observe


def test_chrome_functions_return_no_promises_in_manifest_v2_in_firefox(tmp_path: Path) -> None:
    command = find("firefox")
    if command is None:
        pytest.skip("there is no firefox")
    observed = observe("firefox", command, tmp_path)
    assert disagreements(observed) == []
    assert 'can\'t access property "then"' in observed[f"2 {ERROR}"]
