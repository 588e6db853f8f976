"""The messages of a package, by locale, and the references of an extension to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from extlint.analysis.facts.script_facts import GET_MESSAGE, NO_GUARDS, CallSite, Reference
from extlint.analysis.facts.values import Literal, options_of
from extlint.checks.locales.folders import MESSAGES, default_locale, folders_of, locale_of
from extlint.extension import Extension, Script
from extlint.project.build_tools import is_test_script
from extlint.project.builds import is_build_source
from extlint.project.contexts.json_files import JsonFile, JsonKind, json_files, locales_folder
from extlint.project.contexts.words import words_of
from extlint.queries.query import cached_method, query
from extlint.schema.validation.schema_path import is_comment
from extlint.text.json.values import JsonNode, JsonValue
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.positions import Span, TextIndex, decode

EXTENSION_ID = "@@extension_id"
PREDEFINED = frozenset(
    {EXTENSION_ID, "@@ui_locale", "@@bidi_dir", "@@bidi_reversed_dir", "@@bidi_start_edge", "@@bidi_end_edge"}
)
"""The messages that browsers define. https://developer.chrome.com/docs/extensions/reference/api/i18n"""

_WHOLE = lazy(r"__MSG_(.+)__")

MAX_COMPARISONS = 300_000
"""The maximum number of comparisons in searches for the nearest name; beyond, no name is suggested."""


class Catalog(Struct, frozen=True):
    """The messages of one locale: each name as written, by the name in lower case."""

    locale: str
    file: JsonFile
    names: Mapping[str, str]


class Messages:
    """Every message that browsers may show, in any language.

    `default` is the catalog of the default locale. It is the relevant one: browsers use its messages in
    languages that the package does not have, and for messages that are missing in a language.
    """

    def __init__(
        self, default: Catalog, others: Iterable[Catalog], parents: Iterable[Catalog], parts: Iterable[str]
    ) -> None:
        """`parts` are the names, in lower case, of messages that a build adds to the default catalog."""
        self.default = default
        self.others = tuple(others)
        self._known = PREDEFINED.union(default.names, parts, *(each.names for each in parents))
        self._comparisons = 0

    def has(self, name: str) -> bool:
        """Whether the default locale, or the browser itself, has a message. Letter case is ignored."""
        return name.lower() in self._known

    def text_of(self, reference: str) -> str | None:
        """Returns the text of the message that a whole value refers to, `__MSG_name__`, or None."""
        whole = _WHOLE.fullmatch(reference)
        name = None if whole is None else self.default.names.get(whole[1].lower())
        entries = self.default.file.value
        entry = entries.get(name) if isinstance(entries, dict) and name is not None else None
        text = entry.get("message") if isinstance(entry, dict) else None
        return text if isinstance(text, str) else None

    def locales_with(self, name: str) -> tuple[str, ...]:
        """Returns the other locales that have a message."""
        return tuple(each.locale for each in self.others if name.lower() in each.names)

    @cached_method
    def nearest(self, name: str) -> str | None:
        """Returns the message whose name another name misspells, or None."""
        self._comparisons += len(self._known)
        near = nearest(name.lower(), self._known) if self._comparisons <= MAX_COMPARISONS else None
        if (whole := _WHOLE.fullmatch(name)) is not None and self.has(whole[1]):
            near = whole[1].lower()
        return near if near is None else self.default.names.get(near, near)


@query
def messages_of(extension: Extension) -> Messages | None:
    """Returns the messages of an extension, or None if those of the default locale are unknown.

    They are unknown if the package is not complete or the file cannot be read.
    """
    stated = default_locale(extension)
    locale = None if stated is None else folders_of(extension).find(stated)
    if locale is None or not extension.package.complete:
        return None
    catalogs = {each.locale: each for each in _catalogs(extension)}
    default = catalogs.pop(locale, None)
    if default is None:
        return None
    parents = [
        each for each in catalogs.values() if locale.startswith((f"{each.locale}_", f"{each.locale}-"))
    ]
    return Messages(default, catalogs.values(), parents, _names_in_parts(extension, locale))


def _names_in_parts(extension: Extension, locale: str) -> Iterator[str]:
    """Yields the lower-case names of messages in other files of a locale's folder that a build may merge.

    Browsers only read `messages.json` there.
    """
    folder = f"{locales_folder(extension)}{locale}/"
    parts = [path for path in extension.package.paths if path.startswith(folder) and path.endswith(".json")]
    parts = [path for path in parts if path != folder + MESSAGES]
    for path in parts if parts and is_build_source(extension) else ():
        entries = JsonFile(path, extension.package.read(path), JsonKind.MESSAGES).value
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            if isinstance(entry, dict) and isinstance(entry.get("message"), str):
                yield name.lower()


@query(is_of_package=True)
def _catalogs(extension: Extension) -> Sequence[Catalog]:
    return [
        Catalog(locale_of(file), file, {name.lower(): name for name in entries})
        for file, entries in messages_files(extension)
    ]


def messages_files(extension: Extension) -> Iterator[tuple[JsonFile, Mapping[str, JsonValue]]]:
    """Yields the files of messages that contain an object, each with its messages by name."""
    for file in json_files(extension):
        if file.kind is JsonKind.MESSAGES and isinstance(value := file.value, dict):
            yield file, value


_REFERENCE = lazy(r"__MSG_([A-Za-z0-9_@]+?)__", needs=("__MSG_",))
_ALMOST = lazy(r"_{1,3}msg_([\w@.-]+?)_{0,3}", re.IGNORECASE)


