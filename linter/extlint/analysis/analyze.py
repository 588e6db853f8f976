"""Computes the facts of a script from its text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from extlint.analysis.bundles.chunks import may_export, required_modules
from extlint.analysis.facts.other_scripts import (
    NOTHING_SHARED,
    Demand,
    ImportResolver,
    OwnExports,
    RealmGlobals,
    no_modules,
)
from extlint.analysis.facts.script_facts import NO_FACTS, ScriptFacts, SyntaxProblem, Verdict
from extlint.analysis.facts.values import UNKNOWN, Value
from extlint.analysis.syntax.prefilter import (
    candidates,
    global_mentions,
    may_evaluate,
    may_insert_script,
    may_load,
    may_write_code,
    names_polyfill,
)
from extlint.analysis.syntax.source import is_text, parsable
from extlint.analysis.syntax.tree_cache import Parse, parse_uncached
from extlint.package.suffixes import suffix_of

if TYPE_CHECKING:
    from extlint.analysis.cache.records import AnswerT, Records


def analyze(
    text: bytes,
    path: str,
    imported: ImportResolver = no_modules,
    shared: RealmGlobals = NOTHING_SHARED,
    demand: Demand = Demand.ALL,
    records: Records | None = None,
    parsing: Parse = parse_uncached,
) -> ScriptFacts:
    """Returns the facts about a script's use of the extension APIs.

    `text` is UTF-8 (see `extlint.text.positions.decode`); the suffix of `path` determines the language.
    `imported` returns the exports of other modules, by the name in an import; `shared` has the values that
    other scripts of the same realm assign to globals; `demand` specifies the requested exports. A script that
    can neither name the API nor load another script is not parsed, and neither is one whose facts are in
    `records`; others are parsed by `parsing`.
    """
    if not is_text(text):
        return ScriptFacts(
            problem=SyntaxProblem(
                "this is not text, so no browser runs it", (0, min(len(text), 1)), is_binary=True
            ),
            known_exports=Demand.ALL,
        )
    known_globals = [name for name, value in shared.values.items() if value != UNKNOWN]
    places = [*candidates(text), *global_mentions(text, known_globals), *_required(text, imported)]
    is_followed = bool(
        may_write_code(text)
        or may_insert_script(text)
        or shared.wanted
        or shared.parameters
        or names_polyfill(text)
        or _evaluates_api(text)
    )
    if not (places or is_followed or may_load(text)):
        return NO_FACTS

    def found(imported: ImportResolver) -> ScriptFacts:
        if not (is_followed or (demand is Demand.ALL and may_export(text))):
            from extlint.analysis.modules.unparsed import facts_without_parsing

            known = facts_without_parsing(parsable(text), path, sorted(places), imported)
            if known is not None:
                return known
        from extlint.analysis.follow import follow

        return follow(parsable(text), path, places, imported, shared, demand, parsing)

    return _with_records(records, _key_of_facts(path, places, shared, demand), text, imported, found)


def _evaluates_api(text: bytes) -> bool:
    """Whether a script may use the API in a string that it runs as code."""
    if not may_evaluate(text):
        return False
    from extlint.analysis.syntax.eval_code import eval_calls_using_api

    return bool(eval_calls_using_api(text))


def has_facts(records: Records, text: bytes, path: str, demand: Demand) -> bool:
    """Whether the records have facts of a script that shares no globals, whatever its imports."""
    return records.has(_key_of_facts(path, candidates(text), NOTHING_SHARED, demand), text)


def _key_of_facts(path: str, places: Sequence[int], shared: RealmGlobals, demand: Demand) -> Sequence[object]:
    return "facts", suffix_of(path), tuple(places), shared, demand


def _required(text: bytes, imported: ImportResolver) -> Iterator[int]:
    """Yields the positions where a chunk requires a module of another chunk that exports the API."""
    known: dict[str, bool] = {}
    for at, name in required_modules(text):
        if name not in known:
            known[name] = bool(imported(name, of_api=True))
        if known[name]:
            yield at


def exports_of_script(
    text: bytes,
    path: str,
    imported: ImportResolver = no_modules,
    shared: RealmGlobals = NOTHING_SHARED,
    records: Records | None = None,
    parsing: Parse = parse_uncached,
) -> OwnExports:
    """Returns the exports of a script, whether or not it names the API."""
    if not may_export(text) or not is_text(text):
        return OwnExports({})

    def found(imported: ImportResolver) -> OwnExports:
        from extlint.analysis.follow import own_exports

        return own_exports(text, path, imported, shared, parsing)

    return _with_records(records, ("exports", suffix_of(path), shared), text, imported, found)


def syntax_verdict(
    text: bytes,
    path: str,
    facts: ScriptFacts,
    records: Records | None = None,
    parsing: Parse = parse_uncached,
    *,
    is_module: bool,
) -> SyntaxProblem | Verdict:
    """Returns what the exact parser finds in a script, if its facts or signs in its text make it doubtful."""

    def found(_: ImportResolver) -> SyntaxProblem | Verdict:
        from extlint.analysis.follow import is_doubtful
        from extlint.analysis.syntax.exact_parser import exact_problem

        if facts.is_doubtful is None and facts.problem is None and not is_doubtful(text, path, parsing):
            return Verdict.VALID
        return exact_problem(parsable(text), is_module=is_module)

    key = ("syntax", suffix_of(path), is_module, facts.is_doubtful, facts.problem is None)
    return _with_records(records, key, text, no_modules, found)


def conditions_of_script(
    text: bytes,
    path: str,
    names: Collection[str],
    imported: ImportResolver = no_modules,
    shared: RealmGlobals = NOTHING_SHARED,
    records: Records | None = None,
    parsing: Parse = parse_uncached,
) -> Mapping[str, Value]:
    """Returns what tests imply of the globals that a script assigns, by name."""

    def found(imported: ImportResolver) -> Mapping[str, Value]:
        from extlint.analysis.follow import evaluator_of
        from extlint.analysis.modules.shared_conditions import conditions_in

        evaluator = evaluator_of(text, path, imported, shared, parsing)
        if evaluator is None:
            return {}
        with closing(evaluator):
            return conditions_in(evaluator, names)

    return _with_records(
        records, ("conditions", suffix_of(path), tuple(sorted(names)), shared), text, imported, found
    )


def _with_records(
    records: Records | None,
    key: Sequence[object],
    text: bytes,
    imported: ImportResolver,
    find: Callable[[ImportResolver], AnswerT],
) -> AnswerT:
    return find(imported) if records is None else records.get_or_compute(key, text, imported, find)
