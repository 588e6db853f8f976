"""What one script does with the extension APIs. Rules see this and never a syntax tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum, IntEnum
from typing import TypeAlias

from msgspec import Struct

from extlint.script.facts.context import ContextKind
from extlint.script.facts.imports import NO_EXPORTS, Demand, Exports
from extlint.script.facts.listeners import ListenerAnswers
from extlint.script.facts.occasions import Occasion
from extlint.script.facts.omissions import Omission
from extlint.script.facts.values import ApiResult, Value
from extlint.text.positions import ByteSpan

ApiPath: TypeAlias = tuple[str, ...]

HAS_ANY = "has"
"""A test of the user agent: it contains one of some texts."""

HAS_NONE = "lacks"
"""A test of the user agent: it contains none of them."""

EXACT = "exact"
"""The texts are compared exactly."""

FOLDED = "folded"
"""The texts are compared regardless of letter case."""

MESSAGE_EVENTS: frozenset[ApiPath] = frozenset({("runtime", "onMessage"), ("runtime", "onMessageExternal")})
"""The events whose listeners get `sendResponse` as their third argument."""

INJECTION: ApiPath = ("scripting", "executeScript")
"""The function that injects the text of a function into web pages."""

GET_MESSAGE: ApiPath = ("i18n", "getMessage")
"""The function that returns an empty string for a name that it does not know."""

ANY_PERMISSION = "*"
"""Stands for a permission whose name is not known."""

HOSTS = "<all_urls>"
"""Stands for access to some host."""


TRUE = "true"
"""A test of the manifest: a value in it is itself the condition."""

INCLUDES = "includes"
"""A test of the manifest: a list in it includes a value."""


class FailureHandling(IntEnum):
    """What the program does about a failure, the strongest last."""

    NONE = 0
    """Nothing catches it."""

    REPORTED = 1
    """It is caught and shown, logged, passed on or rethrown."""

    SWALLOWED = 2
    """It is caught, and nobody learns of it."""

    RECOVERED = 3
    """The program does something else instead."""

    INSPECTED = 4
    """The program reads the error's text: it causes the failure to learn what the browser knows."""


class Guards(Struct, frozen=True):
    """What is known to hold at a reference to a member."""

    tested: frozenset[ApiPath] = frozenset()
    """The API paths that were tested and found to exist (`("management",)`)."""

    failure: FailureHandling = FailureHandling.NONE
    """What the `try` blocks around the place do about a failure."""

    missing: frozenset[ApiPath] = frozenset()
    """The API paths that were tested and found missing: in an `else`, or on the right of `??` and `||`."""

    browser_tested: bool = False
    """Whether an enclosing condition seems to test the browser or the manifest version."""

    conditional: bool = False
    """Whether any condition encloses it in its function, or encloses all calls of that function."""

    constants: frozenset[str] = frozenset()
    """Undeclared globals that a condition depends on; builds replace them by values."""

    manifest: frozenset[ApiPath] = frozenset()
    """What is known of the manifest.

    Each item is the test (`==`, with `!` before it where it failed), the value that is compared as JSON, and
    the keys that lead to the tested value.
    """

    granted: frozenset[str] = frozenset()
    """The permissions that the browser reported as granted."""

    unreachable: bool = False
    """Whether the code cannot run, because a condition always has the other outcome."""

    user_agent: frozenset[ApiPath] = frozenset()
    """What is known of the user agent: `HAS_ANY` or `HAS_NONE`, `EXACT` or `FOLDED`, and the texts."""

    runs_in: ContextKind | None = None
    """The context in which a function runs that is only serialized where it stands; None in other code."""

    unknown: bool = False
    """Whether it took too much work to find out what leads to the place, so that anything may be tested."""

    open_test: bool = False
    """Whether a condition around it may test anything: it is not seen to ask only which event it is."""

    outside_web: bool = False
    """Whether a condition around it says that the page is none of the Web."""

    def test(self, path: ApiPath) -> bool:
        """Whether something was found to exist that cannot exist without the path, or may have been."""
        return self.unknown or any(tested[: len(path)] == path for tested in self.tested)

    def grant(self, permissions: Iterable[str]) -> bool:
        """Whether one of these permissions was granted, or one whose name is not known, or may have been."""
        return self.unknown or not self.granted.isdisjoint({*permissions, ANY_PERMISSION})


NO_GUARDS = Guards()