def references(text: str) -> Iterator[re.Match[str]]:
    """Yields the references that browsers replace in a text; the first group is the message's name.

    A name ends at the first `__`, because names cannot contain two consecutive underscores.
    """
    if "__MSG_" in text:
        yield from _REFERENCE.finditer(text)


def broken_reference(text: str) -> str | None:
    """Returns the name in a text that resembles `__MSG_name__`, but is not replaced, or None."""
    if _REFERENCE.search(text) is not None:
        return None
    found = _ALMOST.fullmatch(text)
    return None if found is None else found[1]


_CSS_COMMENT = lazy(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BROWSER_COMMAND_PREFIX = "_execute_"
"""The prefix of the names of commands that browsers define."""
MAX_SEARCHES = 200
"""The maximum number of message names that are searched for in the texts of a package."""


class MessageReference(Struct, frozen=True):
    """A reference to a message. It has several names only if the program decides between them.

    `is_open` is true if it may refer to others too. `is_broken` is true if browsers do not recognize the text
    as a reference, although it looks like one: `__msg_title__`. A call of `i18n.getMessage` has `script` and
    `reference`, its reference to the API.
    """

    names: tuple[str, ...]
    path: str
    span: Span
    is_open: bool = False
    is_broken: bool = False
    script: Script | None = None
    reference: Reference | None = None


@query
def _search_cache(_extension: Extension) -> dict[str, bool]:
    """Returns a cache of whether the package contains a name."""
    return {}


def occurs_literally(extension: Extension, name: str) -> bool:
    """Whether a script or page contains a name literally, so that it is not concatenated from parts.

    Beyond `MAX_SEARCHES` names the result is always true.
    """
    known = _search_cache(extension)
    if name not in known:
        known[name] = len(known) >= MAX_SEARCHES or words_of(extension).has(name)
    return known[name]


@query
def message_references(extension: Extension) -> tuple[MessageReference, ...]:
    """Returns the references in the order: manifest, style sheets that it or a page names, scripts.

    Skips names that are not known exactly, and references in code that tests in which browser it runs, or in
    scripts that nothing loads.
    """
    return (*_in_manifest(extension), *_in_style_sheets(extension), *_in_scripts(extension))


def _in_manifest(extension: Extension) -> Iterator[MessageReference]:
    manifest = extension.manifest
    if manifest.get("l10n_resources") is not None:  # these also define messages, in Mozilla's own extensions
        return
    root = manifest.get() if b"msg" in manifest.index.text.lower() else None
    for text, node in () if root is None else _texts(root):
        if "msg" not in text.lower():
            continue
        meant = broken_reference(text.strip())
        names = [found[1] for found in references(text)] if meant is None else [meant]
        for name in dict.fromkeys(names):
            span = manifest.span(node.span)
            yield MessageReference((name,), manifest.path, span, is_broken=meant is not None)


def _texts(root: JsonNode) -> Iterator[tuple[str, JsonNode]]:
    """Yields the strings below a node, in order, without comments."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node.value, str):
            yield node.value, node
        members = (member.node for key, member in node.members() if not _is_comment(key))
        waiting += reversed([*node.items(), *members])


def _is_comment(key: str) -> bool:
    return is_comment(key) and not key.startswith(_BROWSER_COMMAND_PREFIX)


def _in_style_sheets(extension: Extension) -> Iterator[MessageReference]:
    package = extension.package
    named = (each.path for each in extension.named_files)
    for path in dict.fromkeys(path for path in named if path.endswith(".css") and path in package):
        data = decode(package.read(path))
        if b"__MSG_" in data:
            index = TextIndex(data)
            # In Latin-1, each byte is one character, so offsets are byte offsets.
            text = _CSS_COMMENT.sub(lambda comment: " " * len(comment[0]), data.decode("latin-1"))
            for found in references(text):
                yield MessageReference((found[1],), path, index.span(*found.span()))


def _in_scripts(extension: Extension) -> Iterator[MessageReference]:
    for script in extension.scripts:
        if script.is_for_other_targets or is_test_script(script):
            continue
        calls = [call for call in script.facts.calls if call.path == GET_MESSAGE]
        if calls and _is_unused(extension, script):
            continue
        references = script.facts.references_of_calls if calls else {}
        for call in calls:
            reference = references.get(call.callee)
            around = NO_GUARDS if reference is None else reference.guards
            is_tested = around.is_tested(GET_MESSAGE) or around.browser_tested or bool(around.user_agent)
            is_own = is_tested or call.has_fallback
            named = _reference_of_call(script, call, reference)
            if named is not None and not is_own:
                from extlint.checks.api.shims import is_shimmed
                from extlint.checks.reachability.unreachable_code import is_unreachable

                own = Reference(call.path, call.root, call.callee)
                if not is_unreachable(extension, script, around) and not is_shimmed(extension, script, own):
                    yield named


def _is_unused(extension: Extension, script: Script) -> bool:
    from extlint.checks.reachability.unused_scripts import is_unused_script

    return is_unused_script(extension, script)


def _reference_of_call(
    script: Script, call: CallSite, reference: Reference | None
) -> MessageReference | None:
    """Returns the messages that a call may look up, or None if all of them are unknown."""
    options = options_of(call.arguments[0]) if call.arguments else ()
    texts = (each.value for each in options if isinstance(each, Literal))
    names = tuple(text for text in texts if isinstance(text, str) and text)
    if not names:
        return None
    span = script.span(call.arguments[0].span or call.arguments_span)
    is_open = len(names) < len(options)
    return MessageReference(names, script.path, span, is_open=is_open, script=script, reference=reference)
