"""Finds signs of syntax errors that the grammars accept. A sign proves nothing: the exact parser decides.

Each costs a search for a rare word, or a look at a few nodes. One valid script in a hundred has a sign.
"""

from __future__ import annotations

import re
from itertools import islice

from extlint.analysis.syntax.build_signs import seems_generated
from extlint.analysis.syntax.early_errors import (
    CHECKS,
    MAX_PLACES,
    REGEX_NODES,
    declaring_block,
    has_early_error,
    is_code,
    return_outside_function,
)
from extlint.analysis.syntax.nodes import Function
from extlint.analysis.syntax.tree import SyntaxTree
from extlint.text.patterns import lazy

MAX_CHECKED_BYTES = 256 * 1024
"""The largest script in bytes that is searched for signs of syntax errors; bundles are larger."""

_FLAGS = frozenset("dgimsuvy")

_RESERVED = (
    rb"(?:enum|eval|arguments|await|implements|interface|let|package|private|protected|public|static|yield)\b"
)
_SIGNS = (
    lazy(rb"const(?<![\w$.]const)\s+[\w$]++\s*+(?:[;,}]|(?<=\n)(?![=\s/]))", needs=(b"const",)),
    lazy(rb"(?:const|let|var)\s*[\[{][^=;(){}\[\]]*+[\]}]\s*;", needs=(b"]", b"}")),
    lazy(rb"throw(?<![\w$.]throw)[ \t]*+(?://[^\n]*+)?\r?\n", needs=(b"throw",)),
    lazy(rb"0(?<![\w$.]0)\d++n"),
    lazy(rb"_(?<=\d_)(?:_|(?![\w$]))"),
    lazy(
        rb"\?\.[\w$]++(?:\??\.[\w$]++|\[[^\[\]\n]*+\]){0,30}+\s*+"
        rb"(?:=(?![=>])|(?:[-+*/%&|^]|\*\*|&&|\|\||\?\?|<<|>>>?)=(?!=)|\+\+|--)",
        needs=(b"?.",),
    ),
    lazy(rb"\)\s*+(?:[-+*/%]?=(?![=>])|\+\+|--)(?!\s*[\w$(])|\)\s*=(?![=>])"),
    lazy(rb"(?:const|let|var|function|class)\s++" + _RESERVED),
    lazy(rb",\s*+,"),
    lazy(rb"^[ \t]*+@[\w$]", re.MULTILINE, needs=(b"@",)),
    lazy(rb"\xe2\x80[\x8b\x98\x99\x9c\x9d]", needs=(b"\xe2\x80",)),
    lazy(rb"\(\s*+,"),
    lazy(rb"&&\s*+[\w$.]++\s*+=(?![=>])", needs=(b"&&",)),
    lazy(rb"\|\|\s*+[\w$.]++\s*+=(?![=>])", needs=(b"||",)),
    lazy(rb"with(?<![\w$.]with)\s*\([^)\n]{0,200}\)\s*\{", needs=(b"with",)),
    lazy(rb"0(?<![\w$.#-]0)\d++(?![\w.:/-])"),
    lazy(rb"delete(?<![\w$.]delete)\s++[\w$]++\s*+[;\n)]", needs=(b"delete",)),
    lazy(rb"arguments\s*+(?:=(?!=)|\+\+|--)", needs=(b"arguments",)),
    lazy(rb"eval\s*+(?:=(?!=)|\+\+|--)", needs=(b"eval",)),
    lazy(rb"else\s++(?:let|const|class)\b", needs=(b"else",)),
    lazy(rb"(?:if|while|for)\s*\([^()\n]*+\)[ \t]*+(?:let|const|class)\s"),
    lazy(rb"set\s++[\w$]++\s*\((?:\s*\)|[^(),]*,)[^(){}]*\{?", needs=(b"set",)),
    lazy(rb"get\s++[\w$]++\s*\(\s*[\w$][^()]*\)\s*\{", needs=(b"get",)),
    lazy(rb"\.\.\.[\w$]++\s*+,[^()\[\]{}]{0,300}+\)\s*(?:=>|\{)", needs=(b"...",)),
    lazy(rb"\?\?(?!=)[^,;\n(){}\[\]|&]{0,200}+(?:\|\||&&)", needs=(b"??",)),
    lazy(rb"(?:\|\||&&)[^,;\n(){}\[\]?|&]{0,200}+\?\?(?!=)", needs=(b"??",)),
    lazy(rb"[-!~]\s*+[\w$.]++[ \t]*+\*\*(?!=)", needs=(b"**",)),
    lazy(rb"\.\.\.[\w$]++\s*+,[^()\[\]{}]{0,300}+[\]}]\s*=(?!=)", needs=(b"...",)),
    lazy(rb"for(?<![\w$.]for)\s+await\b", needs=(b"await",)),
    lazy(rb"default\s*:[^{}]{0,2000}default\s*:", needs=(b"default",)),
    lazy(rb"class(?:(?<=[\n;}]class)|(?<=\Aclass))\s*\{", needs=(b"class",)),
    lazy(rb"(?:\+\+|--)(?<=\d..)(?<![\w$.]\d..)(?![\w$(])"),
    lazy(rb"await(?<![\w$.]await)\s*+[;,)\]}]", needs=(b"await",)),
    lazy(rb"await\s*+\([^;()]*\sin\s", needs=(b"await",)),
    lazy(rb"new(?<![\w$.]new)\s+[\w$.]++\?\.", needs=(b"?.",)),
)
"""Text that is an error, or may be one in strict code, if it is code."""

