"""The files beside a manifest: locales, rules of declarativeNetRequest, images, and what projects have."""

from __future__ import annotations

import json
import struct
from random import Random
from typing import Any

from extlint_fuzz.case import FOLDER, Case
from extlint_fuzz.generators.manifests import TEXTS, around_manifest, manifest_text, some_value
from extlint_judge.request_rules.random_patterns import random_pattern_rules
from extlint_judge.request_rules.random_rules import random_rules

BASE: dict[str, Any] = {"manifest_version": 3, "name": "__MSG_name__", "version": "1", "default_locale": "en"}


def _spoiled(chance: Random, text: str) -> bytes:
    luck = chance.random()
    if luck < 0.7:
        return text.encode("utf-8", "surrogatepass")
    at = chance.randrange(len(text) + 1)
    if luck < 0.8:
        return text[:at].encode("utf-8", "surrogatepass")
    if luck < 0.9:
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
    """Messages, right and wrong, in folders with right and wrong names."""
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
                ({"message": text, "placeholders": places}, {"message": text}, text, {}, some_value(chance))
            )
        files[f"{FOLDER}/_locales/{folder}/messages.json"] = _spoiled(chance, json.dumps(messages))
    code = "".join(f"browser.i18n.getMessage({name}, [1]);" for name in ('"name"', '"nme"', "`a${x}`", "x"))
    manifest = json.dumps(
        {**BASE, "default_locale": chance.choice(("en", "de", "EN", "", 1, "../en"))}
    ).encode()
    files |= {f"{FOLDER}/manifest.json": manifest, f"{FOLDER}/a.js": code.encode()}
    return Case(files, (FOLDER,), "locales")


def request_rules(chance: Random) -> Case:
    """Rules of declarativeNetRequest."""
    seed, number = chance.randrange(10**9), chance.choice((0, 1, 5, 50))
    rules: Any = list(chance.choice((random_rules, random_pattern_rules))(seed, number))
    if chance.random() < 0.2:
        rules.append(some_value(chance))
    if chance.random() < 0.1:
        rules = some_value(chance)
    keys = {
        **BASE,
        "name": "a",
        "permissions": ["declarativeNetRequest"],
        "declarative_net_request": {"rule_resources": [{"id": "a", "enabled": True, "path": "rules.json"}]},
    }
    data = _spoiled(chance, json.dumps(rules))
    return Case(
        around_manifest(chance, json.dumps(keys).encode(), **{"rules.json": data}),
        (FOLDER, "--target", chance.choice(("firefox", "chrome", "firefox,chrome"))),
        "request rules",
    )


def image(chance: Random) -> Case:
    """Icons: the first bytes of images of all formats, cut off, with wrong sizes, or something else."""
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


PROJECT_FILES = (
    *(
        "package.json",
        "tsconfig.json",
        "jsconfig.json",
        "webpack.config.js",
        "vite.config.ts",
        "rollup.config.mjs",
    ),
    *(
        ".gitignore",
        "wxt.config.ts",
        "Makefile",
        "gulpfile.js",
        "Gruntfile.js",
        "extlint.toml",
        ".extlint.toml",
    ),
    *(
        "pyproject.toml",
        "node_modules/dep/package.json",
        "plasmo.config.js",
        ".extensionignore",
        "web-ext-config.js",
    ),
)
PROJECT_WORDS = """
extends compilerOptions paths baseUrl include exclude references exports imports main module browser
workspaces scripts dependencies webextension-polyfill wxt build "./tsconfig.json" ../../../etc/passwd
/etc/passwd file:///etc/passwd https://example.com/a.json @/* ~/* src/* * ** ./a.js ./dist extlint target
ignore select tool
""".split()


def project(chance: Random) -> Case:
    """An extension among the files of a project, which name each other, odd paths and wrong types."""
    files: dict[str, bytes] = {}
    for name in chance.sample(PROJECT_FILES, 4):
        prefix = chance.choice(("", f"{FOLDER}/", f"{FOLDER}/"))
        files[prefix + name] = _project_file(chance, name)
    code = b'import a from "@/a"; import b from "~/b"; import "dep"; import "./a"; import "#x"; a.tabs.foo();'
    files |= around_manifest(
        chance, manifest_text(chance), **{"a.js": code, "src/a.ts": b"export default browser;"}
    )
    return Case(files, (FOLDER,), "project")


