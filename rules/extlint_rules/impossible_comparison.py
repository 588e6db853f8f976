"""Finds comparisons of the result of an API with a value that it never has.

## What it does

Follows what calls return, and what callbacks and listeners receive, to where it is compared: with `===`,
`!==`, `==` or `!=`, in the cases of a `switch`, or with `includes` of an array. It reports a string that is
not among the values in the schema and, where the comparison is strict, a literal of another type: an object
or an array is never a text, a number or a boolean. Neither is a function that is not called
(`i18n.getUILanguage === "de"`). Comparisons with `null`, `undefined` and the empty string are not reported,
because they test whether there is a value at all.

Under `--target chrome`, it also reports comparisons with the names of headers that Chrome passes to a
listener of `webRequest` only with the option `extraHeaders`: `set-cookie` of responses, and
`accept-encoding`, `accept-language`, `cookie`, `origin` and `referer` of requests.

The values of some strings follow from the package: the ids of menu items and notifications, the names of
alarms and ports, which scripts give them, and commands, which the manifest has, except those that the browser
handles itself, such as `_execute_action`. It reports a comparison with any other name if all given names are
known. So does it report a text in a message that no script sends, if one sends a similar text that no
listener expects.

## Why is this bad

The comparison always has the same outcome, so one of the branches never runs.

## Example

```js background.js
chrome.runtime.onInstalled.addListener((details) => {
  if (details.reason === "installed") chrome.tabs.create({ url: "https://example.com/" });
});
```

## Use instead

```js background.js
chrome.runtime.onInstalled.addListener((details) => {
  if (details.reason === "install") chrome.tabs.create({ url: "https://example.com/" });
});
```

## References

* The headers that Chromium 156 passes to listeners without the option (`extlint_judge hidden-headers`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import Comparison
from extlint.analysis.facts.values import (
    Delivery,
    Kind,
    Literal,
    Value,
    options_of,
)
from extlint.analysis.values.api_results import CASE_METHODS, ITEM, is_promise
from extlint.checks.api.enum_constants import with_constant_values
from extlint.checks.calls.given_names import is_given_name, missing_name, with_given_names
from extlint.checks.calls.result_values import calls_adding_listeners, is_certainly_without
from extlint.checks.calls.types import (
    PossibleType,
    api_of,
    describe_result,
    matching_environment,
    possible_types,
)
from extlint.checks.other_browsers import in_other_targets, is_for_another_build
from extlint.checks.reachability.sent_messages import is_message
from extlint.checks.reachability.unreachable_code import in_each_script, is_unreachable
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.matching.environment import Environment
from extlint.schema.matching.refusals import nearest_of
from extlint.schema.model import SchemaSet
from extlint.schema.targets import engine_of
from extlint.schema.types import (
    ArrayType,
    BooleanType,
    FunctionType,
    NullType,
    NumberType,
    ObjectType,
    StringType,
    Type,
)
from extlint.schema.words.types import described_type
from extlint.schema.words.values import described_value, either
from extlint.text.patterns import lazy
from extlint.text.wording import name_suggestion, quoted
from extlint_rules.helpers.message_types import sent_instead

# A listener gets a hidden header only with the option `extraHeaders` (verified in Chromium 156 by
# `extlint_judge hidden-headers`). Firefox has no such option, and hides nothing.

OPTION = "extraHeaders"
_NAMESPACE = "webRequest"
_HIDDEN = {
    "requestHeaders": frozenset({"accept-encoding", "accept-language", "cookie", "origin", "referer"}),
    "responseHeaders": frozenset({"set-cookie"}),
}
"""The names of hidden headers, by the field of the event's details."""


def hidden_headers(extension: Extension, script: Script) -> Iterator[tuple[Comparison, Literal]]:
    """Yields the comparisons with such a name in a script, each with the name."""
    for each in script.facts.comparisons:
        of, value = each.of, each.with_
        if of.path[0] != _NAMESPACE or of.delivery is not Delivery.LISTENER or value.span is None:
            continue
        steps = of.steps[:-1] if of.steps[-1:] and of.steps[-1] in CASE_METHODS else of.steps
        hidden = _HIDDEN.get(steps[0], frozenset()) if steps[1:] == (ITEM, "name") else frozenset()
        if not isinstance(value, Literal) or str(value.value).lower() not in hidden:
            continue
        adding = calls_adding_listeners(script, of, value.span)
        if any(len(call.arguments) < 3 for call in adding):
            continue
        if adding and all(is_certainly_without(extension, call, OPTION) for call in adding):
            yield each, value


RULE = RULES["impossible-comparison"]

_CALL_IT = "call it, and compare its result"
_NUMBER = lazy(r"[0-9]|Infinity|^\s*$")
"""Matches texts that may be equal to a number."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such comparison, at the value that the result never has."""
    yield from _comparisons_with_other_values(extension)
    if engine_of(extension.target.name) is Engine.CHROMIUM:
        yield from _comparisons_with_hidden_headers(extension)


