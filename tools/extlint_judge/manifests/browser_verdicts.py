"""Queries the verdicts of browsers on manifests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from extlint_judge.browsers.chromium import attach, chromium
from extlint_judge.browsers.devtools_protocol import Connection
from extlint_judge.browsers.firefox import firefox
from extlint_judge.browsers.processes import BrowserError
from extlint_judge.manifests.verdicts import REFUSED, Verdict, verdict, write_extension

MAX_LOADS = 60
"""The number of extensions loaded into one Chromium, which becomes slow with more."""

BATCH_SIZE = 200
"""The number of manifests that one script checks in Firefox."""

READ = """
const { ExtensionData } = ChromeUtils.importESModule("resource://gre/modules/Extension.sys.mjs");
const found = [];
for (const path of args[0]) {
  const file = Cc["@mozilla.org/file/local;1"].createInstance(Ci.nsIFile);
  file.initWithPath(path);
  const extension = new ExtensionData(Services.io.newFileURI(file), false);
  const thrown = [];
  try {
    await extension.loadManifest();
  } catch (error) {
    thrown.push(`${error.message ?? error}`);
  }
  const { errors, warnings } = extension;
  found.push([errors.length ? errors.map(String) : thrown, warnings.map(String)]);
}
return found;
"""

DEVELOPER = "chrome.developerPrivate.updateProfileConfiguration({inDeveloperMode: %s})"

WARNINGS = """chrome.developerPrivate.getExtensionInfo("%s").then(info => info.manifestErrors.map(each =>
  [each.manifestKey, each.manifestSpecific, each.message].filter(Boolean).join(" | ")))"""


def firefox_verdicts(command: str, manifests: Iterable[Any], folder: Path) -> Iterator[Verdict]:
    """Yields Firefox's verdict on each manifest."""
    with firefox(command, folder) as session:
        for batch in _batches(manifests, BATCH_SIZE):
            homes = [folder / f"extension{number}" for number in range(len(batch))]
            for home, manifest in zip(homes, batch, strict=True):
                write_extension(manifest, home)
            for errors, warnings in session.script(READ, [str(home) for home in homes]):
                yield verdict(errors, warnings)


def chromium_verdicts(command: str, manifests: Iterable[Any], folder: Path) -> Iterator[Verdict]:
    """Yields Chromium's verdict on each manifest."""
    for number, batch in enumerate(_batches(manifests, MAX_LOADS)):
        home = folder / f"run{number}"
        home.mkdir()
        with chromium(command, home) as connection, extensions_page(connection) as page:
            for at, manifest in enumerate(batch):
                where = home / f"extension{at}"
                write_extension(manifest, where)
                yield load_verdict(connection, page, where)


@contextmanager
def extensions_page(connection: Connection) -> Iterator[str]:
    """Yields a session of `chrome://extensions`, emptied because its display would take most of the time."""
    connection.send("Target.createTarget", url="chrome://extensions")
    page = attach(connection, "chrome://extensions/")
    connection.evaluate(page, DEVELOPER % "true")
    connection.evaluate(page, "document.body.replaceChildren()")
    yield page
    connection.evaluate(page, DEVELOPER % "false")


def load_verdict(connection: Connection, page: str, where: Path) -> Verdict:
    """Returns Chromium's verdict on the extension in a folder, using a page from `extensions_page`."""
    try:
        extension = connection.send("Extensions.loadUnpacked", path=str(where))["id"]
    except BrowserError as error:
        return Verdict(REFUSED, (str(error).removeprefix("Extensions.loadUnpacked: "),))
    try:
        warnings = connection.evaluate(page, WARNINGS % extension)
    except BrowserError:
        # That page does not list themes.
        warnings = []
    connection.send("Extensions.uninstall", id=extension)
    return verdict([], warnings)


def _batches(manifests: Iterable[Any], size: int) -> Iterator[list[Any]]:
    waiting = iter(manifests)
    while batch := list(islice(waiting, size)):
        yield batch
