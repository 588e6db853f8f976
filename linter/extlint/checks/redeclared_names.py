"""Finds scripts that do not run because an earlier script of their realm declares the same name.

A name that `let`, `const` or `class` declares at the top of a classic script can be declared only once in a
realm. Chromium 156 and Firefox 153 do not run any part of the second script.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from extlint.analysis.facts.context import Context, ContextKind
from extlint.analysis.facts.script_facts import Declaration
from extlint.checks.api.shims import Place, entries_of_files, have_all_pages
from extlint.extension import Extension, Script
from extlint.package.suffixes import JAVASCRIPT, has_suffix, is_page
from extlint.project.builds import is_build_source
from extlint.queries.query import query
from extlint.text.patterns import lazy

MAX_LOADS = 20
"""The maximum number of scripts whose declarations of one name are compared."""

_DECLARED = lazy(rb"(?m)^(?:(let|const|class)|var|(?:async )?function\*?)[ \t]+([A-Za-z_$][\w$]*)")
"""Matches a declaration at the start of a line, and in a group the keyword of one that must be unique."""

_PAGES = frozenset({ContextKind.BACKGROUND, ContextKind.EXTENSION_PAGE})


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
    names_of: defaultdict[tuple[str, int], defaultdict[str, set[bytes]]] = defaultdict(
        lambda: defaultdict(set)
    )
    for name, loads in _loads_by_name(extension).items():
        for at, load in enumerate(loads):
            for other in loads[:at]:
                earlier, later = sorted((load, other), key=lambda each: each.place)
                if (load.is_unique or other.is_unique) and _run_together(extension, load, other):
                    names_of[later.script.location][earlier.script.path].add(name)
    scripts = {each.path: each for each in extension.scripts if not each.base}
    return {
        at: [(scripts[path], frozenset(names)) for path, names in found.items()]
        for at, found in names_of.items()
    }


class _Load(Struct, frozen=True):
    """A script that seems to declare a name, and how it is loaded.

    `realm` is the page that loads it, the manifest, or the number of an entry of content scripts.
    """

    script: Script
    is_unique: bool
    realm: str
    is_content_script: bool
    place: Place


def _declared_in(script: Script) -> Mapping[bytes, bool]:
    """Returns the names that a script seems to declare at its top, with whether each must be unique."""
    found: dict[bytes, bool] = {}
    for unique, name in _DECLARED.findall(script.index.text):
        found[name] = found.get(name, False) or bool(unique)
    return found


def _loads_by_name(extension: Extension) -> Mapping[bytes, Sequence[_Load]]:
    """Returns the scripts that certainly run and seem to declare a name, for names of several."""
    found: defaultdict[bytes, list[_Load]] = defaultdict(list)
    scripts = () if is_build_source(extension) else filter(_is_compared, extension.scripts)
    for script in scripts:
        names = _declared_in(script)
        for realm, is_content_script, place in _realms_of(extension, script) if names else ():
            for name, is_unique in names.items():
                found[name].append(_Load(script, is_unique, realm, is_content_script, place))
    return {name: loads[:MAX_LOADS] for name, loads in found.items() if len(loads) > 1}


def _realms_of(extension: Extension, script: Script) -> Iterator[tuple[str, bool, Place]]:
    """Yields the realms that load a script, with whether it is a content script there, and the place."""
    for context in script.contexts:
        if context.kind in _PAGES and context.step is not None and _is_loaded_by_page(context):
            yield context.step.path, False, context.step.span
    for entry, place in entries_of_files(extension).get(script.path, {}).items():
        if extension.manifest.get("content_scripts", int(entry), "world") is None:
            yield entry, True, place


def _run_together(extension: Extension, one: _Load, other: _Load) -> bool:
    """Whether two scripts certainly run in the same realm, at least where one of them runs."""
    if one.script is other.script or one.is_content_script is not other.is_content_script:
        return False
    if one.realm == other.realm:
        return True
    return one.is_content_script and (
        _has_all_pages(extension, one.realm, other.realm) or _has_all_pages(extension, other.realm, one.realm)
    )


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
    """Whether an element of a page loads a script, or the manifest lists it for the background page."""
    step = context.step
    return step is not None and (is_page(step.path) or step.before is None)


def _has_all_pages(extension: Extension, entry: str, other: str) -> bool:
    """Whether an entry of content scripts certainly runs in all pages of another one."""
    pages, others = (extension.manifest.get("content_scripts", int(each)) for each in (entry, other))
    return pages is not None and others is not None and have_all_pages(pages.plain, others.plain)
