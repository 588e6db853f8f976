"""Recognizes scripts that are not code of the extension itself: of tests, of libraries, and of tools.

Code of libraries and tools has branches for environments in which an extension never runs.
"""

from __future__ import annotations

from extlint.extension import Script
from extlint.text.patterns import lazy

_TEST_FILE = lazy(
    r"(?:^|/)(?:tests?|__tests__|__mocks__|mocks?|specs?|e2e)/|[.\-_](?:test|spec|mock)s?\.\w+$"
    r"|(?:^|/)(?:test_[^/]*|conftest)\.py$|\.hot-update\.m?js$"
)
_TEST = lazy(rb"(?<![\w$.])(?:describe|it|suite|test)\(\s*[\"'`]")


def is_test_script(script: Script) -> bool:
    """Whether nothing loads a script, and its path is that of a test, or of an update of the code.

    The development server of webpack writes updates for pages that are open (`a.0123.hot-update.js`).
    """
    return not script.contexts and is_test_path(script.path)


def defines_tests(script: Script) -> bool:
    """Whether a script with the path of a test defines tests, also if a page of the extension runs them."""
    return is_test_path(script.path) and _TEST.search(script.index.text) is not None


def is_test_path(path: str) -> bool:
    """Whether a path is that of a test, by the name of the file or of a folder."""
    return _TEST_FILE.search(path.lower()) is not None


_LIBRARY = lazy(r"(?i)(?:^|/)(?:node_modules|bower_components|third[-_]?party)/|[.-]min\.")


def is_generated(script: Script) -> bool:
    """Whether a script seems to be a library, minified or a bundle."""
    from extlint.analysis.syntax.build_signs import seems_generated

    return is_library(script) or seems_generated(script.index.text)


def is_library(script: Script) -> bool:
    """Whether the path of a script is that of a library, or of the minified form of one."""
    return _LIBRARY.search(script.path) is not None
