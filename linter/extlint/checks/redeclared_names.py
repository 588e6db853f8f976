"""Finds scripts that do not run because an earlier script of their realm declares the same name.

A name that `let`, `const` or `class` declares at the top of a classic script can be declared only once in a
realm. Chromium 156 and Firefox 153 do not run any part of the second script.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from extlint.analysis.facts.context import Context, ContextKind
from extlint.analysis.facts.script_facts import Declaration
from extlint.checks.api.load_order import Place, entries_of_files, have_all_pages
from extlint.extension import Extension, Script
from extlint.package.suffixes import JAVASCRIPT, has_suffix, is_page
from extlint.project.builds import is_build_source
from extlint.queries.query import query
from extlint.text.patterns import lazy

_DECLARED = lazy(rb"(?m)^(?:(let|const|class)|var|(?:async )?function\*?)[ \t]+([A-Za-z_$][\w$]*)")
"""Matches a declaration at the start of a line, and in a group the keyword of one that must be unique."""

_PAGES = frozenset({ContextKind.BACKGROUND, ContextKind.EXTENSION_PAGE})

_Realm: TypeAlias = str
"""The page that loads scripts, or the manifest, or the number of an entry of content scripts."""


class Redeclaration(Struct, frozen=True):
    """A declaration of a name, and an earlier one in another script of the same realm."""

    script: Script
    declaration: Declaration
    earlier_script: Script
    earlier: Declaration


def redeclaration_of(extension: Extension, script: Script) -> Redeclaration | None:
    """Returns the first declaration that prevents a script from running, or None."""
    for earlier, names in _earlier_scripts(extension).get(script.location, ()):
        own = {each.name: each for each in extension.searches.top_level(script).declarations}
        for each in extension.searches.top_level(earlier).declarations:
            found = own.get(each.name) if each.name.encode() in names else None
            if found is not None and (found.is_unique or each.is_unique):
                return Redeclaration(script, found, earlier, each)
    return None


@query
def _earlier_scripts(
    extension: Extension,
) -> Mapping[tuple[str, int], Sequence[tuple[Script, frozenset[bytes]]]]:
    """The earlier scripts of each script's realms that seem to declare the same names, with those names."""
    if is_build_source(extension):
        return {}
    found: dict[tuple[str, int], list[tuple[Script, frozenset[bytes]]]] = {}
    for listed in _realms(extension):
        names = {script.path: _declared_in(script) for script in listed} if len(listed) > 1 else {}
        for at, script in enumerate(listed):
            own = names.get(script.path, {})
            for earlier in listed[:at] if own else ():
                others = names[earlier.path]
                common = {each for each in own.keys() & others.keys() if own[each] or others[each]}
                if common and earlier.path != script.path:
                    found.setdefault(script.location, []).append((earlier, frozenset(common)))
    return found


def _declared_in(script: Script) -> Mapping[bytes, bool]:
    """Returns the names that a script seems to declare at its top, with whether each must be unique."""
    found: dict[bytes, bool] = {}
    for unique, name in _DECLARED.findall(script.index.text):
        found[name] = found.get(name, False) or bool(unique)
    return found


def _realms(extension: Extension) -> Iterator[Sequence[Script]]:
    """Yields the scripts that certainly run in each page or entry of content scripts, in that order."""
    pages: defaultdict[_Realm, list[tuple[Place, Script]]] = defaultdict(list)
    entries: defaultdict[_Realm, list[tuple[Place, Script]]] = defaultdict(list)
    for script in filter(_is_compared, extension.scripts):
        for context in script.contexts:
            if context.kind in _PAGES and context.step is not None and _is_loaded_by_page(context):
                pages[context.step.path].append((context.step.span, script))
        for entry, place in entries_of_files(extension).get(script.path, {}).items():
            if extension.manifest.get("content_scripts", int(entry), "world") is None:
                entries[entry].append((place, script))
    for listed in pages.values():
        yield [script for _, script in sorted(listed, key=lambda each: each[0])]
    for entry in entries:
        together = [
            each for other in entries if _has_all_pages(extension, other, entry) for each in entries[other]
        ]
        yield [script for _, script in sorted(together, key=lambda each: each[0])]


def _is_compared(script: Script) -> bool:
    return (
        bool(script.contexts)
        and not script.base
        and not script.is_for_other_targets
        and has_suffix(script.path, JAVASCRIPT)
        and script.facts.problem is None
        and all(each.certain and not each.is_module and not each.excluded_targets for each in script.contexts)
    )


def _is_loaded_by_page(context: Context) -> bool:
    """Whether an element of a page loads a script, or the manifest as one of the background page."""
    step = context.step
    return step is not None and (is_page(step.path) or step.before is None)


def _has_all_pages(extension: Extension, entry: str, other: str) -> bool:
    """Whether an entry of content scripts certainly runs in all pages of another one."""
    pages, others = (extension.manifest.get("content_scripts", int(each)) for each in (entry, other))
    return entry == other or (
        pages is not None and others is not None and have_all_pages(pages.plain, others.plain)
    )
