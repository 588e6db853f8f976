"""Finds the calls that require a module of a bundle, and those that it may require unnamed.

load(12).api                            names the key
load.e(3).then(load.bind(null, 12))     passes a module to other code
load(names[language])                   may require any module
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from extlint.analysis.bundles.chunk_tables import chunk_runtimes
from extlint.analysis.bundles.model import Bundle, Module, Runtime
from extlint.analysis.bundles.module_tables import (
    TableRuntime,
    called_runtime,
    calls_requiring,
    calls_with_key,
    functions_in,
    property_name,
)
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AssignmentExpression,
    BinaryExpression,
    CallExpression,
    Function,
    MemberExpression,
    Pair,
    SubscriptExpression,
)
from extlint.analysis.syntax.shapes import (
    call_of,
    call_with_argument,
    enclosing_function,
    index_of,
    innermost,
    outermost,
    parameter_items,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import assignment_to
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

_KEY_CHARACTERS = frozenset(b"./-")
"""Characters next to a word that is a part of a longer key."""

MAX_KEYS = 200
"""The maximum number of uses of a module's keys that are examined; with more, any code may require it."""


def known_requires(bundle: Bundle, module: Module) -> list[Node] | None:
    """Returns calls that return a module's exports, or None if other code of the script may require it."""
    if module.runtime is None or module.key is None or module.getter_call is not None:
        return None
    names = {module.key, *module.runtime.names_of(bundle, module.key)}
    return list(calls_requiring(bundle, module)) if _is_always_named(bundle, names, module.runtime) else None


def requires_in_chunk(bundle: Bundle, key: str) -> list[Node] | None:
    """Returns the calls that return the exports of another chunk's module, or None if other code may."""
    return list(calls_with_key(bundle, key)) if _is_always_named(bundle, {key}) else None


def _is_always_named(bundle: Bundle, names: set[str], runtime: Runtime | None = None) -> bool:
    """Whether a script requires the module with these names only by calls that directly name it."""
    has_table = runtime is None or isinstance(runtime, TableRuntime)
    keys = bundle.open_keys() if has_table else None
    if keys is not None:
        return keys.isdisjoint(names)
    literals = islice(_key_literals(bundle.evaluator, names), MAX_KEYS + 1)
    return all(at < MAX_KEYS and _is_known_use(bundle, item) for at, item in enumerate(literals))


def _key_literals(evaluator: Evaluator, names: set[str]) -> Iterator[Node]:
    """Yields the numbers and strings of a script that equal one of these keys."""
    tree = evaluator.tree
    for name in sorted(names):
        length = len(encode_name(name))
        for at in evaluator.names.words.occurrences(name):
            neighbors = tree.text[max(0, at - 1) : at] + tree.text[at + length : at + length + 1]
            if _KEY_CHARACTERS.isdisjoint(neighbors):
                leaf = tree.leaf_at(at)
                if leaf.type == "number":
                    yield leaf
                elif leaf.type in {"string_fragment", "template_string"} and leaf.span == (at, at + length):
                    yield leaf.parent or leaf


def _is_known_use(bundle: Bundle, item: Node) -> bool:
    """Whether a literal is only a property key, index, operand, or argument of a known `require`."""
    up, call = item.parent, call_with_argument(item)
    match up:
        case BinaryExpression():
            return not up.is_logical
        case SubscriptExpression():
            return item.is_field("index")
        case Pair():
            return item.is_field("key") or _is_dependency_map(up.parent)
    if not isinstance(call, CallExpression) or not call.arguments[0].same(item):
        return False
    is_registered = len(call.arguments) == 2 and isinstance(call.arguments[1], Function)
    value = bundle.evaluator.partial(call.callee)
    return is_registered or called_runtime(bundle, value, call.callee) is not None


def _is_dependency_map(item: Node | None) -> bool:
    """Whether an object is next to the function of a module, and so is its map from names to keys."""
    entry = None if item is None or item.type != "object" else item.parent
    return entry is not None and entry.type == "array" and isinstance(entry.first(), Function)


_FILLS = lazy(rb"\.exports\s*[,)]")

_MAPPED = lazy(rb":\s*+(?:\[\s*+)?[\"']?([\w$./@+-]+)")
_PARTS_OF_CONTEXT = (lazy(rb"\.keys\s*="), lazy(rb"\.id\s*="))

_TABLES = frozenset({"c", "m"})
"""The properties of `require` that are the table of modules and the cache of their exports."""

_KEYED = frozenset({"bind", "t"})
"""The properties of `require` that take a key and return a module, or a function that requires it."""


