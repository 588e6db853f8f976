"""Finds messages that are sent to where nothing listens.

## What it does

Under `--target firefox` and `--target chrome`, checks the calls of `runtime.sendMessage` and
`tabs.sendMessage` if all code of the extension is known. `runtime.sendMessage` reaches the background and the
extension's pages, but not where it is called, and never a content script. `tabs.sendMessage` reaches content
scripts, and pages of the extension that are open in the tab. It reports calls that reach no script that
listens to `runtime.onMessage`. Scripts that `scripting.executeScript` injects are content scripts.

It also reports a message with a text that every listener ignores: all listeners that may receive it compare
this field, such as `type`, with other texts, and do nothing but write to the console otherwise.

`runtime.connect` and `tabs.connect` are checked in the same way, for listeners to `runtime.onConnect`. In
Manifest V2, Chrome has `sendMessage` and `connect` also in `extension`, and they are checked, too.
Messages to other extensions and to native applications are not checked.

Under `--target chrome`, a manifest is reported whose `externally_connectable` names web pages, if no script
listens to `runtime.onMessageExternal` or `runtime.onConnectExternal`.

## Why is this bad

The call fails with "Could not establish connection. Receiving end does not exist.", and a port is closed with
this error. A message that every listener ignores does nothing, and its sender gets no response.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Highlighter",
  "version": "1.0",
  "action": {"default_popup": "popup.html"},
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["content.js"]}]
}
```

```html popup.html
<button>Highlight</button><script src="popup.js"></script>
```

```js popup.js
document.querySelector("button").addEventListener("click", () => {
  chrome.runtime.sendMessage("highlight");
});
```

```js content.js
chrome.runtime.onMessage.addListener((message) => {
  if (message === "highlight") document.body.style.background = "yellow";
});
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Highlighter",
  "version": "1.0",
  "action": {"default_popup": "popup.html"},
  "content_scripts": [{"matches": ["https://example.com/*"], "js": ["content.js"]}]
}
```

```html popup.html
<button>Highlight</button><script src="popup.js"></script>
```

```js popup.js
document.querySelector("button").addEventListener("click", async () => {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  await chrome.tabs.sendMessage(tab.id, "highlight").catch(console.error);
});
```

```js content.js
chrome.runtime.onMessage.addListener((message) => {
  if (message === "highlight") document.body.style.background = "yellow";
});
```

## References

* What Firefox 153 and Chromium 156 answer to messages between contexts of each kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import BACKGROUND_CONTEXTS, ContextKind
from extlint.analysis.facts.script_facts import CallSite, Reference
from extlint.analysis.facts.values import Kind, Literal, ObjectValue, is_nullish
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.reachability.unreachable_code import in_each_script, is_unreachable
from extlint.extension import Extension, Script
from extlint.finding import Finding, Related
from extlint.project.builds import may_be_completed
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.text.nearest import suggest_name
from extlint.text.wording import listed, name_suggestion, quoted, with_article
from extlint_rules.helpers.message_receivers import (
    ListenerContexts,
    certain_listener_contexts,
    kinds_of,
    listener_contexts,
    own_kinds,
)

RULE = RULES["lost-message"]

_EVENTS = {"connect": "onConnect", "sendMessage": "onMessage"}
"""The events of `runtime` to which a receiver listens, by the function that sends."""

_CONNECTABLE = "externally_connectable"
_EXTERNAL_EVENTS = ("onMessageExternal", "onConnectExternal")
_BY_RUNTIME = frozenset((space, name) for space in ("extension", "runtime") for name in _EVENTS)
_BY_TABS = frozenset(("tabs", name) for name in _EVENTS)
_SENDER_KINDS = BACKGROUND_CONTEXTS | {
    ContextKind.CONTENT_SCRIPT,
    ContextKind.DEVTOOLS_PAGE,
    ContextKind.EXTENSION_PAGE,
    ContextKind.OFFSCREEN,
}


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each message that reaches no listener."""
    yield from _findings(extension)
    if extension.target.engine is Engine.CHROMIUM:
        yield from _messages_of_pages(extension)


def _messages_of_pages(extension: Extension) -> Iterator[Finding]:
    """Yields a finding if web pages may send messages, and nothing listens to them."""
    manifest = extension.manifest
    found = manifest.get(_CONNECTABLE, "matches")
    if found is None or not found.items() or may_be_completed(extension, _CONNECTABLE):
        return
    for event in _EXTERNAL_EVENTS:
        listening = listener_contexts(extension, event)
        if listening is None or listening.kinds:
            return
    yield RULE.at(
        *manifest.place(found.span),
        "messages of these web pages reach nothing: no script listens to "
        f"{listed([quoted(f'runtime.{each}') for each in _EXTERNAL_EVENTS], 'or')}",
        help="listen to one of them: `runtime.onMessage` and `runtime.onConnect` are for own scripts",
    )


@in_each_script
def _findings(extension: Extension, script: Script) -> Iterator[Finding]:
    references = script.facts.references_of_calls
    for call in script.facts.calls:
        reference = references.get(call.callee)
        if reference is None or not _is_to_own_extension(call):
            continue
        certain = certain_listener_contexts(extension, _EVENTS[call.path[-1]])
        if certain is None:
            return
        if _may_reach(extension, script, call, certain):
            yield from _ignored_messages(extension, script, call, reference)
            continue
        found = listener_contexts(extension, _EVENTS[call.path[-1]])
        if found is None:
            return
        if not found.known and call.path in _BY_TABS and not _has_content_scripts(extension):
            continue
        words = _explain_if_lost(extension, script, call, reference, found)
        if words is not None:
            api = ".".join(call.path)
            message = f"{quoted(api)} reaches nothing: {words[0]}"
            yield RULE.at(*script.place(call.callee), message, api=api, help=words[1])


