"""What one script does with the extension APIs. Rules see this and never a syntax tree."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, IntEnum
from typing import TypeAlias

from msgspec import Struct

from extlint.script.facts.context import ContextKind
from extlint.script.facts.imports import NO_EXPORTS, Exports
from extlint.script.facts.values import ApiResult, Value
from extlint.text.positions import ByteSpan

ApiPath: TypeAlias = tuple[str, ...]

HAS_ANY = "has"
"""Asked of the user agent: whether it has one of some texts."""

HAS_NONE = "lacks"
"""The same, where it has none of them."""

EXACT = "exact"
"""That letters of texts are compared as they are."""

FOLDED = "folded"
"""That small and capital letters are the same."""

GET_MESSAGE: ApiPath = ("i18n", "getMessage")
"""The function that gives an empty text for a name that it does not know."""

ANY_PERMISSION = "*"
"""Stands for a permission whose name is not known."""

HOSTS = "<all_urls>"
"""Stands for access to some host."""


TRUE = "true"
"""Asked of the manifest where a value of it is itself the condition."""

INCLUDES = "includes"
"""Asked of a list of the manifest."""


class FailureHandling(IntEnum):
    """What the program does about a failure, the strongest last."""

    NONE = 0
    """Nothing catches it."""

    REPORTED = 1
    """It is caught and swallowed, shown, logged, passed on or thrown again."""

    RECOVERED = 2
    """The program does something else instead."""

    INSPECTED = 3
    """The program takes values out of the error's text: it fails to learn what the browser knows."""


class Guards(Struct, frozen=True):
    """What is known to hold where a member is named."""

    tested: frozenset[ApiPath] = frozenset()
    """The API paths that were tested and found there (`("management",)`)."""

    failure: FailureHandling = FailureHandling.NONE
    """What the `try` blocks around the place do about a failure."""

    missing: frozenset[ApiPath] = frozenset()
    """The API paths that were tested and not found: in an `else`, or on the right side of `??` and `||`."""

    browser_tested: bool = False
    """Whether a condition around the place seems to ask which browser or manifest version it runs in."""

    conditional: bool = False
    """Whether there is any condition around it in its function, or around all calls of that."""

    constants: frozenset[str] = frozenset()
    """Globals that a condition depends on and nothing declares; builds put values in their places."""

    manifest: frozenset[ApiPath] = frozenset()
    """What holds of the manifest.

    Each is what is asked (`==`, with `!` before it where that is not so), the value it is asked about as
    JSON, and the keys that lead to what is asked.
    """

    granted: frozenset[str] = frozenset()
    """The permissions that the browser said to be granted."""

    unreachable: bool = False
    """Whether the code cannot run, because a condition always comes out otherwise."""

    user_agent: frozenset[ApiPath] = frozenset()
    """What holds of the user agent: `HAS_ANY` or `HAS_NONE`, how letters are compared, and the texts."""

    runs_in: ContextKind | None = None
    """The world that a function runs in whose text alone is used where it is written; None in other code."""

    def test(self, path: ApiPath) -> bool:
        """Whether something was found there that cannot be there without the path."""
        return any(tested[: len(path)] == path for tested in self.tested)

    def grant(self, permissions: Iterable[str]) -> bool:
        """Whether one of some permissions was granted, or another of which the name is not known."""
        return not self.granted.isdisjoint({*permissions, ANY_PERMISSION})


NO_GUARDS = Guards()


class Reference(Struct, frozen=True):
    """A place where a member of the API is named, whatever is then done with it.

    `path` is the member below the root (`("management", "getAll")`); `span` is the whole member
    expression, or the key in a destructuring pattern. `only_tested` is true where the member is
    read only to see whether it exists. `on_load` is true if it certainly runs when the script loads,
    `is_called` if it runs when something calls a function or makes an instance.
    """

    path: ApiPath
    root: str
    span: ByteSpan
    guards: Guards = NO_GUARDS
    only_tested: bool = False
    on_load: bool = False
    is_called: bool = False


class CallSite(Struct, frozen=True):
    """A call of a member of the API, with what is known of each argument.

    `path` may end in an event's method (`("test", "onMessage", "addListener")`). `arguments` are
    those known to be passed, in order; `open` means that others may follow (a spread).
    `arguments_span` is the list with its parentheses. `after` is what the call's function has certainly
    waited for, by the last `await` before the call; None if it waits for nothing or that is not certain.
    `has_fallback` is true where the program asks whether what the call gives is empty, or has something to
    take in its place; only of `i18n.getMessage` is that told.
    """

    path: ApiPath
    root: str
    span: ByteSpan
    callee: ByteSpan
    arguments: tuple[Value, ...]
    arguments_span: ByteSpan
    open: bool = False
    after: ByteSpan | None = None
    has_fallback: bool = False


