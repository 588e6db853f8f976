"""Finds what a script loads by names in its text, without parsing it.

`code` is the text without the contents of strings, comments and regular expressions; see `syntax.lexer`.
Loads that depend on more than the words around a name are not decided here: the result is then None, and
`loads` decides.

In some functions, `require` is a local variable. AMD and bundlers such as Browserify wrap each module in one:
`function (require, module, exports) { … }`.
"""

from __future__ import annotations

from extlint.analysis.facts.script_facts import Load, LoadKind
from extlint.analysis.syntax.build_signs import may_depend_on_build
from extlint.analysis.syntax.lexer import IN_STRING
from extlint.text.patterns import lazy, lazy_word, spans_of

_LOOK_BACK_BYTES = 400
_PARAMETERS = rb"[\w$,\s\x80-\xff]*+"
_BEFORE_PARAMETER = lazy(rb"(?:(?<![\w$.])(function)\b[\s*]*[\w$\x80-\xff]*\s*)?\([\w$,\s\x80-\xff]*\Z")
_AFTER_PARAMETER = lazy(_PARAMETERS + rb"\)\s*(=>\s*)?\{")
_ONLY_PARAMETER = lazy(rb"\s*=>\s*\{")
_BEFORE_NAME = lazy(rb"(?:[=(,]|(?<![\w$.])return)\s*function\b[\s*]*\Z")
_AFTER_NAME = lazy(rb"\s*\(" + _PARAMETERS + rb"\)\s*\{")
_BRACE = lazy(rb"[{}]")


def end_of_scope(code: bytes, start: int, end: int) -> int | None:
    """Returns the end of the function to which the variable named at a position belongs.

    Returns None if it is not certain.

    It is certain for a parameter and for the name of a function expression. The brackets of the code match.
    """
    before = code[max(0, start - _LOOK_BACK_BYTES) : start]
    body = _ONLY_PARAMETER.match(code, end)
    if body is None and _BEFORE_NAME.search(before) is not None:
        body = _AFTER_NAME.match(code, end)
    if body is None and (listed := _BEFORE_PARAMETER.search(before)) is not None:
        body = _AFTER_PARAMETER.match(code, end)
        if body is not None and (listed[1] is None) is (body[1] is None):
            return None
    return None if body is None else _closing_brace(code, body.end())


def _closing_brace(code: bytes, start: int) -> int:
    """Returns the end of the block whose content starts at a position."""
    depth = 1
    for brace in _BRACE.finditer(code, start):
        depth += 1 if brace[0] == b"{" else -1
        if not depth:
            return brace.end()
    return len(code)


MAX_WORDS = 2_000
"""The maximum number of words in the code of one script to read without parsing it."""

_WORDS = tuple(
    lazy_word(word, rb"\w$#\x80-\xff", rb"\w$\x80-\xff")
    for word in (
        *(b"import", b"importScripts", b"export", b"from", b"require"),
        *(b"Worker", b"SharedWorker", b"addModule", b"register"),
    )
)
_STRING = rb"\s*(\"\x01+\"|'\x01+')"
_NAME = rb"[\w$\x80-\xff]+"
_NAMES = rb"\{[\w$,\s\x80-\xff]*\}\s*"
_NAMESPACE = rb"\*\s*as\s+%b" % _NAME
_IMPORT = lazy(
    rb"import(?:\s*(?:(?:%b\s*,\s*)?(?:%b|%b\s+)|(?!(?:defer|module|source|type|typeof)\b)%b\s+)from)?%b"
    % (_NAME, _NAMES, _NAMESPACE, _NAME, _STRING)
)
_EXPORT_FROM = lazy(rb"export\s*(?:%b\s+|\*\s*|%b)from%b" % (_NAMESPACE, _NAMES, _STRING))
_LITERAL_CALL = lazy(rb"\s*\(%b\s*\)" % _STRING)
_NO_IMPORT = lazy(rb"import\s*(?:\.\s*meta\b|[:=;,)\]}])")
_CALL = lazy(rb"\s*(?:\?\.\s*)?\(")
_QUOTE = lazy(rb"\s*[\"'`]")
_SERVICE_WORKER = lazy(rb"serviceWorker\s*[!?]?\s*\.\s*\Z")
_NEW = lazy(rb"(?<![\w$.])new\s*\Z")

