"""The contexts in which scripts and functions run, the code of pages, and the files that a package names."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from extlint.analysis.facts.values import Literal, ObjectValue, Value
from extlint.text.positions import ByteSpan, Span
from extlint.text.wording import quoted

_MAX_CACHED = 4096


class ContextKind(Enum):
    """The kinds of context in which a script of an extension can run.

    `UNKNOWN` is a context that the source does not determine, or about which too little is known to check its
    API.
    """

    __hash__ = object.__hash__  # that of Enum is slow

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


EXTENSION_PAGES = frozenset(
    {ContextKind.BACKGROUND, ContextKind.DEVTOOLS_PAGE, ContextKind.EXTENSION_PAGE, ContextKind.OFFSCREEN}
)
"""The kinds of context with a document that belongs to the extension and is not in a sandbox."""

OWN_CONTEXTS = EXTENSION_PAGES | {ContextKind.SERVICE_WORKER}
"""The kinds of context of the extension's own pages and of its service worker."""

WEB_PAGE_CONTEXTS = frozenset({ContextKind.CONTENT_SCRIPT, ContextKind.MAIN_WORLD})
"""The kinds of context in web pages, into which scripts and functions may be injected."""

BACKGROUND_CONTEXTS = frozenset({ContextKind.BACKGROUND, ContextKind.SERVICE_WORKER})
"""The kinds of context of a background. An extension has only one of them, and one context of this kind."""

WORKERS = frozenset({ContextKind.SERVICE_WORKER, ContextKind.WORKER})
"""The kinds of context without a document."""


class LoadStep(Struct, frozen=True, eq=False):
    """One step of a load path from the manifest to a script: a file names the next one.

    `path` is the file with the name, and `span` the byte range of the name in its text as UTF-8. `message`
    describes the step: "`a.js` imports `b.js`". `before` is the step that led to `path`, or None in the
    manifest; `first` is the step in the manifest at the start of the path, or None in that step itself.
    `number` counts the steps from 1. `may_read` is true if a script merely contains the name of a page, and
    if web pages may load it: some code may open the page, or read it to include it in another one.
    `is_fetched` is true if a script only reads it as a text. A step equals only itself.
    """

    path: str
    span: ByteSpan
    message: str
    before: LoadStep | None = None
    may_read: bool = False
    is_fetched: bool = False
    first: LoadStep | None = None
    number: int = 1
    fingerprint: int = 0
    """A hash of the path up to this step: equal for the same step in an earlier check of this process."""
    any_may_read: bool = False
    """Whether `may_read` is true of any step of the path up to this one."""

    def __post_init__(self) -> None:
        before, own = self.before, (self.path, self.span, self.message, self.may_read, self.is_fetched)
        force_setattr(self, "first", before and (before.first or before))
        force_setattr(self, "number", 1 if before is None else before.number + 1)
        force_setattr(self, "fingerprint", hash((*own, before.fingerprint if before else 0)))
        force_setattr(self, "any_may_read", self.may_read or (before is not None and before.any_may_read))


class Context(Struct, frozen=True):
    """A context in which a script runs, with the load path that leads there, or the first of several.

    `step` is the last step of that path, or None if unknown. `certain` is false if it depends on the program
    whether the script is loaded at all: `import()`, an injected script, a page that a call opens, and
    whatever those load in turn. `path_count` is the number of paths that it represents. `excluded_targets` do
    not follow the path: they ignore the manifest key at its start, or do not have the function that loads the
    script. `is_module` is whether the script is loaded as a module or as a classic script, or None if
    unknown.
    """

    kind: ContextKind
    step: LoadStep | None = None
    certain: bool = True
    path_count: int = 1
    excluded_targets: frozenset[str] = frozenset()
    is_module: bool | None = None

    @property
    def may_be_read(self) -> bool:
        """Whether a page on the load path may only be read, to make it a part of another page."""
        return self.step is not None and self.step.any_may_read

    def is_same(self, other: Context) -> bool:
        """Whether another context, of an earlier check, was found in the same way."""
        own, its = (step and step.fingerprint for step in (self.step, other.step))
        return own == its and replace(self, step=None) == replace(other, step=None)

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
        is_fetched: bool = False,
    ) -> Context:
        """Returns the context of `target`, which `path`, a script or page of this context, loads (`verb`)."""
        certain = self.certain and certain
        message = f"{quoted(path)} {verb} {quoted(target)}"
        step = LoadStep(path, span, message, self.step, may_read, is_fetched)
        return Context(kind, step, certain, excluded_targets=self.excluded_targets)

    def covers(self, other: Context) -> bool:
        """Whether this context has the kind and all targets of the other, and is at least as certain.

        One in which a page may only be read does not cover one in which it is opened.
        """
        return (
            self.kind is other.kind
            and (self.certain or not other.certain)
            and self.excluded_targets <= other.excluded_targets
            and (other.may_be_read or not self.may_be_read)
        )


