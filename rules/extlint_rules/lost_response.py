"""Finds responses of listeners that never get to the sender.

## What it does

Under `--target firefox` and `--target chrome`, checks the listeners of `runtime.onMessage` and
`runtime.onMessageExternal`. It reports calls of their third parameter, `sendResponse`, that certainly come
after the listener has returned: in callbacks, after `await`, in `then`. These get to the sender only if the
listener has returned `true`. Listeners that a module imports are followed, and functions that it imports
and passes `sendResponse` to. Nothing is reported of a message that certainly no script sends.

A listener that returns `true` and never calls `sendResponse` is reported if another script of the package
waits for the response, and no other listener may give one. So is one that always returns `true` and calls
`sendResponse` only for other messages, by their fields, than the one for which a script waits. In Chrome, it
also reports listeners to `webRequest.onAuthRequired` that return a promise with the option `blocking`, where
Firefox takes it.

An `async` listener returns a promise, and what that is fulfilled with is the response. Firefox then ignores
`sendResponse`, and so does Chrome if the promise is fulfilled first. Before version 148 Chrome ignores the
promise, which is reported if `minimum_chrome_version` allows such versions.

Objects that browsers do not copy, such as the `Response` of `fetch`, are reported if a returned promise is
fulfilled with them, and another script waits for the response. Firefox refuses them, and Chrome sends an
empty object.

An `async` listener of a background is reported, too, if it may end for some messages without a response and
before it waits, and if another listener there responds later: the sender gets the first answer, `undefined`.

## Why is this bad

The sender gets `undefined` at once. If it waits with a callback, Chrome sets `runtime.lastError` to "The
message port closed before a response was received." Firefox says in the console that "the runtime.onMessage
handler has already returned a Promise". If `true` is returned and no response comes, the call fails with "A
listener indicated an asynchronous response by returning true, but the message channel closed before a
response was received", or in Firefox with "Promised response from onMessage listener went out of scope".

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Settings",
  "version": "1.0",
  "permissions": ["storage"],
  "background": {"service_worker": "background.js", "scripts": ["background.js"]},
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["content.js"]}]
}
```

```js background.js
chrome.runtime.onMessage.addListener((message, sender, sendResponse) => {
  chrome.storage.local.get("theme", (items) => sendResponse(items.theme));
});
```

```js content.js
chrome.runtime.sendMessage("theme", (theme) => {
  document.documentElement.dataset.theme = theme;
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Settings",
  "version": "1.0",
  "permissions": ["storage"],
  "background": {"service_worker": "background.js", "scripts": ["background.js"]},
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["content.js"]}]
}
```

```js background.js
chrome.runtime.onMessage.addListener((message, sender, sendResponse) => {
  chrome.storage.local.get("theme", (items) => sendResponse(items.theme));
  return true;
});
```

```js content.js
chrome.runtime.sendMessage("theme", (theme) => {
  document.documentElement.dataset.theme = theme;
});
```

`--fix --unsafe-fixes` adds `return true` on each path that responds later, where no other code follows that
it would skip. It does not change `async` listeners: only their authors know which messages get a response.

## References

* What Firefox 153 and Chromium 156 give the senders of messages, for listeners of every form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.analysis.facts.events import DiscardedResponse, ListenerResponses, Origin
from extlint.analysis.facts.script_facts import LOGIN_EVENT, MESSAGE_EVENTS, ApiPath, CallSite, Reference
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.reachability.occasions import runs_in_background
from extlint.checks.reachability.sent_messages import is_never_sent
from extlint.checks.reachability.unreachable_code import checked_scripts, is_unreachable
from extlint.extension import Extension, Script
from extlint.finding import Finding, Fix, Related
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import browser_name, version_text
from extlint.text.positions import ByteSpan, Span
from extlint.text.wording import quoted
from extlint_rules.helpers.listener_answers import (
    find_answers,
    lost_objects,
    promised_logins,
    unanswered_messages,
)

RULE = RULES["lost-response"]

PROMISES_SINCE = (148,)
"""The version of Chrome that first accepts a promise as the response of a listener, according to its
documentation.
"""

_MAYBE_PROMISES_SINCE = (147,)
"""Some sources name the version before, so that version is not reported."""

_ADDING = ("runtime", "onMessage", "addListener")
_LATE = "the listener has returned by then, without `true` to say that the response comes later"


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each listener, at the first lost response."""
    yield from _overtaken(extension)
    yield from _late_responses(extension)
    for each in unanswered_messages(extension):
        sending, sent = each.sender
        which = " for some messages" if each.is_partial else ""
        yield RULE.at(
            *each.script.place(each.span),
            f"the listener returns {quoted('true')}, but never calls {quoted('sendResponse')}{which}: "
            "the sender never gets a response",
            help=f"call {quoted('sendResponse')}, the third parameter of the listener, or return nothing",
            related=(Related(sending.path, sending.span(sent), "this call waits for the response"),),
        )
    for script, problem, other in lost_objects(extension):
        yield RULE.at(
            *script.place(problem.span or other[1]),
            problem.message,
            help=problem.help,
            related=(Related(other[0].path, other[0].span(other[1]), "this call waits for the response"),),
        )
    for script, span, place in promised_logins(extension):
        name = browser_name(extension.target.name)
        yield RULE.at(
            *script.place(span),
            f"{name} ignores the promise that the listener returns, as the option is {quoted('blocking')}",
            api=".".join(LOGIN_EVENT),
            help=f"use {quoted('asyncBlocking')}, and call the listener's second parameter with the answer",
            related=(Related(*script.place(place), "this answer is ignored"),),
        )


