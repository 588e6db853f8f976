"""Conditions that test which browser they run in, or the target of a build.

`conditions` follows a condition to its operands and their values, `operands` determines how each is
used, `words` interprets its name, and `addresses` determines whether a text is compared with an address.
"""
