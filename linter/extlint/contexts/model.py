"""Where scripts run, and the files that a package names."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from msgspec import Struct

from extlint.text import Span
from extlint.values import ByteSpan
from extlint.wording import quoted


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
    OFFSCREEN = "offscreen document"
    WORKER = "worker"
    WORKLET = "worklet"
    UNKNOWN = "somewhere"


PAGES_OF_EXTENSIONS = frozenset(
    {ContextKind.BACKGROUND, ContextKind.DEVTOOLS_PAGE, ContextKind.EXTENSION_PAGE, ContextKind.OFFSCREEN}
)
"""The kinds of context that have a document of the extension's own, outside of a sandbox."""


class Step(Struct, frozen=True, eq=False):
    """One step of a package's way to a script: a file names the next one.

    `path` is the file that holds the name, and `span` the byte range of the name in its text as UTF-8.
    `message` tells it to people: "`a.js` imports `b.js`". `before` is the step that led to `path`, None
    in the manifest; `first` is the manifest's step at the start of the way, None in that step itself.
    `number` counts the steps from 1. A step equals itself alone.
    """

    path: str
    span: ByteSpan
    message: str
    before: Step | None = None
    first: Step | None = None
    number: int = 1


class Context(Struct, frozen=True):
    """One way a script comes to run, or the first of several to one kind of context.

    `step` is the last step of that way; None where it is not told. `certain` is false where it depends
    on the program whether the script is loaded at all: `import()`, an injected script, a page opened by
    a call, and what those load in turn. `ways` is how many ways it stands for.
    """

    kind: ContextKind
    step: Step | None = None
    certain: bool = True
    ways: int = 1

    def then(
        self, kind: ContextKind, path: str, span: ByteSpan, verb: str, target: str, certain: bool = True
    ) -> Context:
        """The context of `target`, to which `path`, a script or page with this context, does something."""
        message = f"{quoted(path)} {verb} {quoted(target)}"
        before = self.step
        if before is None:
            return Context(kind, Step(path, span, message), self.certain and certain)
        step = Step(path, span, message, before, before.first or before, before.number + 1)
        return Context(kind, step, self.certain and certain)


def one_of_each(contexts: Iterable[Context]) -> tuple[Context, ...]:
    """The first context of each kind, certain or not, for all those like it."""
    alike: dict[tuple[ContextKind, bool], list[Context]] = {}
    for each in contexts:
        alike.setdefault((each.kind, each.certain), []).append(each)
    return tuple(
        Context(first.kind, first.step, first.certain, len(others) + 1) for first, *others in alike.values()
    )


class NamedFile(Struct, frozen=True):
    """A file that the manifest or a page names, and where the name stands.

    `name` is as written; `path` is what it means relative to the extension's root.
    """

    name: str
    path: str
    source: str
    span: Span
