"""The match patterns of requests: those that browsers refuse, and those that match nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from extlint.finding import Severity
from extlint_judge.browsers.session import Session
from extlint_judge.extensions import extension, manifest
from extlint_judge.queries.refused_calls import PATTERNS
from extlint_judge.query import ONE, Query, contradictions, findings

HEARD = "is heard"
WITH_PORT, WITHOUT_PORT = "http://127.0.0.1:PORT/*", "http://127.0.0.1/*"
UNICODE = "http://b\N{LATIN SMALL LETTER U WITH DIAERESIS}cher.localhost/*"
PUNYCODE = "http://xn--bcher-kva.localhost/*"
_LOST = (WITH_PORT, UNICODE)

_PROBE = """(async () => {
  const api = globalThis.browser ?? chrome;
  const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const found = {};
  for (const [name, urls] of Object.entries(%s)) {
    try {
      api.webRequest.onBeforeRequest.addListener(() => void (found[name] = "is heard"), { urls });
      found[name] = "is lost";
    } catch (error) {
      found[name] = `fails: ${error.message}`;
    }
  }
  await wait(300);
  for (let tries = 0; tries < 5; tries++) {
    await Promise.allSettled(%s.map((page) => fetch(page)));
    await wait(200);
  }
  return found;
})()"""


def _lists(port: str) -> Mapping[str, list[str]]:
    """Returns the lists of patterns by the pattern that is asked about: the other one is right."""
    lists = {each: [each, WITHOUT_PORT] for each in PATTERNS}
    alone = {each: [each.replace("PORT", port)] for each in (WITH_PORT, WITHOUT_PORT, UNICODE, PUNYCODE)}
    return lists | alone


def _manifest(browser: str) -> Any:
    if browser == "firefox":  # in Manifest V3 a user may withdraw hosts from an add-on
        return manifest(2, permissions=["webRequest", "<all_urls>"])
    return manifest(permissions=["webRequest"], host_permissions=["<all_urls>"])


def _ask(session: Session, _: None) -> Any:
    page = session.server.page
    port = page.partition("127.0.0.1:")[2].partition("/")[0]
    lists, pages = json.dumps(_lists(port)), [page, page.replace("127.0.0.1", "xn--bcher-kva.localhost")]
    return session.evaluate(extension(_manifest(session.browser)), _PROBE % (lists, json.dumps(pages)))


def _compare(browser: str, _: None, answers: Mapping[str, str]) -> Iterator[str]:
    lists = [json.dumps(_lists("8080")[name]) for name in answers]
    lines = [f"chrome.webRequest.onBeforeRequest.addListener(f, {{ urls: {each} }});" for each in lists]
    keys = {**_manifest(browser), "options_ui": {"page": "page.html"}}
    page = {"page.html": "<script src='page.js'></script>", "page.js": "\n".join(lines)}
    found = findings(browser, extension(keys, page), "invalid-argument")
    reported = {each.span.start.line for each in found if each.path == "page.js"}
    errors = {each.span.start.line for each in found if each.severity is Severity.ERROR}
    lost = (name for line, name in enumerate(answers, 1) if line in (reported if name in _LOST else errors))
    yield from contradictions(lost, {name: answer != HEARD for name, answer in answers.items()})


request_patterns = Query(
    "request-patterns",
    """Query which match patterns a listener to requests may have.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: ONE,
    _ask,
    _compare,
)