class AmbiguousReference(Struct, frozen=True):
    """A place where one of several members is named, whichever a condition that is not known tells.

    `references` has each of them. Of a call of what is named so `calls` has the call of each. `is_open` is
    true where it may also be something that is no member of the API and stands in for one.
    """

    references: tuple[Reference, ...]
    calls: tuple[CallSite, ...] = ()
    is_open: bool = False


class PassedArgument(Struct, frozen=True):
    """Something of the API that a script passes to what it imports, as the argument at `index` from 0.

    `module` is the name in the import, `name` what is imported of it.
    """

    module: str
    name: str
    index: int
    value: Value


class FieldRead(Struct, frozen=True):
    """A field that a script reads from what the API gave it.

    `of` is the value whose field it is; `span` is the field's name, dotted, in brackets or in a
    pattern. `tested` is true where it is read to see whether it is there, has something to take in its
    place, or is reached after such a test.
    """

    of: ApiResult
    name: str
    span: ByteSpan
    guards: Guards = NO_GUARDS
    tested: bool = False


class Comparison(Struct, frozen=True):
    """A comparison for equality of what the API gave with another value.

    `with_` is that value as far as it is known, and stands at its own place: the other side of `===`,
    the value of a `case`, an item of a list whose `includes` is asked.
    """

    of: ApiResult
    with_: Value
    strict: bool = True
    guards: Guards = NO_GUARDS


class LoadKind(Enum):
    """How a script loads another one."""

    IMPORT = "import"
    DYNAMIC_IMPORT = "import()"
    REQUIRE = "require"
    IMPORT_SCRIPTS = "importScripts"
    WORKER = "new Worker"
    SERVICE_WORKER = "serviceWorker.register"
    WORKLET = "addModule"
    SCRIPT_ELEMENT = "script.src"
    PAGE = "a page's name"
    ADDRESS = "a page's name in getURL"


class Load(Struct, frozen=True):
    """Another script, or a page, that a script loads: its name as written, and where that stands.

    Of a file of the extension that is asked for by `getURL` the name begins with `/`. `on_load` is
    true if it is certainly loaded when the script is.
    """

    name: str
    kind: LoadKind
    span: ByteSpan
    on_load: bool = True


class SyntaxProblem(Struct, frozen=True):
    """Why a script cannot be what it claims to be, and where."""

    message: str
    span: ByteSpan


class ScriptFacts(Struct, frozen=True):
    """All facts of one script, in source order."""

    references: tuple[Reference, ...] = ()
    calls: tuple[CallSite, ...] = ()

    dynamic_accesses: tuple[ByteSpan, ...] = ()
    """Accesses whose member is not known: `chrome[name]`."""

    exposed: frozenset[ApiPath] = frozenset()
    """The roots, namespaces and other objects of the API that may get members whose names are not known.

    Code that is not seen gets them, or the script computes the names.
    """

    added: frozenset[ApiPath] = frozenset()
    """The members to which the script gives values of its own."""

    escaped_results: frozenset[ApiResult] = frozenset()
    """What the API gave that goes whole to what is not seen: messages, storage, objects, other code."""

    loads: tuple[Load, ...] = ()

    exports: Exports = NO_EXPORTS
    """The values that the script exports, by name, as far as they are the API or hold it."""

    globals: Exports = NO_EXPORTS
    """Such values that it puts into globals; a root is among them if something else may be put there."""

    shared_variables: frozenset[str] = frozenset()
    """The variables at its top on whose values facts depend.

    It matters whether another script of the same world writes them.
    """

    tested_globals: frozenset[str] = frozenset()
    """Globals that it tests and does not declare, so that it matters what other scripts put there."""

    field_reads: tuple[FieldRead, ...] = ()
    comparisons: tuple[Comparison, ...] = ()

    ambiguous_references: tuple[AmbiguousReference, ...] = ()
    """Uses of one of several members; they are not among `references` and `calls`."""

    passed_arguments: tuple[PassedArgument, ...] = ()
    """What the script passes of the API to functions and classes of other scripts."""

    problem: SyntaxProblem | None = None

    complete: bool = True
    """False where the script was too large or too odd to follow to its end: absence proves nothing."""


NO_FACTS = ScriptFacts()
