"""The rules, by name. A rule's module is imported when the rule is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from extlint.rule import RuleModule

RULES = {
    "missing-permission": "missing_permission",
    "unsupported-api": "unsupported_api",
    "unknown-api": "unknown_api",
    "wrong-context": "wrong_context",
    "wrong-manifest-version": "wrong_manifest_version",
    "missing-manifest-key": "missing_manifest_key",
    "missing-host-permission": "missing_host_permission",
    "lost-user-gesture": "lost_user_gesture",
    "too-new-api": "too_new_api",
    "deprecated-api": "deprecated_api",
    "invalid-argument": "invalid_argument",
    "wrong-argument-count": "wrong_argument_count",
    "callback-parameters": "callback_parameters",
    "unknown-result-field": "unknown_result_field",
    "impossible-comparison": "impossible_comparison",
    "invalid-json": "invalid_json",
    "duplicate-key": "duplicate_key",
    "duplicate-rule-id": "duplicate_rule_id",
    "missing-key": "missing_key",
    "invalid-value": "invalid_value",
    "unknown-key": "unknown_key",
    "deprecated-key": "deprecated_key",
    "conflicting-keys": "conflicting_keys",
    "unknown-permission": "unknown_permission",
    "unused-permission": "unused_permission",
    "missing-file": "missing_file",
    "unbuilt-file": "unbuilt_file",
    "unmatched-resource": "unmatched_resource",
    "unhandled-command": "unhandled_command",
    "invalid-image": "invalid_image",
    "wrong-image-size": "wrong_image_size",
    "unknown-locale": "unknown_locale",
    "missing-message": "missing_message",
    "undefined-placeholder": "undefined_placeholder",
    "invalid-syntax": "invalid_syntax",
    "missing-add-on-id": "missing_add_on_id",
    "refused-by-store": "refused_by_store",
    "missing-data-collection": "missing_data_collection",
    "contradictory-data-collection": "contradictory_data_collection",
    "long-name": "long_name",
    "long-description": "long_description",
    "missing-description": "missing_description",
    "missing-store-icon": "missing_store_icon",
    "store-key": "store_key",
    "store-update-url": "store_update_url",
    "unpublishable-version": "unpublishable_version",
    "wrong-browser-name": "wrong_browser_name",
}
"""Rule name to the module of `extlint_rules` that holds it, in the order in which rules are listed."""

STORES = (
    "missing-add-on-id",
    "refused-by-store",
    "missing-data-collection",
    "contradictory-data-collection",
    "long-name",
    "long-description",
    "missing-description",
    "missing-store-icon",
    "store-key",
    "store-update-url",
    "unpublishable-version",
    "wrong-browser-name",
)

GROUPS = {"stores": STORES}
"""Names that stand for several rules wherever rules are named by a user. A rule is of one group at most."""

GROUPS_RUN = {"stores": "on packed archives, and on folders if --select or --extend-select names it"}
"""Where the rules of a group run."""

OF_STORES = frozenset(STORES)
"""The rules of stores. Where the target is no browser they say nothing, and need not be imported."""

ABOUT_REQUESTS = frozenset({"missing-host-permission", "missing-permission"})
"""The rules about what the manifest does not request."""

FROM_ABSENCE = ABOUT_REQUESTS | {
    "missing-add-on-id",
    "missing-data-collection",
    "missing-description",
    "missing-file",
    "missing-manifest-key",
    "missing-store-icon",
    "unbuilt-file",
    "unhandled-command",
    "unmatched-resource",
    "unused-permission",
    "wrong-manifest-version",
}
"""The rules that reason from what the manifest or the package lacks."""

ABOUT_KEYS = {
    "duplicate-rule-id": "declarative_net_request",
    "unhandled-command": "commands",
    "unmatched-resource": "web_accessible_resources",
}
"""Rules about one key of the manifest, which need not be imported where it is not there."""


_REQUESTS = ("host_permissions", "optional_host_permissions", "optional_permissions", "permissions")
OF_KEYS = {
    "missing-add-on-id": ("applications", "browser_specific_settings"),
    "missing-data-collection": ("browser_specific_settings",),
    "missing-description": ("description",),
    "missing-host-permission": _REQUESTS,
    "missing-store-icon": ("icons",),
    "unhandled-command": ("commands",),
    "unmatched-resource": ("web_accessible_resources",),
    "unused-permission": _REQUESTS,
}
"""Rules that speak of the manifest's keys as they are written, and those keys; a tool may change them."""


def load(name: str) -> RuleModule:
    """The module of a rule. Raises KeyError for a name that is no rule's."""
    return cast("RuleModule", import_module(f"extlint_rules.{RULES[name]}"))
