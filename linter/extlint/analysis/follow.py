"""Parses a script and follows the API through it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing

from msgspec.structs import replace

from extlint.analysis.bundles.chunks import may_export, required_modules
from extlint.analysis.expressions.table import RULES
from extlint.analysis.facts.omissions import Omission, Reason
from extlint.analysis.facts.other_scripts import (
    NO_EXPORTS,
    NOTHING_SHARED,
    Demand,
    Exports,
    ImportResolver,
    OwnExports,
    RealmGlobals,
    no_modules,
)
from extlint.analysis.facts.replaced_members import without_replaced
from extlint.analysis.facts.script_facts import (
    ApiPath,
    Load,
    LoadedAddress,
    ScriptFacts,
    SyntaxProblem,
    UnawaitedPromise,
    WrittenMarkup,
)
from extlint.analysis.modules.globals import globals_of
from extlint.analysis.modules.loads import loads_of
from extlint.analysis.modules.passed_arguments import receive_arguments
from extlint.analysis.scope.bindings import NameResolver
from extlint.analysis.scope.model import ApiPlaces
from extlint.analysis.syntax.doubts import MAX_CHECKED_BYTES, has_signs, may_have_signs
from extlint.analysis.syntax.early_errors import (
    await_outside_function,
    early_error,
    return_outside_function,
)
from extlint.analysis.syntax.parse import grammar_of, is_too_long
from extlint.analysis.syntax.prefilter import candidates, may_evaluate, may_write_code, polyfill_places
from extlint.analysis.syntax.source import parsable
from extlint.analysis.syntax.tree import BudgetExceeded, SyntaxTree
from extlint.analysis.syntax.tree_cache import MIN_KEPT_BYTES, Parse, parse_uncached
from extlint.analysis.trace.discover import Discovery
from extlint.analysis.trace.passed_values import members_of_assigned_roots
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.recorded import dependencies
from extlint.package.suffixes import is_component
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

_IMPORT_NAME = lazy(rb"\bimport\s+([\w$]+)|\bas\s+([\w$]+)")


def follow(
    text: bytes,
    path: str,
    places: list[int],
    imported: ImportResolver,
    shared: RealmGlobals,
    demand: Demand,
    parsing: Parse = parse_uncached,
) -> ScriptFacts:
    """Returns the facts of a script that may name the API at these byte offsets, import it, or share it.

    They include the requested exports, and perhaps more.
    """
    grammar = grammar_of(path)
    found = parsing(text, grammar)
    if found is None:
        reason = Reason.SCRIPT_SIZE if is_too_long(text) else Reason.PARSER
        return ScriptFacts(known_exports=Demand.ALL, omission=Omission(reason))
    tree = SyntaxTree(text, found.tree, found.places)
    tree.has_markup = is_component(path)
    evaluator = _evaluator(tree, imported, shared)
    with closing(evaluator):
        facts = replace(_facts_of(evaluator, places, demand), omission=_omission(evaluator))
        has_error = found.tree.root_node.has_error
        facts = replace(facts, is_doubtful=grammar == "javascript" and _is_doubtful(tree, has_error))
        if has_error:
            from extlint.analysis.syntax.exact_parser import syntax_problem

            return replace(facts, problem=syntax_problem(tree, found.tree, grammar))
        problem = None if tree.has_markup else _early_error(evaluator)
        omission = evaluator.omission or facts.omission
        facts = replace(
            facts,
            problem=problem,
            returns_outside=return_outside_function(tree),
            awaits_outside=await_outside_function(tree),
            omission=omission,
        )
        if len(text) < MIN_KEPT_BYTES or tree.has_markup or found.is_pinned:
            return facts
        from extlint.analysis.possible_uses import prefetch_results

        return replace(facts, ahead=prefetch_results(evaluator))


def is_doubtful(text: bytes, path: str, parsing: Parse = parse_uncached) -> bool:
    """Whether a script has signs of a syntax error. One that is generated, or too large, is not parsed."""
    if not may_have_signs(text):
        return False
    text = parsable(text)
    found = parsing(text, grammar_of(path))
    return found is not None and (
        found.tree.root_node.has_error or _has_signs(SyntaxTree(text, found.tree, found.places))
    )


def _is_doubtful(tree: SyntaxTree, has_error: bool) -> bool:
    if has_error:
        return len(tree.text) <= MAX_CHECKED_BYTES
    return may_have_signs(tree.text) and _has_signs(tree)


def _has_signs(tree: SyntaxTree) -> bool:
    try:
        return has_signs(tree)
    except BudgetExceeded:
        return False


def _evaluator(tree: SyntaxTree, imported: ImportResolver, shared: RealmGlobals) -> Evaluator:
    names = NameResolver(tree)
    return Evaluator(tree, names, RULES, imported, shared)


def _omission(evaluator: Evaluator) -> Omission | None:
    """Returns the parts that analysis gave up, or else `eval` calls whose code may name the API, or None."""
    tree = evaluator.tree
    if evaluator.omission is None and may_evaluate(tree.text):
        from extlint.analysis.syntax.eval_code import eval_calls_using_api

        try:
            found = eval_calls_using_api(tree.text)
            calls = [name for name in found if tree.leaf_at(name[0]).span == name]
        except BudgetExceeded:
            evaluator.give_up()
        else:
            return Omission(Reason.EVAL, tuple(calls)) if calls else None
    return evaluator.omission


def _early_error(evaluator: Evaluator) -> SyntaxProblem | None:
    """Returns an error that browsers report in a script whose tree has no errors, or None.

    It also returns None to avoid too much work.
    """
    try:
        return early_error(evaluator.tree)
    except BudgetExceeded:
        evaluator.give_up()
        return None


def _facts_of(evaluator: Evaluator, places: list[int], demand: Demand) -> ScriptFacts:
    """Returns the facts about a script's use of the extension APIs; see `follow`."""
    tree, imported, shared = evaluator.tree, evaluator.imported, evaluator.shared
    text = tree.text
    discovery = Discovery(evaluator)
    loads: list[Load] = []
    known = Demand.ALL if not may_export(text) else Demand.NONE
    assigned_globals: Exports = NO_EXPORTS
    assigned_roots: frozenset[ApiPath] = frozenset()
    exports: Exports = NO_EXPORTS
    addresses: tuple[LoadedAddress, ...] = ()
    markup: tuple[WrittenMarkup, ...] = ()
    unawaited: tuple[UnawaitedPromise, ...] = ()
    try:
        loads.extend(loads_of(tree, evaluator))
        imports = [load.span[0] + 1 for load in loads if imported(load.name, of_api=True)]
        receive_arguments(evaluator)
        discovery.follow_received_arguments()
        foreign = {*polyfill_places(text), *imports}
        discovery.run(sorted(foreign.union(places)))
        if not (foreign or discovery.visited or shared.parameters or any(required_modules(text))):
            known = max(known, Demand.OF_API)
        if may_write_code(text):
            from extlint.analysis.trace.documents import written_markup

            markup = written_markup(evaluator)
        if b"getURL" in text:
            from extlint.analysis.trace.loaded_addresses import loaded_addresses

            addresses = loaded_addresses(evaluator, discovery.records.calls)
        unawaited = discovery.records.unawaited() if discovery.visited else ()
        assigned_roots = frozenset(members_of_assigned_roots(evaluator, discovery.records.used_members))
        assigned_globals = globals_of(
            evaluator, discovery.globals, discovery.member_writes, discovery.api_places
        )
        if demand > known:
            from extlint.analysis.modules.exports import exports_of

            exports = exports_of(evaluator, discovery.api_places)
    except BudgetExceeded:
        evaluator.give_up()
    if demand > known:
        known = Demand.ALL
    if evaluator.has_hit_depth_limit:
        evaluator.give_up()
    records = discovery.records
    facts = ScriptFacts(
        references=records.references,
        calls=records.calls,
        dynamic_accesses=records.dynamic_accesses,
        exposed=frozenset(records.exposed_objects),
        held=frozenset(records.held_objects),
        added=frozenset(records.added_members),
        replaced=frozenset(records.replaced_for_others),
        created=frozenset(records.created_objects),
        assigned_roots=assigned_roots,
        escaped_results=frozenset(records.escaped_results),
        manifest_keys=frozenset(records.manifest_keys),
        hidden_reads=frozenset(records.hidden_reads),
        loads=tuple(loads),
        loaded_addresses=addresses,
        written_markup=markup,
        exports=exports,
        known_exports=known,
        globals=assigned_globals,
        shared_variables=frozenset(dependencies(evaluator).shared_variables),
        tested_globals=frozenset(dependencies(evaluator).tested_globals),
        field_reads=records.field_reads,
        result_calls=records.result_calls,
        comparisons=records.comparisons,
        chained=records.promise_method_reads,
        unawaited=unawaited,
        ambiguous_references=records.ambiguous_references,
        passed_arguments=tuple(records.passed_arguments),
    )
    if not records.replaced:
        return facts
    return without_replaced(facts, frozenset(records.replaced))


