"""Finds reads of fields that the result of an API does not have.

## What it does

Follows what calls return, and what callbacks and listeners receive, through `await`, `then`, destructuring
and the methods of arrays, and looks up each field that is read in the type that the schema describes. The
known fields are those that are documented and those that real browsers were seen to pass. A field of its
items that is read from an array itself is reported too: `tabs.query` passes a list of tabs, never a tab. So
is `changes.newValue` in a listener of `storage.onChanged`, which passes an object with a change for each key.

What `storage.local.get` and the like give has only the keys that were asked for: reading another one is
reported if the call asks for keys that are written there and the object is not passed to other code, or if no
call in the package asks for it and all ask for keys that are written there. The `tabs` of windows are
reported if no call asks for them with `populate`, and the headers and bodies of requests if no listener
asks for them with the third argument of `addListener`.

Of arrays, strings and numbers that the API gives, only the members that JavaScript defines exist:
`tab.url.hostname` is undefined, as `tab.url` is a string, and so is `tab.id` in a listener of
`tabs.onUpdated`, which passes the number of the tab.

Objects that may have other fields, values that are not known, and fields that some script of the extension
sets are not reported. A field that is only tested for, that has a fallback, or that is read after such a
test may exist in another browser, so it is reported only if it is misspelled. This is also true of objects
that were not seen in Firefox, which does not check what it passes. A field that another browser has is not
reported either, except one of Firefox in a service worker, which Firefox does not run. A comparison with
`true` or `false` does not test whether a field exists.

## Why is this bad

The field is always `undefined`: the code that depends on it does not do what it seems to do, and no error
points to it.

## Example

```js background.js
chrome.tabs.query({ active: true }).then(([tab]) => {
  console.log(tab.windowID);
});
```

## Use instead

```js background.js
chrome.tabs.query({ active: true }).then(([tab]) => {
  console.log(tab.windowId);
});
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import FieldRead
from extlint.analysis.facts.values import OBJECT_MEMBERS, Delivery
from extlint.analysis.values.constants import ARRAY_MEMBERS
from extlint.checks.calls.types import (
    ITEM,
    PossibleType,
    api_of,
    describe_result,
    fields_of,
    is_nothing,
    is_open,
    possible_types,
    result_source,
)
from extlint.checks.other_browsers import (
    in_other_browsers,
    is_for_another_build,
    is_only_in_chromium,
)
from extlint.checks.reachability.unreachable_code import in_each_script, is_unreachable
from extlint.extension import Extension, Script
from extlint.finding import Finding, Fix
from extlint.registry import RULES
from extlint.schema.types import ArrayType, NullType, NumberType, StringType, Type
from extlint.text.nearest import is_certain_misspelling, nearest, suggest_name
from extlint.text.wording import (
    after_semicolon,
    available_in,
    available_names,
    listed,
    name_suggestion,
    quoted,
    with_article,
)
from extlint_rules.helpers.result_fields import (
    is_added_to_builtins,
    is_field_of_values,
    is_property_assigned,
    reads_of_missing_tabs,
    reads_of_unrequested_keys,
)


def item_types_of(extension: Extension, read: FieldRead) -> tuple[PossibleType, ...]:
    """Returns the types of the items if the value certainly is an array, and every item may have the field.

    Empty otherwise. A result that is an array in one browser may be an object in another.
    """
    types = [each for each in possible_types(extension, read.of) if not isinstance(each.type, NullType)]
    if not types or read.name in ARRAY_MEMBERS or not all(isinstance(each.type, ArrayType) for each in types):
        return ()
    items = possible_types(extension, replace(read.of, steps=(*read.of.steps, ITEM)))
    return items if items and all(read.name in (fields_of(extension, each) or ()) for each in items) else ()


RULE = RULES["unknown-result-field"]

_BUILTINS: Mapping[type[Type], str] = {
    ArrayType: "an array",
    NumberType: "a number",
    StringType: "a string",
}
"""The types whose members JavaScript defines."""


@in_each_script
def check(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields one finding for each read of such a field, at its name."""
    other_browsers = in_other_browsers(extension)
    if any(read.of.path[0] == "storage" for read in script.facts.field_reads):
        yield from _unrequested_keys(extension, script)
    yield from _unrequested_fields(extension, script)
    for read in script.facts.field_reads:
        if read.name.isdigit():
            continue
        if items := item_types_of(extension, read):
            if not _may_not_be_array(extension, script, read, other_browsers):
                yield _array_finding(script, read, items)
            continue
        if is_field_of_values(extension, read):
            if not _may_not_be_array(extension, script, read, ()):
                yield _map_finding(script, read)
            continue
        if is_nothing(extension, read.of):
            if not _may_be_something(extension, script, read, other_browsers):
                yield _finding_in_nothing(script, read)
            continue
        types = _types_missing_field(extension, read, _is_certainly_missing)
        if not types:
            continue
        is_elsewhere = any(_has_field(other, read) for other in other_browsers)
        if is_elsewhere and not is_only_in_chromium(extension, script):
            continue
        nearest_field = _nearest(extension, read.name, types)
        if read.tested and nearest_field is None:
            continue
        if is_for_another_build(extension, read.guards, partial(_has_field, read=read)):
            continue
        if not _is_added(extension, read.name, types) and not is_unreachable(extension, script, read.guards):
            from extlint.checks.availability.browser_help import browsers_whose_type_has, help_for_part

            names = [each.name for each in types if each.name is not None]
            browsers = browsers_whose_type_has(names, read.name, extension.schemas)
            hint = _hint(extension, read.name, types) if browsers is None else available_in(browsers)
            yield RULE.at(
                *script.place(read.span),
                _message(read, types) + after_semicolon(hint),
                api=api_of(read.of),
                help=help_for_part("it is available", names, read.name, extension.schemas),
                general=f"{describe_result(read.of)} has no field {quoted(read.name)}",
                fix=_fix(script, read, nearest_field) if browsers is None else None,
            )


