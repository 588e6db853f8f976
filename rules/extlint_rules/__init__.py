"""The rules of extlint, one module each.

`helpers` contains the code that a single rule requires beyond its own file.

A module has `RULE`, its row of the registry, which creates findings with the rule's name and severity;
`check`, which yields them; and a docstring, which is its documentation. The examples in the documentation
are run as tests.
"""
