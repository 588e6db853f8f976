"""A complete package with one mistake at a time: each has one finding, at its position, with a fix."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from harness import lint, text_under
from images import SVG, png
from thorough import in_turn

from extlint.analysis.cache.store import MemoryStore
from extlint.finding import Finding

TARGETS = ("reference", "firefox", "chrome")

VERSION_3 = """{
  "manifest_version": 3,
  "name": "__MSG_name__",
  "short_name": "Notes",
  "description": "__MSG_description__",
  "version": "2.10.3",
  "author": "The Notes people",
  "homepage_url": "https://notes.example/about",
  "default_locale": "en",
  "icons": {"16": "icons/16.png", "48": "icons/48.png", "128": "icons/128.png"},
  "action": {
    "default_title": "__MSG_name__",
    "default_icon": {"16": "icons/16.png"},
    "default_popup": "pages/popup.html"
  },
  "background": {
    "service_worker": "background.js",
    "scripts": ["background.js"],
    "type": "module"
  },
  "content_scripts": [
    {
      "matches": ["https://*.example.com/*", "*://notes.example/read/*"],
      "exclude_matches": ["https://login.example.com/*"],
      "include_globs": ["*article*"],
      "js": ["content/reader.js"],
      "css": ["content/reader.css"],
      "run_at": "document_idle",
      "all_frames": true
    }
  ],
  "options_ui": {"page": "pages/options.html", "open_in_tab": true},
  "permissions": ["storage", "alarms", "declarativeNetRequest", "activeTab", "scripting"],
  "optional_permissions": ["bookmarks"],
  "host_permissions": ["https://api.notes.example/*"],
  "commands": {
    "save-note": {
      "suggested_key": {"default": "Ctrl+Shift+Y", "mac": "Command+Shift+Y"},
      "description": "Save what is selected"
    },
    "_execute_action": {"suggested_key": {"default": "Alt+N"}}
  },
  "content_security_policy": {"extension_pages": "script-src 'self'; object-src 'self'"},
  "web_accessible_resources": [
    {"resources": ["assets/*.svg"], "matches": ["https://*.example.com/*"]}
  ],
  "declarative_net_request": {
    "rule_resources": [
      {"id": "trackers", "enabled": true, "path": "rules/trackers.json"},
      {"id": "headers", "enabled": false, "path": "rules/headers.json"}
    ]
  },
  "omnibox": {"keyword": "note"},
  "devtools_page": "pages/devtools.html",
  "incognito": "spanning",
  "minimum_chrome_version": "121",
  "browser_specific_settings": {
    "gecko": {
      "id": "notes@notes.example",
      "strict_min_version": "140.0",
      "data_collection_permissions": {"required": ["none"]}
    }
  }
}
"""

VERSION_2 = """{
  "manifest_version": 2,
  "name": "__MSG_name__",
  "description": "__MSG_description__",
  "version": "2.10.3",
  "default_locale": "en",
  "icons": {"16": "icons/16.png", "48": "icons/48.png", "128": "icons/128.png"},
  "browser_action": {"default_icon": "icons/16.png", "default_popup": "pages/popup.html"},
  "background": {"scripts": ["background.js"], "persistent": false},
  "content_scripts": [
    {"matches": ["https://*.example.com/*"], "js": ["content/reader.js"], "css": ["content/reader.css"]}
  ],
  "options_ui": {"page": "pages/options.html"},
  "permissions": ["storage", "alarms", "activeTab", "https://api.notes.example/*"],
  "optional_permissions": ["bookmarks"],
  "commands": {"save-note": {"suggested_key": {"default": "Ctrl+Shift+Y"}, "description": "Save"}},
  "content_security_policy": "script-src 'self'; object-src 'self'",
  "web_accessible_resources": ["assets/*.svg"],
  "browser_specific_settings": {
    "gecko": {
      "id": "notes@notes.example",
      "strict_min_version": "140.0",
      "data_collection_permissions": {"required": ["none"]}
    }
  }
}
"""

THEME = """{
  "manifest_version": 3,
  "name": "Dusk",
  "version": "1.0",
  "theme": {
    "images": {"theme_frame": "frame.png"},
    "colors": {"frame": [40, 40, 60], "tab_background_text": [255, 255, 255]}
  },
  "browser_specific_settings": {"gecko": {"id": "dusk@notes.example"}}
}
"""

BACKGROUND_3 = """
chrome.commands.onCommand.addListener((command) => {
  if (command === "save-note") chrome.storage.local.set({ saved: Date.now() });
});
chrome.alarms.get("sync", (alarm) => {
  if (!alarm) chrome.alarms.create("sync", { periodInMinutes: 5 });
});
chrome.alarms.onAlarm.addListener(async () => {
  await fetch("https://api.notes.example/sync");
});
chrome.runtime.onMessage.addListener(async (message, sender) => {
  const target = { tabId: sender.tab.id };
  await chrome.scripting.executeScript({ target, files: ["content/mark.js"] });
});
chrome.omnibox.onInputEntered.addListener((text) => {
  chrome.tabs.create({ url: "https://notes.example/find?q=" + text });
});
"""

BACKGROUND_2 = """
chrome.commands.onCommand.addListener((command) => {
  if (command === "save-note") chrome.storage.local.set({ saved: Date.now() });
});
chrome.alarms.get("sync", (alarm) => {
  if (!alarm) chrome.alarms.create("sync", { periodInMinutes: 5 });
});
chrome.alarms.onAlarm.addListener(() => fetch("https://api.notes.example/sync"));
chrome.tabs.onActivated.addListener(({ tabId }) => {
  chrome.tabs.executeScript(tabId, { file: "content/mark.js" }, () => chrome.runtime.lastError);
});
"""

POPUP = """<!doctype html>
<html>
  <head>
    <link rel="stylesheet" href="popup.css">
    <script src="popup.js"></script>
  </head>
  <body><img src="../icons/48.png"><a href="options.html">More</a></body>
