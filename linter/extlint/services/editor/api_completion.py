"""Completes members of the API in scripts, the keys of objects that are passed to it, and values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from extlint.analysis.facts.script_facts import ApiPath
from extlint.analysis.facts.values import Value
from extlint.analysis.syntax.node import MEMBERS, Node
from extlint.analysis.syntax.nodes import AccessExpression, Pair
from extlint.analysis.values.options import api_of
from extlint.schema.targets import browser_name, version_text
from extlint.schema.types import FunctionType, Property
from extlint.schema.words.types import type_text
from extlint.services.editor.api_members import ApiMember, member_markdown, members_at, namespace_markdown
from extlint.services.editor.audience import Audience
from extlint.services.editor.documents.loose_json import Offsets
from extlint.services.editor.documents.scripts import script_part_at
from extlint.services.editor.documents.text_cursor import Completion, TextCursor, decoded, encoded
from extlint.services.editor.expected_types import (
    ExpectedTypes,
    booleans_of,
    expected_types,
    properties_of,
    result_types,
    values_of,
)
from extlint.services.editor.hover import value_description
from extlint.services.editor.markdown import code_block, text
from extlint.services.editor.script_view import ScriptView, script_view
from extlint.services.permissions.prompts import known_permissions
from extlint.text.positions import Position
from extlint.text.wording import listed

MAX_DOCUMENTED = 250
"""The maximum number of members for which an answer includes the documentation."""

_NAMES = frozenset(
    {
        "property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
    }
)
_STRING_PARTS = frozenset({"escape_sequence", "string_fragment", '"', "'"})
_ORDER = {"property": 2, "enum": 3}
_LAST = 9
_KEY_HOLDERS = frozenset({"pair", "pair_pattern", "object_assignment_pattern"})


def api_completions(audience: Audience, cursor: TextCursor) -> Sequence[Completion]:
    """Returns the names and values of the API that fit at the cursor in a script."""
    data = encoded(cursor.text)
    part = script_part_at(cursor.path, data, cursor.byte_offset(cursor.offset))
    if part is None:
        return ()
    with script_view(audience.package, part, completes=True) as view:
        found = None if view is None else _items(audience, view)
    if found is None:
        return ()
    (start, end), items = found
    first, last = (
        cursor.position(len(decoded(data[: part.base + each]))) for each in (start, max(start, end))
    )
    return [replace(each, start=first, end=last) for each in items]


def _items(audience: Audience, view: ScriptView) -> tuple[Offsets, list[Completion]] | None:
    leaf = view.leaf
    if leaf.type in _STRING_PARTS and leaf.parent is not None:
        leaf = leaf.parent
    if leaf.type == "string":
        found = _in_string(audience, view, leaf)
        return None if found is None else (_inside(view, leaf), found)
    if leaf.type in _NAMES:
        found = _of_name(audience, view, leaf)
    elif leaf.type == "identifier":
        found = _values(audience, view, leaf, quote='"')
    else:
        found = None
    return None if found is None else (view.word, found)


def _inside(view: ScriptView, string: Node) -> Offsets:
    """Returns the byte range inside the quotes of a string."""
    start, end = view.range_of(string)
    source = view.source(string)
    return start + 1, end - (len(source) > 1 and source[-1] == source[0])


def _of_name(audience: Audience, view: ScriptView, leaf: Node) -> list[Completion] | None:
    up = leaf.parent
    if up is None:
        return None
    if isinstance(up, AccessExpression) and up.type in MEMBERS and up.key.same(leaf):
        return _members(audience, view, view.value(up.object))
    owner = up.parent if up.type in _KEY_HOLDERS and up.first() is not None and leaf.start == up.start else up
    if owner is None:
        return None
    present = set(_keys(view, owner, leaf))
    if owner.type == "object_pattern":
        return _members(audience, view, view.value_of_pattern(owner), present)
    if owner.type == "object":
        return _properties(audience, expected_types(view, audience, owner), present)
    return None


def _keys(view: ScriptView, owner: Node, leaf: Node) -> Iterator[str]:
    """Yields the keys of an object or pattern, except the one at the cursor."""
    for child in owner.named():
        key = child.first() if child.type in _KEY_HOLDERS else child.field("name") or child
        if key is not None and not key.same(leaf):
            yield view.source(key).strip("\"'")


def _members(
    audience: Audience, view: ScriptView, owner: Value, present: Iterable[str] = ()
) -> list[Completion] | None:
    api = api_of(owner)
    if api is None:
        return _properties(audience, result_types(audience, owner), set(present), is_read=True)
    known = members_at(audience, api.path, in_content=audience.is_content_script(view.path))
    found = [each for each in known if each.name not in set(present)]
    is_documented = len(found) <= MAX_DOCUMENTED
    return [_member(audience, api.path, each, is_documented) for each in found]


def _member(audience: Audience, path: ApiPath, member: ApiMember, is_documented: bool) -> Completion:
    full = (*path, member.name)
    if not is_documented or member.kind == "constant":
        documentation = ""
    elif member.kind == "namespace":
        documentation = namespace_markdown(audience, ".".join(full))
    else:
        documentation = member_markdown(audience, full)
    note = audience.only_in(member.targets)
    notes = [member.text, note]
    if not member.usable_in:
        notes.append("not in content scripts")
    elif len(member.required) == len(member.targets):
        notes.append(next(iter(member.required.values())))
    notes += [f"since {browser_name(each)} {version_text(added)}" for each, added in member.newer.items()]
    if member.deprecated_in and not member.is_deprecated:
        notes.append(f"deprecated in {listed([*map(browser_name, sorted(member.deprecated_in))], 'and')}")
    detail = " – ".join(filter(None, notes))
    order = _LAST if member.is_deprecated or not member.usable_in else _ORDER.get(member.kind, 1)
    return _item(member.name, member.kind, detail, documentation, order, deprecated=member.is_deprecated)


def _properties(
    audience: Audience, found: ExpectedTypes | None, present: set[str], *, is_read: bool = False
) -> list[Completion] | None:
    if found is None:
        return None
    listed: dict[str, Property] = {}
    owners: dict[str, str] = {}
    targets: dict[str, set[str]] = {}
    for target, types in found.by_target.items():
        for name, (each, owner) in properties_of(types, audience.version).items():
            listed.setdefault(name, each)
            owners.setdefault(name, "" if owner.name is None else f"{owner.name.namespace}.{owner.name.name}")
            targets.setdefault(name, set()).add(target)
    items = []
    for name, each in listed.items():
        if name in present:
            continue
        kind = type_text(each.type)
        note = audience.only_in(targets[name])
        mark = "?" * each.optional
        described = [code_block(f"{name}{mark}: {kind}"), text(each.description)]
        is_first = not each.optional and not is_read
        shown = "function" if isinstance(each.type, FunctionType) else "property"
        detail = " – ".join(filter(None, (kind, note)))
        items.append(_item(name, shown, detail, "\n\n".join(filter(None, described)), 0 if is_first else 1))
    return items


def _in_string(audience: Audience, view: ScriptView, string: Node) -> list[Completion] | None:
    up = string.parent
    if isinstance(up, AccessExpression) and up.type in MEMBERS and up.key.same(string):
        return _members(audience, view, view.value(up.object))
    if isinstance(up, Pair) and up.key.same(string) and up.parent is not None:
        present = set(_keys(view, up.parent, string))
        return _properties(audience, expected_types(view, audience, up.parent), present)
    return _values(audience, view, string)


def _values(audience: Audience, view: ScriptView, node: Node, quote: str = "") -> list[Completion] | None:
    """Returns the values that an expression may have: strings in their quotes, and truth values."""
    found = expected_types(view, audience, node)
    if found is None:
        return None
    if found.api[:1] == ("permissions",) and (names := _permissions(audience, view, node)) is not None:
        return [_item(quote + each + quote, "value", "permission", "", 1) for each in names]
    targets: dict[str, set[str]] = {}
    described: dict[str, str] = {}
    for target, types in found.by_target.items():
        for value, kind in values_of(types).items():
            targets.setdefault(quote + value + quote, set()).add(target)
            if kind.name is not None and value not in described:
                where = kind.name.namespace, kind.name.name
                described[quote + value + quote] = value_description(audience, target, *where, value)
        if quote:
            for flag in booleans_of(types):
                targets.setdefault(flag, set()).add(target)
    if node.parent is not None and node.parent.type == "array":
        present = _strings(view, node.parent, node)
        targets = {each: having for each, having in targets.items() if each.strip('"') not in present}
    return [
        _item(value, "value", audience.only_in(having), described.get(value, ""), 1)
        for value, having in targets.items()
    ]


def _permissions(audience: Audience, view: ScriptView, node: Node) -> Sequence[str] | None:
    array = node.parent
    pair = None if array is None else array.parent
    if array is None or array.type != "array" or not isinstance(pair, Pair):
        return None
    if view.source(pair.key).strip("\"'") != "permissions":
        return None
    present = _strings(view, array, node)
    return [each for each in known_permissions(audience.names) if each not in present]


def _strings(view: ScriptView, array: Node, node: Node) -> set[str]:
    """Returns the strings in an array, except the one at the cursor."""
    return {view.source(each).strip("\"'") for each in array.named() if not each.same(node)}


_NOWHERE = Position(0, 0)


def _item(
    name: str, kind: str, detail: str, documentation: str, order: int, *, deprecated: bool = False
) -> Completion:
    sort = f"{order}{name}"
    return Completion(name, kind, detail, documentation, _NOWHERE, _NOWHERE, name, deprecated, sort)
