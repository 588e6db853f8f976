"""The uses of the permissions in a manifest, which an editor shows above each permission."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from threading import Lock

from msgspec import Struct

from extlint.analysis.cache.store import Store
from extlint.checking.report_of import Settings, stored_with_report
from extlint.extension import Extension
from extlint.manifest.manifest import REQUESTS
from extlint.package.files import Package
from extlint.report.report import Report
from extlint.services.editor.documents.document import Document, Role
from extlint.services.permissions.prompts import Kind, requests_of
from extlint.services.permissions.table import Use, UsePlace, longest_references, places_of_uses, use_at
from extlint.text.positions import Span, TextIndex
from extlint.text.wording import counted

MAX_LOCATIONS = 200
"""The maximum number of uses of one permission whose locations are shown."""

MAX_KEPT = 16
"""The maximum number of extensions whose last uses are kept."""

_RULE = "unused-permission"


class PermissionUses(Struct, frozen=True):
    """The uses of every permission, and the permissions that certainly nothing uses."""

    places: Mapping[str, tuple[UsePlace, ...]]
    unused: frozenset[str]


class Lens(Struct, frozen=True):
    """A note above a permission: its number of uses, and their locations, at most `MAX_LOCATIONS`."""

    span: Span
    title: str
    uses: tuple[Use, ...] = ()


_last: OrderedDict[tuple[str, str], PermissionUses] = OrderedDict()
_lock = Lock()


def permission_uses(report: Report, extensions: Sequence[Extension]) -> PermissionUses:
    """Returns the uses of permissions in an extension, as each target sees it.

    Store them next to each report: `storing_with_reports(permission_uses)`.
    """
    found: dict[str, set[UsePlace]] = {}
    for each in extensions:
        for name, places in places_of_uses(each).items():
            found.setdefault(name, set()).update(places)
    spans = {finding.span for finding in report.findings if finding.rule == _RULE}
    requests = requests_of(extensions[0].manifest) if spans else ()
    unused = frozenset(each.name for each in requests if each.span in spans and each.kind is Kind.REQUIRED)
    return PermissionUses({name: tuple(longest_references(places)) for name, places in found.items()}, unused)


def lenses(package: Package, settings: Settings, path: str, text: str, store: Store) -> tuple[Lens, ...]:
    """Returns the notes above the permissions in a manifest, by the last check; empty before the first one.

    The check has to store the uses. While files have changed since then, the notes are those of before.
    """
    document = Document(package, path, text)
    uses = _last_uses(package, settings, store) if document.role is Role.MANIFEST else None
    return () if uses is None else tuple(_lenses(document, uses))


def _last_uses(package: Package, settings: Settings, store: Store) -> PermissionUses | None:
    key = package.name, package.manifest_path
    found = stored_with_report(package, settings, store)
    with _lock:
        if not isinstance(found, PermissionUses):
            return _last.get(key)
        _last[key] = found
        _last.move_to_end(key)
        while len(_last) > MAX_KEPT:
            _last.popitem(last=False)
    return found


def _lenses(document: Document, uses: PermissionUses) -> Iterator[Lens]:
    root = document.loose_json.root
    indexes: dict[str, TextIndex] = {}
    for key in REQUESTS:
        listed = None if root is None else root.member(key)
        for each in () if listed is None or listed.opening != "[" else listed.members:
            token = None if each.value is None else each.value.token
            if token is None or token.kind != "string":
                continue
            places = uses.places.get(token.content, ())
            span = document.index.span(token.start, token.end)
            if places:
                shown = tuple(_use(document, place, indexes) for place in places[:MAX_LOCATIONS])
                yield Lens(span, counted(len(places), "use"), shown)
            elif token.content in uses.unused:
                yield Lens(span, "no use found")


def _use(document: Document, place: UsePlace, indexes: dict[str, TextIndex]) -> Use:
    if place.path not in indexes:
        indexes[place.path] = TextIndex(document.read(place.path))
    return use_at(place, indexes[place.path])
