"""Reads a bundle's own code: its names and keys, the tables of its modules, and the calls of `require`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from extlint.analysis.bundles.model import Bundle, Module, Runtime
from extlint.analysis.facts.values import FunctionValue, InstanceValue, Value
from extlint.analysis.scope.model import Binding, Role
from extlint.analysis.syntax.node import FUNCTIONS, Node
from extlint.analysis.syntax.nodes import CallExpression, Pair, VariableDeclarator
from extlint.analysis.syntax.shapes import index_of, innermost, outermost, parameter_items
from extlint.analysis.values.constants import text_of
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.interop import REQUIRE
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.property_index import property_leaves
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name


def declared_value(evaluator: Evaluator, name: Node) -> Node | None:
    """Returns the initializer of a variable, if nothing else is assigned to it."""
    binding = evaluator.names.variable(name)
    if binding is None or len(binding.writes) != 1 or binding.writes[0].source is None:
        return None
    return binding.writes[0].source.field("value")


def property_name(evaluator: Evaluator, member: Node) -> str:
    """Returns the name after the dot of a member, or an empty string."""
    name = member.field("property")
    return "" if name is None else evaluator.tree.source(name)


def key_text(evaluator: Evaluator, item: Node | None) -> str | None:
    """Returns the key that a name, a number, or a string without escapes represents."""
    if item is None:
        return None
    source = evaluator.tree.source(item)
    match item.type:
        case "string" | "template_string" if "${" not in source:
            return None if "\\" in source else source[1:-1]
        case "property_identifier" | "number":
            return source
    return None


@once_per_script
def positions_in(evaluator: Evaluator, array: Node) -> Mapping[int, int]:
    """Returns the index of each item of an array, including holes, by the start of the item."""
    children = array.children()
    evaluator.tree.spend(len(children))
    found: dict[int, int] = {}
    index = 0
    for child in children:
        if child.type == ",":
            index += 1
        else:
            found[child.start] = index
    return found


def entry_in_table(evaluator: Evaluator, entry: Node) -> tuple[Node, str] | None:
    """Returns the object or array that contains an entry, and the entry's key."""
    up = entry.parent
    key: str | None = None
    if isinstance(up, Pair):
        key, up = key_text(evaluator, up.key), up.parent
    elif entry.type == "method_definition":
        key = key_text(evaluator, entry.field("name"))
    elif up is not None and up.type == "array":
        key = str(positions_in(evaluator, up)[entry.start])
    if up is None or key is None or up.type not in {"array", "object"}:
        return None
    return up, key


def is_empty(table: Node) -> bool:
    """Whether an object has no entries in the text, so that they are added when the script runs."""
    return table.type == "object" and all(each.type == "comment" for each in table.node.named_children)


def runtime_by_variable(bundle: Bundle, table: Node) -> Runtime | None:
    """Returns the runtime that calls the functions of a table through the variable that stores it."""
    binding = _variable_of(bundle.evaluator, table)
    if binding is None:
        return None
    for use in binding.uses:
        bundle.evaluator.tree.spend(1)
        place = outermost(use.item).parent
        if use.role is Role.REFERENCE and place is not None and place.type == "subscript_expression":
            for function in place.ancestors():
                found = bundle.runtime_of(function) if function.type in FUNCTIONS else None
                if isinstance(found, TableRuntime) and found.table.same(table):
                    return found
    return None


def _variable_of(evaluator: Evaluator, table: Node) -> Binding | None:
    """Returns the variable that stores a table, by an assignment or as the parameter it is passed to."""
    whole = outermost(table)
    up = whole.parent
    if up is None:
        return None
    if isinstance(up, VariableDeclarator):
        return evaluator.names.variable(up.name) if up.name.type == "identifier" else None
    call = up.parent if up.type == "arguments" else None
    function = innermost(call.callee) if isinstance(call, CallExpression) else None
    if function is not None and function.type == "call_expression":
        function = evaluator.definition_of(function)
    if function is None or function.type not in FUNCTIONS:
        return None
    index, parameters = index_of(up.named(), whole), parameter_items(function)
    if index is None or index >= len(parameters) or parameters[index].type != "identifier":
        return None
    return evaluator.names.variable(parameters[index])


class TableRuntime(Runtime, eq=False):
    """A runtime that finds its modules in an object or array."""

    table: Node

    def function_for_key(self, bundle: Bundle, key: str) -> Node | None:
        """Returns the function of an entry of the table."""
        return functions_in(bundle.evaluator, self.table).get(key)


@once_per_script
def functions_in(evaluator: Evaluator, table: Node) -> Mapping[str, Node]:
    """Returns the functions of a table by their keys; for an entry that is an array, its first item."""
    found: dict[str, Node] = {}
    index = 0
    for child in table.children():
        evaluator.tree.spend(1)
        index += child.type == ","
        key: str | None = str(index)
        function: Node | None = child
        if isinstance(child, Pair):
            key, function = key_text(evaluator, child.key), child.value
        elif child.type == "method_definition":
            key = key_text(evaluator, child.field("name"))
        if child.type == "pair" and function is not None and function.type == "array":
            function = function.first()
        function = None if function is None else innermost(function)
        if key is not None and function is not None and function.type in FUNCTIONS:
            found[key] = function
    return found


