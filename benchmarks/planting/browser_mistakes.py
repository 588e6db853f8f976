"""Mistakes in the APIs of browsers, for the targets that an extension chooses.

Each of them is a mistake in every browser, whatever guards surround it. So they are also made in
`try` blocks, except for permissions, where a handler may have a fallback.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from planting.mistakes import Edit, Kind, Mistake, Planters, is_content_script_only, kinds_of, misspelled
from planting.sites import Site

from extlint.analysis.facts.context import ContextKind

_PERMISSION_CALLS = (
    ("bookmarks.getTree()", "bookmarks"),
    ("history.deleteAll()", "history"),
    ("topSites.get()", "topSites"),
    ("downloads.cancel(1)", "downloads"),
)
_WRONG_TYPES = (
    ("tabs.create({uri: 'a'})", "uri"),
    ("tabs.get('a')", "'a'"),
    ("tabs.query({windowId: 'a'})", "'a'"),
    ("windows.create({type: 'pop'})", "'pop'"),
    ("runtime.getURL(5)", "5"),
)
_WRONG_TYPES_ANYWHERE = (("runtime.getURL(5)", "5"), ("i18n.getMessage({})", "{}"))
_TOO_MANY = (
    ("tabs.get(1, function () {}, 2)", "2"),
    ("runtime.reload(1)", "1"),
    ("windows.remove(1, function () {}, 2)", "2"),
)
_TOO_MANY_ANYWHERE = (("runtime.getURL('a', 1)", "1"), ("runtime.getManifest(1)", "1"))
_UNKNOWN = ("unknown-api", "wrong-context")


def _replace_call(site: Site, text: str, wrong: str) -> tuple[Edit, ...]:
    return (Edit(site.start, site.call.end, text, wrong),)


def _rename(site: Site, at: int, random: Random) -> tuple[Edit, ...]:
    names = list(site.api)
    names[at] = misspelled(names[at], random)
    return (Edit(site.start, site.member.end, ".".join(names), names[at]),)


def _member(site: Site, random: Random) -> Iterator[Mistake]:
    yield Mistake(Kind.MEMBER, site, _rename(site, 1, random), _UNKNOWN)


def _namespace(site: Site, random: Random) -> Iterator[Mistake]:
    yield Mistake(Kind.NAMESPACE, site, _rename(site, 0, random), _UNKNOWN)


def _permission(site: Site, random: Random) -> Iterator[Mistake]:
    if (
        not site.caught
        and ContextKind.CONTENT_SCRIPT not in kinds_of(site)
        and not is_content_script_only(site)
    ):
        text, name = random.choice(_PERMISSION_CALLS)
        edits = _replace_call(site, text, text.partition("(")[0])
        yield Mistake(Kind.PERMISSION, site, edits, ("missing-permission",), name)


def _type(site: Site, random: Random) -> Iterator[Mistake]:
    text, wrong = random.choice(_WRONG_TYPES_ANYWHERE if is_content_script_only(site) else _WRONG_TYPES)
    yield Mistake(Kind.TYPE, site, _replace_call(site, text, wrong), ("invalid-argument",))


def _argument(site: Site, random: Random) -> Iterator[Mistake]:
    text, wrong = random.choice(_TOO_MANY_ANYWHERE if is_content_script_only(site) else _TOO_MANY)
    yield Mistake(Kind.ARGUMENT, site, _replace_call(site, text, wrong), ("wrong-argument-count",))


def _context(site: Site, random: Random) -> Iterator[Mistake]:
    if not site.caught and is_content_script_only(site):
        text = random.choice(("tabs.query({})", "windows.getAll()", "commands.getAll()"))
        yield Mistake(
            Kind.CONTEXT, site, _replace_call(site, text, text.partition("(")[0]), ("wrong-context",)
        )


BROWSER_PLANTERS: Planters = {
    Kind.MEMBER: _member,
    Kind.NAMESPACE: _namespace,
    Kind.PERMISSION: _permission,
    Kind.TYPE: _type,
    Kind.ARGUMENT: _argument,
    Kind.CONTEXT: _context,
}
