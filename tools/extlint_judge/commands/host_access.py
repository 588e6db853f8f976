"""Queries the operations on a site's tab that a real browser allows, depending on the manifest's requests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.schema.targets.request import Target
from extlint_judge.browsers.chromium import chromium, load_extension, load_page
from extlint_judge.browsers.firefox import UNINSTALL, firefox
from extlint_judge.browsers.http_server import PAGE, Server, respond, serving
from extlint_judge.browsers.processes import facts_target
from extlint_judge.evaluation import posting_script, result_from_page
from extlint_judge.extensions import ID, VERSIONS, write_files
from extlint_judge.options import browser_option, query_browser, report_and_exit

RULES = ("missing-host-permission", "missing-permission")

_SITE = "http://127.0.0.1/*"

REQUESTS: Mapping[str, Mapping[str, Any]] = {
    "nothing": {},
    "activeTab, without a gesture": {"permissions": ["activeTab"]},
    "tabs": {"permissions": ["tabs"]},
    "the site": {"hosts": [_SITE]},
    "another site": {"hosts": ["https://example.com/*"]},
    "every site": {"hosts": ["*://*/*"]},
    "all addresses": {"hosts": ["<all_urls>"]},
    "a content script on the site": {
        "content_scripts": [{"matches": [_SITE], "js": ["content.js"], "run_at": "document_start"}]
    },
}
"""The requests of a manifest, by name; `hosts` represents the key for hosts of its version."""

_PROBE = """(async () => {
  const api = globalThis.browser ?? chrome;
  const [site, closed] = %s;
  const FIELDS = ["url", "title", "favIconUrl", "pendingUrl"];
  const has = (it) => FIELDS.filter((name) => it?.[name] !== undefined).join(", ") || "none";
  const found = {}, changes = new Set();
  const settle = async (name, ask) => {
    try {
      const value = await ask();
      found[name] = typeof value === "string" ? value : "works";
    } catch (error) {
      found[name] = `fails: ${error.message}`;
    }
  };
  const own = await api.tabs.getCurrent();
  const heard = new Promise((resolve) => api.runtime.onMessage.addListener((_, sender) => resolve(sender)));
  const loaded = new Promise((resolve) => api.tabs.onUpdated.addListener((_, change, tab) => {
    for (const name of FIELDS) if (change[name]?.includes("page")) changes.add(name);
    if (change.status === "complete" && tab.id !== own.id) resolve();
  }));
  const { id } = await api.tabs.create({ url: site });
  await loaded;
  found["fields of its tab"] = has(await api.tabs.get(id));
  found["fields of an own page's tab"] = has(own);
  const tabs = async (filter) => `${(await api.tabs.query(filter)).length} tabs`;
  await settle("query by its url", () => tabs({ url: "*://127.0.0.1/*" }));
  await settle("query by its title", () => tabs({ title: "page" }));
  const func = () => document.title;
  const target = { tabId: id };
  if (api.scripting) {
    await settle("executeScript", () => api.scripting.executeScript({ target, func }));
    await settle("insertCSS", () => api.scripting.insertCSS({ target, css: "p { color: red }" }));
  } else {
    await settle("executeScript", () => api.tabs.executeScript(id, { code: "1" }));
    await settle("insertCSS", () => api.tabs.insertCSS(id, { code: "p { color: red }" }));
  }
  await settle("captureVisibleTab", async () => void (await api.tabs.captureVisibleTab()));
  const cookie = { url: site, name: "judge" };
  await settle("cookies.get", async () => (await api.cookies.get(cookie)) ? "a cookie" : "none");
  await settle("cookies.getAll", async () => `${(await api.cookies.getAll(cookie)).length} cookies`);
  await settle("fetch of a page for everybody", () => fetch(site));
  await settle("fetch of a page for its own site", () => fetch(closed));
  if (api.runtime.getManifest().content_scripts) {
    const sender = await heard;
    found["fields of a sender's tab"] = has(sender.tab);
    found["fields of a sender"] = sender.url === undefined ? "none" : "url";
  }
  found["fields of its changes"] = [...changes].sort().join(", ") || "none";
  await api.tabs.remove(id);
  return found;
})()"""


def manifest_of(version: int, requests: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the manifest of an extension with these requests."""
    permissions = [*requests.get("permissions", ()), "cookies", *(["scripting"] if version == 3 else [])]
    hosts = requests.get("hosts", [])
    policy = "script-src 'self'"
    return {
        "manifest_version": version,
        "name": "judge",
        "version": "1",
        "browser_specific_settings": {"gecko": {"id": ID}},
        "content_security_policy": policy if version == 2 else {"extension_pages": policy},
        **{key: value for key, value in requests.items() if key == "content_scripts"},
        **({"host_permissions": hosts} if version == 3 and hosts else {}),
        "permissions": [*permissions, *(hosts if version == 2 else ())],
    }