def _late_responses(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each listener that responds when the sender no longer waits."""
    reported: set[tuple[str, Span]] = set()
    for adding in checked_scripts(extension):
        references = adding.facts.references_of_calls
        for call in adding.facts.calls:
            event, found = call.path[:-1], find_answers(extension, adding, call)
            if event not in MESSAGE_EVENTS or found is None:
                continue
            script, answers = found
            ignores_promises = call.root != "browser" and _supports_versions_without_promises(extension)
            is_own = event == _ADDING[:-1]
            lost = [
                each
                for each in answers.lost
                if _is_lost(extension, each, ignores_promises)
                and not (is_own and is_never_sent(extension, adding, each.tests))
            ]
            places = list(dict.fromkeys(each.span for each in lost))
            if ignores_promises and not places and not (is_own and is_never_sent(extension, adding)):
                places = [*answers.promised][:1]
            if not places or not _may_be_added(extension, adding, references.get(call.callee), event):
                continue
            if (script.path, script.span(places[0])) in reported:
                continue
            if extension.target.engine is Engine.GECKO or not _is_kept_open(extension, adding, call):
                reported.add((script.path, script.span(places[0])))
                message, help = _message_and_help(extension, script, lost)
                related = (
                    Related(*script.place(each), "this response is lost as well") for each in places[1:]
                )
                yield RULE.at(
                    *script.place(places[0]),
                    message,
                    api=".".join(event),
                    help=help,
                    related=tuple(related),
                    fix=_fix(extension, adding, call, lost),
                    general=f"{_callback_name(script, lost)} is called when nobody waits for the response "
                    "any more",
                )


def _overtaken(extension: Extension) -> Iterator[Finding]:
    """Yields the `async` listeners of a background that answer with `undefined` before another one."""
    added = [*_in_backgrounds(extension)]
    for script, call, answers in added:
        others = (each for each in added if each[2].responds_later and each[1:] != (call, answers))
        other = next(others, None) if answers.ends_at_once else None
        if other is None:
            continue
        yield RULE.at(
            *script.place(call.callee),
            "this listener answers messages of another one, with `undefined`: it is `async`, and returns a "
            "promise for each message",
            api=".".join(call.path),
            help="return a promise only for messages with a response, from a listener that is not `async`",
            related=(Related(other[0].path, other[0].span(other[1].callee), "this listener responds later"),),
        )


def _in_backgrounds(extension: Extension) -> Iterator[tuple[Script, CallSite, ListenerResponses]]:
    """Yields the listeners that are certainly added when a background starts, with their answers."""
    adding = [
        (script, call)
        for script in checked_scripts(extension)
        for call in script.facts.calls
        if call.path == _ADDING
    ]
    for script, call in adding if len(adding) > 1 else ():
        if runs_in_background(script, extension.target.engine):
            references = script.facts.references_of_calls
            found = find_answers(extension, script, call)
            is_added = any(each.origin is Origin.LOAD and each.certain for each in call.occasions)
            if (
                found
                and is_added
                and not is_never_sent(extension, script)
                and _may_be_added(extension, script, references.get(call.callee), _ADDING[:-1])
            ):
                yield script, call, found[1]


def _fix(
    extension: Extension, adding: Script, call: CallSite, lost: Sequence[DiscardedResponse]
) -> Fix | None:
    if not lost or any(each.promised is not None for each in lost):
        return None
    found = extension.searches.edits_keeping_open(adding, call)
    if found is None:
        return None
    from extlint.manifest.edits.script_fixes import fix_by_edits

    script, edits = found
    return fix_by_edits(script.path, script.index, script.base, edits, "Return `true` from the listener")


def _is_lost(extension: Extension, answer: DiscardedResponse, ignores_promises: bool) -> bool:
    """Whether the sender does not receive an answer in the target."""
    if answer.promised is None or extension.target.engine is Engine.GECKO:
        return True
    return answer.outlasted or (answer.late and ignores_promises)


def _supports_versions_without_promises(extension: Extension) -> bool:
    oldest = extension.target.minimum
    is_chromium = extension.target.engine is Engine.CHROMIUM
    return is_chromium and oldest is not None and oldest < _MAYBE_PROMISES_SINCE


def _message_and_help(
    extension: Extension, script: Script, lost: Sequence[DiscardedResponse]
) -> tuple[str, str]:
    """Returns the mistake in the first of the lost answers, and the advice."""
    browser = browser_name(extension.target.name)
    since, oldest = version_text(PROMISES_SINCE), version_text(extension.target.minimum or ())
    requiring = f"or require {browser} {since} in {extension.manifest_source}"
    name = _callback_name(script, lost)
    if not lost:
        message = f"{browser} takes a promise as the response since version {since}"
        help = f"call `sendResponse` with the response and return `true`, {requiring}"
        return f"{message}, but the extension also runs in version {oldest}", help
    promised = lost[0].promised
    if promised is None:
        help = f"return `true` from the listener at the end of each path that calls {name} later"
        return f"{name} is called too late: {_LATE}", help
    returning = "fulfill the promise with the response, or return `true` from a listener that is not `async`"
    if extension.target.engine is Engine.GECKO:
        message = "is ignored, as the listener returns a promise: the sender gets the value of the promise"
        return f"{name} {message}, {quoted(promised)}", returning
    if lost[0].outlasted:
        message = "is called too late: the promise that the listener returns is fulfilled before"
        return f"{name} {message}, with {quoted(promised)}", returning
    message = f"{browser} waits for the promise that a listener returns since version {since}"
    return (
        f"{name} is called too late: {message}, but the extension also runs in version {oldest}",
        f"return `true` from a listener that is not `async`, {requiring}",
    )


def _callback_name(script: Script, lost: Sequence[DiscardedResponse]) -> str:
    """Returns the listener's name for `sendResponse`."""
    if not lost:
        return "`sendResponse`"
    start, end = (each + script.base for each in lost[0].span)
    return quoted(script.index.text[start:end].decode("utf-8", "replace"))


def _may_be_added(extension: Extension, script: Script, reference: Reference | None, event: ApiPath) -> bool:
    """Whether a listener may be added to an available event."""
    if reference is not None and is_unreachable(extension, script, reference.guards):
        return False
    return not unavailabilities_of(extension, event, script.contexts)


def _is_kept_open(extension: Extension, script: Script, call: CallSite) -> bool:
    """Whether another listener of the same document or worker may keep the sender waiting.

    Chrome has one port for all of them; in Firefox each has its own.
    """
    event, kinds = call.path[:-1], {each.kind for each in script.contexts}
    for other in extension.scripts:
        is_same = other is script
        if not (is_same or any(each.kind in kinds for each in other.contexts)):
            continue
        calls = [each for each in other.facts.calls if each.path[:-1] == event]
        added = (each for each in calls if each.path[-1] == "addListener")
        answers = (
            find_answers(extension, other, each) for each in added if not (is_same and each.span == call.span)
        )
        if any(each is None or each[1].keeps_open for each in answers):
            return True
        known = [each.callee for each in calls]
        named = (each.span for each in other.facts.references if each.path[:2] == event)
        if any(not any(_contains(callee, span) for callee in known) for span in named):
            return True
    return False


def _contains(outer: ByteSpan, inner: ByteSpan) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]
