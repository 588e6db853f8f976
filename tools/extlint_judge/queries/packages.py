"""The packages that a browser loads: the place of the manifest, and the names of files."""

from __future__ import annotations

from collections.abc import Iterator

from extlint_judge.browsers.session import LoadError, Session
from extlint_judge.extensions import Files, extension, manifest
from extlint_judge.query import Query
from extlint_rules.reserved_name import reserved_names

LOADED = "loaded"

PATHS = (
    *("_", "_a.js", "_next/a.js", "__tests__/a.js", "_Locales/a.js", "_platform_specific/a.js", "_metadata"),
    *("_Platform_Specific/a.js", "__MACOSX/a.js", "__macosx/a.js", "a/_a.js", "a/_next/a.js", ".a.js"),
    *("_metadata/a.json", "_metadata/verified_contents.json", "_metadata/computed_hashes.json"),
    *("_metadata/generated_indexed_rulesets/a", "con", "aux.js", "nul/a.js", "a/com1.js", "desktop.ini"),
    *("a b.js", "a:b.js", "a?.js", "a*.js", "a|b.js", "<a>.js", 'a".js', "a.", "a\\b.js", "é.js", "key.pem"),
)


def load(session: Session, files: Files) -> str:
    """Loads an extension. Returns `LOADED`, or the browser's error."""
    try:
        session.load_packed(files)
    except LoadError as error:
        return str(error)
    return LOADED


def _compare_names(browser: str, path: str, answer: str) -> Iterator[str]:
    if (browser == "chromium" and bool(reserved_names([path]))) is (answer == LOADED):
        yield f"extlint says that it is {'refused' if answer == LOADED else 'loaded'}"


def _compare_places(_browser: str, place: str, answer: str) -> Iterator[str]:
    if (answer == LOADED) is bool(place):
        yield f"extlint says that it is {'not found' if place else 'read'}"


package_names = Query(
    "package-names",
    """Query which names of files prevent a package from loading.

    The exit code is 1 if extlint reports different ones.
    """,
    lambda _: {path: path for path in PATHS},
    lambda session, path: load(session, extension(manifest(), {path: "{}"})),
    _compare_names,
)

misplaced_manifests = Query(
    "misplaced-manifests",
    """Query manifests that are not at the top.

    The exit code is 1 if one in a folder is read, because extlint assumes that it is not.
    """,
    lambda _: {"at the top": "", "in a folder": "folder/"},
    lambda session, place: load(session, {f"{place}manifest.json": extension(manifest())["manifest.json"]}),
    _compare_places,
)