_PAGE_NAMES = tuple(lazy(suffix + rb"l?(?=[?#\"'`])") for suffix in (rb"\.htm", rb"\.xhtm"))
_INSIDE_STRING = lazy(rb"\x01*+")
_BRACKET = lazy(rb"[()\[\]{};]")
_LAST_WORD = lazy(rb"(?<![\w$.])[A-Za-z]+\Z")
_BEFORE_STRING = frozenset(b"case default else from import in of return typeof void yield".split())
_NO_CALLEES = frozenset(b"await case catch else for if in of return switch typeof while with".split())
_CONDITIONS = frozenset((b"if", b"while"))
_AFTER_OPERAND = lazy(rb"[\w$\x80-\xff)\]\"'`]\Z")
_MAX_PAGE_NAME_BYTES = 200
"""As in `loads`: a longer text does not name a page."""


class _UndecidedError(Exception):
    """Raised if the loads depend on more than the words around a name."""


def literal_loads(text: bytes, code: bytes, *, may_have_types: bool = False) -> tuple[Load, ...] | None:
    """Returns the loads of a script, in the order of `loads_of`, or None if they are not certain.

    A script that `may_have_types` is written in TypeScript, which erases imports of types.
    """
    try:
        return (*_loads_by_words(text, code, may_have_types), *_page_loads(text, code))
    except _UndecidedError:
        return None


def _loads_by_words(text: bytes, code: bytes, may_have_types: bool) -> list[Load]:
    loads: list[Load] = []
    required = is_other_require = False
    end = end_of_local = 0
    words = spans_of(_WORDS, code)
    if len(words) > MAX_WORDS:
        raise _UndecidedError
    for at, word_end in words:
        if at < end:
            continue
        word = code[at:word_end]
        before = max(0, at - _LOOK_BACK_BYTES)
        if _ends_with_dot(code[before:at].rstrip()):
            _check_method(word, code, before, at)
            continue
        string = None
        kind = LoadKind.IMPORT
        match word:
            case b"import":
                string = _IMPORT.match(code, at)
                if string is None:
                    kind = LoadKind.DYNAMIC_IMPORT
                    string = _LITERAL_CALL.match(code, word_end)
                    if string is not None and may_depend_on_build(code):
                        raise _UndecidedError
                if string is None and _NO_IMPORT.match(code, at) is None:
                    raise _UndecidedError
                if may_have_types and _may_import_only_types(code, at):
                    raise _UndecidedError
            case b"export":
                string = _EXPORT_FROM.match(code, at)
            case b"require":
                if at < end_of_local:
                    continue
                scope = end_of_scope(code, at, word_end)
                if scope is not None:
                    end_of_local = scope
                    continue
                kind = LoadKind.REQUIRE
                string = _LITERAL_CALL.match(code, word_end)
                required = required or string is not None
                is_other_require = is_other_require or string is None
        if string is not None:
            load = Load(_string_content(text, *string.span(1)), kind, string.span(1), kind is LoadKind.IMPORT)
            if kind is LoadKind.DYNAMIC_IMPORT and load.is_remote:
                raise _UndecidedError
            loads.append(load)
            end = string.end()
        elif _may_load(word, code, before, at, word_end):
            raise _UndecidedError
    if required and is_other_require:
        raise _UndecidedError
    return loads


def _may_import_only_types(code: bytes, at: int) -> bool:
    from extlint.analysis.modules.type_imports import may_import_only_types

    return may_import_only_types(code, at)


def _ends_with_dot(stem: bytes) -> bool:
    """Whether code ends with the dot before the name of a member, and not with those of a spread."""
    return stem.endswith(b".") and not stem.endswith(b"...")