</html>
"""

MESSAGES = """{
  "name": {"message": "Notes", "description": "The name of the extension"},
  "description": {"message": "Keeps what you select."},
  "saved": {
    "message": "Saved $COUNT$ notes",
    "placeholders": {"count": {"content": "$1", "example": "3"}}
  },
  "greeting": {"message": "Hello"}
}
"""

TRACKERS = """[
  {
    "id": 1,
    "priority": 1,
    "action": {"type": "block"},
    "condition": {"urlFilter": "||tracker.example^", "resourceTypes": ["script", "image"]}
  },
  {
    "id": 2,
    "action": {"type": "allow"},
    "condition": {"regexFilter": "^https://cdn[.]example/[a-z]+$", "requestMethods": ["get"]}
  }
]
"""

HEADERS = """[
  {
    "id": 1,
    "action": {
      "type": "modifyHeaders",
      "requestHeaders": [{"header": "referer", "operation": "remove"}]
    },
    "condition": {"initiatorDomains": ["notes.example"], "resourceTypes": ["xmlhttprequest"]}
  }
]
"""

Package = dict[str, str | bytes]

FILES: Package = {
    "_locales/en/messages.json": MESSAGES,
    "_locales/de/messages.json": '{"greeting": {"message": "Hallo"}}',
    "icons/16.png": png(16),
    "icons/48.png": png(48),
    "icons/128.png": png(128),
    "assets/logo.svg": SVG,
    "content/reader.js": 'document.body.title = chrome.i18n.getMessage("greeting");',
    "content/reader.css": "body { color: black }",
    "content/mark.js": 'document.title = "*" + document.title;',
    "pages/popup.html": POPUP,
    "pages/popup.css": "body { margin: 0 }",
    "pages/popup.js": 'document.title = chrome.i18n.getMessage("saved", ["3"]);',
    "pages/options.html": '<!doctype html><script src="options.js"></script>',
    "pages/options.js": 'onclick = () => chrome.permissions.request({ permissions: ["bookmarks"] });',
}

FOR_CHROME = """{
  "manifest_version": 3,
  "name": "Panel",
  "description": "Stands at the side.",
  "version": "1.0",
  "icons": {"128": "128.png"},
  "permissions": ["sidePanel"],
  "side_panel": {"default_path": "panel.html"},
  "background": {"service_worker": "worker.js"}
}
"""

PACKAGES: dict[str, Package] = {
    "version 3": {
        **FILES,
        "manifest.json": VERSION_3,
        "background.js": BACKGROUND_3,
        "pages/devtools.html": '<!doctype html><script src="devtools.js"></script>',
        "pages/devtools.js": 'chrome.devtools.panels.create("Notes", "icons/16.png", "pages/popup.html");',
        "rules/trackers.json": TRACKERS,
        "rules/headers.json": HEADERS,
    },
    "version 2": {**FILES, "manifest.json": VERSION_2, "background.js": BACKGROUND_2},
    "theme": {"manifest.json": THEME, "frame.png": png(300, 200)},
    "for Chrome": {
        "manifest.json": FOR_CHROME,
        "128.png": png(128),
        "panel.html": "<!doctype html><title>Panel</title>",
        "worker.js": "chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });",
        "worker.ts": "export const opens: boolean = true;",
    },
}


@pytest.mark.parametrize(
    ("package", "target"),
    [
        pytest.param(package, target, id=f"{package}, {target}")
        for package in PACKAGES
        for target in TARGETS
        if (package, target) != ("for Chrome", "firefox")
    ],
)
def test_correct_package_has_no_findings(package: str, target: str) -> None:
    assert findings_of(PACKAGES[package], package, target) == []


NOTES = frozenset({"in Chrome, `background.scripts` was removed in Manifest V3; Firefox supports it"})
"""The notes about the correct packages, which are for both browsers."""


CACHE = MemoryStore()
"""The cached results of scripts, since one mistake leaves most of a package unchanged."""


def findings_of(files: Package, package: str, target: str) -> list[Finding]:
    """Returns the findings except these notes, for the last Chrome version that loads the package."""
    if package == "version 2" and target == "chrome":
        target = "chrome<=138"
    return [each for each in lint(files, target=target, store=CACHE) if each.message not in NOTES]


class Planted(NamedTuple):
    """An edit of one file, and the only finding that it causes."""

    old: str
    """The replaced text, which occurs once in the file, or an empty string to replace the entire file."""
    new: str | bytes
    rule: str
    at: str
    """The source text of the finding, or its start and end around `...` if it is long."""
    message_part: str
    """A part of the message or the help."""
    file: str = "manifest.json"
    package: str = "version 3"
    targets: tuple[str, ...] = TARGETS


CHROME = ("chrome",)
FIREFOX = ("firefox",)

KEYS = {
    "a misspelled key of the rule files": Planted(
        '"declarative_net_request"',
        '"declarative_net_requests"',
        "unknown-key",
        '"declarative_net_requests"',
        "did you mean `declarative_net_request`?",
    ),
    "a key that is misspelled and asked for by stores": Planted(
        '"icons":', '"icon":', "unknown-key", '"icon"', "did you mean `icons`?"
    ),
    "a misspelled theme": Planted(
        '"theme":', '"themes":', "unknown-key", '"themes"', "did you mean `theme`?", package="theme"
    ),
    "a part of a theme": Planted(
        '"colors":', '"colours":', "unknown-key", '"colours"', "did you mean `colors`?", package="theme"
    ),
    "a key that one browser has": Planted(
        '"side_panel"',
        '"side_pannel"',
        "unknown-key",
        '"side_pannel"',
        "did you mean `side_panel`?",
        package="for Chrome",
        targets=("reference", "chrome"),
    ),
    "a letter is missing in a key": Planted(
        '"commands":', '"comands":', "unknown-key", '"comands"', "did you mean `commands`?"
    ),
    "a key in other letter case": Planted(
        '"homepage_url":', '"homepage_URL":', "unknown-key", '"homepage_URL"', "did you mean `homepage_url`?"
    ),
    "a key with a hyphen": Planted(
        '"content_scripts":',
        '"content-scripts":',
        "unknown-key",
        '"content-scripts"',
        "did you mean `content_scripts`?",
    ),
    "a required key with two letters swapped": Planted(
        '"version": "2', '"verison": "2', "unknown-key", '"verison"', "did you mean `version`?"
    ),
    "a key of a content script in camel case": Planted(
        '"run_at"', '"runAt"', "unknown-key", '"runAt"', "did you mean `run_at`?"
    ),
    "a required key of a content script without its last letters": Planted(
        '"matches": ["https://*.example.com/*", "*',
        '"match": ["https://*.example.com/*", "*',
        "unknown-key",
        '"match"',
        "did you mean `matches`?",
    ),
    "a key of the action": Planted(
        '"default_popup"',
        '"default_pop_up"',
        "unknown-key",
        '"default_pop_up"',
        "did you mean `default_popup`?",
    ),
    "a key of the background": Planted(
        '"service_worker"',
        '"service_workers"',
        "unknown-key",
        '"service_workers"',
        "did you mean `service_worker`?",
    ),
    "a key of a command": Planted(
        '"suggested_key": {"default": "Ctrl',
        '"suggested_keys": {"default": "Ctrl',
        "unknown-key",
        '"suggested_keys"',
        "did you mean `suggested_key`?",
    ),
    "a platform of a command": Planted(
        '"mac": "Command',
        '"macos": "Command',
        "unknown-key",
        '"macos"',
        "unknown key `macos` in `suggested_key`",
    ),
    "a key of the policies": Planted(
        '"extension_pages"', '"extension_page"', "unknown-key", '"extension_page"', "`extension_pages`?"
    ),
    "a required key of web accessible resources": Planted(
        '"resources":', '"resource":', "unknown-key", '"resource"', "did you mean `resources`?"
    ),
    "a key of a ruleset": Planted(
        '"enabled": true', '"enable": true', "unknown-key", '"enable"', "did you mean `enabled`?"
    ),
    "a key of the settings for Firefox": Planted(
        '"strict_min_version"',
        '"strict_min_versoin"',
        "unknown-key",
        '"strict_min_versoin"',
        "did you mean `strict_min_version`?",
        targets=("reference", "firefox"),
    ),
    "a key of the options page": Planted(
        '"open_in_tab"', '"open_in_tabs"', "unknown-key", '"open_in_tabs"', "did you mean `open_in_tab`?"
    ),
    "a required key is missing": Planted(
        '  "version": "2.10.3",\n', "", "missing-key", "{...}", "is missing the required key `version`"
    ),
    "a required key of a content script is missing": Planted(
        '"matches": ["https://*.example.com/*", "*://notes.example/read/*"],',
        "",
        "missing-key",
        "{...}",
        "is missing the required key `matches`",
    ),
    "a required key of a ruleset is missing": Planted(
        '"id": "headers", ', "", "missing-key", '{"enabled": false, ...}', "is missing the required key `id`"
    ),
    "the required key of the omnibox is missing": Planted(
        '"keyword": "note"', "", "missing-key", "{}", "is missing the required key `keyword`"
    ),
    "resources for nobody": Planted(
        ', "matches": ["https://*.example.com/*"]}',
        "}",
        "missing-key",
        '{"resources": ["assets/*.svg"]}',
        "`matches`",
    ),
    "a key twice": Planted(
        '"version": "2', '"name": "Notes", "version": "2', "duplicate-key", '"name"', "`name`"
    ),
    "a deprecated key": Planted(
        '"browser_specific_settings"',
        '"applications"',
        "deprecated-key",
        '"applications"',
        "use `browser_specific_settings`",
        package="version 2",
        targets=FIREFOX,
    ),
    "a key of another browser": Planted(
        '"background"',
        '"hidden": true, "background"',
        "unknown-key",
        '"hidden"',
        "the manifest key `hidden` is not available in Chrome; it is available in Firefox",
        package="for Chrome",
        targets=CHROME,
    ),
}

VALUES = {
    "a misspelled choice": Planted(
        '"document_idle"',
        '"document_idel"',
        "invalid-value",
        '"document_idel"',
        "did you mean `document_idle`?",
    ),
    "a choice in other letter case": Planted(
        '"spanning"', '"Spanning"', "invalid-value", '"Spanning"', "did you mean `spanning`?"
    ),
    "a choice that no browser has": Planted(
        '"type": "module"', '"type": "script"', "invalid-value", '"script"', "`module`"
    ),
    "a misspelled kind of data": Planted(
        '["none"]', '["non"]', "invalid-value", '"non"', "did you mean `none`?", targets=FIREFOX
    ),
    "a string for a list": Planted(
        '"js": ["content/reader.js"]',
        '"js": "content/reader.js"',
        "invalid-value",
        '"content/reader.js"',
        "must be a list, not a string",
    ),
    "a string for true": Planted(
        '"all_frames": true',
        '"all_frames": "true"',
        "invalid-value",
        '"true"',
        "must be true or false, not a string",
    ),
    "a number for a string": Planted(
        '"keyword": "note"',
        '"keyword": 5',
        "invalid-value",
        "5",
        "`keyword` must be a string, not a number",
    ),
    "a list for an object": Planted(
        '"options_ui": {"page": "pages/options.html", "open_in_tab": true}',
        '"options_ui": ["pages/options.html"]',
        "invalid-value",
        '["pages/options.html"]',
        "must be an object, not a list",
    ),
    "an object for a list": Planted(
        '"optional_permissions": ["bookmarks"]',
        '"optional_permissions": {"0": "bookmarks"}',
        "invalid-value",
        '{"0": "bookmarks"}',
        "must be a list, not an object",
    ),
    "a number among texts": Planted(
        '["*article*"]', '["*article*", 7]', "invalid-value", "7", "must be a string, not a number"
    ),
    "an empty list of patterns": Planted(
        '"matches": ["https://*.example.com/*", "*://notes.example/read/*"]',
        '"matches": []',
        "invalid-value",
        "[]",
        "`matches` must not be empty",
    ),
    "null among permissions": Planted(
        '"alarms"', '"alarms", null', "invalid-value", "null", "must be a string, not null"
    ),
    "null for a key that Firefox may lack": Planted(
        '"homepage_url": "https://notes.example/about"',
        '"homepage_url": null',
        "invalid-value",
        "null",
        "`homepage_url` must be a string",
        targets=CHROME,
    ),
    "a version with a word": Planted(
        '"2.10.3"', '"2.10.3-beta"', "invalid-value", '"2.10.3-beta"', "did you mean `2.10.3`?"
    ),
    "a version of five parts": Planted(
        '"2.10.3"',
        '"2.10.3.0.1"',
        "invalid-value",
        '"2.10.3.0.1"',
        "it has 5 numbers, but at most 4 are allowed",
    ),
    "a version with a zero before a number": Planted(
        '"2.10.3"', '"02.10.3"', "invalid-value", '"02.10.3"', "did you mean `2.10.3`?"
    ),
    "a version with a letter before it": Planted(
        '"2.10.3"', '"v2.10.3"', "invalid-value", '"v2.10.3"', "did you mean `2.10.3`?"
    ),
    "a version with a dot at its end": Planted(
        '"2.10.3"', '"2.10."', "invalid-value", '"2.10."', "did you mean `2.10`?"
    ),
    "a version that is a number": Planted(
        '"2.10.3"', "2.10", "invalid-value", "2.10", "must be a string, not a number"
    ),
    "a version with a comma": Planted(
        '"2.10.3"', '"2,10,3"', "invalid-value", '"2,10,3"', "did you mean `2.10.3`?"
    ),
    "a manifest version as a string": Planted(
        '"manifest_version": 3',
        '"manifest_version": "3"',
        "invalid-value",
        '"3"',
        "`manifest_version` must be a whole number, not a string",
    ),
    "a manifest version that does not exist": Planted(
        '"manifest_version": 3',
        '"manifest_version": 4',
        "invalid-value",
        "4",
        "must be 2 or 3, not `4`",
    ),
    "a misspelled manifest version": Planted(
        '"manifest_version"',
        '"manifest_verison"',
        "unknown-key",
        '"manifest_verison"',
        "did you mean `manifest_version`?",
    ),
    "a version of Chrome with a word": Planted(
        '"121"', '"Chrome 121"', "invalid-value", '"Chrome 121"', "did you mean `121`?", targets=CHROME
    ),
    "a version of Chrome that is a number": Planted(
        '"121"', "121", "invalid-value", "121", "must be a string, not a number", targets=CHROME
    ),
    "a version of Firefox with a comparison": Planted(
        '"140.0"', '">=140.0"', "invalid-value", '">=140.0"', "did you mean `140.0`?", targets=FIREFOX
    ),
    "an add-on id without its second half": Planted(
        '"notes@notes.example"', '"notes"', "invalid-value", '"notes"', "add-on id", targets=FIREFOX
    ),
    "an add-on id in brackets that is not a number": Planted(
        '"notes@notes.example"',
        '"{1234}"',
        "invalid-value",
        '"{1234}"',
        "add-on id",
        targets=FIREFOX,
    ),
    "a URL without its scheme": Planted(
        '"https://notes.example/about"',
        '"notes.example/about"',
        "invalid-value",
        '"notes.example/about"',
        "did you mean `https://notes.example/about`?",
    ),
    "a shortcut without a key": Planted(
        '"Ctrl+Shift+Y"', '"Ctrl+Shift+"', "invalid-value", '"Ctrl+Shift+"', "`Ctrl+Shift+`"
    ),
    "a shortcut with the whole name of a key": Planted(
        '"Ctrl+Shift+Y"',
        '"Control+Shift+Y"',
        "invalid-value",
        '"Control+Shift+Y"',
        "did you mean `Ctrl+Shift+Y`?",
    ),
    "a shortcut with hyphens": Planted(
        '"Alt+N"', '"Alt-N"', "invalid-value", '"Alt-N"', "did you mean `Alt+N`?"
    ),
    "a shortcut without a modifier": Planted(
        '"Alt+N"', '"N"', "invalid-value", '"N"', "it requires a modifier other than `Shift`"
    ),
    "a color with five digits": Planted(
        "[40, 40, 60]", '"#28283"', "invalid-value", '"#28283"', "color", package="theme", targets=FIREFOX
    ),
    "a misspelled color": Planted(
        "[40, 40, 60]",
        '"sliver"',
        "invalid-value",
        '"sliver"',
        "did you mean `silver`?",
        package="theme",
        targets=FIREFOX,
    ),
    "a color with four numbers and a large one": Planted(
        "[40, 40, 60]",
        "[40, 40, 256]",
        "invalid-value",
        "256",
        "255",
        package="theme",
        targets=FIREFOX,
    ),
    "a misspelled part of a theme": Planted(
        '"tab_background_text"',
        '"tab_backgroud_text"',
        "unknown-key",
        '"tab_backgroud_text"',
        "did you mean `tab_background_text`?",
        package="theme",
        targets=FIREFOX,
    ),
}

PATTERNS = {
    "a pattern without a scheme": Planted(
        '"https://login.example.com/*"',
        '"login.example.com/*"',
        "invalid-value",
        '"login.example.com/*"',
        "did you mean `*://login.example.com/*`?",
    ),
    "a pattern without a path": Planted(
        '"https://login.example.com/*"',
        '"https://login.example.com"',
        "invalid-value",
        '"https://login.example.com"',
        "did you mean `https://login.example.com/*`?",
    ),
    "a star within a host": Planted(
        '"https://login.example.com/*"',
        '"https://login.*.com/*"',
        "invalid-value",
        '"https://login.*.com/*"',
        "`*`",
    ),
    "a star without its dot": Planted(
        '"https://login.example.com/*"',
        '"https://*example.com/*"',
        "invalid-value",
        '"https://*example.com/*"',
        "did you mean `https://*.example.com/*`?",
    ),
    "a star for a top-level domain": Planted(
        '"https://login.example.com/*"',
        '"https://example.*/*"',
        "invalid-value",
        '"https://example.*/*"',
        "`*`",
    ),
    "a misspelled scheme": Planted(
        '"https://login.example.com/*"',
        '"htps://login.example.com/*"',
        "invalid-value",
        '"htps://login.example.com/*"',
        "did you mean `https://login.example.com/*`?",
    ),
    "a scheme that no content script can have": Planted(
        '"https://login.example.com/*"',
        '"chromee://settings/*"',
        "invalid-value",
        '"chromee://settings/*"',
        "scheme",
    ),
    "one slash after the scheme": Planted(
        '"https://login.example.com/*"',
        '"https:/login.example.com/*"',
        "invalid-value",
        '"https:/login.example.com/*"',
        "did you mean `https://login.example.com/*`?",
    ),
    "a star for the scheme without slashes": Planted(
        '"https://login.example.com/*"',
        '"*.example.com"',
        "invalid-value",
        '"*.example.com"',
        "did you mean `*://*.example.com/*`?",
    ),
    "all addresses with a letter too many": Planted(
        '"https://login.example.com/*"',
        '"<all_url>"',
        "invalid-value",
        '"<all_url>"',
        "did you mean `<all_urls>`?",
    ),
    "a pattern of hosts without a path": Planted(
        '"https://api.notes.example/*"',
        '"https://api.notes.example"',
        "invalid-value",
        '"https://api.notes.example"',
        "did you mean `https://api.notes.example/*`?",
    ),
    "a pattern of resources with a space": Planted(
        '"matches": ["https://*.example.com/*"]}',
        '"matches": ["https:// *.example.com/*"]}',
        "invalid-value",
        '"https:// *.example.com/*"',
        "match pattern",
    ),
    "a pattern of version 2 in the permissions": Planted(
        '"https://api.notes.example/*"',
        '"https://api.notes.example"',
        "invalid-value",
        '"https://api.notes.example"',
        "did you mean `https://api.notes.example/*`?",
        package="version 2",
    ),
}

MANIFEST_VERSIONS = {
    "the settings for Firefox of version 2": Planted(
        '"browser_specific_settings"',
        '"applications"',
        "wrong-manifest-version",
        '"applications"',
        "use `browser_specific_settings`",
        targets=FIREFOX,
    ),
    "the button of version 2": Planted(
        '"action":',
        '"browser_action":',
        "wrong-manifest-version",
        '"browser_action"',
        "use `action`",
    ),
    "the button of version 3": Planted(
        '"browser_action":',
        '"action":',
        "wrong-manifest-version",
        '"action"',
        "use `browser_action`",
        package="version 2",
    ),
    "hosts among the permissions": Planted(
        '"scripting"]',
        '"scripting", "https://more.notes.example/*"]',
        "wrong-manifest-version",
        '"https://more.notes.example/*"',
        "host_permissions",
    ),
    "hosts in a key of their own": Planted(
        '"permissions":',
        '"host_permissions": ["https://more.notes.example/*"], "permissions":',
        "wrong-manifest-version",
        '"host_permissions"',
        "permissions",
        package="version 2",
    ),
    "resources as a list of texts": Planted(
        '{"resources": ["assets/*.svg"], "matches": ["https://*.example.com/*"]}',
        '"assets/*.svg"',
        "wrong-manifest-version",
        "[...]",
        "`web_accessible_resources` as a list of strings",
    ),
    "resources as objects": Planted(
        '"assets/*.svg"',
        '{"resources": ["assets/*.svg"], "matches": ["https://*.example.com/*"]}',
        "wrong-manifest-version",
        "[...]",
        "`web_accessible_resources` as a list",
        package="version 2",
    ),
    "a policy as a text": Planted(
        """{"extension_pages": "script-src 'self'; object-src 'self'"}""",
        """"script-src 'self'; object-src 'self'\"""",
        "wrong-manifest-version",
        """"script-src 'self'; object-src 'self'\"""",
        "`content_security_policy` as a string",
    ),
    "a policy as an object": Planted(
        """"script-src 'self'; object-src 'self'\"""",
        """{"extension_pages": "script-src 'self'; object-src 'self'"}""",
        "wrong-manifest-version",
        "{...}",
        "`content_security_policy` as an object",
        package="version 2",
        targets=CHROME,
    ),
    "a background page that sleeps": Planted(
        '"type": "module"',
        '"persistent": false',
        "wrong-manifest-version",
        '"persistent"',
        "`background.persistent` was removed in Manifest V3",
    ),
    "scripts alone in the background": Planted(
        '"service_worker": "background.js",\n',
        "",
        "wrong-manifest-version",
        '"scripts"',
        "service_worker",
        targets=CHROME,
    ),
}

