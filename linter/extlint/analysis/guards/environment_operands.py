"""Determines how an operand of a condition is used, where it comes from, and what its words stand for.

Names are split into their words (`isFirefox`, `IS_FIREFOX`), and only entire words count:
`_operating_toolbar` does not name a browser.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache, partial
from itertools import pairwise

from extlint.analysis.expressions.imports import module_of
from extlint.analysis.facts.values import Literal
from extlint.analysis.guards.forms.page_address import is_own_address
from extlint.analysis.syntax.node import Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    BinaryExpression,
    CallExpression,
    MemberExpression,
    NewExpression,
    UnaryExpression,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    EQUALITY,
    call_of,
    call_with_argument,
    enclosing_function,
    innermost,
    outermost,
)
from extlint.analysis.values.api_results import CASE_METHODS
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.analysis.values.options import api_of
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy

_ENVIRONMENTS = frozenset({"process.env", "import.meta.env"})


def is_tested_directly(root: Node) -> bool:
    """Whether a root itself is tested, and not a member of it, nor passed on."""
    match outermost(root).parent:
        case None | AccessExpression() | Node(type="arguments") | BinaryExpression(operator="in"):
            return False
    return True


def is_listed_member(evaluator: Evaluator, key: Node, owner: Node) -> bool:
    """Whether an object of the API has a key that is from a list: `names.some((name) => name in browser)`.

    The texts that calls pass to a function with a name are known.
    """
    if api_of(evaluator.partial(owner)) is None:
        return False
    while isinstance(key, AccessExpression):
        if key_of(evaluator, key) is None:
            return True
        key = key.object
    binding = evaluator.names.variable(key) if key.type == "identifier" else None
    if binding is None:
        return False
    sources = [each.source for each in binding.writes]
    if all(each is not None and each.type == "for_in_statement" for each in sources):
        return True
    functions = [enclosing_function(each.item) for each in binding.writes if each.kind == "parameter"]
    return bool(functions) and all(
        each is not None and call_with_argument(outermost(each)) is not None for each in functions
    )


def is_constructor(operand: Node) -> bool:
    """Whether an operand is the constructor of a `new` expression, so that it is not the result of a test."""
    return isinstance(operand.parent, NewExpression) and operand.is_field("constructor")


def may_be_imported(evaluator: Evaluator, expression: Node) -> bool:
    """Whether the root of an expression may come from another script."""
    root = expression
    while isinstance(root, AccessExpression):
        root = root.object
    if root.type != "identifier":
        return False
    binding = evaluator.names.variable(root)
    return binding is None or any(
        each.kind == "import" or each.source is None or each.source.type == "variable_declarator"
        for each in binding.declarations
    )


@once_per_script
def is_runtime_global(evaluator: Evaluator, name: str) -> bool:
    """Whether a script tests the existence of a global with `typeof`, and uses it only as an object.

    A developer tool may add such a global to pages: `typeof __HOOK__ < "u" && __HOOK__.inject(a)`. A constant
    of a build has a value that conditions test.
    """
    uses = [outermost(each.item) for each in evaluator.names.free_uses(name)]
    return any(map(_is_typeof_operand, uses)) and all(
        _is_typeof_operand(each) or _is_used_as_object(each) for each in uses
    )


def _is_typeof_operand(use: Node) -> bool:
    return isinstance(use.parent, UnaryExpression) and use.parent.operator == "typeof"


def _is_used_as_object(use: Node) -> bool:
    if isinstance(use.parent, AccessExpression):
        return use.is_field("object")
    return isinstance(use.parent, VariableDeclarator) and use.is_field("value")


def is_build_environment(evaluator: Evaluator, item: Node) -> bool:
    """Whether an expression is the object that contains the variables of a build."""
    return item.end - item.start <= len("import.meta.env") and evaluator.tree.source(item) in _ENVIRONMENTS


def is_from_known_module(evaluator: Evaluator, name: Node) -> bool:
    """Whether the exports of the module that a name is imported from are known."""
    binding = evaluator.names.variable(name)
    clause = None if binding is None or not binding.declarations else binding.declarations[0].source
    module = None if clause is None else module_of(evaluator, clause)
    return module is not None and bool(evaluator.imported(module))


def is_compared_with_system(evaluator: Evaluator, text: Node) -> bool:
    """Whether a text is only compared with, or searched for, the names of operating systems for desktops."""
    whole = outermost(text)
    call = call_of(whole.parent) if isinstance(whole.parent, MemberExpression) else None
    while call is not None and key_of(evaluator, call.callee) in CASE_METHODS:
        whole = outermost(call)
        call = call_of(whole.parent) if isinstance(whole.parent, MemberExpression) else None
    others = []
    if call is not None and whole.is_field("object"):
        others = call.arguments[:1]
    elif isinstance(whole.parent, BinaryExpression):
        others = [each for each in whole.parent.named() if not each.same(whole)]
    elif (tester := call_with_argument(whole)) is not None and isinstance(tester.callee, AccessExpression):
        others = [tester.callee.object]
    return bool(others) and all(names_system(evaluator.tree.source(each)) for each in others)


def is_compared_with_literal(evaluator: Evaluator, text: Node) -> bool:
    """Whether a text is compared with a known literal, or searched for another text."""
    whole = outermost(text)
    match whole.parent:
        case BinaryExpression() as comparison:
            other = comparison.right if whole.is_field("left") else comparison.left
            return comparison.operator in EQUALITY and isinstance(evaluator.value(other), Literal)
        case MemberExpression() as member:
            return whole.is_field("object") and call_of(member) is not None
    return False


_TEXTS = frozenset({"parenthesized_expression", "regex", "string", "template_string"})


def is_compared_with_own_address(evaluator: Evaluator, text: Node) -> bool:
    """Whether a text is compared with, or searched for in, an address of the extension itself."""
    return any(is_own_address(evaluator, each) for each in _compared_expressions(text))


def is_compared_with_other_address(evaluator: Evaluator, text: Node) -> bool:
    """Whether a text is compared with, or searched for in, something else's address, judging by its name."""
    expressions = [each for each in _compared_expressions(text) if not each.contains(text)]
    return any(map(partial(_is_named_address, evaluator), expressions)) and not any(
        is_own_address(evaluator, each) for each in expressions
    )


