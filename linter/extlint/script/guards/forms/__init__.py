"""The forms in which a condition tests something: one module for each, and one row in `table`.

A module has a function that is asked about an expression. It gets a `ConditionQuery` (in `query`), which says
what outcome the expression has, and returns the facts (in `facts`) that follow from it, or None if the
expression is no test of its form. `members` says which member of the API an operand is.
"""