def _project_file(chance: Random, name: str) -> bytes:
    if name.endswith(".toml"):
        lines = [
            chance.choice(TOML_KEYS) + chance.choice((" = ", "=", "")) + chance.choice(TOML_VALUES)
            for _ in range(chance.randint(0, 4))
        ]
        return _spoiled(chance, "\n".join(lines))
    if name.endswith(".json"):
        return _spoiled(chance, json.dumps(_project_value(chance, 0)))
    if name.endswith((".js", ".ts", ".mjs")):
        value = json.dumps(_project_value(chance, 0))
        return f"module.exports = {value};\nexport default {{ manifest: {value} }};".encode()
    return "\n".join(
        chance.choice((*PROJECT_WORDS, "!a", "/", "[a-", "**/**/**", "\\", "#")) for _ in range(8)
    ).encode()


TOML_KEYS = ("target", "select", "ignore", "fail-level", "schemas", "foo", "a.b", "[tool.extlint]", "[x]")
TOML_VALUES = (
    *(
        '"firefox"',
        "['chrome', 'foo']",
        '"uses"',
        '"error"',
        "1",
        "true",
        '"*.json"',
        '"/etc/*"',
        "[]",
        "{}",
        '""',
    ),
    *(
        '"**/**/**/*"',
        "'''",
        '"unknown-api"',
        "2020-01-01",
        "nan",
        "[[[[[[]]]]]]",
        "a.b.c.d",
        '"../../*"',
        '"[!"',
    ),
)


def _project_value(chance: Random, depth: int) -> Any:
    luck = chance.random()
    if depth < 4 and (luck < 0.5 or depth == 0):
        return {
            chance.choice(PROJECT_WORDS): _project_value(chance, depth + 1)
            for _ in range(chance.randint(0, 5))
        }
    if depth < 4 and luck < 0.65:
        return [_project_value(chance, depth + 1) for _ in range(chance.randint(0, 3))]
    return chance.choice((*PROJECT_WORDS, *TEXTS, True, None, 1))


def user_schemas(chance: Random) -> Case:
    """Schemas that a user gives, with references that lead nowhere, around, and to addresses."""
    parts = [_namespace(chance) for _ in range(chance.randint(0, 3))]
    data = _spoiled(chance, json.dumps(parts if chance.random() < 0.9 else some_value(chance)))
    code = b"browser.own.run({ a: 1 }); chrome.own.onRun.addListener((a, b) => a.b); browser.own.x;"
    files = around_manifest(chance, json.dumps({**BASE, "name": "a"}).encode(), **{"a.js": code})
    files["schemas/a.json"] = data
    return Case(
        files,
        (
            FOLDER,
            "--schemas",
            chance.choice(("schemas/*.json", "schemas/a.json", "**/*.json", "x")),
            "--target",
            "firefox",
        ),
        "user schemas",
    )


def _namespace(chance: Random) -> Any:
    def kind(depth: int = 0) -> Any:
        choices: list[Any] = [
            {
                "type": chance.choice(
                    ("string", "integer", "object", "array", "function", "any", "number", "foo", "null")
                )
            },
            {
                "$ref": chance.choice(
                    ("T", "U", "tabs.Tab", "own.T", "http://example.com/a#b", "#/x", "", "T.T.T")
                )
            },
            {"enum": chance.choice((["a"], [], [1], "a"))},
            {"type": "string", "pattern": chance.choice(("a", "(", "(a+)+$", "(?i)a", "[")), "format": "url"},
        ]
        if depth < 3:
            choices += [
                {"choices": [kind(depth + 1), kind(depth + 1)]},
                {"type": "array", "items": kind(depth + 1), "minItems": chance.choice((0, 1, -1, "a"))},
                {
                    "type": "object",
                    "properties": {"a": kind(depth + 1)},
                    "additionalProperties": kind(depth + 1),
                },
                {"type": "function", "parameters": [{**kind(depth + 1), "name": "a"}]},
            ]
        found = chance.choice(choices)
        return {**found, **({"optional": True} if chance.random() < 0.3 else {})}

    value: dict[str, Any] = {
        "namespace": chance.choice(("own", "own", "tabs", "own.inner", "", "management", 1)),
        "types": [
            {"id": "T", **kind()},
            {"id": "U", "$ref": "T"},
            {"$extend": "T", "properties": {"z": kind()}},
        ],
        "functions": [
            {
                "name": "run",
                "type": "function",
                "parameters": [{"name": "a", **kind()}],
                "async": True,
                "returns": kind(),
            }
        ],
        "events": [{"name": "onRun", "type": "function", "parameters": [{"name": "a", **kind()}]}],
        "properties": {"x": kind(), "y": {"value": 1}},
        "permissions": chance.choice((["management"], "a", [])),
        "$import": chance.choice(("own", "tabs", "nothing", "http://example.com/")),
        "allowedContexts": chance.choice((["content"], ["foo"], 1)),
    }
    return {key: each for key, each in value.items() if chance.random() < 0.7 or key == "namespace"}
