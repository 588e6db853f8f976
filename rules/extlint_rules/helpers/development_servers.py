"""Finds scripts of a server on the author's own machine, which pages load during development."""

from __future__ import annotations

from extlint.checks.blocked_code import DEFAULT
from extlint.checks.portability.other_manifests import may_have_in_other_manifest
from extlint.extension import Extension
from extlint.project.builds import is_build_source
from extlint.project.contexts.page_code import is_localhost_url
from extlint.project.rewritten_keys import may_rewrite
from extlint.text.formats.csp_policy import may_allow_address


def may_be_loaded_in_development(extension: Extension, address: str) -> bool:
    """Whether an address is local, and the policy or a build may let a page load it."""
    if not is_localhost_url(address):
        return False
    found = extension.manifest.get("content_security_policy", "extension_pages")
    named = found.value if found is not None and isinstance(found.value, str) else DEFAULT
    return (
        may_allow_address(named, address)
        or is_build_source(extension)
        or may_have_in_other_manifest(extension, "content_security_policy")
        or may_rewrite(extension, "content_security_policy")
    )