def _is_named_address(evaluator: Evaluator, expression: Node) -> bool:
    """Whether an expression is an address by its name, or the result of a method of one."""
    expression = innermost(expression)
    while isinstance(expression, CallExpression):
        callee = expression.callee
        expression = innermost(callee.object if isinstance(callee, AccessExpression) else callee)
    if isinstance(expression, AccessExpression):
        return names_address(key_of(evaluator, expression) or "")
    return expression.type == "identifier" and names_address(evaluator.tree.source(expression))


def _compared_expressions(text: Node) -> list[Node]:
    """Returns the expressions that a text, or a pattern, is compared with or searched for in."""
    whole = text.parent
    while whole is not None and whole.type in _TEXTS:
        whole = whole.parent
    if whole is None:
        return []
    if isinstance(whole, BinaryExpression):
        return whole.named()
    if isinstance(whole, MemberExpression):
        call = call_of(whole)
        return [] if call is None else call.arguments
    call_around = whole.parent if whole.type == "arguments" else None
    callee = call_around.callee if isinstance(call_around, CallExpression) else None
    return [callee.object] if isinstance(callee, AccessExpression) else []


BROWSERS = frozenset(
    """
    brave chrome chromium firefox gecko iceweasel librewolf moz mozilla opera opr palemoon safari
    seamonkey thunderbird vivaldi waterfox webkit
    """.split()
)
"""Words for a browser, or an engine, in any name."""

_EDGE = frozenset({"edg", "edge"})
_SHORT_NAMES = _EDGE | {"ff", "fx", "kiwi", "tb", "zen"}
"""Words that name a browser only if nothing else is named."""

