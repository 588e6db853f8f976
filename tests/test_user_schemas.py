"""Schemas passed with `--schemas`: their effect, and the errors in invalid ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from harness import manifest
from packages import package_of

from extlint.checker import check_package
from extlint.cli.main import main
from extlint.registry import rules_in
from extlint.schema.model import UserSchemas
from extlint.schema.targets import BROWSERS, Target, beyond_reference, schema_set
from extlint.services.api_lookup.lookup import find_entries
from extlint_schemas import TARGETS

MAIL: list[dict[str, Any]] = [
    {
        "namespace": "mail",
        "permissions": ["mailRead"],
        "functions": [
            {
                "name": "fetch",
                "type": "function",
                "async": "done",
                "parameters": [
                    {"name": "folder", "type": "string", "enum": ["inbox", "sent"]},
                    {"name": "done", "type": "function", "parameters": []},
                ],
            },
            {"name": "old", "type": "function", "unsupported": True, "parameters": []},
        ],
        "events": [{"name": "onMail", "type": "function", "parameters": []}],
    },
    {"namespace": "mail.rules", "functions": [{"name": "run", "type": "function", "parameters": []}]},
    {
        "namespace": "tabs",
        "functions": [
            {
                "name": "dress",
                "type": "function",
                "async": True,
                "parameters": [{"name": "id", "type": "integer"}],
            }
        ],
    },
    {"namespace": "tabsToo", "$import": "tabs"},
    {
        "namespace": "management",
        "types": [{"$extend": "ExtensionInfo", "properties": {"mood": {"type": "string"}}}],
    },
]

ARGUMENT_RULES = ("invalid-argument", "wrong-argument-count")
"""Rules that report nothing for Safari, because its types are unknown."""

USES = {
    "a right call": ("browser.mail.fetch('inbox')", []),
    "a wrong value": ("browser.mail.fetch('trash')", ["invalid-argument"]),
    "too many arguments": ("browser.mail.fetch('inbox', () => {}, 1)", ["wrong-argument-count"]),
    "an unknown member": ("browser.mail.fetchAll()", ["unknown-api"]),
    "an unsupported member": ("browser.mail.old()", ["unsupported-api"]),
    "an event": ("browser.mail.onMail.addListener(() => {}); browser.mail.onMail.add()", ["unknown-api"]),
    "a nested namespace": ("browser.mail.rules.run(); browser.mail.rules.walk()", ["unknown-api"]),
    "a test": ("if (browser.mail.fetchAll) browser.mail.fetchAll()", []),
    "a member added to a namespace": ("browser.tabs.dress(1); browser.tabs.query({})", []),
    "a wrong argument of what is added": ("browser.tabs.dress('1')", ["invalid-argument"]),
    "an original member of an extended namespace": ("browser.tabs.query(1)", ["invalid-argument"]),
    "an imported namespace": ("browser.tabsToo.dress(1); browser.tabsToo.dress({})", ["invalid-argument"]),
}


def reported_rules(source: str, target: str, schemas: UserSchemas, *permissions: str) -> list[str]:
    keys = {"background": {"scripts": ["b.js"]}, "permissions": ["management", *permissions]}
    package = package_of({"manifest.json": manifest(**{"manifest_version": 2, **keys}), "b.js": source})
    rules = rules_in("uses")
    return [each.rule for each in check_package(package, [Target(target)], rules, schemas).findings]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("source", "expected"), USES.values(), ids=USES.keys())
def test_user_namespace_is_checked_like_any_other(source: str, expected: list[str], target: str) -> None:
    expected_rules = [rule for rule in expected if target != "safari" or rule not in ARGUMENT_RULES]
    assert reported_rules(source, target, UserSchemas(tuple(MAIL)), "mailRead") == expected_rules


@pytest.mark.parametrize("target", TARGETS)
def test_permission_of_user_schema_is_required(target: str) -> None:
    assert reported_rules("browser.mail.fetch('inbox')", target, UserSchemas(tuple(MAIL))) == [
        "missing-permission"
    ]


@pytest.mark.parametrize("target", [each for each in TARGETS if each != "safari"])
def test_user_schema_extends_a_type(target: str) -> None:
    source = "browser.management.getSelf().then(self => console.log(self.mood, self.temper))"
    assert reported_rules(source, target, UserSchemas(tuple(MAIL))) == ["unknown-result-field"]


@pytest.mark.parametrize("target", TARGETS)
def test_namespace_without_user_schema_is_unknown(target: str) -> None:
    rules = reported_rules("browser.mail.fetch('trash')", target, UserSchemas())
    assert rules == ([] if target == "safari" else ["unknown-api"])


CONTEXTS = {
    "for content scripts too": (["content"], []),
    "only for pages": ([], ["wrong-context"]),
}


@pytest.mark.parametrize(("contexts", "expected"), CONTEXTS.values(), ids=CONTEXTS.keys())
@pytest.mark.parametrize("target", TARGETS)
def test_contexts_of_user_namespace(contexts: list[str], expected: list[str], target: str) -> None:
    function = {"name": "run", "type": "function", "parameters": []}
    schemas = UserSchemas(
        (
            {
                "namespace": "api",
                "allowedContexts": contexts,
                "defaultContexts": contexts,
                "functions": [function],
            },
        )
    )
    scripts = [{"matches": ["<all_urls>"], "js": ["c.js"]}]
    text = manifest(content_scripts=scripts, background={"service_worker": "b.js"})
    package = package_of({"manifest.json": text, "c.js": "browser.api.run()", "b.js": "browser.api.run()"})
    found = check_package(package, [Target(target)], ["wrong-context"], schemas).findings
    assert [(each.rule, each.path) for each in found] == [(rule, "c.js") for rule in expected]


def test_lookup_includes_user_schemas() -> None:
    schemas = UserSchemas(tuple(MAIL))
    (entry,) = find_entries(schema_set("firefox", schemas), "mail.fetch")
    assert (entry.signature, entry.permissions) == ("mail.fetch(folder, done?)", (("mailRead",),))
    assert (entry.documentation, dict(entry.versions)) == (None, {})
    (entry,) = find_entries(schema_set("chrome", schemas), "mail.fetch")
    assert entry.documentation is None


def test_reference_target_keeps_its_namespaces() -> None:
    schemas = UserSchemas(tuple(MAIL))
    assert schema_set("reference", schemas).names == schema_set("reference").names
    for browser in BROWSERS:
        names = beyond_reference(browser, schemas).names
        assert {"mail", "mail.rules", "tabs", "tabsToo"} <= {*names}
        assert "management" not in names


def test_user_schemas_do_not_affect_other_schema_sets() -> None:
    assert find_entries(schema_set("firefox", UserSchemas(tuple(MAIL))), "tabs.dress")
    assert find_entries(schema_set("firefox"), "tabs.dress") == ()


FILE = json.dumps(MAIL, indent=1)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "schemas" / "deep").mkdir(parents=True)
    (tmp_path / "schemas" / "deep" / "mail.json").write_text(FILE)
    (tmp_path / "manifest.json").write_text(manifest(background={"service_worker": "b.js"}))
    (tmp_path / "b.js").write_text("browser.mail.fetch('trash')")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("pattern", ["schemas/deep/mail.json", "schemas/*/*.json", "schemas/**/*.json"])
def test_glob_selects_schema_files(pattern: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["check", "--target", "firefox", "--output-format", "concise", "-q"]
    assert main([*arguments, "--schemas", pattern]) == 1
    assert "invalid-argument" in capsys.readouterr().out
    assert main(["schema", "mail.fetch", "--schemas", str(files / pattern)]) == 0
    assert capsys.readouterr().out.startswith("mail.fetch(folder, done?)\n")


BROKEN = {
    "not JSON": ("[{]", "invalid schema schemas/x.json:1:3: /: "),
    "no list": ("{}", "invalid schema schemas/x.json:1:1: /: the file must be a list"),
    "a misspelled key": (
        '[\n  {"namespace": "a", "function": []}\n]',
        "invalid schema schemas/x.json:2:22: /0: `function` is not a key of a namespace; "
        "did you mean `functions`?",
    ),
    "two mistakes": (
        '[{"namespace": "", "events": 1}]',
        "invalid schema schemas/x.json:1:16: /0/namespace: `namespace` must not be empty; and 1 more mistake",
    ),
    "an unknown type": (
        '[{"namespace": "a", "types": [{"id": "B", "type": "strin"}]}]',
        "invalid schema schemas/x.json:1:51: /0/types/0/type: "
        '`type` cannot be "strin"; did you mean "string"?',
    ),
}


@pytest.mark.parametrize(("text", "sentence"), BROKEN.values(), ids=BROKEN.keys())
@pytest.mark.parametrize("command", ["check", "schema"])
def test_invalid_schema_is_reported_with_its_position(
    command: str, text: str, sentence: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "schemas" / "x.json").write_text(text)
    assert main([command, "--schemas", "schemas/*.json"]) == 2
    out, errors = capsys.readouterr()
    assert (out, errors.count("\n")) == ("", 1)
    assert errors.startswith(f"extlint: {sentence}")


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        pytest.param("nothing/*.json", "no schema file matches nothing/*.json", id="no file"),
        pytest.param("schemas", "cannot read the schema schemas: it is not a regular file", id="a folder"),
    ],
)
@pytest.mark.usefixtures("files")
def test_glob_without_files_is_an_error(
    pattern: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--schemas", pattern]) == 2
    assert capsys.readouterr() == ("", f"extlint: {sentence}\n")
