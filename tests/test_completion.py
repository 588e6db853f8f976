"""Shell completion, as computed by click's class for bash."""

from __future__ import annotations

import pytest
from click.shell_completion import BashComplete

from extlint.cli.program import extlint


@pytest.mark.parametrize(
    ("arguments", "incomplete", "completed"),
    [
        ([], "ch", ["check"]),
        (["check", "--select"], "missing-per", ["missing-permission"]),
        (["check", "--select"], "unknown-api,missing-per", ["unknown-api,missing-permission"]),
        (["check", "--select"], "store", ["store-key", "store-update-url", "stores"]),
        (["check", "--target"], "fire", ["firefox", "firefox_android"]),
        (["check", "--target"], "firefox,fire", ["firefox,firefox_android"]),
        (["check", "--fail-level"], "w", ["warning"]),
        (["check", "--color"], "a", ["auto", "always"]),
        (["check", "--output-format"], "sa", ["sarif"]),
        (["rule"], "manif", ["manifest"]),
        (["rule", "--output-format"], "", ["text", "json"]),
        (["schema"], "tabs.get", ["tabs.get", "tabs.getCurrent", "tabs.getZoom", "tabs.getZoomSettings"]),
        (["schema"], "sideP", ["sidePanel"]),
        (["schema"], "nothing.like", []),
        (["schema", "--target"], "saf", ["safari"]),
        (["permissions", "--target"], "edg", ["edge"]),
    ],
)
def test_completions(arguments: list[str], incomplete: str, completed: list[str]) -> None:
    shell = BashComplete(extlint, {}, "extlint", "_EXTLINT_COMPLETE")
    found = [each.value for each in shell.get_completions(arguments, incomplete)]
    if completed and completed[0].startswith("tabs"):
        assert set(completed) <= set(found)
        assert all(name.startswith(incomplete) for name in found)
    else:
        assert found == completed
