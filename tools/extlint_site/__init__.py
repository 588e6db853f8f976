"""Builds the documentation site: pages made from the code beside the pages of `docs/`.

`python -m extlint_site` writes the site to `build/site`. Nothing that the code or the README says is written
a second time: a page per rule comes from the rule's module, one per command from its options, and so on.
"""
