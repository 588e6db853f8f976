"""Objects, arrays, functions and classes that the script makes."""

from __future__ import annotations

import re
from itertools import islice

from extlint.script.evaluate import GLOBAL, Evaluator, carries_api, join
from extlint.script.functions import has_default, is_rest, outermost, parameter_items, returned, serves_others
from extlint.script.keys import key_of
from extlint.script.mutation import escaped
from extlint.script.parameters import parameter_value
from extlint.script.properties import is_too_common, property_writes, written_value
from extlint.script.tree import CLASSES, FUNCTIONS, Item
from extlint.values import (
    NOTHING,
    UNKNOWN,
    Api,
    ApiResult,
    ArrayValue,
    Field,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Value,
    is_larger,
    options_of,
    placed,
)

LARGEST = 20_000
"""Parts of an array or object, theirs included; a larger one is only known to be one."""

_OWN_WRITE = re.compile(rb"\bthis\s*\.\s*([A-Za-z_$][\w$]*)\s*(?:\?\?|\|\||&&)?=(?!=)")


def array_value(evaluator: Evaluator, item: Item) -> Value:
    """The value of an array literal; one with holes or a spread in it is known only up to there."""
    items: list[Value] = []
    expects = True
    for child in item.all():
        if child.type == ",":
            if expects:
                return ArrayValue(tuple(items), True, item.span)
            expects = True
        elif child.type == "spread_element":
            return ArrayValue(tuple(items), True, item.span)
        elif child.node.is_named and child.type != "comment":
            items.append(placed(evaluator.value(child), child.span))
            expects = False
    found = ArrayValue(tuple(items), False, item.span)
    return ArrayValue((), True, item.span) if is_larger(found, LARGEST) else found


def object_value(evaluator: Evaluator, item: Item) -> Value:
    """The value of an object literal, properties in the order in which they are set."""
    fields: dict[str, Field] = {}
    is_open = False
    evaluator.define(item)
    for child in item.named():
        if child.type == "spread_element":
            inner = child.first()
            spread = UNKNOWN if inner is None else evaluator.partial(inner)
            fields, is_open = _spread(fields, is_open, spread)
            continue
        name = key_of(evaluator, child)
        if name is None:
            fields = {key: Field(UNKNOWN, found.key, found.maybe_absent) for key, found in fields.items()}
            is_open = True
        elif name == "__proto__" and child.type == "pair":
            is_open = True
        else:
            key = child.field("key") or child.field("name") or child
            fields[name] = Field(_property(evaluator, child), key.span)
    found = ObjectValue(fields, is_open, item.span)
    return ObjectValue({}, True, item.span) if is_larger(found, LARGEST) else found


def _property(evaluator: Evaluator, child: Item) -> Value:
    if child.type == "pair":
        value = child.field("value")
        return UNKNOWN if value is None else placed(evaluator.value(value), value.span)
    if child.type == "method_definition":
        if child.has("get"):
            return join(returned(evaluator, child), UNKNOWN)
        return UNKNOWN if child.has("set") else evaluator.value(child)
    return placed(evaluator.value(child), child.span)


def _spread(fields: dict[str, Field], is_open: bool, spread: Value) -> tuple[dict[str, Field], bool]:
    """The fields after `...spread`."""
    options = options_of(spread)
    merged = dict(fields)
    for option in options:
        if isinstance(option, ObjectValue) and not option.open:
            for name, found in option.fields.items():
                before = merged.get(name)
                if len(options) == 1 and not found.maybe_absent:
                    merged[name] = found
                elif before is None:
                    value = join(found.value, UNKNOWN) if is_open else found.value
                    merged[name] = Field(value, found.key, True)
                else:
                    merged[name] = Field(join(before.value, found.value), before.key, before.maybe_absent)
        elif not _spreads_nothing(option):
            unknown = {key: Field(UNKNOWN, found.key, found.maybe_absent) for key, found in merged.items()}
            return unknown, True
    return merged, is_open


def _spreads_nothing(value: Value) -> bool:
    if isinstance(value, Literal):
        return value.kind is not Kind.STRING
    if isinstance(value, Typed):
        return value.kind in {Kind.BOOLEAN, Kind.NUMBER, Kind.BIGINT}
    return isinstance(value, FunctionValue)


