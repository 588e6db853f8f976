"""The files of the page: markup is never made from text, and nothing is loaded from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "linter/extlint/services/serve/page"
SCRIPTS = sorted(PAGE.glob("*.js"))
FILES = sorted(each for each in PAGE.iterdir() if each.is_file())

MARKUP = re.compile(
    r"\b(?:innerHTML|outerHTML|insertAdjacentHTML|setHTML\w*|srcdoc|createContextualFragment|parseFromString|"
    r"DOMParser|execCommand|eval|Function|setProperty|cssText|importScripts)\b|\bdocument\.write|\.style\b"
)
"""Ways to make markup, code or styles from text."""

ADDRESS = re.compile(r"(?:[a-z]+:)?//[a-z0-9][\w.-]*", re.IGNORECASE)


class Markup(HTMLParser):
    """The elements with their attributes, and the text of scripts and styles in the page itself."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inline = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.elements and self.elements[-1][0] in ("script", "style"):
            self.inline += data.strip()


def markup() -> Markup:
    found = Markup()
    found.feed((PAGE / "index.html").read_text("utf-8"))
    return found


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_make_no_markup_from_text(path: Path) -> None:
    assert MARKUP.findall(path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_imports_name_files_of_the_page(path: Path) -> None:
    for name in re.findall(r'^import .* from "(.*)";$', path.read_text("utf-8"), re.MULTILINE):
        assert name.startswith("./")
        assert (PAGE / name).is_file()


def test_page_has_no_inline_code() -> None:
    page = markup()
    assert page.inline == ""
    for _, attributes in page.elements:
        assert not any(name.startswith("on") or name == "style" for name in attributes)


def test_page_loads_only_its_own_files() -> None:
    for name, attributes in markup().elements:
        address = attributes.get("src") or (attributes.get("href") if name == "link" else None)
        if address is not None:
            assert address.startswith("static/")  # relative, so the page works below any path
            assert (PAGE / address.removeprefix("static/")).is_file()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_address_leads_elsewhere(path: Path) -> None:
    found = {each for each in ADDRESS.findall(path.read_text("utf-8")) if not each.startswith("//")}
    assert found <= {"http://www.w3.org"}
    if path.suffix == ".css":
        assert "url(" not in path.read_text("utf-8")
        assert "@import" not in path.read_text("utf-8")


def test_labels_name_inputs_of_the_page() -> None:
    elements = markup().elements
    identifiers = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(identifiers) == len(set(identifiers))
    for _, attributes in elements:
        for reference in ("for", "aria-describedby", "aria-labelledby"):
            assert attributes.get(reference) in (None, *identifiers)