class Reference(Struct, frozen=True):
    """A place where a member of the API is named, for whatever purpose.

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


class PromiseUse(Enum):
    """What is done with the promise that a call returns, where the call stands."""

    NONE = "nothing that shows"
    AWAITED = "its value is awaited and used"
    RETURNED = "its value is awaited and returned"
    CHAINED = "`then`, `catch` or `finally` is called"


class CapturedVariable(Struct, frozen=True):
    """A variable of its surroundings that an injected function uses, and where.

    `is_local` is true if a function declares it, and no script or module.
    """

    name: str
    span: ByteSpan
    is_local: bool


class CallSite(Struct, frozen=True):
    """A call of a member of the API, with what is known of each argument.

    `path` may end in an event's method (`("test", "onMessage", "addListener")`). `arguments` are
    those known to be passed, in order; `open` means that others may follow (a spread).
    `arguments_span` is the list with its parentheses. `after` is what the call's function has certainly
    waited for, by the last `await` before the call; None if it waits for nothing or that is not certain.
    `has_fallback` is true where the program tests whether the result is empty, or has another value to use
    instead; it is only determined for `i18n.getMessage`. `answers` is how a listener answers that is added
    to an event of messages; None if that is not known. `promise_use` is what is done with the result,
    `ends_with_call` is true if the last argument is the call of a function that returns nothing, and
    `captured` are the variables that a function uses which `scripting.executeScript` injects.
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
    occasions: frozenset[Occasion] = frozenset()
    answers: ListenerAnswers | None = None
    promise_use: PromiseUse = PromiseUse.NONE
    ends_with_call: bool = False
    captured: tuple[CapturedVariable, ...] = ()


class AmbiguousReference(Struct, frozen=True):
    """A place where one of several members is named, depending on a condition that is not known.

    `references` has one for each member. If the reference is called, `calls` has the call of each. `is_open`
    is true where it may also be something else that stands in for the API.
    """

    references: tuple[Reference, ...]
    calls: tuple[CallSite, ...] = ()
    is_open: bool = False


class PassedArgument(Struct, frozen=True):
    """An API value that a script passes to a function that it imports, as the argument at `index` from 0.

    `module` is the name in the import, `name` the imported binding.
    """

    module: str
    name: str
    index: int
    value: Value


class FieldRead(Struct, frozen=True):
    """A field that a script reads from a result of the API.

    `of` is the value whose field it is; `span` is the field's name, dotted, in brackets or in a
    pattern. `tested` is true where it is read to test whether it exists, where there is a fallback, or where
    such a test comes before; `replaced` where nothing or an empty object may stand in for the result.
    """

    of: ApiResult
    name: str
    span: ByteSpan
    guards: Guards = NO_GUARDS
    tested: bool = False
    replaced: bool = False


class Comparison(Struct, frozen=True):
    """A comparison for equality of a result of the API with another value.

    `with_` is that value as far as it is known, with its own span: the other side of `===`, the value of a
    `case`, an item of a list on which `includes` is called.
    """

    of: ApiResult
    with_: Value
    strict: bool = True
    guards: Guards = NO_GUARDS


class ModuleSyntax(Struct, frozen=True):
    """What only modules may have, where it stands: `import`, `export` or `import.meta`."""

    word: str
    span: ByteSpan


class AnswersAhead(Struct, frozen=True):
    """What rules ask a script when it is known where it runs, answered while its tree is there.

    `possible_uses` are those of some globals that it may use, if that was asked; see
    `extlint.script.possible_uses`. `module_syntax` is the first of what only modules may have.
    """

    possible_uses: frozenset[str] | None
    module_syntax: ModuleSyntax | None


class GlobalUse(Struct, frozen=True):
    """A place where a script uses a global that was asked for, in a way that fails if there is none.

    `name` is the global, or a member of one (`navigator.clipboard`); `member` is what is read from it, if
    that is known. `is_free` is true where it is named as a variable, so that naming it fails. `paths` are the
    paths on which the place is seen to run, with the guards on each; `on_load` is true if it certainly runs
    when the script loads. If the global is called, `arguments` are those known to be passed.
    """

    name: str
    span: ByteSpan
    member: str | None
    is_free: bool
    paths: frozenset[Guards]
    on_load: bool
    arguments: tuple[Value, ...] = ()


