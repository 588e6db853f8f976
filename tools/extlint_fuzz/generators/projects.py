"""Generates the project files around an extension, from which extlint infers the build."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from extlint_fuzz.case import FOLDER, Case
from extlint_fuzz.generators.data_files import corrupted
from extlint_fuzz.generators.manifests import TEXTS, around_manifest, manifest_text

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
    """Returns an extension among project files with references to each other, odd paths and wrong types."""
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
            f"{chance.choice(TOML_KEYS)} = {chance.choice(TOML_VALUES)}" for _ in range(chance.randint(0, 4))
        ]
        return corrupted(chance, "\n".join(lines))
    if name.endswith(".json"):
        return corrupted(chance, json.dumps(_project_value(chance, 0)))
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
