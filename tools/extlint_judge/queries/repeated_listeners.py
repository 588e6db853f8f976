"""How often a listener is called that two events before have added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint_judge.browsers.session import BACKGROUND, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import ONE, Query, findings

LISTENERS: Mapping[str, str] = {
    "a function that each event creates": "() => { count(); }",
    "a function of the script": "count",
    "a function that removes itself": (
        "function once() { count(); chrome.bookmarks.onRemoved.removeListener(once); }"
    ),
}
_ADD = """
chrome.bookmarks.onCreated.addListener(() => {
  chrome.bookmarks.onRemoved.addListener(%s);
});
"""
_ASK = """
(async () => {
  let calls = 0;
  const count = () => { calls++; };
  const wait = () => new Promise((settle) => setTimeout(settle, 300));
  const create = () => chrome.bookmarks.create({ title: "judge", url: "http://127.0.0.1/" });
  %s
  const [first, second] = [await create(), await create()];
  await wait();
  await chrome.bookmarks.remove(first.id);
  await wait();
  const found = calls;
  await chrome.bookmarks.remove(second.id);
  return found;
})()
"""


def _files(script: str = "") -> Files:
    keys = manifest(
        permissions=["bookmarks", "tabs"],
        background={"service_worker": BACKGROUND, "scripts": [BACKGROUND]},
    )
    return extension(keys, {BACKGROUND: script})


def _ask(session: Session, _: None) -> dict[str, int]:
    """Returns the number of calls of each listener for one event."""
    return {name: session.evaluate(_files(), _ASK % (_ADD % code)) for name, code in LISTENERS.items()}


def _compare(browser: str, _: None, answers: Mapping[str, int]) -> Iterator[str]:
    for name, calls in answers.items():
        script = "const count = () => { console.log(1); };" + _ADD % LISTENERS[name]
        script = script.replace("bookmarks.onCreated", "tabs.onCreated")
        is_reported = bool(findings(browser, _files(script), "repeated-listener"))
        may_repeat = name != "a function that removes itself"
        if is_reported is not (calls > 1 and may_repeat):
            yield f"{name}: extlint says that it is {'added again' if is_reported else 'there once'}"


repeated_listeners = Query(
    "repeated-listeners",
    """Query how often a listener is called that was added twice.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: ONE,
    _ask,
    _compare,
)
