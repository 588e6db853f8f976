"""The committed facts about browsers: complete, in the dialect, and as many as the browsers have."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest

import extlint_schemas
from extlint.schema.model import SchemaSet
from extlint.schema.types import RefType
from extlint.schema.validation import explain
from extlint.schema.validation.schema_files import check_dialect
from extlint_facts.chrome.embedded_schemas import embedded_schemas
from extlint_facts.ordering import ordered
from extlint_facts.packages.pin import pins
from extlint_facts.recorded import objects as recorded_objects
from extlint_facts.serialization import to_text
from extlint_schemas import dialect

ROOT = Path(extlint_schemas.__file__).parent
BROWSERS = [name for name in ("chrome", "firefox") if (ROOT / name).is_dir()]
FILES = [path for name in BROWSERS for path in sorted((ROOT / name).glob("*.json")) if path.stem != "index"]
LOWER_BOUNDS = {"firefox": (60, 370, 125), "chrome": (85, 420, 190)}
"""Namespaces, functions and events, including those in the types of objects that scripts receive."""


def namespaces_of(path: Path) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(path.read_bytes())["namespaces"]
    return listed


def all_namespaces_of(browser: str) -> list[dict[str, Any]]:
    return [each for path in FILES if path.parent.name == browser for each in namespaces_of(path)]


@pytest.fixture(scope="module", params=BROWSERS)
def browser(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def in_dialect() -> Callable[[Any], bool]:
    """Returns a check of namespaces against the dialect's schema, compiled like others, which is fast."""
    validate = fastjsonschema.compile(dialect(), use_default=False)

    def accepts(namespaces: Any) -> bool:
        try:
            validate(namespaces)
        except fastjsonschema.JsonSchemaValueException:
            return False
        return True

    return accepts


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_file_is_in_the_dialect_and_in_canonical_order(
    path: Path,
    in_dialect: Callable[[Any], bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = json.loads(path.read_bytes())
    if in_dialect(document["namespaces"]):
        monkeypatch.setattr(explain, "explain", lambda *_, **__: ())
    assert check_dialect(json.dumps(document["namespaces"]).encode(), path.name) == []
    assert {each["namespace"].partition(".")[0] for each in document["namespaces"]} == {path.stem}
    assert to_text({**document, "namespaces": [ordered(each) for each in document["namespaces"]]}) == (
        path.read_text("utf-8")
    )


def test_sources_are_the_pinned_packages_and_the_recorded_browsers() -> None:
    sources = json.loads((ROOT / "sources.json").read_bytes())
    assert sources["packages"] == [pin.source() for pin in pins().values()]
    recorded = [embedded_schemas().source(), *(row.source() for row in recorded_objects.load())]
    assert sorted(map(str, sources["browsers"])) == sorted(set(map(str, recorded)))
    assert sources["date"] == max(pin.pinned for pin in pins().values())


def test_sources_of_each_folder_are_known() -> None:
    sources = json.loads((ROOT / "sources.json").read_bytes())
    known = {each.get("package") or each["browser"] for each in (*sources["packages"], *sources["browsers"])}
    assert {name for names in sources["folders"].values() for name in names} <= known
    assert all(any((ROOT / folder).glob("*.json")) for folder in sources["folders"])


def test_only_the_list_of_sources_has_versions_and_hashes() -> None:
    hashes = [pin.source()["sha512"].encode() for pin in pins().values()]
    paths = [path for path in ROOT.rglob("*.json") if any(each in path.read_bytes() for each in hashes)]
    assert paths == [ROOT / "sources.json"]


def test_index_locates_every_namespace(browser: str) -> None:
    index = json.loads((ROOT / browser / "index.json").read_bytes())
    there = {
        each["namespace"]: path.name
        for path in FILES
        if path.parent.name == browser
        for each in namespaces_of(path)
    }
    assert index["namespaces"] == there
    assert set(index["optional_permissions_excluded"]) < set(index["permissions"])
    assert {"tabs", "storage", "management"} <= set(index["permissions"])


def test_every_required_permission_is_known(browser: str) -> None:
    known = set(json.loads((ROOT / browser / "index.json").read_bytes())["permissions"])
    required = {
        each
        for node in nodes(all_namespaces_of(browser))
        for group in [node.get("permissions", ()), *node.get("permissionsAll", ())]
        for each in group
        if not each.startswith("manifest:") and each not in HOSTS
    }
    assert required - known == UNLISTED.get(browser, set())


HOSTS = ("<all_urls>",)
UNLISTED: Mapping[str, set[str]] = {}
"""Permissions that a browser's API requires but that its lists do not contain."""


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Yields every namespace and member in a list of namespaces, and every part of one."""
    if isinstance(value, list):
        for each in value:
            yield from nodes(each)
    elif isinstance(value, dict):
        if "permissions" in value and isinstance(value["permissions"], list):
            yield value
        for each in value.values():
            yield from nodes(each)


def references(value: Any, namespace: str) -> Iterator[RefType]:
    if isinstance(value, list):
        for each in value:
            yield from references(each, namespace)
    elif isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            scope, _, name = value["$ref"].rpartition(".")
            yield RefType(scope or namespace, name)
        for each in value.values():
            yield from references(each, namespace)


def test_every_namespace_is_read_and_every_reference_resolves(browser: str) -> None:
    listed = all_namespaces_of(browser)
    schemas = SchemaSet(browser, listed)
    for each in listed:
        namespace = schemas.namespace(each["namespace"])
        assert namespace is not None
        assert len(namespace.members) >= len(each.get("properties", {}))
        assert all(namespace.type(name) is not None for name in namespace.type_names)
        assert all(namespace.members_of_type(name) is not None for name in namespace.type_names)
    lost = {ref for each in listed for ref in references(each, each["namespace"]) if not schemas.resolve(ref)}
    assert lost == set()


def test_facts_contain_no_prose(browser: str) -> None:
    def texts(value: Any) -> Iterator[str]:
        if isinstance(value, list):
            for each in value:
                yield from texts(each)
        elif isinstance(value, dict):
            for key, each in value.items():
                if key not in ("pattern", "enum"):
                    yield from texts(each)
        elif isinstance(value, str):
            yield value

    assert [text for text in texts(all_namespaces_of(browser)) if " " in text.strip()] == []


def test_facts_cover_the_size_of_the_browser_api(browser: str, record_property: Any) -> None:
    listed = all_namespaces_of(browser)
    holders = [holder for each in listed for holder in (each, *each.get("types", ()))]
    counts = (
        len(listed),
        sum(len(holder.get("functions", ())) for holder in holders),
        sum(len(holder.get("events", ())) for holder in holders),
    )
    size = sum(path.stat().st_size for path in FILES if path.parent.name == browser)
    record_property("sizes", f"{browser}: {counts}, {size} bytes")
    assert all(found >= least for found, least in zip(counts, LOWER_BOUNDS[browser], strict=True))
