"""Builds the documentation site: pages generated from the code, next to the pages of `docs/`.

`python -m extlint_site` writes the site to `build/site`. Nothing in the code or the README is duplicated: the
page of a rule is generated from the rule's module, that of a command from its options, and so on.
"""
