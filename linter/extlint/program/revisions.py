"""The revisions of a package: what has changed since the last check in the same process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from extlint.analysis.cache.records import RecordedPackage
from extlint.extension import (
    ANALYZED_SCRIPT,
    ANALYZED_SCRIPTS,
    FILES,
    MANIFEST_FILE,
    PROGRAM,
    REALMS,
    Script,
)
from extlint.package.files import Package
from extlint.package.tolerant import TolerantPackage
from extlint.program.script_reader import ScriptReader
from extlint.project.contexts.script import Layout, shared_realms
from extlint.queries.database import Database

_UNCHECKED = "unchecked part"
_EXAMINED = "examined file"


@contextmanager
def revision(queries: Database, package: Package, files: TolerantPackage) -> Iterator[Database]:
    """Begins a revision of the inputs of queries about a package, which ends with the block.

    `files` is the package as queries see it. Yields the database; if the package does not record which of its
    files are examined, another one, without results of earlier revisions. A check that is cancelled leaves no
    complete list of the files that it examined, so results about files are then not reused.
    """
    if not isinstance(package, RecordedPackage):
        yield Database()
        return
    recorded = package

    def examine(path: str) -> None:
        queries.record_effect(_EXAMINED, path)
        if path == recorded.manifest_path:
            queries.depend_on(MANIFEST_FILE, None)
        else:
            recorded.mark_examined(path)

    queries.begin_check({_UNCHECKED: files.unchecked.add, _EXAMINED: files.content})
    files.unchecked.on_addition = lambda path, what: queries.record_effect(_UNCHECKED, path, what)
    files.failures.on_failure = queries.mark_unrepeatable
    files.on_examination = examine
    scope, known = queries.input_value(FILES, None) or (b"", {})
    is_same = scope == recorded.query_scope and all(recorded.digest(each) == known[each] for each in known)
    queries.set_input(FILES, None, None, is_changed=not is_same)
    queries.set_input(MANIFEST_FILE, None, recorded.content_digest(recorded.manifest_path))
    try:
        with recorded.queries.recording() as asked:
            yield queries
        examined = {**(known if is_same else {}), **recorded.examined(asked)}
        queries.set_input(FILES, None, (recorded.query_scope, examined), is_changed=False)
    finally:
        queries.end_check()


def set_program(queries: Database, reader: ScriptReader, layout: Layout, scripts: Sequence[Script]) -> None:
    """Sets the inputs of searches in the program. `scripts` are those of `layout`."""
    for placed, script in zip(layout.scripts, scripts, strict=True):
        location = placed.path, placed.body
        queries.set_input(ANALYZED_SCRIPT, None, (script, reader.shared_with(location)), (location,))
    queries.set_input(ANALYZED_SCRIPTS, None, scripts)
    queries.set_input(REALMS, None, shared_realms(layout))
    parts = (ANALYZED_SCRIPTS, FILES, MANIFEST_FILE)
    queries.set_input(PROGRAM, None, [queries.last_change(each) for each in parts])
