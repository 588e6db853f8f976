"""What Thunderbird reads in a manifest and no browser does; as its documentation for version 140 lists it."""

from __future__ import annotations

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
        "sensitiveDataUpload",
    }
)
"""Names in lists of permissions."""
