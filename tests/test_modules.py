"""The API under names exported by other modules."""

from __future__ import annotations

import pytest
from harness import lint, manifest, text_under

MANIFEST = manifest(
    background={"service_worker": "a.js", "type": "module"}, optional_permissions=["management"]
)
FOUND = {
    "a named export": (
        {
            "b.js": "export const api = browser;",
            "a.js": 'import { api } from "./b.js"; api.management.getAll();',
        },
        "api.management.getAll",
    ),
    "a default export": (
        {"b.js": "export default browser;", "a.js": 'import api from "./b.js"; api.management.getAll();'},
        "api.management.getAll",
    ),
    "a namespace of the API": (
        {
            "b.js": "const m = chrome.management; export { m as manager };",
            "a.js": 'import { manager as x } from "./b.js"; x.getAll();',
        },
        "x.getAll",
    ),
    "a module as an object": (
        {
            "b.js": "export const api = browser;",
            "a.js": 'import * as b from "./b.js"; b.api.management.getAll();',
        },
        "b.api.management.getAll",
    ),
    "an object that holds the API": (
        {
            "b.js": "export default { extension: { api: globalThis.browser ?? chrome }, other: 1 };",
            "a.js": 'import b from "./b.js"; b.extension.api.management.getAll();',
        },
        "b.extension.api.management.getAll",
    ),
    "a part of a pattern": (
        {
            "b.js": "export const { management } = browser;",
            "a.js": 'import { management } from "./b.js"; management.getAll();',
        },
        "management.getAll",
    ),
    "a re-export": (
        {
            "c.js": "export const api = browser;",
            "b.js": 'export { api as browser } from "./c.js";',
            "a.js": 'import { browser } from "./b.js"; browser.management.getAll();',
        },
        "browser.management.getAll",
    ),
    "a re-export of all": (
        {
            "c.js": "export const api = browser;",
            "b.js": 'export * from "./c.js";',
            "a.js": 'import { api } from "./b.js"; api.management.getAll();',
        },
        "api.management.getAll",
    ),
    "a re-export as an object": (
        {
            "c.js": "export const api = browser;",
            "b.js": 'export * as c from "./c.js";',
            "a.js": 'import { c } from "./b.js"; c.api.management.getAll();',
        },
        "c.api.management.getAll",
    ),
    "a wrapper of the polyfill": (
        {
            "b.ts": 'import browser from "webextension-polyfill"; export default browser;',
            "a.js": 'import browser from "./b"; browser.management.getAll();',
        },
        "browser.management.getAll",
    ),
    "an import and an export in two steps": (
        {
            "c.js": "export default chrome;",
            "b.js": 'import api from "./c.js"; export const { management } = api;',
            "a.js": 'import { management } from "./b.js"; management.getAll();',
        },
        "management.getAll",
    ),
}


@pytest.mark.parametrize(("files", "text"), FOUND.values(), ids=FOUND.keys())
def test_api_imported_from_a_module_is_found(files: dict[str, str], text: str) -> None:
    found = lint({**files, "manifest.json": MANIFEST})
    assert [(each.rule, each.path, text_under(files, each)) for each in found] == [
        ("unsupported-api", "a.js", text)
    ]


NOT_THE_API = {
    "another export": {
        "b.js": "export const api = browser; export const other = make();",
        "a.js": 'import { other } from "./b.js"; other.management.getAll();',
    },
    "a default that is something else": {
        "b.js": "export const api = browser; export default make();",
        "a.js": 'import api from "./b.js"; api.management.getAll();',
    },
    "an export that is assigned again": {
        "b.js": "export let api = browser; api = make();",
        "a.js": 'import { api } from "./b.js"; api.management.getAll();',
    },
    "an export that may be something else": {
        "b.js": "export const api = testing ? fake : browser;",
        "a.js": 'import { api } from "./b.js"; api.management.getAll();',
    },
    "a local of that name": {
        "b.js": "export const api = browser;",
        "a.js": 'import { api } from "./b.js"; (api => api.management.getAll())(make());',
    },
    "a module of that name elsewhere": {
        "lib/b.js": "export const api = browser;",
        "a.js": 'import { api } from "./b.js"; api.management.getAll();',
    },
    "circular exports": {
        "b.js": 'export { api } from "./a.js";',
        "a.js": 'export { api } from "./b.js"; import { api } from "./b.js"; api.management.getAll();',
    },
}


@pytest.mark.parametrize("files", NOT_THE_API.values(), ids=NOT_THE_API.keys())
def test_other_import_is_not_treated_as_the_api(files: dict[str, str]) -> None:
    found = lint({**files, "manifest.json": MANIFEST})
    assert [each for each in found if each.rule not in ("missing-file", "undefined-name")] == []


def test_long_module_chain_is_followed_to_a_limit() -> None:
    files = {f"m{at}.js": f'export * from "./m{at + 1}.js";' for at in range(300)}
    files |= {"m300.js": "export const api = browser;", "a.js": 'import { api } from "./m0.js"; api.tabs;'}
    assert lint({**files, "manifest.json": MANIFEST}) == []