ArgumentTest: TypeAlias = Callable[[str, tuple[Value, ...]], bool]
"""Whether a use of a global matters, by its name and the arguments of its call, if it is called."""


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
    """Another script, or a page, that a script loads: its name as written, and where.

    The name of a file that is resolved by `getURL` begins with `/`. `on_load` is true if it is certainly
    loaded together with the script. `guards` are only determined for calls of the Web platform, and for
    names that are addresses; `is_called` is then true if the load happens when something calls a function.
    """

    name: str
    kind: LoadKind
    span: ByteSpan
    on_load: bool = True
    guards: Guards = NO_GUARDS
    is_called: bool = False

    @property
    def is_remote(self) -> bool:
        """Whether it is loaded from another host."""
        return self.name.startswith(("//", "http:", "https:"))


class LoadedAddress(Struct, frozen=True):
    """A file of the package that a script loads by its address: `image.src = runtime.getURL("a.png")`.

    `name` is what the address is made of, and `span` its place. `guards` are those of the place where the
    file is loaded, and `is_called` is true if that happens when something calls a function; `on_load` is
    true if it certainly happens whenever the script is loaded.
    """

    name: str
    span: ByteSpan
    guards: Guards = NO_GUARDS
    is_called: bool = False
    on_load: bool = False


class WrittenMarkup(Struct, frozen=True):
    """HTML that a script gives to its document: what it assigns to `innerHTML`, or passes to `write`.

    `text` is as long as the byte range `span`: of an expression, with a filler for what is not known. With
    `attribute` it is the value of an attribute of this name. `guards` and `is_called` are as in `Load`.
    """

    text: bytes
    span: ByteSpan
    attribute: str = ""
    guards: Guards = NO_GUARDS
    is_called: bool = False


class SyntaxProblem(Struct, frozen=True):
    """Why a script cannot be what it claims to be, and where; whether it is no text at all."""

    message: str
    span: ByteSpan
    is_binary: bool = False


class ScriptFacts(Struct, frozen=True):
    """All facts of one script, in source order."""

    references: tuple[Reference, ...] = ()
    calls: tuple[CallSite, ...] = ()

    dynamic_accesses: tuple[ByteSpan, ...] = ()
    """Accesses whose member is not known: `chrome[name]`."""

    exposed: frozenset[ApiPath] = frozenset()
    """The roots, namespaces and other objects of the API to which unknown members may be added.

    They escape to code that is not known, or the script computes the names.
    """

    added: frozenset[ApiPath] = frozenset()
    """The members to which the script assigns values."""

    escaped_results: frozenset[ApiResult] = frozenset()
    """The results of the API that escape: to messages, storage, objects, unknown code."""

    loads: tuple[Load, ...] = ()
    loaded_addresses: tuple[LoadedAddress, ...] = ()
    written_markup: tuple[WrittenMarkup, ...] = ()

    exports: Exports = NO_EXPORTS
    """The values that the script exports, by name, as far as they mean the same in any script."""

    known_exports: Demand = Demand.NONE
    """Which of them are known: exports are worked out only where another script asks for them."""

    globals: Exports = NO_EXPORTS
    """Such values that it assigns to globals; a root is among them if the script may replace it."""

    shared_variables: frozenset[str] = frozenset()
    """The top-level variables on whose values facts depend.

    It matters whether another script of the same realm writes them.
    """

    tested_globals: frozenset[str] = frozenset()
    """Globals that it tests and does not declare, so that it matters what other scripts assign to them."""

    field_reads: tuple[FieldRead, ...] = ()
    comparisons: tuple[Comparison, ...] = ()

    chained: tuple[FieldRead, ...] = ()
    """The places where `then`, `catch` or `finally` is read from what a call of `chrome` returns."""

    ambiguous_references: tuple[AmbiguousReference, ...] = ()
    """Uses of one of several members; they are not among `references` and `calls`."""

    passed_arguments: tuple[PassedArgument, ...] = ()
    """The API values that the script passes to functions and classes of other scripts."""

    ahead: AnswersAhead | None = None
    """What rules may ask it later, if it is so large that its tree may be gone then."""

    problem: SyntaxProblem | None = None
    returns_outside: ByteSpan | None = None
    """The first `return` that stands in no function, as only Node and bundlers take it."""

    omission: Omission | None = None
    """What the analysis left out; None if it left out nothing."""

    @property
    def complete(self) -> bool:
        """Whether the script was analyzed completely; if not, absence proves nothing."""
        return self.omission is None


NO_FACTS = ScriptFacts(known_exports=Demand.OF_API)
"""The facts of a script that is not parsed, since it can neither name the API nor load another script."""