def _fix(script: Script, read: FieldRead, near: str | None) -> Fix | None:
    """Returns the fix that replaces a misspelled name with that of the field."""
    if near is None:
        return None
    from extlint.manifest.edits.script_fixes import rename_field

    where = read.span[0] + script.base, read.span[1] + script.base
    return rename_field(script.path, script.index, where, near, safe=is_certain_misspelling(read.name, near))


def _may_not_be_array(
    extension: Extension, script: Script, read: FieldRead, other_browsers: Sequence[Extension]
) -> bool:
    """Whether the value may be an object after all, or an array to which the extension added such a field."""
    return (
        read.tested
        or any(possible_types(other, read.of) and not item_types_of(other, read) for other in other_browsers)
        or _is_added(extension, read.name, possible_types(extension, read.of))
        or is_unreachable(extension, script, read.guards)
    )


def _is_added(extension: Extension, name: str, types: Sequence[PossibleType]) -> bool:
    """Whether the extension adds such a field to some object, or to all arrays, strings or numbers."""
    is_builtin = any(type(each.type) in _BUILTINS for each in types)
    return is_property_assigned(extension, name) or (is_builtin and is_added_to_builtins(extension, name))


def _may_be_something(
    extension: Extension, script: Script, read: FieldRead, other_browsers: Sequence[Extension]
) -> bool:
    """Whether a promise without a value may have one after all, or the script tests for it."""
    return (
        read.tested
        or read.of_tested
        or read.replaced
        or not all(is_nothing(other, read.of) for other in other_browsers)
        or is_unreachable(extension, script, read.guards)
    )


def _finding_in_nothing(script: Script, read: FieldRead) -> Finding:
    source = quoted(api_of(read.of))
    nothing = f"{source} returns nothing"
    if read.of.delivery is Delivery.PROMISE:
        nothing = f"the promise of {source} has no value"
    message = f"{nothing}, so that reading {quoted(read.name)} fails"
    return RULE.at(*script.place(read.span), message, api=api_of(read.of), help="do not use its value")


def _map_finding(script: Script, read: FieldRead) -> Finding:
    message = f"{describe_result(read.of)} has no field {quoted(read.name)}"
    return RULE.at(
        *script.place(read.span),
        f"{message}; the value of each of its keys has it",
        api=api_of(read.of),
        help=f"read it from the value of a key: {quoted(f'.key.{read.name}')}",
        general=message,
    )


def _array_finding(script: Script, read: FieldRead, items: Sequence[PossibleType]) -> Finding:
    names = dict.fromkeys(each.name.name for each in items if each.name is not None)
    kind = f" of {listed([quoted(name) for name in names], 'or')} objects" if names else ""
    subject = f"{describe_result(read.of)} is" if read.of.steps else result_source(read.of)
    return RULE.at(
        *script.place(read.span),
        f"{subject} an array{kind}, which has no field {quoted(read.name)}; its items have it",
        api=api_of(read.of),
        help="read it from an item: the first one is `[0]`",
        general=f"{describe_result(read.of)} has no field {quoted(read.name)}",
    )


