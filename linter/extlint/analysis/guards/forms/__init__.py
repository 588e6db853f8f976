"""The forms of tests in conditions: a function for each, and one row in `table`.

The function examines an expression. It receives a `ConditionQuery`, which specifies the outcome of the
expression, and returns the facts that follow from it, or None if the expression is not a test of its form.
Both are in `facts`. Its module is named for what is tested. `members` also determines which member of the API
an operand is.
"""
