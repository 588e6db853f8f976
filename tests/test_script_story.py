"""The example that `extlint.script` follows from its text to its facts."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import extlint.script
from extlint.script.analyse import analyse

STORY = extlint.script.__doc__ or ""
EXAMPLE = dedent(STORY.split("\n\n")[2])


def test_the_example_comes_out_as_the_story_tells() -> None:
    facts = analyse(EXAMPLE.encode(), "a.js")
    named = [(each.path, each.only_tested) for each in facts.references]
    get_self = ("management", "getSelf")
    assert named == [(("management",), False), (get_self, True), (get_self, False)]
    assert facts.references[-1].guards.tested == {get_self}
    assert [(call.path, call.arguments) for call in facts.calls] == [(get_self, ())]
    assert [(read.of.path, read.name) for read in facts.field_reads] == [(get_self, "nmae")]
    assert [load.name for load in facts.loads] == ["webextension-polyfill"]


def test_the_story_goes_through_every_room() -> None:
    rooms = {path.parent.name for path in Path(extlint.script.__path__[0]).glob("*/__init__.py")}
    told = {
        name
        for line in re.findall(r"^`\w+`(?:, `\w+`)*", STORY, re.MULTILINE)
        for name in re.findall(r"\w+", line)
    }
    assert told == rooms