_PARAMETERS = lazy(rb"\(([^()]*+)\)\s*+(?:\{|=>)")
_WORDS = lazy(rb"[\w$]+")
_PATTERN = lazy(rb"(const|let|var)\s*[\[{]([^=;(){}\[\]]++)[\]}]\s*=")
_IMPORTED = lazy(
    rb"import(?<![\w$.]import)\s*((?:[\w$]+|\*\s*as\s+[\w$]+|[\w$]+\s*,)?\s*(?:\{[^{}]*\})?)\s*from",
    needs=(b"import",),
)
_EXPORTED = lazy(rb"export\s*\{([^{}]*)\}(?!\s*from)", needs=(b"export",))
_FIRST_NAME = lazy(rb"\s*(?:\.\.\.)?([\w$]+)")
_LAST_NAME = lazy(rb"([\w$]+)\s*\Z")
_LEXICAL = lazy(rb"(?:class|const|let)\s+([\w$]+)")
_TAG = lazy(rb"<(?<=[=(?:&|,>{\s]<)[A-Za-z>]")
_CONSTRUCTOR = lazy(rb"(?<![\w$.])constructor\([^()]*+\)\s*\{")
_REGEX = lazy(
    rb"[=(,:!&|?{};\n][ \t]*/((?![*/])(?:[^/\\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*+\])++)/([a-z]*)"
)


def may_have_signs(text: bytes) -> bool:
    """Whether a script is searched for signs of a syntax error: it is not generated, and not too large."""
    return len(text) <= MAX_CHECKED_BYTES and not seems_generated(text)


def has_signs(tree: SyntaxTree) -> bool:
    """Whether a script has signs of a syntax error. Raises BudgetExceeded."""
    return any(check(tree) for check in _CHECKS)


def _has_sign(tree: SyntaxTree) -> bool:
    return any(
        is_code(tree, found.start())
        for sign in _SIGNS
        for found in islice(sign.finditer(tree.text), MAX_PLACES)
    )


def _has_markup(tree: SyntaxTree) -> bool:
    """Whether the script has markup (JSX), which only compilers accept."""
    for found in islice(_TAG.finditer(tree.text), MAX_PLACES):
        leaf = tree.root.node.descendant_for_byte_range(found.start(), found.start() + 1)
        if leaf is not None and leaf.parent is not None and leaf.parent.type.startswith("jsx_"):
            return True
    return False


def _has_other_early_error(tree: SyntaxTree) -> bool:
    return has_early_error(tree) or return_outside_function(tree) is not None


