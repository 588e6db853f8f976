"""Manifest keys that only Thunderbird reads, from its documentation for version 147."""

from __future__ import annotations

from collections.abc import Iterator

NAME = "Thunderbird"

KEYS = frozenset(
    {
        "calendar_item_action",
        "calendar_item_details",
        "calendar_provider",
        "cloud_file",
        "compose_action",
        "compose_scripts",
        "message_display_action",
        "message_display_scripts",
    }
)
"""Keys at the top of the manifest."""

_BUTTON_KEYS = frozenset({"allowed_spaces", "default_label", "default_windows", "type"})
INNER_KEYS = {"action": _BUTTON_KEYS, "browser_action": _BUTTON_KEYS}
"""Keys inside of keys that browsers also read."""

PERMISSIONS = frozenset(
    {
        "accountsFolders",
        "accountsIdentities",
        "accountsRead",
        "addressBooks",
        "compose",
        "compose.save",
        "compose.send",
        "messagesDelete",
        "messagesImport",
        "messagesModify",
        "messagesModifyPermanent",
        "messagesMove",
        "messagesRead",
        "messagesTags",
        "messagesTagsList",
        "messagesUpdate",
        "messengerSettings",
        "sensitiveDataUpload",
    }
)
"""Names in lists of permissions."""


def key_paths() -> Iterator[tuple[str, ...]]:
    """Yields the paths of the keys that only Thunderbird reads."""
    yield from ((key,) for key in sorted(KEYS))
    yield from ((key, inner) for key, within in INNER_KEYS.items() for inner in sorted(within))
