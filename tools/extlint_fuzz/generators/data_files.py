"""Generates the files next to a manifest: locales, declarativeNetRequest rules and images."""

from __future__ import annotations

import json
import struct
from random import Random
from typing import Any

from extlint_fuzz.case import FOLDER, Case
from extlint_fuzz.generators.manifests import around_manifest, random_value
from extlint_judge.request_rules.random_patterns import random_pattern_rules
from extlint_judge.request_rules.random_rules import random_rules

BASE: dict[str, Any] = {"manifest_version": 3, "name": "__MSG_name__", "version": "1", "default_locale": "en"}


def corrupted(chance: Random, text: str) -> bytes:
    """Returns a text's bytes, sometimes truncated, with a letter inserted, or in a different encoding."""
    luck = chance.random()
    if luck < 0.8:
        return text.encode("utf-8", "surrogatepass")
    at = chance.randrange(len(text) + 1)
    if luck < 0.87:
        return text[:at].encode("utf-8", "surrogatepass")
    if luck < 0.94:
        return (text[:at] + chance.choice('{}[],:"\\\0$') + text[at:]).encode("utf-8", "surrogatepass")
    return chance.choice(
        (
            text.encode("utf-16", "surrogatepass"),
            b"\xef\xbb\xbf" + text.encode("utf-8", "surrogatepass"),
            b"",
            b"\xff",
        )
    )


def locales(chance: Random) -> Case:
    """Returns valid and invalid messages, in folders with valid and invalid names."""
    files: dict[str, bytes] = {}
    for folder in chance.sample(
        ("en", "en_US", "de", "EN", "xx", "en-US", "zh_CN", "a/b", "..", "messages.json"), 3
    ):
        messages: dict[str, Any] = {}
        for _ in range(chance.randint(0, 5)):
            name = chance.choice(("name", "Name", "a b", "@@ui_locale", "a" * 2000, "é", "", "$", "extName"))
            text = chance.choice(
                ("$A$", "$1", "$$", "$a", "$1$2$", "", "\x1b[0m", "x" * 5000, "$@@id$", "$-1$")
            )
            places = {
                chance.choice(("a", "A", "b c", "", "1")): chance.choice(
                    ({"content": "$1"}, {}, 1, {"content": "$A$"})
                )
            }
            messages[name] = chance.choice(
                ({"message": text, "placeholders": places}, {"message": text}, text, {}, random_value(chance))
            )
        files[f"{FOLDER}/_locales/{folder}/messages.json"] = corrupted(chance, json.dumps(messages))
    code = "".join(f"browser.i18n.getMessage({name}, [1]);" for name in ('"name"', '"nme"', "`a${x}`", "x"))
    manifest = json.dumps(
        {**BASE, "default_locale": chance.choice(("en", "de", "EN", "", 1, "../en"))}
    ).encode()
    files |= {f"{FOLDER}/manifest.json": manifest, f"{FOLDER}/a.js": code.encode()}
    return Case(files, (FOLDER,), "locales")


def request_rules(chance: Random) -> Case:
    """Returns declarativeNetRequest rules."""
    seed, number = chance.randrange(10**9), chance.choice((0, 1, 5, 50))
    rules: Any = list(chance.choice((random_rules, random_pattern_rules))(seed, number))
    if chance.random() < 0.2:
        rules.append(random_value(chance))
    if chance.random() < 0.1:
        rules = random_value(chance)
    keys = {
        **BASE,
        "name": "a",
        "permissions": ["declarativeNetRequest"],
        "declarative_net_request": {"rule_resources": [{"id": "a", "enabled": True, "path": "rules.json"}]},
    }
    data = corrupted(chance, json.dumps(rules))
    return Case(
        around_manifest(chance, json.dumps(keys).encode(), **{"rules.json": data}),
        (FOLDER, "--target", chance.choice(("firefox", "chrome", "firefox,chrome"))),
        "request rules",
    )


def image(chance: Random) -> Case:
    """Returns icons: the headers of images of all formats, truncated, with wrong sizes, or other data."""
    width, height = (chance.choice((0, 1, 16, 48, 128, 2**31)) for _ in range(2))
    data = chance.choice(
        (
            lambda: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\x06\0\0\0",
            lambda: b"GIF89a" + struct.pack("<HH", width & 0xFFFF, height & 0xFFFF) + b"\0\0\0",
            lambda: (
                b"\xff\xd8\xff\xe0\0\x10JFIF\0"
                + b"\0" * 9
                + b"\xff\xc0\0\x11\x08"
                + struct.pack(">HH", height & 0xFFFF, width & 0xFFFF)
            ),
            lambda: b"\xff\xd8" + b"\xff\xe1\0\x02" * chance.choice((1, 5000)),
            lambda: b"RIFF\0\0\0\0WEBPVP8 " + chance.randbytes(40),
            lambda: b"RIFF\0\0\0\0WEBPVP8X\n\0\0\0" + chance.randbytes(10),
            lambda: b"\0\0\1\0" + struct.pack("<H", chance.choice((0, 1, 60000))) + chance.randbytes(32),
            lambda: f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" viewBox="0 {height}">'.encode(),
            lambda: b"<!DOCTYPE svg [" + b"<!ENTITY a 'b'>" * 50 + b"]><svg>",
            lambda: b"<" * 5000,
            lambda: b"BM" + chance.randbytes(50),
            lambda: chance.randbytes(chance.choice((0, 1, 12, 100))),
        )
    )()
    data = data[: chance.randint(0, len(data))] if chance.random() < 0.3 else data
    name = chance.choice(("icon.png", "icon.svg", "icon.jpg", "icon.webp", "icon.ico", "icon.gif"))
    keys = {**BASE, "name": "a", "icons": {"16": name, "128": name}, "action": {"default_icon": {"32": name}}}
    files = around_manifest(chance, json.dumps(keys).encode(), **{name: data})
    return Case(files, (FOLDER, "--target", "firefox,chrome"), "image")