_PLATFORMS = frozenset({"android", "fenix", "ios", "ipad", "iphone", "mobile"})
_FILLERS = frozenset(
    """
    a app at browser build chromium current currently desktop device env for fork get has in inside is
    legacy like microsoft mode ms on only or os platform run running runs target the this under using we
    """.split()
)
"""Words that may occur next to a short name: `is_ff_mobile`."""

_BROWSER_PROPERTIES = frozenset(
    """
    agent brand engine env environment family flavor flavour id info is kind label name names platform
    specific target type variant vendor version
    """.split()
)
"""Words after `browser`: `browserName`."""

_BROWSER_SOURCES = frozenset({"platform", "useragent", "useragentdata"})
"""Properties of `navigator` that identify the browser."""

_WHOLE_NAMES = frozenset({"browser", "browsers", "vendor"})
"""Words that test for the browser if they are the entire name."""

_SINGLE_BROWSER_GLOBALS = frozenset(
    {"cloneInto", "exportFunction", "InstallTrigger", "StyleMedia", "XPCNativeWrapper"}
)
"""Globals that only one browser has."""

_WORD = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PREFIX = lazy(r"(?:is|on|in|isin|ison|running|runningin)(?=..)")
_SCHEMES = lazy(r"\([^()]*\)\??:")
"""Matches several schemes in a pattern: `(?:about|chrome):`."""

_WORD_IN_PATTERN = lazy(r"(?<![a-z])[a-z]+(?![a-z:]|\\?\.(?:com|google|org)\b)")
"""Matches a word that is neither a scheme (`chrome:`) nor part of the name of a host (`mozilla.org`)."""

_SYSTEM = (
    r"(?:\\b|\()*(?:\?:)?(?:CrOS|Linux|Mac(?:intosh|Intel|PPC|68K|OS)?|Win(?:dows|32|64|CE)?|WOW64|X11)"
    r"[ _]?(?:NT|OS|OS X|x86_64)?(?:\\b|\))*"
)
_SYSTEMS = lazy(rf"(?i)[\"'`/]\^?{_SYSTEM}(?:\|{_SYSTEM})*[\"'`/]i?")
"""Matches a string or pattern of operating systems. Systems for phones are excluded, because
browsers for these have fewer members.
"""

_MAX_LENGTH = 80
_TOOL_CONSTANTS = frozenset({"BASE_URL", "DEV", "NODE_ENV", "PROD", "SSR", "__DEV__", "__PROD__", "__TEST__"})
_WEB_GLOBALS = frozenset({"CSS", "JSON", "URL", "GPU", "NDEFReader", "XRSystem"})
_CONSTANT = lazy(r"[A-Z][A-Z0-9_$]+|_{1,3}[A-Z][A-Z0-9_$]*|__\w+__|\$[A-Z_]{2,}\$?")
_PLACEHOLDER = lazy(r"__(?!MSG_)\w+__|%[\w.]+%|\{\{.*\}\}|<%.*%>|@@\w+|\$\{?[A-Z_]{2,}\}?")
_TEXT_FILLERS = frozenset(
    """
    android android based browser desktop enterprise extension for google inc ios like microsoft mobile ms
    mv mv2 mv3 nightly os quantum v v2 v3 web
    """.split()
)
"""Words that may occur next to the name of a browser in a text."""

_OF_GECKO = lazy(r"[Mm]oz[A-Z]\w*")
"""A property that only Gecko has: `"MozAppearance" in document.body.style`."""

_SCHEME = lazy(r"(?:moz|chrome|safari-web|safari|ms-browser|edge)-extension")
_ADDRESS_WORDS = frozenset("address host hostname href origin protocol scheme uri url".split())
_OWN_ADDRESS_WORDS = frozenset({"addon", "base", "ext", "extension", "own", "root", "runtime", "self"})


class NameMeaning(Enum):
    """The subject of a condition, according to the words of its name."""

    BROWSER = "the browser"
    VERSION = "the manifest version"


