"""What rules ask a large script later, answered while its tree is there, which is much work to make again."""

from __future__ import annotations

from contextlib import closing

from msgspec.structs import replace

from extlint.script.facts.imports import no_modules
from extlint.script.facts.platform_globals import ALWAYS_WATCHED
from extlint.script.facts.script_facts import AnswersAhead
from extlint.script.module_syntax import may_have_module_syntax, module_syntax_of
from extlint.script.possible_uses import possible_uses
from extlint.script.syntax.generated import seems_generated
from extlint.script.values.evaluator import Evaluator
from extlint_schemas import words_of_lacking_globals


def answers_ahead(evaluator: Evaluator) -> AnswersAhead:
    """The answers about a script, which hold whatever others export, and wherever it runs.

    They are the last that is asked of it: its tree is freed. Uses of globals are looked for in generated code
    alone, for in other code most are possible.
    """
    tree = evaluator.tree
    watched = ALWAYS_WATCHED | {each.decode() for each in words_of_lacking_globals()}
    with closing(evaluator.beside(no_modules, replace(evaluator.shared, watched=watched))) as own:
        may_have = may_have_module_syntax(tree.text, tree.places)
        return AnswersAhead(
            possible_uses(own) if seems_generated(tree.text) else None,
            module_syntax_of(tree) if may_have else None,
        )
