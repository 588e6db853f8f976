"""The order in which the content scripts of the manifest run in a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from extlint.extension import Extension
from extlint.manifest.file_keys import file_references
from extlint.package.references import paths_of
from extlint.queries.query import query
from extlint.text.json.values import JsonValue

Place: TypeAlias = tuple[int, ...]
"""The place of a script in the order of loading, to be compared with those of the same realm."""

_NOT_ABOUT_PAGES = frozenset({"css", "js", "matches", "run_at", "world"})
"""The keys of an entry of content scripts that do not decide in which pages its scripts run."""

_MOMENTS = {"document_start": 0, "document_end": 1, "document_idle": 2}


@query
def entries_of_files(extension: Extension) -> Mapping[str, Mapping[str, Place]]:
    """Returns the entries of content scripts that list each file, with its place in the order of loading."""
    found: dict[str, dict[str, Place]] = {}
    for each in file_references(extension.manifest):
        match each.pointer.split("/"):
            case ["", "content_scripts", entry, "js", at]:
                time = extension.manifest.get("content_scripts", int(entry), "run_at")
                moment = _MOMENTS.get("document_idle" if time is None else str(time.value), len(_MOMENTS))
                for path in paths_of(each.name):
                    found.setdefault(path, {})[entry] = (moment, int(entry), int(at))
    return found


def have_all_pages(pages: JsonValue, others: JsonValue) -> bool:
    """Whether an entry of content scripts certainly has all pages of another one."""
    if not (isinstance(pages, dict) and isinstance(others, dict)):
        return False
    if any(pages.get(key) != others.get(key) for key in pages.keys() - _NOT_ABOUT_PAGES):
        return False
    matches, wanted = pages.get("matches"), others.get("matches")
    return (
        isinstance(matches, list)
        and isinstance(wanted, list)
        and ("<all_urls>" in matches or all(each in matches for each in wanted))
    )