@lru_cache(maxsize=4096)
def meaning_of_name(name: str) -> NameMeaning | None:
    """Returns the subject of a condition, or of an operand of one, by the words of its name.

    Returns None if they name none.
    """
    if len(name) > _MAX_LENGTH:
        return None
    if name in _SINGLE_BROWSER_GLOBALS:
        return NameMeaning.BROWSER
    words = [each.lower() for each in _WORD.findall(name)]
    bare = [_PREFIX.sub("", each) if each not in _FILLERS else each for each in words]
    if not words:
        return None
    if BROWSERS.intersection(words + bare) or _BROWSER_SOURCES.intersection(words):
        return NameMeaning.BROWSER
    if words in ([each] for each in _WHOLE_NAMES) or (words[-1] == "browser" and words[0] != "open"):
        return NameMeaning.BROWSER
    short = _SHORT_NAMES | _PLATFORMS
    is_condition = len(words) > 1 or words != bare or words == ["mobile"] or name.isupper()
    if short.intersection(words + bare) and is_condition and all(each in short | _FILLERS for each in bare):
        return NameMeaning.BROWSER
    pairs = list(pairwise(words))
    if (
        any(one == "browser" and two in _BROWSER_PROPERTIES for one, two in pairs)
        or ("user", "agent") in pairs
    ):
        return NameMeaning.BROWSER
    if any(each in {"browsername", "browsertype", "browserinfo", "browserid"} for each in words):
        return NameMeaning.BROWSER
    return NameMeaning.VERSION if _means_version(words, bare, pairs) else None


def _means_version(words: list[str], bare: list[str], pairs: list[tuple[str, str]]) -> bool:
    return any(
        one in {"mv", "manifest", "manifestv", "ismv"} and two in {"2", "3", "v", "version"}
        for one, two in pairs
    ) or any(each in {"manifestversion", "mv"} for each in (*words, *bare))


def names_system(source: str) -> bool:
    """Whether a string or regular expression, as written, only names operating systems for desktops."""
    return len(source) <= _MAX_LENGTH and _SYSTEMS.fullmatch(source) is not None


@lru_cache(maxsize=4096)
def names_browser(text: str) -> bool:
    """Whether a string is a browser's name, as in comparisons and searches, or a placeholder of a build."""
    if len(text) > _MAX_LENGTH or ":" in text.removesuffix(":none"):
        return False
    if text.startswith(("-moz-", "-webkit-")) or _OF_GECKO.fullmatch(text) or _PLACEHOLDER.fullmatch(text):
        return True
    words = [each for each in re.split(r"[^a-z0-9]+|(?<=[a-z])(?=\d)", text.lower()) if each]
    known = BROWSERS | _EDGE
    named = any(each in known for each in words) or words == ["google", "inc"]
    return named and all(each in known or each in _TEXT_FILLERS or each.isdigit() for each in words)


def names_browser_in_pattern(pattern: str) -> bool:
    """Whether a regular expression searches for the name of a browser, and not for an address."""
    if len(pattern) > 5 * _MAX_LENGTH or "://" in pattern or r":\/\/" in pattern or "-extension" in pattern:
        return False
    words: list[str] = _WORD_IN_PATTERN.findall(_SCHEMES.sub(":", pattern.lower()))
    return any(each in BROWSERS or each == "edg" for each in words)


def names_scheme(text: str) -> bool:
    """Whether a string contains the scheme of one browser's extensions."""
    return _SCHEME.search(text) is not None


@lru_cache(maxsize=4096)
def names_address(name: str) -> bool:
    """Whether a name's last word is that of an address (`pendingUrl`), other than the extension's own."""
    words = [each.lower() for each in _WORD.findall(name[-_MAX_LENGTH:])]
    return words[-1:] != [] and words[-1] in _ADDRESS_WORDS and _OWN_ADDRESS_WORDS.isdisjoint(words)


def is_build_constant(name: str) -> bool:
    """Whether a global of this name is likely a constant that a build replaces with a value."""
    return name not in _TOOL_CONSTANTS | _WEB_GLOBALS and _CONSTANT.fullmatch(name) is not None


def is_tool_constant(name: str) -> bool:
    """Whether a build constant is unrelated to browsers, such as `NODE_ENV`."""
    return name in _TOOL_CONSTANTS