POLICIES = {
    "code from texts": Planted(
        "script-src 'self'; object-src 'self'",
        "script-src 'self' 'unsafe-eval'; object-src 'self'",
        "invalid-value",
        """"script-src 'self' 'unsafe-eval'; object-src 'self'\"""",
        "'unsafe-eval'",
    ),
    "scripts within pages": Planted(
        "script-src 'self'; object-src 'self'",
        "script-src 'self' 'unsafe-inline'; object-src 'self'",
        "invalid-value",
        """"script-src 'self' 'unsafe-inline'; object-src 'self'\"""",
        "'unsafe-inline'",
    ),
    "scripts of another host": Planted(
        "script-src 'self'; object-src 'self'",
        "script-src 'self' https://cdn.example; object-src 'self'",
        "invalid-value",
        """"script-src 'self' https://cdn.example; object-src 'self'\"""",
        "https://cdn.example",
    ),
    "a word without its quotes": Planted(
        "script-src 'self'; object-src 'self'",
        "script-src self; object-src 'self'",
        "invalid-value",
        """"script-src self; object-src 'self'\"""",
        "'self'",
    ),
    "a misspelled directive": Planted(
        "script-src 'self'; object-src 'self'",
        "scripts-src 'self'; object-src 'self'",
        "invalid-value",
        """"scripts-src 'self'; object-src 'self'\"""",
        "`script-src",
    ),
    "scripts of an unencrypted host in version 2": Planted(
        "script-src 'self'; object-src 'self'",
        "script-src 'self' http://cdn.example; object-src 'self'",
        "invalid-value",
        """"script-src 'self' http://cdn.example; object-src 'self'\"""",
        "http://cdn.example",
        package="version 2",
    ),
}

