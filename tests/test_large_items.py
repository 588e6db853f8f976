"""Items that are too large for the synchronized storage: `invalid-argument`."""

from __future__ import annotations

import pytest
from harness import lint, manifest

KEYS = {"permissions": ["storage"], "background": {"service_worker": "b.js", "scripts": ["b.js"]}}
SETS = "chrome.storage.sync.set({ %s });"

LARGE = {
    "a text": f"a: '{'x' * 8190}'",
    "a list": f"a: ['{'x' * 5000}', '{'y' * 5000}']",
    "an object": f"a: {{ b: '{'x' * 5000}', c: ['{'y' * 5000}'], d: unknown }}",
}
SMALL = {
    "a text": f"a: '{'x' * 8189}'",
    "two items": f"a: '{'x' * 5000}', b: '{'y' * 5000}'",
    "an unknown value": "a: unknown",
    "an item that may be missing": f"...(unknown ? {{ a: '{'x' * 9000}' }} : {{}})",
}


def messages(items: str, target: str, area: str = "sync") -> list[str]:
    """Returns the messages of the findings in a background."""
    files = {"manifest.json": manifest(**KEYS), "b.js": (SETS % items).replace("sync", area)}
    return [each.message for each in lint(files, ["invalid-argument"], target)]


@pytest.mark.parametrize("items", LARGE.values(), ids=LARGE)
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_large_item_is_reported(items: str, target: str) -> None:
    """Both browsers refuse the call."""
    assert messages(items, target) == ["`a` has more than 8,192 bytes, too many for `storage.sync`"]
    assert messages(items, target, "local") == []


@pytest.mark.parametrize("items", SMALL.values(), ids=SMALL)
def test_item_that_may_be_small(items: str) -> None:
    """Each item has its own limit."""
    assert messages(items, "chrome") == []
