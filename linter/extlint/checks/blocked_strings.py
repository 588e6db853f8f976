"""Determines the contexts in which the content security policy of an extension blocks strings as code.

Verified in Firefox 153 and Chromium 156 (`extlint_judge string-code`): in Manifest V3, pages, workers and
content scripts all block `eval` and `Function`. In Manifest V2, pages and workers do so unless the policy of
the manifest has `'unsafe-eval'`, and content scripts do not. The main world of web pages has their policy.
"""

from __future__ import annotations

from extlint.analysis.facts.context import EXTENSION_PAGES, ContextKind
from extlint.checks.blocked_code import policy_of_pages
from extlint.extension import Extension
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.schema.targets.request import engine_of
from extlint.text.formats.csp_sources import allows_eval
from extlint.text.patterns import lazy

_OWN_CONTEXTS = EXTENSION_PAGES | {ContextKind.SERVICE_WORKER, ContextKind.WORKER}
_GLOBAL = rb"(?:(?<![\w$.])|(?<=window\.)|(?<=self\.)|(?<=globalThis\.))"
_GLOBAL_AT = lazy(_GLOBAL)
_MAY_RUN = {
    word: lazy(word + rb"\s*\((?!\s*[\"']return this[\"'])", needs=(word,)) for word in (b"eval", b"Function")
} | {word: lazy(word + rb"\s*\(\s*[\"'`]", needs=(word,)) for word in (b"setTimeout", b"setInterval")}


@query(is_kept=True, is_of_package=True)
def may_run_strings(extension: Extension, path: str, base: int) -> bool:
    """Whether a script may run a string as code, according to its text only."""
    script = extension.source_at(path, base)
    places = extension.script_searches.spans_of(script, _MAY_RUN)
    return any(_GLOBAL_AT.match(script.index.text, start) for start, _ in places)


def blocks_strings(extension: Extension, kind: ContextKind) -> bool:
    """Whether strings cannot run as code in a kind of context; false if this is unknown."""
    engine = engine_of(extension.target.name)
    if engine not in (Engine.GECKO, Engine.CHROMIUM) or extension.manifest.get("app") is not None:
        return False
    if kind is ContextKind.CONTENT_SCRIPT:
        return extension.manifest_version == 3
    return kind in _OWN_CONTEXTS and not allows_eval(policy_of_pages(extension.manifest, engine))
