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

from extlint.extension import Extension
from extlint.finding import Finding, Related
from extlint.registry import RULES
from extlint.text.wording import quoted

RULE = RULES["invalid-syntax"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each script that is certainly broken."""
    for script in extension.scripts:
        from extlint.checks.syntax_errors import certain_problem

        problem = None if script.is_for_other_targets else certain_problem(extension, script)
        if problem is not None:
            yield RULE.at(script.path, script.span(problem.span), problem.message)
            continue
        from extlint.checks.redeclared_names import redeclaration_of

        found = redeclaration_of(extension, script)
        if found is not None and certain_problem(extension, found.earlier_script) is None:
            name, earlier = quoted(found.declaration.name), found.earlier_script
            yield RULE.at(
                script.path,
                script.span(found.declaration.span),
                f"{name} is already declared in {quoted(earlier.path)}, which runs before in the same page",
                related=(Related(earlier.path, earlier.span(found.earlier.span), "it is declared here"),),
                help="put the code of one script into a block or a function, or use another name",
            )
