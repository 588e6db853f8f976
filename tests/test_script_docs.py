"""The example in the documentation of `extlint.analysis`, followed from its text to its facts."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import extlint.analysis
import extlint.analysis.guards
from extlint.analysis.analyze import analyze
from extlint.analysis.facts.script_facts import FailureHandling

SCRIPT_DOCS = extlint.analysis.__doc__ or ""
EXAMPLE = dedent(SCRIPT_DOCS.split("\n\n")[2])


def test_example_has_the_documented_facts() -> None:
    facts = analyze(EXAMPLE.encode(), "a.js")
    named = [(each.path, each.only_tested) for each in facts.references]
    get_self = ("management", "getSelf")
    assert named == [(("management",), False), (get_self, True), (get_self, False)]
    assert facts.references[-1].guards.tested == {get_self}
    assert [(call.path, call.arguments) for call in facts.calls] == [(get_self, ())]
    assert [(read.of.path, read.name) for read in facts.field_reads] == [(get_self, "nmae")]
    assert [load.name for load in facts.loads] == ["webextension-polyfill"]


def test_script_docs_mention_every_package() -> None:
    rooms = {path.parent.name for path in Path(extlint.analysis.__path__[0]).glob("*/__init__.py")}
    documented = {
        name
        for line in re.findall(r"^`\w+`(?:, `\w+`)*", SCRIPT_DOCS, re.MULTILINE)
        for name in re.findall(r"\w+", line)
    }
    assert documented == rooms


GUARD_DOCS = extlint.analysis.guards.__doc__ or ""
GUARDED_EXAMPLE = dedent(GUARD_DOCS.split("\n\n")[2])


def test_guarded_example_has_the_documented_facts() -> None:
    namespace, get_self = ("management",), ("management", "getSelf")
    references = analyze(GUARDED_EXAMPLE.encode(), "a.js").references
    tested, called = [each for each in references if each.path == get_self]
    assert tested.only_tested
    assert tested.guards.tested == {namespace}
    assert not called.only_tested
    assert called.guards.tested == {namespace, get_self}
    assert called.guards.browser_tested
    assert called.guards.failure is FailureHandling.RECOVERED
    assert not called.on_load


def test_guard_docs_mention_every_module() -> None:
    room = Path(extlint.analysis.guards.__path__[0])
    modules = {path.stem for path in room.glob("[a-z]*.py")} | {
        path.parent.name for path in room.glob("*/*.py")
    }
    unnamed = modules - set(re.findall(r"`(\w+)`", GUARD_DOCS))
    assert unnamed == set()