PERMISSIONS = {
    "a misspelled permission that a key of the manifest needs": Planted(
        '"declarativeNetRequest"',
        '"declarativeNetRequst"',
        "unknown-permission",
        '"declarativeNetRequst"',
        "did you mean `declarativeNetRequest`?",
    ),
    "a letter is missing in a permission": Planted(
        '"bookmarks"',
        '"bookmark"',
        "unknown-permission",
        '"bookmark"',
        "did you mean `bookmarks`?",
    ),
    "a permission in other letter case": Planted(
        '"activeTab"',
        '"ActiveTab"',
        "unknown-permission",
        '"ActiveTab"',
        "did you mean `activeTab`?",
    ),
    "a permission that does not exist": Planted(
        '"activeTab"',
        '"activeTab", "everything"',
        "unknown-permission",
        '"everything"',
        "unknown permission `everything`",
    ),
    "a permission that nothing uses": Planted(
        '"activeTab"',
        '"activeTab", "topSites"',
        "unused-permission",
        '"topSites"',
        "`topSites`",
        targets=("firefox", "chrome"),
    ),
}

NAMED_FILES = {
    "a script in other letter case": Planted(
        '"js": ["content/reader.js"]',
        '"js": ["content/Reader.js"]',
        "missing-file",
        '"content/Reader.js"',
        "`content/reader.js`",
    ),
    "a folder in other letter case": Planted(
        '"pages/options.html"',
        '"Pages/options.html"',
        "missing-file",
        '"Pages/options.html"',
        "`pages/options.html`",
    ),
    "a misspelled page": Planted(
        '"default_popup": "pages/popup.html"',
        '"default_popup": "pages/popoup.html"',
        "missing-file",
        '"pages/popoup.html"',
        "`pages/popup.html`",
    ),
    "a page without its folder": Planted(
        '"pages/devtools.html"',
        '"devtools.html"',
        "missing-file",
        '"devtools.html"',
        "no file `devtools.html`",
    ),
    "a style that is not there": Planted(
        '"css": ["content/reader.css"]',
        '"css": ["content/print.css"]',
        "missing-file",
        '"content/print.css"',
        "no file `content/print.css`",
    ),
    "an icon that is not there": Planted(
        '"48": "icons/48.png"', '"48": "icons/84.png"', "missing-file", '"icons/84.png"', "`icons/84.png`"
    ),
    "an icon with another ending": Planted(
        '"48": "icons/48.png"', '"48": "icons/48.jpg"', "missing-file", '"icons/48.jpg"', "`icons/48.png`"
    ),
    "a rule file that is not there": Planted(
        '"rules/headers.json"',
        '"rules/header.json"',
        "missing-file",
        '"rules/header.json"',
        "`rules/headers.json`",
    ),
    "a background that is not there": Planted(
        '"service_worker": "background.js"',
        '"service_worker": "backgroud.js"',
        "missing-file",
        '"backgroud.js"',
        "`background.js`",
    ),
    "a style of a page": Planted(
        '"popup.css"',
        '"popop.css"',
        "missing-file",
        "popop.css",
        "did you mean `pages/popup.css`?",
        file="pages/popup.html",
    ),
    "a script of a page": Planted(
        '"popup.js"',
        '"popup.mjs"',
        "missing-file",
        "popup.mjs",
        "did you mean `pages/popup.js`?",
        file="pages/popup.html",
    ),
    "an image of a page": Planted(
        '"../icons/48.png"',
        '"icons/48.png"',
        "missing-file",
        "icons/48.png",
        "no file `pages/icons/48.png`",
        file="pages/popup.html",
    ),
    "resources that match nothing": Planted(
        '"assets/*.svg"', '"asset/*.svg"', "unmatched-resource", '"asset/*.svg"', "assets/*.svg"
    ),
    "resources that match nothing in version 2": Planted(
        '"assets/*.svg"',
        '"assets/*.png"',
        "unmatched-resource",
        '"assets/*.png"',
        "`assets/*.png`",
        package="version 2",
    ),
    "a source that was never built": Planted(
        '"js": ["content/reader.js"]',
        '"js": ["content/reader.ts"]',
        "missing-file",
        '"content/reader.ts"',
        "did you mean `content/reader.js`?",
    ),
    "a source where its script is meant": Planted(
        '"service_worker": "worker.js"',
        '"service_worker": "worker.ts"',
        "unbuilt-file",
        '"worker.ts"',
        "worker.js",
        package="for Chrome",
        targets=("reference", "chrome"),
    ),
    "an icon of another size": Planted(
        '"48": "icons/48.png"', '"48": "icons/16.png"', "wrong-image-size", '"icons/16.png"', "16"
    ),
    "an icon that is a text": Planted(
        "", b"\x89NOT AN IMAGE", "invalid-image", '"icons/48.png"', "`icons/48.png`", file="icons/48.png"
    ),
    "an icon that Chrome cannot draw": Planted(
        '"48": "icons/48.png"',
        '"48": "assets/logo.svg"',
        "invalid-image",
        '"assets/logo.svg"',
        "SVG",
        targets=CHROME,
    ),
    "a command for the browser itself, misspelled": Planted(
        '"_execute_action"',
        '"_execute_acton"',
        "unhandled-command",
        '"_execute_acton"',
        "did you mean `_execute_action`?",
    ),
    "a command with another name than in the script": Planted(
        '"save-note":', '"save-notes":', "impossible-comparison", '"save-note"', "did you mean `save-notes`?"
    ),
}

