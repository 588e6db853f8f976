from __future__ import annotations

from typing import Any

import pytest

from extlint_facts.chrome.normalization import normalized
from extlint_facts.chrome.tags import facts, facts_of_overloads


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        pytest.param("@chrome-permission tabs", {"permissions": ["tabs"]}, id="a permission"),
        pytest.param(
            "@chrome-permission a\n * @chrome-permission b",
            {"permissions": ["a", "b"]},
            id="either permission",
        ),
        pytest.param("@chrome-manifest action", {"permissions": ["manifest:action"]}, id="a manifest key"),
        pytest.param("@chrome-min-manifest MV3", {"min_manifest_version": 3}, id="minimum manifest version"),
        pytest.param("@chrome-max-manifest MV2", {"max_manifest_version": 2}, id="maximum manifest version"),
        pytest.param("@since Chrome 88", {"since": "88"}, id="since a version"),
        pytest.param("@since Pending", {"channel": "trunk"}, id="in no version yet"),
        pytest.param("@chrome-returns-extra since Chrome 96", {"promiseSince": "96"}, id="promises since"),
        pytest.param("@deprecated Use other things.", {"deprecated": True}, id="deprecated"),
        pytest.param(
            "@chrome-deprecated-since Chrome 70",
            {"deprecated": True, "deprecatedSince": "70"},
            id="deprecated since a version",
        ),
        pytest.param(
            "@chrome-platform chromeos\n * @chrome-platform win",
            {"platforms": ["chromeos", "win"]},
            id="on some systems",
        ),
        pytest.param("@chrome-channel dev", {"channel": "dev"}, id="in the dev channel"),
        pytest.param(
            "@chrome-install-location policy", {"installLocation": "policy"}, id="if installed by policy"
        ),
        pytest.param(
            "@chrome-disallow-service-workers", {"noServiceWorker": True}, id="not in service workers"
        ),
        pytest.param("Says that @since is a tag.", {}, id="words of a sentence"),
    ],
)
def test_tags_are_converted_to_facts(tag: str, expected: dict[str, Any]) -> None:
    assert facts(f"/**\n * A sentence.\n *\n * {tag}\n */") == expected
    assert facts(f"/** {tag} */") == expected


def test_function_combines_facts_of_all_overloads() -> None:
    comments = ["/** @since Chrome 5\n * @chrome-returns-extra since Chrome 90 */", "/** @since Chrome 5 */"]
    assert facts_of_overloads(comments) == {"since": "5", "promiseSince": "90"}


def test_member_without_permission_moves_namespace_permission_to_the_others() -> None:
    namespace = {
        "namespace": "management",
        "permissions": ["management"],
        "functions": [
            {"name": "getSelf", "permissions": []},
            {"name": "getAll"},
            {"name": "install", "permissions": ["manifest:app"]},
        ],
        "events": [{"name": "onInstalled"}],
    }
    assert normalized([namespace]) == [
        {
            "namespace": "management",
            "functions": [
                {"name": "getSelf"},
                {"name": "getAll", "permissions": ["management"]},
                {"name": "install", "permissions": ["manifest:app"]},
            ],
            "events": [{"name": "onInstalled", "permissions": ["management"]}],
        }
    ]


def test_namespace_has_the_contexts_of_its_members() -> None:
    namespace = {
        "namespace": "runtime",
        "functions": [{"name": "connect", "allowedContexts": ["content", "offscreen"]}, {"name": "reload"}],
    }
    assert normalized([namespace])[0]["allowedContexts"] == ["content", "offscreen"]


def test_devtools_arguments_are_unchecked() -> None:
    namespaces = [{"namespace": name, "functions": [{"name": "f"}]} for name in ("devtools.panels", "tabs")]
    unchecked = [
        each["functions"][0].get("allowAmbiguousOptionalArguments") for each in normalized(namespaces)
    ]
    assert unchecked == [True, None]
