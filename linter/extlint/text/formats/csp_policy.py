"""Content security policies as lists of directives: their problems, and the code that they allow."""

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


_HASHES = frozenset({"sha256", "sha384", "sha512"})
ALLOWS_WEBASSEMBLY = "'wasm-unsafe-eval'"
_ANY_HOST = frozenset({"*", "http:", "https:", "ws:", "wss:"})
_SCRIPTS = lazy(r"(?i)(?:\A|;)\s*script-src\s[^;]*")
_EVERYTHING = lazy(r"(?i)(?:\A|;)\s*default-src\s[^;]*")
_EXACT = lazy(r"'(?:nonce|sha(?:256|384|512))-")


def allows_text(policy: str, text: str) -> bool:
    """Whether a policy allows an inline script with this text."""
    sources = _sources(policy, "script-src-elem")
    return sources is None or _allows_all(sources) or any(_may_match_text(each, text) for each in sources)


def allows_attributes(policy: str) -> bool:
    """Whether a policy may allow event handlers and `javascript:` URLs."""
    sources = _sources(policy, "script-src-attr")
    return sources is None or _allows_all(sources) or "'unsafe-hashes'" in map(str.lower, sources)


def allows_eval(policy: str) -> bool:
    """Whether a policy allows strings to run as code."""
    sources = _sources(policy, "script-src")
    return sources is None or "'unsafe-eval'" in map(str.lower, sources)


def allows_webassembly(policy: str) -> bool:
    """Whether a policy allows WebAssembly to be compiled."""
    sources = _sources(policy, "script-src")
    return allows_eval(policy) or (sources is not None and ALLOWS_WEBASSEMBLY in map(str.lower, sources))


def with_webassembly(policy: str) -> str | None:
    """Returns a policy that also allows WebAssembly, or None if its scripts have no sources to add to."""
    found = _SCRIPTS.search(policy) or _EVERYTHING.search(policy)
    if found is None or "'none'" in found[0].lower():
        return None
    return f"{policy[: found.end()].rstrip()} {ALLOWS_WEBASSEMBLY}{policy[found.end() :]}"


def may_allow_address(policy: str, address: str) -> bool:
    """Whether a policy may allow the script at a URL: whether it names its host, or all hosts.

    Paths and ports are not compared.
    """
    sources = _sources(policy, "script-src-elem")
    host = _host(address)
    return sources is None or any(_covers(each.lower(), host) for each in sources)


def blocking_directive(policy: str, directive: str, origin: str) -> str | None:
    """Returns the name of the directive that blocks loads from an origin, or None if it may allow them.

    That is the given one, or else the one for everything. Paths and ports are not compared, and an address
    over HTTPS is allowed where HTTP is.
    """
    found = _directive_for(policy, (directive, "default-src"))
    if found is None or any(_covers(each.lower(), _host(origin)) for each in found.values):
        return None
    return found.name


def _sources(policy: str, directive: str) -> Sequence[str] | None:
    """Returns the sources of a directive about scripts, or of its fallback, or None without either.

    Without sources, everything is allowed.
    """
    found = _directive_for(policy, (directive, "script-src", "default-src"))
    return None if found is None else found.values


def _directive_for(policy: str, names: Sequence[str]) -> Directive | None:
    """Returns the first directive with the first of some names that a policy has."""
    named = {each.name: each for each in reversed(directives_of(policy))}
    return next((named[each] for each in names if each in named), None)


def _allows_all(sources: Sequence[str]) -> bool:
    """Whether all inline code is allowed; a hash or a nonce disables `'unsafe-inline'`."""
    lower = [each.lower() for each in sources]
    return "'unsafe-inline'" in lower and not any(_EXACT.match(each) for each in lower)


def _may_match_text(source: str, text: str) -> bool:
    """Whether a source is the hash of a text, or a nonce, which the element may have."""
    name, _, digest = source.strip("'").partition("-")
    if name.lower() not in _HASHES:
        return name.lower() == "nonce"
    from base64 import b64encode
    from hashlib import new

    own = b64encode(new(name.lower(), text.encode()).digest()).decode()
    return own == digest.replace("-", "+").replace("_", "/")


def _host(address: str) -> str:
    return address.partition("//")[2].partition("/")[0].partition(":")[0].lower()


def _covers(source: str, host: str) -> bool:
    if source.startswith("'"):
        return False
    named = _host(source) if "//" in source else source.partition("/")[0].partition(":")[0]
    if source in _ANY_HOST or named == "*":
        return True
    return host.endswith(named[1:]) if named.startswith("*.") else host == named
