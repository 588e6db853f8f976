"""Parses a script exactly as ECMAScript specifies, to confirm that engines reject it.

`esprima` is exact, early errors included, but slow, so it is imported only for doubtful scripts. It agrees
with V8 on 5,352 of the 5,361 files of test262's parser tests; `_differs` has what it rejects and V8 accepts.
"""

from __future__ import annotations

import re
import sys

from extlint.script.facts.script_facts import SyntaxProblem, Verdict
from extlint.script.syntax.syntax_messages import problem_of
from extlint.text.patterns import lazy

MAX_EXACT_BYTES = 400_000
"""The largest script in bytes that is parsed exactly, which takes a second and a half per megabyte."""

MAX_CALLS = 6_000
"""The most nested calls of the exact parser; a bracket takes about twenty of them."""

MAX_NEAR = 60
"""The most characters between an error and the syntax that explains it."""

_NEWER_SYNTAX = lazy(r"using(?<![\w$.]using)\s+[\w$]|import(?:\s+|\s*\.\s*)(?:defer|source)\b")
"""Syntax that some browsers have and ECMAScript 2026 does not."""

_TEMPLATE = lazy(
    r"=\s*/\*[^*]*\*/\s*[;,)]|\{\{[^{}\n]*\}\}|<%|%>|\{%|@@\w"
    r"|^[ \t]*#[ \t]*(?:ifn?(?:def)?|include|define)\b",
    re.MULTILINE,
)
"""Placeholders and directives that a build replaces."""

_TEMPLATE_LITERAL = lazy(r"\s*`")


def exact_problem(text: bytes, *, is_module: bool) -> SyntaxProblem | Verdict:
    """Returns the first error for which every engine rejects a script of this kind, or the verdict.

    The result is unknown if the exact parser is not installed or gives up, for text that is not UTF-8, and at
    text that may be replaced before browsers see it.
    """
    if len(text) > MAX_EXACT_BYTES:
        return Verdict.UNKNOWN
    try:
        source = text.decode("utf-8", "surrogatepass")
        import esprima.validation as _exact  # noqa: F401 - other distributions lack it, and are not exact
        from esprima import Error, parse
    except (ImportError, UnicodeDecodeError):
        return Verdict.UNKNOWN
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(_depth() + MAX_CALLS)
    try:
        parse(source, sourceType="module" if is_module else "script", positionEncoding="scalar")
    except Error as error:
        _, _, reason = str(error).partition(": ")
        at = min(error.index or 0, len(source))
        return Verdict.UNKNOWN if _differs(source, at, reason) else problem_of(source, at, reason)
    except Exception:  # a defect of the parser proves nothing
        return Verdict.UNKNOWN
    finally:
        sys.setrecursionlimit(limit)
    return Verdict.VALID


def _differs(source: str, at: int, reason: str) -> bool:
    """Whether engines may accept what the exact parser rejects.

    Newer syntax and placeholders are close to the first place that cannot be parsed. Chromium 156 and
    Firefox 153 accept an assignment to a call (`f() = 1`) until it runs. The exact parser gives up on deep
    nesting, and takes a template that spans lines for one that begins on the next line.
    """
    near = source[max(0, at - MAX_NEAR) : at + MAX_NEAR]
    if "resource limit" in reason or _NEWER_SYNTAX.search(near) or _TEMPLATE.search(near):
        return True
    if reason.startswith("Invalid left-hand side"):
        return ")" in source[max(0, at - 2) : at + 2]
    return _TEMPLATE_LITERAL.match(source, at) is not None


def _depth() -> int:
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    return depth