UNKNOWN_CONTEXTS = (Context(ContextKind.UNKNOWN),)
"""The contexts of a script that may run anywhere."""


def distinct_contexts(contexts: Iterable[Context]) -> tuple[Context, ...]:
    """Merges contexts of the same kind, certainty and excluded targets.

    The result is the first of them in which no page may only be read, or else the first. It is not known to
    be a module or a classic script if the script is loaded in both ways.
    """
    alike: dict[tuple[ContextKind, bool, frozenset[str]], list[Context]] = {}
    for each in contexts:
        alike.setdefault((each.kind, each.certain, each.excluded_targets), []).append(each)
    return tuple(
        replace(
            min(each, key=lambda one: one.may_be_read),
            path_count=sum(one.path_count for one in each),
            is_module=each[0].is_module if len({one.is_module for one in each}) == 1 else None,
        )
        for each in alike.values()
    )


@lru_cache(_MAX_CACHED)
def contexts_in_target(target: str, contexts: tuple[Context, ...]) -> tuple[Context, ...]:
    """Returns the contexts in which a script runs in a target."""
    if not any(each.excluded_targets for each in contexts):
        return contexts
    remaining = (
        replace(each, excluded_targets=frozenset())
        for each in contexts
        if target not in each.excluded_targets
    )
    return distinct_contexts(remaining)


class NamedFile(Struct, frozen=True):
    """A file that the manifest or a page names, and the position of the name.

    `name` is as written; `path` is the file that it refers to, relative to the extension's root.
    """

    name: str
    path: str
    source: str
    span: Span


def injection_context(value: Value) -> ContextKind:
    """Returns an injected script's context: a content script unless its option `world` differs."""
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


class CodeKind(Enum):
    """The ways in which a page gets its code."""

    SCRIPT = "inline scripts"
    IMPORT_MAP = "inline import maps"
    HANDLER = "inline event handlers"
    ADDRESS = "`javascript:` addresses"
    SOURCE = "scripts of other hosts"


class PageCode(Struct, frozen=True):
    """Code of a page.

    `text` is the code, or the address of a `SOURCE`; `span` is the byte range of the text in the page, and
    `attribute` the name of the attribute that contains it, or empty for the text of an element.
    """

    kind: CodeKind
    text: str
    span: ByteSpan
    attribute: str = ""


class PageWithCode(Struct, frozen=True):
    """A page with such code, and the contexts in which the page is open."""

    path: str
    code: tuple[PageCode, ...]
    contexts: tuple[Context, ...]

    def in_target(self, target: str) -> PageWithCode:
        """Returns the page with its contexts in a target."""
        return replace(self, contexts=contexts_in_target(target, self.contexts))


def any_has_import_map(pages: Iterable[PageWithCode]) -> bool:
    """Whether any of the pages has an import map, which defines the meaning of module names."""
    return any(code.kind is CodeKind.IMPORT_MAP for page in pages for code in page.code)


class Destination(Enum):
    """The destination of a function: where it runs, or how its text is used."""

    NONE = "nothing runs it, nor takes its text"
    SERIALIZED = "its text is taken, to run in an unknown place"
    CONTENT_SCRIPT = "it is injected into web pages"
    MAIN_WORLD = "it is injected into the main world of web pages"
    IN_PLACE = "it may run where it stands"


Keys: TypeAlias = tuple[str, ...]
"""The properties that lead from an expression to a function in it; empty if it is the function itself."""


CONTEXT_OF = {
    Destination.SERIALIZED: ContextKind.UNKNOWN,
    Destination.CONTENT_SCRIPT: ContextKind.CONTENT_SCRIPT,
    Destination.MAIN_WORLD: ContextKind.MAIN_WORLD,
}
"""The context in which a function runs that does not run where it is defined."""


def overall_destination(destinations: Iterable[Destination]) -> Destination:
    """Returns the overall destination of a function that has several."""
    found: set[Destination] = set()
    for each in destinations:
        if each is Destination.IN_PLACE:
            return Destination.IN_PLACE
        found.add(each)
    found.discard(Destination.NONE)
    return next(iter(found), Destination.NONE) if len(found) < 2 else Destination.SERIALIZED
