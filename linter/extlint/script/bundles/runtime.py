"""Tables of modules, and the function of the bundle that runs one of them.

Webpack, browserify and parcel differ in names only: `require(key)` looks into a cache, makes a
module, calls `table[key]` with the module, its exports and itself, and gives the exports. That call
tells which parameter of a module's function is which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.script.bundles.marks import MAKING
from extlint.script.bundles.model import Module, Roles, Runtime
from extlint.script.evaluate import Evaluator
from extlint.script.names import Binding
from extlint.script.occurrences import Role
from extlint.script.properties import property_leaves
from extlint.script.shape import arguments_of, call_of, index_of, innermost, outermost, parameter_items
from extlint.script.tree import FUNCTIONS, Item
from extlint.values import InstanceValue

LONGEST_RUNTIME = 6_000
"""Bytes of a `require`, or of a function that makes getters of modules; a longer one is none."""

MOST_NODES = 1_500
MOST_USES = 50

_WEBPACK = Roles(0, 1, 2)
_LAZY = Roles(1, 0)
_CHUNKS = re.compile(r"webpackChunk|webpackJsonp")
_FILLS = re.compile(r"\.exports\s*,|\.exports\)")


def runtime_of(evaluator: Evaluator, function: Item) -> Runtime | None:
    """The runtime whose `require` is this function."""
    if function.id not in evaluator.runtimes:
        evaluator.runtimes[function.id] = None
        evaluator.runtimes[function.id] = _runtime(evaluator, function)
    return evaluator.runtimes[function.id]


def module_of(evaluator: Evaluator, function: Item) -> Module | None:
    """The module that a function is the code of."""
    if function.id not in evaluator.modules:
        evaluator.modules[function.id] = None
        evaluator.modules[function.id] = _module(evaluator, function)
    return evaluator.modules[function.id]


def module_with(evaluator: Evaluator, runtime: Runtime, key: str) -> Module | None:
    """The module of a runtime that has this key."""
    function = (
        _registered(evaluator, runtime, key)
        if runtime.table is None
        else _listed(evaluator, runtime).get(key)
    )
    return None if function is None else module_of(evaluator, function)


def required_key(evaluator: Evaluator, module: Module, name: str) -> str | None:
    """The key that a module means by what it passes to its `require`."""
    if module.runtime is None or not module.runtime.nested:
        return name
    entry = outermost(module.function).parent
    names = None if entry is None else next((each for each in entry.named() if each.type == "object"), None)
    for pair in () if names is None else names.named():
        key, value = pair.field("key"), pair.field("value")
        if key is not None and value is not None and _text(evaluator, key) == name:
            return _text(evaluator, value)
    return None


def _runtime(evaluator: Evaluator, function: Item) -> Runtime | None:
    parameters, body = parameter_items(function), function.field("body")
    if not parameters or body is None or function.end - function.start > LONGEST_RUNTIME:
        return None
    if not _FILLS.search(evaluator.tree.source(function)):
        return None
    for call in _calls_in(evaluator, body):
        found = _from_call(evaluator, function, call)
        if found is not None:
            return found
    return None


def _calls_in(evaluator: Evaluator, body: Item) -> Iterator[Item]:
    waiting, seen = [body], 0
    while waiting and seen < MOST_NODES:
        item = waiting.pop()
        seen += 1
        if item.type == "call_expression":
            yield item
        waiting += reversed(item.named())
    evaluator.tree.spend(seen)


def _from_call(evaluator: Evaluator, require: Item, call: Item) -> Runtime | None:
    callee, listed = call.field("function"), call.field("arguments")
    if callee is None or listed is None:
        return None
    arguments = listed.named()
    if callee.type == "member_expression" and _property(evaluator, callee) == "call":
        callee, arguments = callee.field("object") or callee, arguments[1:]
    roles = roles_of(evaluator, arguments, require)
    if roles is None:
        return None
    nested = callee.type == "subscript_expression" and _index(evaluator, callee) == "0"
    entry = (callee.field("object") if nested else callee) or callee
    if entry.type == "identifier":
        entry = _declared_value(evaluator, entry) or entry
    owner = entry.field("object") if entry.type == "subscript_expression" else None
    if owner is None or owner.type != "identifier":
        return None
    table = _table_of(evaluator, owner)
    if table is None:
        return None
    is_empty = table.type == "object" and not table.named()
    return Runtime(require, None if is_empty else table, roles, nested)


def roles_of(evaluator: Evaluator, arguments: list[Item], require: Item | None) -> Roles | None:
    """What a module is called with, told by `m` and `m.exports` among the arguments."""
    source = evaluator.tree.source
    names = [source(each) for each in arguments]
    for at, each in enumerate(arguments):
        made = each.field("object") if each.type == "member_expression" else None
        if made is None or _property(evaluator, each) != "exports":
            continue
        made = _made(made)
        if made is None or made.type != "identifier":
            continue
        module = names.index(source(made)) if source(made) in names else None
        others = [index for index in range(len(arguments)) if index not in {at, module}]
        return Roles(module, at, _require_among(evaluator, arguments, others, require))
    return None


def _made(item: Item) -> Item | None:
    """The variable in `m` or `(m = {exports: {}})`."""
    while item.type == "parenthesized_expression":
        item = item.first() or item
        if item.type == "assignment_expression":
            return item.field("left")
    return item


def _require_among(
    evaluator: Evaluator, arguments: list[Item], others: list[int], require: Item | None
) -> int | None:
    """The argument that is `require` itself, or a function around it."""
    if require is None:
        return None
    name = require.field("name")
    own = None if name is None else evaluator.tree.source(name)
    if own is None:
        up = outermost(require).parent
        target = None if up is None else up.field("name") or up.field("left")
        own = None if target is None else evaluator.tree.source(target)
    for index in others:
        each = arguments[index]
        if each.type in FUNCTIONS:
            return index
        if each.type == "identifier":
            if evaluator.tree.source(each) == own:
                return index
            binding = evaluator.names.variable(each)
            declared = (
                binding.declarations[0].source if binding is not None and binding.declarations else None
            )
            if declared is not None and declared.type in FUNCTIONS and require.contains(declared):
                return index
    return None


def _table_of(evaluator: Evaluator, owner: Item) -> Item | None:
    """The literal that the variable of a table holds: its value, or an argument of the function around it."""
    binding = evaluator.names.variable(owner)
    if binding is None or len(binding.writes) != 1:
        return None
    name, given = evaluator.given_tables.get(binding.scope.id, ("", None))
    if given is not None and name == binding.name:
        return given
    declaration = binding.writes[0]
    source = declaration.source
    if source is None:
        return None
    found: Item | None = None
    if declaration.kind in {"var", "let"}:
        found = source.field("value")
    elif declaration.kind == "parameter":
        function = next((up for up in source.ancestors() if up.type in FUNCTIONS), None)
        call = None if function is None else call_of(function)
        given_to = [] if call is None else arguments_of(call)
        index = None if function is None else index_of(parameter_items(function), source)
        if index is not None and index < len(given_to):
            found = given_to[index]
    found = None if found is None else innermost(found)
    return found if found is not None and found.type in {"array", "object"} else None


def _declared_value(evaluator: Evaluator, name: Item) -> Item | None:
    binding = evaluator.names.variable(name)
    if binding is None or len(binding.writes) != 1 or binding.writes[0].source is None:
        return None
    return binding.writes[0].source.field("value")


def _module(evaluator: Evaluator, function: Item) -> Module | None:
    whole = outermost(function)
    up = whole.parent
    if up is None:
        return None
    if up.type == "arguments":
        return _handed_over(evaluator, function, up)
    entry = whole
    nested = up.type == "array" and up.parent is not None and up.parent.type == "pair"
    if nested:
        first = up.first()
        if first is None or not first.same(whole):
            return None
        entry, up = up, up.parent or up
    key: str | None = None
    if up.type == "pair":
        key, up = _text(evaluator, up.field("key")), up.parent or up
    elif function.type == "method_definition":
        key = _text(evaluator, function.field("name"))
    elif up.type == "array":
        key = str(_position(entry))
    if up.type not in {"array", "object"} or key is None:
        return None
    runtime = _runtime_with(evaluator, up)
    if runtime is None:
        return _wrapped(evaluator, function, outermost(up).parent)
    return Module(function, runtime.roles, runtime, key) if runtime.nested is nested else None


def _position(entry: Item) -> int:
    """The index of an item of an array, holes counted."""
    index = 0
    for child in entry.parent.all() if entry.parent is not None else ():
        if child.start >= entry.start:
            break
        index += child.type == ","
    return index


def _runtime_with(evaluator: Evaluator, table: Item) -> Runtime | None:
    if table.id not in evaluator.tables:
        evaluator.tables[table.id] = None
        evaluator.tables[table.id] = _find_runtime(evaluator, table)
    return evaluator.tables[table.id]


def _find_runtime(evaluator: Evaluator, table: Item) -> Runtime | None:
    whole = outermost(table)
    up = whole.parent
    if up is None:
        return None
    if up.type == "array":
        return Runtime(None, table, _WEBPACK) if _is_chunk(evaluator, up) else None
    binding = _holder(evaluator, whole, up, table)
    if binding is None or len(binding.uses) > MOST_USES:
        return None
    for use in binding.uses:
        place = outermost(use.item).parent
        if use.role is Role.REFERENCE and place is not None and place.type == "subscript_expression":
            for function in place.ancestors():
                found = runtime_of(evaluator, function) if function.type in FUNCTIONS else None
                if found is not None and found.table is not None and found.table.same(table):
                    return found
    return None


def _holder(evaluator: Evaluator, whole: Item, up: Item, table: Item) -> Binding | None:
    """The variable that holds a table: the one it is assigned to, or a parameter of the function around."""
    if up.type == "variable_declarator":
        name = up.field("name")
        return None if name is None or name.type != "identifier" else evaluator.names.variable(name)
    call = up.parent if up.type == "arguments" else None
    callee = None if call is None else call.field("function")
    function = None if callee is None else innermost(callee)
    if function is not None and function.type == "call_expression":
        function = evaluator.definition(evaluator.partial(function))
    index = index_of(up.named(), whole)
    if function is None or function.type not in FUNCTIONS or index is None:
        return None
    parameters = parameter_items(function)
    if index >= len(parameters) or parameters[index].type != "identifier":
        return None
    binding = evaluator.names.variable(parameters[index])
    if binding is not None and call_of(function) is None:
        evaluator.given_tables[binding.scope.id] = (binding.name, table)
        evaluator.runtimes.clear()
    return binding


def _is_chunk(evaluator: Evaluator, pushed: Item) -> bool:
    """Whether an array is what a chunk of webpack's pushes: keys of chunks, and modules."""
    listed = pushed.parent
    call = None if listed is None or listed.type != "arguments" else listed.parent
    callee = None if call is None else call.field("function")
    if callee is None or callee.type != "member_expression" or _property(evaluator, callee) != "push":
        return False
    owner = callee.field("object")
    return owner is not None and _CHUNKS.search(evaluator.tree.source(owner)) is not None


