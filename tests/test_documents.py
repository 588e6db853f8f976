"""Checks the README and the pages of `docs/` against the program: outputs, command lines, tables and links.

EXTLINT_SNAPSHOTS=write rewrites the outputs and the generated tables.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import click
import pytest
from test_cli_snapshots import UPDATE_HINT

from extlint.cli.commands.check import check_command
from extlint.cli.main import main
from extlint.cli.program import COMMANDS, extlint
from extlint.registry import GROUPS, RULES
from extlint.report.reporter import FORMATS, Format
from extlint.rule import Group
from extlint_release.changelog import sections
from extlint_site.api_reference import api_reference
from extlint_site.reference_pages import configuration_keys

ROOT = Path(__file__).parent.parent
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
TEXTS = {
    name: (ROOT / name).read_text("utf-8")
    for name in ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", *PAGES]
}
README = TEXTS["README.md"]
WRITES = os.environ.get("EXTLINT_SNAPSHOTS") == "write"

_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"^(?:- run: )?(extlint .+)$", re.MULTILINE)
_INLINE = re.compile(r"`(extlint [a-z][^`\n]*)`")
_LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)")


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("EXTLINT_DEBUG", "FORCE_COLOR", "NO_COLOR", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "A")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@example.com")


def compare(name: str, expected: str) -> None:
    """Compares a document with its expected text, or writes that text if EXTLINT_SNAPSHOTS says so."""
    path = ROOT / name
    if WRITES:
        path.write_text(expected, "utf-8", newline="\n")
    else:
        assert path.read_text("utf-8") == expected, f"{name} (left) is out of date; {UPDATE_HINT}"


class Shell:
    """Runs commands as a user's shell would: in the checkout if they name a path in `examples/`."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch
        self._status = 0

    def output(self, command: str) -> str:
        """Returns everything that a command prints."""
        if command == "echo $?":
            return f"{self._status}\n"
        if command.startswith("extlint "):
            with self._monkeypatch.context() as patch:
                if " examples/" in command:
                    patch.chdir(ROOT)
                self._status = main(shlex.split(command)[1:])
            captured = self._capsys.readouterr()
            return captured.out + captured.err
        ran = subprocess.run(["bash", "-c", command], check=False, capture_output=True, encoding="utf-8")
        self._status = ran.returncode
        return ran.stdout + ran.stderr


def replayed(text: str, shell: Shell) -> str:
    """Returns a document with the real outputs of its commands. Writes its files into the current folder."""

    def replay(block: re.Match[str]) -> str:
        language, name, content = block[1], block[2], block[3]
        if name is not None:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(content, "utf-8")
        if language != "console":
            return block[0]
        commands = re.findall(r"^\$ (.+)\n", content, re.MULTILINE)
        shown = "".join(f"$ {each}\n{shell.output(each)}" for each in commands)
        return f"```console\n{shown}```"

    return _BLOCK.sub(replay, text)