def _check_method(word: bytes, code: bytes, before: int, at: int) -> None:
    """Raises _UndecidedError if a method of this name may load something."""
    is_loader = word == b"addModule" or (
        word == b"register" and _SERVICE_WORKER.search(code, before, at) is not None
    )
    if is_loader and _CALL.match(code, at + len(word)) is not None:
        raise _UndecidedError


def _may_load(word: bytes, code: bytes, before: int, at: int, end: int) -> bool:
    """Whether a word that is not a member may load something that was not read."""
    match word:
        case b"from":
            return _QUOTE.match(code, end) is not None
        case b"importScripts" | b"require":
            return _CALL.match(code, end) is not None
        case b"Worker" | b"SharedWorker":
            return _NEW.search(code, before, at) is not None
    return False


def _string_content(text: bytes, start: int, end: int) -> str:
    """Returns the content of a quoted string. Raises _UndecidedError if it has escapes or is not ASCII."""
    raw = text[start + 1 : end - 1]
    if b"\\" in raw or not raw.isascii():
        raise _UndecidedError
    return raw.decode()


def _page_loads(text: bytes, code: bytes) -> list[Load]:
    """Returns the pages whose names are at the beginning of strings."""
    found: list[Load] = []
    names = spans_of(_PAGE_NAMES, text)
    if len(names) > MAX_WORDS:
        raise _UndecidedError
    for at, _ in names:
        if code[at : at + 1] != IN_STRING:
            continue
        first = max(0, at - _MAX_PAGE_NAME_BYTES)
        start = first + len(code[first:at].rstrip(IN_STRING))
        quote = code[start - 1 : start]
        if start == first or quote == b"}" or b"\\" in text[start:at]:
            continue
        inside = _INSIDE_STRING.match(code, at)
        end = at if inside is None else inside.end()
        page = text[start:end].partition(b"\\")[0]
        if len(page) >= _MAX_PAGE_NAME_BYTES:
            continue
        before = code[max(0, start - 1 - _LOOK_BACK_BYTES) : start - 1].rstrip()
        if _is_first_operand(before):
            if code[end : end + 1] != quote or b"fetch" in code or b"XMLHttpRequest" in code:
                raise _UndecidedError
            found.append(Load(page.decode("utf-8", "replace"), LoadKind.PAGE, (start - 1, end + 1), False))
    return found


def _is_first_operand(before: bytes) -> bool:
    """Whether a string after this code is not added to something before it."""
    last = before[-1:]
    if last == b"+":
        if before[-2:-1] == b"+" or not _ends_operand(before[:-1].rstrip(), _BEFORE_STRING):
            raise _UndecidedError
        return False
    word = _LAST_WORD.search(before)
    if (
        (last and last in b",[{:;")
        or (word is not None and word[0] in _BEFORE_STRING)
        or before.endswith(b"=>")
        or (last == b"(" and _ends_operand(before[:-1].rstrip(), _NO_CALLEES))
        or (last == b"=" and before[-2:-1] not in (b"=", b"!"))
        or (last == b"?" and before[-2:-1] != b"?")
        or (before[-2:] in (b"==", b"&&", b"||", b"??") and not _is_in_operand(before))
    ):
        return True
    raise _UndecidedError


def _is_in_operand(before: bytes) -> bool:
    """Whether the code that follows may be inside brackets that are themselves an operand."""
    depth = 0
    for bracket in reversed([*_BRACKET.finditer(before)]):
        if bracket[0] in b")]}":
            depth += 1
        elif depth and bracket[0] != b";":
            depth -= 1
        elif not depth:
            if bracket[0] != b"(":
                return False
            outside = before[: bracket.start()].rstrip()
            word = _LAST_WORD.search(outside)
            is_condition = word is not None and word[0] in _CONDITIONS
            return not (is_condition or _ends_operand(outside, _NO_CALLEES))
    return True


def _ends_operand(before: bytes, keywords: frozenset[bytes]) -> bool:
    """Whether code ends with a name, bracket or string, and not with one of these keywords."""
    word = _LAST_WORD.search(before)
    return _AFTER_OPERAND.search(before) is not None and (word is None or word[0] not in keywords)
