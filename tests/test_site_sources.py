"""The sources of the site: a page for everything that has one, and no link that leads nowhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from extlint.commands.program import COMMANDS
from extlint.configuration.keys import KEYS
from extlint.registry import GROUPS, RULES
from extlint.reporter.registry import FORMATS
from extlint.reporter.rule_pages import page_url
from extlint_site.readme import section
from extlint_site.sources import write_sources

ROOT = Path(__file__).parent.parent
_CODE = re.compile(r"^(:{3,}|`{3,}).*?^\1$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:)([^)]+)\)")


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "sources"
    write_sources(folder, run=" ".join)
    return folder


def anchors(page: str) -> set[str]:
    return {
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    }


@pytest.mark.parametrize(
    "page",
    [*(f"rules/{each}" for each in RULES), *(f"commands/{each}" for each in COMMANDS)]
    + [f"formats/{each}" for each in FORMATS],
)
def test_there_is_a_page(page: str, sources: Path) -> None:
    text = (sources / f"{page}.md").read_text("utf-8")
    assert text.startswith("# ")


def test_each_key_and_group_has_a_section(sources: Path) -> None:
    assert set(KEYS) <= anchors((sources / "configuration.md").read_text("utf-8"))
    assert set(GROUPS) <= anchors((sources / "rules/index.md").read_text("utf-8"))


def test_a_page_of_a_rule_shows_what_extlint_says(sources: Path) -> None:
    page = (sources / "rules/missing-permission.md").read_text("utf-8")
    assert page.index("## Example") < page.index("error[missing-permission]") < page.index("## Use instead")
    assert "per-file-ignores" in page.partition("## How to silence it")[2]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_page_of_a_command_has_the_options_that_it_takes(command: str, sources: Path) -> None:
    assert "`-h, --help`" in (sources / f"commands/{command}.md").read_text("utf-8")


def test_the_pages_of_rules_say_what_is_fixed_with_which_option(sources: Path) -> None:
    index = (sources / "rules/index.md").read_text("utf-8")
    assert "| [`unknown-api`](unknown-api.md) | error | `--fix` | " in index
    assert "| [`unused-permission`](unused-permission.md) | warning | `--unsafe-fixes` | " in index
    assert "| [`missing-key`](missing-key.md) | error |  | " in index
    page = (sources / "rules/unknown-api.md").read_text("utf-8")
    assert "| fixes | Some findings of this rule can be fixed with `--fix`, " in page
    assert "| fixes of the example | `[*]` 1 can be fixed with `--fix` |" in page


def test_links_lead_to_pages_that_are_there(sources: Path) -> None:
    dead = []
    for page in sources.rglob("*.md"):
        for link in _LINK.findall(_CODE.sub("", page.read_text("utf-8"))):
            path, _, anchor = link.partition("#")
            target = page.parent / path if path else page
            if not target.is_file() or (anchor and anchor not in anchors(target.read_text("utf-8"))):
                dead.append(f"{page.relative_to(sources)}: {link}")
    assert not dead


def test_addresses_in_findings_are_those_of_pages(sources: Path) -> None:
    conf: dict[str, object] = {}
    exec((sources / "conf.py").read_text("utf-8"), conf)
    for rule in RULES:
        path = page_url(rule).removeprefix(str(conf["html_baseurl"]))
        assert (sources / f"{path.rstrip('/')}.md").is_file()


def test_each_section_of_the_readme_is_on_a_page() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    pages = "".join(path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.md"))
    shown = set(re.findall(r"^<!-- README: (.+) -->$", pages, re.MULTILINE))
    sections = set(re.findall(r"^#+ (.+)$", _CODE.sub("", readme), re.MULTILINE))
    assert sections - shown == {"Try it", "Use it", "More"}


def test_a_section_ends_at_the_next_heading_that_is_not_code() -> None:
    readme = "## A\n\n```sh\n# no heading\n```\n\n[b](#fixes)\n\n### B\n\nc\n"
    assert section(readme, "A") == "```sh\n# no heading\n```\n\n[b](fixes.md)"
    with pytest.raises(KeyError):
        section(readme, "C")