def modules_in(evaluator: Evaluator, table: Item) -> dict[str, Item]:
    """The functions of a table of modules by their keys; none if it is no such table."""
    runtime = _runtime_with(evaluator, table)
    return {} if runtime is None else _listed(evaluator, runtime)


def _listed(evaluator: Evaluator, runtime: Runtime) -> dict[str, Item]:
    """The functions of a table by their keys."""
    if runtime.read or runtime.table is None:
        return runtime.functions
    runtime.read = True
    index = 0
    for child in runtime.table.all():
        evaluator.tree.spend(1)
        index += child.type == ","
        key: str | None = str(index)
        function: Item | None = child
        if child.type == "pair":
            key, function = _text(evaluator, child.field("key")), child.field("value")
        elif child.type == "method_definition":
            key = _text(evaluator, child.field("name"))
        if runtime.nested and function is not None and function.type == "array":
            function = function.first()
        function = None if function is None else innermost(function)
        if key is not None and function is not None and function.type in FUNCTIONS:
            runtime.functions[key] = function
    return runtime.functions


def _registered(evaluator: Evaluator, runtime: Runtime, key: str) -> Item | None:
    """The function that is handed over under a key: `register("key", function)`."""
    if key not in runtime.functions:
        for leaf in property_leaves(evaluator, key):
            string = leaf.parent
            listed = None if string is None else string.parent
            if string is None or string.type != "string" or listed is None or listed.type != "arguments":
                continue
            arguments = listed.named()
            if len(arguments) == 2 and arguments[0].same(string) and arguments[1].type in FUNCTIONS:
                runtime.functions[key] = arguments[1]
                break
    return runtime.functions.get(key)


