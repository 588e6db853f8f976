"""Generates manifests: valid ones with variations, and wrong, odd, deep and broken ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

from extlint.schema.targets import BROWSERS
from extlint_fuzz.case import FOLDER, Case
from extlint_fuzz.generators.extensions import PERMISSIONS, target
from extlint_fuzz.generators.statements import script
from extlint_schemas import json_schema

TEXTS = """
a.js ./a.js /a.js ../a.js a.html icon.png rules.json _locales en __MSG_name__ __MSG_@@extension_id__ *://*/*
<all_urls> https://example.com/* http://*.example.com/a file:///* *://*.*/* 1.0 1.0.0.0.0 0.1 99999 01.2
1.0a Ctrl+Shift+Y Alt+Comma MediaPlayPause #fff #ffffff rgb(1,2,3) a@b.example
{00000000-0000-0000-0000-000000000000} 115.0 120 * default-src script-src 'self' 'unsafe-eval'; object-src
document_idle MAIN module split persistent none $ref \\ud800
""".split()
PATTERNS = (
    "\u202e",
    "\x1b[31m",
    "a" * 3000,
    "\ud83d\ude00",
    "",
    " ",
    "\n",
    "\0",
    "%00",
    "*",
    "[",
    "(",
    "a?b#c",
)

MESSAGES = b'{"name": {"message": "Test $A$", "placeholders": {"a": {"content": "$1"}}}}'


@cache
def _keys() -> tuple[str, ...]:
    """Returns the keys of all manifests, at any depth."""
    found = set[str]()
    for browser in BROWSERS:
        for version in (2, 3):
            found.update(_keys_in(json_schema(f"manifests/{browser}_{version}")))
    return tuple(sorted(found))


def _keys_in(node: object) -> Iterator[str]:
    if isinstance(node, Mapping):
        if isinstance(node.get("properties"), Mapping):
            yield from node["properties"]
        for each in node.values():
            yield from _keys_in(each)
    elif isinstance(node, list):
        for each in node:
            yield from _keys_in(each)


def random_value(chance: Random, depth: int = 0) -> Any:
    """Returns any JSON value."""
    luck = chance.random()
    if depth < 4 and luck < 0.2:
        return {chance.choice(_keys()): random_value(chance, depth + 1) for _ in range(chance.randint(0, 4))}
    if depth < 4 and luck < 0.35:
        return [random_value(chance, depth + 1) for _ in range(chance.randint(0, 3))]
    if luck < 0.7:
        return chance.choice(TEXTS)
    if luck < 0.78:
        return chance.choice(PATTERNS)
    return chance.choice((True, False, None, 0, 1, -1, 2, 3, 4, 1.5, 1e300, 10**30, [], {}, ""))


def _valid_manifest(chance: Random) -> dict[str, Any]:
    """Returns a manifest with common parts."""
    version = chance.choice((2, 3))
    parts: dict[str, Any] = {
        "permissions": chance.sample(
            (*PERMISSIONS, "declarativeNetRequest", "unlimitedStorage", "foo", "menus"), 4
        ),
        "host_permissions": ["*://*/*"],
        "icons": {"16": "icon.png", "48": "icon.png"},
        "action" if version == 3 else "browser_action": {
            "default_popup": "a.html",
            "default_icon": "icon.png",
        },
        "content_scripts": [
            {"matches": ["<all_urls>"], "js": ["a.js"], "css": ["a.css"], "run_at": "document_idle"}
        ],
        "options_ui": {"page": "a.html"},
        "commands": {"run": {"suggested_key": {"default": "Ctrl+Shift+Y"}, "description": "Run"}},
        "web_accessible_resources": [{"resources": ["a.js"], "matches": ["*://*/*"]}]
        if version == 3
        else ["a.js"],
        "content_security_policy": "script-src 'self'"
        if version == 2
        else {"extension_pages": "script-src 'self'"},
        "declarative_net_request": {"rule_resources": [{"id": "a", "enabled": True, "path": "rules.json"}]},
        "default_locale": "en",
        "browser_specific_settings": {"gecko": {"id": "a@b.example", "strict_min_version": "115.0"}},
        "minimum_chrome_version": "120",
        "sandbox": {"pages": ["a.html"]},
        "externally_connectable": {"matches": ["https://*.example.com/*"]},
        "omnibox": {"keyword": "a"},
        "chrome_url_overrides": {"newtab": "a.html"},
        "sidebar_action": {"default_panel": "a.html"},
        "side_panel": {"default_path": "a.html"},
        "__firefox__browser_action": {},
        "{{chrome}}.key": "a",
        "theme": {"colors": {"frame": "#fff"}, "images": {"theme_frame": "icon.png"}},
    }
    value: dict[str, Any] = {"manifest_version": version, "name": "Test", "version": "1.0"}
    value["background"] = {"scripts": ["a.js"]} if version == 2 else {"service_worker": "a.js"}
    for key in chance.sample(sorted(parts), chance.randint(0, 8)):
        value[key] = parts[key]
    return value


def _positions(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yields each position in a value: the container, and the key or index."""
    pairs = (
        list(value.items())
        if isinstance(value, dict)
        else list(enumerate(value))
        if isinstance(value, list)
        else []
    )
    for key, inner in pairs:
        yield value, key
        yield from _positions(inner)