@once_per_script
def registered_function(evaluator: Evaluator, key: str) -> Node | None:
    """Returns the function that is passed to a call after a key: `register("key", function)`."""
    for leaf in property_leaves(evaluator, key):
        string = leaf.parent
        listed = None if string is None else string.parent
        if string is None or string.type != "string" or listed is None or listed.type != "arguments":
            continue
        arguments = listed.named()
        if len(arguments) == 2 and arguments[0].same(string) and arguments[1].type in FUNCTIONS:
            return arguments[1]
    return None


_FIRST_ARGUMENT = lazy(rb"\(\s*(?:/\*[^*]{0,500}\*/\s*)?([\"'`]?)((?<=[\"'`])[^\"'`\n\\]++|[\w$]++)\1\s*[),]")


def called_runtime(
    bundle: Bundle, callee: Value, name: Node | None = None
) -> tuple[Runtime, Module | None] | None:
    """Returns the runtime whose `require` is called, and the module that calls it by its own parameter.

    `callee` is the value of the called expression, and `name` that expression, if it may identify the
    runtime.
    """
    evaluator = bundle.evaluator
    if isinstance(callee, InstanceValue):
        definition = evaluator.definition_at(callee.definition) if callee.class_name == REQUIRE else None
        own = None if definition is None else bundle.module_of(definition)
        return None if own is None or own.runtime is None else (own.runtime, own)
    definition = evaluator.definition(callee) if isinstance(callee, FunctionValue) else None
    runtime = None if definition is None else bundle.runtime_of(definition)
    if runtime is None and name is not None:
        runtime = bundle.runtime_named(name)
    return None if runtime is None else (runtime, None)


def required_exports(bundle: Bundle, runtime: Runtime, own: Module | None, passed: Value) -> Value | None:
    """Returns the value of `require` for an argument, or None if it is unknown."""
    name = text_of(passed)
    key = name if own is None or name is None else runtime.key_of(bundle, own, name)
    return None if key is None else exports_for_key(bundle, runtime, key)


def exports_for_key(bundle: Bundle, runtime: Runtime, key: str) -> Value:
    """Returns the value of `require` for a key."""
    module = module_for_key(bundle, runtime, key)
    return runtime.external_exports(bundle, key) if module is None else bundle.exports_of_module(module)


def module_for_key(bundle: Bundle, runtime: Runtime, key: str) -> Module | None:
    """Returns the module of a runtime with a key."""
    function = runtime.function_for_key(bundle, key)
    return None if function is None else bundle.module_of(function)


def calls_requiring(bundle: Bundle, module: Module) -> Iterator[Node]:
    """Yields the calls that return the exports of a module, or its getter."""
    if module.getter_call is not None:
        yield module.getter_call
    if module.runtime is None or module.key is None:
        return
    for name in module.runtime.names_of(bundle, module.key):
        for call in _calls_with_key(bundle.evaluator, name):
            if _returns_module(bundle, call, module):
                yield call


def _returns_module(bundle: Bundle, call: CallExpression, module: Module) -> bool:
    """Whether a call returns the exports of this module."""
    first = call.first_argument
    if first is None:
        return False
    found = called_runtime(bundle, bundle.evaluator.partial(call.callee), call.callee)
    name = None if found is None else bundle.evaluator.text(first)
    if found is None or name is None:
        return False
    runtime, own = found
    key = name if own is None else runtime.key_of(bundle, own, name)
    found_module = None if key is None else module_for_key(bundle, runtime, key)
    return found_module is not None and found_module.function.same(module.function)


def _calls_with_key(evaluator: Evaluator, key: str) -> Iterator[CallExpression]:
    """Yields the calls whose first argument is this key, as a number or string."""
    for at in _key_offsets(evaluator).get(encode_name(key), ()):
        leaf = evaluator.tree.leaf_at(at)
        item: Node | None = leaf.parent if leaf.type in {"string_fragment"} else leaf
        listed = None if item is None else item.parent
        if listed is not None and listed.type == "arguments" and isinstance(listed.parent, CallExpression):
            yield listed.parent


@once_per_script
def _key_offsets(evaluator: Evaluator) -> Mapping[bytes, Sequence[int]]:
    """Returns the positions of strings and numbers that appear to be first arguments, by their text."""
    text = evaluator.tree.text
    evaluator.tree.spend_search(len(text))
    found: dict[bytes, list[int]] = {}
    for each in _FIRST_ARGUMENT.finditer(text):
        found.setdefault(each[2], []).append(each.start(2))
    return found
