"""A bundled `webextension-polyfill`, and other functions that convert callbacks to promises."""

from __future__ import annotations

import pytest
from bundled_code import MANIFEST
from harness import EXCEPT_IMPORTS, reported

PROMISING = """
function Promising(target) {
  return new Proxy(target, {
    get(target, key) {
      if (!target[key]) return;
      if (typeof target[key] !== "function") return %s;
      return (...all) => new Promise((resolve, reject) => {
        target[key](...all, (given) => chrome.runtime.lastError ? reject() : resolve(given));
      });
    },
  });
}
"""
NESTED = PROMISING % "new Promising(target[key])"

FOUND = {
    "a proxy with promises": (
        NESTED + "const api = new Promising(chrome); api.management.getAll();",
        "api.management.getAll",
    ),
    "a proxy with promises, if there is an API": (
        NESTED + "const api = globalThis.chrome && new Promising(chrome); api.management?.getAll();",
        "api.management?.getAll",
    ),
    "a proxy with promises, minified": (
        """function P(e){return new Proxy(e,{get(e,t){if(e[t])return"function"!=typeof e[t]?new P(e[t]):
        (...r)=>new Promise((n,o)=>{e[t](...r,r=>{chrome.runtime.lastError?o():n(r)})})}})}
        const api = new P(chrome); api.management.getAll();""",
        "api.management.getAll",
    ),
}


@pytest.mark.parametrize(("text", "place"), FOUND.values(), ids=FOUND.keys())
def test_api_use_through_polyfill_is_reported(text: str, place: str) -> None:
    assert reported({"manifest.json": MANIFEST, "a.js": text}) == [("unsupported-api", place)]


SILENT = {
    "a proxy that is not of members all the way": PROMISING % "other(target[key])"
    + "new Promising(chrome).management.getAll();",
    "a proxy with a member of its own": NESTED.replace(
        "if (!", 'if (key === "management") return other; if (!'
    )
    + "new Promising(chrome).management.getAll();",
    "a proxy of something else": NESTED + "new Promising(other).management.getAll();",
    "function returning a Proxy of another object": """
        const wrap = (x) => { const t = { minArgs: 1, maxArgs: 1 }; return new Proxy(x, t) };
        const api = wrap(other); api.management.getAll();""",
}


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT.keys())
def test_use_through_other_proxy_is_not_reported(text: str) -> None:
    assert reported({"manifest.json": MANIFEST, "a.js": text}, EXCEPT_IMPORTS) == []