LOCALES = {
    "a locale that is not there": Planted(
        '"default_locale": "en"',
        '"default_locale": "fr"',
        "missing-file",
        '"fr"',
        "`_locales/fr/messages.json`",
    ),
    "a locale in other letter case": Planted(
        '"default_locale": "en"',
        '"default_locale": "EN"',
        "missing-file",
        '"EN"',
        "only `_locales/en/messages.json`, which differs in letter case",
        targets=("reference", "firefox"),
    ),
    "a locale that Chrome reads in lower case alone": Planted(
        '"default_locale": "en"',
        '"default_locale": "EN"',
        "invalid-value",
        '"EN"',
        "did you mean `en`?",
        targets=CHROME,
    ),
    "a locale of a region": Planted(
        '"default_locale": "en"', '"default_locale": "en_US"', "missing-file", '"en_US"', "did you mean `en`?"
    ),
    "no default locale": Planted(
        '  "default_locale": "en",\n', "", "missing-key", "{...}", "`default_locale`"
    ),
    "a message with a letter too few": Planted(
        '"description": "__MSG_description__"',
        '"description": "__MSG_descripton__"',
        "missing-message",
        '"__MSG_descripton__"',
        "`description`",
    ),
    "a message that the code asks for": Planted(
        'getMessage("saved"',
        'getMessage("save"',
        "missing-message",
        '"save"',
        "`saved`",
        file="pages/popup.js",
    ),
    "a message that another locale has": Planted(
        '"greeting": {"message": "Hello"}',
        '"hello": {"message": "Hello"}',
        "missing-message",
        '"greeting"',
        "the default locale `en` has no message `greeting`; `de` has it",
        file="_locales/en/messages.json",
    ),
    "a misspelled key of a message": Planted(
        '"greeting": {"message"',
        '"greeting": {"mesage"',
        "unknown-key",
        '"mesage"',
        "did you mean `message`?",
        file="_locales/en/messages.json",
    ),
    "a message without its text": Planted(
        '"greeting": {"message": "Hello"}',
        '"greeting": {"description": "At the top"}',
        "missing-key",
        '{"description": "At the top"}',
        "`message`",
        file="_locales/en/messages.json",
    ),
    "a message that is a text alone": Planted(
        '"greeting": {"message": "Hello"}',
        '"greeting": "Hello"',
        "invalid-value",
        '"Hello"',
        "must be an object, not a string",
        file="_locales/en/messages.json",
    ),
    "a misspelled placeholder": Planted(
        "$COUNT$",
        "$COUNTS$",
        "undefined-placeholder",
        '"Saved $COUNTS$ notes"',
        "did you mean `$count$`?",
        file="_locales/en/messages.json",
    ),
    "a placeholder without its text": Planted(
        '"content": "$1"',
        '"contents": "$1"',
        "unknown-key",
        '"contents"',
        "did you mean `content`?",
        file="_locales/en/messages.json",
    ),
    "a comma after the last message": Planted(
        '"Hello"}',
        '"Hello"},',
        "invalid-json",
        ",",
        "unexpected comma before `}`",
        file="_locales/en/messages.json",
    ),
}

