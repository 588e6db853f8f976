"""Parses a script exactly as ECMAScript specifies, to determine whether it is certainly broken.

The marks of a merge conflict of Git are an error. The grammars reject some valid programs, so an error in
the tree by itself proves nothing. Brackets do: in a program of any dialect, each closes the last one that
is open. An operator without its operand also proves an error, as do the errors of `early_errors`. Markup
(JSX) is exempt, because its text may contain syntax that compilers accept and the grammars do not.

`esprima` is exact, early errors included, but slow, so it is imported only for doubtful scripts. It agrees
with V8 on 5,352 of the 5,361 files of test262's parser tests; `_differs` has what it rejects and V8 accepts.

Its errors become messages with the position of the mistake.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence

from tree_sitter import Node, Tree

from extlint.analysis.facts.script_facts import SyntaxProblem, Verdict
from extlint.analysis.syntax.lexer import code_of
from extlint.analysis.syntax.parse import Grammar, parse
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.processes.resources import stack_depth
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

_CONFLICT = lazy(rb"^<{7}(?= \S)", re.MULTILINE, needs=(b"<<<<<<< ",))


def merge_conflict(text: bytes) -> SyntaxProblem | None:
    """Returns the first line that marks a merge conflict in the code of a broken script, or None."""
    code = code_of(text) if _CONFLICT.search(text) is not None else None
    found = None if code is None else _CONFLICT.search(code)
    return None if found is None else SyntaxProblem("a merge conflict is not resolved here", found.span())


_OTHER: dict[Grammar, Grammar] = {"javascript": "typescript", "typescript": "tsx", "tsx": "typescript"}
_OPENING = {"(": ")", "[": "]", "{": "}", "${": "}"}
_CLOSING = frozenset(_OPENING.values())

_WITHOUT_OPERAND = lazy(
    rb"(?<=[\w$\s)\]}'\"`])((?:[-+*%]|\*\*|&&|\|\||\?\?)=|===?|!==?|[<>]=|=>?|&&|\|\||\?\?|\+|-)(\s*)([;,)\]}])"
)
"""An operator that requires an operand, followed by the end of a statement, an argument or a list.