def function_value(evaluator: Evaluator, item: Item) -> Value:
    """The value of a function or class."""
    span = evaluator.define(item)
    if item.type in CLASSES:
        return FunctionValue(None, is_class=True, span=span)
    listed = parameter_items(item)
    plain = [each for each in listed if not is_rest(each)]
    counted = max((at for at, each in enumerate(plain, 1) if not has_default(each)), default=0)
    body = item.field("body")
    source = evaluator.tree.text[body.start : body.end] if body is not None else b""
    known = counted == 0 or not serves_others(evaluator, item, counted)
    return FunctionValue(
        tuple(each.span for each in plain[:counted]) if known else None,
        len(plain) < len(listed),
        item.type != "arrow_function" and b"arguments" in source,
        span=span,
    )


def this_value(evaluator: Evaluator, item: Item) -> Value:
    """What `this` is: an instance of the class around it, the object around it, or the global object."""
    for up in item.ancestors():
        if up.type == "arrow_function":
            continue
        if up.type in {"field_definition", "public_field_definition", "method_definition"}:
            owner = up.parent
            if owner is not None and owner.type == "class_body" and owner.parent is not None:
                return _class_this(evaluator, owner.parent, static=up.has("static"))
            if owner is not None and owner.type == "object":
                return _object_this(evaluator, owner)
            return UNKNOWN
        if up.type == "class_static_block":
            owner = next((each for each in up.ancestors() if each.type in CLASSES), None)
            return UNKNOWN if owner is None else _class_this(evaluator, owner, static=True)
        if up.type in FUNCTIONS:
            return _function_this(evaluator, up)
        if up.type == "program":
            return GLOBAL
    return UNKNOWN


def _class_this(evaluator: Evaluator, owner: Item, *, static: bool) -> Value:
    if static:
        return function_value(evaluator, owner)
    name = owner.field("name")
    span = evaluator.define(owner)
    return InstanceValue("" if name is None else evaluator.tree.source(name), False, None, span)


def _function_this(evaluator: Evaluator, function: Item) -> Value:
    whole = outermost(function)
    up = whole.parent
    if up is None:
        return UNKNOWN
    if up.type == "pair" and up.parent is not None and up.parent.type == "object":
        return _object_this(evaluator, up.parent)
    if up.type == "call_expression" and whole.is_field("function"):
        return GLOBAL
    if up.type == "member_expression" and up.parent is not None and up.parent.type == "call_expression":
        listed = up.parent.field("arguments")
        first = None if listed is None else listed.first()
        if first is not None and first.type == "this" and key_of(evaluator, up) in {"apply", "bind", "call"}:
            return evaluator.partial(first)
    return UNKNOWN


def _object_this(evaluator: Evaluator, owner: Item) -> Value:
    """An object as its own methods see it, with what they assign to it."""
    value = evaluator.partial(owner)
    if not isinstance(value, ObjectValue):
        return value
    source = evaluator.tree.text[owner.start : owner.end]
    fields = {
        name: Field(lasting(found.value), found.key, found.maybe_absent)
        for name, found in value.fields.items()
    }
    for name in sorted({found.decode() for found in _OWN_WRITE.findall(source)}):
        written = lasting(_own_writes(evaluator, owner, name))
        before = fields.get(name)
        if before is not None:
            fields[name] = Field(join(before.value, written), before.key, before.maybe_absent)
        else:
            fields[name] = Field(written, None, True)
    return ObjectValue(fields, True, value.span)


def _own_writes(evaluator: Evaluator, owner: Item, name: str) -> Value:
    found = []
    for place in _writes_within(evaluator, owner, name):
        target = place.field("object")
        if target is not None and target.type == "this":
            written = written_value(evaluator, place)
            if written is not None:
                found.append(written)
    return join(*found) if found else UNKNOWN


def class_member(evaluator: Evaluator, owner: Item, name: str, *, static: bool) -> Value:
    """What the property `name` of a class, or of its instances, is.

    Any code may write it, so only what is put there to be used is taken to stay (see `lasting`); what
    is private to the class is known whole.
    """
    found = [
        value
        for each in _declared(evaluator, owner, name)
        if (value := _declared_member(evaluator, each, name, static=static)) is not None
    ]
    is_private = name.startswith("#")
    for place in property_writes(evaluator, name):
        target = place.field("object")
        if target is None:
            continue
        if target.type == "this":
            is_own = owner.contains(place) and _is_this_of(evaluator, target, owner, static=static)
        else:
            is_own = is_private or not any(map(carries_api, found))
        written = written_value(evaluator, place) if is_own else None
        if written is not None:
            found += [written, Literal(Kind.UNDEFINED)]
    found = [each for each in found if each != NOTHING]
    if not found:
        return UNKNOWN
    whole = join(*found)
    if is_too_common(evaluator, name) and not carries_api(whole):
        return UNKNOWN
    if is_private:
        return join(whole, Literal(Kind.UNDEFINED))
    return lasting(whole, only_api=_is_extended(evaluator, owner))


