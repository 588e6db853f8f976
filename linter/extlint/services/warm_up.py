"""Loads what checks require into a process from which others are forked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from io import BytesIO
from pkgutil import walk_packages
from zipfile import ZIP_DEFLATED, ZipFile

_NOT_LOADED = (
    "extlint.services.lsp",
    "extlint.services.editor",
    "extlint.services.scan",
    "extlint.services.serve",
    "extlint.cli",
    "extlint.__main__",
)
"""Modules that no check requires."""

_SMALL_EXAMPLE = {
    "manifest.json": '{"manifest_version": 3, "name": "a", "version": "1", '
    '"background": {"service_worker": "a.js"}}',
    "a.js": "chrome.tabs.query({}, (a) => a);",
}
_EXAMPLE = {
    "manifest.json": """{
      "manifest_version": 3, "name": "__MSG_name__", "version": "1", "default_locale": "en", "typo": 1,
      "background": {"service_worker": "a.js", "type": "module"}, "permissions": ["tabs", "storage"],
      "content_scripts": [{"matches": ["https://*/*"], "js": ["b.js"]}],
      "action": {"default_popup": "a.html"}, "icons": {"16": "a.png"}, "host_permissions": ["<all_urls>"]
    }""",
    "a.js": """import { c } from './c.js';
      chrome.tabs.qery({}, (tabs) => { if (chrome.typo) chrome.tabs.query({ typo: 1 }, c); });
      browser.runtime.onMessage.addListener(async (a, b) => { await browser.storage.local.get(a.b); });
    """,
    "b.js": "chrome.runtime.sendMessage({}); setTimeout('a()', 1);",
    "c.js": "export const c = (tabs) => chrome.scripting.executeScript({ target: {}, files: ['d.js'] });",
    "a.html": "<script src=a.js type=module></script><script>alert(1)</script>",
    "_locales/en/messages.json": '{"name": {"message": "Example"}}',
}


def warm_up(checks: Sequence[Callable[[bytes], object]]) -> Iterator[None]:
    """Loads what checks require, in steps: the first makes the process ready, and the others make it fast.

    `checks` check an archive, each in another way.
    """
    first, *others = checks
    first(_archive(_SMALL_EXAMPLE))
    yield
    example = _archive(_EXAMPLE)
    for check in (first, *others):
        check(example)
        yield
    for package in ("extlint", "extlint_rules"):
        for module in walk_packages(import_module(package).__path__, f"{package}."):
            if not module.name.startswith(_NOT_LOADED):
                import_module(module.name)
                yield
    import_module("esprima")
    yield


def _archive(files: Mapping[str, str]) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()