def _mutate(chance: Random, value: dict[str, Any]) -> None:
    """Makes one change at a random position."""
    places = list(_positions(value))
    container, key = chance.choice(places)
    luck = chance.random()
    if luck < 0.5:
        container[key] = random_value(chance)
    elif luck < 0.65:
        del container[key]
    elif luck < 0.8 and isinstance(container, dict):
        container[chance.choice(_keys())] = random_value(chance)
    elif isinstance(container, list):
        container.append(random_value(chance))
    else:
        text = str(key)
        at = chance.randrange(len(text) + 1)
        container[text[:at] + chance.choice("xs_") + text[at:]] = container.pop(key)


def manifest_text(chance: Random) -> bytes:
    """Returns the bytes of a manifest."""
    value = json.loads(json.dumps(_valid_manifest(chance)))
    for _ in range(chance.choice((0, 1, 1, 2, 5))):
        if value:
            _mutate(chance, value)
    text = json.dumps(value, indent=chance.choice((None, 2, 4)), ensure_ascii=chance.random() < 0.5)
    return _corrupted(chance, text)


def _corrupted(chance: Random, text: str) -> bytes:
    """Returns the text, sometimes with oddities of notation."""
    luck = chance.random()
    if luck < 0.55:
        return text.encode("utf-8", "surrogatepass")
    at = chance.randrange(len(text) + 1)
    corrupted = chance.choice(
        (
            lambda: "\ufeff" + text,
            lambda: text.replace("{", "{ // comment\n", 1),
            lambda: text.replace(",", ", /* comment */", 2),
            lambda: text.replace("}", ",}", 1),
            lambda: text[:at],
            lambda: text[:at] + chance.choice('{}[],:"\\\0\t\x1f\ud800') + text[at:],
            lambda: text.replace("{", '{"name": "a", "name": "b", ', 1),
            lambda: text.replace("{", '{"permissions": ["tabs"], "permissions": {}, ', 1),
            lambda: "[" * 5000,
            lambda: '{"a":' * 3000 + "1" + "}" * 3000,
            lambda: text[:-1] + ', "deep": ' + "[" * 300 + "]" * 300 + "}",
            lambda: text[:-1] + ', "wide": [' + ",".join(["1"] * 3000) + "]}",
            lambda: text + text,
            lambda: text.replace('"', "'"),
            lambda: text.replace("\n", "\r"),
            lambda: chance.choice(
                ("", "null", "[]", "1", '"a"', "{}", "\0", " \n", "//", "NaN", "-", "1e", '{"')
            ),
            lambda: (
                text[:-1]
                + ', "n": '
                + chance.choice(("01", "1.", ".5", "+1", "0x1", "1e5", "Infinity", "-0"))
                + "}"
            ),
            lambda: (
                text[:-1]
                + ', "s": "'
                + chance.choice(("\\x41", "\\u12", "\\ud800", "\\", "\t", "\\'", "\x7f"))
                + '"}'
            ),
        )
    )()
    luck = chance.random()
    if luck < 0.9:
        return corrupted.encode("utf-8", "surrogatepass")
    return corrupted.encode(chance.choice(("utf-16", "utf-16-le", "utf-32", "latin-1")), "replace")


def around_manifest(chance: Random, manifest: bytes, **files: bytes) -> dict[str, bytes]:
    """Returns the files of an extension with this manifest, including most of those that it may name."""
    found = {
        "manifest.json": manifest,
        "a.js": script(chance, statements=2).encode(),
        "a.html": b"<script src=a.js></script>",
        "a.css": b"a { color: red }",
        "icon.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0",
        "rules.json": b'[{"id": 1, "condition": {"urlFilter": "a"}, "action": {"type": "block"}}]',
        "_locales/en/messages.json": MESSAGES,
        **files,
    }
    return {
        f"{FOLDER}/{name}": data
        for name, data in found.items()
        if chance.random() < 0.9 or name == "manifest.json"
    }


def manifest(chance: Random) -> Case:
    """Returns an extension with a random manifest."""
    return Case(around_manifest(chance, manifest_text(chance)), (FOLDER, *target(chance)), "manifest")
