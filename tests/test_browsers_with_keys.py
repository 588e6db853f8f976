"""The browsers that have a manifest key: Safari only if public data list the key."""

from __future__ import annotations

import pytest

from extlint.services.api_lookup.manifest_keys import find_key

TARGETS = ("firefox", "chrome", "edge", "safari")


@pytest.mark.parametrize(
    ("name", "targets"),
    [
        ("kiosk", ["chrome", "edge"]),
        ("tts_engine", ["chrome", "edge"]),
        ("tts_engine.voices", ["chrome", "edge"]),
        ("externally_connectable", ["chrome", "edge", "safari"]),
        ("action.default_title", ["firefox", "chrome", "edge", "safari"]),
    ],
)
def test_safari_is_named_only_if_it_certainly_has_a_key(name: str, targets: list[str]) -> None:
    found = find_key(name, TARGETS)
    assert found is not None
    assert list(found.types) == targets


def test_key_of_the_only_target_is_found() -> None:
    assert find_key("kiosk", ("safari",)) is not None