@pytest.mark.parametrize("name", [name for name, text in TEXTS.items() if "```console\n" in text])
def test_outputs_are_real(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    compare(name, replayed((ROOT / name).read_text("utf-8"), Shell(capsys, monkeypatch)))


_PYTHON = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", [name for name, text in TEXTS.items() if "```python\n" in text])
def test_programs_print_what_is_shown(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs the code blocks before the reference section of a page as one program, in the checkout."""
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    count = 0

    def run(block: re.Match[str]) -> str:
        nonlocal count
        count += 1
        exec(compile(block[1], f"{name}, program {count}", "exec"), names)
        printed = capsys.readouterr().out
        return f"```python\n{block[1]}```\n" + (f"\n```text\n{printed}```\n" if printed else "")

    before, heading, reference = (ROOT / name).read_text("utf-8").partition("## Reference\n")
    compare(name, _PYTHON.sub(run, before) + heading + reference)
    assert count


def lines_in_blocks(text: str, *languages: str) -> list[str]:
    """The command lines of extlint in the code blocks of a document that have one of these languages."""
    blocks = [block[3] for block in _BLOCK.finditer(text) if block[1] in languages]
    return [line for block in blocks for line in _LINE.findall(block)]


def works_in_checkout(arguments: list[str]) -> bool:
    """Whether a command line works in a checkout, and changes nothing in it."""
    only_prints = arguments[0] in ("rule", "schema") or arguments[-1] == "--help"
    return only_prints or any(each.startswith("examples/") for each in arguments)


COMMANDS_OF_README = lines_in_blocks(README, "sh")
IN_BLOCKS = sorted({line for text in TEXTS.values() for line in lines_in_blocks(text, "sh", "yaml")})
INLINE = sorted({line for text in TEXTS.values() for line in _INLINE.findall(_FENCED.sub("", text))})


@pytest.mark.parametrize("line", [*IN_BLOCKS, *INLINE])
def test_command_lines_are_valid(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    name, *arguments = shlex.split(line, comments=True)[1:]
    program = click.Context(extlint, info_name="extlint", **extlint.context_settings)
    command = extlint.get_command(program, name)
    assert command is not None, f"unknown command: {name}"
    without_help = [each for each in arguments if each != "--help"]
    is_mention = not without_help  # not a whole command line
    assert command.make_context(name, without_help, parent=program, resilient_parsing=is_mention).params


@pytest.mark.parametrize(
    "line", [each for each in IN_BLOCKS if works_in_checkout(shlex.split(each, comments=True)[1:])]
)
def test_commands_work_in_checkout(
    line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(shlex.split(line, comments=True)[1:]) in (0, 1)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("line", COMMANDS_OF_README)
def test_commands_of_readme_are_for_the_checkout(line: str) -> None:
    assert works_in_checkout(shlex.split(line, comments=True)[1:])


def test_readme_has_commands_and_outputs() -> None:
    assert {line.split()[1] for line in COMMANDS_OF_README} == set(COMMANDS)
    assert "```console\n" in README


def test_readme_is_short() -> None:
    assert len(README.encode()) <= 10_000


def test_readme_has_the_two_install_commands() -> None:
    in_environment = "python3 -m venv .venv && .venv/bin/pip install "
    blocks = re.findall(r"^```sh\n((?:.*\n)+?)```$", README, re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()]
    assert f"{in_environment}. && .venv/bin/extlint check examples/read-later" in lines
    assert f"{in_environment}-e '.[dev]' && .venv/bin/pytest" in lines


def test_ci_script_runs_the_command_of_the_readme() -> None:
    commands = re.findall(r"^python3 -m venv .*pytest$", README, re.MULTILINE)
    assert len(commands) == 1
    script = (ROOT / ".ci/run").read_text("utf-8")
    written = commands[0].replace(".venv", '"$VENV"').replace("pip install", "pip install --quiet")
    assert f'{written} "$@"' in script.splitlines()


def rows(names: Mapping[str, Format | Group]) -> str:
    """The rows of a table of names."""
    return "".join(f"| `{name}` | {each.about} |\n" for name, each in names.items())


def table(heading: str) -> str:
    """A pattern of the table whose first column has this heading. Its group is the rows."""
    return rf"^\| {re.escape(heading)} \|.*\n\|---.*\n((?:\|.*\n)*)"


def sections_of_keys() -> str:
    """A section for each key of a configuration."""
    sections = re.sub(r"^## ", "### ", configuration_keys(), flags=re.MULTILINE)
    return sections.replace("commands/check.md", "check.md#options")


GENERATED: dict[str, tuple[str, str, Callable[[], str]]] = {
    "output formats": ("docs/outputs.md", table("output format"), lambda: rows(FORMATS)),
    "groups": ("docs/check.md", table("group"), lambda: rows(GROUPS)),
    "API": ("docs/api.md", r"^## Reference\n\n((?s:.*))\Z", api_reference),
    "keys": ("docs/configuration.md", r"^## Keys\n\n((?s:.*))\Z", sections_of_keys),
}
"""The generated parts of documents: the document, a pattern whose group is the part, and its generator."""


@pytest.mark.parametrize("part", GENERATED)
def test_generated_parts_match_the_program(part: str) -> None:
    name, pattern, generate = GENERATED[part]
    text = (ROOT / name).read_text("utf-8")
    [found] = re.finditer(pattern, text, re.MULTILINE)
    compare(name, text[: found.start(1)] + generate() + text[found.end(1) :])


def first_column(name: str, heading: str) -> list[str]:
    """The cells in the first column of the only table of a document with this heading."""
    [found] = re.findall(table(heading), TEXTS[name], re.MULTILINE)
    return [row.split("|")[1] for row in found.splitlines()]


def test_option_table_lists_each_option_once() -> None:
    cells = first_column("docs/check.md", "option of `check`")
    options = {name for each in check_command.params for name in each.opts if name.startswith("--")}
    assert sorted(name for cell in cells for name in re.findall(r"`(--[\w-]+)`", cell)) == sorted(options)


def test_input_table_lists_the_inputs_of_the_action() -> None:
    yaml = pytest.importorskip("yaml")
    inputs = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"]
    assert [cell.strip(" `") for cell in first_column("docs/ci.md", "input")] == [*inputs]


@pytest.mark.parametrize("name", TEXTS)
def test_documents_name_existing_rules(name: str) -> None:
    first_words = "|".join(sorted({rule.partition("-")[0] for rule in RULES}))
    named = re.findall(rf"[`\[]((?:{first_words})(?:-[a-z]+)+)[`\]]", TEXTS[name])
    assert set(named) <= RULES.keys()


@pytest.mark.parametrize("name", TEXTS)
def test_blocks_are_closed(name: str) -> None:
    fences = re.findall(r"^```(.*)$", TEXTS[name], re.MULTILINE)
    assert not any(closing for _, closing in zip(fences[::2], fences[1::2], strict=True))


def test_files_in_the_table_of_excuses_exist() -> None:
    named = re.findall(r"`([\w…]+/[\w…/]+\.py)`", TEXTS["docs/development/excuses.md"])
    assert named
    paths = {each.as_posix() for folder in ("linter", "rules") for each in (ROOT / folder).rglob("*.py")}
    for name in named:
        folder, _, rest = name.rpartition("…/")
        assert any(each.endswith(f"/{rest}") and folder in each for each in paths), name


def anchors(text: str) -> set[str]:
    """The anchors of the headings of a document."""
    titles = re.findall(r"^#+ (.+)$", _FENCED.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_links_of_readme_lead_to_existing_files() -> None:
    links = _LINK.findall(_FENCED.sub("", README))
    assert links
    for path, anchor in links:
        assert (ROOT / path).is_file(), path
        assert not anchor or anchor in anchors((ROOT / path).read_text("utf-8")), f"{path}#{anchor}"


def test_readme_links_to_each_page_for_users() -> None:
    linked = {path for path, _ in _LINK.findall(README)}
    for_users = {each for each in PAGES if not each.startswith("docs/development/")}
    assert {each for each in for_users if each.count("/") == 1} - linked == {"docs/index.md"}


_VERSION = re.compile(r"(?:extlint/extlint(?:@v|:)|rev: v)(\d[\w.]*)")
"""A version of extlint: of the action, the image, or the hooks of pre-commit."""

_INSTALLED = re.compile(
    r"(?:(?:pip|pipx|tool) install|uvx|pipx run|npx|npm install --save-dev) ['\"]?([a-z][a-z+-]*)"
)
_OTHER_PACKAGES = {"addons-linter", "git+https", "husky", "lint-staged"}

_EXTRAS = re.compile(r"extlint\[([\w,]+)\]")


def test_examples_name_the_newest_version() -> None:
    newest = sections(TEXTS["CHANGELOG.md"])[0].version
    named = {(name, version) for name, text in TEXTS.items() for version in _VERSION.findall(text)}
    assert {version for _, version in named} == {newest}


def test_documents_install_only_what_a_release_creates() -> None:
    named = {(name, package) for name, text in TEXTS.items() for package in _INSTALLED.findall(text)}
    assert {package for _, package in named} - _OTHER_PACKAGES == {"extlint"}
    assert {name for name, _ in named} >= {"README.md", "docs/install.md", "docs/ci.md", "docs/serve.md"}


def test_named_extras_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    sources = {path.as_posix(): path.read_text("utf-8") for path in (ROOT / "linter").rglob("*.py")}
    named = {
        (name, extra)
        for name, text in {**TEXTS, **sources}.items()
        for extras in _EXTRAS.findall(text)
        for extra in extras.split(",")
    }
    assert {extra for _, extra in named} >= {"re2", "serve", "watch"}
    assert {each for each in named if each[1] not in project["optional-dependencies"]} == set()
