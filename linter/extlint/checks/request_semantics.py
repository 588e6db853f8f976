"""Checks how the parts of a declarativeNetRequest rule must relate to each other.

Each browser checks this after the types of values. Each check was verified in Firefox 153 and Chromium 156.
If a check names one of the two, the other accepts the rule. Values of a wrong type are ignored here, as they
are reported elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from msgspec.structs import replace

from extlint.checks.request_regex import capturing_groups, chrome_rejection, firefox_rejection
from extlint.schema.engine import Engine
from extlint.schema.validation.mistake import Mistake, Reaction, Steps
from extlint.schema.words.formats import example_help
from extlint.text.formats.host import MAX_PORT
from extlint.text.formats.registry import problem
from extlint.text.json.values import JsonValue
from extlint.text.nearest import suggest_name
from extlint.text.patterns import lazy
from extlint.text.wording import (
    cannot_be_combined,
    listed,
    must_be,
    must_not_be_empty,
    not_valid,
    quoted,
    with_article,
)

Object: TypeAlias = Mapping[str, JsonValue]

_DESTINATIONS = ("url", "extensionPath", "transform", "regexSubstitution")
_HEADERS = ("requestHeaders", "responseHeaders")
_FRAMES = ("main_frame", "sub_frame")
_FOR_SESSIONS = ("tabIds", "excludedTabIds")
_EXCLUDED_BY = {"resourceTypes": "excludedResourceTypes", "requestMethods": "excludedRequestMethods"}
_PAIRED = frozenset((*_FOR_SESSIONS, *_EXCLUDED_BY.values(), "requestMethods"))
_DOMAINS = ("initiatorDomains", "excludedInitiatorDomains", "requestDomains", "excludedRequestDomains")
_OLD_DOMAINS = {"domains": "initiatorDomains", "excludedDomains": "excludedInitiatorDomains"}
_DOMAINS_OF_CHROME = frozenset((*_DOMAINS, *_OLD_DOMAINS, "topDomains"))
_PLAIN_DOMAINS = lazy(r"(?:\x00(?:[a-z0-9-]++\.)*+[a-z][a-z0-9-]*+)++")
_MATCHING_NO_DOMAIN = lazy(r"\x00[^\x00\[]*?[/*:\s]")
"""Matches domains that no request has in Chrome (`testMatchOutcome` of Chromium 156), with a scheme or a `*`.

