"""A bundled `webextension-polyfill`, and functions that only look like it."""

from __future__ import annotations

from bundled_code import MANIFEST, POLYFILL
from harness import EXCEPT_IMPORTS, reported


def test_api_use_through_polyfill_is_reported() -> None:
    made = f"var made = {{ exports: {{}} }}; (function (module, exports) {{{POLYFILL}}})(made, made.exports);"
    script = made + "const api = made.exports; api.management.getAll();"
    assert reported({"manifest.json": MANIFEST, "a.js": script}) == [
        ("unsupported-api", "api.management.getAll")
    ]


def test_use_through_other_proxy_is_not_reported() -> None:
    script = """
        const wrap = (x) => { const t = { minArgs: 1, maxArgs: 1 }; return new Proxy(x, t) };
        const api = wrap(other); api.management.getAll();"""
    assert reported({"manifest.json": MANIFEST, "a.js": script}, EXCEPT_IMPORTS) == []
