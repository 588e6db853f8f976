"""Finds names that neither a script nor a browser defines.

## What it does

Looks for variables and functions that a script uses without declaring them, in calls (`name()`) and accesses
to members (`name.member`, `name[key]`). It reports a name if it does not occur in any other way in the
scripts and pages that may share their globals with it, and no browser has a global of this name. A member of
another object that is only read (`info.name`) does not count. If nothing defines a name in one of the places
where the script runs, such as web pages, it reports a use that certainly runs when the script loads. It
reports nothing if some code of the package is missing, and in sources that a build compiles.

## Why is this bad

The script throws a ReferenceError where it uses the name, and does not continue.

## Example

```js background.js
function updateBadge(text) {
  chrome.action.setBadgeText({ text });
}
chrome.runtime.onInstalled.addListener(() => updatBadge("new"));
```

```json manifest.json
{
  "manifest_version": 3,
  "name": "Badge",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js"}
}
```

## Use instead

```js background.js
function updateBadge(text) {
  chrome.action.setBadgeText({ text });
}
chrome.runtime.onInstalled.addListener(() => updateBadge("new"));
```

```json manifest.json
{
  "manifest_version": 3,
  "name": "Badge",
  "version": "1.0",
  "action": {},
  "background": {"service_worker": "background.js"}
}
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from msgspec import Struct

from extlint.analysis.facts.context import EXTENSION_PAGES, ContextKind
from extlint.analysis.facts.script_facts import GlobalUse
from extlint.checks.api.absent_globals import watched_globals
from extlint.checks.reachability.unreachable_code import checked_scripts
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.package.suffixes import JAVASCRIPT, is_page
from extlint.project.builds import is_build_source
from extlint.project.contexts.script import GlobalRealms, global_realms, injects
from extlint.project.script_origins import is_generated
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.text.patterns import lazy
from extlint.text.wording import quoted, with_article
from extlint_schemas import known_globals

# A name is only considered if each occurrence in the scripts and pages that may share the global object is
# a call, an access to a member, or a member of another object that is not assigned, so that nothing else,
# such as a property, a text or a comment, can be where it comes from. Files that nothing is known to load may
# share any global object.

MAX_REALMS = 10
"""The maximum number of realms whose names are searched separately from those of the whole package."""

_KINDS = frozenset(
    {
        ContextKind.BACKGROUND,
        ContextKind.CONTENT_SCRIPT,
        ContextKind.EXTENSION_PAGE,
        ContextKind.OFFSCREEN,
        ContextKind.SERVICE_WORKER,
    }
)
_WORD = lazy(rb"[A-Za-z_$][\w$]{2,}|(?<![\w$])\$(?![\w${])")
"""A name of several letters, or jQuery's."""

_USED = lazy(rb"(?<![\w$.#@\x80-\xff])(?:[A-Za-z_$][\w$]{2,}|\$)(?=[(\[]|\.[A-Za-z_$])")
_GLOBALS = (b"global", b"globalThis", b"parent", b"root", b"self", b"this", b"top", b"win", b"window")
_READ = lazy(
    rb"\.(?=[A-Za-z_$])(?<![.\x80-\xff]\.)%b([A-Za-z_$][\w$]{2,}|\$)(?![\w$])"
    rb"(?!\s*(?:=(?![=>])|[^\s\w=!<>(){}\[\];:,.?]{1,3}=|\?\?=|\+\+|--))"
    % b"".join(rb"(?<!\b%b\.)(?<!\b%b\?\.)" % (each, each) for each in _GLOBALS)
)
"""A member that is read, of an object that does not seem to be the global one."""

_DECLARED = lazy(rb"\b(?:function|class)\b[\s*]*([A-Za-z_$][\w$]{2,})")
_METHOD = lazy(rb"(?<![\w$])([A-Za-z_$][\w$]{2,}|\$)\([^()]{0,300}\)\s*\{")
"""The start of what seems to be a method or function."""

_NAMES_OF_TOOLS = frozenset(
    "ActiveXObject Buffer Components Deno GM GM_addStyle Services System __dirname __filename browser chrome"
    " define exports messenger module opr process require safari unsafeWindow".split()
)


_Realm: TypeAlias = tuple[ContextKind, str | None]
"""A kind of context, and the page with the global object, if it is known."""


