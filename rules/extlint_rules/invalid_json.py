r"""Finds JSON files that browsers cannot read: the manifest, and other files of the package.

## What it does

Reads these files as browsers do, and reports the first mistake in each:

* `manifest.json` and each `_locales/*/messages.json`: JSON that may begin with a byte order mark and may
  contain `//` comments. Chrome also accepts `/* */` comments, and line breaks and `\x41` in strings; Firefox
  refuses a manifest with one of them. Firefox accepts UTF-16; Chrome refuses it, and half of a surrogate
  pair. Under the target of a browser, what that browser refuses is reported.
* each rule file that `declarative_net_request` names: JSON without comments
* the schema that `storage.managed_schema` names, which Chrome reads: JSON that may contain comments, and
  commas after the last item

## Why is this bad

A browser refuses to load an extension if it cannot read the manifest or a locale file. Chrome also refuses
one if it cannot read the rules or the schema; Firefox ignores all rules of the file.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0",
}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "List",
  "version": "1.0"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.extension import Extension
from extlint.finding import Finding, Fix
from extlint.project.contexts.json_files import JsonFile, JsonKind, json_files
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import browser_name
from extlint.text.json.values import JsonProblem, Leniency, LeniencyKind

RULE = RULES["invalid-json"]

_REJECTED = {
    Engine.GECKO: (LeniencyKind.BLOCK_COMMENT, LeniencyKind.LINE_END, LeniencyKind.SHORT_ESCAPE),
    Engine.CHROMIUM: (LeniencyKind.HALF_PAIR,),
}
"""The leniencies that one browser rejects and the others accept; verified in Firefox 153.7 and Chromium
156.
"""

_ADVICE = {
    LeniencyKind.BLOCK_COMMENT: "begin each line of the comment with `//`",
    LeniencyKind.LINE_END: "write `\\n`",
    LeniencyKind.SHORT_ESCAPE: "write `\\u` and four digits",
}

_LENIENT = (JsonKind.MANIFEST, JsonKind.MESSAGES)
"""The files that each browser reads with its own lenient parser."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each file that cannot be read, at the location of the mistake."""
    for file in json_files(extension):
        problem = file.problem
        if problem is not None and not (
            file.kind is JsonKind.MANIFEST and extension.manifest.is_unfilled_template
        ):
            yield RULE.at(*file.place(problem.span), problem.message, fix=_fix(file, problem))
        elif file.kind in _LENIENT:
            yield from _rejected(extension, file)


def _rejected(extension: Extension, file: JsonFile) -> Iterator[Finding]:
    """Yields a finding for a file's first leniency that the target's browser rejects and others accept."""
    engine = extension.target.engine
    name = browser_name(extension.target.name)
    if engine is Engine.CHROMIUM and file.is_utf_16:
        start = file.span((0, 0))
        yield RULE.at(file.path, start, f"the file is UTF-16, which {name} does not read; save it as UTF-8")
        return
    kinds = () if engine is None else _REJECTED.get(engine, ())
    found = min((each for each in file.leniencies if each.kind in kinds), key=_start, default=None)
    if found is not None:
        message = f"{found.kind.value}, which {name} does not accept"
        fix = _with_line_comments(file) if found.kind is LeniencyKind.BLOCK_COMMENT else None
        yield RULE.at(*file.place(found.span), message, help=_ADVICE.get(found.kind), fix=fix)


def _fix(file: JsonFile, problem: JsonProblem) -> Fix | None:
    from extlint.manifest.edits.json_fixes import fix_problem

    return fix_problem(file.path, file.index, problem)


def _with_line_comments(file: JsonFile) -> Fix | None:
    from extlint.manifest.edits.json_fixes import rewrite_block_comments

    return rewrite_block_comments(file.path, file.index)


def _start(leniency: Leniency) -> int:
    return leniency.span[0]
