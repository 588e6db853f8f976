"""The occasions on which a place in a script runs, and the waits that come before it."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from extlint.analysis.facts.values import ApiResult

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
