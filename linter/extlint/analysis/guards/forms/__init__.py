"""The forms of tests in conditions: one module for each, and one row in `table`.

Each module has a function that examines an expression. It receives a `ConditionQuery`, which specifies the
outcome of the expression, and returns the facts that follow from it, or None if the expression is not a test
of its form. Both are in `facts`. `members` determines which member of the API an operand is.
"""