def _has_repeated_name(tree: SyntaxTree) -> bool:
    """Whether a list of parameters or a pattern has a name twice, or a block declares one twice."""
    text = tree.text
    lists = list(_PARAMETERS.finditer(text))
    for found in lists:
        names = _names(found[1], _FIRST_NAME) if b"," in found[1] else []
        if len(set(names)) < len(names) and is_code(tree, found.start()):
            return True
    parameters = set(_WORDS.findall(b" ".join(found[1] for found in lists)))
    declared = _declared_in_patterns(text)
    seen = set[tuple[int, bytes]]()
    for at, keyword, name, is_lexical in declared:
        tree.spend(4)
        is_import = tree.text.startswith(b"import", keyword)
        block = tree.root.node.id if is_import else declaring_block(tree.root.node, keyword, at)
        if block is None or not is_lexical:
            continue
        if (block, name) in seen:
            return True
        seen.add((block, name))
    others = {name for _, _, name, _ in declared}
    for found in _LEXICAL.finditer(text):
        name = found[1]
        if name in others or name in parameters:
            tree.spend(4)
            block = declaring_block(tree.root.node, found.start(), found.end())
            if block is None:
                continue
            if (block, name) in seen or (name in parameters and _is_parameter(tree, found.start(), name)):
                return True
    return False


def _declared_in_patterns(text: bytes) -> list[tuple[int, int, bytes, bool]]:
    """Returns the names in patterns and imports, each after the byte offsets of its end and its keyword.

    It is followed by whether the keyword is not `var`.
    """
    found = [
        (each.end(2), each.start(), name, each[1] != b"var")
        for each in _PATTERN.finditer(text)
        for name in _names(each[2], _LAST_NAME)
    ]
    for each in _IMPORTED.finditer(text):
        keyword = text.index(b"import", each.start())
        listed = each[1].replace(b"{", b",").replace(b"}", b"")
        found += [(each.end(1), keyword, name, True) for name in _names(listed, _LAST_NAME)]
    return found


def _is_parameter(tree: SyntaxTree, at: int, name: bytes) -> bool:
    """Whether a name that is declared at the top of a function is also one of its parameters."""
    declaration = tree.leaf_at(at).parent
    body = None if declaration is None else declaration.parent
    function = None if body is None else body.parent
    is_entered = isinstance(function, Function) or (function is not None and function.type == "catch_clause")
    if not is_entered or function is None or body is None or body.type != "statement_block":
        return False
    field = function.node.child_by_field_name
    listed = field("parameters") or field("parameter")
    return listed is not None and name in _names((listed.text or b"").strip(b"()"), _FIRST_NAME)


def _names(listed: bytes, pattern: re.Pattern[bytes]) -> list[bytes]:
    find = pattern.match if pattern is _FIRST_NAME else pattern.search
    found = map(find, listed.split(b","))
    return [each[1] for each in found if each is not None]


def _has_wrong_export(tree: SyntaxTree) -> bool:
    """Whether an exported name occurs nowhere else, or there are two default exports."""
    text = tree.text
    if text.count(b"export default ") > 1:
        return True
    names = (name for found in _EXPORTED.finditer(text) for name in _names(found[1], _FIRST_NAME))
    return any(
        len(tree.places.spans_of({name: lazy(re.escape(name) + rb"\b")})) < 2
        for name in islice(names, MAX_PLACES)
    )


def _has_wrong_class(tree: SyntaxTree) -> bool:
    text = tree.text
    if (b"super(" in text and b"extends" not in text) or (b"super." in text and b"class" not in text):
        return True
    classes = text.count(b"class")
    return text.count(b"constructor(") > classes and len(_CONSTRUCTOR.findall(text)) > classes


def _has_wrong_regex(tree: SyntaxTree) -> bool:
    """Whether a regular expression is not valid."""
    for found in _REGEX.finditer(tree.text):
        flags = found[2].decode()
        from extlint.text.javascript_regex import syntax_error

        is_odd = len(set(flags)) < len(flags) or not _FLAGS.issuperset(flags)
        if (is_odd or syntax_error(found[1].decode("utf-8", "replace")) is not None) and _is_regex(
            tree, found.start(1)
        ):
            return True
    return False


def _is_regex(tree: SyntaxTree, at: int) -> bool:
    found = tree.root.node.descendant_for_byte_range(at, at + 1)
    return found is not None and found.type in REGEX_NODES


_CHECKS = (
    _has_sign,
    _has_markup,
    _has_other_early_error,
    _has_repeated_name,
    _has_wrong_export,
    _has_wrong_class,
    _has_wrong_regex,
    *CHECKS,
)
