"""The extension as other browsers see it, and code in the texts of scripts that is meant for one of them.

This applies only to the targets of browsers: the specification is one API, not a choice among several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import Guards
from extlint.checks.other_manifests import may_have_in_other_manifest
from extlint.extension import Extension, Script
from extlint.project.build_tools import is_generated
from extlint.project.builds import may_be_completed
from extlint.project.contexts.words import words_of
from extlint.project.target_detection.markers import has_background_of_firefox
from extlint.queries.query import query
from extlint.schema.targets import BROWSERS, NARROWED, engine_of, schema_set
from extlint.text.patterns import isolated_word_offsets, lazy
from extlint.text.positions import encode_name
from extlint_schemas import schema_files

_ASSIGNED = lazy(rb"\s*=(?!=)")
_CHANGED = lazy(rb"\s*(?:[-+*/%&|^?<>]{0,3}=(?![=>])|\+\+|--)")
_COLON = lazy(rb"\s*:")
_OBJECT_MEMBER = lazy(rb"\s*(?::|\([^()]*\)\s*\{)")
_QUOTES = (b'"', b"'", b"`")
_DECLARING = lazy(rb"(?<![\w$])(?:var|let|const|function|class)\Z")
_DEFINITIONS = lazy(
    rb"(?<=\.)[\w$]++(?=\s*=(?!=))"
    rb"|(?<![\w$.])[\w$]++(?=\s*(?::|\([^()]*\)\s*\{))"
    rb"|(?<=[\"'`])[\w$]++(?=[\"'`](?!\s+in\b))"
)
_TESTED = lazy(rb"\s+in\b")
_NAME = lazy(rb"[\w$]++")

MAX_SEARCHES = 150
"""The number of names searched for in the texts; above it, listing all defined names costs less."""

_MAX_KEYWORD_BYTES = len(b".function")


@query(is_of_package=True)
def assigns_global(extension: Extension) -> Callable[[str], bool]:
    """Returns a predicate of the names of globals: whether some script declares or assigns the global."""
    return _search_for_names(_script_texts(extension), _assigns)


def _assigns(text: bytes, name: bytes) -> bool:
    return any(
        _ASSIGNED.match(text, at + len(name)) is not None or _is_declared(text, at)
        for at in isolated_word_offsets(name, text)
    )


def _is_declared(text: bytes, at: int) -> bool:
    """Whether a position follows the keyword of a declaration and a space."""
    end = at
    while end and text[end - 1 : end].isspace():
        end -= 1
    return end < at and _DECLARING.search(text, max(0, end - _MAX_KEYWORD_BYTES), end) is not None


@query(is_of_package=True)
def defines_property(extension: Extension) -> Callable[[str], bool]:
    """Returns a predicate of names: whether some script assigns, defines or lists a property of that name."""
    return _search_for_names(_texts_without_keys(extension), _defines, _all_defined_names)


def _defines(text: bytes, name: bytes) -> bool:
    for at in isolated_word_offsets(name, text):
        before, end = text[max(0, at - 1) : at], at + len(name)
        how = _ASSIGNED if before == b"." else _OBJECT_MEMBER
        if how.match(text, end):
            return True
        is_string = before in _QUOTES and text[end : end + 1] in _QUOTES
        if is_string and _TESTED.match(text, end + 1) is None:
            return True
    return False


def _all_defined_names(texts: Sequence[bytes]) -> frozenset[bytes]:
    """Returns all names for which `_defines` is true in some text."""
    return frozenset().union(*map(_DEFINITIONS.findall, texts))


@query(is_of_package=True)
def _script_texts(extension: Extension) -> tuple[bytes, ...]:
    """Returns the text of each file with scripts, once: a page may have many."""
    return tuple({script.path: script.index.text for script in extension.scripts}.values())


def _texts_without_keys(extension: Extension) -> tuple[bytes, ...]:
    """Returns the texts, blank where a key only names a member of the API.

    Examples: `tabs["get"]`, `{ get: g } = tabs`, `"get" in tabs`.
    """
    texts: dict[str, bytes | bytearray] = {}
    for script in extension.scripts:
        text = texts.setdefault(script.path, script.index.text)
        for reference in script.facts.references:
            start, end = (each + script.base for each in reference.span)
            at = text.rfind(encode_name(reference.path[-1]), start, end)
            if at >= 0 and _is_key(script.index.text, end):
                if isinstance(text, bytes):
                    texts[script.path] = text = bytearray(text)
                text[at:end] = b" " * (end - at)
    return tuple(map(bytes, texts.values()))


def _is_key(text: bytes, end: int) -> bool:
    """Whether a reference that ends there is a tested string, unassigned brackets, or a key in a pattern."""
    if text[end - 1 : end] in _QUOTES:
        return True
    if text[end - 1 : end] == b"]":
        return _CHANGED.match(text, end) is None
    return _COLON.match(text, end) is not None


def _search_for_names(
    texts: Sequence[bytes],
    is_in: Callable[[bytes, bytes], bool],
    list_all: Callable[[Sequence[bytes]], frozenset[bytes]] | None = None,
) -> Callable[[str], bool]:
    """Returns a predicate of names: whether a test of a text and a name holds for some text. Memoized.

    `list_all` returns all names for which it holds, which costs less for very many queries.
    """
    known: dict[str, bool] = {}
    listed: list[frozenset[bytes]] = []

    def is_found(name: str) -> bool:
        if name not in known:
            word = encode_name(name)
            if list_all is not None and len(known) >= MAX_SEARCHES and _NAME.fullmatch(word):
                listed[:] = listed or [list_all(texts)]
                known[name] = word in listed[0]
            else:
                known[name] = any(word in text and is_in(text, word) for text in texts)
        return known[name]

    return is_found


_BACKGROUND = "background"
_FIREFOX = lazy(rb"(?i)firefox|gecko|\bmoz")


@query
def in_other_browsers(extension: Extension) -> tuple[Extension, ...]:
    """Returns the extension as each other browser sees it, or an empty tuple for the specification."""
    if extension.schemas.is_specification:
        return ()
    return tuple(
        extension.with_schemas(schema_set(name, extension.schemas.user_schemas))
        for name in BROWSERS
        if extension.schemas.is_narrowed or engine_of(name) is not extension.schemas.engine
    )


def is_only_in_chromium(extension: Extension, script: Script) -> bool:
    """Whether a script is a service worker, which Firefox does not run, and nothing else may run it there.

    Another manifest or a build may give it the script, and code that mentions Firefox may be shared.
    """
    if {each.kind for each in script.contexts} != {ContextKind.SERVICE_WORKER} or is_generated(script):
        return False
    from extlint.project.rewritten_keys import may_rewrite

    return not (
        extension.package.made
        or has_background_of_firefox(extension.manifest)
        or may_have_in_other_manifest(extension, _BACKGROUND)
        or may_be_completed(extension, _BACKGROUND)
        or may_rewrite(extension, _BACKGROUND)
        or any(_FIREFOX.search(text) for text, _ in words_of(extension).texts.values())
        or any(extension.searches.siblings(extension, script))
    )


@query
def in_other_targets(extension: Extension) -> tuple[Extension, ...]:
    """Returns the extension as each other target sees it, even those that only narrow another's schemas."""
    if extension.schemas.is_specification:
        return ()
    own = (name for name in NARROWED if schema_files(name) and name != extension.schemas.target)
    return (
        *in_other_browsers(extension),
        *(extension.with_schemas(schema_set(name, extension.schemas.user_schemas)) for name in own),
    )


