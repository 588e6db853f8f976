"""The environment in which the values of an extension are matched with the types of its target."""

from __future__ import annotations

from extlint.extension import Extension
from extlint.schema.engine import Engine
from extlint.schema.matching.environment import Environment


def matching_environment(extension: Extension) -> Environment:
    """Returns the environment in which arguments of this extension are matched."""
    engine = extension.schemas.engine or Engine.GECKO
    serialization = extension.manifest.get("message_serialization")
    is_cloning = serialization is not None and serialization.value != "json"
    return Environment(extension.schemas, engine, extension.manifest_version, is_cloning)