TypeScript and other type dialects allow `*`, `?`, `!`, `|`, `<` and `>` before such a sign, so these are
omitted.
"""


def syntax_problem(tree: SyntaxTree, parsed: Tree, grammar: Grammar) -> SyntaxProblem | None:
    """Returns the first error that no JavaScript engine accepts, if two grammars agree that there is one.

    The tree must contain an error.
    """
    first = _unbalanced(parsed)
    found = first or _missing_operand(tree.text)
    if found is None or _has_markup(parsed):
        return None
    other = parse(tree.text, _OTHER[grammar])
    if other is None or not other.root_node.has_error:
        return None
    is_certain = first is None or _unbalanced(other) is not None
    return (merge_conflict(tree.text) or found) if is_certain else None


def _missing_operand(text: bytes) -> SyntaxProblem | None:
    """Returns the first operator with a missing right operand, in a script that no grammar accepts."""
    code = code_of(text)
    if code is None:
        return None
    for found in _WITHOUT_OPERAND.finditer(code):
        if not text[found.start(2) : found.end(2)].strip():
            operator, end = found[1].decode(), found[3].decode()
            message = f"an expression is missing between `{operator}` and `{end}`"
            return SyntaxProblem(message, (found.start(1), found.end(3)))
    return None


def _unbalanced(parsed: Tree) -> SyntaxProblem | None:
    brackets = list(_brackets(parsed))
    waiting, count = _open_after(brackets)
    if count < len(brackets):
        token, start = brackets[count]
        if not waiting or _open_after(brackets[count + 1 :], waiting) == ([], len(brackets) - count - 1):
            return SyntaxProblem(f"this `{token}` has no matching opening bracket", (start, start + 1))
    elif not waiting:
        return None
    opened, at = waiting[-1]
    return SyntaxProblem(f"`{opened}` is never closed", (at, at + len(opened)))


def _open_after(
    brackets: Sequence[tuple[str, int]], before: Sequence[tuple[str, int]] = ()
) -> tuple[list[tuple[str, int]], int]:
    """Returns the brackets that are open after others, and the number up to the first that does not match."""
    waiting = list(before)
    for count, (token, start) in enumerate(brackets):
        if token in _OPENING:
            waiting.append((token, start))
        elif waiting and _OPENING[waiting[-1][0]] == token:
            waiting.pop()
        else:
            return waiting, count
    return waiting, len(brackets)


def _has_markup(parsed: Tree) -> bool:
    return any(node.type.startswith("jsx_") for node in _nodes(parsed))


def _brackets(parsed: Tree) -> Iterator[tuple[str, int]]:
    """Yields the brackets of a program with their byte offsets, in order."""
    for node in _nodes(parsed):
        if node.child_count or node.is_named or node.is_missing:
            continue
        if node.type in _OPENING or node.type in _CLOSING:
            yield node.type, node.start_byte


def _nodes(parsed: Tree) -> Iterator[Node]:
    """Yields every node of a program, in source order."""
    cursor = parsed.walk()
    while True:
        if cursor.node is None:
            return
        yield cursor.node
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


MAX_SHOWN_TOKEN = 40

_TOKEN = lazy(r"[\w$#]+|[=!]==?|=>|&&|\|\||\?\?|\?\.|\*\*|\.\.\.|[-+*/%&|^<>]=|\S")
_BEFORE = lazy(r"(?<![\w$.])([\w$]+)\s*\Z")
_QUOTES = ("'", '"')

_MESSAGES = (
    ("Missing initializer in const", "a constant requires a value"),
    ("Missing initializer in destructuring", "a pattern requires a value to take apart"),
    ("Illegal break statement", "`break` is only allowed in loops and `switch`"),
    ("Illegal continue statement", "`continue` is only allowed in loops"),
    ("Illegal return statement", "`return` is only allowed in functions"),
    ("Missing catch or finally after try", "`try` requires `catch` or `finally`"),
    ("Illegal newline after throw", "`throw` requires a value on the same line"),
    ("Invalid left-hand side", "this cannot be assigned to"),
    ("Invalid regular expression", "this is not a valid regular expression"),
    ("Strict mode function may not have duplicate parameter", "two parameters have this name"),
    ("Duplicate binding", "two parameters have this name"),
    ("Nullish coalescing requires parentheses", "`??` requires parentheses when mixed with `||` or `&&`"),
    ("More than one default clause", "`switch` has a second `default`"),
    ("A class may only have one constructor", "the class has a second constructor"),
    ("Getter must not have any", "a getter has no parameters"),
    ("Setter must have exactly one", "a setter has exactly one parameter"),
    ("Rest parameter must be last", "nothing is allowed after a rest parameter"),
    ("Octal literals are not allowed in strict", "octal numbers are not allowed in modules and strict code"),
)
"""The message for each error of the exact parser that begins with a text."""

_KEYWORDS = {
    "Illegal break": "break",
    "Illegal continue": "continue",
    "Illegal return": "return",
    "Illegal newline after throw": "throw",
    "Missing catch": "try",
    "Nullish coalescing": "??",
}
"""The keyword or operator before the position of an error, which is the place to show."""

_TYPESCRIPT = frozenset("abstract declare interface namespace private protected readonly type".split())
"""Words before a name that only TypeScript has."""

_DECLARED = re.compile(r"Identifier '(.+)' has already been declared")
_UNDECLARED = re.compile(r"Export '(.+)' is not defined")


def problem_of(source: str, at: int, reason: str) -> SyntaxProblem:
    """Returns the problem at an index of the text, for an error in the words of the exact parser."""
    for prefix, keyword in _KEYWORDS.items():
        start = source.rfind(keyword, 0, at)
        if reason.startswith(prefix) and start >= 0:
            return _problem(source, start, start + len(keyword), _message(source, at, reason))
    before = _BEFORE.search(source, max(0, at - MAX_SHOWN_TOKEN), at)
    if reason.startswith("Unexpected") and before is not None:
        word = before[1]
        if word == "await":
            message = "`await` is only allowed in `async` functions, and at the top of modules"
            return _problem(source, before.start(), before.end(1), message)
        if word in _TYPESCRIPT and reason == "Unexpected identifier":
            message = f"{quoted(word)} is TypeScript, which browsers do not run"
            return _problem(source, before.start(), before.end(1), message)
    rest = source[at:]
    at = at + len(rest) - len(rest.lstrip()) if rest.strip() else len(source.rstrip())
    found = _TOKEN.match(source, at)
    end = at if found is None else min(found.end(), at + MAX_SHOWN_TOKEN)
    return _problem(source, at, end, _message(source, at, reason))


def _message(source: str, at: int, reason: str) -> str:
    if (declared := _DECLARED.match(reason)) is not None:
        return f"{quoted(declared[1])} is already declared here"
    if (exported := _UNDECLARED.match(reason)) is not None:
        return f"{quoted(exported[1])} is exported, and declared nowhere in the module"
    for prefix, message in _MESSAGES:
        if reason.startswith(prefix):
            return message
    if not reason.startswith("Unexpected"):
        return reason[:1].lower() + reason[1:].removesuffix(".")
    found = _TOKEN.match(source, at)
    if found is None:
        return "the script ends before this is complete"
    token = found[0][:MAX_SHOWN_TOKEN]
    if token in _QUOTES and token not in source[at + 1 :].partition("\n")[0]:
        return "this string is not closed on its line"
    return f"{quoted(token)} is not allowed here"


def _problem(source: str, start: int, end: int, message: str) -> SyntaxProblem:
    first = _bytes_of(source[:start])
    return SyntaxProblem(message, (first, first + _bytes_of(source[start:end])))


def _bytes_of(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


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
    sys.setrecursionlimit(stack_depth() + MAX_CALLS)
    try:
        parse(source, sourceType="module" if is_module else "script", positionEncoding="scalar")
    except Error as error:
        _, _, reason = str(error).partition(": ")
        at = min(error.index or 0, len(source))
        if _differs(source, at, reason):
            return Verdict.UNKNOWN
        return merge_conflict(text) or problem_of(source, at, reason)
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