REQUEST_RULES = {
    "a misspelled type of requests": Planted(
        '"image"',
        '"images"',
        "invalid-value",
        '"images"',
        "did you mean `image`?",
        file="rules/trackers.json",
    ),
    "a misspelled type of actions": Planted(
        '"block"', '"blok"', "invalid-value", '"blok"', "did you mean `block`?", file="rules/trackers.json"
    ),
    "a method in capital letters": Planted(
        '"get"', '"GET"', "invalid-value", '"GET"', "`GET`", file="rules/trackers.json"
    ),
    "a number twice": Planted(
        '"id": 2', '"id": 1', "duplicate-rule-id", "1", "1", file="rules/trackers.json"
    ),
    "a number below one": Planted(
        '"id": 2', '"id": 0', "invalid-value", "0", "`0`", file="rules/trackers.json"
    ),
    "no action": Planted(
        '"action": {"type": "allow"},',
        "",
        "missing-key",
        "{...}",
        "is missing the required key `action`",
        file="rules/trackers.json",
    ),
    "a misspelled action": Planted(
        '"action": {"type": "allow"}',
        '"actions": {"type": "allow"}',
        "unknown-key",
        '"actions"',
        "did you mean `action`?",
        file="rules/trackers.json",
    ),
    "a misspelled condition": Planted(
        '"urlFilter"',
        '"urlFitler"',
        "unknown-key",
        '"urlFitler"',
        "did you mean `urlFilter`?",
        file="rules/trackers.json",
    ),
    "a bracket that is never closed": Planted(
        "[a-z]+$",
        "[a-z+$",
        "invalid-value",
        '"^https://cdn[.]example/[a-z+$"',
        "",
        file="rules/trackers.json",
    ),
    "an operation that does not exist": Planted(
        '"remove"', '"delete"', "invalid-value", '"delete"', "`remove`", file="rules/headers.json"
    ),
    "a domain with its scheme": Planted(
        '"notes.example"',
        '"https://notes.example"',
        "invalid-value",
        '"https://notes.example"',
        "`https://notes.example`",
        file="rules/headers.json",
        targets=FIREFOX,
    ),
    "a ruleset id twice": Planted(
        '"id": "headers"', '"id": "trackers"', "invalid-value", '"trackers"', "`trackers`"
    ),
    "an id of a ruleset that browsers keep for themselves": Planted(
        '"id": "headers"', '"id": "_headers"', "invalid-value", '"_headers"', "_", targets=()
    ),
}

