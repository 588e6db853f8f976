"""The requests of a manifest: permissions, keys that stand for one, and access to unknown APIs."""

from __future__ import annotations

from extlint.manifest.manifest import (
    ALL_URLS,
    HOST_PERMISSIONS,
    PERMISSIONS,
    Manifest,
    has_key,
    key_of_permission,
)
from extlint.schema.model import MANIFEST_KEY_PREFIX

_KEYS_OF_GESTURES = ("action", "browser_action", "page_action", "commands", "omnibox")
_PERMISSIONS_OF_GESTURES = frozenset({"contextMenus", "menus"})
_KEYS_OF_OTHER_APIS = ("app", "experiment_apis")


def is_requested(manifest: Manifest, permission: str) -> bool:
    """Whether a manifest requests a permission, optional or not, or has the key of `manifest:KEY.KEY`.

    An API that requires `<all_urls>` accepts no other match pattern. Manifest V3 ignores it in `permissions`.
    """
    if permission.startswith(MANIFEST_KEY_PREFIX):
        return has_key(manifest, *permission.removeprefix(MANIFEST_KEY_PREFIX).split("."))
    return permission in manifest.permissions and not _is_misplaced(manifest, permission)


def _is_misplaced(manifest: Manifest, permission: str) -> bool:
    """Whether the only request for all hosts is in a list that Manifest V3 ignores."""
    if manifest.version != 3 or permission != ALL_URLS:
        return False
    whole = manifest.for_every_browser
    keys = (*HOST_PERMISSIONS, PERMISSIONS[1])
    return not any(name == permission for key in keys for name, _ in whole.strings(key))


def is_certainly_requested(manifest: Manifest, permission: str) -> bool:
    """Whether a manifest requests a permission that is not optional, or has the key `manifest:KEY.KEY`."""
    if permission.startswith(MANIFEST_KEY_PREFIX):
        return manifest.get(*permission.removeprefix(MANIFEST_KEY_PREFIX).split(".")) is not None
    key = key_of_permission(permission, manifest.version)
    return any(name == permission for name, _ in manifest.strings(key))


def may_have_unknown_namespaces(manifest: Manifest) -> bool:
    """Whether scripts may have namespaces that are not in the schemas: Chrome apps, experiments."""
    return any(manifest.get(key) is not None for key in _KEYS_OF_OTHER_APIS)


def may_grant_active_tab(manifest: Manifest) -> bool:
    """Whether a manifest has anything that allows a user to grant `activeTab` for a tab.

    This is a button, an item in a menu, a shortcut, or a keyword for the address bar.
    """
    return any(
        manifest.get(key) is not None for key in _KEYS_OF_GESTURES
    ) or not manifest.permissions.isdisjoint(_PERMISSIONS_OF_GESTURES)
