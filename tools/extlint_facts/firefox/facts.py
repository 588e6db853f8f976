"""The files of Firefox's facts."""

from __future__ import annotations

from extlint_facts.corrections.api import correct, new_namespaces
from extlint_facts.corrections.rows import corrections
from extlint_facts.firefox.bundle import documents
from extlint_facts.firefox.manifest import permissions
from extlint_facts.firefox.namespaces import namespaces
from extlint_facts.firefox.type_namespaces import MANIFEST, type_namespaces
from extlint_facts.packages.access import Packages
from extlint_facts.recorded.objects import complete_results
from extlint_facts.recorded.objects import load as recorded_objects
from extlint_facts.serialization import namespace_files

PACKAGE = "addons-linter"


def files(packages: Packages) -> dict[str, str]:
    """Returns Firefox's facts, by the paths of the files in the schemas package."""
    found = namespaces(type_namespaces(documents(packages.read(PACKAGE, "dist/addons-linter.js"))))
    found += new_namespaces(found, corrections("firefox", "namespace"))
    correct(found, "firefox", corrections("firefox", "api"))
    observed = [row for row in recorded_objects() if row.browser == "firefox"]
    complete_results(found, "firefox", observed)
    types = next(each["types"] for each in found if each["namespace"] == MANIFEST)
    required = permissions(types, "Permission")
    optional = permissions(types, "OptionalPermission") | permissions(types, "OptionalOnlyPermission")
    index = {
        "permissions": sorted(required | optional),
        "optional_permissions_excluded": sorted(required - optional),
        "optional_permissions_only": sorted(optional - required),
        "privileged_permissions": sorted(permissions(types, "PermissionPrivileged")),
    }
    return namespace_files("firefox", found, index)
