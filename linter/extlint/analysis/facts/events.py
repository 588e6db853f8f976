"""The occasions on which a place in a script runs, the waits before it, and the responses of listeners."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from extlint.analysis.facts.values import ApiResult, Value
from extlint.text.positions import ByteSpan

MENU_NAMESPACES = frozenset({"contextMenus", "menus"})
"""The namespaces for items of context menus."""

_GESTURE_FUNCTIONS = frozenset(
    {
        ("downloads", "open"),
        ("management", "createAppShortcut"),
        ("management", "generateAppForLink"),
        ("management", "setLaunchType"),
        ("management", "uninstall"),
        ("permissions", "request"),
        ("sidePanel", "open"),
        ("sidebarAction", "close"),
        ("sidebarAction", "open"),
        ("sidebarAction", "toggle"),
    }
)


TAB_ACCESS_FUNCTIONS = frozenset(
    {
        ("scripting", "executeScript"),
        ("scripting", "insertCSS"),
        ("scripting", "removeCSS"),
        ("tabs", "captureVisibleTab"),
        ("tabs", "executeScript"),
        ("tabs", "insertCSS"),
        ("tabs", "removeCSS"),
    }
)
"""The functions for which the permission `activeTab` is enough while it is granted."""


_LASTING_FUNCTIONS = frozenset(
    {
        ("alarms", "clear"),
        ("alarms", "clearAll"),
        ("alarms", "create"),
        ("declarativeNetRequest", "updateDynamicRules"),
        ("declarativeNetRequest", "updateSessionRules"),
        ("offscreen", "closeDocument"),
        ("offscreen", "createDocument"),
        ("scripting", "registerContentScripts"),
        ("scripting", "unregisterContentScripts"),
        ("sidePanel", "setOptions"),
        ("sidePanel", "setPanelBehavior"),
    }
)
"""The functions that create and remove what outlives a run of the background."""


class Origin(Enum):
    """The origin of a run of code."""

    LOAD = "the script is loaded"
    EVENT = "an event of the API"
    PLATFORM = "an event of the Web platform"
    SHARED = "another script may call it"
    UNKNOWN = "something that is not known"


class WaitKind(Enum):
    """The ways in which code waits."""

    AWAIT = "await"
    THEN = "then"
    CALLBACK = "a callback of the API"
    TIMER = "a timer"


class Wait(Struct, frozen=True):
    """A wait that certainly comes before a place.

    `of` is the API result that the code waits for. `takes_time` is true for any other wait that certainly
    takes more than a turn of the event loop: a long timer, and `fetch` from another host.
    """

    kind: WaitKind
    of: ApiResult | None = None
    takes_time: bool = False


class Occasion(Struct, frozen=True):
    """One way in which a place comes to run.

    `event` is the path of the API event, and `name` the name by which another script calls it: what a module
    exports if `is_export` is true. `waits` come
    after the origin and before the place, in no particular order. `certain` is true if the place certainly
    runs on each such occasion, unless something fails before. `repeats` is true if the place, once it has
    run, certainly runs on the next occasion with the same data and the same settings.
    """

    origin: Origin
    event: tuple[str, ...] = ()
    name: str = ""
    waits: frozenset[Wait] = frozenset()
    certain: bool = True
    repeats: bool = True
    is_export: bool = False


_CLICKS = tuple(
    (each, "onClicked") for each in ("action", "browserAction", "contextMenus", "menus", "pageAction")
)
_FREQUENT_NAMESPACES = frozenset({"storage", "tabs", "webNavigation", "webRequest", "windows"})
_FREQUENT_EVENTS = frozenset(
    {*_CLICKS, ("alarms", "onAlarm"), ("commands", "onCommand"), ("runtime", "onConnect")}
)


def comes_often(event: tuple[str, ...]) -> bool:
    """Whether an event of the API usually comes several times while an extension runs.

    The events of a port from `runtime.onConnect` come as often as that. A message does not count: a program
    may send it only once.
    """
    return event[:2] in _FREQUENT_EVENTS or (event[:1] != () and event[0] in _FREQUENT_NAMESPACES)


UNKNOWN_OCCASION = Occasion(Origin.UNKNOWN, certain=False, repeats=False)
"""The occasion of a place if it is unknown when it runs."""

AT_LOAD = frozenset({Occasion(Origin.LOAD)})
"""The occasions of code that runs when the script is loaded, before anything else."""


def depends_on_occasion(path: tuple[str, ...]) -> bool:
    """Whether the occasions of a call to an API member matter."""
    return (
        path[-1] in ("addListener", "removeListener")
        or path in _GESTURE_FUNCTIONS
        or path in _LASTING_FUNCTIONS
        or path in TAB_ACCESS_FUNCTIONS
        or (len(path) == 2 and path[0] in MENU_NAMESPACES)
    )


class MessageTest(Struct, frozen=True):
    """A test that a message passes: a field of it has a value, or any value if `value` does not matter.

    An empty `field` stands for the message itself.
    """

    field: str
    value: str | float | None = None


class DiscardedResponse(Struct, frozen=True):
    """A place where a listener calls `sendResponse`, or has it called, while no sender awaits a response.

    Without `promised`, the listener has returned neither a promise nor `true` before. Otherwise it returns a
    promise that is fulfilled with the value whose source text is `promised`; `late` is whether the listener
    has certainly returned the promise before, and `outlasted` whether the promise is certainly fulfilled
    before. `tests` are those that the message passes whenever the place runs.
    """

    span: ByteSpan
    promised: str | None = None
    late: bool = True
    outlasted: bool = False
    tests: frozenset[MessageTest] = frozenset()


class UnansweredReturn(Struct, frozen=True):
    """A place where a listener returns `true` in vain, and the tests that the message has passed."""

    span: ByteSpan
    tests: frozenset[MessageTest] = frozenset()


class ListenerResponses(Struct, frozen=True):
    """The discarded responses of a listener, and whether it may return `true` or a promise.

    `promised` are the places where a listener without `sendResponse` returns a response in a promise.
    `undecided` is true if the listener passes `sendResponse` to code that may respond at an unknown time.
    `ends_at_once` is true if it is `async` and may end without a response before it waits, and
    `responds_later` if it may keep the sender waiting for a response.
    `unanswered` are the places where it returns `true` although it never calls `sendResponse`, or always
    returns it and does so only for messages that pass the tests of one of `answered`, and `may_respond` is
    false if it certainly never responds, by a promise either. `objects` are the objects with which the
    promises that it returns are fulfilled. `handled` are the tests by which it chooses its messages if it
    does nothing with all others, or None.
    """

    lost: tuple[DiscardedResponse, ...] = ()
    keeps_open: bool = False
    promised: tuple[ByteSpan, ...] = ()
    undecided: bool = False
    ends_at_once: bool = False
    responds_later: bool = False
    unanswered: tuple[UnansweredReturn, ...] = ()
    may_respond: bool = True
    answered: tuple[frozenset[MessageTest], ...] = ()
    objects: tuple[Value, ...] = ()
    handled: frozenset[MessageTest] | None = None
