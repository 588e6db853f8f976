"""Finds files that were analyzed only in part.

## What it does

Reports each script and page that extlint could not analyze to its end, each file that is too large to be
read or takes too much memory, and each file that has more of something, such as patterns, than extlint
checks. The findings in such a file are right, but others may be missing. A closing line counts these files,
and so does `summary.incomplete` in JSON, whichever rules run.

A manifest that is not JSON until a build fills it in (`"name": {{ name }}`) is not checked either.

It also reports each script that passes `eval` a string that may use the API and is not read. Only the modules
of development builds (`function (module) { eval("…") }`) are, where the content security policy allows them.

Each script has its own limits, so that a bundle makes no other script incomplete. Callers of functions are
searched for in a limited number of bundles and in limited bytes of other scripts; each script that is left
out is reported.

Rules about what no script uses, such as `unused-permission`, find nothing in an extension with such a script.

## Why is this bad

Without this note, an extension that was not looked at would seem to be without mistakes.

## Example

The parser does not get to the end of this file, whose name says that it is TypeScript with JSX:

```tsx panel.tsx
browser.management.getSelf();
<a {{b:>c:d(e f)
```

## Use instead

Check what the file was made from, or split it. A file that is not part of the extension can be left out of
its folder.

```tsx panel.tsx
browser.management.getSelf();
```
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.omissions import Reason
from extlint.extension import Extension, FileOmission
from extlint.finding import Finding, Related
from extlint.package.limits import MAX_FILE_BYTES, mebibytes
from extlint.project.contexts.collector import MAX_PAGE_BYTES
from extlint.registry import RULES
from extlint.text.positions import Position, Span

RULE = RULES["incomplete-analysis"]

MAX_PLACES = 5
"""The maximum number of locations shown for one file."""

_START = Position(1, 1)

_HELP = {
    Reason.EVAL: "build it without `eval`, in webpack with another `devtool`, or check its sources too",
    Reason.TEMPLATE: "check what the build makes",
    Reason.WORK: "if the script was built, check its sources too",
    Reason.PARSER: "if this is not a script, leave it out of the extension or change the end of its name",
    Reason.SCRIPT_SIZE: "if the script was built, check its sources too, or build it in several files",
    Reason.MEMORY: "if the file was built, check its sources too, or build it in several files",
    Reason.PAGE_SIZE: "move the scripts of the page into files of their own",
}


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each file that was analyzed only in part, at its start."""
    for path, omission in extension.searches.omissions().items():
        yield RULE.at(
            path,
            Span(_START, _START),
            _message(omission.reason),
            help=_HELP.get(omission.reason),
            related=tuple(_related_locations(path, omission)),
        )


def _message(reason: Reason) -> str:
    from extlint.analysis.syntax.source import MAX_SCRIPT_BYTES

    match reason:
        case Reason.PARSER:
            return "this script was not analyzed, because the parser did not get to its end"
        case Reason.SCRIPT_SIZE:
            return f"this script was not analyzed, because it is larger than {mebibytes(MAX_SCRIPT_BYTES)}"
        case Reason.PAGE_SIZE:
            size = mebibytes(MAX_PAGE_BYTES)
            return f"the scripts of this page were not analyzed, because it is larger than {size}"
        case Reason.FILE_SIZE:
            return f"this file was not read, because it is larger than {mebibytes(MAX_FILE_BYTES)}"
        case Reason.MEMORY:
            return "this file was not checked, because that takes too much memory"
        case Reason.TEMPLATE:
            return "this manifest was not checked, because it is not JSON until a build fills it in"
        case Reason.EVAL:
            return "this script was analyzed only in part, without the code in strings that `eval` runs"
    return "this script was analyzed only in part, because following all of its code takes too much work"


def _related_locations(path: str, omission: FileOmission) -> Iterator[Related]:
    is_eval = omission.reason is Reason.EVAL
    message = "what this runs was not analyzed" if is_eval else "what is used here was not followed"
    for place in omission.places[:MAX_PLACES]:
        yield Related(path, place, message)