An address of version 6 is in brackets.
"""

_TYPES_OF_CHROME = frozenset(
    {
        "main_frame",
        "sub_frame",
        "stylesheet",
        "script",
        "image",
        "font",
        "object",
        "xmlhttprequest",
        "ping",
        "csp_report",
        "media",
        "websocket",
        "webtransport",
        "webbundle",
        "other",
    }
)
_SCHEMES = {
    Engine.GECKO: ("http", "https", "moz-extension"),
    Engine.CHROMIUM: ("http", "https", "ftp", "chrome-extension"),
}
_APPENDABLE = frozenset(
    {
        "accept",
        "accept-encoding",
        "accept-language",
        "access-control-request-headers",
        "cache-control",
        "connection",
        "content-language",
        "cookie",
        "forwarded",
        "if-match",
        "if-none-match",
        "keep-alive",
        "range",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "user-agent",
        "via",
        "want-digest",
        "x-forwarded-for",
    }
)
"""The request headers to which Chrome can append."""

_RE2 = "Chrome uses RE2, which does not support look-around or back references"

_A_PUNYCODE = "in Punycode, `bücher.example` is `xn--bcher-kva.example`"
_A_HEADER = "a valid name is `User-Agent`"

_TOKEN = lazy(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_NO_DIGIT = lazy(r"[^0-9]")
_PLACEHOLDER = lazy(r"\\(.?)", re.DOTALL)
_URL = lazy(r"[\x00-\x20]*(?![Hh][Tt][Tt][Pp][Ss]?:[/\\]*$)[A-Za-z][A-Za-z0-9+.\-\t\n\r]*:")
_SCRIPT_URL = lazy(r"[\x00-\x20]*javascript:", re.IGNORECASE)
_INVALID_HOST = lazy(r"|.*[\x00-\x20].*|[^\[\]]*:[0-9]*", re.DOTALL)


def semantic_mistakes(rule: Object, engine: Engine) -> Iterator[Mistake]:
    """Yields the mistakes for which a browser rejects a rule, with paths that begin in the rule."""
    condition, action = _object(rule.get("condition")), _object(rule.get("action"))
    if engine is Engine.CHROMIUM:
        for key in ("id", "priority"):
            if isinstance(rule.get(key), float):
                yield _value((key,), f"{quoted(key)} must be a whole number without a decimal point")
    yield from _filters(condition)
    yield from _regex(condition, action, engine)
    yield from _lists(condition, engine)
    kind = action.get("type")
    if kind == "allowAllRequests":
        yield from _only_frames(condition)
    elif kind == "redirect":
        yield from _redirect(action, condition, engine)
    elif kind == "modifyHeaders":
        yield from _headers(action, engine)
        if engine is Engine.CHROMIUM and condition.get("responseHeaders") and action.get("requestHeaders"):
            message = "a rule with conditions on response headers runs too late for `requestHeaders`"
            related_steps = ("condition", "responseHeaders")
            steps = ("action", "requestHeaders")
            yield Mistake("conflicting-keys", steps, message, at_key=True, related_steps=related_steps)


def _filters(condition: Object) -> Iterator[Mistake]:
    url, regex = condition.get("urlFilter"), condition.get("regexFilter")
    if url is not None and regex is not None:
        yield _conflict(("condition", "regexFilter"), "urlFilter")
    for key, text in (("urlFilter", url), ("regexFilter", regex)):
        steps = ("condition", key)
        if not isinstance(text, str):
            continue
        if not text:
            yield _value(steps, must_not_be_empty(key))
        elif not text.isascii():
            odd = next(each for each in text if not each.isascii())
            yield _value(
                steps,
                f"{quoted(key)} must be ASCII, but {_shown(odd)} is not",
                "write such characters percent-encoded, and hosts in Punycode",
            )
        elif key == "urlFilter" and text.startswith("||*"):
            yield _value(
                steps, f"{quoted(key)} must not begin with `||*`", "remove `||`; `*` matches any text"
            )


def _regex(condition: Object, action: Object, engine: Engine) -> Iterator[Mistake]:
    """Yields the error of a browser's engine about the regular expression."""
    pattern = condition.get("regexFilter")
    if not isinstance(pattern, str) or not pattern or not pattern.isascii():
        return
    if engine is Engine.GECKO:
        refusal = firefox_rejection(pattern)
    else:
        refusal = chrome_rejection(
            pattern,
            case_sensitive=condition.get("isUrlFilterCaseSensitive") is True,
            captures=_object(action.get("redirect")).get("regexSubstitution") is not None,
        )
    if refusal is None:
        return
    steps = ("condition", "regexFilter")
    if refusal.too_large:
        message = f"Chrome skips a rule with this regular expression: {refusal.why}"
        yield Mistake("invalid-value", steps, message, reaction=Reaction.IGNORES)
        return
    message = f"this regular expression is not valid: {refusal.why}"
    yield _value(steps, message, _RE2 if engine is Engine.CHROMIUM else None)


def _lists(condition: Object, engine: Engine) -> Iterator[Mistake]:
    if not _PAIRED.isdisjoint(condition):
        yield from _pairs(condition, engine)
    if engine is Engine.GECKO:
        yield from _domains_of_firefox(condition)
        return
    yield from _domains_of_chrome(condition)
    if "responseHeaders" in condition or "excludedResponseHeaders" in condition:
        yield from _response_headers(condition)


