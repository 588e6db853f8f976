"""Finds scripts with syntax errors.

## What it does

Reports a script that no browser can run: one with a bracket that is never closed, `const` without a value,
`await` in a function that is not `async`, a name that is declared twice, `break` outside of a loop,
TypeScript in a `.js` file, and others. A second parser, which is exact, confirms each error. A script that
is not text is reported, too, and so is `await` at the top of a service worker of Chrome, even in a module.
A script is also reported if an earlier one in the same page declares the same name, and one of them with
`let`, `const` or `class`.

Scripts that the package loads are checked unless they are minified, a library or larger than 256 KB. A build
may compile other dialects. So in projects with a build, and in scripts that nothing loads, only errors in
every dialect are reported, and only if the script may use an extension API. A script that nothing is known to
load must name it. Nothing is reported if certainly nothing loads the script: no browser would show it.

## Why is this bad

A browser does not run any part of a script that it cannot parse.

## Example

```js background.js
function start() {
  browser.management.getSelf();
```

## Use instead

```js background.js
function start() {
  browser.management.getSelf();
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import SyntaxProblem, Verdict
from extlint.extension import Extension, Script
from extlint.finding import Finding, Related
from extlint.package.suffixes import JAVASCRIPT, has_suffix
from extlint.project.builds import is_build_source
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.text.patterns import lazy
from extlint.text.placeholders import is_named_template
from extlint.text.wording import quoted

RULE = RULES["invalid-syntax"]

_DIRECTIVE = lazy(rb"(?m)^[ \t]*#(?:if|ifdef|ifndef|include)[ \t]+[^\n=;]+$", needs=(b"#i",))
"""A line for the preprocessor of C, which some builds use."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each script that is certainly broken."""
    for script in extension.scripts:
        problem = None if script.is_for_other_targets else certain_problem(extension, script)
        if problem is not None:
            yield RULE.at(*script.place(problem.span), problem.message)
            continue
        from extlint.checks.redeclared_names import redeclaration_of

        found = redeclaration_of(extension, script)
        if found is not None and certain_problem(extension, found.earlier_script) is None:
            name, earlier = quoted(found.declaration.name), found.earlier_script
            yield RULE.at(
                *script.place(found.declaration.span),
                f"{name} is already declared in {quoted(earlier.path)}, which runs before in the same page",
                related=(Related(*earlier.place(found.earlier.span), "it is declared here"),),
                help="put the code of one script into a block or a function, or use another name",
            )


def certain_problem(extension: Extension, script: Script) -> SyntaxProblem | None:
    """Returns the reason why no browser parses a script, or None if none is certain.

    In a script that is not run as it is, only errors in every dialect are certain: a build may accept others.
    One that nothing loads must name the API, or else it may belong to something other than the extension. A
    build may also preprocess a script, such as `start.tmpl.js`.
    """
    known = script.facts.problem
    is_input = is_named_template(basename(script.path)) or _DIRECTIVE.search(script.index.text) is not None
    if is_input and is_build_source(extension):
        return None
    if known is not None and known.is_binary:
        return known
    if not _is_run_as_it_is(script):
        from extlint.analysis.syntax.prefilter import may_name_api

        is_checked = bool(script.contexts) or may_name_api(script.index.text)
        return known if is_checked else None
    verdict = _verdict(extension, script)
    if verdict is Verdict.VALID:
        return _await_in_worker(extension, script)
    if script.facts.returns_outside is not None and not _is_classic(script):
        return known
    if is_build_source(extension) or isinstance(verdict, Verdict):
        return known
    return known or verdict


def _await_in_worker(extension: Extension, script: Script) -> SyntaxProblem | None:
    """Returns the first `await` at the top of a module that runs only in a service worker, or None.

    Chromium 156: "Top-level await is disallowed in service workers." The worker is not registered.
    """
    at = script.facts.awaits_outside
    is_chromium = extension.target.engine is Engine.CHROMIUM and not extension.schemas.is_narrowed
    in_worker = all(each.kind is ContextKind.SERVICE_WORKER and each.certain for each in script.contexts)
    if at is None or not in_worker or not is_chromium or is_build_source(extension):
        return None
    return SyntaxProblem("`await` at the top of a module is not allowed in a service worker", at)


def _is_run_as_it_is(script: Script) -> bool:
    """Whether the package loads a script that is JavaScript: a file, or an inline script that may run."""
    if script.base:
        return bool(script.contexts) and all(each.kind is ContextKind.SANDBOX for each in script.contexts)
    return bool(script.contexts) and has_suffix(script.path, JAVASCRIPT)


def _is_classic(script: Script) -> bool:
    return all(each.is_module is False for each in script.contexts)


def _verdict(extension: Extension, script: Script) -> SyntaxProblem | Verdict:
    """Returns the verdict of the exact parser: if a script runs in two ways, on the way that succeeds.

    `import` and `export` in a classic script are another mistake.
    """
    searches = extension.script_searches
    if all(each.is_module for each in script.contexts):
        return searches.syntax_verdict(script, is_module=True)
    found = searches.syntax_verdict(script, is_module=False)
    if isinstance(found, Verdict) or (_is_classic(script) and searches.module_syntax(script) is None):
        return found
    as_module = searches.syntax_verdict(script, is_module=True)
    return as_module if isinstance(as_module, Verdict) or _is_classic(script) else found
