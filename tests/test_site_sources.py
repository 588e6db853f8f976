"""Checks the sources of the site: every rule, command and format has a page, and every link has a target."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from extlint.cli.program import COMMANDS
from extlint.linting.configuration.keys import KEYS
from extlint.registry import GROUPS, RULES
from extlint.report.reporter import FORMATS, page_url
from extlint_site.sources import write_sources

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
def test_rules_commands_and_formats_have_pages(page: str, sources: Path) -> None:
    text = (sources / f"{page}.md").read_text("utf-8")
    assert text.startswith("# ")


def test_keys_and_groups_have_sections(sources: Path) -> None:
    assert set(KEYS) <= anchors((sources / "configuration.md").read_text("utf-8"))
    assert set(GROUPS) <= anchors((sources / "rules/index.md").read_text("utf-8"))


def test_rule_page_shows_output_of_the_example(sources: Path) -> None:
    page = (sources / "rules/missing-permission.md").read_text("utf-8")
    assert page.index("## Example") < page.index("error[missing-permission]") < page.index("## Use instead")
    assert "per-file-ignores" in page.partition("## How to silence it")[2]


@pytest.mark.parametrize("command", COMMANDS)
def test_command_page_lists_options(command: str, sources: Path) -> None:
    assert "`-h, --help`" in (sources / f"commands/{command}.md").read_text("utf-8")


def test_rule_pages_name_the_option_that_fixes_findings(sources: Path) -> None:
    index = (sources / "rules/index.md").read_text("utf-8")
    assert "| [`unknown-api`](unknown-api.md) | error | `--fix` | " in index
    assert "| [`unused-permission`](unused-permission.md) | warning | `--unsafe-fixes` | " in index
    assert "| [`missing-key`](missing-key.md) | error |  | " in index
    page = (sources / "rules/unknown-api.md").read_text("utf-8")
    assert "| fixes | Some findings of this rule can be fixed with `--fix`, " in page
    assert "| fixes of the example | `[*]` 1 can be fixed with `--fix` |" in page


def test_links_lead_to_existing_pages(sources: Path) -> None:
    dead = []
    for page in sources.rglob("*.md"):
        for link in _LINK.findall(_CODE.sub("", page.read_text("utf-8"))):
            path, _, anchor = link.partition("#")
            target = page.parent / path if path else page
            if not target.is_file() or (anchor and anchor not in anchors(target.read_text("utf-8"))):
                dead.append(f"{page.relative_to(sources)}: {link}")
    assert not dead


def test_addresses_in_findings_belong_to_pages(sources: Path) -> None:
    conf: dict[str, object] = {}
    exec((sources / "conf.py").read_text("utf-8"), conf)
    for rule in RULES:
        path = page_url(rule).removeprefix(str(conf["html_baseurl"]))
        assert (sources / f"{path.rstrip('/')}.md").is_file()
