"""What took the place of keys, for those who still write them."""

from __future__ import annotations

INSTEAD: dict[tuple[int, str], str] = {
    (3, "applications"): "browser_specific_settings",
    (3, "browser_action"): "action",
    (3, "page_action"): "action",
    (3, "background.scripts"): "background.service_worker",
    (3, "background.page"): "background.service_worker",
    (3, "permissions[]"): "host_permissions",
    (3, "optional_permissions[]"): "optional_host_permissions",
    (3, "content_security_policy"): "an object with the policy under `extension_pages`",
    (2, "content_security_policy"): "only the string of `extension_pages`",
    (3, "web_accessible_resources"): "a list of objects with `resources` and `matches`",
    (2, "web_accessible_resources"): "a list of paths",
    (3, "commands._execute_browser_action"): "_execute_action",
    (3, "commands._execute_page_action"): "_execute_action",
    (3, "user_scripts"): "the permission `userScripts`",
    (2, "action"): "browser_action",
    (2, "browser_action.default_state"): "`browserAction.disable()`, or `action` in Manifest V3",
    (2, "page_action.default_state"): "`pageAction.show()`, or `action` in Manifest V3",
    (2, "content_scripts[].world"): "a `<script>` that the content script puts into the page",
    (2, "host_permissions"): "permissions",
    (2, "optional_host_permissions"): "optional_permissions",
    (2, "background.service_worker"): "background.scripts",
    (0, "applications"): "browser_specific_settings",
    (0, "accentcolor"): "frame",
    (0, "textcolor"): "tab_background_text",
    (0, "headerURL"): "theme_frame",
    (0, "domains"): "initiatorDomains",
    (0, "excludedDomains"): "excludedInitiatorDomains",
}
"""The key to write instead, by manifest version (0: both) and the path or name of the key."""
