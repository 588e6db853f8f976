"""The facts about how one script uses the extension APIs. Rules see these and never a syntax tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from enum import Enum, IntEnum
from typing import TypeAlias

from msgspec import Struct

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.events import ListenerResponses, Occasion
from extlint.analysis.facts.omissions import Omission
from extlint.analysis.facts.other_scripts import GLOBAL_OBJECT, NO_EXPORTS, Demand, Exports
from extlint.analysis.facts.values import ApiResult, Value, is_function
from extlint.text.positions import ByteSpan

ApiPath: TypeAlias = tuple[str, ...]

API_ROOT = "root of the API"
"""The first name in the fact that a root exists or is missing: `(API_ROOT, "chrome")`.

A third name, `window`, means that it is a property of the page's global object: in content scripts of
Firefox, that does not have the roots.
"""

HAS_ANY = "has"
"""A test of the user agent or the address: it contains one of the given texts, or one pattern matches it."""

HAS_NONE = "lacks"
"""A test of the user agent or the address: it contains none of the given texts, or no pattern matches it."""

HREF = "href"
"""A test of the whole address."""

PATH = "pathname"
"""A test of the path in the address."""

FILE = "file"
"""A test of the last part of the path in the address."""

SCHEME = "scheme"
"""A test of the scheme of the addresses of the extension."""

EXACT = "exact"
"""The texts are compared exactly."""

FOLDED = "folded"
"""The texts are compared regardless of letter case."""

CHECKED_CALLBACKS: frozenset[tuple[ApiPath, int]] = frozenset({(("omnibox", "onInputChanged"), 1)})
"""The functions that browsers pass to listeners and whose arguments they check, by event and index.

Verified in Chromium 156: `suggest` calls `omnibox.sendSuggestions`, which checks them.
"""

MESSAGE_EVENTS: frozenset[ApiPath] = frozenset({("runtime", "onMessage"), ("runtime", "onMessageExternal")})
"""The events whose listeners receive `sendResponse` as their third argument."""

LOGIN_EVENT: ApiPath = ("webRequest", "onAuthRequired")
"""The event whose listeners may return a response, or a promise of one, as those of messages may."""

INJECTION: ApiPath = ("scripting", "executeScript")
"""The function that injects the text of a function into web pages."""

SENDING: ApiPath = ("tabs", "sendMessage")
"""The function that sends a message to a tab."""

MAY_FAIL: frozenset[ApiPath] = frozenset(
    (space, name) for space in ("scripting", "tabs") for name in ("executeScript", "insertCSS")
) | {SENDING, ("runtime", "sendMessage")}
"""The functions that fail in ordinary use: in tabs of certain pages, and while a page is closed."""

GET_URL: frozenset[ApiPath] = frozenset({("extension", "getURL"), ("runtime", "getURL")})
"""The functions that convert the name of a file, which may not exist, to its address."""

GET_MESSAGE: ApiPath = ("i18n", "getMessage")
"""The function that returns an empty string for an unknown name."""

ANY_PERMISSION = "*"
"""Stands for a permission whose name is unknown."""

HOSTS = "<all_urls>"
"""Stands for access to some host."""


HIDDEN_FIELDS = frozenset({"favIconUrl", "pendingUrl", "title", "url"})
"""The fields of tabs that browsers hide from extensions without access to them."""

TRUE = "true"
"""A test of the manifest: a value in it is itself the condition."""

INCLUDES = "includes"
"""A test of the manifest: a list in it includes a value."""


class FailureHandling(IntEnum):
    """How the program handles a failure; the strongest handling is last."""

    NONE = 0
    """No code catches it."""

    REPORTED = 1
    """It is caught and shown, logged, passed on or rethrown."""

    SWALLOWED = 2
    """It is caught and not reported."""

    RECOVERED = 3
    """The program does something else instead."""

    INSPECTED = 4
    """The program reads the error's text: it causes the failure to find out what the browser supports."""


