"""Questions about the source text of all scripts: what may happen where no analysis follows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from extlint.extension import Extension, once_per_extension
from extlint.text.patterns import lazy

_BROWSER_TEST = lazy(
    rb"(?<![a-z])is_?(?:firefox|ff|gecko|chrom(?:e|ium)\w*|safari|edge|opera|thunderbird|mv[23])\b"
    rb"|(?<![a-z])user_?agent|getBrowserInfo|moz-extension"
    rb"|__(?:firefox|chrome|chromium|thunderbird|safari|mv[23])\w*__|\bbrowser_?(?:name|type)\b"
    rb"|(?:process|import\.meta)\.env\.(?:\w*_)?(?:browser|firefox|chrome|chromium|manifest|mv[23]?)(?![a-z])"
    rb"|webpackmode|navigator\.vendor",
    re.IGNORECASE,
)


@once_per_extension
def tests_for_browser(extension: Extension) -> bool:
    """Whether some script seems to test which browser it runs in."""
    return any(map(_BROWSER_TEST.search, _texts(extension)))


@once_per_extension
def assigns_global(extension: Extension) -> Callable[[str], bool]:
    """A predicate of the names of globals: whether some script declares the global or assigns to it."""
    return _search_for_names(
        _texts(extension),
        rb"(?<![\w$])(?:var|let|const|function|class)\s+%(name)b(?![\w$])|(?<![\w$])%(name)b\s*=(?!=)",
    )


@once_per_extension
def defines_property(extension: Extension) -> Callable[[str], bool]:
    """A predicate of names: whether some script assigns, defines or lists a property of that name."""
    return _search_for_names(
        _texts(extension),
        rb"\.%(name)b\s*=(?!=)|(?<![\w$.])%(name)b\s*:"
        rb"|(?<![\w$.])%(name)b\s*\([^()]*\)\s*\{|[\"'`]%(name)b[\"'`]",
    )


@once_per_extension
def _texts(extension: Extension) -> tuple[bytes, ...]:
    """The text of each file with scripts, once: a page may have many."""
    return tuple({script.path: script.index.text for script in extension.scripts}.values())


def _search_for_names(texts: Sequence[bytes], pattern: bytes) -> Callable[[str], bool]:
    """A predicate of names: whether a pattern with the name filled in matches in a text. Memoized."""
    known: dict[str, bool] = {}

    def is_found(name: str) -> bool:
        if name not in known:
            word = name.encode()
            expression = re.compile(pattern % {b"name": re.escape(word)})
            known[name] = any(word in text and expression.search(text) for text in texts)
        return known[name]

    return is_found
