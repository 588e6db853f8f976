"""A small extension for tests of what editors ask, and texts with `|` at the cursor."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from packages import package_of

from extlint.checking.report_of import Settings
from extlint.checking.settings import SettingsOf
from extlint.linting.configuration.configuration import Configuration
from extlint.package.files import Package
from extlint.text.positions import Position, TextIndex

MESSAGES = {
    "title": {"message": "My List", "description": "The name."},
    "Greeting": {
        "message": "Hello $NAME$, $1",
        "placeholders": {"name": {"content": "$1", "example": "Ada"}, "day": {"content": "$2"}},
    },
}
MANIFEST = {
    "manifest_version": 3,
    "name": "__MSG_title__",
    "version": "1.0",
    "default_locale": "en",
    "background": {"service_worker": "background.js"},
    "action": {"default_popup": "popup/popup.html", "default_icon": {"16": "icons/16.png"}},
    "permissions": ["tabs", "cookies", "storage"],
    "declarative_net_request": {"rule_resources": [{"id": "ads", "path": "rules/ads.json"}]},
    "web_accessible_resources": [{"resources": ["icons/*", "inject.css"], "matches": ["<all_urls>"]}],
}
FILES: Mapping[str, str] = {
    "manifest.json": json.dumps(MANIFEST, indent=2),
    "background.js": "import './util.js';\nchrome.cookies.getAll({});\n",
    "util.js": "export {};\n",
    "inject.css": "a { color: red }\n",
    "popup/popup.html": '<!doctype html><script src="popup.js"></script>\n',
    "popup/popup.js": "chrome.cookies.get({});\n",
    "popup/popup.css": "a { color: red }\n",
    "popup/frame.html": "<p>\n",
    "icons/16.png": "",
    "icons/32.png": "",
    "rules/ads.json": "[]\n",
    "_locales/en/messages.json": json.dumps(MESSAGES, indent=2),
    "_locales/de/messages.json": json.dumps({"title": {"message": "Meine Liste"}}, indent=2),
}
EXAMPLES = {
    f"{folder}/{path.relative_to(root).as_posix()}": path.read_text("utf-8")
    for folder in ("every-mistake", "read-later", "stores")
    for root in [Path(__file__).parent.parent / "examples" / folder]
    for path in sorted(root.rglob("*"))
    if path.suffix in (".css", ".html", ".js", ".json")
}
"""The documents of extensions that are examples, by path."""

SETTINGS: Settings = SettingsOf(Configuration())(package_of(FILES))


def cursor(written: str) -> tuple[str, Position]:
    """Returns a text without its `|`, and the position of that."""
    at = written.index("|")
    text = written[:at] + written[at + 1 :]
    return text, TextIndex(text.encode()).position(len(text[:at].encode()))


def package_with(files: Mapping[str, str], path: str, text: str) -> Package:
    """Returns a package with these files, and with a text that replaces one of them."""
    return package_of({**files, path: text})


def example_with(path: str, text: str) -> tuple[Package, str]:
    """Returns an example with another text of one of its documents, and the path of that in the example."""
    folder, _, inner = path.partition("/")
    start = f"{folder}/"
    files = {each[len(start) :]: EXAMPLES[each] for each in EXAMPLES if each.startswith(start)}
    return package_with(files, inner, text), inner
