"""The engines of browsers."""

from __future__ import annotations

from enum import Enum


class Engine(Enum):
    """An engine, whose rules determine how browsers read manifests, provide members and accept arguments."""

    GECKO = "Gecko"
    CHROMIUM = "Chromium"
    WEBKIT = "WebKit"