COMBINATIONS = {
    "a page beside scripts": Planted(
        '"scripts": ["background.js"], "persistent"',
        '"scripts": ["background.js"], "page": "pages/options.html", "persistent"',
        "conflicting-keys",
        '"page"',
        "`scripts`",
        package="version 2",
    ),
    "two buttons": Planted(
        '"background": {"scripts"',
        '"page_action": {}, "background": {"scripts"',
        "conflicting-keys",
        '"page_action"',
        "`browser_action`",
        package="version 2",
        targets=CHROME,
    ),
    "two new pages": Planted(
        '"incognito"',
        '"chrome_url_overrides": {"newtab": "pages/popup.html", "history": "pages/popup.html"}, "incognito"',
        "conflicting-keys",
        '"history"',
        "`newtab`",
        targets=CHROME,
    ),
    "a theme with a button": Planted(
        '"theme": {',
        '"action": {}, "theme": {',
        "conflicting-keys",
        '"action"',
        "`action` cannot be used together with `theme`",
        package="theme",
        targets=FIREFOX,
    ),
}

MISTAKES = {
    **KEYS,
    **VALUES,
    **PATTERNS,
    **MANIFEST_VERSIONS,
    **POLICIES,
    **PERMISSIONS,
    **NAMED_FILES,
    **LOCALES,
    **REQUEST_RULES,
    **COMBINATIONS,
}


