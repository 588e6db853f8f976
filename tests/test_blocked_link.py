"""Links in a popup that Chrome does not open: `blocked-link`."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

RULE = "blocked-link"
LINK = "<a href='https://a.example/b'>b</a>"
ADDRESS = "https://a.example/b"
SCRIPT = "<script src='p.js'></script>"


def found(page: str, script: str = "show();", target: str = "chrome", **keys: object) -> list[str]:
    """Returns the source text of each finding in a popup and its scripts."""
    text = manifest(**{"action": {"default_popup": "/p.html?a"}, **keys})
    files = {"manifest.json": text, "p.html": f"<!doctype html>{page}", "p.js": script, "q.html": LINK}
    return [text for _, text in reported({**files, "q.js": "export const a = 1;"}, [RULE], target)]


BLOCKED = {
    "without a script": LINK,
    "with a script": f"{LINK}{SCRIPT}",
    "in other elements": f"<p><b>{LINK}</b></p>",
    "with attributes": LINK.replace("<a", "<a class='b' rel='noopener' title='target'"),
    "with another base": f"<base href='https://a.example/'>{LINK}",
}
OPENED = {
    "with a target": LINK.replace("<a", "<a target='_blank'"),
    "with a target of all links": f"<base target='_blank'>{LINK}",
    "with a handler": LINK.replace("<a", "<a onclick='f()'"),
    "as a download": LINK.replace("<a", "<a download"),
    "to a page of the extension": "<a href='q.html'>b</a>",
    "to a part of the page": "<a href='#b'>b</a>",
    "to an application": "<a href='mailto:a@a.example'>b</a>",
    "in a comment": f"<!-- {LINK} -->",
    "in a template": f"<template>{LINK}</template>",
    "in a page that a build completes": f"{LINK}{{{{ scripts }}}}",
    "with a script that is missing": f"{LINK}<script src='x.js'></script>",
    "with a script of a server": f"{LINK}<script src='https://a.example/x.js'></script>",
}
HANDLERS = {
    "a listener": "document.addEventListener('click', open);",
    "a property": "document.body.onclick = open;",
    "jQuery": "$('a').click(open);",
    "the mouse": "addEventListener('mouseup', open);",
    "a pointer": "addEventListener('pointerdown', open);",
    "a target": "document.querySelector('a').target = 'b';",
    "an attribute": "document.querySelector('a').setAttribute('target', 'b');",
    "a base": "document.head.append(Object.assign(document.createElement('base'), { target: '_blank' }));",
}


@pytest.mark.parametrize("page", BLOCKED.values(), ids=BLOCKED)
def test_link_is_reported(page: str) -> None:
    assert found(page) == [ADDRESS]
    assert found(page, manifest_version=2, action=None, browser_action={"default_popup": "p.html"}) == [
        ADDRESS
    ]
    assert found(page, target="firefox") == found(page, target="reference") == []
    assert found(page, action={}) == found(page, action={"default_popup": "x.html"}) == []


@pytest.mark.parametrize("page", OPENED.values(), ids=OPENED)
def test_link_that_opens_is_not_reported(page: str) -> None:
    assert found(page) == []


@pytest.mark.parametrize("script", HANDLERS.values(), ids=HANDLERS)
def test_link_that_a_script_may_open_is_not_reported(script: str) -> None:
    page = f"{LINK}{SCRIPT}"
    assert found(page, script) == []
    assert found(page.replace("<script", "<script type='module'"), f"import './q.js'; {script}") == []


def test_link_with_an_imported_handler() -> None:
    page = f"{LINK}<script src='p.js' type='module'></script>"
    files = {
        "manifest.json": manifest(action={"default_popup": "p.html"}),
        "p.html": page,
        "p.js": "import { listen } from './q.js'; listen();",
    }
    handler = "export function listen() { document.onclick = open; }"
    assert lint({**files, "q.js": handler}, [RULE], "chrome") == []
    assert len(lint({**files, "q.js": handler.replace("onclick", "title")}, [RULE], "chrome")) == 1


def test_message() -> None:
    (finding,) = lint(
        {"manifest.json": manifest(action={"default_popup": "p.html"}), "p.html": LINK}, [RULE], "chrome"
    )
    assert finding.message == "a click on this link does nothing: Chrome opens no website in a popup"
    assert finding.help == 'add `target="_blank"` to the link'