def _unrequested_keys(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields findings for keys that are read from the result of a storage area but were not requested."""
    for found in reads_of_unrequested_keys(extension, script):
        read, keys = found.read, found.requested
        if read.name in OBJECT_MEMBERS or is_property_assigned(extension, read.name):
            continue
        if is_unreachable(extension, script, read.guards):
            continue
        hint = name_suggestion(suggest_name(read.name, sorted(keys)))
        asked = "no call of {} asks" if found.in_package else "this call of {} does not ask"
        yield RULE.at(
            *script.place(read.span),
            f"the key {quoted(read.name)} is undefined, as {asked.format(quoted(api_of(read.of)))} for it"
            + after_semicolon(hint),
            api=api_of(read.of),
            help="ask for it in the call",
        )


def _unrequested_fields(extension: Extension, script: Script) -> Iterator[Finding]:
    """Yields findings for the tabs of windows, and parts of requests, if no call asks for them."""
    namespaces = {read.of.path[0] for read in script.facts.field_reads}
    reads: list[tuple[FieldRead, str, str]] = []
    if "windows" in namespaces:
        asked = "no call of {} asks for the tabs of windows"
        tabs = reads_of_missing_tabs(extension, script)
        reads += ((each, asked, "ask for them in the call: `{populate: true}`") for each in tabs)
    if "webRequest" in namespaces:
        from extlint.checks.calls.result_values import reads_of_unrequested_details

        asked = "no listener of {} asks for it"
        for each in reads_of_unrequested_details(extension, script):
            reads.append((each, asked, f"pass `['{each.name}']` as the third argument of `addListener`"))
    for read, asked, help in reads:
        if not (
            read.tested
            or _is_added(extension, read.name, ())
            or is_unreachable(extension, script, read.guards)
        ):
            yield RULE.at(
                *script.place(read.span),
                f"{quoted(read.name)} is undefined, as {asked.format(quoted(api_of(read.of)))}",
                api=api_of(read.of),
                help=help,
            )


def _has_field(other: Extension, read: FieldRead) -> bool:
    """Whether another browser, which the read may target, has the field."""
    return bool(possible_types(other, read.of)) and not _types_missing_field(other, read, _is_unlisted)


def _types_missing_field(
    extension: Extension, read: FieldRead, is_missing: Callable[[Extension, PossibleType, str], bool]
) -> list[PossibleType]:
    """Returns the possible types of the object if the field is missing in all of them, or an empty list."""
    types = possible_types(extension, read.of)
    objects = [each for each in types if not isinstance(each.type, NullType)]
    without = [each for each in objects if is_missing(extension, each, read.name)]
    return without if len(without) == len(objects) else []


def _is_certainly_missing(extension: Extension, possible: PossibleType, name: str) -> bool:
    """Whether a field does not exist; if not all fields are listed, its name must resemble a listed one."""
    return _is_unlisted(extension, possible, name) and not (
        is_open(possible.type) and _nearest(extension, name, [possible]) is None
    )


def _is_unlisted(extension: Extension, possible: PossibleType, name: str) -> bool:
    fields = fields_of(extension, possible)
    return fields is not None and name not in fields and name not in OBJECT_MEMBERS


def _type_with_article(name: str) -> str:
    return with_article(name).replace(name, quoted(name))


def _nearest(extension: Extension, name: str, types: Sequence[PossibleType]) -> str | None:
    return nearest(name, _fields(extension, types))


def _hint(extension: Extension, name: str, types: Sequence[PossibleType]) -> str | None:
    """Returns the intended field, or all fields if they are few, as a phrase."""
    known = [*dict.fromkeys(_fields(extension, types))]
    are_all = not any(is_open(each.type) or type(each.type) in _BUILTINS for each in types)
    return name_suggestion(suggest_name(name, known)) or (available_names(known) if are_all else None)


def _fields(extension: Extension, types: Sequence[PossibleType]) -> Iterator[str]:
    for each in types:
        yield from fields_of(extension, each) or ()


def _message(read: FieldRead, types: Sequence[PossibleType]) -> str:
    phrase = listed([*dict.fromkeys(map(_type_phrase, types))], "or")
    subject = f"{describe_result(read.of)} is" if read.of.steps else result_source(read.of)
    return f"{subject} {phrase}, which has no field {quoted(read.name)}"


def _type_phrase(possible: PossibleType) -> str:
    builtin = _BUILTINS.get(type(possible.type))
    if builtin is not None:
        return builtin
    return "an object" if possible.name is None else _type_with_article(possible.name.name)