def _pairs(condition: Object, engine: Engine) -> Iterator[Mistake]:
    for key in _FOR_SESSIONS:
        if condition.get(key) is not None:
            message = f"{quoted(key)} is only for session rules, which scripts add"
            yield Mistake("invalid-value", ("condition", key), message, at_key=True)
    for key, other in _EXCLUDED_BY.items():
        included = set(_texts(condition.get(key)))
        for index, each in enumerate(_list(condition.get(other)) if included else ()):
            if isinstance(each, str) and each in included:
                yield _value(("condition", other, index), f"{quoted(each)} is also in {quoted(key)}")
    if engine is Engine.CHROMIUM:
        if _TYPES_OF_CHROME.issubset(_texts(condition.get("excludedResourceTypes"))):
            message = "every resource type is excluded, so the rule never matches"
            yield _value(("condition", "excludedResourceTypes"), message)
        return
    for key in ("requestMethods", "excludedRequestMethods"):
        for index, each in enumerate(_list(condition.get(key))):
            if isinstance(each, str) and each != each.lower():
                mistake = _value(("condition", key, index), f"{quoted(each)} must be lowercase")
                yield replace(mistake, suggestion=each.lower())


def _domains_of_firefox(condition: Object) -> Iterator[Mistake]:
    for key in _DOMAINS:
        texts = _texts(condition.get(key))
        if not texts or _PLAIN_DOMAINS.fullmatch("".join([f"\0{each}" for each in texts])):
            continue
        for index, each in enumerate(_list(condition.get(key))):
            if not isinstance(each, str) or _PLAIN_DOMAINS.fullmatch(f"\0{each}"):
                continue
            mistake = _invalid_domain(("condition", key, index), each)
            if mistake is not None:
                yield mistake


def _domains_of_chrome(condition: Object) -> Iterator[Mistake]:
    for old, new in _OLD_DOMAINS.items() if not _OLD_DOMAINS.keys().isdisjoint(condition) else ():
        if condition.get(old) is not None and condition.get(new) is not None:
            yield _conflict(("condition", old), new)
    for key, listed_domains in condition.items():
        if key not in _DOMAINS_OF_CHROME:
            continue
        texts = "".join([f"\0{each}" for each in _texts(listed_domains)])
        if texts.isascii() and _MATCHING_NO_DOMAIN.search(texts) is None:
            continue
        for index, each in enumerate(_list(listed_domains)):
            steps = ("condition", key, index)
            if isinstance(each, str) and not each.isascii():
                message = f"{quoted(each)} must be ASCII (Punycode)"
                yield _value(steps, message, _A_PUNYCODE)
            elif isinstance(each, str) and _MATCHING_NO_DOMAIN.match(f"\0{each}"):
                mistake = _invalid_domain(steps, each)
                if mistake is not None:
                    yield replace(mistake, reaction=Reaction.IGNORES)


def _invalid_domain(steps: Steps, text: str) -> Mistake | None:
    """Returns the mistake of a domain that is not one."""
    why = problem("canonical-domain", text)
    if why is None:
        return None
    message = f"{not_valid(text, 'domain name')}: {why.message}"
    help = None if why.suggestion else example_help("canonical-domain")
    return replace(_value(steps, message, help), suggestion=why.suggestion)


def _response_headers(condition: Object) -> Iterator[Mistake]:
    names: set[str] = set()
    for key in ("responseHeaders", "excludedResponseHeaders"):
        own = []
        for index, each in enumerate(_list(condition.get(key))):
            name = _object(each).get("header")
            steps = ("condition", key, index, "header")
            if isinstance(name, str) and _TOKEN.fullmatch(name) is None:
                yield _value(steps, not_valid(name, "header name"), _A_HEADER)
            elif isinstance(name, str) and name.lower() in names:
                yield _value(steps, f"{quoted(name)} is also in `responseHeaders`")
            own.append(name)
        names |= {name.lower() for name in own if isinstance(name, str)}


def _only_frames(condition: Object) -> Iterator[Mistake]:
    types = condition.get("resourceTypes")
    if types is None:
        message = "a rule that allows all requests requires `resourceTypes` in its condition"
        yield _missing(("condition",), "resourceTypes", message)
    for index, each in enumerate(_list(types)):
        if each not in _FRAMES:
            message = "a rule that allows all requests accepts only `main_frame` and `sub_frame`"
            yield _value(("condition", "resourceTypes", index), message)