@query
def in_other_manifest_version(extension: Extension) -> tuple[Extension, ...]:
    """Returns the extension in the other manifest version, as each browser sees it.

    The tuple is empty for the specification.
    """
    if extension.schemas.is_specification:
        return ()
    manifest = extension.manifest.as_version(2 if extension.manifest_version == 3 else 3)
    return tuple(each.with_manifest(manifest) for each in (extension, *in_other_browsers(extension)))


def is_right_in_another_browser(extension: Extension, is_right: Callable[[Extension], bool]) -> bool:
    """Whether a predicate holds for the extension as some other browser sees it."""
    return any(is_right(other) for other in in_other_browsers(extension))


def is_browser_specific(extension: Extension, guards: Guards) -> bool:
    """Whether a condition around the code tests for a browser, so that the code may be for another one.

    A constant that the package never assigns gets its value when a build generates a browser's version. A
    test of the user agent is decided by the target, unless the target is a browser with an unknown one.
    """
    if extension.schemas.is_specification:
        return False
    if guards.user_agent and extension.schemas.is_narrowed:
        return True
    return guards.browser_tested or not all(map(assigns_global(extension), guards.constants))


def is_for_another_build(extension: Extension, guards: Guards, is_right: Callable[[Extension], bool]) -> bool:
    """Whether a condition tests for a browser or a build, and a predicate holds for one of these.

    These are the other browsers, and all browsers with the other manifest version.
    """
    return is_browser_specific(extension, guards) and any(
        is_right(other) for other in (*in_other_browsers(extension), *in_other_manifest_version(extension))
    )
