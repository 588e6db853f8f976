"""Predicts the globals that a script may use at all, and prefetches such results while its tree exists.

Rules query the uses of globals in a script (`extlint.analysis.global_uses`) once the contexts in which it
runs are known, and by then the tree of a large script may have been freed. Most of these queries find
nothing. The prediction holds for any query: a script is parsed again only for globals that it may use.

Whether a place may be known to run is predicted as far as that depends only on the syntax of its script.
"""

from __future__ import annotations

from contextlib import closing
from functools import cache, partial
from typing import ClassVar

from msgspec.structs import replace

from extlint.analysis.facts.context import WORKERS
from extlint.analysis.facts.other_scripts import no_modules
from extlint.analysis.facts.platform_globals import (
    ALWAYS_WATCHED,
    CODE_RUNNERS,
    COMPILERS,
    DOCUMENT_PARTS,
    DYNAMIC_IMPORT,
    IMPORT_SCRIPTS,
    REQUIRE,
    TIMERS,
)
from extlint.analysis.facts.script_facts import PrefetchedResults
from extlint.analysis.global_uses import (
    call_arguments,
    dynamic_import_offsets,
    import_called,
    is_dereferenced,
    name_used_at,
)
from extlint.analysis.module_syntax import may_have_module_syntax, module_syntax_of
from extlint.analysis.reachability.executed_paths import ExecutedPaths
from extlint.analysis.reachability.paths import NO_PATH, UNGUARDED, LeastSolution, Paths, union
from extlint.analysis.syntax.build_signs import seems_generated
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    CallExpression,
    CallOrNewExpression,
    Class,
    Function,
    MemberExpression,
    SubscriptExpression,
)
from extlint.analysis.syntax.shapes import call_of, call_with_argument, innermost, outermost
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.property_index import key_of
from extlint_schemas import globals_absent_outside, words_of_absent_globals

_COMMON = DOCUMENT_PARTS | {"debug", "fonts", "isProxy", "registration", "serviceWorker"}
"""Globals that no rule queries, as many variables have these names, or in few scripts."""

_ONLY_CALLED = CODE_RUNNERS | TIMERS
"""Globals for which rules query only calls with arguments."""

_LITERALS = frozenset({"number", "string"})


@cache
def predicted_globals() -> frozenset[str]:
    """Returns the globals to predict: all except those that are missing only in workers.

    They are few, and a script is quickly checked for all of them. Twenty times as many are missing in
    workers, and most bundles of an extension run in its pages.
    """
    absent = globals_absent_outside(frozenset(each.value for each in WORKERS)) - _COMMON
    return (
        frozenset(each for each in absent if not each.startswith("on"))
        | _ONLY_CALLED
        | COMPILERS
        | {IMPORT_SCRIPTS, REQUIRE, DYNAMIC_IMPORT}
    )


def possible_uses(evaluator: Evaluator) -> frozenset[str]:
    """Returns the `predicted_globals` that a script may use in code known to run unconditionally.

    It queries neither imports nor globals of other scripts, since their values do not matter here.
    """
    paths = PossiblePaths(evaluator)
    return frozenset(each for each in sorted(predicted_globals()) if _may_use(evaluator, paths, each))


def _may_use(evaluator: Evaluator, paths: PossiblePaths, name: str) -> bool:
    """Whether a script may use one global, also if it takes too much work to determine."""
    if name == DYNAMIC_IMPORT:
        places, may_be_used = dynamic_import_offsets(evaluator), _may_import_at
    else:
        places = list(evaluator.tree.places.iter_offsets(name.partition(".")[0].encode()))
        may_be_used = partial(_may_use_at, name)
    return any(
        evaluator.attempt((at, at + 1), partial(may_be_used, evaluator, paths, at)) is not False
        for at in places
    )


def _may_import_at(evaluator: Evaluator, paths: PossiblePaths, at: int) -> bool:
    call = import_called(evaluator, at)
    return call is not None and paths.may_reach(call)