def _redirect(action: Object, condition: Object, engine: Engine) -> Iterator[Mistake]:
    redirect = action.get("redirect")
    if redirect is None:
        message = "a rule that redirects requires `redirect`, which says where to go"
        yield _missing(("action",), "redirect", message)
    if not isinstance(redirect, Mapping):
        return
    destinations = [key for key in _DESTINATIONS if redirect.get(key) is not None]
    if not destinations and all(key in _DESTINATIONS for key in redirect):
        names = listed([quoted(key) for key in _DESTINATIONS], "or")
        yield _missing(("action", "redirect"), "url", f"`redirect` requires {names}")
    if engine is Engine.GECKO:
        for key in destinations[1:]:
            yield _conflict(("action", "redirect", key), destinations[0])
    checks: dict[str, Callable[[], Iterator[Mistake]]] = {
        "url": partial(_url, redirect.get("url")),
        "extensionPath": partial(_path, redirect.get("extensionPath")),
        "transform": partial(_transform, _object(redirect.get("transform")), engine),
        "regexSubstitution": partial(_substitution, redirect.get("regexSubstitution"), condition, engine),
    }
    # Chrome uses the first destination, and ignores the others.
    for key in destinations if engine is Engine.GECKO else destinations[:1]:
        yield from checks[key]()


def _url(url: JsonValue) -> Iterator[Mistake]:
    steps = ("action", "redirect", "url")
    if not isinstance(url, str):
        return
    if _URL.match(url) is None:
        is_path = url.startswith("/")
        help = "use `extensionPath` for a page of the extension" if is_path else example_help("url")
        yield _value(steps, must_be("`url`", "an absolute URL", quoted(url)), help)
    elif _SCRIPT_URL.match(url):
        yield _value(steps, "no browser redirects to a `javascript:` URL", example_help("url"))


def _path(path: JsonValue) -> Iterator[Mistake]:
    if isinstance(path, str) and not path.startswith("/"):
        help = f"write {quoted('/' + path)}" if path else "a valid path is `/blocked.html`"
        yield _value(("action", "redirect", "extensionPath"), "`extensionPath` must begin with `/`", help)


def _transform(transform: Object, engine: Engine) -> Iterator[Mistake]:
    steps = ("action", "redirect", "transform")
    if transform.get("query") is not None and transform.get("queryTransform") is not None:
        yield _conflict((*steps, "queryTransform"), "query")
    scheme = transform.get("scheme")
    if engine is Engine.CHROMIUM and isinstance(scheme, str) and scheme not in _SCHEMES[engine]:
        names = listed([quoted(each) for each in _SCHEMES[engine]], "or")
        mistake = _value((*steps, "scheme"), f"`scheme` cannot be {quoted(scheme)}")
        yield replace(
            mistake, suggestion=suggest_name(scheme, _SCHEMES[engine]), accepted=f"it can be {names}"
        )
    for key, mark in (("query", "?"), ("fragment", "#")):
        text = transform.get(key)
        if isinstance(text, str) and text and not text.startswith(mark):
            message = f"{quoted(key)} must begin with `{mark}`, or be empty"
            yield _value((*steps, key), message, f"write {quoted(mark + text)}")
    host = transform.get("host")
    if engine is Engine.GECKO and isinstance(host, str) and _INVALID_HOST.fullmatch(host):
        message = not_valid(host, "host") if host else must_not_be_empty("host")
        yield _value((*steps, "host"), message, "a valid host is `example.org`")
    port = transform.get("port")
    if isinstance(port, str) and port and (_NO_DIGIT.search(port) or int(port[:6]) > MAX_PORT):
        yield _value((*steps, "port"), f"`port` must be a number of at most {MAX_PORT}, or empty")


