"""Finds the uses of Web platform globals in a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import takewhile

from extlint.analysis.expressions.replaced_globals import is_set_on_window
from extlint.analysis.facts.other_scripts import GLOBAL_OBJECT
from extlint.analysis.facts.platform_globals import DYNAMIC_IMPORT
from extlint.analysis.facts.script_facts import ArgumentTest, GlobalUse
from extlint.analysis.facts.values import InstanceValue, Value, with_span
from extlint.analysis.reachability.executed_paths import ExecutedPaths
from extlint.analysis.scope.model import Role
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallExpression,
    CallOrNewExpression,
    ExportSpecifier,
    NewExpression,
    UnaryExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.prefilter import GLOBAL_OBJECTS, may_name_global
from extlint.analysis.syntax.shapes import (
    call_of,
    call_with_argument,
    enclosing_function,
    innermost,
    is_optional,
    outermost,
)
from extlint.analysis.values.constants import PROMISE_METHODS
from extlint.analysis.values.evaluator import GLOBAL, Evaluator
from extlint.analysis.values.promise_values import is_caught
from extlint.analysis.values.property_index import assignment_to, is_changed, key_of
from extlint.text.patterns import lazy

_OBSERVERS = frozenset({"IntersectionObserver", "MutationObserver", "ResizeObserver"})
_SAFE_OPERATORS = frozenset({"typeof", "delete"})

_DYNAMIC_IMPORT = {b"import": lazy(rb"import(?<!\.import)\s*(?=\()")}


def may_import_dynamically(text: bytes) -> bool:
    """Whether a call of `import()` appears to begin anywhere in a script."""
    return any(pattern.search(text) for pattern in _DYNAMIC_IMPORT.values())


def dynamic_imports(evaluator: Evaluator, paths: ExecutedPaths) -> Iterator[GlobalUse]:
    """Yields the calls of `import()` that are known to be reachable."""
    for at in dynamic_import_offsets(evaluator):
        use = evaluator.attempt((at, at + 1), partial(_import_at, evaluator, paths, at))
        if use is not None:
            yield use


def dynamic_import_offsets(evaluator: Evaluator) -> Sequence[int]:
    """Returns the byte offsets where calls of `import()` appear to begin."""
    return [at for at, _ in evaluator.tree.places.spans_of(_DYNAMIC_IMPORT)]


def import_called(evaluator: Evaluator, at: int) -> CallExpression | None:
    """Returns the call of `import()` at an offset, or None if its failure is handled."""
    leaf = evaluator.tree.leaf_at(at)
    word = leaf.parent if leaf.parent is not None and leaf.parent.type == "import" else leaf
    call = word.parent
    if leaf.type != "import" or not isinstance(call, CallExpression) or is_caught(evaluator, call):
        return None
    return call


def _import_at(evaluator: Evaluator, paths: ExecutedPaths, at: int) -> GlobalUse | None:
    call = import_called(evaluator, at)
    executed_paths = paths.to(call) if call is not None else frozenset()
    if call is None or not executed_paths:
        return None
    span = (call.start, call.end)
    return GlobalUse(DYNAMIC_IMPORT, span, None, False, executed_paths, paths.on_load(call))


def global_uses(
    evaluator: Evaluator,
    paths: ExecutedPaths,
    names: frozenset[str],
    matters: ArgumentTest | None,
    only_on_load: frozenset[str],
) -> Iterator[GlobalUse]:
    """Yields the reachable uses of these globals that are relevant; see `Searches.global_uses`."""

    def is_relevant(name: str, item: Node) -> bool:
        if name in only_on_load and not paths.on_load(item):
            return False
        return matters is None or matters(name, _argument_values(evaluator, item))

    words = {name.partition(".")[0].encode() for name in names}
    for at in sorted(at for word in words for at in evaluator.tree.places.iter_offsets(word)):
        use = evaluator.attempt((at, at + 1), partial(_use_at, evaluator, paths, names, is_relevant, at))
        if use is not None:
            yield use


def name_used_at(evaluator: Evaluator, paths: ExecutedPaths, names: frozenset[str], at: int) -> Node | None:
    """Returns the name at an offset, if it may refer to one of these globals in a reachable use.

    This check is cheap, and does not evaluate any expression.
    """
    if paths.unconditional and not may_name_global(evaluator.tree.text, at):
        return None  # in generated code, skip names that `_may_be_of_global_object` rejects
    leaf = evaluator.tree.leaf_at(at)
    if leaf.start != at:
        return None
    if leaf.type == "property_identifier":
        return leaf if _may_be_of_global_object(evaluator, paths, names, leaf) else None
    is_use = (
        leaf.type == "identifier"
        and _may_be_use(evaluator, names, leaf, leaf)
        and _may_be_free(evaluator, paths, leaf)
    )
    return leaf if is_use else None


def _use_at(
    evaluator: Evaluator,
    paths: ExecutedPaths,
    names: frozenset[str],
    is_relevant: Callable[[str, Node], bool],
    at: int,
) -> GlobalUse | None:
    leaf = name_used_at(evaluator, paths, names, at)
    named = None if leaf is None else _named_at(evaluator, names, leaf)
    if named is None:
        return None
    name, item, is_free = named
    if "window" not in names and is_set_on_window(evaluator, name.partition(".")[0]):
        return None
    if paths.unconditional and not paths.to(item):
        return None  # in generated code this check is cheaper than evaluating arguments
    if not is_relevant(name, item):
        return None
    executed_paths = paths.to(item)
    if not executed_paths:
        return None
    return GlobalUse(
        name,
        item.span,
        _member_read(evaluator, item),
        is_free,
        executed_paths,
        paths.on_load(item),
        _argument_values(evaluator, item),
        _is_failure_handled(evaluator, item),
    )


def _is_failure_handled(evaluator: Evaluator, item: Node) -> bool:
    """Whether a global, or a function of it, is called, and the failure of its promise is handled.

    It may be handled by the promise whose callback the call is in.
    """
    member = outermost(item).parent
    call: Node | None = call_of(member if isinstance(member, AccessExpression) else item)
    while call is not None and not is_caught(evaluator, call):
        function = enclosing_function(call)
        call = None if function is None else call_with_argument(outermost(function))
        if not isinstance(call, CallExpression) or not _is_of_promise(evaluator, call):
            return False
    return call is not None


def _is_of_promise(evaluator: Evaluator, call: CallExpression) -> bool:
    callee = innermost(call.callee)
    return isinstance(callee, AccessExpression) and key_of(evaluator, callee) in PROMISE_METHODS


def _may_be_use(evaluator: Evaluator, names: frozenset[str], leaf: Node, item: Node) -> bool:
    """Whether an expression, whose name is a leaf, is in a position where it may use one of these globals.

    This check is cheap, unlike finding out whether the use is reachable.
    """
    whole = outermost(item)
    up = whole.parent
    if item is leaf and isinstance(up, UnaryExpression) and up.operator in _SAFE_OPERATORS:
        return False
    word = evaluator.tree.source(leaf)
    if word in names:
        return item is leaf or is_dereferenced(item)
    if not isinstance(up, AccessExpression) or not whole.is_field("object"):
        return False
    return up.key.type != "property_identifier" or f"{word}.{evaluator.tree.source(up.key)}" in names


def _may_be_free(evaluator: Evaluator, paths: ExecutedPaths, leaf: Node) -> bool:
    """Whether a name may be reachable, and may refer to a global.

    In generated code, the value of a declared name is not evaluated, since that is much work.
    """
    if paths.unconditional and evaluator.names.variable(leaf) is not None:
        return False
    return paths.may_reach(leaf)


def _may_be_of_global_object(
    evaluator: Evaluator, paths: ExecutedPaths, names: frozenset[str], leaf: Node
) -> bool:
    """Whether a property may be reachable, and belongs to a name or to `this`, which is cheap to check."""
    member = leaf.parent
    if not isinstance(member, AccessExpression) or not leaf.is_field("property"):
        return False
    if not _may_be_use(evaluator, names, leaf, member):
        return False
    holder = innermost(member.object)
    if isinstance(holder, AccessExpression):
        is_name = evaluator.tree.source(holder.key) in GLOBAL_OBJECTS
    else:
        is_name = holder.type == "this" or (
            holder.type == "identifier"
            and (not paths.unconditional or evaluator.tree.source(holder) in GLOBAL_OBJECTS)
        )
    if not is_name or not paths.may_reach(member):
        return False
    return not paths.unconditional or bool(paths.to(member))


def _named_at(evaluator: Evaluator, names: frozenset[str], leaf: Node) -> tuple[str, Node, bool] | None:
    """Returns the global used at a leaf, its expression, and whether that is a free name, or None."""
    word = evaluator.tree.source(leaf)
    if leaf.type == "property_identifier":
        member = leaf.parent
        if not isinstance(member, AccessExpression) or not leaf.is_field("property"):
            return None
        if not _is_global_object(evaluator, names, member.object) or not _is_watched(evaluator, member):
            return None
        return _global_or_member(evaluator, names, word, member, is_free=False)
    found = evaluator.names.classify(leaf.start)
    if found is None or found.role is not Role.REFERENCE or not _is_watched(evaluator, leaf):
        return None
    if isinstance(leaf.parent, ExportSpecifier):
        return None  # a module exports only its own names, such as those of types
    return _global_or_member(evaluator, names, word, leaf, is_free=True)


def _global_or_member(
    evaluator: Evaluator, names: frozenset[str], word: str, item: Node, *, is_free: bool
) -> tuple[str, Node, bool] | None:
    if word in names:
        return (word, item, is_free) if is_free or is_dereferenced(item) else None
    up = outermost(item).parent
    if not isinstance(up, AccessExpression) or not outermost(item).is_field("object"):
        return None
    name = f"{word}.{key_of(evaluator, up)}"
    if name not in names:
        return None
    used = up if is_dereferenced(up) else _required_name(evaluator, up)
    return None if used is None else (name, used, False)


def _required_name(evaluator: Evaluator, item: Node) -> Node | None:
    """Returns the first use of an expression, or of a constant with its value, that fails if it is null."""
    if _is_observed(evaluator, item):
        return item
    whole = outermost(item)
    declared = whole.parent
    if not isinstance(declared, VariableDeclarator) or not whole.is_field("value"):
        return None
    binding = evaluator.names.variable(declared.name)
    if binding is None or len(binding.writes) != 1:
        return None
    uses = (each.item for each in binding.uses if each.role is Role.REFERENCE)
    return next((each for each in uses if is_dereferenced(each) or _is_observed(evaluator, each)), None)


def _is_observed(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression is the element that an observer gets: `observer.observe(document.body)`."""
    whole = outermost(item)
    call = call_with_argument(whole)
    callee = call.callee if isinstance(call, CallExpression) else None
    if not isinstance(callee, AccessExpression) or key_of(evaluator, callee) != "observe":
        return False
    observer = evaluator.possible.value(callee.object)
    return isinstance(observer, InstanceValue) and observer.class_name in _OBSERVERS


