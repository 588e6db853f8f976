"""The files of Firefox's facts."""

from __future__ import annotations

from extlint_facts.by_hand import correct, rows
from extlint_facts.firefox.bundle import documents
from extlint_facts.firefox.homes import MANIFEST, homes
from extlint_facts.firefox.manifest import permissions
from extlint_facts.firefox.namespaces import namespaces
from extlint_facts.npm import Packages
from extlint_facts.observed import complete_results
from extlint_facts.observed import rows as observed_rows
from extlint_facts.writing import namespace_files

PACKAGE = "addons-linter"


def files(packages: Packages) -> dict[str, str]:
    """What Firefox has, by the paths of the files in the package of the schemas."""
    found = namespaces(homes(documents(packages.read(PACKAGE, "dist/addons-linter.js"))))
    correct(found, rows("firefox"))
    seen = [row for row in observed_rows() if row.browser == "firefox"]
    complete_results(found, "firefox", seen)
    types = next(each["types"] for each in found if each["namespace"] == MANIFEST)
    required = permissions(types, "Permission")
    optional = permissions(types, "OptionalPermission") | permissions(types, "OptionalOnlyPermission")
    index = {
        "permissions": sorted(required | optional),
        "optional_permissions_excluded": sorted(required - optional),
        "optional_permissions_only": sorted(optional - required),
        "privileged_permissions": sorted(permissions(types, "PermissionPrivileged")),
    }
    sources = [packages.pin(PACKAGE).source(), *(row.source() for row in seen)]
    return namespace_files("firefox", found, sources, index)
