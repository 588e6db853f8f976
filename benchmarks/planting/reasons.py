"""Explains why a mistake was not found, from the code between the API and the call."""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random

from planting.mistakes import PLANTERS, Kind, Mistake, Planters
from planting.sites import Site
from planting.trial import Trial

from extlint.analysis.scope.bindings import NameResolver
from extlint.analysis.scope.model import Identifier
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.prefilter import POLYFILLS
from extlint.analysis.syntax.tree import SyntaxTree

DYNAMIC = "the root is dynamic"
_INNER = frozenset({"as_expression", "await_expression", "non_null_expression", "parenthesized_expression"})


def reason(trial: Trial, mistake: Mistake, planters: Planters = PLANTERS) -> str:
    """Returns a short reason why extlint did not find a mistake, the same for misses by the same
    mechanism.
    """
    if not _root_is_followed(trial, mistake.site, planters):
        return f"the root is not followed: {root_of(mistake.site)}"
    if mistake.kind is Kind.FIELD:
        return "the result is not followed"
    if mistake.kind is Kind.CONTEXT and not mistake.site.script.contexts:
        return "nothing is known to load the file"
    return "the root is followed, and something excuses the use"


def _root_is_followed(trial: Trial, site: Site, planters: Planters) -> bool:
    """Whether a wrong argument, which nothing excuses, is found at the site."""
    return any(trial.finds(probe) for probe in planters[Kind.TYPE](site, Random(0)))


def root_of(site: Site) -> str:
    """Returns a description of the root of a call, from its syntax."""
    return _describe(site, _names(site.tree), site.root, 0)


@lru_cache(maxsize=1)
def _names(tree: SyntaxTree) -> NameResolver:
    return NameResolver(tree)


def _describe(site: Site, names: NameResolver, item: Node, depth: int) -> str:
    while item.type in _INNER and (inner := item.first()) is not None:
        item = inner
    last = item.named()[-1:] if item.type == "sequence_expression" else []
    for each in last:
        item = each
    match item.type:
        case "identifier":
            return _variable(site, names, item, depth)
        case "this":
            return "a property of `this`"
        case "subscript_expression":
            index = item.field("index")
            if index is not None and index.type not in {"string", "number"}:
                return f"{DYNAMIC}: a computed member"
        case "member_expression" if (target := item.field("object")) is not None:
            of = _describe(site, names, target, depth)
            return of if of.endswith("`") or "property" in of else f"a property of {of}"
        case "call_expression" if (function := item.field("function")) is not None:
            if function.type == "identifier" and len(site.tree.source(function)) < 3:
                return "what a bundler's module gives"
            return "what a call gives"
    return f"a {item.type.replace('_', ' ')}"


def _variable(site: Site, names: NameResolver, item: Node, depth: int) -> str:
    name = site.tree.source(item)
    binding = names.variable(item)
    if binding is None:
        return "a global root" if name in {"browser", "chrome"} else "a global of another script"
    declared = binding.declarations[0] if binding.declarations else None
    if declared is None or declared.source is None:
        return "a variable"
    if declared.kind == "import":
        return _imported(site, declared)
    if declared.kind == "parameter":
        return "a parameter"
    value = declared.source.field("value")
    if value is None or depth > 5:
        return "a variable that is set elsewhere"
    text = site.tree.source(value)
    if re.match(r"(?:\w+\(\d+\)|\w+\(['\"][^'\"]*['\"]\)|\w+\.n\(|__webpack_require__)", text):
        return "what `require` or a bundler's module gives"
    return _describe(site, names, value, depth + 1)


def _imported(site: Site, declared: Identifier) -> str:
    source = declared.source
    for up in () if source is None else (source, *source.ancestors()):
        named = up.field("source")
        if named is not None:
            name = site.tree.source(named).strip("'\"`")
            if name.encode() in POLYFILLS:
                return "an import of a polyfill"
            return "a relative import" if name.startswith((".", "/")) else "an import by a name"
    return "an import"
