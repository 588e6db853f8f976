"""Globals of an extension page that other pages change through its window."""

from __future__ import annotations

import pytest
from harness import lint, manifest, text_under

from extlint.analysis.facts.context import Context, ContextKind, LoadStep
from extlint.project.contexts.script import LaidOutScript, Layout, page_realms

BACKGROUND = """var folder = "";
chrome.runtime.onMessage.addListener(() => { chrome.tabs.create({ url: folder + "x.htm" }); });"""
GET = "chrome.extension.getBackgroundPage()"


def missing_files(background: str, *popup: str) -> list[str]:
    """Returns the source text of each finding about a missing file, with these scripts of the popup."""
    scripts = {f"popup{number}.js": text for number, text in enumerate(popup)}
    files = {
        "manifest.json": manifest(
            manifest_version=2, background={"scripts": ["bg.js"]}, browser_action={"default_popup": "p.html"}
        ),
        "bg.js": background,
        "p.html": "".join(f"<script src={name}></script>" for name in scripts),
        **scripts,
    }
    return [text_under(files, each) for each in lint(files, ["missing-file"])]


CHANGING = {
    "a property": [f"{GET}.folder = 'a/';"],
    "a property by its text": [f"{GET}['folder'] = 'a/';"],
    "a part that is added": [f"{GET}.folder += 'a/';"],
    "a variable": [f"const bg = {GET}; bg.folder = 'a/';"],
    "a variable of another script": [f"var bg = {GET};", "bg.folder = 'a/';"],
    "a callback": ["chrome.runtime.getBackgroundPage(bg => { bg.folder = 'a/'; });"],
    "a promise": ["browser.runtime.getBackgroundPage().then(bg => { bg.folder = 'a/'; });"],
    "an awaited promise": ["(async () => { (await browser.runtime.getBackgroundPage()).folder = 'a/'; })();"],
    "one of the pages": ["chrome.extension.getViews().forEach(each => { each.folder = 'a/'; });"],
    "a page by its index": ["chrome.extension.getViews()[0].folder = 'a/';"],
    "the opener": ["window.opener.folder = 'a/';"],
    "the opener as a variable": ["opener.folder = 'a/';"],
    "a variable with the opener": ["const page = window.opener; page.folder = 'a/';"],
    "the parent": ["parent.folder = 'a/';"],
    "the top window": ["top.folder = 'a/';"],
    "a frame": ["window.frames[0].folder = 'a/';"],
    "the window of a frame": ["document.querySelector('iframe').contentWindow.folder = 'a/';"],
}


@pytest.mark.parametrize("popup", CHANGING.values(), ids=CHANGING.keys())
def test_page_changes_global_of_another(popup: list[str]) -> None:
    assert missing_files(BACKGROUND, *popup) == []


UNCHANGED = {
    "without a window": ["const page = {}; page.folder = 'a/';"],
    "another name": [f"{GET}.other = 'a/';"],
    "only read": [f"console.log({GET}.folder);"],
    "only compared": [f"if ({GET}.folder === 'a/') close();"],
    "the own global": ["var folder = 'a/'; opener.other = folder;"],
    "the parent of a node": ["node.parent.folder = 'a/';"],
    "an object of a script without a window": [f"{GET}.other();", "item.folder = 'a/';"],
    "a window in a table of the API": ["({ getBackgroundPage: { min: 0 } }); item.folder = 'a/';"],
}


@pytest.mark.parametrize("popup", UNCHANGED.values(), ids=UNCHANGED.keys())
def test_global_that_no_other_page_changes(popup: list[str]) -> None:
    assert missing_files(BACKGROUND, *popup) == ['folder + "x.htm"']


def test_page_does_not_change_its_own_global() -> None:
    background = f"{BACKGROUND} chrome.extension.getViews().forEach(each => {{ each.folder = 'a/'; }});"
    assert missing_files(background, "") == ['folder + "x.htm"']


OBJECT = """var state = { folder: "" };
chrome.runtime.onMessage.addListener(() => { chrome.tabs.create({ url: state.folder + "x.htm" }); });"""


@pytest.mark.parametrize(
    ("background", "popup", "count"),
    [
        (OBJECT, "", 1),
        (OBJECT, f"{GET}.state.folder = 'a/';", 0),
        (OBJECT, f"const state = {GET}.state; state.folder = 'a/';", 0),
        (OBJECT, f"{GET}.other.folder = 'a/';", 1),
    ],
)
def test_page_changes_object_of_another(background: str, popup: str, count: int) -> None:
    assert len(missing_files(background, popup)) == count


def test_only_pages_of_the_extension_reach_each_other() -> None:
    def script(path: str, kind: ContextKind, page: str) -> LaidOutScript:
        return LaidOutScript(path, None, (Context(kind, LoadStep(page, (0, 0), "")),), False)

    scripts = (
        script("a.js", ContextKind.BACKGROUND, "manifest.json"),
        script("b.js", ContextKind.EXTENSION_PAGE, "b.html"),
        script("c.js", ContextKind.CONTENT_SCRIPT, "manifest.json"),
        script("d.js", ContextKind.SANDBOX, "d.html"),
    )
    assert page_realms(Layout(scripts, ())) == ((("a.js", None),), (("b.js", None),))
