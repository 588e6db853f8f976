"""Content security policies as lists of directives, and their problems in any browser."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

DIRECTIVES = frozenset(
    """
    base-uri block-all-mixed-content child-src connect-src default-src fenced-frame-src font-src form-action
    frame-ancestors frame-src img-src manifest-src media-src navigate-to object-src plugin-types prefetch-src
    referrer reflected-xss report-to report-uri require-sri-for require-trusted-types-for sandbox script-src
    script-src-attr script-src-elem style-src style-src-attr style-src-elem treat-as-public-address
    trusted-types upgrade-insecure-requests webrtc worker-src
    """.split()
)
"""The directives that any browser knows or knew; others are ignored."""

KEYWORDS = frozenset(
    """
    inline-speculation-rules none report-sample self strict-dynamic trusted-types-eval unsafe-allow-redirects
    unsafe-eval unsafe-hashes unsafe-inline wasm-eval wasm-unsafe-eval
    """.split()
)

QUOTES = "'\"`‘’“”„´"

_WORD = lazy(r"[^ \t\n\f\r]++")
_WITH_SOURCES = lazy(
    r"[a-z-]++(?<=-src)|(?:script|style)-src-(?:attr|elem)|base-uri|form-action|frame-ancestors"
)


class Directive(Struct, frozen=True):
    """A directive: its name in lower case, its name as written, and its values."""

    name: str
    written: str
    values: tuple[str, ...]

    @property
    def has_sources(self) -> bool:
        """Whether its values are hosts, schemes and keywords."""
        return _WITH_SOURCES.fullmatch(self.name) is not None


def directives_of(text: str) -> list[Directive]:
    """Returns the directives of a policy, in order."""
    words = (_WORD.findall(part) for part in text.split(";"))
    return [Directive(name.lower(), name, tuple(values)) for name, *values in filter(None, words)]


def meant_keyword(source: str) -> str | None:
    """Returns the keyword (`'self'`) that a source misspells, or None if it is correct or something else."""
    bare = source.strip(QUOTES).lower()
    right = f"'{bare}'"
    if bare in KEYWORDS:
        return None if source.lower() == right else right
    if bare == source.lower():
        return None
    near = nearest(bare, KEYWORDS)
    return None if near is None else f"'{near}'"


def common_problem(directives: Sequence[Directive]) -> str | None:
    """Returns a problem of directives that every browser ignores or misinterprets, or None."""
    seen = set()
    for each in directives:
        if each.name not in DIRECTIVES:
            return f"unknown directive {quoted(each.written)}"
        if each.name in seen:
            return f"the directive {quoted(each.name)} is repeated, and only the first one counts"
        seen.add(each.name)
        for source in each.values if each.has_sources else ():
            if (keyword := meant_keyword(source)) is not None:
                return f"{quoted(source)} in {quoted(each.name)} is not the keyword {quoted(keyword)}"
    return None