def _is_watched(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression is a global that the script itself does not assign."""
    found = evaluator.api(item)
    if found is None or found.path[:1] != (GLOBAL_OBJECT,):
        return False
    return len(found.path) == 2 or (len(found.path) == 3 and found.path[1] == "window")


def _is_global_object(evaluator: Evaluator, names: frozenset[str], item: Node) -> bool:
    """Whether an expression is the global object, and not a name for it that is itself missing."""
    if evaluator.possible.value(item) == GLOBAL:
        return True
    found = evaluator.api(item)
    return found is not None and found.path == (GLOBAL_OBJECT, "window") and "window" not in names


def is_dereferenced(item: Node) -> bool:
    """Whether an expression is called or a member is read from it, which fails if it is undefined."""
    whole = outermost(item)
    up = whole.parent
    if isinstance(item, AccessExpression) and (assignment_to(item) is not None or is_changed(item)):
        return False
    match up:
        case AccessExpression():
            return whole.is_field("object") and not is_optional(up)
        case CallExpression():
            return whole.is_field("function") and not is_optional(up)
        case NewExpression():
            return whole.is_field("constructor")
    return False


def _member_read(evaluator: Evaluator, item: Node) -> str | None:
    """Returns the name of the member that is read from an expression, or None."""
    whole = outermost(item)
    up = whole.parent
    is_read = isinstance(up, AccessExpression) and whole.is_field("object")
    return key_of(evaluator, up) if is_read and isinstance(up, AccessExpression) else None


def _argument_values(evaluator: Evaluator, item: Node) -> tuple[Value, ...]:
    """Returns the values of the arguments if an expression is called, up to the first spread."""
    return tuple(with_span(evaluator.possible.value(each), each.span) for each in call_arguments(item))


def call_arguments(item: Node) -> Sequence[Node]:
    """Returns the arguments if an expression is called, up to the first spread."""
    whole = outermost(item)
    call = whole.parent
    is_callee = whole.is_field("function") or whole.is_field("constructor")
    if not isinstance(call, CallOrNewExpression) or not is_callee:
        return ()
    return list(takewhile(lambda each: each.type != "spread_element", call.arguments))