def _may_use_at(name: str, evaluator: Evaluator, paths: PossiblePaths, at: int) -> bool:
    leaf = name_used_at(evaluator, paths, frozenset({name}), at)
    item = leaf if leaf is None or leaf.type == "identifier" else leaf.parent
    if item is None:
        return False
    if name in _ONLY_CALLED:
        return bool(call_arguments(item))
    _, _, member = name.partition(".")
    return not member or _may_be_member(evaluator, item, member)


def _may_be_member(evaluator: Evaluator, item: Node, member: str) -> bool:
    """Whether the member of a global that is used may have this name."""
    up = outermost(item).parent
    if not isinstance(up, AccessExpression) or not is_dereferenced(up):
        return False
    return not isinstance(up, MemberExpression) or key_of(evaluator, up) == member


def prefetch_results(evaluator: Evaluator) -> PrefetchedResults:
    """Returns a script's prefetched results, which hold for any exports of other scripts and any context.

    Call this last, as it frees the tree. Uses of globals are searched for only in generated code, as in other
    code most are possible.
    """
    tree = evaluator.tree
    watched = ALWAYS_WATCHED | {each.decode() for each in words_of_absent_globals()}
    with closing(evaluator.fork(no_modules, replace(evaluator.shared, watched=watched))) as own:
        may_have = may_have_module_syntax(tree.text, tree.places)
        return PrefetchedResults(
            possible_uses(own) if seems_generated(tree.text) else None,
            module_syntax_of(tree) if may_have else None,
        )


class PossiblePaths(ExecutedPaths):
    """Finds a path wherever `ExecutedPaths` may find one without any condition, whatever is known by then.

    It assumes that each value is the one that matters, that another script runs everything that it can name,
    and that there is a path wherever finding one is too much work.
    """

    fallback_paths: ClassVar[Paths] = UNGUARDED

    def __init__(self, evaluator: Evaluator) -> None:
        solution = LeastSolution(NO_PATH, UNGUARDED, union)
        super().__init__(
            evaluator, lambda _name, _member: UNGUARDED, solution, None, unconditional=True, has_guards=False
        )

    def may_reach(self, item: Node) -> bool:
        """Whether there may be a path to an expression."""
        return bool(self.to(item))

    def _where_used(self, item: Node) -> Paths:
        call = None if call_of(item) is not None else call_with_argument(outermost(item))
        return UNGUARDED if call is not None and self._is_computed(call.callee) else super()._where_used(item)

    def _runs_argument(self, call: CallOrNewExpression, argument: Node) -> bool:
        is_event = isinstance(call, CallExpression) and self._may_be_api(call.callee)
        return is_event or super()._runs_argument(call, argument)

    def _paths_of_argument(self, call: CallOrNewExpression, argument: Node) -> Paths:
        callee = innermost(call.callee)
        is_decided = isinstance(callee, Function) or not self._is_cheap_to_evaluate(callee)
        if not is_decided and not isinstance(self._declared_value(callee), Class | Function):
            return UNGUARDED
        return super()._paths_of_argument(call, argument)

    def _paths_of_module(self, function: Node) -> Paths:
        return UNGUARDED if self.bundle.module_of(function) is not None else NO_PATH

    def _paths_of_member(self, function: Node, member: Node) -> Paths:
        name = member.field("name") or member.field("key")
        if (
            name is not None
            and name.type == "computed_property_name"
            and not self._is_literal_key(name.first())
        ):
            return UNGUARDED
        return super()._paths_of_member(function, member)

    def _certainly_is(self, callee: Node, function: Node) -> bool:  # noqa: ARG002
        return True

    def _is_member_of(self, use: AccessExpression, owner: Node) -> bool:  # noqa: ARG002
        return self._is_cheap_to_evaluate(innermost(use.object))

    def _is_computed(self, callee: Node) -> bool:
        """Whether the name of a method depends on values."""
        return isinstance(callee, SubscriptExpression) and not self._is_literal_key(callee.index)

    def _is_literal_key(self, key: Node | None) -> bool:
        """Whether an expression in brackets is a literal, or a member of `Symbol`, which is not a name."""
        if isinstance(key, MemberExpression):
            return self._evaluator.tree.source(key.object) == "Symbol"
        return key is not None and key.type in _LITERALS
