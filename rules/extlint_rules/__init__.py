"""The rules of extlint, one module each; `helpers` has what one of them needs beyond its own file.

A module has `RULE`, its row of the registry, which makes findings with the rule's name and severity;
`check`, which yields them; and a docstring, which is its documentation. The examples in the documentation
are run as tests.
"""
