"""The work of a worker: it checks an upload, or looks something up, and writes the answer to a file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from io import BytesIO
from pkgutil import walk_packages
from zipfile import ZIP_DEFLATED, ZipFile

from msgspec.json import encode

import extlint
import extlint_rules
from extlint.linting.configuration.usage_error import UsageError
from extlint.package.files import UnreadableError
from extlint.services.serve.packages import ExpansionError, Upload, read_upload
from extlint.services.serve.settings import Limits
from extlint.services.serve.task import Head, Task

_NOT_LOADED = (
    "extlint.services.lsp",
    "extlint.services.editor",
    "extlint.cli",
    "extlint.services.serve",
    "extlint.__main__",
)
"""Modules that no task requires."""

Answer = tuple[Head, bytes]

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


def warm_up(config: str | None) -> Iterator[None]:
    """Loads what checks require, in steps: the first makes the worker ready, and the others make it fast."""
    from extlint.services.serve.checking import lint

    lint(Task("lint"), Upload("example.zip", _archive(_SMALL_EXAMPLE), True), config)
    yield
    example = Upload("example.zip", _archive(_EXAMPLE), True)
    lint(Task("lint"), example, config)
    yield
    for task in (Task("lint", "page", target=("chrome", "firefox")), Task("lint", target=("edge", "safari"))):
        lint(task, example, config)
        yield
    for package in (extlint, extlint_rules):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
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


def work(task: Task, uploads: Sequence[int], answer: int, limits: Limits, config: str | None) -> None:
    """Does a task with the descriptors of its uploads, and writes the answer to a descriptor."""
    try:
        head, body = _answer(task, uploads, limits, config)
    except UsageError as error:
        head, body = Head(problem="invalid-option", detail=str(error)), b""
    except ExpansionError as error:
        head, body = Head(problem="too-large", detail=str(error), limit=error.limit), b""
    except UnreadableError as error:
        head, body = Head(problem="unreadable", detail=str(error)), b""
    except MemoryError:
        head, body = Head(problem="limit-exceeded", limit="memory"), b""
    start = encode(head) + b"\n"
    if len(start) + len(body) > limits.answer:
        start, body = encode(Head(problem="limit-exceeded", limit="answer")) + b"\n", b""
    try:
        with open(answer, "wb", closefd=False) as stream:
            stream.write(start)
            stream.write(body)
    except OSError:  # the disk is full: the problem document is short
        os.ftruncate(answer, 0)
        os.pwrite(answer, encode(Head(problem="no-space", limit="disk")) + b"\n", 0)


def _answer(task: Task, uploads: Sequence[int], limits: Limits, config: str | None) -> Answer:
    if task.kind in ("lint", "permissions"):
        from extlint.services.serve.checking import lint, permissions

        found = [read_upload(each, name, limits) for each, name in zip(uploads, task.names, strict=True)]
        return lint(task, found[0], config) if task.kind == "lint" else permissions(task, found, config)
    from extlint.services.serve.lookups import look_up

    return look_up(task)
