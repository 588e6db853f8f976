"""Whether a program of the project may rewrite a key of the manifest before browsers read it.

There is one question: does a program that mentions the manifest touch this key? It does if its text, without
comments, has the name of the key where programs in common languages change an object. The object, and its new
value, are not known, except that a program may only extend a list, or only remove something.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.syntax.build_signs import is_minified
from extlint.extension import Extension
from extlint.manifest.manifest import REQUESTS
from extlint.package.suffixes import PROGRAMS, PROGRAMS_WITH_OBJECTS, has_suffix
from extlint.project.build_tools import is_configuration
from extlint.project.tools import Tool, code_of, manifest_tools
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.schema.model import MANIFEST_KEY_PREFIX
from extlint.schema.targets import engine_of
from extlint.schema.validation.mistake import Mistake
from extlint.text.patterns import lazy

MAX_PLACES = 1_000
"""Places in one program with the name of one key. A program with more of them contains data."""

MAX_DISTANCE = 300
"""Characters before and after the name of a key that are read."""

_OBJECT = lazy(
    r"(?:[\w$)\]!?](?<!\bentry)(?<!\bentries)(?<!\bexports)(?<!\binput)\.|\[\s*\\?[\"'`:]|[\s'\"({|]\.)\Z"
)
_CHANGE = lazy(
    r"\\?[\"'`]?\s*\]?(?:\[[^\]\n]{0,40}\])?(?:[?)]|!(?!=))*"
    r"(?:\s*(?:\||//|\?\?|\|\||\+)?=(?![=>~])|\s*<<|\??\.(?:append|clear|concat|delete|extend|fill|insert"
    r"|merge!?|pop|push|remove|reverse|shift|sort|splice|unshift|update)(?!\w|\(\{\s*\w))"
)
_CHANGING_CALL = lazy(
    r"(?:(?<![\w-])(?:assign|defaults\w*|defineProperty|del|delete|extend|merge\w*|omit|pop|remove\w*|re\.sub"
    r"|g?sub!?|set(?:In)?|setdefault|unset)|[Rr]eplace\w*)\s*\((?:[^()]|\([^()]*\)|\()*\Z|[<-]replace\w*\s"
    r"|\bdel(?:ete)?\s+[\w$.?!\[\]\"']*\Z"
)
_REMOVAL = lazy(r"\b(?:del|delete|omit|pop|remove\w*|unset)\b[^;=|]*\Z")
_EDITOR = lazy(r"(?<![\w-])(?:awk|dasel|ed|ex|gawk|gsed|jq|perl|sed|yq)(?![\w-])")
_IN_PLACE = lazy(
    r"(?<![\w-])-(?:pi|i|p?i\.\w+)\b|--in-?place|\bsponge\b|\btee\b"
    r"|(?<![\d&=\-<>])>>?(?!\s*(?:/dev/null|[&=(>]))"
)
_MERGES = lazy(
    r"\.\.\.[A-Za-z_$][^{}]*\.\.\.[(A-Za-z_$]"
    r"|\b(?:assign|deep_?[Mm]erge|defaults\w*|extend|merge\w*)\((?:\s*\{\s*\}\s*,)?[^{},]*,\s*[^\s{}]"
)
_KEY_OF_LITERAL = lazy(r"[\"'`]?\s*(?::(?![:/])|=>)")
_NO_LITERAL = lazy(r"(?<!\})\.\Z|-\Z|'[^'\n]*\{[^'\n]*\"\Z")
_ARGUMENT = lazy(r"\bpermissions\.\w+\(\s*\{[^{}]*\Z", needs=("permissions.",))
"""An argument of the API, which has properties with names of keys."""

_ENTRY = lazy(
    r"[\"'`]?\s*:\s*(?:\{\s*import\b"
    r"|[^{\n]{0,80}(?:[\"'`]\.{0,2}/|\.(?:[cm]?[jt]sx?|html)[\"'`]|(?:join|resolve)\())"
)
"""The text after a plain name that is an entry point, and not a key of the manifest."""

_NEIGHBOR = lazy(r"\.\.\.\w|\b[a-z]+_[a-z_]+[\"'`]?\s*:")
"""Signs that a plain name is a key: next to it, something is copied, or a name is like `default_locale`."""

_SHORTHAND = lazy(r"\s*[,}]")
_COPY = lazy(
    r"(?:\{\s*\.\.\.|\b(?:assign|extend|merge\w*)\([^{}]*\{)(?:[^{}\0]*[,\s])?\0|[{,]\s*\0[^{}]*,\s*\.\.\.\w",
    needs=("...", "assign(", "extend(", "merge"),
)
"""An object that is copied with a key at the NUL."""

_COMPARED = lazy(r"(?:={2,3}|\bcase\b|\bis)\s*[\"'`]\Z")
_COMPARED_AFTER = lazy(r"[\"'`]\s*={2,3}(?!=)")
_COPIED_KEY = lazy(
    r"\[\s*[a-z]\w*\s*\]\s*(?:=(?![=>~])|:)|\bfromEntries\("
    r"|\b(?:parse|stringify)\([^;{}]{0,200},\s*(?:function\b\s*)?\(\s*\w+\s*,\s*\w+\s*\)"
)
"""Code that copies an object key by key, so that it may change the value of a key that it compares."""

_REPLACED = lazy(
    r"\b[Rr]eplace\w*\s*\((?:[^()]|\([^()]*\)|\()*\Z"
    r"|\b(?:find|from|match|pattern|search)\s*:\s*(?:\[\s*)?(?:(?:new\s+)?RegExp\(\s*)?[\"'`/][^\"'`\n]*\Z"
)
"""The text before a word in capitals that something replaces, perhaps a plugin or a program with settings."""

_CAPITALS = lazy(r"(?<![\w$-])[A-Z][A-Z0-9_]{3,}(?![\w$-])")
"""A word that may be a placeholder."""

_TEXT = lazy(r"\"([^\"\n]*)\"|'([^'\n]*)'")
_LIST_OF_TEXTS = lazy(r"[\"'`\]\s]*[:=]\s*\[((?:\s*(?:\"[^\"\n]*\"|'[^'\n]*')\s*,?)+)\s*\]")
_STATEMENT_END = lazy(r";\s")

_CLOSED = r"[\"'`\])?!| \[]*"
_COPIED = rf"{_CLOSED}=[^;\n]*?\.\.\.[^,;\n]*\bKEY\b"
_CALLED = rf"{_CLOSED}(?:=[^;\n]*\bKEY\b{_CLOSED})?\."
_LITERAL = r"(?:\.\.\.)?\[?\s*(?:[\"'`]|[\w.]*_permissions\b)"
_EXTENDS = rf"{_COPIED}|{_CALLED}(?:append|concat|extend|insert|push|unshift)\b|{_CLOSED}(?:\+=|<<)"
_ADDS_KNOWN = (
    rf"{_COPIED}{_CLOSED},\s*{_LITERAL}|{_CALLED}(?:concat|push|unshift)\(\s*{_LITERAL}"
    rf"|{_CLOSED}[:=]\s*\[(?:\s*[\"'`][^\"'`\n]*[\"'`]\s*,?)*\s*\]"
)
_FILTERS = rf"{_CLOSED}=[^;\n]*\bKEY\b{_CLOSED}\.filter\b"


class _Place(Struct, frozen=True):
    """A place where a program touches a key: the text before and after the key's name, and all its code.

    With `is_any`, it changes each key of that name, in whatever object of the manifest.
    """

    key: str
    line: str
    after: str
    code: str
    is_any: bool = False

    def has(self, pattern: str) -> bool:
        """Whether a pattern, in which `KEY` represents the key, matches what follows."""
        return re.match(pattern.replace("KEY", re.escape(self.key)), self.after) is not None

    @property
    def only_removes(self) -> bool:
        return _REMOVAL.search(self.line) is not None or self.has(_FILTERS)


@query
def _rewriters(extension: Extension) -> tuple[tuple[str, str], ...]:
    """Returns the programs that mention a manifest, as their paths and their texts without comments.

    A minified script is a library, and not one of them. The configuration of a build does not change the
    build's own output again.
    """
    return tuple(
        (tool.path, code_of(extension, _without_keys(extension, tool)))
        for tool in manifest_tools(extension)
        if not (tool.path.endswith(PROGRAMS) and is_minified(tool.text))
        and not _is_already_applied(extension, tool)
    )


def _without_keys(extension: Extension, tool: Tool) -> Tool:
    """Returns a program without the object that is the manifest itself."""
    places = extension.package.key_places
    if places is None or tool.path != places.path:
        return tool
    start, end = places.literal
    return replace(tool, text=b"%b{}%b" % (tool.text[:start], tool.text[end:]))


def _is_already_applied(extension: Extension, tool: Tool) -> bool:
    if not is_configuration(tool.path):
        return False
    from extlint.project.output_folders import is_output_folder

    return is_output_folder(extension)


def _places(extension: Extension, keys: Iterable[str]) -> Iterator[_Place]:
    """Yields the places where programs touch one of these keys.

    If a program writes the list that the manifest already has, the lists of texts that programs write count
    only there: the others are for other manifests.
    """
    for key in keys:
        places = [each for path, code in _rewriters(extension) for each in touching_places(path, code, key)]
        written = [_written_list(each) for each in places]
        has_own = bool(places) and _own_list(extension, key) in [each for each in written if each is not None]
        yield from (
            place for place, texts in zip(places, written, strict=True) if not has_own or texts is None
        )


def _written_list(place: _Place) -> list[str] | None:
    """Returns the texts of a list that a program writes as the value of a key, or None for another value."""
    found = _LIST_OF_TEXTS.match(place.after)
    return None if found is None else [one or two for one, two in _TEXT.findall(found[1])]


def _own_list(extension: Extension, key: str) -> list[object] | None:
    node = extension.manifest.get(key)
    return [each.value for each in node.items()] if node is not None and node.items() else None


def touching_places(path: str, code: str, key: str) -> Iterator[_Place]:
    """Yields the places where a program changes a key with this name, in any object.

    In languages with literals for objects, the keys of such literals count too. A plain name with a path as
    its value is an entry point. A program that copies objects key by key changes a key that it compares.
    """
    has_objects = has_suffix(path, (*PROGRAMS, *PROGRAMS_WITH_OBJECTS))
    for start, end in _offsets(key, code):
        before, after = code[max(0, start - MAX_DISTANCE) : start], code[end : end + MAX_DISTANCE]
        line, rest = before.rpartition("\n")[2], after.partition("\n")[0]
        if ";" in line:
            line = _STATEMENT_END.split(line)[-1]
        if _ARGUMENT.search(before) is None and (
            (_CHANGE.match(after) is not None and _OBJECT.search(before) is not None)
            or _CHANGING_CALL.search(line) is not None
            or (key.isupper() and _REPLACED.search(before) is not None)
            or (_EDITOR.search(line) is not None and _IN_PLACE.search(line + rest) is not None)
            or (_SHORTHAND.match(after) is not None and _COPY.search(f"{before}\0{after}") is not None)
            or (has_objects and _is_in_literal(key, before, after))
        ):
            yield _Place(key, line, after, code)
        elif _is_compared(before, after) and _COPIED_KEY.search(code) is not None:
            yield _Place(key, line, after, code, is_any=True)


def _is_compared(before: str, after: str) -> bool:
    """Whether a name is a text that is compared with something: `key === "matches"`."""
    return _COMPARED_AFTER.match(after) is not None or (
        before[-1:] == after[:1]
        and before[:-1].rstrip().endswith(("==", "case", "is"))
        and _COMPARED.search(before) is not None
    )


def _is_in_literal(key: str, before: str, after: str) -> bool:
    if _KEY_OF_LITERAL.match(after) is None or _NO_LITERAL.search(before) is not None:
        return False
    has_neighbor = "manifest" in before.lower() or _NEIGHBOR.search(before + after) is not None
    return "_" in key or (has_neighbor and _ENTRY.match(after) is None)


def _offsets(word: str, text: str) -> Iterator[tuple[int, int]]:
    quoted = re.escape(word)
    pattern = rf"{quoted}(?<![\w$-]{quoted})(?![\w$-])"
    found = re.finditer(pattern, text) if word in text else ()
    return (each.span() for each in islice(found, MAX_PLACES))


def may_add(extension: Extension, *keys: str) -> bool:
    """Whether a program writes one of these keys of the manifest, or extends its list."""
    return any(not each.only_removes for each in _places(extension, keys))


def may_rewrite(extension: Extension, *keys: str) -> bool:
    """Whether a program writes one of these keys of the manifest, so that its value may be replaced.

    A background that only the other browser runs replaces nothing.
    """
    return any(
        not each.has(_EXTENDS) and not _is_for_other_browser(extension, each)
        for each in _places(extension, keys)
    )


def _is_for_other_browser(extension: Extension, place: _Place) -> bool:
    """Whether a program gives the manifest a background that a browser does not run in Manifest V3."""
    if place.key != "background" or extension.manifest_version != 3:
        return False
    of_chromium = engine_of(extension.target.name) is Engine.CHROMIUM
    own, other = ("service_worker", "page|scripts") if of_chromium else ("page|scripts", "service_worker")
    is_removed = _REMOVAL.search(place.line) is not None and place.has(rf"[\"'`?!.\[\]]*(?:{own})\b")
    is_replaced = place.has(rf"{_CLOSED}=\s*\{{\s*[\"']?(?:{other})\b[^{{}}]*\}}")
    return is_removed or (is_replaced and not place.has(rf"[^}}]*\b(?:{own})[\"']?\s*[:,}}]"))


def may_remove(extension: Extension, *keys: str) -> bool:
    """Whether a program removes one of these keys of the manifest, perhaps for one browser."""
    return any(each.only_removes for each in _places(extension, keys))


def merges_manifests(extension: Extension) -> bool:
    """Whether a program merges objects, such as the manifest and another one with more keys."""
    return any(_MERGES.search(code) is not None for _, code in _rewriters(extension))


def may_add_request(extension: Extension, required: Iterable[str]) -> bool:
    """Whether a program may add one of these permissions or, for `manifest:KEY`, that key."""
    prefix, names = MANIFEST_KEY_PREFIX, (*required,)
    keys = [each.removeprefix(prefix).partition(".")[0] for each in names if each.startswith(prefix)]
    if keys:
        return may_add(extension, *keys)
    return any(
        not each.only_removes and (not each.has(_ADDS_KNOWN) or any(name in each.code for name in names))
        for each in _places(extension, REQUESTS)
    )


def may_be_corrected(extension: Extension, mistake: Mistake) -> bool:
    """Whether a program writes the manifest key that contains a mistake, a key inside, or a related key.

    If the inner key may also be a key of another object, the program must also name the outer key.
    """
    if not mistake.steps:
        return may_rewrite(extension, *mistake.missing)
    top, *related = (str(steps[0]) for steps in (mistake.steps, mistake.related_steps) if steps)
    if may_rewrite(extension, top, *related) or _may_be_filled_in(extension, mistake):
        return True
    holder = extension.manifest.get(*mistake.steps) if mistake.missing else None
    sibling_keys = () if holder is None else (key for key, _ in holder.members())
    inner = (*mistake.steps[1:], *mistake.missing, *sibling_keys)
    return any(
        not each.has(_EXTENDS) and (each.is_any or "_" in each.key or any(_offsets(top, each.code)))
        for each in _places(extension, {each for each in inner if isinstance(each, str)})
    )


def _may_be_filled_in(extension: Extension, mistake: Mistake) -> bool:
    """Whether a tool replaces a word of a value, or merges null with an object that has more values."""
    node = None if mistake.at_key else extension.manifest.get(*mistake.steps)
    if node is None:
        return False
    if isinstance(node.value, str):
        return may_rewrite(extension, *_CAPITALS.findall(node.value))
    return node.value is None and merges_manifests(extension)
