"""Conditions that test which browser they run in, or the target of a build.

`conditions` follows a condition to its operands and their values, `operands` determines how each is
used, and interprets the words of its name.
"""
