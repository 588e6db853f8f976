"""The background listeners in which Firefox allows calls that require a user action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint_judge.browsers.session import BACKGROUND, PAGE, InFirefox, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import ONE, Query, contradictions, findings

CALLS: Mapping[str, str] = {
    "downloads.open": "browser.downloads.open(99)",
    "permissions.request": "browser.permissions.request({permissions: ['topSites']})",
    "sidebarAction.close": "browser.sidebarAction.close()",
    "sidebarAction.open": "browser.sidebarAction.open()",
    "sidebarAction.toggle": "browser.sidebarAction.toggle()",
}
START = "the start"
LOAD = "the load of a page"
EVENTS = (
    *("alarms.onAlarm", "cookies.onChanged", "history.onVisited", "runtime.onInstalled", "runtime.onMessage"),
    *("storage.onChanged", "tabs.onUpdated", "webNavigation.onCompleted"),
)
"""Events of the background. The message is sent on a click in a web page."""

FROM_PAGE = "runtime.onMessage from a page"
"""The message event, sent by a page of the extension."""

REFUSAL = "may only be called from a user input handler"
_ALLOWED = "allowed"
_MANIFEST = manifest(
    2,
    permissions=[
        *("alarms", "cookies", "downloads", "downloads.open", "history", "storage", "tabs", "webNavigation"),
        "http://127.0.0.1/*",
    ],
    optional_permissions=["topSites"],
    background={"scripts": [BACKGROUND]},
    browser_action={},
    sidebar_action={"default_panel": PAGE, "open_at_install": False},
    content_scripts=[{"matches": ["http://127.0.0.1/*"], "js": ["content.js"]}],
)
_HELPERS = """
const told = (call, tell) => {
  const wait = new Promise((resolve) => setTimeout(resolve, 500, '%s'));
  const said = (async () => call())().then(() => '%s', (error) => error.message);
  Promise.race([said, wait]).then(tell);
};
const once = (event, listener) => event.addListener(function heard() {
  event.removeListener(heard);
  listener();
});
"""
_TRIGGERS = """
browser.tabs.create({ url: '%s' });
let times = 0;
const cause = () => {
  times += 1;
  browser.alarms.create('judge', { when: Date.now() });
  browser.storage.local.set({ judge: times });
  browser.cookies.set({ url: 'http://127.0.0.1/', name: 'judge', value: `${times}` });
};
cause();
setInterval(cause, 1000);
"""
"""The script that triggers the events, repeatedly because a listener may be added later."""
_LISTENERS = {
    START: "/* %s */ %s;",
    LOAD: "/* %s */ %s;",
    FROM_PAGE: "browser./* %s */runtime.onMessage.addListener((sent) => { if (sent === 'page') %s; });",
    "": "once(browser.%s, () => %s);",
}
_CONTENT = """
document.addEventListener('click', () => browser.runtime.sendMessage('judge'));
document.querySelector('p').dataset.heard = '';
"""


_PAGE = "<!doctype html><p>page</p><script src='page.js'></script>"


def files_of(occasion: str, call: str) -> Files:
    """Returns an extension that makes a call on an occasion. Its alarm may go off."""
    event = occasion.partition(" ")[0]
    if occasion == LOAD:
        return extension(_MANIFEST, {BACKGROUND: "", PAGE: _PAGE, "page.js": f"{call};"})
    script = f"{call};" if occasion == START else f"browser.{event}.addListener(() => {{ {call}; }});"
    return extension(_MANIFEST, {BACKGROUND: f"{script}\nbrowser.alarms.create({{}});"})


def _ask(session: Session, _case: None) -> dict[str, str]:
    """Returns the result of each call on each occasion: `allowed`, or an error."""
    assert isinstance(session, InFirefox)
    names = [f"{call}, {occasion}" for occasion in (START, LOAD, *EVENTS, FROM_PAGE) for call in CALLS]
    lines = {}
    for name in names:
        call, _, occasion = name.partition(", ")
        made = f"told(() => {CALLS[call]}, (text) => {session.report(name, 'text')})"
        lines[name] = _LISTENERS.get(occasion, _LISTENERS[""]) % (occasion, made)
    helpers = _HELPERS % (_ALLOWED, _ALLOWED)
    in_page = [lines.pop(name) for name in names if name.endswith(LOAD)]
    files = {
        BACKGROUND: "\n".join([helpers, *lines.values(), _TRIGGERS % session.server.page]),
        "content.js": _CONTENT,
        PAGE: _PAGE,
        "page.js": "\n".join([helpers, *in_page, _CONTENT.replace("judge", "page")]),
    }
    session.load(extension(_MANIFEST, files))
    results = session.receive(*(name for name in names if name.endswith(START)))
    for page in (session.server.page, PAGE):
        session.click(page, "p[data-heard]")
    results |= session.receive(*(name for name in names if name not in results))
    return dict(sorted(results.items()))


def _compare(browser: str, _case: None, answers: Mapping[str, str]) -> Iterator[str]:
    reported = set()
    for name in answers:
        call, _, occasion = name.partition(", ")
        if findings(browser, files_of(occasion, CALLS[call]), "lost-user-gesture"):
            reported.add(name)
    yield from contradictions(reported, {name: REFUSAL in answer for name, answer in answers.items()})


user_input = Query(
    "user-input",
    """Query when Firefox allows calls that require a click.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: ONE,
    _ask,
    _compare,
    ("firefox",),
)
