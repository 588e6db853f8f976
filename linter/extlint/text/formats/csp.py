"""Content security policies of extensions, as each browser rejects or ignores them.

Firefox's rules are those of its add-on policy service, Chrome's those of its check of manifests. Verified in
both browsers, except Chrome's Manifest V2, which it no longer loads.

Policies that browsers reject or misread are corrected, if the intention is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from extlint.text.formats.csp_policy import (
    DIRECTIVES,
    QUOTES,
    Directive,
    common_problem,
    directives_of,
    meant_keyword,
)
from extlint.text.formats.registry import Problem
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.wording import quoted

MAX_POLICY_LENGTH = 2_000
"""The maximum number of code points in a policy that is corrected."""

_JOINED = lazy(r"([A-Za-z-]++)[:=]++([\s\S]*+)")
_COMMA = lazy(r"\s*+,\s*+(?=([A-Za-z-]*+))")
_STRAIGHT = dict.fromkeys(map(ord, QUOTES), "'")


def corrected_policy(text: str) -> str | None:
    """Returns the policy with corrected directives and keywords, or None if the intent is unclear.

    Browsers may still reject the result.
    """
    if len(text) > MAX_POLICY_LENGTH:
        return None
    plain = _COMMA.sub(
        lambda comma: "; " if comma[1].lower() in DIRECTIVES else " ", text.translate(_STRAIGHT)
    )
    parts = []
    for directive in directives_of(plain):
        name, values = _name_and_values(directive)
        if name is None:
            return None
        if directive.has_sources or name != directive.name:
            values = tuple(meant_keyword(each) or each for each in values)
        parts.append(" ".join([name, *values]))
    return "; ".join(parts)


def _name_and_values(directive: Directive) -> tuple[str | None, tuple[str, ...]]:
    if directive.name in DIRECTIVES:
        return directive.written, directive.values
    joined = _JOINED.fullmatch(directive.written)
    name, first = (joined[1], joined[2]) if joined else (directive.written, "")
    values = (first, *directive.values) if first else directive.values
    return name if name.lower() in DIRECTIVES else nearest(name.lower(), DIRECTIVES), values


SANDBOX_VALUES = tuple(
    """
    allow-downloads allow-forms allow-modals allow-orientation-lock allow-pointer-lock allow-popups
    allow-popups-to-escape-sandbox allow-presentation allow-same-origin allow-scripts
    allow-storage-access-by-user-activation allow-top-navigation allow-top-navigation-by-user-activation
    allow-top-navigation-to-custom-protocols
    """.split()
)

_Policy = Mapping[str, Directive]
"""The directives by name; the first of those with the same name."""

_LINE_BREAK = "it cannot contain a line break"
_FORBIDDEN_CHARACTERS = {
    ",": "it cannot contain a comma; directives end with `;`",
    "\n": _LINE_BREAK,
    "\r": _LINE_BREAK,
}

_HARMLESS = frozenset({"'self'", "'none'", "'wasm-unsafe-eval'"})
_INVALID_IN_HEADER = lazy(r"[\x00-\x08\x0a\x0b\x0d-\x1f\x7f,]")
_NON_ASCII = lazy(r"[^\x00-\x7f]")
_LOCAL = lazy(r"(https?)://(?:localhost|127\.0\.0\.1)(?::[^/?#]*+)?+(?:/[\s\S]*+)?+")
_LOCAL_IN_CHROME = lazy(r"http://(?:localhost|127\.0\.0\.1)(?::[^/?#]*+)?+/?+")
_BARE_SCHEME = lazy(r"([a-z][a-z0-9+.-]*+):")
_WITH_SCHEME = lazy(r"([a-z][a-z0-9+.-]*+)://([^/:]++)[\s\S]*+")
_WIDE_HOST = lazy(r"\*(?:\.[^.]++)?+")
_HASH = lazy(r"'sha(?:256|384|512)-[A-Za-z0-9+/_-]++={0,2}+'")
_FORBIDDEN_IN_FIREFOX = frozenset(
    {"unsafe-inline", "strict-dynamic", "unsafe-hashes", "report-sample", "trusted-types-eval"}
)


def firefox_2(text: str) -> Problem | None:
    """Checks `content_security_policy` in Firefox: it allows eval, and scripts of named hosts via https."""
    return _check_policy(text, lambda policy: _wrong_in_firefox(policy, version=2))


def firefox_3(text: str) -> Problem | None:
    """Checks `extension_pages` in Firefox: neither eval nor remote scripts, except localhost's."""
    return _check_policy(text, lambda policy: _wrong_in_firefox(policy, version=3))


def chrome_2(text: str) -> Problem | None:
    """Checks `content_security_policy` in Chrome's Manifest V2, which ignores insecure sources."""
    return _check_policy(text, _wrong_in_chrome_2, is_header=True)


def chrome_3(text: str) -> Problem | None:
    """Checks `extension_pages` in Chrome: only scripts of the package, and of localhost in development."""
    return _check_policy(text, _wrong_in_chrome_3, is_header=True)


def sandbox(text: str) -> Problem | None:
    """Checks the policy of sandboxed pages, which puts them in a sandbox with an origin of their own."""
    return _check_policy(text, _wrong_in_sandbox, is_header=True)


