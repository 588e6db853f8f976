"""Finds types of messages that a listener expects, and that scripts send only in a misspelled form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial

from extlint.analysis.facts.script_facts import ApiPath, Comparison, ScriptFacts
from extlint.analysis.facts.values import Kind, Literal, ObjectValue, Value, options_of
from extlint.checks.reachability.sent_messages import SENDING, TO_TABS, is_message, messages_in
from extlint.extension import Extension, Script
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

_WORD = lazy(r"[\w$][\w$-]+")
_OTHER_VALUE = lazy(
    rb"[\"'`]?\]?\s*(?::|=(?![=>]))\s*(?!(?:false|null|number|string|true|undefined)\b)[A-Za-z_$]"
)
_OUTSIDE = lazy(
    rb"addEventListener\(\s*[\"'`]message\b|\bonmessage\b|\bonMessageExternal\b|\b(?:connect|send)Native"
    rb"|\bonConnectExternal\b|\bonUserScript(?:Connect|Message)\b|\b(?:EventSource|WebSocket)\b"
)
"""Code that may get messages from web pages, other extensions, native applications or servers."""

_NO_DIGITS = lazy(r"[^0-9]+")


def sent_instead(extension: Extension, script: Script, comparison: Comparison) -> tuple[str, ...]:
    """Returns the text that scripts send, in the same property of a message, instead of the compared one.

    It is empty unless the compared text occurs only in comparisons, and the sent one only in calls that send
    to the script, and unless each text that code gives the property is known.
    """
    of, compared = comparison.of, comparison.with_
    if not is_message(of) or len(of.steps) != 1 or not isinstance(compared, Literal):
        return ()
    key, text = of.steps[0], compared.value
    if not isinstance(text, str) or not _WORD.fullmatch(text):
        return ()
    sent = _sent(extension, script.is_only_content_script).get(key, {})
    expected = _expected(extension).get(key, {})
    others = [each for each in sent if each not in expected and _has_same_digits(each, text)]
    meant = None if text in sent else nearest(text, others)
    if meant is None or not _WORD.fullmatch(meant):
        return ()
    is_only_here = _count(extension, text) == expected.get(text) and _count(extension, meant) == sent[meant]
    if not is_only_here or _gets_unknown_value(extension, key) or _forwards_messages(extension):
        return ()
    return (meant,)


@query
def _forwards_messages(extension: Extension) -> bool:
    """Whether a script that gets messages from outside of the package sends messages that are not known."""
    return any(
        _OUTSIDE.search(script.index.text) is not None
        for script in extension.scripts
        for call in script.facts.calls
        if call.path in SENDING and not all(map(_has_known_fields, messages_in(call)))
    )


def _has_known_fields(value: Value) -> bool:
    return all(isinstance(each, ObjectValue | Literal) for each in options_of(value))


def _has_same_digits(one: str, other: str) -> bool:
    return _NO_DIGITS.sub(" ", one).strip() == _NO_DIGITS.sub(" ", other).strip()


def _count(extension: Extension, word: str) -> int:
    """Returns how often a word occurs in the code of a package."""
    words = words_of(extension)
    return sum(1 for path in words.texts for _ in words.places_in(path, word))


def _gets_unknown_value(extension: Extension, key: str) -> bool:
    """Whether code gives a property of this name an unknown value: `{ action: command }`."""
    words = words_of(extension)
    return any(
        _OTHER_VALUE.match(words.texts[path][0], at + len(encode_name(key))) is not None
        for path in words.texts
        for at in words.places_in(path, key)
    )


@query
def _sent(extension: Extension, to_tabs: bool) -> Mapping[str, Mapping[str, int]]:
    """Counts the places from which each text is sent, or only to tabs, by the property of the message.

    Content scripts receive nothing else.
    """
    return _counted(extension, partial(_texts_sent, functions=TO_TABS if to_tabs else SENDING))


@query
def _expected(extension: Extension) -> Mapping[str, Mapping[str, int]]:
    """Counts the comparisons with each text, by the property of the message."""
    return _counted(extension, _texts_expected)


def _counted(
    extension: Extension, texts_in: Callable[[ScriptFacts], Iterable[tuple[str, str]]]
) -> Mapping[str, Mapping[str, int]]:
    found: dict[str, Counter[str]] = {}
    for script in extension.scripts:
        for key, text in texts_in(script.facts):
            found.setdefault(key, Counter())[text] += 1
    return found


def _texts_sent(facts: ScriptFacts, functions: Collection[ApiPath]) -> Iterator[tuple[str, str]]:
    for call in facts.calls:
        for argument in call.arguments[:2] if call.path in functions else ():
            fields = argument.fields if isinstance(argument, ObjectValue) else {}
            for key, field in fields.items():
                yield from ((key, each) for each in _texts(field.value))


def _texts_expected(facts: ScriptFacts) -> Iterator[tuple[str, str]]:
    for each in facts.comparisons:
        if is_message(each.of) and len(each.of.steps) == 1:
            yield from ((each.of.steps[0], text) for text in _texts(each.with_))


def _texts(value: Value) -> Iterator[str]:
    for each in options_of(value):
        if isinstance(each, Literal) and each.kind is Kind.STRING:
            yield str(each.value)
