"""Consistency of the registry, the rule modules, their examples and the documents."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from itertools import chain, groupby
from pathlib import Path

import pytest
from harness import manifest
from test_startup import modules_after
from thorough import in_turn

import extlint_rules
from extlint.checks.manifest_values.known_keys import targets_with_key
from extlint.cli.main import main
from extlint.registry import GROUPS, RULES, load, module_name, rules_in
from extlint.rule import AnyOf, When

ROOT = Path(__file__).parent.parent
MODULES = {path.stem: path for path in Path(str(extlint_rules.__file__)).parent.glob("*.py")}
HELPERS = MODULES["__init__"].parent / "helpers"
ENGINE = ROOT / "linter/extlint"


def test_rules_and_modules_correspond() -> None:
    modules = MODULES.keys() - {"__init__"}
    assert modules == set(map(module_name, RULES)), "left: modules of extlint_rules; right: rows of the table"


def test_each_helper_is_used_by_one_rule() -> None:
    helpers = {path.stem: path for path in HELPERS.glob("[!_]*.py")}
    users: dict[str, set[str]] = {helper: set() for helper in helpers}
    for name, path in [*MODULES.items(), *((f"helpers.{name}", path) for name, path in helpers.items())]:
        for helper in re.findall(r"from extlint_rules\.helpers\.(\w+) import", path.read_text("utf-8")):
            users[helper].add(name)
    misplaced = {
        helper: names for helper, names in users.items() if not names or len(names & MODULES.keys()) > 1
    }
    assert misplaced == {}, "what several rules need belongs into the engine, and what none needs is deleted"


@pytest.mark.parametrize("name", RULES)
def test_module_has_its_own_registry_row(name: str) -> None:
    module = load(name)
    assert vars(module)["RULE"] is RULES[name]
    assert callable(module.check)


def test_rules_are_ordered_by_group() -> None:
    in_table = [group.name for group, _ in groupby(rule.group for rule in RULES.values())]
    assert in_table == list(GROUPS), "a row stands among those of another group"
    assert [name for group in GROUPS for name in rules_in(group)] == list(RULES)


def test_rule_and_group_names_are_distinct() -> None:
    assert GROUPS.keys().isdisjoint(RULES)


def test_followed_rules_exist() -> None:
    causes = {rule.follows for rule in RULES.values()} - {None}
    assert causes
    assert causes <= RULES.keys()
    assert all(RULES[cause].follows is None for cause in causes if cause is not None)


@pytest.mark.parametrize("name", RULES)
def test_manifest_keys_of_a_rule_exist(name: str) -> None:
    rule = RULES[name]
    conditions = (each for each in rule.when if isinstance(each, AnyOf) and each.condition is When.KEYS)
    keys = {*rule.written_keys, *chain.from_iterable(each.names for each in conditions)}
    assert {key for key in keys if not targets_with_key((key,))} == set(), (
        "no browser has these keys in a manifest"
    )


def calls_of(function: str) -> Iterator[ast.Call]:
    """Yields the calls of functions with a given name, in the engine and the rules."""
    for path in (*ENGINE.rglob("*.py"), *MODULES.values()):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text if f"{function}(" in text else "")):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
                yield node


def test_json_mistakes_name_rules_that_report_them() -> None:
    named = {
        call.args[0].value
        for call in calls_of("Mistake")
        if call.args and isinstance(call.args[0], ast.Constant)
    }
    json_rules = {name for name in RULES if "json_findings" in vars(load(name))}
    assert named
    assert named <= json_rules
    assert {name for name, rule in RULES.items() if rule.reads} <= json_rules


def test_severity_depends_only_on_the_rule_and_the_browser() -> None:
    assert [path.name for path in MODULES.values() if "Severity" in path.read_text("utf-8")] == []
    assert len(list(calls_of("Finding"))) == 1
    changing = {
        path.stem
        for path in ENGINE.rglob("*.py")
        if "severity" in (text := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.keyword) and node.arg == "severity"
    }
    assert changing == {"calls", "common_findings", "json_findings", "merge", "project_file", "report_of"}


def test_only_selected_rules_are_imported(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(manifest())
    status, modules = modules_after(
        "check", str(tmp_path), "--select", "missing-key,invalid-value,lost-message"
    )
    assert status == 0
    assert {each for each in modules if each.startswith("extlint_rules.")} == {"extlint_rules.invalid_value"}


@pytest.mark.parametrize("group", GROUPS)
def test_group_page_lists_rules_with_severities(group: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", group]) == 0
    listed = re.findall(r"^([a-z-]+) +(error|warning|info) +Finds ", capsys.readouterr().out, re.MULTILINE)
    assert listed == [(name, str(RULES[name].severity)) for name in rules_in(group)]


@pytest.mark.parametrize(
    ("group", "option"), in_turn((group, ["--select", "--extend-select", "--ignore"]) for group in GROUPS)
)
def test_group_selects_its_rules(group: str, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    def found(names: str) -> object:
        main(["check", str(ROOT / "examples/browsers"), option, names, "--output-format", "json"])
        return json.loads(capsys.readouterr().out)["findings"]

    assert found(group) == found(",".join(rules_in(group)))