def with_mistake(planted: Planted) -> Package:
    files = PACKAGES[planted.package]
    content = files[planted.file]
    if not planted.old:
        return {**files, planted.file: planted.new}
    assert isinstance(content, str)
    assert isinstance(planted.new, str)
    assert content.count(planted.old) == 1
    return {**files, planted.file: content.replace(planted.old, planted.new)}


@pytest.mark.parametrize(
    ("planted", "target"),
    [
        pytest.param(each, target, id=f"{name}, {target}")
        for (name, each), target in in_turn((item, item[1].targets) for item in MISTAKES.items())
    ],
)
def test_mistake_is_one_finding_at_its_position(planted: Planted, target: str) -> None:
    files = with_mistake(planted)
    (finding,) = findings_of(files, planted.package, target)
    assert finding.rule == planted.rule
    begin, _, end = planted.at.partition("...")
    text = text_under(files, finding)
    assert text == planted.at if not end else text.startswith(begin) and text.endswith(end)
    assert planted.message_part in f"{finding.message}; {finding.help}"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("old", "new"), [('"alarms"', '"alarm"'), ('"alarms"', '"Alarms"'), ('"permissions":', '"permission":')]
)
def test_misspelled_permission_is_also_reported_at_its_uses(old: str, new: str, target: str) -> None:
    files = {**PACKAGES["version 3"], "manifest.json": VERSION_3.replace(old, new)}
    findings = findings_of(files, "version 3", target)
    (typo, *uses) = sorted(findings, key=lambda each: each.rule == "missing-permission")
    assert text_under(files, typo) == new.rstrip(":")
    assert {each.rule for each in uses} == {"missing-permission"}
    in_scripts = [each.help for each in uses if each.path == "background.js"]
    wrong, right = (each.strip('":') for each in (new, old))
    assert set(in_scripts) == {f'replace "{wrong}" with "{right}" in manifest.json'}