class Guards(Struct, frozen=True):
    """The facts that are known to hold at a reference to a member."""

    tested: frozenset[ApiPath] = frozenset()
    """The API paths that were tested and found to exist (`("management",)`)."""

    failure: FailureHandling = FailureHandling.NONE
    """How the `try` blocks around the place handle a failure."""

    missing: frozenset[ApiPath] = frozenset()
    """The API paths that were tested and found missing: in an `else`, or on the right of `??` and `||`."""

    browser_tested: bool = False
    """Whether an enclosing condition seems to test the browser or the manifest version."""

    conditional: bool = False
    """Whether any condition encloses it in its function, or encloses all calls of that function."""

    constants: frozenset[str] = frozenset()
    """Undeclared globals that a condition depends on; builds replace them with values."""

    manifest: frozenset[ApiPath] = frozenset()
    """Known facts about the manifest.

    Each item is the test (`==`, prefixed with `!` if it failed), the compared value as JSON, and
    the keys that lead to the tested value.
    """

    granted: frozenset[str] = frozenset()
    """The permissions that the browser reported as granted."""

    unreachable: bool = False
    """Whether the code cannot run because a condition always has the other outcome."""

    user_agent: frozenset[ApiPath] = frozenset()
    """Known facts about the user agent: `HAS_ANY` or `HAS_NONE`, `EXACT` or `FOLDED`, and the texts."""

    runs_in: ContextKind | None = None
    """The context in which a function runs that is only serialized where it is defined, or None in other
    code.
    """

    unknown: bool = False
    """Whether finding the paths to the place took too much work, so that anything may be tested on them."""

    open_test: bool = False
    """Whether an enclosing condition may test anything, since it is not known to test only the kind of
    event.
    """

    outside_web: bool = False
    """Whether an enclosing condition implies that the page is not a web page."""

    own_tests: frozenset[ApiPath] = frozenset()
    """The tests that the class or object of the code has: the name of the test, and a member that it tests.

    They count if another script tests some object by that name.
    """

    address: frozenset[ApiPath] = frozenset()
    """Known facts about the own address: `HAS_ANY` or `HAS_NONE`, a part of it, and regular expressions."""

    either: frozenset[ApiPath] = frozenset()
    """Sets of API paths with dots: a test found that at least one of each set exists."""

    def is_tested(self, path: ApiPath) -> bool:
        """Whether something was, or may have been, found to exist that cannot exist without the path."""
        return self.unknown or any(
            tested[: len(path)] == path
            for tested in self.tested
            if tested[0] not in (API_ROOT, GLOBAL_OBJECT)
        )

    def combined(self, other: Guards) -> Guards:
        """Returns the guards at a place where both these and some others hold."""
        return Guards(
            tested=self.tested | other.tested,
            failure=max(self.failure, other.failure),
            missing=self.missing | other.missing,
            browser_tested=self.browser_tested or other.browser_tested,
            conditional=self.conditional or other.conditional,
            constants=self.constants | other.constants,
            manifest=self.manifest | other.manifest,
            granted=self.granted | other.granted,
            unreachable=self.unreachable or other.unreachable,
            user_agent=self.user_agent | other.user_agent,
            runs_in=other.runs_in or self.runs_in,
            unknown=self.unknown or other.unknown,
            open_test=self.open_test or other.open_test,
            outside_web=self.outside_web or other.outside_web,
            own_tests=self.own_tests | other.own_tests,
            address=self.address | other.address,
            either=self.either | other.either,
        )

    def is_granted(self, permissions: Iterable[str]) -> bool:
        """Whether one of these permissions, or one whose name is unknown, was or may have been granted."""
        return self.unknown or not self.granted.isdisjoint({*permissions, ANY_PERMISSION})


NO_GUARDS = Guards()


class Reference(Struct, frozen=True):
    """A place where a member of the API is named, for any purpose.

    `path` is the member below the root (`("management", "getAll")`); `span` is the whole member
    expression, or the key in a destructuring pattern. `only_tested` is true if the member is
    read only to see whether it exists. `on_load` is true if the place certainly runs when the script loads,
    and `is_called` if it runs when some code calls a function or creates an instance. `is_delegated` is true
    if the place calls a function, perhaps of another script, that names the member.
    """

    path: ApiPath
    root: str
    span: ByteSpan
    guards: Guards = NO_GUARDS
    only_tested: bool = False
    on_load: bool = False
    is_called: bool = False
    is_delegated: bool = False


class PromiseUse(Enum):
    """How the code at a call uses the promise that the call returns."""

    NONE = "nothing that shows"
    AWAITED = "its value is awaited and used"
    RETURNED = "its value is awaited and returned"
    WAITED = "it is awaited before other statements run"
    CHAINED = "`then`, `catch` or `finally` is called"
    CAUGHT = "only `catch` is called, and the result is not used"


CHAINED_USES = frozenset({PromiseUse.CHAINED, PromiseUse.CAUGHT})
"""The uses that require a promise in any case."""


class ResultCall(Struct, frozen=True):
    """A call of a function that the API returns or passes: `port.postMessage(x)`, `sendResponse(x)`.

    `arguments` are the certain values of its arguments, up to the first that is spread, and with `open` more
    follow. `has_caught` is true if they are only certain if nothing but errors is thrown: one of them is what
    the code has caught.
    """

    of: ApiResult
    arguments: tuple[Value, ...]
    span: ByteSpan
    guards: Guards = NO_GUARDS
    has_caught: bool = False
    open: bool = False


