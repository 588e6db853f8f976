"""The rules of extlint, one module each, and nothing else.

A module has `RULE`, which gives the rule's name and severity, `check`, which yields its findings, and
a docstring, which is its documentation. The examples in the documentation are run as tests.
"""
