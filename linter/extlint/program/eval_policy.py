"""Determines the scripts in which `eval` runs, so that the code in its strings is analyzed."""

from __future__ import annotations

from msgspec import Struct

from extlint.manifest.manifest import Manifest
from extlint.package.references import paths_of

_EVAL = b"eval"


class EvalPolicy(Struct, frozen=True):
    """Whether all scripts may run code from strings, or else which scripts may."""

    everywhere: bool = False
    paths: frozenset[str] = frozenset()

    def code_of(self, text: bytes, path: str) -> bytes:
        """Returns a script's text, at the same length, with code in its strings exposed if that may run."""
        if not (_EVAL in text and (self.everywhere or path in self.paths)):
            return text
        from extlint.analysis.syntax.eval_code import with_eval_code
        from extlint.analysis.syntax.parse import grammar_of

        return with_eval_code(text, grammar_of(path))


def eval_policy_of(manifest: Manifest) -> EvalPolicy:
    """Returns the policy that a manifest sets in every engine.

    If the policy blocks `eval`, the code in strings never runs, and `string-code` reports it. Content scripts
    of Manifest V2 run it regardless of the policy of pages; they are identified by their names in the
    manifest. Manifest V3 never allows it.
    """
    if _allows_eval(manifest):
        return EvalPolicy(everywhere=True)
    entries = manifest.get("content_scripts")
    content = range(0 if entries is None else sum(1 for _ in entries.items()))
    paths = frozenset[str]().union(*(_paths(manifest, "content_scripts", at, "js") for at in content))
    return EvalPolicy(paths=paths - _paths(manifest, "background", "scripts"))


def _allows_eval(manifest: Manifest) -> bool:
    policy = manifest.get("content_security_policy")
    if policy is None or not isinstance(policy.value, str):
        return False
    from extlint.checks.blocked_code import policy_of_pages
    from extlint.schema.engine import Engine
    from extlint.text.formats.csp_policy import allows_eval

    return all(allows_eval(policy_of_pages(manifest, each)) for each in (Engine.GECKO, Engine.CHROMIUM))


def _paths(manifest: Manifest, *keys: str | int) -> frozenset[str]:
    names = (each for each, _ in manifest.strings(*keys))
    return frozenset(path for name in names for path in paths_of(name)[:1])
