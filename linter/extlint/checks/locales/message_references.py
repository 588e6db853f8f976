"""The references of an extension to messages: in its manifest, style sheets and scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from extlint.analysis.facts.script_facts import GET_MESSAGE, NO_GUARDS, CallSite, Reference
from extlint.analysis.facts.values import Literal, options_of
from extlint.extension import Extension, Script
from extlint.project.script_origins import is_test_script
from extlint.queries.query import query
from extlint.schema.validation.schema_path import is_comment
from extlint.text.json.values import JsonNode
from extlint.text.patterns import lazy
from extlint.text.positions import Span, TextIndex, decode

_REFERENCE = lazy(r"__MSG_([A-Za-z0-9_@]+?)__", needs=("__MSG_",))
_ALMOST = lazy(r"_{1,3}msg_([\w@.-]+?)_{0,3}", re.IGNORECASE)


def references(text: str) -> Iterator[re.Match[str]]:
    """Yields the references that browsers replace in a text; the first group is the message's name.

    A name ends at the first `__`, because names cannot contain two consecutive underscores.
    """
    if "__MSG_" in text:
        yield from _REFERENCE.finditer(text)


def broken_reference(text: str) -> str | None:
    """Returns the name in a text that resembles `__MSG_name__`, but is not replaced, or None."""
    if _REFERENCE.search(text) is not None:
        return None
    found = _ALMOST.fullmatch(text)
    return None if found is None else found[1]


_CSS_COMMENT = lazy(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BROWSER_COMMAND_PREFIX = "_execute_"
"""The prefix of the names of commands that browsers define."""
MAX_SEARCHES = 200
"""The maximum number of message names that are searched for in the texts of a package."""


class MessageReference(Struct, frozen=True):
    """A reference to a message. It has several names only if the program decides between them.

    `is_open` is true if it may refer to others too. `is_broken` is true if browsers do not recognize the text
    as a reference, although it looks like one: `__msg_title__`. A call of `i18n.getMessage` has `script` and
    `reference`, its reference to the API.
    """

    names: tuple[str, ...]
    path: str
    span: Span
    is_open: bool = False
    is_broken: bool = False
    script: Script | None = None
    reference: Reference | None = None


@query
def _search_cache(_extension: Extension) -> dict[str, bool]:
    """Returns a cache of whether the package contains a name."""
    return {}


def occurs_literally(extension: Extension, name: str) -> bool:
    """Whether a script or page contains a name literally, so that it is not concatenated from parts.

    Beyond `MAX_SEARCHES` names the result is always true.
    """
    from extlint.project.contexts.words import words_of

    known = _search_cache(extension)
    if name not in known:
        known[name] = len(known) >= MAX_SEARCHES or words_of(extension).has(name)
    return known[name]


@query
def message_references(extension: Extension) -> tuple[MessageReference, ...]:
    """Returns the references in the order: manifest, style sheets that it or a page names, scripts.

    Skips names that are not known exactly, and references in code that tests in which browser it runs, or in
    scripts that nothing loads.
    """
    return (*_in_manifest(extension), *_in_style_sheets(extension), *_in_scripts(extension))


def _in_manifest(extension: Extension) -> Iterator[MessageReference]:
    manifest = extension.manifest
    if manifest.get("l10n_resources") is not None:  # these also define messages, in Mozilla's own extensions
        return
    root = manifest.get() if b"msg" in manifest.index.text.lower() else None
    for text, node in () if root is None else _texts(root):
        if "msg" not in text.lower():
            continue
        meant = broken_reference(text.strip())
        names = [found[1] for found in references(text)] if meant is None else [meant]
        for name in dict.fromkeys(names):
            span = manifest.span(node.span)
            yield MessageReference((name,), manifest.path, span, is_broken=meant is not None)


def _texts(root: JsonNode) -> Iterator[tuple[str, JsonNode]]:
    """Yields the strings below a node, in order, without comments."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node.value, str):
            yield node.value, node
        members = (member.node for key, member in node.members() if not _is_comment(key))
        waiting += reversed([*node.items(), *members])


def _is_comment(key: str) -> bool:
    return is_comment(key) and not key.startswith(_BROWSER_COMMAND_PREFIX)


def _in_style_sheets(extension: Extension) -> Iterator[MessageReference]:
    package = extension.package
    named = (each.path for each in extension.named_files)
    for path in dict.fromkeys(path for path in named if path.endswith(".css") and path in package):
        data = decode(package.read(path))
        if b"__MSG_" in data:
            index = TextIndex(data)
            # In Latin-1, each byte is one character, so offsets are byte offsets.
            text = _CSS_COMMENT.sub(lambda comment: " " * len(comment[0]), data.decode("latin-1"))
            for found in references(text):
                yield MessageReference((found[1],), path, index.span(*found.span()))


def _in_scripts(extension: Extension) -> Iterator[MessageReference]:
    for script in extension.scripts:
        if script.is_for_other_targets or is_test_script(script):
            continue
        calls = [call for call in script.facts.calls if call.path == GET_MESSAGE]
        if calls and _is_unused(extension, script):
            continue
        references = script.facts.references_of_calls if calls else {}
        for call in calls:
            reference = references.get(call.callee)
            around = NO_GUARDS if reference is None else reference.guards
            is_tested = around.is_tested(GET_MESSAGE) or around.browser_tested or bool(around.user_agent)
            is_own = is_tested or call.has_fallback
            named = _reference_of_call(script, call, reference)
            if named is not None and not is_own:
                from extlint.checks.api.shims import is_shimmed
                from extlint.checks.reachability.unreachable_code import is_unreachable

                own = Reference(call.path, call.root, call.callee)
                if not is_unreachable(extension, script, around) and not is_shimmed(extension, script, own):
                    yield named


def _is_unused(extension: Extension, script: Script) -> bool:
    from extlint.checks.reachability.unused_scripts import is_unused_script

    return is_unused_script(extension, script)


def _reference_of_call(
    script: Script, call: CallSite, reference: Reference | None
) -> MessageReference | None:
    """Returns the messages that a call may look up, or None if all of them are unknown."""
    options = options_of(call.arguments[0]) if call.arguments else ()
    texts = (each.value for each in options if isinstance(each, Literal))
    names = tuple(text for text in texts if isinstance(text, str) and text)
    if not names:
        return None
    span = script.span(call.arguments[0].span or call.arguments_span)
    is_open = len(names) < len(options)
    return MessageReference(names, script.path, span, is_open=is_open, script=script, reference=reference)