@in_each_script
def _comparisons_with_other_values(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields one finding for each comparison with a value that is not of the result's type."""
    env = matching_environment(extension)
    other_targets = in_other_targets(extension)
    for comparison in _comparisons(extension, script):
        types = _types(extension, script, comparison)
        span = comparison.with_.span
        if not types or span is None or is_unreachable(extension, script, comparison.guards):
            continue
        is_possible = partial(_is_possible, script=script, comparison=comparison, own=types)
        if (
            _is_impossible(comparison, types)
            and not any(map(is_possible, other_targets))
            and not is_for_another_build(extension, comparison.guards, is_possible)
            and not any(is_possible(sibling) for sibling in _siblings(extension, script, comparison))
        ):
            yield RULE.at(
                *script.place(span),
                _message(extension, comparison, types, env),
                api=api_of(comparison.of),
                help=_CALL_IT
                if comparison.of.delivery is Delivery.MEMBER
                else _help(comparison.with_, types, extension.schemas),
                general=f"{describe_result(comparison.of)} is never {described_value(comparison.with_)}",
                must_run=_missing(extension, comparison) is not None,
            )


@in_each_script
def _comparisons_with_hidden_headers(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields one finding for each comparison with the name of a header that Chrome hides."""
    for comparison, value in hidden_headers(extension, script):
        if value.span is not None and not is_unreachable(extension, script, comparison.guards):
            yield RULE.at(
                *script.place(value.span),
                f"{describe_result(comparison.of)} is never {quoted(str(value.value))} "
                f"without the option {quoted(OPTION)}",
                api=api_of(comparison.of),
                help=f'add "{OPTION}" to the options of the listener',
                must_run=True,
            )


def _comparisons(extension: Extension, script: Script) -> Iterator[Comparison]:
    for each in script.facts.comparisons:
        if is_promise(each.of):
            continue  # the rule `missing-await` checks these
        yield replace(each, with_=with_constant_values(extension, each.with_))


def _types(extension: Extension, script: Script, comparison: Comparison) -> tuple[PossibleType, ...]:
    types = possible_types(extension, comparison.of)
    if types:
        return with_given_names(extension, comparison.of, types)
    if comparison.of.path[-1] != "onMessage":
        return ()

    sent = sent_instead(extension, script, comparison)
    return (PossibleType(StringType(enum=sent)),) if sent else ()


def _siblings(extension: Extension, script: Script, comparison: Comparison) -> Iterator[Extension]:
    """Yields the extensions with other manifests, which may give other names."""
    if is_given_name(comparison.of):
        yield from (other for other, _ in extension.searches.siblings(extension, script))


def _is_possible(
    other: Extension, script: Script, comparison: Comparison, own: Sequence[PossibleType]
) -> bool:
    """Whether the comparison may be true in another browser, which it may target.

    A browser that lists no values does not have a value that is a misspelling of a listed one.
    """
    types = _types(other, script, comparison)
    if not types or _is_impossible(comparison, types):
        return False
    return any(_enum(each.type) for each in types) or _intended(comparison.with_, own) is None


def _intended(value: Value, types: Sequence[PossibleType]) -> str | None:
    """Returns the listed value that a text probably means, or None."""
    return nearest_of(value, [text for each in types for text in _enum(each.type)])


def _is_impossible(comparison: Comparison, types: Sequence[PossibleType]) -> bool:
    values = options_of(comparison.with_)
    return bool(values) and all(
        _never_equal(each.type, value, comparison.strict) for value in values for each in types
    )


def _never_equal(kind: Type, value: Value, strict: bool) -> bool:
    """Whether no value of a type is equal to another value."""
    if not isinstance(value, Literal) or value.kind in (Kind.NULL, Kind.UNDEFINED) or value.value == "":
        return False
    match kind:
        case NullType():
            return True
        case StringType(enum=tuple() as values) if value.kind is Kind.STRING:
            return value.value not in values
        case StringType():
            return strict and value.kind is not Kind.STRING
        case NumberType():
            is_number = not strict and _may_be_number(value)
            return value.kind is not Kind.NUMBER and not is_number
        case BooleanType():
            return strict and value.kind is not Kind.BOOLEAN
        case FunctionType():
            return True
        case ArrayType() | ObjectType():
            return strict
    return False


def _may_be_number(value: Literal) -> bool:
    """Whether `==` may find a value equal to a number."""
    return not isinstance(value.value, str) or _NUMBER.search(value.value) is not None


def _message(
    extension: Extension, comparison: Comparison, types: Sequence[PossibleType], env: Environment
) -> str:
    missing = _missing(extension, comparison)
    if missing is not None and any(
        isinstance(each.type, StringType) and each.type.enum is not None for each in types
    ):
        return f"{describe_result(comparison.of)} is never {described_value(comparison.with_)}: {missing}"
    values = [value for each in types for value in _enum(each.type)]
    verb = "is always" if len(types) == len(values) == 1 else "is"
    phrase = either(
        "an object" if isinstance(each.type, ObjectType) else described_type(each.type, env) for each in types
    )
    return f"{describe_result(comparison.of)} {verb} {phrase}, never {described_value(comparison.with_)}"


def _missing(extension: Extension, comparison: Comparison) -> str | None:
    """Returns why code never gets a value from the package, or None if no package can give it."""
    if comparison.of.path[-1] != "onMessage":
        return missing_name(extension, comparison.of, comparison.with_)

    return "no script sends it" if is_message(comparison.of) else None


def _enum(kind: Type) -> tuple[str, ...]:
    return (kind.enum or ()) if isinstance(kind, StringType) else ()


def _help(value: Value, types: Sequence[PossibleType], schemas: SchemaSet) -> str | None:
    """Returns the browsers with a value missing in the specification, or the probable intended value."""
    from extlint.checks.availability.browser_help import help_for_part

    names = [each.name for each in types if each.name is not None]
    for each in options_of(value):
        if isinstance(each, Literal) and isinstance(each.value, str):
            found = help_for_part("it is a value", names, each.value, schemas)
            if found is not None:
                return found
    return name_suggestion(_intended(value, types))
