"""The targets that ignore manifest keys that name scripts and pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.manifest.file_keys import FileReference, file_references
from extlint.manifest.manifest import Manifest, once_per_manifest
from extlint.targets.request import CHROME, EDGE, FIREFOX, FIREFOX_ANDROID, SAFARI, Target
from extlint.text.positions import ByteSpan

_FIREFOX = (FIREFOX, FIREFOX_ANDROID)
_CHROMIUM = (CHROME, EDGE)
_NOT_GECKO = (*_CHROMIUM, SAFARI)
_NOT_CHROMIUM = (*_FIREFOX, SAFARI)
READERS = (*_FIREFOX, *_NOT_GECKO)
"""The targets that read a manifest of their own."""

IGNORED_KEYS: Mapping[str, Mapping[int, tuple[str, ...]]] = {
    "background/page": {3: _CHROMIUM},
    "background/scripts": {3: _CHROMIUM},
    "background/service_worker": {2: _FIREFOX, 3: _FIREFOX},
    "chrome_url_overrides/bookmarks": {2: _NOT_CHROMIUM, 3: _NOT_CHROMIUM},
    "chrome_url_overrides/history": {2: _NOT_CHROMIUM, 3: _NOT_CHROMIUM},
    "chrome_url_overrides/newtab": {2: (FIREFOX_ANDROID,), 3: (FIREFOX_ANDROID,)},
    "devtools_page": {2: (FIREFOX_ANDROID,), 3: (FIREFOX_ANDROID,)},
    "experiment_apis": {2: _NOT_GECKO, 3: _NOT_GECKO},
    "file_handlers": {3: _FIREFOX},
    "input_components": {2: _FIREFOX, 3: _FIREFOX},
    "page_action": {3: _NOT_GECKO},
    "protocol_handlers": {2: _NOT_GECKO, 3: _NOT_GECKO},
    "sandbox": {2: (SAFARI,), 3: (SAFARI,)},
    "side_panel": {3: _NOT_CHROMIUM},
    "sidebar_action": {2: (FIREFOX_ANDROID, *_NOT_GECKO), 3: (FIREFOX_ANDROID, *_NOT_GECKO)},
    "user_scripts": {2: _NOT_GECKO},
}
"""The targets that ignore a key in a manifest version in which other targets read it.

The schemas of these targets in `extlint_schemas/manifests/` do not define the key. Firefox knows
`service_worker`, but runs no service worker. Keys that no target reads are not listed: they are mistakes for
other keys.
"""

_BACKGROUNDS = frozenset({"background/page", "background/scripts", "background/service_worker"})


def targets_ignoring(manifest: Manifest, name: FileReference) -> frozenset[str]:
    """Returns the targets in which a manifest does not load a file that it names.

    These targets ignore the key, or a build keeps it for other browsers only. A background that a browser
    ignores is treated as read, unless the browser reads another one: without any, it rejects the extension.
    """
    found = _read_names_by_target(manifest)
    return frozenset(target for target in READERS if name.node.span not in found[target])


@once_per_manifest
def _read_names_by_target(manifest: Manifest) -> Mapping[str, frozenset[ByteSpan]]:
    """Returns the spans of the file names that each target reads."""
    return {
        target: frozenset(_read_names(manifest.original.for_target(Target(target)), target))
        for target in READERS
    }


def _read_names(manifest: Manifest, target: str) -> Iterator[ByteSpan]:
    """Yields the spans of the file names that a target reads."""
    names = [(each, *ignored_key(each.pointer, manifest.version)) for each in file_references(manifest)]
    has_own = any(key in _BACKGROUNDS and target not in passing_over for _, key, passing_over in names)
    for each, key, passing_over in names:
        if target not in passing_over or (key in _BACKGROUNDS and not has_own):
            yield each.node.span


def ignored_key(pointer: str, version: int) -> tuple[str, tuple[str, ...]]:
    """Returns the key at a JSON pointer, and the targets that ignore it."""
    steps = [step for step in pointer.split("/")[1:] if not step.isdecimal()]
    prefixes = ["/".join(steps[:size]) for size in range(1, len(steps) + 1)]
    key = next((each for each in prefixes if each in IGNORED_KEYS), prefixes[-1])
    return key, IGNORED_KEYS.get(key, {}).get(version, ())
