"""Which scripts are libraries, or were made by a tool of code that others wrote.

Such code has branches for environments that an extension never runs it in.
"""

from __future__ import annotations

from extlint.extension import Script
from extlint.text.patterns import lazy

_GENERATED = lazy(
    rb"__webpack_require__|__commonJS|__esModule|webpackChunk|parcelRequire|node_modules/|sourceMappingURL"
    rb"|@license|/\*!|\btypeof exports\b|\btypeof define\b"
    rb"|vite:preloadError|getDefaultExportFromCjs|\b__toESM\b"
)
_LIBRARY = lazy(r"(?i)(?:^|/)(?:node_modules|bower_components|third[-_]?party)/|[.-]min\.")
_MAX_LINE_BYTES = 300
"""The average length of the lines of a script from which on it counts as minified."""


def is_generated(script: Script) -> bool:
    """Whether a script seems to be a library, minified or a bundle."""
    text = script.index.text
    lines = text.count(b"\n") + 1
    return (
        len(text) > _MAX_LINE_BYTES * lines
        or _LIBRARY.search(script.path) is not None
        or _GENERATED.search(text) is not None
    )
