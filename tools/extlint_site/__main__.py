"""Builds the site with `python -m extlint_site [FOLDER]`. A warning is a failure."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from extlint_site.accessible import correct_pages
from extlint_site.sources import ROOT, write_sources

BUILD = ROOT / "build"


def main(arguments: list[str]) -> int:
    """Builds the site into a folder, by default `build/site`.

    The status is nonzero if there was a warning.
    """
    from sphinx.cmd.build import main as sphinx

    sources, site = BUILD / "site-sources", Path(arguments[0]) if arguments else BUILD / "site"
    for folder in (sources, site):
        shutil.rmtree(folder, ignore_errors=True)
    write_sources(sources)
    doctrees = str(BUILD / "site-doctrees")
    status: int = sphinx(
        ["-q", "-E", "-W", "--keep-going", "-n", "-b", "dirhtml", "-d", doctrees, str(sources), str(site)]
    )
    correct_pages(site)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