def _handed_over(evaluator: Evaluator, function: Item, listed: Item) -> Module | None:
    """A module that is an argument: of parcel's `register`, or of a function that makes its getter."""
    call, arguments = listed.parent, listed.named()
    if call is None or call.type != "call_expression":
        return None
    if len(arguments) == 2 and arguments[0].type == "string" and arguments[1].same(outermost(function)):
        runtime = _registering(evaluator, call)
        return (
            None
            if runtime is None
            else Module(function, runtime.roles, runtime, _text(evaluator, arguments[0]))
        )
    return _wrapped(evaluator, function, listed)


def _registering(evaluator: Evaluator, call: Item) -> Runtime | None:
    """The runtime whose `register` is called, by that name or by a variable that holds it."""
    callee = call.field("function")
    callee = None if callee is None else innermost(callee)
    if callee is not None and callee.type == "sequence_expression":
        callee = callee.named()[-1]
    if callee is not None and callee.type == "identifier":
        callee = _declared_value(evaluator, callee)
    if callee is None or callee.type != "member_expression" or _property(evaluator, callee) != "register":
        return None
    owner = callee.field("object")
    return None if owner is None else registry(evaluator, owner)


def registry(evaluator: Evaluator, name: Item) -> Runtime | None:
    """The runtime that a variable holds which is also shared through the global object."""
    binding = evaluator.names.variable(name) if name.type == "identifier" else None
    for write in () if binding is None else binding.writes:
        value = None if write.source is None else write.source.field("value") or write.source.field("right")
        value = None if value is None else innermost(value)
        if value is not None and value.type in FUNCTIONS:
            found = runtime_of(evaluator, value)
            if found is not None and found.table is None:
                return found
    return None