def _check_policy(
    text: str, wrong: Callable[[_Policy], str | None], *, is_header: bool = False
) -> Problem | None:
    reason = _reason(text, wrong, is_header)
    if reason is None:
        return None
    suggestion = corrected_policy(text)
    if suggestion is None or suggestion == text or _reason(suggestion, wrong, is_header) is not None:
        return Problem(reason)
    return Problem(reason, suggestion)


def _reason(text: str, wrong: Callable[[_Policy], str | None], is_header: bool) -> str | None:
    refused = _INVALID_IN_HEADER.search(text) if is_header else None
    if refused:
        return _FORBIDDEN_CHARACTERS.get(refused[0], f"it cannot contain {quoted(refused[0])}")
    directives = directives_of(text)
    if (reason := common_problem(directives)) is not None:
        return reason
    if foreign := _NON_ASCII.search(text):
        return f"it cannot contain {quoted(foreign[0])}"
    return wrong({each.name: each for each in reversed(directives)})


def _wrong_in_firefox(policy: _Policy, version: int) -> str | None:
    scripts, default = policy.get("script-src"), policy.get("default-src")
    if scripts is None and (default is None or _source_rejected_by_firefox(default, version=None)):
        tail = "" if default is None else "; `default-src` can replace it only with sources in the package"
        return f"`script-src` is missing{tail}"
    for each in (scripts, policy.get("worker-src", policy.get("child-src"))):
        refused = None if each is None else _source_rejected_by_firefox(each, version)
        if each is not None and refused is not None:
            return _not_allowed_message(refused, each.name, version)
    if scripts is not None and "'self'" not in map(str.lower, scripts.values):
        return "`script-src` must include `'self'`"
    return None


def _source_rejected_by_firefox(directive: Directive, version: int | None) -> str | None:
    """Returns the first source that Firefox rejects; without a version, by the rules of `default-src`."""
    return next((each for each in directive.values if _is_rejected_by_firefox(each.lower(), version)), None)


def _is_rejected_by_firefox(source: str, version: int | None) -> bool:
    if source == "*" or source.startswith(("*:", "moz-extension://*")):
        return True
    if source.startswith("'"):
        bare = source.strip("'")
        return (
            bare in _FORBIDDEN_IN_FIREFOX
            or bare.startswith("nonce-")
            or (bare == "unsafe-eval" and version != 2)
            or (bare == "wasm-unsafe-eval" and version is None)
        )
    if (bare_scheme := _BARE_SCHEME.fullmatch(source)) is not None:
        return bare_scheme[1] not in ("blob", "filesystem")
    if _LOCAL.fullmatch(source):
        return version is None
    remote = _WITH_SCHEME.fullmatch(source)
    if remote is None or remote[2].startswith("["):
        return False
    if remote[1] == "https" and version == 2:
        return _WIDE_HOST.fullmatch(remote[2]) is not None
    return remote[1] not in ("blob", "filesystem", "moz-extension")


def _wrong_in_chrome_2(policy: _Policy) -> str | None:
    for name in ("script-src", "object-src", "default-src"):
        for source in policy[name].values if name in policy else ():
            if not _is_secure_in_chrome_2(source):
                return _not_allowed_message(source, name, 2)
    return None


def _is_secure_in_chrome_2(source: str) -> bool:
    lower = source.lower()
    if lower in _HARMLESS or lower in (
        "'unsafe-eval'",
        "'wasm-eval'",
        "'report-sample'",
        "blob:",
        "filesystem:",
    ):
        return True
    if _HASH.fullmatch(source) or lower.startswith("chrome-extension-resource:") or _LOCAL.fullmatch(lower):
        return True
    remote = _WITH_SCHEME.fullmatch(lower)
    if remote is None:
        return lower.startswith("chrome-extension-resource:")
    return remote[1] in ("chrome", "chrome-extension") or (
        remote[1] == "https" and _WIDE_HOST.fullmatch(remote[2]) is None
    )


def _wrong_in_chrome_3(policy: _Policy) -> str | None:
    scripts = policy.get("script-src", policy.get("default-src"))
    if scripts is None:
        return "`script-src` is missing"
    for each in (scripts, policy.get("object-src"), policy.get("worker-src")):
        for source in () if each is None else each.values:
            lower = source.lower()
            if lower not in _HARMLESS and _LOCAL_IN_CHROME.fullmatch(lower) is None:
                return _not_allowed_message(source, "" if each is None else each.name, 3)
    return None


def _not_allowed_message(source: str, directive: str, version: int) -> str:
    message = f"{quoted(source)} is not allowed in {quoted(directive)}"
    if version == 3 and not source.startswith("'"):
        return f"{message}, because Manifest V3 does not allow remote code"
    if source.lower().startswith("http://"):
        return f"{message}; `https://` is"
    return message


def _wrong_in_sandbox(policy: _Policy) -> str | None:
    directive = policy.get("sandbox")
    if directive is None:
        return "the directive `sandbox` is missing"
    for value in directive.values:
        lower = value.lower()
        if lower == "allow-same-origin":
            return "`allow-same-origin` would defeat the sandbox"
        if lower not in SANDBOX_VALUES and nearest(lower.strip("'"), (*SANDBOX_VALUES, "")) is not None:
            return f"`sandbox` does not accept {quoted(value)}"
    return None