def open_keys(bundle: Bundle) -> frozenset[str] | None:
    """Returns the keys of modules that a script may require without a call that directly names the key.

    Returns None if these may be any modules, or if the script has no `require` of a table of modules.
    """
    found: set[str] = set()
    evaluator, runtimes = bundle.evaluator, _runtimes(bundle)
    for runtime in runtimes:
        require = runtime.require
        if runtime.parameters.require is None or (require is not None and require.field("name") is None):
            return None
        for name in _names_of_require(evaluator, runtime):
            for use in _uses(evaluator, name):
                keys = _keys_of_use(evaluator, use)
                keys = _keys_of_context(evaluator, name) if keys is None else keys
                if keys is None and (require is None or not _is_of_runtime(evaluator, require, use)):
                    return None
                found |= keys or set()
    return frozenset(found) if runtimes else None


def _runtimes(bundle: Bundle) -> Sequence[TableRuntime]:
    """Returns the runtimes of a script, and those of the chunks in it."""
    tree, found = bundle.evaluator.tree, list[TableRuntime](chunk_runtimes(bundle.evaluator))
    tree.spend_search(len(tree.text))
    functions = (enclosing_function(tree.leaf_at(each.start())) for each in _FILLS.finditer(tree.text))
    for function in {each.id: each for each in functions if each is not None}.values():
        runtime = bundle.runtime_of(function)
        found += [runtime] if isinstance(runtime, TableRuntime) else []
    return found


def _names_of_require(evaluator: Evaluator, runtime: TableRuntime) -> Iterator[Node]:
    """Yields the names that declare the `require` of a runtime: its own, and a parameter of each module."""
    own = None if runtime.require is None else runtime.require.field("name")
    if own is not None:
        yield own
    index = runtime.parameters.require
    for function in functions_in(evaluator, runtime.table).values():
        parameters = parameter_items(function)
        if index is not None and index < len(parameters):
            yield parameters[index]


def _uses(evaluator: Evaluator, name: Node) -> Iterator[Node]:
    """Yields the uses of a name after its declaration."""
    binding = evaluator.names.variable(name)
    for use in () if binding is None else binding.uses:
        evaluator.tree.spend(1)
        yield use.item


def _is_of_runtime(evaluator: Evaluator, require: Node, use: Node) -> bool:
    """Whether a use is in `require` itself, or in a function that is assigned to a member of it."""
    for up in use.ancestors():
        assignment = up.parent if isinstance(up, Function) else None
        if isinstance(assignment, AssignmentExpression) and isinstance(assignment.left, MemberExpression):
            owner = evaluator.definition_of(assignment.left.object)
            if owner is not None and owner.same(require):
                return True
    return require.contains(use)


def _keys_of_use(evaluator: Evaluator, use: Node) -> set[str] | None:
    """Returns the keys of modules that a use of `require` passes on, or None if these may be any."""
    call, member = call_of(use), outermost(use).parent
    if call is not None:
        return _keys_of_argument(evaluator, call)
    taker = call_with_argument(outermost(use))
    if isinstance(taker, CallExpression):
        return _keys_in_called_function(evaluator, use, taker)
    if not isinstance(member, MemberExpression) or not outermost(use).is_field("object"):
        return None
    name = property_name(evaluator, member)
    if name not in _KEYED | _TABLES or assignment_to(member) is not None:
        return set()
    call = next((up for up in member.ancestors() if isinstance(up, CallExpression)), None)
    if name in _TABLES or call is None or not call.callee.contains(member):
        return None
    return {text for each in call.arguments if (text := evaluator.text(each))} or None


def _keys_in_called_function(evaluator: Evaluator, use: Node, taker: CallExpression) -> set[str] | None:
    """Returns the same for `function.call(exports, require)`, which is the code of an AMD module."""
    callee, index = taker.callee, index_of(taker.arguments, outermost(use))
    if not isinstance(callee, MemberExpression) or property_name(evaluator, callee) != "call" or not index:
        return None
    function = evaluator.definition_of(callee.object)
    if not isinstance(function, Function) or "arguments" in evaluator.tree.source(function):
        return None
    names = function.parameters[index - 1 : index]
    keys = [_keys_of_use(evaluator, each) for name in names for each in _uses(evaluator, name)]
    return None if None in keys else {key for each in keys for key in each or ()}


def _keys_of_context(evaluator: Evaluator, name: Node) -> set[str] | None:
    """Returns the possible keys in a generated module that maps file names to keys, or None for others.

    `require("./pages/" + name)` in the sources requires such a module.
    """
    function = enclosing_function(name)
    text = b"" if function is None else evaluator.tree.text[function.start : function.end]
    if not all(each.search(text) for each in _PARTS_OF_CONTEXT):
        return None
    return {found[1].decode("utf-8", "replace") for found in _MAPPED.finditer(text)}


def _keys_of_argument(evaluator: Evaluator, call: CallExpression) -> set[str] | None:
    """Returns the key of the main module in `require(require.s = 12)`, and no key for another constant."""
    first = call.first_argument
    key = None if first is None else evaluator.text(first)
    if first is not None and isinstance(innermost(first), AssignmentExpression):
        return set() if key is None else {key}
    return None if key is None else set()