def _wrapped(evaluator: Evaluator, function: Item, listed: Item | None) -> Module | None:
    """A module that is the first argument of a function which gives a getter of its exports."""
    call = None if listed is None or listed.type != "arguments" else listed.parent
    callee = None if call is None else call.field("function")
    first = None if listed is None else listed.first()
    if call is None or callee is None or first is None or not first.contains(function):
        return None
    roles = getter_maker(evaluator, callee)
    return None if roles is None else Module(function, roles, wrapping=call)


def getter_maker(evaluator: Evaluator, callee: Item) -> Roles | None:
    """What modules are called with by a function that makes getters of them."""
    if callee.type != "identifier":
        return None
    maker = _declared_value(evaluator, callee)
    if maker is None:
        value = evaluator.partial(callee)
        return _LAZY if isinstance(value, InstanceValue) and value.class_name == MAKING else None
    return _roles_by(evaluator, maker)


def makes_getters(evaluator: Evaluator, maker: Item) -> bool:
    """Whether a function makes getters of modules that are called with `exports` and `module`."""
    return _roles_by(evaluator, maker) == _LAZY


def _roles_by(evaluator: Evaluator, maker: Item) -> Roles | None:
    if maker.type not in FUNCTIONS or maker.end - maker.start > LONGEST_RUNTIME:
        return None
    if maker.id not in evaluator.makers:
        evaluator.makers[maker.id] = _made_by(evaluator, maker)
    return evaluator.makers[maker.id]


def _made_by(evaluator: Evaluator, maker: Item) -> Roles | None:
    parameters, body = parameter_items(maker), maker.field("body")
    source = evaluator.tree.source
    if not parameters or body is None or not re.search(r"\{\s*exports\s*:\s*\{\s*\}", source(maker)):
        return None
    for call in _calls_in(evaluator, body):
        callee, listed = call.field("function"), call.field("arguments")
        if (
            callee is not None
            and listed is not None
            and source(parameters[0]) in re.findall(r"[\w$]+", source(callee))
        ):
            roles = roles_of(evaluator, listed.named(), None)
            if roles is not None:
                return roles
    return None


def _property(evaluator: Evaluator, member: Item) -> str:
    name = member.field("property")
    return "" if name is None else evaluator.tree.source(name)


def _index(evaluator: Evaluator, member: Item) -> str | None:
    return _text(evaluator, member.field("index"))


def _text(evaluator: Evaluator, item: Item | None) -> str | None:
    """The key that a name, number or string without escapes stands for."""
    if item is None:
        return None
    source = evaluator.tree.source(item)
    match item.type:
        case "string" | "template_string" if "${" not in source:
            return None if "\\" in source else source[1:-1]
        case "property_identifier" | "number":
            return source
    return None
