"""Finds the edits that a JavaScript or TypeScript program makes to keys, from its syntax.

Recognizes assignments, `delete`, methods that change lists, functions that merge objects, replaced text, and
copies of objects with more keys (`{...manifest, background}`).
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from extlint.manifest.manifest import REQUESTS
from extlint.project.key_edits import KeyEdits
from extlint.text.patterns import lazy

_WORD = lazy(rb"[A-Za-z_$][\w$]*")
_ADDING = frozenset({b"concat", b"push", b"unshift"})
_CHANGING = frozenset({b"fill", b"pop", b"reverse", b"shift", b"sort", b"splice"})
_MERGING = frozenset(
    {
        *(b"assign", b"deepMerge", b"deepmerge", b"defaults", b"defaultsDeep", b"defineProperty", b"extend"),
        *(b"merge", b"mergeDeep", b"mergeWith", b"omit", b"set", b"setIn", b"unset", b"update"),
    }
)
_REPLACING = frozenset({b"replace", b"replaceAll"})
_WRAPPERS = frozenset(
    {"as_expression", "non_null_expression", "parenthesized_expression", "satisfies_expression"}
)
_TEXTS = frozenset({"regex", "string", "template_string"})
_NON_MANIFESTS = frozenset({b"entries", b"entry", b"exports", b"input", b"process", b"window"})
"""Objects of these names are not manifests."""

_REQUESTS = frozenset(key.encode() for key in REQUESTS)
"""The keys whose items a program may add to other keys: it adds no others."""

_NAMERS = {
    "assignment_expression": "left",
    "function_declaration": "name",
    "method_definition": "name",
    "pair": "key",
    "variable_declarator": "name",
}
"""The kinds of nodes that name their content, with the field of the name."""


def edits_of_script(text: bytes, path: str) -> KeyEdits:
    """Returns the edits that a program makes to keys, or no edits if it does not parse."""
    from extlint.analysis.syntax.parse import grammar_of, parse

    tree = parse(text, grammar_of(path))
    if tree is None:
        return KeyEdits()
    written, extended = set[bytes](), dict[bytes, frozenset[str] | None]()
    removed, merges_objects = set[bytes](), False
    waiting = [(tree.root_node, False)]
    while waiting:
        node, of_manifest = waiting.pop()
        of_manifest = of_manifest or _names_manifest(node)
        merges_objects = merges_objects or _merges_objects(node)
        match node.type:
            case "augmented_assignment_expression" if _operator(node) == b"+=":
                extended.update(dict.fromkeys(_members(node.child_by_field_name("left"))))
            case "assignment_expression" | "augmented_assignment_expression":
                for key in _members(node.child_by_field_name("left")):
                    added = _added_items(key, node.child_by_field_name("right"))
                    if added is None and _is_filtered(key, node.child_by_field_name("right")):
                        removed.add(key)
                    elif added is None:
                        written.add(key)
                    else:
                        _extend(extended, key, added)
            case "unary_expression" if _operator(node) == b"delete":
                removed.update(_members(node.child_by_field_name("argument")))
            case "call_expression":
                adds, changes = _edits_of_call(node)
                for key, items in adds.items():
                    _extend(extended, key, items)
                written.update(changes)
            case "object" if of_manifest or any(each.type == "spread_element" for each in node.children):
                written.update(_keys(node))
        waiting += [(each, of_manifest) for each in node.named_children]
    return KeyEdits(
        _texts(written | removed),
        {key.decode("utf-8", "replace"): items for key, items in extended.items()},
        _texts(removed - written),
        merges_objects,
    )


def _merges_objects(node: Node) -> bool:
    """Whether a node merges objects whose keys are elsewhere: `{...a, ...b}`, `Object.assign({}, a, b)`."""
    if node.type == "object":
        spread = [_spread(each) for each in node.named_children if each.type == "spread_element"]
        return sum(map(_is_elsewhere, spread)) > 1
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    listed = None if function is None else node.child_by_field_name("arguments")
    if function is None or listed is None:
        return False
    name = function.child_by_field_name("property") if function.type == "member_expression" else function
    return _source(name) in _MERGING and sum(map(_is_elsewhere, listed.named_children)) > 1


def _is_elsewhere(node: Node) -> bool:
    """Whether an expression may be an object from elsewhere in the program: a variable, member or result."""
    if node.type in {"binary_expression", "parenthesized_expression", "ternary_expression"}:
        return any(map(_is_elsewhere, node.named_children[-2:]))
    return node.type in {"await_expression", "call_expression", "identifier", "member_expression"}


def _extend(extended: dict[bytes, frozenset[str] | None], key: bytes, items: list[Node]) -> None:
    """Records the items that a program adds to a list: None if a value is neither a text nor another list."""
    before, found = extended.get(key, frozenset()), frozenset[str]()
    for item in items:
        if item.type == "string":
            found |= {_source(item)[1:-1].decode("utf-8", "replace")}
        elif _listed_key(item) not in _REQUESTS:
            before = None
    extended[key] = None if before is None else before | found


def _added_items(key: bytes, value: Node | None) -> list[Node] | None:
    """Returns the items that a value adds to the list it replaces: `[...m.key, "a"]`, `m.key.concat(["a"])`.

    Returns None for any other value.
    """
    if value is None:
        return None
    if value.type == "array":
        kept = [each for each in _parts(value) if _listed_key(each) == key]
        return [each for each in _parts(value) if _listed_key(each) != key] if kept else None
    function, listed = value.child_by_field_name("function"), value.child_by_field_name("arguments")
    if function is None or listed is None or _source(function.child_by_field_name("property")) != b"concat":
        return None
    kept_list = function.child_by_field_name("object")
    if kept_list is None or _listed_key(kept_list) != key:
        return None
    return [each for argument in listed.named_children for each in _parts(argument)]


def _is_filtered(key: bytes, value: Node | None) -> bool:
    """Whether a value is the list that it replaces without some items: `m.key.filter(f)`."""
    function = None if value is None else value.child_by_field_name("function")
    target = None if function is None else function.child_by_field_name("object")
    if function is None or target is None:
        return False
    return _source(function.child_by_field_name("property")) == b"filter" and _listed_key(target) == key


def _parts(node: Node) -> list[Node]:
    """Returns the items of an array literal, or any other value itself; what is spread counts by its name."""
    if node.type != "array":
        return [node]
    return [_spread(each) for each in node.named_children if each.type != "comment"]


def _spread(node: Node) -> Node:
    inner = node.named_children[0] if node.named_children else node
    return inner if node.type == "spread_element" else node


def _listed_key(node: Node) -> bytes:
    """Returns the key of the list that an expression reads: `permissions` for `(m.permissions ?? [])`."""
    while node.type in _WRAPPERS and node.named_children:
        node = node.named_children[0]
    if node.type == "binary_expression" and _operator(node) in (b"??", b"||"):
        left = node.child_by_field_name("left")
        return b"" if left is None else _listed_key(left)
    return next(iter(_members(node)), b"")


def _texts(names: set[bytes]) -> frozenset[str]:
    return frozenset(name.decode("utf-8", "replace") for name in names)


def _source(node: Node | None) -> bytes:
    return b"" if node is None or node.text is None else node.text


def _operator(node: Node) -> bytes:
    return _source(node.child_by_field_name("operator"))


def _names_manifest(node: Node) -> bool:
    """Whether the name that a node gives its content contains `manifest`."""
    if node.type == "call_expression":
        return b"manifest" in _source(node.child_by_field_name("function"))[-80:].lower()
    field = _NAMERS.get(node.type)
    return field is not None and b"manifest" in _source(node.child_by_field_name(field))[:200].lower()


def _chain(node: Node | None) -> list[bytes]:
    """Returns the names in `a.b["c"][0]`, from the last to the first.

    Empty for objects that are not manifests.
    """
    names: list[bytes] = []
    while node is not None:
        if node.type in _WRAPPERS:
            node = next(iter(node.named_children), None)
        elif node.type == "member_expression":
            names.append(_source(node.child_by_field_name("property")))
            node = node.child_by_field_name("object")
        elif node.type == "subscript_expression":
            index = node.child_by_field_name("index")
            if index is not None and index.type == "string":
                names.append(_source(index)[1:-1])
            node = node.child_by_field_name("object")
        else:
            names += [_source(node)] if node.type == "identifier" else []
            break
    return names if _NON_MANIFESTS.isdisjoint(names) else []


def _members(node: Node | None) -> list[bytes]:
    """Returns the last name of a member chain. A plain variable is not a key."""
    found = _chain(node)
    return found[:1] if len(found) > 1 else []


def _edits_of_call(node: Node) -> tuple[dict[bytes, list[Node]], list[bytes]]:
    """Returns the keys that a call extends, with the added items, and those that it changes."""
    function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or listed is None:
        return {}, []
    is_method = function.type == "member_expression"
    name = _source(function.child_by_field_name("property") if is_method else function)
    if is_method and name in _ADDING:
        items = [_spread(each) for argument in listed.named_children for each in _parts(argument)]
        return dict.fromkeys(_chain(function.child_by_field_name("object"))[:1], items), []
    if is_method and name in _CHANGING:
        return {}, _chain(function.child_by_field_name("object"))[:1]
    if name in _MERGING:
        return {}, [each for argument in listed.named_children for each in _merged(argument)]
    if is_method and name in _REPLACING:
        texts = (_source(argument) for argument in listed.named_children if argument.type in _TEXTS)
        return {}, [word for text in texts for word in _WORD.findall(text)]
    return {}, []


def _merged(argument: Node) -> Iterator[bytes]:
    """Yields the names of the keys in an argument of a merging function, or the member that it refers to."""
    if argument.type == "object":
        yield from _keys(argument)
    elif argument.type in {"array", "string"}:
        yield from _WORD.findall(_source(argument))
    else:
        yield from _members(argument)


def _keys(node: Node) -> Iterator[bytes]:
    for each in node.named_children:
        if each.type in {"pair", "method_definition"}:
            yield from _WORD.findall(
                _source(each.child_by_field_name("key" if each.type == "pair" else "name"))
            )
        elif each.type == "shorthand_property_identifier":
            yield _source(each)
