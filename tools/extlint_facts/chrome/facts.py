"""The files of facts about Chrome's API, and the versions in which its members appeared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from extlint_facts.chrome.embedded_schemas import complete, embedded_schemas, mark_unasked
from extlint_facts.chrome.manifest import manifest, required_only_permissions
from extlint_facts.chrome.namespaces import namespaces
from extlint_facts.chrome.normalization import normalized
from extlint_facts.chrome.syntax import parse
from extlint_facts.corrections.api import correct, new_namespaces
from extlint_facts.corrections.rows import corrections
from extlint_facts.packages.access import Packages
from extlint_facts.recorded.objects import complete_results
from extlint_facts.recorded.objects import load as recorded_objects
from extlint_facts.serialization import namespace_files
from extlint_facts.version_ranges import AT_MOST

API, MANIFEST = "chrome-types", "@types/chrome"
BROWSER = "chrome"
ALL_URLS = "<all_urls>"


def files(packages: Packages) -> dict[str, str]:
    """Returns the files of the folder `chrome`, by path."""
    api = chrome_namespaces(packages)
    root = parse(packages.read(MANIFEST, "index.d.ts"))
    keys = manifest(root, type_names(api), permissions(api))
    known = next(each["enum"] for each in keys["types"] if each["id"] == "Permission")
    index = {"permissions": known, "optional_permissions_excluded": required_only_permissions(root)}
    return namespace_files(BROWSER, [*api, keys], index)


def chrome_namespaces(packages: Packages) -> list[dict[str, Any]]:
    """Returns the namespaces of Chrome's API, with the manual corrections applied."""
    found = namespaces(parse(packages.read(API, "_all.d.ts")))
    complete(found, embedded_schemas())
    found += new_namespaces(found, corrections(BROWSER, "namespace"))
    correct(found, BROWSER, corrections(BROWSER, "api"))
    mark_unasked(found)
    found = normalized(found)
    complete_results(found, BROWSER, recorded_objects())
    return found


def type_names(api: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Returns the types of all namespaces (`tabs.Tab`)."""
    return (f"{each['namespace']}.{kind['id']}" for each in api for kind in each.get("types", ()))


def permissions(node: object) -> Iterator[str]:
    """Yields every permission that a member requires, but no manifest keys."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("permissions", "callPermissions") and isinstance(value, list):
                yield from (each for each in value if each != ALL_URLS and not each.startswith("manifest:"))
            else:
                yield from permissions(value)
    elif isinstance(node, list):
        for each in node:
            yield from permissions(each)


def chrome_since(api: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Returns the first version of each member that states one, by path.

    A member is never older than its namespace.

    chrome-types knows when a member was documented, which may be long after it was added. So the version
    of a member is one that certainly has it, `<=150`, unless it is that of the whole namespace.
    """
    found: dict[str, str] = {}
    for namespace in api:
        name = namespace["namespace"]
        own = namespace.get("since")
        if own is not None:
            found[name] = own
        found.update(_part_versions(namespace, name, own))
    return found


def _part_versions(node: Mapping[str, Any], path: str, outer: str | None) -> Iterator[tuple[str, str]]:
    parts = [*node.get("properties", {}).items()]
    for key, label in (("functions", "name"), ("events", "name"), ("types", "id")):
        parts += ((each[label], each) for each in node.get(key, ()))
    for name, each in parts:
        own_since = each.get("since")
        since = outer if own_since in (None, outer) else AT_MOST + own_since
        if since is not None and "<" not in name and each.get("channel") != "trunk":
            yield f"{path}.{name}", since
        if "id" in each:
            yield from _part_versions(each, f"{path}.{name}", None)


def undated_parts(api: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yields the parameters of functions, and their properties, for which no version is stated.

    browser-compat-data names a property after its parameter or its function: `tabs.query.queryInfo.index`,
    `tabs.query.index`.
    """
    namespaces = [*api]
    types = {
        f"{each['namespace']}.{kind['id']}": kind for each in namespaces for kind in each.get("types", ())
    }
    for namespace in namespaces:
        for function in namespace.get("functions", ()):
            path = f"{namespace['namespace']}.{function['name']}"
            for parameter in function.get("parameters", ()):
                if "since" in parameter:
                    continue
                yield f"{path}.{parameter['name']}"
                reference = parameter.get("$ref", "")
                kind = types.get(reference) or types.get(f"{namespace['namespace']}.{reference}") or parameter
                for name, each in kind.get("properties", {}).items():
                    if "since" not in each:
                        yield from (f"{path}.{parameter['name']}.{name}", f"{path}.{name}")
