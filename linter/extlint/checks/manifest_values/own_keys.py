"""Keys that the extension itself reads from its manifest, by `runtime.getManifest`."""

from __future__ import annotations

from extlint.analysis.values.api_results import ITEM, MANIFEST
from extlint.extension import Extension
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.schema.validation.mistake import Mistake


def is_own_key(extension: Extension, mistake: Mistake) -> bool:
    """Whether a script of the extension reads an unknown key, which browsers keep in the manifest.

    If a script passes on the object with the key, any script may read it, unless its name is a misspelling.
    Verified in Chromium 156 and Firefox 153.
    """
    key = str(mistake.steps[-1])
    read, passed_on = _read_keys(extension)
    if key in read:
        return True
    steps = tuple(ITEM if isinstance(each, int) else each for each in mistake.steps)
    if mistake.suggestion is not None or not any(steps[: len(each)] == each for each in passed_on):
        return False
    return words_of(extension).has_unresolved(key, only_keys=True)


@query(is_of_package=True)
def _read_keys(extension: Extension) -> tuple[frozenset[str], frozenset[tuple[str, ...]]]:
    """Returns the keys that scripts read, and the steps to the parts of the manifest that they pass on."""
    facts = [script.facts for script in extension.scripts]
    passed_on = (each for every in facts for each in every.escaped_results if each.path == MANIFEST)
    return (
        frozenset(key for every in facts for key in every.manifest_keys),
        frozenset(each.steps for each in passed_on),
    )