class UndefinedName(Struct, frozen=True):
    """A use of a name that nothing defines: in the package, where its script runs, or in one context."""

    script: Script
    use: GlobalUse
    only_in: ContextKind | None
    is_elsewhere: bool


class _Candidates(Struct, frozen=True):
    """Names that nothing may define: in any place where a script runs, or in one kind of context."""

    everywhere: frozenset[str] = frozenset()
    only_in: Mapping[str, ContextKind] = {}

    def __bool__(self) -> bool:
        return bool(self.everywhere or self.only_in)


def undefined_names(extension: Extension) -> Iterator[UndefinedName]:
    """Yields the first use in each script of each such name."""
    candidates = {} if is_build_source(extension) else _candidates(extension)
    if not candidates:
        return
    from extlint.checks.availability.missing_globals import fails_on
    from extlint.checks.availability.missing_scripts import kinds_with_missing_scripts
    from extlint.checks.reachability.closed_world import is_closed_world

    if not is_closed_world(extension):
        return
    known_kinds = _KINDS - kinds_with_missing_scripts(extension)
    watched = watched_globals(extension)
    for script in checked_scripts(extension):
        own = candidates.get(script.location)
        kinds = {each.kind for each in (*script.contexts, *script.all_contexts)}
        if not own or not kinds:
            continue
        everywhere = own.everywhere if kinds <= known_kinds else frozenset()
        partly = {name: kind for name, kind in own.only_in.items() if kind in known_kinds}
        found: set[str] = set()
        for use in extension.searches.undeclared_uses(script, sorted({*everywhere, *partly}), watched):
            name = use.name
            is_everywhere = name in everywhere
            if name in found or not (is_everywhere or use.on_load):
                continue
            if any(
                fails_on(extension, script, path, frozenset(), is_everywhere=is_everywhere)
                for path in use.paths
            ):
                found.add(name)
                is_elsewhere = name not in _candidates_in(extension, None).get(script.location, ())
                yield UndefinedName(script, use, None if is_everywhere else partly[name], is_elsewhere)


@query(is_of_package=True)
def _candidates(extension: Extension) -> Mapping[tuple[str, int], _Candidates]:
    """The names in each script that occur where it runs only in calls and accesses to members."""
    found: dict[tuple[str, int], _Candidates] = {}
    searched: set[GlobalRealms] = {None}

    def names_in(script: Script, realms: GlobalRealms) -> frozenset[str]:
        if realms not in searched and len(searched) > MAX_REALMS:
            return frozenset()
        searched.add(realms)
        return frozenset(_candidates_in(extension, realms).get(script.location, ()))

    for script in extension.scripts:
        if script.location in _written_by_hand(extension):
            realms = _realms_of(script)
            everywhere = names_in(script, None) or names_in(script, realms)
            only_in = {
                name: kind
                for kind, page in _certain_realms(script)
                if realms is not None and len(realms) > 1
                for name in names_in(script, frozenset({(kind, page)}))
                if name not in everywhere
            }
            own = _Candidates(everywhere, only_in)
            if own:
                found[script.location] = own
    return found


def _certain_realms(script: Script) -> Sequence[_Realm]:
    """Returns the realms in which a script certainly runs, in a fixed order."""
    certain = [each for each in script.contexts if each.certain]
    realms = global_realms(script.path, certain) or frozenset()
    return sorted(realms, key=lambda each: (each[0].value, each[1] or ""))


def _realms_of(script: Script) -> GlobalRealms:
    """Returns the realms of a script and of its functions, or None if they may be any."""
    return None if injects(script) else global_realms(script.path, (*script.contexts, *script.all_contexts))


def _scripts_sharing(extension: Extension, realms: Iterable[_Realm]) -> list[Script]:
    """Returns the scripts that may share a global object with one of these realms."""
    groups = _scripts_by_realm(extension)
    found = {each.location: each for each in groups.get(None, ())}
    for kind, page in realms:
        keys = (
            ((kind, page), (kind, None))
            if page is not None
            else [key for key in groups if key and key[0] is kind]
        )
        found |= {each.location: each for key in keys for each in groups.get(key, ())}
    return [*found.values()]