def observe(
    browser: str, command: str, folder: Path, names: Iterable[str] = tuple(REQUESTS)
) -> dict[str, dict[str, str]]:
    """Returns the result of each operation in a page, for each manifest version and request.

    Raises BrowserError.
    """
    cases = {
        f"{version}, {name}": manifest_of(version, REQUESTS[name])
        for version in VERSIONS[browser]
        for name in names
    }
    with serving({"/page.html": _with_cookie, "/closed.html": _closed}) as server:
        return (_observe_chromium if browser == "chromium" else _observe_firefox)(
            command, folder, cases, server
        )


def _with_cookie(request: Any) -> None:
    respond(request, PAGE, Set_Cookie="judge=1")


def _closed(request: Any) -> None:
    respond(request, PAGE, Access_Control_Allow_Origin="https://example.com")


def _files(manifest: Mapping[str, Any], script: str) -> dict[str, str]:
    page = "<!doctype html><title>own</title><script src='page.js'></script>"
    content = "(globalThis.browser ?? chrome).runtime.sendMessage('page').catch(() => {});"
    return {
        "manifest.json": json.dumps(manifest),
        "own.html": page,
        "page.js": script,
        "content.js": content,
    }


def _probe(server: Server) -> str:
    return _PROBE.replace("%s", json.dumps([server.page, server.address("/closed.html")]))


def _observe_chromium(
    command: str, folder: Path, cases: Mapping[str, Any], server: Server
) -> dict[str, dict[str, str]]:
    found = {}
    with chromium(command, folder) as connection:
        for number, (name, manifest) in enumerate(cases.items()):
            where = folder / f"extension{number}"
            write_files(_files(manifest, ""), where)
            session = load_page(
                connection, f"chrome-extension://{load_extension(connection, where)}/own.html"
            )
            found[name] = connection.evaluate(session, _probe(server))
    return found


def _observe_firefox(
    command: str, folder: Path, cases: Mapping[str, Any], server: Server
) -> dict[str, dict[str, str]]:
    found = {}
    with firefox(command, folder) as marionette:
        script = posting_script(_probe(server), server)
        for number, (name, manifest) in enumerate(cases.items()):
            where = folder / f"extension{number}"
            write_files(_files(manifest, script), where)
            found[name] = result_from_page(marionette, server, where, "own.html")
            marionette.script(UNINSTALL, ID)
    return found


_USES = {
    "fields of its tab": "api.tabs.get(1).then((tab) => f(tab.url));",
    "query by its url": "api.tabs.query({url: 'http://127.0.0.1/*'}).then(f);",
    "executeScript": "INJECT",
    "captureVisibleTab": "api.tabs.captureVisibleTab().then(f);",
    "cookies.get": "api.cookies.get({url: 'http://127.0.0.1/', name: 'judge'}).then(f);",
}
"""The operations that extlint checks, each as one line of code."""

_INJECT = {
    2: "api.tabs.executeScript(1, {file: 'content.js'});",
    3: "api.scripting.executeScript({target: {tabId: 1}, files: ['content.js']});",
}
_REFUSALS = ("0 tabs", "none")


def disagreements(browser: str, observed: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yields a line for each operation that the browser allows and extlint reports.

    extlint does not report anything if the manifest requests something that may suffice.
    """
    for name, results in observed.items():
        version, _, requested = name.partition(", ")
        reported = _reported_uses(browser, manifest_of(int(version), REQUESTS[requested]))
        for what in reported:
            if what in results and results[what] not in _REFUSALS and not results[what].startswith("fails: "):
                own = f"there are no {what}" if what.startswith("fields") else f"{what} fails"
                yield f"{name}: extlint says that {own}"


def _reported_uses(browser: str, manifest: Mapping[str, Any]) -> list[str]:
    """Returns the operations that extlint reports in a background script that uses all of them."""
    api = "browser" if browser == "firefox" else "chrome"
    uses = (line.replace("INJECT", _INJECT[manifest["manifest_version"]]) for line in _USES.values())
    lines = [line.replace("api.", f"{api}.") for line in uses]
    background = {"scripts": ["uses.js"]} if browser == "firefox" else {"service_worker": "uses.js"}
    texts = {
        "manifest.json": json.dumps({**manifest, "background": background}),
        "uses.js": "\n".join(lines),
        "content.js": "",
    }
    package = Package("judge", {path: partial(bytes, text.encode()) for path, text in texts.items()})
    found = check_package(package, [Target(facts_target(browser))], RULES).findings
    at = {each.span.start.line for each in found}
    return [what for number, what in enumerate(_USES, 1) if number in at]


@click.command()
@browser_option
def host_access(browser: str) -> None:
    """Query what an extension may do with a tab and a site.

    They depend on the permissions and hosts that the manifest requests.

    The exit code is 1 if extlint reports something that the browser allows.
    """
    observed = query_browser(browser, observe)
    for name, results in observed.items():
        for what, answered in results.items():
            click.echo(f"  {name}: {what}: {answered}")
    report_and_exit(disagreements(browser, observed))
