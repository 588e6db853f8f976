"""Mistakes that can be made at a call of the API, as edits of the text.

The specification describes the namespaces `management` and `test`, so a call of another
namespace is replaced by one of these, and keeps its ROOT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from random import Random
from typing import TypeAlias

from msgspec import Struct
from planting.fields import reads_of
from planting.sites import ANYWHERE, Site

from extlint.analysis.facts.context import ContextKind
from extlint_schemas import load


class Kind(Enum):
    """The kinds of mistakes."""

    MEMBER = "rename a member"
    NAMESPACE = "rename a namespace"
    PERMISSION = "drop a permission"
    TYPE = "change an argument's type"
    ARGUMENT = "add an argument"
    CONTEXT = "swap contexts"
    FIELD = "misspell a result field"


class Edit(Struct, frozen=True, order=True):
    """An edit that replaces bytes `start` to `end` of a script by `text`. `wrong` is the part of it that
    is the mistake.
    """

    start: int
    end: int
    text: str
    wrong: str = ""


class Mistake(Struct, frozen=True):
    """A mistake at a site. One of `rules` must find it; `drop` is a permission removed from the manifest."""

    kind: Kind
    site: Site
    edits: tuple[Edit, ...]
    rules: tuple[str, ...]
    drop: str | None = None


_NAMESPACES = {each["namespace"]: each for name in ("reference",) for each in load(name)}
_DESCRIBED = {
    (name, function["name"]): function
    for name in ("management", "test")
    for function in _NAMESPACES[name]["functions"]
}
_FIELDS = sorted(
    name
    for each in _NAMESPACES["management"]["types"]
    if each["id"] == "ExtensionInfo"
    for name in each["properties"]
    if len(name) > 3
)
_UNCHECKED_CONTEXTS = frozenset(
    {ContextKind.MAIN_WORLD, ContextKind.SANDBOX, ContextKind.WORKER, ContextKind.UNKNOWN}
)
_WRONG_OPTIONS = (
    "{showConfirmDialog: 1}",
    "{showConfirmDialog: 'yes'}",
    "{dialogMessage: !0}",
    "{dialogMessage: 5}",
)


def misspelled(name: str, random: Random) -> str:
    """Returns the name with two neighboring letters swapped."""
    places = [at for at in range(1, len(name) - 1) if name[at] != name[at + 1]]
    at = random.choice(places)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def kinds_of(site: Site) -> set[ContextKind]:
    """Returns the kinds of contexts in which a site runs."""
    return {context.kind for context in site.script.contexts}


def _is_described(site: Site) -> bool:
    return site.api in _DESCRIBED


def is_content_script_only(site: Site) -> bool:
    """Whether a site runs only in a content script."""
    return kinds_of(site) == {ContextKind.CONTENT_SCRIPT} and site.namespace in ANYWHERE


def _replace_call(site: Site, text: str, wrong: str) -> tuple[Edit, ...]:
    """Replaces the member and its arguments by another call."""
    return (Edit(site.start, site.call.end, text, wrong),)


def _member(site: Site, random: Random) -> Iterator[Mistake]:
    apart = len(kinds_of(site)) > 1 or ContextKind.CONTENT_SCRIPT in kinds_of(site)
    rules = ("unknown-api", "wrong-context") if apart else ("unknown-api",)
    if _is_described(site):
        wrong = misspelled(site.api[-1], random)
        yield Mistake(
            Kind.MEMBER, site, (Edit(site.start, site.member.end, f"{site.namespace}.{wrong}", wrong),), rules
        )
    elif is_content_script_only(site):
        wrong = misspelled(random.choice(("sendMessage", "notifyPass", "assertTrue")), random)
        yield Mistake(Kind.MEMBER, site, _replace_call(site, f"test.{wrong}('')", wrong), rules)
    else:
        wrong = misspelled(random.choice(("getSelf", "uninstallSelf")), random)
        yield Mistake(Kind.MEMBER, site, _replace_call(site, f"management.{wrong}()", wrong), rules)


def _namespace(site: Site, random: Random) -> Iterator[Mistake]:
    if not is_content_script_only(site):
        wrong = misspelled("management", random)
        yield Mistake(
            Kind.NAMESPACE, site, _replace_call(site, f"{wrong}.getSelf()", wrong), ("unknown-api",)
        )


def _permission(site: Site, random: Random) -> Iterator[Mistake]:
    if site.caught or is_content_script_only(site):
        return
    rules = ("missing-permission", "wrong-context") if len(kinds_of(site)) > 1 else ("missing-permission",)
    if _is_described(site):
        if _DESCRIBED[site.api[0], site.api[1]].get("permissions"):
            edit = Edit(site.start, site.member.end, ".".join(site.api), site.api[-1])
            yield Mistake(Kind.PERMISSION, site, (edit,), rules, "management")
    else:
        text, wrong = random.choice((("management.getAll()", "getAll"), ("management.get('a')", "get")))
        yield Mistake(Kind.PERMISSION, site, _replace_call(site, text, wrong), rules, "management")


def _type(site: Site, random: Random) -> Iterator[Mistake]:
    if is_content_script_only(site):
        wrong = random.choice(("5", "{}", "!0", "[]"))
        edits = _replace_call(site, f"test.log({wrong})", wrong)
    elif random.random() < 0.5:
        wrong = random.choice(_WRONG_OPTIONS)
        edits = _replace_call(site, f"management.uninstallSelf({wrong})", wrong)
    else:
        wrong = random.choice(("5", "'self'", "!0", "{}"))
        edits = _replace_call(site, f"management.getSelf({wrong})", wrong)
    yield Mistake(Kind.TYPE, site, edits, ("invalid-argument",))


def _argument(site: Site, random: Random) -> Iterator[Mistake]:
    listed = site.arguments
    if (
        _is_described(site)
        and listed is not None
        and not any(each.type == "spread_element" for each in listed.named())
    ):
        function = _DESCRIBED[site.api[0], site.api[1]]
        comma = ", " if listed.named() else ""
        more = ", ".join("0" for _ in range(len(function["parameters"]) + 1 - len(listed.named())))
        if more:
            edit = Edit(listed.end - 1, listed.end, f"{comma}{more})", more)
            yield Mistake(Kind.ARGUMENT, site, (edit,), ("wrong-argument-count", "invalid-argument"))
        return
    if is_content_script_only(site):
        text, wrong = "test.log('here', 1)", "1"
    else:
        text, wrong = random.choice(
            (
                ("management.getSelf(function () {}, 1)", "1"),
                ("management.uninstallSelf({}, () => {}, 'now')", "'now'"),
            )
        )
    yield Mistake(Kind.ARGUMENT, site, _replace_call(site, text, wrong), ("wrong-argument-count",))


def _context(site: Site, random: Random) -> Iterator[Mistake]:
    if site.caught:
        return
    kinds = kinds_of(site)
    if kinds and ContextKind.CONTENT_SCRIPT not in kinds:
        name = random.choice(("log", "fail", "notifyPass"))
        yield Mistake(
            Kind.CONTEXT,
            site,
            _replace_call(site, f"test.{name}('here')", f"test.{name}"),
            ("wrong-context",),
        )
    elif is_content_script_only(site):
        yield Mistake(
            Kind.CONTEXT,
            site,
            _replace_call(site, "management.getSelf()", "management.getSelf"),
            ("wrong-context",),
        )


def _field(site: Site, random: Random) -> Iterator[Mistake]:
    for key, of_item in reads_of(site):
        wrong = misspelled(random.choice(_FIELDS), random)
        name = "management.getAll" if of_item else "management.getSelf"
        shorthand = key.type == "shorthand_property_identifier_pattern"
        text = f"{wrong}: {site.tree.source(key)}" if shorthand else wrong
        field = Edit(key.start, key.end, text, wrong)
        listed = site.arguments
        inside = next((each for each in listed.named() if each.contains(key)), None) if listed else None
        if inside is None:
            edits: tuple[Edit, ...] = (Edit(site.start, site.call.end, f"{name}()"), field)
        else:
            start, end = (Edit(site.start, inside.start, f"{name}("), Edit(inside.end, site.call.end, ")"))
            edits = (start, field, end)
        yield Mistake(Kind.FIELD, site, tuple(sorted(edits)), ("unknown-result-field",))


Planters: TypeAlias = Mapping[Kind, Callable[[Site, Random], Iterator[Mistake]]]

PLANTERS: Planters = {
    Kind.MEMBER: _member,
    Kind.NAMESPACE: _namespace,
    Kind.PERMISSION: _permission,
    Kind.TYPE: _type,
    Kind.ARGUMENT: _argument,
    Kind.CONTEXT: _context,
    Kind.FIELD: _field,
}


def mistake_at(site: Site, kind: Kind, random: Random, planters: Planters = PLANTERS) -> Mistake | None:
    """Returns a mistake of a kind at a site, or None if it would be valid there, or a guard excuses it."""
    if kinds_of(site) & _UNCHECKED_CONTEXTS or kind not in planters:
        return None
    possible: Sequence[Mistake] = list(planters[kind](site, random))
    return random.choice(possible) if possible else None


def apply_mistake(data: bytes, mistake: Mistake) -> tuple[bytes, tuple[int, int]]:
    """Returns the file with the mistake in it, and the byte range of the mistake."""
    base, place, parts, last = mistake.site.base, (0, 0), bytearray(), 0
    for edit in mistake.edits:
        parts += data[last : base + edit.start]
        text = edit.text.encode()
        if edit.wrong:
            start = len(parts) + text.rindex(edit.wrong.encode())
            place = (start, start + len(edit.wrong.encode()))
        parts += text
        last = base + edit.end
    return bytes(parts + data[last:]), place
