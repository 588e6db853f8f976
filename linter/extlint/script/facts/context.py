"""Where scripts run, and the files that a package names."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from extlint.script.facts.values import Literal, ObjectValue, Value
from extlint.text.positions import ByteSpan, Span
from extlint.text.wording import quoted

_MAX_CACHED = 4096


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
    `number` counts the steps from 1. `may_read` is true where a script merely holds the name of a page: it
    may open it, or read it for a part of another page. A step equals itself alone.
    """

    path: str
    span: ByteSpan
    message: str
    before: Step | None = None
    first: Step | None = None
    number: int = 1
    may_read: bool = False


class Context(Struct, frozen=True):
    """One way a script comes to run, or the first of several to one kind of context.

    `step` is the last step of that way; None where it is not told. `certain` is false where it depends
    on the program whether the script is loaded at all: `import()`, an injected script, a page opened by
    a call, and what those load in turn. `ways` is how many ways it stands for. `closed_to` are the targets
    that never go it, for they do not read the key of the manifest where it begins, or lack what is called.
    """

    kind: ContextKind
    step: Step | None = None
    certain: bool = True
    ways: int = 1
    closed_to: frozenset[str] = frozenset()

    def then(
        self,
        kind: ContextKind,
        path: str,
        span: ByteSpan,
        verb: str,
        target: str,
        certain: bool = True,
        *,
        may_read: bool = False,
    ) -> Context:
        """The context of `target`, to which `path`, a script or page with this context, does something."""
        certain = self.certain and certain
        message = f"{quoted(path)} {verb} {quoted(target)}"
        before = self.step
        if before is None:
            step = Step(path, span, message, may_read=may_read)
            return Context(kind, step, certain, closed_to=self.closed_to)
        step = Step(path, span, message, before, before.first or before, before.number + 1, may_read)
        return Context(kind, step, certain, closed_to=self.closed_to)

    def covers(self, other: Context) -> bool:
        """Whether wherever the other way leads to its kind of context, this one does, as certainly."""
        return (
            self.kind is other.kind
            and (self.certain or not other.certain)
            and self.closed_to <= other.closed_to
        )


SOMEWHERE = (Context(ContextKind.UNKNOWN),)
"""The contexts of what may run anywhere."""


def one_of_each(contexts: Iterable[Context]) -> tuple[Context, ...]:
    """The first context of each kind, certain or not, closed to the same targets, for all those like it."""
    alike: dict[tuple[ContextKind, bool, frozenset[str]], list[Context]] = {}
    for each in contexts:
        alike.setdefault((each.kind, each.certain, each.closed_to), []).append(each)
    return tuple(replace(each[0], ways=sum(one.ways for one in each)) for each in alike.values())


@lru_cache(_MAX_CACHED)
def open_to(target: str, contexts: tuple[Context, ...]) -> tuple[Context, ...]:
    """The contexts in which a script runs in a target."""
    if not any(each.closed_to for each in contexts):
        return contexts
    seen = (replace(each, closed_to=frozenset()) for each in contexts if target not in each.closed_to)
    return one_of_each(seen)


class NamedFile(Struct, frozen=True):
    """A file that the manifest or a page names, and where the name stands.

    `name` is as written; `path` is what it means relative to the extension's root.
    """

    name: str
    path: str
    source: str
    span: Span


def world_of(value: Value) -> ContextKind:
    """Where an injected script runs: among the content scripts unless `world` says otherwise."""
    if not isinstance(value, ObjectValue):
        return ContextKind.UNKNOWN
    found = value.fields.get("world")
    if found is None:
        return ContextKind.UNKNOWN if value.open else ContextKind.CONTENT_SCRIPT
    match found.value:
        case Literal(value="ISOLATED"):
            return ContextKind.CONTENT_SCRIPT
        case Literal(value="MAIN"):
            return ContextKind.MAIN_WORLD
    return ContextKind.UNKNOWN