@query(is_of_package=True)
def _scripts_by_realm(extension: Extension) -> Mapping[_Realm | None, Sequence[Script]]:
    """The scripts of each realm, and those that may have the global object of any, with the key None."""
    found: dict[_Realm | None, list[Script]] = {}
    for script in extension.scripts:
        realms = _realms_of(script)
        for key in (None,) if realms is None else realms:
            found.setdefault(key, []).append(script)
    return found


@query(is_of_package=True)
def _candidates_in(extension: Extension, realms: GlobalRealms) -> Mapping[tuple[str, int], tuple[str, ...]]:
    """The names that occur in some realms only in calls and accesses to members, by script, sorted."""
    sharing = extension.scripts if realms is None else _scripts_sharing(extension, realms)
    written = _written_by_hand(extension)
    own = [each for each in sharing if each.location in written]
    words = [_words_in(extension, *each.location) for each in own]
    used, all_words = Counter[bytes](), Counter[bytes]()
    for each in words:
        used.update(each.used)
        all_words.update(each.all)
    names = {name for name, count in used.items() if all_words[name] == count} - _known_words()
    for each in words:
        names -= each.declared
    if not names:
        return {}
    from extlint.project.contexts.words import words_of

    package = words_of(extension)
    skipped = {each.path for each in extension.scripts} - {each.path for each in sharing}
    skipped |= {each.path for each in own}
    others = [path for path in package.texts if path not in skipped and not is_page(path)]
    others += [path for path in extension.package.paths if is_page(path) and _may_be_page_of(path, realms)]
    for path in others:
        names -= _words_of_file(extension, path)
    for script, part in zip(own, words, strict=True):
        if not names.isdisjoint(part.used):
            names -= _methods_in(extension, *script.location)
    found = {}
    for script, part in zip(own, words, strict=True):
        listed = names.intersection(part.used)
        if listed:
            listed &= _used_in_code(extension, *script.location)
        if listed:
            found[script.location] = tuple(sorted(each.decode() for each in listed))
    return found


def _may_be_page_of(page: str, realms: GlobalRealms) -> bool:
    return realms is None or any(kind in EXTENSION_PAGES and own in (None, page) for kind, own in realms)


@query(is_of_package=True)
def _written_by_hand(extension: Extension) -> frozenset[tuple[str, int]]:
    """The scripts in JavaScript that are not libraries, so that their names are worth a look."""
    return frozenset(
        each.location
        for each in extension.scripts
        if each.path.endswith(JAVASCRIPT) and not each.base and not is_generated(each)
    )


class _ScriptWords(Struct, frozen=True):
    """The words of a script: all, and those in calls and accesses to members, counted, and those declared.

    Members of other objects that are only read are in neither.
    """

    all: Counter[bytes]
    used: Counter[bytes]
    declared: frozenset[bytes]


@query(is_of_package=True)
def _words_in(extension: Extension, path: str, base: int) -> _ScriptWords:
    text = extension.script_at(path, base).index.text
    used = Counter(_USED.findall(text))
    others = Counter(_WORD.findall(text)) - Counter(_READ.findall(text))
    return _ScriptWords(others, used, frozenset(_DECLARED.findall(text)))


@query(is_of_package=True)
def _used_in_code(extension: Extension, path: str, base: int) -> frozenset[bytes]:
    """The names in calls and accesses to members outside of comments."""
    from extlint.project.contexts.words import words_of

    return frozenset(
        _USED.findall(words_of(extension).code_of(path) or extension.script_at(path, base).index.text)
    )


@query(is_of_package=True)
def _methods_in(extension: Extension, path: str, base: int) -> frozenset[bytes]:
    return frozenset(_METHOD.findall(extension.script_at(path, base).index.text))


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
    "async await catch constructor continue default delete finally for function get import new return set"
    " static super switch this throw try typeof undefined void while with yield arguments".split()
)


RULE = RULES["undefined-name"]

_NOWHERE = "no script of the package declares it"
_ELSEWHERE = "no script that runs in the same place declares it"


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for the first use of each name in a script."""
    for each in undefined_names(extension):
        place = "" if each.only_in is None else f" in {with_article(each.only_in.value)}"
        yield RULE.at(
            *each.script.place(each.use.span),
            f"{quoted(each.use.name)} is not defined{place}: {_ELSEWHERE if each.is_elsewhere else _NOWHERE}",
        )
