"""Conditions that ask which browser they run in, or what a build was made for.

`conditions` follows a condition to its operands and what stands behind them, `operands` says how each is
used, `words` what its name means, and `addresses` whether a text is compared with an address.
"""
