"""Results of earlier runs, cached so that they are not computed again.

A result is stored with the *queries* that were made to compute it, as in build systems, and is reused if the
same queries have the same results now. So it depends on nothing that was not compared, and no code has to
declare what invalidates it.

`cache`     Whether a run has enough to parse for caching to pay, and the caches of sessions. The folder of a
            run's results, if it belongs to the user.
`records`   The report of a package, stored with queries about the contents of its files and of its project.
            And the facts of a script, by its text, for a package that has changed. The queries are about its
            imports. Worker processes pass on their results in this form, too.
`values`    Values that pass between scripts: equal ones are made one object, and each has a digest.
`codec`     Encodes results as bytes, and decodes them without running anything that the bytes name.
`store`, `disk`  Results by the digest of their key: in memory, and in files that many processes share. The
            identity of this extlint is a part of every key, so that versions share a folder and its bound.

Code that stores a result must add its inputs to the key; see `Records.get_or_compute`.
"""
