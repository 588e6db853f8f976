"""Prefetches results of later queries about a large script while its tree exists; reparsing is expensive."""

from __future__ import annotations

from contextlib import closing

from msgspec.structs import replace

from extlint.analysis.facts.imports import no_modules
from extlint.analysis.facts.platform_globals import ALWAYS_WATCHED
from extlint.analysis.facts.script_facts import PrefetchedResults
from extlint.analysis.module_syntax import may_have_module_syntax, module_syntax_of
from extlint.analysis.possible_uses import possible_uses
from extlint.analysis.syntax.generated import seems_generated
from extlint.analysis.values.evaluator import Evaluator
from extlint_schemas import words_of_absent_globals


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