@query
def _has_content_scripts(extension: Extension) -> bool:
    """Whether any script runs in web pages. Without one, the package may be a part of an extension."""
    kinds = {each.kind for script in extension.scripts for each in script.contexts}
    return ContextKind.CONTENT_SCRIPT in kinds


def _ignored_messages(
    extension: Extension, script: Script, call: CallSite, reference: Reference
) -> Iterator[Finding]:
    """Yields a finding if all listeners that get a message do nothing with it."""
    from extlint_rules.helpers.unhandled_messages import ignored_message

    if call.path[-1] == "connect" or is_unreachable(extension, script, reference.guards):
        return
    if unavailabilities_of(extension, call.path, script.contexts):
        return
    found = ignored_message(extension, script, call)
    if found is None:
        return
    api = ".".join(call.path)
    text = quoted(found.text)
    what = f"a message whose {quoted(found.field)} is {text}" if found.field else f"the message {text}"
    listening, callee = found.listener
    yield RULE.at(
        *script.place(call.callee),
        f"{quoted(api)} is ignored: no listener handles {what}",
        api=api,
        help=name_suggestion(suggest_name(found.text, found.expected))
        if found.other_field is None
        else f"a listener compares it with {quoted(found.other_field)}: use this field in both",
        related=(Related(*listening.place(callee), "this listener does nothing with it"),),
    )


def _is_to_own_extension(call: CallSite) -> bool:
    """Whether a call certainly sends a message within the extension, if its arguments are correct."""
    is_connection = call.path[-1] == "connect"
    if call.path in _BY_TABS:
        tab = call.arguments[0] if len(call.arguments) > (not is_connection) else Literal(Kind.NULL)
        return not isinstance(tab, Literal) or tab.kind is Kind.NUMBER
    if call.path not in _BY_RUNTIME or call.open:
        return False
    if is_connection or not call.arguments:
        return is_connection and all(isinstance(each, ObjectValue) for each in call.arguments)
    arguments = call.arguments[:-1] if call.has_callback else call.arguments
    return len(arguments) == 1 or any(
        isinstance(each, ObjectValue) or is_nullish(each) for each in arguments[:1]
    )


def _explain_if_lost(
    extension: Extension, script: Script, call: CallSite, reference: Reference, found: ListenerContexts
) -> tuple[str, str] | None:
    """Returns the reason why a message reaches no listener, and the advice, or None if it may reach one."""
    if _may_reach(extension, script, call, found) or is_unreachable(extension, script, reference.guards):
        return None
    if unavailabilities_of(extension, call.path, script.contexts):
        return None
    senders = kinds_of(extension, script, reference)
    has_listener = bool(_reached_kinds(call, found))
    if not senders <= _SENDER_KINDS or (has_listener and not senders <= BACKGROUND_CONTEXTS):
        return None
    return _reason_and_help(call, senders, found)


def _may_reach(extension: Extension, script: Script, call: CallSite, found: ListenerContexts) -> bool:
    """Whether a message may reach a listener, wherever in the package the call's function runs.

    A function of a script that does not run in the background does not run there, either.
    """
    reached = _reached_kinds(call, found)
    return not reached <= BACKGROUND_CONTEXTS or (
        bool(reached) and not own_kinds(extension, script) <= BACKGROUND_CONTEXTS
    )


def _reached_kinds(call: CallSite, found: ListenerContexts) -> frozenset[ContextKind]:
    return found.reachable_by_tabs if call.path in _BY_TABS else found.reachable_by_runtime


def _reason_and_help(
    call: CallSite, senders: frozenset[ContextKind], found: ListenerContexts
) -> tuple[str, str]:
    """Returns the reason why a message reaches no listener, and the advice."""
    name = call.path[-1]
    listening = f"to `runtime.{_EVENTS[name]}`"
    event = f"listens {listening}"
    if not found.kinds:
        what = "connection" if name == "connect" else "message"
        return f"no script {event}", f"listen to it in the script that is meant to receive the {what}"
    if call.path in _BY_TABS:
        help = f"reach the background and pages of the extension with `runtime.{name}`"
        return f"no content script {event}, only {_contexts_text(found.known)}", help
    if found.known & BACKGROUND_CONTEXTS:
        own = "connect to itself" if name == "connect" else "get its own messages"
        reason = f"only the background {event}, and does not {own}"
        return reason, "call the listener like any other function"
    help = f"reach a content script with `tabs.{name}` and the id of its tab"
    if senders == {ContextKind.CONTENT_SCRIPT}:
        help = f"reach the background, which reaches the tab with `tabs.{name}`"
    return f"only content scripts listen {listening}, which it does not reach", help


def _contexts_text(kinds: frozenset[ContextKind]) -> str:
    """Returns contexts of some kinds as text."""
    other_contexts = [with_article(each.value) for each in ContextKind if each in kinds - BACKGROUND_CONTEXTS]
    return listed([*(["the background"] if kinds & BACKGROUND_CONTEXTS else []), *other_contexts], "and")
