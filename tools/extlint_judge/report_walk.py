"""Opens an HTML report of extlint in a real browser, and uses its filters as a reader does."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path
from typing import Any

from msgspec import Struct

from extlint_judge.browsers.chromium import chromium, load_page
from extlint_judge.browsers.firefox import firefox
from extlint_judge.browsers.marionette import PRIVILEGED, Marionette

SCHEMES = ("light", "dark")

WALK = """
const form = document.getElementById("filter");
const shown = () => document.querySelectorAll(".finding:not([hidden])").length;
const number = (selector) => document.querySelectorAll(selector).length;
const choose = (field, value) => {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return shown();
};
const found = { hidden: form.hidden, all: number(".finding"), shown: shown(), differing: [] };
const expect = (what, seen, right) => {
  if (seen !== right) found.differing.push(`${what}: ${seen} shown, not ${right}`);
};
for (const box of form.querySelectorAll("input[type=checkbox]")) {
  box.click();
  expect(`without ${box.value}`, shown(), found.all - number(`.finding.${box.value}`));
  box.click();
}
for (const kind of ["rule", "file"]) {
  for (const { value } of [...form.elements[kind].options].slice(1)) {
    const right = [...document.querySelectorAll(".finding")].filter((each) => each.dataset[kind] === value);
    expect(`${kind} ${value}`, choose(form.elements[kind], value), right.length);
  }
  expect(`all of ${kind}`, choose(form.elements[kind], ""), found.all);
}
expect("a text that is nowhere", choose(form.elements.text, "\\u2603"), 0);
form.querySelector("button[type=reset]").click();
await new Promise((done) => setTimeout(done, 50));
expect("after a reset", shown(), found.all);
const button = document.querySelector("button[data-rule]");
if (button !== null) {
  button.click();
  expect("a button", shown(), number(`.finding[data-rule="${button.dataset.rule}"]`));
  form.reset();
}
scrollTo(0, 0);
found.loaded = performance.getEntriesByType("resource").map((each) => each.name);
"""
"""A walk through every filter. `differing` has a line for each wrong number of findings."""

_CHROMIUM = f"(async () => {{ {WALK} return found; }})()"
_FIREFOX = f"const done = arguments[0]; (async () => {{ {WALK} done(found); }})();"

_SCHEME = """
const [name, value] = args;
Services.prefs.setIntPref(name, value);
"""
_COLOR_PREFERENCE = "layout.css.prefers-color-scheme.content-override"

_COMPLAINTS = """
return Services.console.getMessageArray()
  .filter(each => each instanceof Ci.nsIScriptError && each.sourceName === args[0])
  .map(each => each.errorMessage);
"""


class Walk(Struct, frozen=True):
    """The results of a walk: the number of findings, and the problems with the page."""

    findings: int
    problems: tuple[str, ...]


def walk_report(browser: str, command: str, folder: Path, page: Path, pictures: Path | None = None) -> Walk:
    """Opens a report as a file. Writes a picture in each color scheme if requested. Raises BrowserError."""
    walk = _in_chromium if browser == "chromium" else _in_firefox
    found, complaints = walk(command, folder, page, pictures)
    mistakes = [*found["differing"], *(f"it loads {each}" for each in found["loaded"]), *complaints]
    if found["hidden"] is not (found["all"] == 0) or found["shown"] != found["all"]:
        mistakes.append(f"{found['shown']} of {found['all']} findings are shown at first")
    return Walk(found["all"], tuple(mistakes))


def _in_chromium(command: str, folder: Path, page: Path, pictures: Path | None) -> tuple[Any, list[str]]:
    with chromium(command, folder) as connection:
        session = load_page(connection, page.as_uri())
        connection.send("Log.enable", session)
        connection.send("Runtime.enable", session)
        found = connection.evaluate(session, _CHROMIUM)
        for scheme in SCHEMES if pictures is not None else ():
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            connection.send("Emulation.setEmulatedMedia", session, features=features)
            data = connection.send("Page.captureScreenshot", session, format="png")["data"]
            _write(pictures, page, "chromium", scheme, data)
        complaints = [
            str(each["params"].get("entry", each["params"]))
            for each in connection.events
            if each["method"] in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
        ]
    return found, complaints


def _in_firefox(command: str, folder: Path, page: Path, pictures: Path | None) -> tuple[Any, list[str]]:
    address = page.as_uri()
    with firefox(command, folder) as session:
        _go_to(session, "content")
        session.command("WebDriver:Navigate", {"url": address})
        parameters = {"script": _FIREFOX, "args": [], "scriptTimeout": 20_000}
        found = session.command("WebDriver:ExecuteAsyncScript", parameters)["value"]
        for dark, scheme in enumerate(reversed(SCHEMES)) if pictures is not None else ():
            _go_to(session, PRIVILEGED)
            session.script(_SCHEME, _COLOR_PREFERENCE, dark)
            _go_to(session, "content")
            data = session.command("WebDriver:TakeScreenshot", {"full": False})["value"]
            _write(pictures, page, "firefox", scheme, data)
        _go_to(session, PRIVILEGED)
        complaints = session.script(_COMPLAINTS, address)
    return found, list(complaints)


def _go_to(session: Marionette, context: str) -> None:
    session.command("Marionette:SetContext", {"value": context})


def _write(pictures: Path | None, page: Path, browser: str, scheme: str, data: str) -> None:
    assert pictures is not None
    (pictures / f"{page.stem}-{browser}-{scheme}.png").write_bytes(b64decode(data))
