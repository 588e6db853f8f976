"""The query engine: results that are computed on demand, and computed again only if something changed.

A *query* is a function of an owner, such as an extension, and of a key. While it runs, the database records
the queries and inputs that it depends on. In a later *revision* of the inputs, a result is verified first: it
is reused if all its dependencies are unchanged. A dependency that is computed again with an equal result
counts as unchanged, so an edit affects no more than it has to. The compilers that use salsa work like this.

`memos`     Defines inputs and stored results, and records the dependencies of queries while they run.
`query`     Defines queries, and methods that run once for each list of arguments.
`database`  Stores results with their dependencies, verifies and computes them, and counts the work.
`stored`    Keeps results for later runs, with digests of the results that they depended on.
"""
