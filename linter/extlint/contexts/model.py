"""Where scripts run, and the files that a package names."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from extlint.text import Span


class ContextKind(Enum):
    """The kinds of world a script of an extension can run in.

    `UNKNOWN` is a world that the source does not tell, or of which too little is known to judge.
    """

    BACKGROUND = "background page"
    SERVICE_WORKER = "service worker"
    CONTENT_SCRIPT = "content script"
    MAIN_WORLD = "page's main world"
    EXTENSION_PAGE = "extension page"
    DEVTOOLS_PAGE = "developer tools page"
    SANDBOX = "sandboxed page"
    WORKER = "worker"
    UNKNOWN = "somewhere"


class Context(Struct, frozen=True):
    """One way a script comes to run.

    `via` says how the package gets there, for people: `manifest.json#/background/scripts/0`, or the
    page or script that loads the script (`popup.html`). `certain` is false where it depends on the
    program whether it is loaded at all: `import()`, an injected script, a page opened by a call.
    """

    kind: ContextKind
    via: str
    certain: bool = True


class NamedFile(Struct, frozen=True):
    """A file that the manifest or a page names, and where the name stands.

    `name` is as written; `path` is what it means relative to the extension's root.
    """

    name: str
    path: str
    source: str
    span: Span