def _substitution(text: JsonValue, condition: Object, engine: Engine) -> Iterator[Mistake]:
    steps = ("action", "redirect", "regexSubstitution")
    regex = condition.get("regexFilter")
    if regex is None:
        message = "`regexSubstitution` requires `regexFilter` in the condition"
        yield _missing(("condition",), "regexFilter", message)
    if not isinstance(text, str):
        return
    if engine is Engine.CHROMIUM and not text:
        yield _value(steps, must_not_be_empty("regexSubstitution"))
    groups = capturing_groups(regex) if isinstance(regex, str) and engine is Engine.CHROMIUM else None
    for found in _PLACEHOLDER.finditer(text):
        mark = found[1]
        if mark == "\\":
            continue
        if mark not in tuple("0123456789"):
            yield _value(
                steps, f"`\\` must be followed by a digit or another `\\`, unlike in {quoted(found[0])}"
            )
            return
        if groups is not None and int(mark) > groups:
            yield _value(steps, f"{quoted(found[0])} refers to a group that `regexFilter` does not have")
            return


def _headers(action: Object, engine: Engine) -> Iterator[Mistake]:
    if all(action.get(key) is None for key in _HEADERS):
        message = "a rule that modifies headers requires `requestHeaders` or `responseHeaders`"
        yield _missing(("action",), "requestHeaders", message)
    for key in _HEADERS:
        if engine is Engine.CHROMIUM and action.get(key) == []:
            yield _value(("action", key), must_not_be_empty(key))
        for index, each in enumerate(_list(action.get(key))):
            if isinstance(each, Mapping):
                yield from _header(each, ("action", key, index), engine)


def _header(header: Object, steps: Steps, engine: Engine) -> Iterator[Mistake]:
    name, operation, value = header.get("header"), header.get("operation"), header.get("value")
    if isinstance(name, str):
        if not name:
            yield _value((*steps, "header"), must_not_be_empty("header"))
        elif engine is Engine.CHROMIUM and _TOKEN.fullmatch(name) is None:
            yield _value((*steps, "header"), not_valid(name, "header name"), _A_HEADER)
        elif (
            engine is Engine.CHROMIUM
            and operation == "append"
            and "requestHeaders" in steps
            and name.lower() not in _APPENDABLE
        ):
            message = f"Chrome does not append to the request header {quoted(name)}"
            yield _value((*steps, "header"), message, "use the operation `set`")
    if operation in ("set", "append"):
        doing = with_article(f"{operation} operation") if operation == "append" else "a set operation"
        if value is None:
            yield _missing(steps, "value", f"{doing} requires a `value`")
        elif value == "" and engine is Engine.GECKO:
            yield _value((*steps, "value"), f"in Firefox, {doing} requires a `value` that is not empty")
        elif isinstance(value, str) and engine is Engine.CHROMIUM and any(mark in value for mark in "\0\r\n"):
            yield _value((*steps, "value"), "the value of a header must be a single line")
    elif operation == "remove" and isinstance(value, str) and (value or engine is Engine.CHROMIUM):
        message = "a remove operation does not accept `value`"
        yield Mistake("conflicting-keys", (*steps, "value"), message, at_key=True)


def _value(steps: Steps, message: str, help: str | None = None) -> Mistake:
    return Mistake("invalid-value", steps, message, help=help)


def _conflict(steps: Steps, other: str) -> Mistake:
    message = cannot_be_combined(str(steps[-1]), other)
    return Mistake("conflicting-keys", steps, message, at_key=True, related_steps=(*steps[:-1], other))


def _missing(steps: Steps, key: str, message: str) -> Mistake:
    return Mistake("missing-key", steps, message, missing=(key,))


def _object(value: JsonValue) -> Object:
    return value if isinstance(value, Mapping) else {}


def _list(value: JsonValue) -> Sequence[JsonValue]:
    return value if isinstance(value, list) else ()


def _texts(value: JsonValue) -> list[str]:
    """Returns the strings of a list."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _shown(mark: str) -> str:
    return quoted(mark) if mark.isprintable() else f"U+{ord(mark):04X}"