def lasting(value: Value, *, only_api: bool = False) -> Value:
    """What is still known of a property that other code can write too.

    Members of the API, what it gave, functions and instances of the script's own classes are put there
    to be used, and nobody replaces them; everything else may be anything by then.
    """
    kept = [_lasting_option(each, only_api=only_api) for each in options_of(value)]
    return UNKNOWN if all(isinstance(each, Literal) for each in kept) else join(*kept)


def _lasting_option(value: Value, *, only_api: bool) -> Value:
    match value:
        case Api() | ApiResult():
            return value
        case Literal(kind=Kind.NULL | Kind.UNDEFINED):
            return value
        case FunctionValue() | InstanceValue(builtin=False):
            return UNKNOWN if only_api else value
        case ObjectValue():
            left = escaped(value)
            return left if isinstance(left, ObjectValue) and left.fields else UNKNOWN
    return value if value == GLOBAL else UNKNOWN


def _is_extended(evaluator: Evaluator, owner: Item) -> bool:
    """Whether the script has a class that extends this one, and so may replace its members."""
    name = owner.field("name")
    binding = None if name is None else evaluator.names.variable(name)
    uses = () if binding is None else binding.uses
    return any(up.type == "class_heritage" for use in uses for up in islice(use.item.ancestors(), 3))


def member_names(evaluator: Evaluator, owner: Item) -> list[str]:
    """The names of the members that a class declares, and that its methods set on `this`."""
    _declared(evaluator, owner, "")
    source = evaluator.tree.text[owner.start : owner.end]
    names = [*evaluator.class_members[owner.id], *(each.decode() for each in _OWN_WRITE.findall(source))]
    names += _parameter_properties(evaluator, owner)
    unwanted = {"", "constructor"}
    return [each for each in dict.fromkeys(names) if each not in unwanted and not each.startswith("#")]


def _parameter_properties(evaluator: Evaluator, owner: Item) -> list[str]:
    constructors = evaluator.class_members[owner.id].get("constructor", ())
    parameters = (each for constructor in constructors for each in parameter_items(constructor))
    patterns = (each.field("pattern") for each in parameters if each.has("accessibility_modifier"))
    return [evaluator.tree.source(each) for each in patterns if each is not None]


def _writes_within(evaluator: Evaluator, owner: Item, name: str) -> list[Item]:
    """Where a property of that name is written inside a class or object."""
    return [place for place in property_writes(evaluator, name) if owner.contains(place)]


def _declared(evaluator: Evaluator, owner: Item, name: str) -> list[Item]:
    """The members of a class's body with a name, and the constructor, which may declare more."""
    if owner.id not in evaluator.class_members:
        members = evaluator.class_members.setdefault(owner.id, {})
        body = owner.field("body")
        for each in () if body is None else body.named():
            members.setdefault(key_of(evaluator, each) or "", []).append(each)
    members = evaluator.class_members[owner.id]
    return [*members.get("constructor", ()), *(members.get(name, ()) if name != "constructor" else ())]


def _is_this_of(evaluator: Evaluator, this: Item, owner: Item, *, static: bool) -> bool:
    match this_value(evaluator, this):
        case FunctionValue(span=span):
            return static and span == owner.span
        case InstanceValue(definition=span):
            return not static and span == owner.span
    return False


def _declared_member(evaluator: Evaluator, each: Item, name: str, *, static: bool) -> Value | None:
    if each.type == "method_definition":
        if key_of(evaluator, each) == "constructor" and not static:
            return _parameter_property(evaluator, each, name)
        if each.has("static") is not static or key_of(evaluator, each) != name or each.has("set"):
            return None
        return returned(evaluator, each) if each.has("get") else function_value(evaluator, each)
    if each.type in {"field_definition", "public_field_definition"}:
        if each.has("static") is not static or key_of(evaluator, each) != name:
            return None
        value = each.field("value")
        return NOTHING if value is None else evaluator.partial(value)
    return None


def _parameter_property(evaluator: Evaluator, constructor: Item, name: str) -> Value | None:
    """TypeScript's `constructor(private api = browser)`."""
    for parameter in parameter_items(constructor):
        pattern = parameter.field("pattern")
        marked = parameter.has("accessibility_modifier") or parameter.has("readonly")
        if marked and pattern is not None and evaluator.tree.source(pattern) == name:
            return parameter_value(evaluator, parameter, pattern)
    return None
