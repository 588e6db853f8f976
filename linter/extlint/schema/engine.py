"""The engines of browsers."""

from __future__ import annotations

from enum import Enum


class Engine(Enum):
    """By whose rules browsers read manifests, have the members of the API and take arguments."""

    GECKO = "Gecko"
    CHROMIUM = "Chromium"
    WEBKIT = "WebKit"