def evaluator_of(
    text: bytes,
    path: str,
    imported: ImportResolver = no_modules,
    shared: RealmGlobals = NOTHING_SHARED,
    parsing: Parse = parse_uncached,
) -> Evaluator | None:
    """Returns the evaluator of a script that is analyzed by itself, or None if it cannot be parsed."""
    text = parsable(text)
    found = parsing(text, grammar_of(path))
    if found is None:
        return None
    tree = SyntaxTree(text, found.tree, found.places)
    evaluator = _evaluator(tree, imported, shared)
    receive_arguments(evaluator)
    return evaluator


def own_exports(
    text: bytes, path: str, imported: ImportResolver, shared: RealmGlobals, parsing: Parse = parse_uncached
) -> OwnExports:
    """Returns the exports of a script, without the rest of its facts."""
    from extlint.analysis.modules.exports import exports_of

    evaluator = evaluator_of(text, path, imported, shared, parsing)
    if evaluator is None:
        return OwnExports({})
    exports: Exports = {}
    star_exports: list[str] = []
    with closing(evaluator):
        try:
            loads = loads_of(evaluator.tree, evaluator)
            names = {name for load in loads for name in imported(load.name, of_api=True)}
            places = ApiPlaces([*candidates(text), *_mentions(text, names)])
            exports = exports_of(evaluator, places, star_exports)
        except BudgetExceeded:
            evaluator.give_up()
        if evaluator.has_hit_depth_limit:
            evaluator.give_up()
        return OwnExports(exports, evaluator.omission, tuple(star_exports))


def _mentions(text: bytes, names: set[str]) -> Iterator[int]:
    """Yields the offsets where a text may use imports with these names, or with their aliases."""
    if names:
        own = {word for found in _IMPORT_NAME.findall(text) for word in found if word}
        words = sorted(own | {encode_name(name) for name in names})
        pattern = rb"(?<![\w$])(?:" + b"|".join(map(re.escape, words)) + rb")(?![\w$])"
        for found in re.finditer(pattern, text):
            yield found.start()