class EarlyRead(Struct, frozen=True):
    """A read of a variable that only a function sets that `api`, or its promise, calls later.

    With `is_result`, a call of a function that returns nothing, although such a function in it does.
    """

    name: str
    span: ByteSpan
    api: ApiPath
    is_result: bool = False


class CapturedVariable(Struct, frozen=True):
    """A variable from the enclosing code that an injected function uses, and the position of the use.

    `is_local` is true if a function declares it, rather than a script or module.
    """

    name: str
    span: ByteSpan
    is_local: bool


class CallSite(Struct, frozen=True):
    """A call of a member of the API, with the known values of its arguments.

    `path` may end in an event's method (`("test", "onMessage", "addListener")`). `arguments` are the
    arguments known to be passed, in order; `open` means that others may follow (a spread). `arguments_span`
    is the list with its parentheses. `after` is the value that the function has certainly waited for, by the
    last `await` before the call, or None if it waits for nothing or that is not certain. `has_fallback` is
    true if the program tests whether the result is empty, or has another value to use instead; it is only
    determined for `i18n.getMessage`. `answers` are the responses of a listener that is added to a message
    event, or None if unknown. `promise_use` is how the result is used, and `is_caught` is true if `catch` is
    called on it, or `then` with two functions. `ends_with_call` is true if the last argument is the call of a
    function that returns nothing. `captured` are the variables used by a function that
    `scripting.executeScript` injects, and `injected_result` is its return value. `place` is the reference
    that the callee is, if it does not itself name the member: `create(…)`, `(chrome.tabs.create as any)(…)`.
    `is_detached` is true if the callee is a variable that holds the plain member, so that the call has no
    `this`. `loses_failure` is true if nothing handles a failure on some path, and no code seems to prevent
    it; it is only determined for `MAY_FAIL`.
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
    answers: ListenerResponses | None = None
    promise_use: PromiseUse = PromiseUse.NONE
    is_caught: bool = False
    ends_with_call: bool = False
    captured: tuple[CapturedVariable, ...] = ()
    injected_result: Value | None = None
    place: Reference | None = None
    is_detached: bool = False
    loses_failure: bool = False

    @property
    def has_callback(self) -> bool:
        """Whether the last argument certainly is a function."""
        return bool(self.arguments) and is_function(self.arguments[-1])


class AmbiguousReference(Struct, frozen=True):
    """A place where one of several members is named, depending on an unknown condition.

    `references` has one item for each member. If the reference is called, `calls` has the call of each.
    `is_open` is true if it may also be something else that replaces the API.
    """

    references: tuple[Reference, ...]
    calls: tuple[CallSite, ...] = ()
    is_open: bool = False


class PassedArgument(Struct, frozen=True):
    """An API value that a script passes to an imported function, as the argument at `index` from 0.

    `module` is the name in the import, `name` the imported binding.
    """

    module: str
    name: str
    index: int
    value: Value


class FieldRead(Struct, frozen=True):
    """A field that a script reads from a result of the API.

    `of` is the value that has the field; `span` is the field's name after a dot, in brackets or in a
    pattern. `tested` is true if it is read to test whether it exists, if there is a fallback, or if
    such a test comes before; `replaced` if nothing or an empty object may replace the result. `of_tested` is
    true if it is read only where the result itself is something.
    """

    of: ApiResult
    name: str
    span: ByteSpan
    guards: Guards = NO_GUARDS
    tested: bool = False
    replaced: bool = False
    of_tested: bool = False


class Comparison(Struct, frozen=True):
    """A comparison for equality of a result of the API with another value.

    `with_` is the known part of that value, with its own span: the other side of `===`, the value of a
    `case`, or an item of a list on which `includes` is called.
    """

    of: ApiResult
    with_: Value
    strict: bool = True
    guards: Guards = NO_GUARDS


class UnawaitedPromise(Struct, frozen=True):
    """A use of a promise as if it were the value in it.

    `function` is the name of the function whose call returns the promise, and `of` the result if that is a
    function of the API. `member` is the name of the member that is read from it, or None if the promise is
    used as a condition.
    """

    function: str
    span: ByteSpan
    member: str | None
    guards: Guards = NO_GUARDS
    of: ApiResult | None = None


class ModuleSyntax(Struct, frozen=True):
    """Syntax that only modules may have, and its position: `import`, `export` or `import.meta`."""

    word: str
    span: ByteSpan


class PrefetchedResults(Struct, frozen=True):
    """Results of rules' queries made once a script's contexts are known, computed while its tree exists.

    `possible_uses` are the uses of some globals that the script may have, or None if they were not computed;
    see `extlint.analysis.possible_uses`. `module_syntax` is the first syntax that only modules may have.
    """

    possible_uses: frozenset[str] | None
    module_syntax: ModuleSyntax | None


class GlobalUse(Struct, frozen=True):
    """A place where a script uses a requested global, in a way that fails if the global does not exist.

    `name` is the global, or a member of one (`navigator.clipboard`); `member` is the member that is read from
    it, if known. `is_free` is true if it is named as a variable, so that naming it fails. `paths` are the
    paths on which the place is known to run, with the guards on each; `on_load` is true if it certainly runs
    when the script loads. If the global is called, `arguments` are those known to be passed. `is_caught` is
    true if it or a function of it is called, and the script has a function for the failure of its promise.
    """

    name: str
    span: ByteSpan
    member: str | None
    is_free: bool
    paths: frozenset[Guards]
    on_load: bool
    arguments: tuple[Value, ...] = ()
    is_caught: bool = False


ArgumentTest: TypeAlias = Callable[[str, tuple[Value, ...]], bool]
"""A test of whether a use of a global matters, by its name and the arguments of its call, if it is called."""


class Declaration(Struct, frozen=True):
    """A name that a statement at the top of a script declares. `is_unique` if only once in a realm."""

    name: str
    span: ByteSpan
    is_unique: bool


class TopLevel(Struct, frozen=True):
    """The names that the statements at the top of a script declare, and the result of the script.

    `result` is the value of the last statement that has one, or None if unknown.
    """

    declarations: tuple[Declaration, ...] = ()
    result: Value | None = None


class LoadKind(Enum):
    """The ways in which a script loads another one."""

    IMPORT = "import"
    DYNAMIC_IMPORT = "import()"
    REQUIRE = "require"
    IMPORT_SCRIPTS = "importScripts"
    WORKER = "new Worker"
    SERVICE_WORKER = "serviceWorker.register"
    WORKLET = "addModule"
    SCRIPT_ELEMENT = "script.src"
    PAGE = "a page's name"
    ADDRESS = "the name of a page in getURL, or of a script that is only read"


class Load(Struct, frozen=True):
    """Another script, or a page, that a script loads: its name as written, and its position.

    The name of a file that is resolved by `getURL` begins with `/`. `on_load` is true if it is certainly
    loaded together with the script. `guards` are only determined for calls of the Web platform, and for
    names that are addresses; `is_called` is then true if the load happens when some code calls a function.
    `is_fetched` is true for a page or script that is only read as a text.
    """

    name: str
    kind: LoadKind
    span: ByteSpan
    on_load: bool = True
    guards: Guards = NO_GUARDS
    is_called: bool = False
    is_fetched: bool = False

    @property
    def is_remote(self) -> bool:
        """Whether it is loaded from another host."""
        return self.name.startswith(("//", "http:", "https:"))


class LoadedAddress(Struct, frozen=True):
    """A file of the package that a script loads by its address: `image.src = runtime.getURL("a.png")`.

    `name` is the name from which the address is built, and `span` its position. `guards` are those of the
    place where the file is loaded, and `is_called` is true if that happens when some code calls a function;
    `on_load` is true if it certainly happens whenever the script is loaded.
    """

    name: str
    span: ByteSpan
    guards: Guards = NO_GUARDS
    is_called: bool = False
    on_load: bool = False


class WrittenMarkup(Struct, frozen=True):
    """HTML that a script writes to its document by assigning it to `innerHTML` or passing it to `write`.

    `text` is as long as the byte range `span` of an expression, with a filler for unknown parts. If
    `attribute` is set, it is the value of an attribute of this name. `guards` and `is_called` are as in
    `Load`.
    """

    text: bytes
    span: ByteSpan
    attribute: str = ""
    guards: Guards = NO_GUARDS
    is_called: bool = False


class SyntaxProblem(Struct, frozen=True):
    """The reason why a script cannot be as it claims, its position, and whether the file is binary."""

    message: str
    span: ByteSpan
    is_binary: bool = False


class Verdict(Enum):
    """The verdict on the syntax of a script that is not known to be broken."""

    VALID = "valid"
    UNKNOWN = "unknown"


class ScriptFacts(Struct, frozen=True):
    """All facts of one script, in source order."""

    references: tuple[Reference, ...] = ()
    calls: tuple[CallSite, ...] = ()

    dynamic_accesses: tuple[ByteSpan, ...] = ()
    """Accesses whose member is unknown: `chrome[name]`, but not `chrome.storage[area]`."""

    exposed: frozenset[ApiPath] = frozenset()
    """The roots, namespaces and other objects of the API to which unknown members may be added.

    They escape to unknown code, or the script computes the names.
    """

    held: frozenset[ApiPath] = frozenset()
    """The roots and other objects of the API that reach more than members, tests and variables.

    They are passed, returned or kept in objects, so that an expression of unknown value may be one of them.
    """

    added: frozenset[ApiPath] = frozenset()
    """The members to which the script assigns values."""

    replaced: frozenset[ApiPath] = frozenset()
    """The members that it replaces by code of the package even if the browser has them."""

    created: frozenset[ApiPath] = frozenset()
    """The members to which the script assigns objects whose own members are in `added`."""

    assigned_roots: frozenset[ApiPath] = frozenset()
    """The members of objects that the script assigns to a root, each below the name of the root."""

    escaped_results: frozenset[ApiResult] = frozenset()
    """The results of the API that escape: to messages, storage, objects, unknown code."""

    manifest_keys: frozenset[str] = frozenset()
    """The keys that the script reads from the manifest at run time, at any depth."""

    hidden_reads: frozenset[ApiResult] = frozenset()
    """The parts of results that the script may read and that have the name of one of the `HIDDEN_FIELDS`."""

    loads: tuple[Load, ...] = ()
    loaded_addresses: tuple[LoadedAddress, ...] = ()
    written_markup: tuple[WrittenMarkup, ...] = ()

    exports: Exports = NO_EXPORTS
    """The exported values by name, as far as they mean the same in any script."""

    known_exports: Demand = Demand.NONE
    """The exports that are known: they are computed only if another script requests them."""

    globals: Exports = NO_EXPORTS
    """Such values that the script assigns to globals; a root is among them if the script may replace it."""

    shared_variables: frozenset[str] = frozenset()
    """The top-level variables on whose values facts depend.

    It matters whether another script of the same realm writes them.
    """

    tested_globals: frozenset[str] = frozenset()
    """Globals that the script tests and does not declare, so that the assignments of other scripts matter."""

    field_reads: tuple[FieldRead, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    result_calls: tuple[ResultCall, ...] = ()

    chained: tuple[FieldRead, ...] = ()
    """The places where `then`, `catch` or `finally` is read from the return value of a `chrome` call."""

    unawaited: tuple[UnawaitedPromise, ...] = ()
    """The uses of promises as if they were the values in them, apart from the field reads."""

    ambiguous_references: tuple[AmbiguousReference, ...] = ()
    """Uses of one of several members; they are not among `references` and `calls`."""

    passed_arguments: tuple[PassedArgument, ...] = ()
    """The API values that the script passes to functions and classes of other scripts."""

    ahead: PrefetchedResults | None = None
    """Results that rules may query later, if the script is so large that its tree may have been freed by
    then.
    """

    problem: SyntaxProblem | None = None

    is_doubtful: bool | None = None
    """Whether there are signs of a syntax error, or None if the script is not parsed."""

    returns_outside: ByteSpan | None = None
    """The first `return` outside of any function, which only Node and bundlers accept."""

    awaits_outside: ByteSpan | None = None
    """The first `await` outside of any function, which only modules may have."""

    omission: Omission | None = None
    """The part that the analysis left out, or None if it is complete."""

    @property
    def complete(self) -> bool:
        """Whether the script was analyzed completely; if not, absence proves nothing."""
        return self.omission is None

    @property
    def possible_references(self) -> Iterator[Reference]:
        """The references in `ambiguous_references`, which are not among `references`."""
        return (each for choice in self.ambiguous_references for each in choice.references)

    @property
    def passed_on(self) -> frozenset[ApiPath]:
        """The members that the script may use other than by a call at the place, except in mere tests."""
        called = {each.callee for each in self.calls}
        named = (each.path for each in self.references if each.span not in called and not each.only_tested)
        return frozenset((*named, *(each.path for each in self.possible_references)))

    @property
    def references_of_calls(self) -> Mapping[ByteSpan, Reference]:
        """The reference that the callee of each call is, by its span."""
        by_name = {each.span: each for each in self.references}
        return by_name | {each.callee: each.place for each in self.calls if each.place is not None}


def has_prefix_among(path: ApiPath, paths: AbstractSet[ApiPath]) -> bool:
    """Whether a member, or an object that contains it, is one of some others."""
    return any(path[:length] in paths for length in range(len(path) + 1))


NO_FACTS = ScriptFacts(known_exports=Demand.OF_API)
"""The facts of a script that is not parsed, since it can neither name the API nor load another script."""
