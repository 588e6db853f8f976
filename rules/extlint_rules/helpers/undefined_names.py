"""The names that nothing in a package may define."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from msgspec.structs import replace

from extlint.analysis.scope.unbound_words import ScriptNames, script_names
from extlint.checks.api.absent_globals import watched_globals
from extlint.extension import Extension, Script
from extlint.package.suffixes import JAVASCRIPT, is_page
from extlint.project.build_tools import is_generated
from extlint.project.builds import is_build_source
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, encode_name
from extlint_schemas import known_globals

# A name is only considered if no script of the package defines it, and no other text has it, so that nothing
# else can be where it comes from.

_GLOBAL_OBJECT = lazy(
    rb"(?<!\$\()(?<!jQuery\()(?<!typeof )(?<![\w$.])"
    rb"(?:globalThis|global|parent|root|self|top|unsafeWindow|window)(?![\w$]|\s*+(?:\??\.\s*+[A-Za-z_$]|:))"
    rb"|(?<![\w$.])(?:this\s*+\[|with\s*+\()|(?:assign|def\w+|extend|merge|mixin|__define\w+)\(\s*+this"
    rb"|\b(?:contentWindow|defaultView|getBackgroundPage|getExtensionTabs|getViews|opener|wrappedJSObject)\b"
)
"""Code that may hold the global object, apart from the members that it names."""

_MEMBER = lazy(rb"(?<![\w$.])(?:globalThis|self|window)\s*+\.\s*+([A-Za-z_$][\w$]*+)\s*+=(?!=)")
"""A member of the global object that is assigned."""

_COMPONENT = ".vue"
_TYPED = lazy(rb"<script\b[^>]*\blang\s*=[^>]*>\s*\Z")
_END_OF_SCRIPT = b"</script"

_SERIALIZING = lazy(
    rb"createElement\(\s*+[\"'`]script\b|\binspectedWindow\.eval\b|[\"'`][;!+]*\(+[\"'`]\s*+\+|`\s*+[;!+]*\(+\$\{"
)
"""Code that may run the text of a function: `"(" + f + ")()"`."""

_WORD = lazy(rb"[A-Za-z_$][\w$]*+")

_NAMES_OF_TOOLS = frozenset(
    "ActiveXObject Buffer Components Deno GM GM_addStyle Services System __dirname __filename browser chrome"
    " __webpack_public_path__ __webpack_require__ define defineEmits defineExpose defineModel defineOptions"
    " defineProps defineSlots exports global messenger module opr process require safari unsafeWindow"
    " withDefaults".split()
)


@query(is_of_package=True)
def candidates(extension: Extension) -> Mapping[tuple[str, int], tuple[str, ...]]:
    """The names that nothing defines, by script that may use them, sorted."""
    written = _written_by_hand(extension)
    own = [each for each in extension.scripts if each.location in written]
    listed = {each.location: _names_in(extension, *each.location) for each in own}
    names = frozenset[bytes]().union(*(each.unbound for each in listed.values())) - _known_words()
    names = names.difference(*(each.top for each in listed.values()))
    if names and is_build_source(extension):
        from extlint.analysis.guards.environment_operands import is_build_constant
        from extlint_rules.helpers.known_names import build_words

        names = frozenset(
            each for each in names - build_words(extension) if not is_build_constant(each.decode())
        )
    for path in _other_texts(extension, own) if names else ():
        names -= _words_of_file(extension, path)
    for script in own if names else ():
        if script.base:
            names -= _words_around(extension, *script.location)
    if not names:
        return {}
    is_merging = any(_is_merging(extension, *each.location) for each in own)
    for script in own:
        named = names & _words_of_script(extension, *script.location)
        if named:
            names -= _defined_in(extension, script, tuple(sorted(named)), is_merging)
    found = {}
    for script in own:
        used = sorted(each.decode() for each in names & listed[script.location].unbound)
        if used:
            found[script.location] = tuple(used)
    return found


def _other_texts(extension: Extension, own: Iterable[Script]) -> list[str]:
    """Returns the files that may define a name for these scripts in a way that is not understood."""
    from extlint.project.contexts.words import words_of

    read = {each.path for each in own}
    found = [path for path in words_of(extension).texts if path not in read and not is_page(path)]
    return found + [path for path in extension.package.paths if is_page(path)]


@query(is_of_package=True)
def _written_by_hand(extension: Extension) -> frozenset[tuple[str, int]]:
    """The scripts in JavaScript that are not libraries, so that their names are worth a look."""
    return frozenset(
        each.location
        for each in extension.scripts
        if (each.path.endswith(JAVASCRIPT) and not each.base and not is_generated(each))
        or (each.path.endswith(_COMPONENT) and _TYPED.search(each.index.text, 0, each.base) is None)
    )


@query
def may_serialize(extension: Extension) -> bool:
    """Whether a script may run the text of functions elsewhere, such as in web pages."""
    return any(_SERIALIZING.search(each.index.text) is not None for each in extension.scripts)


def is_module(extension: Extension, script: Script) -> bool | None:
    """Whether a script runs as a module, or None if its syntax decides that."""
    from extlint_rules.helpers.known_names import preserves_strict_modules

    if not preserves_strict_modules(extension):
        return False
    contexts = script.all_contexts or script.contexts
    return True if contexts and all(each.is_module for each in contexts) else None


@query(is_of_package=True)
def _names_in(extension: Extension, path: str, base: int) -> ScriptNames:
    """The names that a script may use without a declaration, and those that may be global."""
    code = _code_of(extension, path, base)
    found = script_names(code, _known_words())
    top = frozenset[bytes]() if _may_be_module(code) else found.top
    return replace(found, top=top.union(_MEMBER.findall(code)))


def _may_be_module(code: bytes) -> bool:
    if b"import" not in code and b"export" not in code:
        return False
    from extlint.analysis.module_syntax import may_have_module_syntax

    return may_have_module_syntax(code)


@query(is_of_package=True)
def _is_merging(extension: Extension, path: str, base: int) -> bool:
    """Whether a script may hold the global object, so that members of any object may become globals."""
    return _GLOBAL_OBJECT.search(_code_of(extension, path, base)) is not None


def _code_of(extension: Extension, path: str, base: int) -> bytes:
    text = extension.script_at(path, base).index.text
    if base:
        from extlint.analysis.syntax.lexer import code_of

        text = text[slice(*_extent(text, base))]
        return code_of(text) or text
    from extlint.project.contexts.words import words_of

    return words_of(extension).code_of(path) or text


def _extent(text: bytes, base: int) -> ByteSpan:
    """Returns the byte range of the script in a component that begins at an offset."""
    end = text.find(_END_OF_SCRIPT, base)
    return base, len(text) if end < 0 else end


@query(is_of_package=True)
def _words_around(extension: Extension, path: str, base: int) -> frozenset[bytes]:
    """Returns the words in a component outside of a script."""
    text = extension.script_at(path, base).index.text
    start, end = _extent(text, base)
    return frozenset(_WORD.findall(text, 0, start)) | frozenset(_WORD.findall(text, end))


@query(is_of_package=True)
def _words_of_script(extension: Extension, path: str, base: int) -> frozenset[bytes]:
    return frozenset(_WORD.findall(extension.script_at(path, base).index.text))


def _defined_in(
    extension: Extension, script: Script, names: tuple[bytes, ...], is_merging: bool
) -> frozenset[bytes]:
    found = extension.searches.defined_names(
        script,
        [each.decode() for each in names],
        watched_globals(extension),
        is_module=is_module(extension, script),
        is_merging=is_merging,
    )
    return frozenset(map(encode_name, found))


@query(is_of_package=True)
def _words_of_file(extension: Extension, path: str) -> frozenset[bytes]:
    from extlint.project.contexts.words import words_of

    code = words_of(extension).texts.get(path)
    return frozenset(
        _WORD.findall(extension.package.read(path) if code is None or is_page(path) else code[0])
    )


@cache
def _known_words() -> frozenset[bytes]:
    names = known_globals("chrome") | known_globals("firefox") | _NAMES_OF_TOOLS | _KEYWORDS
    return frozenset(each.encode() for each in names)


_KEYWORDS = frozenset(
    "arguments as async await break case catch class const constructor continue debugger default delete do"
    " else enum export extends false finally for from function get if import in instanceof let new null of"
    " return set static super switch this throw true try typeof undefined var void while with yield".split()
)
