"""Recognizes scripts that are libraries, or that a tool generated from the code of others.

Such code has branches for environments in which an extension never runs.
"""

from __future__ import annotations

from extlint.analysis.syntax.generated import seems_generated
from extlint.extension import Script
from extlint.text.patterns import lazy

_LIBRARY = lazy(r"(?i)(?:^|/)(?:node_modules|bower_components|third[-_]?party)/|[.-]min\.")


def is_generated(script: Script) -> bool:
    """Whether a script seems to be a library, minified or a bundle."""
    return is_library(script) or seems_generated(script.index.text)


def is_library(script: Script) -> bool:
    """Whether the path of a script is that of a library, or of the minified form of one."""
    return _LIBRARY.search(script.path) is not None
